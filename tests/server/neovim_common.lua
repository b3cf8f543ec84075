-- What the Neovim scripts begin with: the server attached to the buffer of TASK, as the README sets it up.
-- Environment: SERVER (JSON list), TASK, ROOT. `init_options` are the server's initialization options.
return function(init_options)
  local function wait(what, condition)
    if not vim.wait(30000, condition, 10) then
      io.stderr:write('timeout: ' .. what .. '\n')
      vim.cmd('cquit 1')
    end
  end
  vim.lsp.config('agentbench', {
    cmd = vim.json.decode(os.getenv('SERVER')),
    filetypes = { 'json' },
    root_dir = os.getenv('ROOT'),
    init_options = init_options,
  })
  vim.lsp.enable('agentbench')
  vim.cmd('edit ' .. vim.fn.fnameescape(os.getenv('TASK')))
  vim.bo.filetype = 'json'
  local buffer = vim.api.nvim_get_current_buf()
  wait('the server', function()
    local client = vim.lsp.get_clients({ bufnr = buffer })[1]
    return client ~= nil and client.initialized
  end)
  local client = vim.lsp.get_clients({ bufnr = buffer })[1]
  local function finish(out)
    io.stdout:write(vim.json.encode(out) .. '\n')
    client:stop()
    wait('the end', function() return client:is_stopped() end)
    vim.cmd('qall!')
  end
  return buffer, client, wait, finish
end
