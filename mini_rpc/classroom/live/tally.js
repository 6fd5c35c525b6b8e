
// --- how a class has voted: tally.js goes on where projector.js ends ----------------------------
// Python counts; everything is shown as text, never as markup.

let count = 0;

function render({ model, el }) {
  const setup = model.get("_setup");
  const { sizes } = setup;
  const view = `mrpc-tally-${++count}-${Math.random().toString(36).slice(2, 8)}`;
  let ticket = "";
  let wishes = 0;
  let takesCodes = true; // this view is new, or has asked for the codes of the start
  let mine = {}; // ahead of Python, so that quick clicks all count
  const waiting = waitForPython(giveUp);

  const keys = { "=": () => resize(1) };
  const bar = make("div", "mrpc-tally-controls");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Tally");
  const buttons = addControls(bar, keys, {
    ...(setup.known && { reveal: ["", "v", "Show or hide what is right", reveal] }),
    smaller: ["A−", "-", "Make everything smaller", () => resize(-1)],
    larger: ["A+", "+", "Make everything larger", () => resize(1)],
    full: ["Full screen", "f", "Fill the screen, or leave it", () => toggleFull(root)],
    again: ["Start over", "", "Give up all that was counted here", startOver],
  });
  const notice = make("p", "mrpc-tally-notice");
  notice.setAttribute("role", "alert");
  const rows = setup.options.map((text, at) => buildRow(text, (step) => raise(at, step)));
  const title = make("p", "mrpc-tally-ask", make("strong", "", "Class vote: "), setup.ask);
  const message = setup.message ? make("pre", "mrpc-message mrpc-tally-message", setup.message) : null;
  const total = make("p", "mrpc-tally-total");
  total.setAttribute("role", "status");
  const bars = make("ul", "mrpc-tally-bars", ...rows.map((row) => row.node));
  const behind = make("div", "mrpc-tally-behind");
  const codes = make("textarea", "");
  codes.id = view;
  codes.rows = 3;
  codes.spellcheck = false;
  const label = make("label", "", "Paste the codes, one a line");
  label.htmlFor = view;
  const notes = make("ul", "mrpc-tally-notes");
  notes.setAttribute("aria-label", "Codes that do not count");
  const pasted = make("div", "mrpc-tally-codes", label, codes, notes);
  const head = make("div", "mrpc-tally-head", title, total);
  const root = make("div", "mrpc-widget mrpc-frame mrpc-tally", bar, notice, head, message, bars, behind, pasted);
  keepKeys(root);
  listenToKeys(root, keys);
  el.append(root);

  function ask(changes) {
    mine = { ...mine, ...changes };
    ticket = `${view}-${++wishes}`;
    model.set("_asked", { ticket, codes: codes.value, ...mine });
    model.save_changes();
    waiting.begin();
  }

  function raise(place, step) {
    ask({ hands: mine.hands.map((raised, at) => Math.max(0, raised + (at === place ? step : 0))) });
  }

  function reveal() {
    ask({ revealed: !mine.revealed });
  }

  function resize(by) {
    const size = sizes[sizes.indexOf(mine.size) + by];
    if (size) ask({ size });
  }

  function startOver() {
    takesCodes = true;
    ask({ again: true });
  }

  function giveUp() {
    show();
    notice.textContent = NO_ANSWER;
  }

  function takeAnswer() {
    const answer = model.get("_answer");
    const isMine = answer.ticket.startsWith(view);
    if (isMine && answer.ticket !== ticket) return; // an answer to an older question
    waiting.end();
    if (!isMine || takesCodes) codes.value = answer.codes;
    takesCodes = false;
    notice.textContent = answer.broken ?? "";
    show();
  }

  function show() {
    const answer = model.get("_answer");
    mine = { hands: answer.hands, revealed: answer.revealed, size: answer.size };
    root.style.setProperty("--mrpc-font-size", `${answer.size}px`);
    const sum = answer.votes.reduce((a, b) => a + b, 0);
    total.textContent = `${sum} ${sum === 1 ? "vote" : "votes"}`;
    const most = Math.max(...answer.votes, 1);
    rows.forEach((row, at) => row.show(answer.votes[at], most, answer.hands[at]));
    notes.replaceChildren(...answer.notes.map((note) => make("li", "", note)));
    if (setup.known) buttons.reveal.label.textContent = answer.revealed ? "Hide" : "Reveal";
    setDisabled(buttons.smaller.button, answer.size === sizes[0]);
    setDisabled(buttons.larger.button, answer.size === sizes.at(-1));
    behind.replaceChildren(...drawBehind(answer.behind, most));
  }

  codes.addEventListener("input", () => ask({}));
  model.on("change:_answer", takeAnswer);
  takeAnswer();
  return () => {
    waiting.end();
    model.off("change:_answer", takeAnswer);
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
  const title = make("p", "mrpc-tally-title", "What stands behind it");
  return [title, make("ul", "mrpc-tally-bars", ...items)];
}
