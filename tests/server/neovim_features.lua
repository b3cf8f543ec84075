-- Reading, moving and mending in headless Neovim 0.11, by its own commands. Prints one JSON object.
-- Environment: SERVER (JSON list), TASK (a file that may be written), ROOT.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h')
local start = dofile(here .. '/neovim_common.lua')
local buffer, client, wait, finish = start(nil)
local out = {}

local function go(pattern)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  if vim.fn.search(pattern) == 0 then
    io.stderr:write('not found: ' .. pattern .. '\n')
    vim.cmd('cquit 1')
  end
end
local function ask(method, more)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer = client:request_sync(method, vim.tbl_extend('force', params, more or {}), 30000, buffer)
  return answer.result
end
local function text() return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end
local function has(code)
  return #vim.tbl_filter(function(d) return d.code == code end, vim.diagnostic.get(buffer)) > 0
end

-- 1. Hover and definition.
go([["path": "\zstests/t.py]])
out.hover = ask('textDocument/hover').contents.value
vim.lsp.buf.definition()
wait('the definition', function() return vim.fn.getline('.'):find('"tests/t.py": ', 1, true) ~= nil end)
out.definition = vim.fn.getline('.'):match('"tests/t.py": ')

-- 2. A quick fix, chosen by its title.
wait('the diagnostic', function() return has('unescaped-literal') end)
go([["pattern": "\zsassert]])
vim.lsp.buf.code_action({ apply = true, filter = function(a) return a.title == 'Escape the pattern' end })
wait('the fix', function() return text():find([[assert f\\(1\\) == 2]], 1, true) ~= nil end)
wait('no diagnostic', function() return not has('unescaped-literal') end)
out.fixed = true

-- 3. Rename, in the whole task.
go([["path": "\zstests/t.py]])
vim.lsp.buf.rename('tests/new.py')
wait('the new name', function() return select(2, text():gsub('tests/new.py', '')) == 3 end)
out.renamed = text():find('tests/t.py', 1, true) == nil

-- 4. Formatting, outline, hints, colours.
vim.lsp.buf.format()
out.formatted = vim.json.decode(text()).id
out.lines = vim.api.nvim_buf_line_count(buffer)
local names = {}
for _, symbol in ipairs(ask('textDocument/documentSymbol')) do
  table.insert(names, symbol.name)
end
out.symbols = names
vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
wait('hints', function() return #vim.lsp.inlay_hint.get({ bufnr = buffer }) >= 2 end)
out.hints = vim.tbl_map(function(h) return h.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = buffer }))
out.tokens = #ask('textDocument/semanticTokens/full').data

finish(out)
