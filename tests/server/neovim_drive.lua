-- The main job in headless Neovim 0.11, set up as the README says. Prints one JSON object; exit code 1 on a timeout.
-- Environment: SERVER (JSON list), QUIET (JSON object of severities), TASK, TRAJECTORY_FAIL, TRAJECTORY_PASS, ROOT.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h')
local start = dofile(here .. '/neovim_common.lua')
local buffer, client, wait, finish = start({ severity = vim.json.decode(os.getenv('QUIET')), workspaceDiagnostics = false })
local out = { version = tostring(vim.version()), encoding = client.offset_encoding }

local function shown()
  local list = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(list, {
      code = d.code,
      text = vim.api.nvim_buf_get_text(buffer, d.lnum, d.col, d.end_lnum, d.end_col, {})[1],
      source = d.source,
      related = d.user_data and d.user_data.lsp and d.user_data.lsp.relatedInformation or nil,
    })
  end
  return list
end
local function with_code(code)
  return vim.tbl_filter(function(d) return d.code == code end, shown())
end

-- 1. A fault appears as it is typed, and goes as it is mended.
local line = vim.fn.search('"type": "file_not_modified"') - 1
local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { (text:gsub('modified', 'modifed')) })
wait('a diagnostic', function() return #with_code('unknown-oracle-type') == 1 end)
out.typed = shown()
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { text })
wait('no diagnostic', function() return #shown() == 0 end)

-- 2. Completion of a param that is not there yet.
vim.api.nvim_buf_set_lines(buffer, line, line + 2, false, { text, '      ""' })
vim.api.nvim_win_set_cursor(0, { line + 2, 7 })
local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
local answer = client:request_sync('textDocument/completion', params, 30000, buffer)
out.completion = vim.tbl_map(function(item) return item.label end, answer.result.items or answer.result)
vim.cmd('undo')
wait('the mended text', function() return #shown() == 0 end)

-- 3. Evaluate: failures as diagnostics, then none.
local function evaluate(trajectory)
  local command = {
    command = 'agentbench.evaluate',
    arguments = { { task = vim.uri_from_bufnr(buffer), trajectory = vim.uri_from_fname(trajectory) } },
  }
  local reply = client:request_sync('workspace/executeCommand', command, 60000, buffer)
  return reply.err and { error = reply.err.message } or { passed = reply.result.passed }
end
out.failing = evaluate(os.getenv('TRAJECTORY_FAIL'))
wait('failures', function() return #with_code('oracle-failed') > 0 end)
out.failures = shown()
out.passing = evaluate(os.getenv('TRAJECTORY_PASS'))
wait('no failures', function() return #shown() == 0 end)
out.bad = evaluate('/nowhere.json')
finish(out)
