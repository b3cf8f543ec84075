-- See which step broke what, in headless Neovim 0.11: choose a recording, read the failure, go to the step. Prints one
-- JSON object; exit code 1 on a timeout. Environment: SERVER (JSON list), QUIET (JSON object of severities), TASK, ROOT.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':h')
local start = dofile(here .. '/neovim_common.lua')
local out = { progress = {} }
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event) table.insert(out.progress, event.data.params.value.message or event.data.params.value.kind) end,
})
vim.lsp.handlers['window/showMessageRequest'] = function(_, params)
  out.asked = vim.tbl_map(function(action) return action.title end, params.actions)
  return params.actions[#params.actions]
end
local buffer, client, wait, finish = start({ severity = vim.json.decode(os.getenv('QUIET')), workspaceDiagnostics = false })

local function diagnostics(of, code)
  return vim.tbl_filter(function(d) return d.code == code end, vim.diagnostic.get(of))
end
local function run(command, argument)
  local reply = client:request_sync('workspace/executeCommand', { command = command, arguments = { argument } }, 60000, buffer)
  return reply.result, reply.err
end

-- 1. Evaluate without saying with what: the recordings are offered.
local task = vim.uri_from_bufnr(buffer)
local report = run('agentbench.evaluate', { task = task })
out.passed = report.passed
wait('a failure', function() return #diagnostics(buffer, 'oracle-failed') == 1 end)
local failure = diagnostics(buffer, 'oracle-failed')[1]
out.message = failure.message
out.related = failure.user_data.lsp.relatedInformation[1].message

-- 2. A code action leads to the step, where the other end of the failure is.
vim.api.nvim_win_set_cursor(0, { failure.lnum + 1, failure.col })
out.actions = {}
vim.lsp.buf.code_action({
  filter = function(action)
    table.insert(out.actions, action.title)
    return action.title:find('^Open step') ~= nil
  end,
  apply = true,
})
wait('the trajectory', function() return vim.api.nvim_get_current_buf() ~= buffer end)
local recording = vim.api.nvim_get_current_buf()
vim.bo[recording].filetype = 'json'
out.opened = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(recording), ':t')
wait('the step', function() return #diagnostics(recording, 'step-broke-oracle') == 1 end)
local step = diagnostics(recording, 'step-broke-oracle')[1]
out.step = step.message
out.at_step = vim.api.nvim_win_get_cursor(0)[1] == step.lnum + 1

-- 3. The author mends the oracle: nothing of the old verdict is left, in either buffer.
vim.api.nvim_set_current_buf(buffer)
vim.cmd([[silent %s/"alpha"/"beta"/]])
wait('no failure', function() return #diagnostics(buffer, 'oracle-failed') == 0 end)
wait('no step', function() return #diagnostics(recording, 'step-broke-oracle') == 0 end)

-- 4. The baseline.
out.baseline = run('agentbench.baseline', { task = task }).tasks[1].oracles[1].details.baseline.state
finish(out)
