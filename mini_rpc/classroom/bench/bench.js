// The wire bench in the browser. It shows sheets that Python makes, and never judges for itself.
// Whatever comes from outside is shown as text: nothing here writes HTML.

const LONGEST_COLORED = 10_000; // UTF-16 units; coloring more would make typing slow
const LONGEST_SENT = 8_000_000; // a longer message would break the connection to Python
const SLOW = 300; // milliseconds until a verdict is called older than the text
const CALM = 600; // milliseconds of rest until a screen reader is told

const RUNNING = "The dispatcher is still running.";
const TOO_LONG = "This text is too long for the bench. It is kept here, and not judged.";

const SYMBOLS = { passed: "✓", "stopped here": "■", "not reached": "·" };
const TOKEN = new RegExp(
  [
    '("(?:[^"\\\\\\n]|\\\\.)*"?)', // a string, closed or not
    "(-?\\d[\\d.eE+-]*)", // a number
    "(true|false|null)\\b",
    "([{}\\[\\],:]+)",
    "(\\s+)",
    '([^\\s{}\\[\\],:"]+)', // what JSON does not know
  ].join("|"),
  "y",
);
const KINDS = ["string", "number", "word", "mark", "space", "unknown"]; // the groups above

let count = 0;

function render({ model, el }) {
  const setup = model.get("_setup");
  const view = `mrpc-${++count}-${Math.random().toString(36).slice(2, 8)}`;
  const parts = build(setup, view);
  el.append(parts.outer);
  const state = { ticket: "", asked: 0, timers: [] };

  function ask() {
    const text = JSON.stringify(parts.editor.value);
    state.ticket = `${view}-${++state.asked}`;
    drawEditor(parts, stillThere(parts));
    if (text.length > LONGEST_SENT) {
      stopWaiting(state);
      showOlder(parts, TOO_LONG);
      return;
    }
    model.set("_asked", { ticket: state.ticket, text, rules: parts.rules() });
    model.save_changes();
    waitForAnswer();
  }

  function waitForAnswer() {
    // Python may still be busy with a dispatcher that is slow to judge an earlier text.
    if (model.get("_answer").running) wait(RUNNING, setup.patience * 1000);
    else wait("", PATIENCE);
  }

  function wait(meanwhile, patience) {
    stopWaiting(state);
    state.timers = [
      setTimeout(() => showOlder(parts, meanwhile), SLOW),
      setTimeout(() => showOlder(parts, NO_ANSWER), patience),
    ];
  }

  function takeQuestion() {
    // Python, or another view of this bench, has another text.
    const asked = model.get("_asked");
    if (asked.ticket === state.ticket) return;
    state.ticket = asked.ticket;
    parts.setText(JSON.parse(asked.text));
    parts.setRules(asked.rules);
    drawEditor(parts, null);
    waitForAnswer();
    takeAnswer();
  }

  function takeAnswer() {
    const answer = model.get("_answer");
    if (answer.ticket !== state.ticket) return;
    if (answer.running && !answer.broken) {
      wait(RUNNING, setup.patience * 1000);
      return;
    }
    stopWaiting(state);
    if (answer.broken) {
      showOlder(parts, answer.broken);
      return;
    }
    parts.outer.dataset.state = "current";
    parts.notice.textContent = "";
    drawSheet(parts, setup, answer.sheet);
    announce(parts, state);
  }

  parts.editor.addEventListener("input", ask);
  parts.onRules(ask);
  parts.onMessage((text) => {
    parts.replaceText(text);
    ask();
  });
  parts.reset.addEventListener("click", () => {
    parts.setRules(setup.start.rules);
    parts.replaceText(JSON.parse(setup.start.text));
    ask();
  });
  model.on("change:_asked", takeQuestion);
  model.on("change:_answer", takeAnswer);
  takeQuestion();

  return () => {
    stopWaiting(state);
    clearTimeout(state.calm);
    model.off("change:_asked", takeQuestion);
    model.off("change:_answer", takeAnswer);
  };
}

function stopWaiting(state) {
  state.timers.forEach(clearTimeout);
}

function showOlder(parts, notice) {
  parts.outer.dataset.state = "older";
  parts.notice.textContent = notice;
}

function announce(parts, state) {
  clearTimeout(state.calm);
  state.calm = setTimeout(() => {
    parts.status.textContent = parts.spoken;
  }, CALM);
}

// --- building ---------------------------------------------------------------------------------

function build(setup, view) {
  const editor = make("textarea", "mrpc-editor");
  editor.id = `${view}-editor`;
  editor.rows = 1; // it grows with its text
  editor.spellcheck = false;
  editor.autocapitalize = "off";
  editor.autocomplete = "off";
  editor.setAttribute("aria-describedby", `${view}-mistake`);
  const colors = make("pre", "mrpc-colors");
  colors.setAttribute("aria-hidden", "true");
  const label = make("label", "mrpc-title", "Raw message");
  label.htmlFor = editor.id;
  const mistake = make("p", "mrpc-mistake");
  mistake.id = `${view}-mistake`;
  const box = make("div", "mrpc-box", colors, editor);

  const reset = make("button", "mrpc-button", "Reset");
  reset.type = "button";
  const messages = buildMessages(setup, view);
  const rules = buildRules(setup, view);
  const notice = make("p", "mrpc-notice");
  notice.setAttribute("role", "alert");
  const status = make("p", "mrpc-unseen mrpc-status");
  status.setAttribute("role", "status");
  const verdict = make("div", "mrpc-verdict");
  const judged = buildJudged();
  const older = make("p", "mrpc-older", "The verdict below belongs to an older text.");

  const bar = make("div", "mrpc-bar", messages.node, rules.node, reset);
  const left = make("div", "mrpc-left", label, box, mistake);
  const right = make("div", "mrpc-right", notice, older, verdict, judged.node);
  const grid = make("div", "mrpc-grid", left, right);
  const root = make("div", "mrpc-frame mrpc-bench", bar, grid, status);
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Wire bench");
  const outer = make("div", "mrpc-widget mrpc-outer", root);
  keepKeys(outer);

  const parts = { outer, editor, colors, box, mistake, reset, notice, status, verdict, left };
  parts.drawJudged = judged.draw;
  parts.setText = (text) => {
    editor.value = text;
    messages.show(editor.value);
  };
  parts.replaceText = (text) => replaceText(editor, text);
  parts.rules = rules.value;
  parts.setRules = rules.set;
  parts.onRules = rules.listen;
  parts.onMessage = messages.listen;
  editor.addEventListener("input", () => messages.show(editor.value));
  return parts;
}

function replaceText(editor, text) {
  // Done as the browser's own edit, so that undo brings the old text back.
  const before = document.activeElement;
  editor.focus({ preventScroll: true });
  editor.select();
  if (text.length > LONGEST_COLORED || !document.execCommand("insertText", false, text)) {
    editor.value = text;
  }
  if (before && before !== editor) before.focus({ preventScroll: true });
}

function buildMessages(setup, view) {
  const select = make("select", "mrpc-select", make("option", "", "your own text"));
  select.id = `${view}-messages`;
  const texts = setup.messages.map(([, text]) => JSON.parse(text));
  setup.messages.forEach(([name]) => select.append(make("option", "", name)));
  const label = make("label", "", "Prepared messages");
  label.htmlFor = select.id;
  return {
    node: texts.length ? make("span", "mrpc-field", label, select) : null,
    show: (text) => (select.selectedIndex = texts.indexOf(text) + 1),
    listen: (take) =>
      select.addEventListener("change", () => {
        if (select.selectedIndex > 0) take(texts[select.selectedIndex - 1]);
      }),
  };
}

function buildRules(setup, view) {
  const inputs = setup.rules.map(([name]) => {
    const input = make("input", "");
    input.type = "radio";
    input.name = `${view}-rules`;
    input.value = name;
    return input;
  });
  const labels = setup.rules.map(([, words], index) =>
    make("label", "mrpc-choice", inputs[index], words),
  );
  const legend = make("legend", "", "Rules");
  return {
    node: inputs.length ? make("fieldset", "mrpc-rules", legend, ...labels) : null,
    value: () => inputs.find((input) => input.checked)?.value ?? setup.start.rules,
    set: (name) => inputs.forEach((input) => (input.checked = input.value === name)),
    listen: (take) => inputs.forEach((input) => input.addEventListener("change", take)),
  };
}

// --- the editor -------------------------------------------------------------------------------

function stillThere(parts) {
  // Until the answer comes, a mark stays if nothing before it has changed: no flicker.
  const { text, mistake } = parts.drawn;
  const holds = mistake && mistake.offset < text.length;
  return holds && parts.editor.value.startsWith(text.slice(0, mistake.offset + 1)) ? mistake : null;
}

function drawEditor(parts, mistake) {
  const text = parts.editor.value;
  parts.drawn = { text, mistake };
  const plain = text.length > LONGEST_COLORED;
  parts.box.classList.toggle("mrpc-plain", plain);
  parts.colors.replaceChildren(...(plain ? [] : colored(text, mistakeRange(text, mistake))));
  parts.editor.setAttribute("aria-invalid", mistake ? "true" : "false");
  const note = plain ? "A long text: it is judged whole, and shown without colors." : "";
  parts.mistake.replaceChildren(...mistakeWords(mistake), note);
}

function mistakeWords(mistake) {
  if (!mistake) return [];
  const where = make("strong", "", `Line ${mistake.line}, column ${mistake.column}: not JSON from here on.`);
  return [where, ` ${mistake.hint}`];
}

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  for (let match; (match = TOKEN.exec(text));) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
    found.push({ kind, start: match.index, end: TOKEN.lastIndex });
  }
  return found;
}

function withNames(list, text) {
  // A string before a colon is a name.
  const solid = list.filter((token) => token.kind !== "space");
  solid.forEach((token, index) => {
    const next = solid[index + 1];
    if (token.kind === "string" && next && text[next.start] === ":") token.kind = "name";
  });
  return list;
}

function mistakeRange(text, mistake) {
  if (!mistake) return [];
  const start = Math.min(mistake.offset, text.length);
  const token = tokens(text).find((each) => each.start === start);
  const word = token && ["unknown", "number", "word"].includes(token.kind);
  const one = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return [[start, word ? token.end : start + one]];
}

function colored(text, marks, className = "mrpc-wrong") {
  // Tokens are cut where a mark begins or ends, so that the colors go on after it.
  const edges = marks.flat();
  const nodes = [];
  for (const token of withNames(tokens(text), text)) {
    const cuts = edges.filter((edge) => edge > token.start && edge < token.end);
    [token.start, ...cuts].forEach((from, index) => {
      const piece = make(
        "span",
        `mrpc-t-${token.kind}`,
        text.slice(from, cuts[index] ?? token.end),
      );
      if (marks.some(([start, end]) => from >= start && from < end)) piece.classList.add(className);
      nodes.push(piece);
    });
  }
  if (marks.some(([start]) => start >= text.length)) {
    nodes.push(make("span", `${className} mrpc-end`, "\u200b"));
  }
  return [...nodes, "\n"];
}

// --- the verdict ------------------------------------------------------------------------------

function drawSheet(parts, setup, sheet) {
  drawEditor(parts, sheet.mistake);
  const panels = sheet.panels.map((panel) => drawPanel(setup, panel));
  const row = make("div", panels.length > 1 ? "mrpc-pair" : "", ...panels);
  const difference = sheet.difference.length ? drawDifference(sheet.difference) : null;
  const method = sheet.method ? make("p", "mrpc-cut", sheet.method) : null;
  parts.outer.classList.toggle("mrpc-two", panels.length > 1);
  parts.verdict.replaceChildren(...[method, difference, row].filter(Boolean));
  parts.drawJudged(sheet);
  parts.spoken = sheet.panels.map(inWords).concat(sheet.difference).join(" ");
}

function inWords(panel) {
  const reply = { silence: "Silence.", failure: "No answer.", reply: "A reply is sent." };
  const name = panel.side ? `${panel.side}: ` : "";
  return `${name}${reply[panel.kind]} ${panel.reason}`;
}

function drawPanel(setup, panel) {
  const title = panel.side ? `${panel.side}: ${panel.name}` : panel.name;
  return make(
    "div",
    "mrpc-panel",
    panel.side || !panel.shape ? make("p", "mrpc-who", title) : null,
    panel.lights.length ? drawLights(setup, panel.lights) : null,
    drawReply(panel),
    panel.cut ? make("p", "mrpc-cut", panel.cut) : null,
    panel.parts.length ? drawParts(panel) : null,
    drawWhy(panel),
    ...drawPrivate("Private log", panel.log),
    ...drawPrivate("Printed", panel.printed ? [panel.printed.replace(/\n$/, "")] : []),
  );
}

function drawLights(setup, lights) {
  const items = lights.map((word, index) => {
    const step = setup.steps[index];
    const symbol = make("span", "mrpc-symbol", SYMBOLS[word]);
    symbol.setAttribute("aria-hidden", "true");
    const number = make("span", "mrpc-number", `${step.number}`);
    const name = make("span", "mrpc-step", step.name);
    const top = make("span", "mrpc-top", number, symbol);
    const item = make("li", "mrpc-light", top, name, make("span", "mrpc-state", word));
    item.dataset.state = word;
    item.title = step.asks;
    return item;
  });
  const list = make("ol", "mrpc-lights", ...items);
  list.setAttribute("aria-label", "The six steps");
  return list;
}

function drawReply(panel) {
  const titles = { reply: "Reply, as sent", silence: "Reply", failure: "Reply" };
  const shape = panel.shape ? make("span", "mrpc-shape", `shape: ${panel.shape}`) : null;
  const title = make("p", "mrpc-title", titles[panel.kind], shape);
  const box = make("pre", `mrpc-reply mrpc-${panel.kind}`);
  if (panel.kind === "reply") box.append(...colored(panel.reply, panel.marks, "mrpc-differs"));
  if (panel.kind === "silence") box.append("SILENCE", make("small", "", "nothing is sent"));
  if (panel.kind === "failure") box.append("NO ANSWER", make("small", "", "it failed"));
  return make("div", "", title, box);
}

function drawParts(panel) {
  const rows = panel.parts.map((part) => {
    const shape = make("strong", "", `${part.number} ${part.shape}`);
    const head = make("span", "", shape, `, ${part.stopped}`);
    return make("li", "", head, make("code", "", part.reply), make("small", "", part.reason));
  });
  const title = make("p", "mrpc-title", "The messages of the batch");
  const more = panel.more_parts ? make("p", "mrpc-cut", panel.more_parts) : null;
  return make("div", "mrpc-batch", title, make("ol", "mrpc-parts", ...rows), more);
}

function drawWhy(panel) {
  const line = panel.line ? make("code", "mrpc-line", panel.line) : null;
  const rule = panel.rule ? make("span", "mrpc-rule", panel.rule) : null;
  return make("p", "mrpc-why", make("strong", "", "Why "), panel.reason, line, rule);
}

function drawPrivate(title, lines) {
  if (!lines.length) return [];
  const never = make("span", "mrpc-never", "never sent");
  return [make("p", "mrpc-title", title, never), make("pre", "mrpc-log", lines.join("\n"))];
}

function drawDifference(sentences) {
  const items = sentences.map((sentence) => make("li", "", sentence));
  const title = make("p", "mrpc-title", "Difference");
  return make("div", "mrpc-difference", title, make("ul", "", ...items));
}

function buildJudged() {
  // Built once: what a reader has opened, or has reached by keyboard, stays there.
  const summary = make("summary", "");
  const text = make("pre", "mrpc-judged");
  const cut = make("p", "mrpc-cut");
  const draw = (sheet) => {
    const rules = sheet.rules ? `, by the rules: ${sheet.rules}` : "";
    summary.textContent = `The exact text that was judged: ${sheet.size}${rules}`;
    text.textContent = sheet.judged;
    cut.textContent = sheet.cut;
  };
  return { node: make("details", "mrpc-details", summary, text, cut), draw };
}
