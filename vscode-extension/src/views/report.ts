/** The report of an evaluation in a panel of its own. The page holds its own policy and needs no network. */

import * as vscode from "vscode";

let panel: vscode.WebviewPanel | undefined;

/** Shows a page, in the panel that is there if it was shown before. */
export function showReport(html: string, title: string): void {
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel("agentbench.report", title, vscode.ViewColumn.Beside, { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: true, localResourceRoots: [] });
    panel.onDidDispose(() => {
      panel = undefined;
    });
  }
  panel.title = title;
  panel.webview.html = html;
  panel.reveal(undefined, true);
}
