// A question with options. What it is about comes from Python and is shown as text, never as markup.

const SCREEN = 768; // pixels below a question in which nothing may answer it
const CALM = 700; // milliseconds in which a second click or Enter means the first one
const ASKS = /\b(check|predict|provoke|puzzle|quiz)\(/; // cells that are the reader's own
const HIDDEN = {
  below: "What follows may show the answer. It stays hidden until you answer.",
  recap: "The recap stays hidden until all the self-checks are answered.",
};

function render({ model, el }) {
  const setup = model.get("_setup");
  const name = `mrpc-${Math.random().toString(36).slice(2)}`;
  const state = { waiting: null, stale: null, timer: null, since: 0 };
  const parts = build(setup, name);
  const follow = setup.hides ? hideWhatFollows(el, parts.hidden, setup.hides) : () => {};
  el.append(parts.form);

  function say(kind, ...content) {
    parts.status.dataset.state = kind;
    parts.status.replaceChildren(...content);
  }

  function clear(keepChoice = false) {
    clearTimeout(state.timer);
    state.stale = state.waiting;
    state.waiting = null;
    parts.form.classList.remove("mrpc-question-locked");
    for (const radio of parts.radios) {
      radio.disabled = false;
      if (!keepChoice) radio.checked = false;
    }
    parts.button.textContent = setup.once ? "Decide" : "Check";
    say("empty");
  }

  function send(asked) {
    state.waiting = Math.random().toString(36).slice(2);
    model.set("_asked", { ticket: state.waiting, ...asked });
    model.save_changes();
    clearTimeout(state.timer);
    state.timer = setTimeout(() => {
      state.waiting = null;
      say("trouble", NO_ANSWER);
    }, PATIENCE);
  }

  function submit(event) {
    event.preventDefault();
    const chosen = chosenIn(parts);
    if (state.waiting) return;
    if (parts.form.classList.contains("mrpc-question-locked")) {
      if (Date.now() - state.since < CALM) return;
      clear();
      model.set("_asked", { ticket: Math.random().toString(36), number: 0 }); // for all views
      model.save_changes();
    } else if (chosen.missing) {
      say("trouble", chosen.missing);
    } else if (!isShown(chosen)) {
      send(chosen);
    }
  }

  function isShown({ number, line }) {
    const answer = model.get("_answer");
    const feedback = ["right", "wrong", "noted"].includes(parts.status.dataset.state);
    return feedback && answer.number === number && answer.line === line;
  }

  function show() {
    const answer = model.get("_answer");
    if (answer.ticket && answer.ticket === state.stale) return;
    if (state.waiting && !answer.number && !answer.broken) return; // started over, and gone on
    if (answer.ticket === state.waiting) state.since = Date.now();
    clear(Boolean(answer.broken));
    if (answer.broken) say("trouble", answer.broken);
    else if (answer.number) draw(answer);
    follow(!answer.number);
  }

  function draw(answer) {
    check(parts.options, answer.number);
    check(parts.lines, answer.line);
    if (setup.once) {
      parts.form.classList.add("mrpc-question-locked");
      for (const radio of parts.radios) radio.disabled = true;
      parts.button.textContent = "Start over";
    }
    say({ true: "right", false: "wrong", null: "noted" }[answer.right], ...feedback(answer));
  }

  parts.form.addEventListener("submit", submit);
  parts.form.addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault());
  parts.form.addEventListener("change", () => clear(true));
  model.on("change:_answer", show);
  show();
  return () => {
    clearTimeout(state.timer);
    model.off("change:_answer", show);
    follow(false);
  };
}

// --- the form -------------------------------------------------------------------------------------

function build(setup, name) {
  const options = setup.order.map((number) => radioOf(`${name}-option`, number, setup.options[number - 1]));
  const lines = setup.lines.map((text, at) => radioOf(`${name}-line`, at + 1, text));
  const question = fieldset(`${setup.kind}:`, setup.ask);
  const groups = [question];
  if (setup.message) {
    const message = make("pre", "mrpc-message", setup.message);
    message.id = `${name}-message`;
    question.append(message);
    question.setAttribute("aria-describedby", message.id);
  }
  if (lines.length) {
    question.classList.add("mrpc-question-talk");
    question.append(...lines.map(labelOf));
    groups.push(fieldset("", setup.second));
  }
  groups.at(-1).append(...options.map(labelOf));
  const button = make("button");
  button.type = "submit";
  const hidden = make("p", "mrpc-question-hidden");
  hidden.hidden = true;
  const status = make("div", "mrpc-question-feedback");
  status.setAttribute("role", "status");
  const form = make("form", "mrpc-widget mrpc-frame mrpc-question", ...groups, button, status, hidden);
  const radios = [...options, ...lines].map(({ radio }) => radio);
  for (const control of [...radios, button]) {
    control.dataset.lmSuppressShortcuts = "true"; // or the arrow keys would move JupyterLab's cells
  }
  return { form, button, status, hidden, radios, options, lines };
}

function fieldset(strong, text) {
  const legend = make("legend", "", strong && make("strong", "", strong), ` ${text}`);
  return make("fieldset", "", legend);
}

function radioOf(name, number, text) {
  const radio = Object.assign(document.createElement("input"), { type: "radio", name, value: number });
  return { radio, number, text };
}

function labelOf({ radio, text }) {
  return make("label", "", radio, make("span", "", text));
}

function check(group, number) {
  for (const each of group) each.radio.checked = each.number === number;
}

function chosenIn({ options, lines }) {
  const [option, line] = [options, lines].map((group) => group.find(({ radio }) => radio.checked)?.number);
  if (lines.length && !line) return { missing: "Choose the line first." };
  if (!option) return { missing: "Choose one of the options first." };
  return lines.length ? { number: option, line } : { number: option };
}

function feedback(answer) {
  const content = [make("p", "", make("strong", "", answer.heading), ` ${answer.why}`)];
  if (answer.reveal.length) {
    const rows = answer.reveal.map(([label, value]) =>
      make("div", "", make("dt", "", label), make("dd", "", value)),
    );
    content.push(make("dl", "", ...rows));
  }
  return content;
}

// --- what follows on the page ---------------------------------------------------------------------

function hideWhatFollows(el, note, what) {
  // Until the reader has committed, cells that would tell are not seen. Several questions may hide
  // the same one; who asks for it at one of them gets it at all of them.
  let hidden = [];
  let wanted = false;
  const show = make("button", "", "Show it now");
  show.type = "button";
  show.dataset.lmSuppressShortcuts = "true";
  show.addEventListener("click", () => {
    for (const cell of hidden) cell.mrpcShown = true;
    update();
  });
  note.append(HIDDEN[what], " ", show);

  function mark(cell, on) {
    cell.mrpcHiders ??= new Set();
    if (on) cell.mrpcHiders.add(el);
    else cell.mrpcHiders.delete(el);
    cell.classList.toggle("mrpc-hidden-cell", cell.mrpcHiders.size > 0 && !cell.mrpcShown);
  }

  function update() {
    const before = hidden;
    const awake = wanted && !el.matches(".jupyter-widgets-disconnected, .mrpc-sleeps");
    hidden = awake ? cellsBelow(el, what) : [];
    for (const cell of before) if (!hidden.includes(cell)) mark(cell, false);
    for (const cell of hidden) mark(cell, true);
    note.hidden = hidden.every((cell) => cell.mrpcShown);
  }

  // What is below may be drawn later than this, and grow.
  const timer = setInterval(() => wanted && el.isConnected && update(), 500);
  return (value) => {
    wanted = value;
    update();
    if (!value) clearInterval(timer);
  };
}

function cellsBelow(el, what) {
  const own = el.closest(".jp-Cell");
  const found = [];
  if (!own) return found;
  const bottom = own.getBoundingClientRect().bottom + SCREEN;
  for (let cell = own.nextElementSibling; cell; cell = cell.nextElementSibling) {
    if (!cell.classList.contains("jp-Cell")) continue;
    const heading = cell.querySelector("h1, h2, h3");
    if (what === "recap") {
      if (heading?.textContent.startsWith("Recap")) return [cell];
      continue;
    }
    const code = cell.querySelector(".jp-InputArea-editor")?.textContent ?? "";
    if (cell.querySelector(".mrpc-question") || ASKS.test(code)) break;
    if (cell.getBoundingClientRect().top > bottom) break;
    if (found.length && heading) break; // the page goes on to other things
    found.push(cell);
  }
  return found;
}
