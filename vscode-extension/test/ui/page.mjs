// Taking steps in a page of VS Code, and finding one's way in it.
import { copyFileSync } from "node:fs";
import path from "node:path";

const PICTURES = {
  "evaluate against a picked trajectory, failures inline": "evaluate.png",
  "the diff editor shows what the agent did": "diff.png",
  "the Test Explorer runs all tasks": "explorer.png",
  "a workspace file is a file": "workspace-file.png",
};

/** Takes steps: counts them, and takes a picture of each. */
export function stepper(counts, shots) {
  const self = { page: undefined, number: 0 };
  self.take = async (name, work) => {
    const { page } = self;
    const number = (self.number += 1);
    const started = Date.now();
    try {
      await work();
      counts.passed += 1;
      console.log(`ok   ui: ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      counts.failed += 1;
      console.log(`FAIL ui: ${name}\n${error.message.split("\n").slice(0, 8).join("\n")}`);
    }
    const picture = path.join(shots, `${String(number).padStart(2, "0")}-${name.replace(/\W+/g, "-")}.png`);
    await page.screenshot({ path: picture });
    if (PICTURES[name] && process.env.AGENTBENCH_PICTURES) copyFileSync(picture, path.join(process.env.AGENTBENCH_PICTURES, PICTURES[name]));
  };
  return self;
}

export class Ui {
  constructor(page) {
    this.page = page;
  }

  async palette(text) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor({ state: "visible" });
    await input.fill(`>${text}`);
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first().waitFor();
    await this.page.keyboard.press("Enter");
  }

  /** The row of the quick pick that holds a text. */
  row(text) {
    return this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();
  }

  line(text) {
    return this.page.locator(".editor-instance .view-line", { hasText: text }).first();
  }

  async goto(line) {
    await this.page.keyboard.press("Control+g");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor({ state: "visible" });
    await input.fill(`:${line}`);
    await this.page.keyboard.press("Enter");
  }
}
