"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const WORDS = {
    passing: ["✓", "passing"], failing: ["✗", "failing"],
    "not-applicable": ["–", "not yet applicable"], unknown: ["?", "not judged"],
  };
  // Texts of documents are only ever set as text, never as markup.
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  const verdict = data.passed ? ["pass", "PASS"] : ["fail", "FAIL"];
  byId("verdict").className = verdict[0];
  byId("verdict").textContent = verdict[1];
  byId("title").textContent = data.task.name || data.task.id;
  document.title = `${verdict[1]} ${data.task.id} - AgentBench`;
  const failed = data.oracles.filter((oracle) => !oracle.passed).length;
  const facts = [data.task.id, `${data.oracles.length - failed} of ${data.oracles.length} oracles passed`,
    `${data.steps.length} steps`, ...["agent", "model"].map((key) => data.metadata[key]).filter(Boolean)];
  byId("subtitle").textContent = facts.join(" · ");
  byId("prompt").textContent = [data.task.description, data.task.prompt].filter(Boolean).join("\n\n");
  for (const [state, [sign, word]] of Object.entries(WORDS)) {
    byId("legend").append(make("span", {}, make("span", { class: `cell ${state}`, "aria-hidden": "true" }, sign), ` ${word}`));
  }

  // Every step of a short run has a column; of a long one those where something happens, as far as they can be read.
  const MOST_COLUMNS = 200;
  const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
  const thinned = (numbers, most) => {
    const every = Math.ceil(numbers.length / Math.max(most, 1));
    return numbers.filter((_, i) => i % every === 0);
  };
  const all = data.steps.map((step) => step.index);
  const noted = data.steps.filter((step) => step.notes.length).map((step) => step.index);
  const changed = ascending(data.oracles.flatMap((oracle) => oracle.changes.map(([step]) => step)));
  const most = [-1, ...thinned(noted, MOST_COLUMNS / 2), ...all.slice(-1)];
  const columns = ascending([...most, ...thinned(all.length <= 60 ? all : changed, MOST_COLUMNS - most.length)]);
  if (columns.length <= all.length) {
    byId("keys").before(make("p", { class: "hint" }, `${columns.length} of ${all.length + 1} columns are shown.`));
  }
  const stateAt = (oracle, step) => {
    let state = "unknown";
    for (const [from, then] of oracle.changes) if (from <= step) state = then;
    return state;
  };
  const name = (step) => (step < 0 ? "before the agent" : `after step ${step}`);
  const head = make("tr", {}, make("th", { class: "name", scope: "col" }, "oracle"));
  for (const step of columns) {
    head.append(make("th", { class: "step", scope: "col", title: name(step) }, step < 0 ? "start" : String(step)));
  }
  const body = make("tbody");
  const grid = data.oracles.map((oracle) => {
    const row = make("tr");
    const link = make("a", { href: `#oracle-${oracle.index}` }, `${oracle.index} ${oracle.type} ${oracle.about}`);
    row.append(make("th", { class: "name", scope: "row", title: link.textContent }, link));
    const cells = columns.map((step) => {
      const state = stateAt(oracle, step);
      const [sign, word] = WORDS[state];
      const blamed = oracle.proven && oracle.blame === step && oracle.changes.some(([at]) => at === step);
      const label = `oracle ${oracle.index} ${word} ${name(step)}${blamed ? ", this step is to blame" : ""}`;
      const cell = make("button", { class: `cell ${state}${blamed ? " blamed" : ""}`, "aria-label": label, title: label, tabindex: "-1" }, sign);
      cell.addEventListener("click", () => open(step < 0 ? `oracle-${oracle.index}` : `step-${step}`));
      row.append(make("td", {}, cell));
      return cell;
    });
    body.append(row);
    return cells;
  });
  byId("timeline").append(make("thead", {}, head), body);

  if (grid.length && grid[0].length) grid[0][0].tabIndex = 0;
  byId("timeline").addEventListener("keydown", (event) => {
    const row = grid.findIndex((cells) => cells.includes(event.target));
    if (row < 0) return;
    const column = grid[row].indexOf(event.target);
    const moves = {
      ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1], ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column], Home: [row, 0], End: [row, columns.length - 1],
    };
    const to = moves[event.key] && grid[moves[event.key][0]]?.[moves[event.key][1]];
    if (moves[event.key]) event.preventDefault();
    if (!to) return;
    event.target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });

  const open = (id) => {
    const card = byId(id);
    if (!card) return;
    card.open = true;
    card.querySelector("summary").focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  };
  const follow = () => { if (location.hash) open(location.hash.slice(1)); };

  const block = (text, title) => make("div", {}, make("p", { class: "muted" }, title), make("pre", { class: "block" }, text));
  const diff = (lines) => {
    const pre = make("pre", { class: "block diff" });
    for (const line of lines) {
      const kind = line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "same";
      pre.append(make("span", { class: kind }, line || " "));
    }
    return pre;
  };

  // What is closed is written when it is opened: a run may have ten thousand steps.
  const later = (card, build) => {
    const fill = () => { if (card.open && card.childElementCount === 1) card.append(build()); };
    card.addEventListener("toggle", fill);
    fill();
  };

  for (const oracle of data.oracles) {
    const mark = oracle.passed ? ["pass", "ok"] : ["fail", "FAIL"];
    const card = make("details", { class: "card", id: `oracle-${oracle.index}` });
    card.open = !oracle.passed;
    card.append(make("summary", {}, make("span", { class: `mark ${mark[0]}` }, mark[1]),
      `${oracle.index} ${oracle.type}: ${oracle.message}`));
    const inner = make("div");
    if (oracle.lines.length) inner.append(make("pre", {}, oracle.lines.join("\n")));
    if (oracle.diff.length) inner.append(diff(oracle.diff));
    for (const warning of oracle.warnings) inner.append(make("p", { class: "warning" }, `Warning: ${warning}`));
    if (oracle.blame !== null && oracle.blame < data.steps.length) {
      inner.append(make("p", {}, make("a", { href: `#step-${oracle.blame}` }, `Step ${oracle.blame}`)));
    }
    inner.append(block(oracle.params, "Params"));
    if (oracle.stdout) inner.append(block(oracle.stdout, "Standard output"));
    if (oracle.stderr) inner.append(block(oracle.stderr, "Standard error"));
    if (oracle.seconds >= 0.01) inner.append(make("p", { class: "muted" }, `${oracle.seconds.toFixed(2)} s`));
    card.append(inner);
    byId("oracles").append(card);
  }

  for (const step of data.steps) {
    const card = make("details", { class: "card", id: `step-${step.index}` });
    card.open = step.notes.length > 0;
    const about = step.path || (step.command || "").split("\n")[0];
    const summary = make("summary", {}, make("span", { class: "mark" }, String(step.index)), `${step.tool} `, make("span", { class: "mono" }, about));
    for (const note of step.notes) summary.append(make("div", { class: "note" }, `oracle ${note.oracle}: ${note.text}`));
    byId("steps").append(card);
    card.append(summary);
    later(card, () => stepBody(step));
  }
  function stepBody(step) {
    const inner = make("div");
    if (step.failure) inner.append(make("p", { class: "warning" }, `The recording says it failed (${step.failure})`));
    for (const edit of step.edits) {
      if (edit.reason) inner.append(make("p", { class: "warning" }, `${edit.path}: ${edit.status}: ${edit.reason}`));
      if (edit.diff.length) inner.append(make("p", { class: "muted" }, edit.path), diff(edit.diff));
      else if (edit.status === "applied") inner.append(make("p", { class: "muted" }, `${edit.path}: nothing changed`));
    }
    if (step.command) inner.append(block(step.command, "Command (recorded; replay does not run it)"));
    if (step.other) inner.append(block(step.other, "Recorded"));
    if (!inner.childElementCount) inner.append(make("p", { class: "muted" }, "Nothing else was recorded."));
    return inner;
  }
  addEventListener("hashchange", follow);
  follow();
})();
