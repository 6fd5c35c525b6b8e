// How a class has voted. Python counts; everything is shown as text, never as markup.

const PATIENCE = 3000; // milliseconds

let count = 0;

function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter(Boolean));
  return node;
}

function render({ model, el }) {
  const setup = model.get("_setup");
  const view = `mrpc-tally-${++count}-${Math.random().toString(36).slice(2, 8)}`;
  let ticket = "";
  let timer = null;
  let mine = { hands: [], revealed: false }; // ahead of Python, so that quick clicks all count

  const rows = setup.options.map((text) => buildRow(text, (step) => raise(text, step)));
  const title = make("p", "mrpc-tally-ask", make("strong", "", "Class vote: "), setup.ask);
  const message = setup.message ? make("pre", "", setup.message) : null;
  const total = make("p", "mrpc-tally-total");
  total.setAttribute("role", "status");
  const bars = make("ul", "mrpc-tally-bars", ...rows.map((row) => row.node));
  const behind = make("div", "mrpc-tally-behind");
  const reveal = make("button", "", "");
  const codes = make("textarea", "");
  codes.id = view;
  codes.rows = 3;
  codes.spellcheck = false;
  const label = make("label", "", "Paste the codes, one a line");
  label.htmlFor = view;
  const notes = make("ul", "mrpc-tally-notes");
  notes.setAttribute("aria-label", "Codes that do not count");
  const pasted = make("div", "mrpc-tally-codes", label, codes, notes);
  const root = make("div", "mrpc-tally", title, message, total, bars, behind);
  if (setup.known) root.append(reveal);
  root.append(pasted);
  keepKeys(root);
  el.append(root);

  function ask(changes) {
    mine = { ...mine, ...changes };
    ticket = Math.random().toString(36).slice(2);
    model.set("_asked", { ticket, codes: codes.value, ...mine });
    model.save_changes();
    clearTimeout(timer);
    timer = setTimeout(() => (total.textContent = "No answer from Python. Run this cell again."), PATIENCE);
  }

  function raise(text, step) {
    const at = setup.options.indexOf(text);
    ask({ hands: mine.hands.map((raised, index) => Math.max(0, raised + (index === at ? step : 0))) });
  }

  function show() {
    const answer = model.get("_answer");
    if (answer.ticket && ticket && answer.ticket !== ticket) return; // an answer to an older question
    clearTimeout(timer);
    if (!answer.ticket || !ticket) codes.value = answer.codes; // Python has others, or this view is new
    mine = { hands: answer.hands, revealed: answer.revealed };
    const sum = answer.votes.reduce((a, b) => a + b, 0);
    total.textContent = answer.broken ?? `${sum} ${sum === 1 ? "vote" : "votes"}`;
    const most = Math.max(...answer.votes, 1);
    rows.forEach((row, at) => row.show(answer.votes[at], most, answer.hands[at]));
    notes.replaceChildren(...answer.notes.map((note) => make("li", "", note)));
    reveal.textContent = answer.revealed ? "Hide what is right" : "Reveal what is right";
    behind.replaceChildren(...drawBehind(answer.behind, most));
  }

  codes.addEventListener("input", () => ask({}));
  reveal.addEventListener("click", () => ask({ revealed: !mine.revealed }));
  model.on("change:_answer", show);
  show();
  return () => {
    clearTimeout(timer);
    model.off("change:_answer", show);
  };
}

function buildRow(text, raise) {
  const bar = make("span", "mrpc-tally-bar");
  const number = make("strong", "mrpc-tally-number");
  const fewer = make("button", "", "−");
  const more = make("button", "", "+");
  fewer.setAttribute("aria-label", `One hand fewer: ${text}`);
  more.setAttribute("aria-label", `One hand more: ${text}`);
  fewer.addEventListener("click", () => raise(-1));
  more.addEventListener("click", () => raise(1));
  const track = make("span", "mrpc-tally-track", bar);
  const hands = make("span", "mrpc-tally-hands", fewer, more);
  const node = make("li", "", make("span", "mrpc-tally-text", text), track, number, hands);
  const show = (votes, most, raised) => {
    bar.style.width = `${(100 * votes) / most}%`;
    number.textContent = votes;
    fewer.disabled = raised === 0;
  };
  return { node, show };
}

function drawBehind(behind, most) {
  if (!behind.length) return [];
  const items = behind.map(([name, votes, why]) => {
    const bar = make("span", "mrpc-tally-bar");
    bar.style.width = `${(100 * votes) / most}%`;
    const item = make(
      "li",
      name === "right" ? "mrpc-tally-right" : "",
      make("span", "mrpc-tally-text", make("strong", "", name), make("small", "", why)),
      make("span", "mrpc-tally-track", bar),
      make("strong", "mrpc-tally-number", `${votes}`),
    );
    return item;
  });
  const title = make("p", "mrpc-tally-total", "What stands behind it");
  return [title, make("ul", "mrpc-tally-bars", ...items)];
}

function keepKeys(node) {
  // JupyterLab's shortcuts stay away from keys that are typed here.
  node.dataset.lmSuppressShortcuts = "true";
  for (const name of ["keydown", "keyup", "keypress"]) {
    node.addEventListener(name, (event) => event.stopPropagation());
  }
}

export default { render };
