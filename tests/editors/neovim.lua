-- Opens TASK as a user of the set-up does, runs :AgentBench on TRAJECTORY, prints the codes that are shown.
local function codes()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local code = diagnostic.code or (diagnostic.user_data and diagnostic.user_data.lsp.code)
    if code ~= 'unprotected-test' and code ~= 'file-only-task' then
      found[#found + 1] = tostring(code)
    end
  end
  table.sort(found)
  return table.concat(found, ' ')
end

local function wait(what, wanted)
  if not vim.wait(30000, function() return codes() == wanted end, 20) then
    io.stdout:write('waited in vain, ' .. what .. ': ' .. codes() .. '\n')
    vim.cmd('cquit 1')
  end
  io.stdout:write(what .. ': ' .. codes() .. '\n')
end

vim.cmd('edit ' .. vim.fn.fnameescape(os.getenv('TASK')))
vim.bo.filetype = 'json'
wait('opened', 'unknown-param')
vim.cmd('AgentBench ' .. vim.fn.fnameescape(os.getenv('TRAJECTORY')))
wait('evaluated', 'oracle-failed unknown-param')
vim.cmd('qall!')
