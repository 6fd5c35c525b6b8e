
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
  let dropped = ""; // the ticket of a wish that was said to be dropped
  const waiting = waitForPython(giveUp);

  const memory = memoryOf(setup.name);
  const past = []; // what was counted before each change, for undo
  const keys = {
    "=": () => resize(1),
    "Ctrl+z": undo,
    n: () => leave(root, 1),
    Backspace: () => leave(root, -1),
    ...clickerKeys(
      () => step(1),
      () => step(-1),
    ),
  };
  const bar = make("div", "mrpc-tally-controls");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Tally");
  const buttons = addControls(bar, keys, {
    close: ["", "c", "Close the vote and show the bars, or hide them", close],
    ...(setup.known && { reveal: ["", "v", "Show or hide what is right", reveal] }),
    smaller: ["A−", "-", "Make everything smaller", () => resize(-1)],
    larger: ["A+", "+", "Make everything larger", () => resize(1)],
    undo: ["Undo", "u", "Take back the last change", undo],
    full: ["Full screen", "f", "Fill the screen, or leave it", () => toggleFull(root)],
    again: ["Start over", "", "Forget all that was counted here", startOver],
  });
  const notice = make("p", "mrpc-tally-notice");
  notice.setAttribute("role", "alert");
  const rows = setup.options.map((text, at) => buildRow(text, (number) => raise(at, number)));
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
  const label = make("label", "", "Paste the codes, or the whole chat");
  label.htmlFor = view;
  const notes = make("ul", "mrpc-tally-notes");
  notes.setAttribute("aria-label", "What does not count");
  const pasted = make("div", "mrpc-tally-codes", label, codes, notes);
  const head = make("div", "mrpc-tally-head", title, total);
  const root = make("div", "mrpc-widget mrpc-frame mrpc-tally", bar, notice, head, message, bars, behind, pasted);
  keepKeys(root);
  listenToKeys(root, keys);
  el.append(root);

  function ask(changes) {
    const { again, codes: _, ...rest } = changes; // the codes are those in the box
    mine = { ...mine, ...rest };
    ticket = `${view}-${++wishes}`;
    model.set("_asked", { ticket, codes: codes.value, ...mine, again });
    model.save_changes();
    waiting.begin();
  }

  function raise(place, number) {
    change({ hands: mine.hands.map((raised, at) => (at === place ? Math.max(0, number(raised)) : raised)) });
  }

  function change(changes) {
    past.push({ codes: codes.value, ...mine });
    ask(changes);
  }

  function undo() {
    const before = past.pop();
    if (!before) return;
    codes.value = before.codes;
    ask(before);
  }

  function reveal() {
    ask({ revealed: !mine.revealed, hidden: false });
  }

  function close() {
    ask({ hidden: !mine.hidden });
  }

  function step(by) {
    // As with a clicker: the votes, the bars, what is right, and on to what comes next.
    if (by > 0) {
      if (mine.hidden) ask({ hidden: false });
      else if (setup.known && !mine.revealed) ask({ revealed: true });
      else leave(root, 1);
    } else if (mine.revealed && setup.known) ask({ revealed: false });
    else if (!mine.hidden && setup.hides) ask({ hidden: true });
    else leave(root, -1);
  }

  function resize(by) {
    const size = sizes[sizes.indexOf(mine.size) + by];
    if (size) ask({ size });
  }

  function startOver() {
    takesCodes = true;
    change({ again: true });
  }

  function giveUp(count) {
    notice.textContent = GONE + droppedWords(count);
    dropped = ticket;
    show();
  }

  function takeAnswer() {
    const answer = model.get("_answer");
    const isMine = answer.ticket.startsWith(view);
    if (isMine && answer.ticket !== ticket) return; // an answer to an older question
    if (isMine && ticket === dropped) return ask({}); // what it did is undone
    waiting.end();
    if (!isMine || takesCodes) codes.value = answer.codes;
    takesCodes = false;
    notice.textContent = answer.broken ?? "";
    show();
  }

  function show() {
    const answer = model.get("_answer");
    const { hands, revealed, size, hidden } = answer;
    mine = { hands, revealed, size, hidden };
    memory.keep({ ...mine, codes: codes.value });
    root.dataset.hidden = hidden;
    total.textContent = `${answer.total} ${answer.total === 1 ? "vote" : "votes"}`;
    const most = Math.max(...answer.votes, 1);
    rows.forEach((row, at) => row.show(answer.votes[at], most, answer.hands[at]));
    notes.replaceChildren(...answer.notes.map((note) => make("li", "", note)));
    buttons.close.label.textContent = hidden ? "Show the bars" : "Hide the bars";
    setDisabled(buttons.undo.button, past.length === 0);
    if (setup.known) buttons.reveal.label.textContent = answer.revealed ? "Hide" : "Reveal";
    setDisabled(buttons.smaller.button, answer.size === sizes[0]);
    setDisabled(buttons.larger.button, answer.size === sizes.at(-1));
    behind.replaceChildren(...drawBehind(answer.behind, most));
    fit(root, size, (px) => root.style.setProperty("--mrpc-font-size", `${px}px`));
    tellDrawn(root);
  }

  function comeBack() {
    // Python was started again: it gets back what this tab has kept.
    const kept = setup.fresh && !model.get("_answer").ticket ? memory.recall() : null;
    takeAnswer();
    if (!kept) return;
    codes.value = kept.codes;
    ask(kept);
  }

  function takePaste(event) {
    // Wherever the keys go: a chat that is pasted counts.
    if (event.target.matches("input, textarea")) return;
    event.preventDefault();
    past.push({ codes: codes.value, ...mine });
    codes.value = [codes.value, event.clipboardData.getData("text")].filter(Boolean).join("\n");
    ask({});
  }

  codes.addEventListener("input", () => ask({}));
  root.addEventListener("paste", takePaste);
  model.on("change:_answer", takeAnswer);
  const endFit = refit(root, show);
  // The codes in a shared folder come by themselves.
  const folder = setup.folder ? setInterval(() => root.isConnected && ask({}), PATIENCE) : null;
  comeBack();
  return () => {
    waiting.end();
    endFit();
    clearInterval(folder);
    model.off("change:_answer", takeAnswer);
  };
}

function buildRow(text, raise) {
  const bar = make("span", "mrpc-tally-bar");
  const number = make("strong", "mrpc-tally-number");
  const raised = make("input", "");
  raised.type = "number";
  raised.min = 0;
  raised.setAttribute("aria-label", `Hands: ${text}`);
  raised.addEventListener("change", () => raise(() => Number(raised.value) || 0));
  const hand = (sign, words, by) => {
    const button = make("button", "", sign);
    button.setAttribute("aria-label", `${words}: ${text}`);
    button.addEventListener("click", () => raise((before) => before + by));
    return button;
  };
  const fewer = hand("−", "One hand fewer", -1);
  const more = hand("+", "One hand more", 1);
  const track = make("span", "mrpc-tally-track", bar);
  const hands = make("span", "mrpc-tally-hands", fewer, raised, more);
  const node = make("li", "", make("span", "mrpc-tally-text", text), track, number, hands);
  const show = (votes, most, up) => {
    bar.style.width = `${(100 * votes) / most}%`;
    number.textContent = votes;
    raised.value = up;
    fewer.disabled = up === 0;
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
  const title = make("p", "mrpc-tally-title", "What is behind each answer");
  return [title, make("ul", "mrpc-tally-bars", ...items)];
}
