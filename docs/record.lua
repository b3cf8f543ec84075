-- Opens a task as the README's set-up does, makes a mistake in it, evaluates it, and says when all of it is on screen.
local task = 'tasks/01_pagination_off_by_one.json'
vim.o.termguicolors = true
vim.o.swapfile = false
vim.o.number = true
vim.o.signcolumn = 'yes'
vim.o.wrap = false
vim.diagnostic.config({ virtual_text = true, severity_sort = true })
vim.lsp.config('agentbench', { cmd = { os.getenv('SERVER') }, filetypes = { 'json' }, root_markers = { '.git' } })
vim.lsp.enable('agentbench')
vim.cmd('edit ' .. task)
vim.bo.filetype = 'json'
vim.cmd('syntax on')
local buffer = vim.api.nvim_get_current_buf()
vim.wait(20000, function()
  local c = vim.lsp.get_clients({ bufnr = buffer })[1]
  return c ~= nil and c.initialized
end, 10)
local client = vim.lsp.get_clients({ bufnr = buffer })[1]
client:request_sync('workspace/executeCommand', {
  command = 'agentbench.evaluate',
  arguments = {
    {
      task = vim.uri_from_bufnr(buffer),
      trajectory = vim.uri_from_fname(vim.fn.getcwd() .. '/tasks/trajectories/01_pagination_off_by_one.weakened_tests.json'),
    },
  },
}, 60000, buffer)
local last = vim.api.nvim_buf_line_count(buffer) - 2
vim.api.nvim_buf_set_lines(buffer, last - 1, last, false, { '    },', '    { "type": "file_not_modifed", "path": "paging/pages.py" }' })
vim.wait(20000, function() return #vim.diagnostic.get(buffer) >= 3 end, 10)
vim.fn.cursor(last - 16, 1)
vim.cmd('normal! zb')
vim.fn.cursor(last + 1, 15)
vim.cmd('redraw!')
vim.defer_fn(function() io.open(os.getenv('READY'), 'w'):close() end, 300)
