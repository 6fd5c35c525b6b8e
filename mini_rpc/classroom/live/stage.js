// --- the stage: a queue of messages, and the verdict held back ------------------------------------

const ALL_SHOWN = 7;
const TEMPO = 1400; // milliseconds between two lights in slow motion
const A_CARD = /card\d+-/;
const A_PREFIX = /^\s*(?:\[[^\]{]*\]|[^[{\s])[^[{]*(?=\[?\s*\{)/; // a name, a time in brackets
const NOT_UNDERSTOOD =
  'Say it as "id 0", "no id", "lowercase Id", "id > ID", with a member that is there. Or paste a message.';

function messageIn(text) {
  // The message or the card in what was typed or pasted; null where there is none.
  const [prefix] = A_PREFIX.exec(text) ?? [""];
  if (prefix) {
    const rest = text.slice(prefix.length);
    return rest.slice(0, Math.max(rest.lastIndexOf("}"), rest.lastIndexOf("]")) + 1 || undefined);
  }
  if (/^\s*[[{]/.test(text)) return text;
  const at = text.search(A_CARD);
  return at < 0 ? null : text.slice(at);
}

function renderStage({ model, el }) {
  const endBench = render({ model, el });
  const outer = el.querySelector(".mrpc-outer");
  const notice = outer.querySelector(".mrpc-notice");
  const sizes = model.get("_sizes");
  const view = Math.random().toString(36).slice(2);
  const memory = memoryOf(model.get("_setup").name);
  let confirmed = model.get("_scene");
  let scene = confirmed; // ahead of Python's, so that quick keys all count
  let ticket = "";
  let wishes = 0;
  let kept = null; // what this tab keeps for another kernel
  let changing = false; // whether a wish changes the queue
  let dropped = null; // the last key that was dropped, and the queue before it if that may change
  let clock = null;
  const waiting = waitForPython(giveUp);

  const bar = make("div", "mrpc-stage-bar");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Presenter");
  const keys = {
    "=": () => resize(1),
    "Ctrl+Enter": reveal,
    ...clickerKeys(
      () => step(1, true),
      () => step(-1, true),
    ),
  };
  const buttons = addControls(bar, keys, {
    back: ["Back", "Backspace", "Go back to the message before", () => go(-1)],
    next: ["Next", "n", "Go on to the next message", () => go(1)],
    step: ["Step", "s", "Show one light more", () => step(1)],
    verdict: ["Reveal", "v", "Show or hide the verdict; in the text box, Ctrl+Enter", reveal],
    slow: ["Slow motion", "m", "Show one light after the other", toggleClock],
    edit: ["Change", "e", "Say a change, such as: no id. Or paste a message", () => line.focus()],
    smaller: ["A−", "-", "Make everything smaller", () => resize(-1)],
    larger: ["A+", "+", "Make everything larger", () => resize(1)],
    full: ["Full screen", "f", "Fill the screen, or leave it", () => toggleFull(outer)],
    again: ["Start over", "r", "Go back to the first message, and hide its verdict", startOver],
  });
  const title = make("p", "mrpc-stage-title");
  title.setAttribute("role", "status");
  const question = make("p", "mrpc-stage-question", "What comes back?");
  const editor = outer.querySelector(".mrpc-editor");
  const line = buildLine(bar);
  outer.querySelector(".mrpc-right").append(question);
  outer.querySelector(".mrpc-older").textContent = "What stands below is from before.";
  const rules = outer.querySelector(".mrpc-rules");
  if (rules) {
    keys.j = switchRules;
    rules.title = "Switch the rules (key j)";
    rules.append(make("kbd", "", "j"));
  }
  const head = make("div", "mrpc-stage-head", title, rules);
  outer.querySelector(".mrpc-bar").replaceWith(bar, head); // on top, so that it never moves
  outer.classList.add("mrpc-stage");

  function switchRules() {
    const choices = [...rules.querySelectorAll("input")];
    const at = choices.findIndex((choice) => choice.checked);
    choices[(at + 1) % choices.length].click();
  }

  function want(changes) {
    ticket = `${view}-${++wishes}`;
    const { again, insert, back = dropped?.back, ...rest } = changes;
    changing ||= Boolean(again || insert);
    scene = { ...scene, ...rest };
    const { at, shown, size } = scene;
    model.set("_wanted", { at, shown, size, again, insert, back, ticket });
    model.save_changes();
    waiting.begin();
    show();
  }

  function takeScene() {
    const arrived = model.get("_scene");
    const isOlder = arrived.ticket.startsWith(view) && arrived.ticket !== ticket;
    if (dropped && arrived.ticket.startsWith(view)) {
      // Keys that were said to be dropped have arrived all the same: what they did is undone.
      if (isOlder) return;
      if (arrived.ticket === dropped.ticket) return want({});
      dropped = null;
    }
    confirmed = arrived;
    if (!isOlder) {
      changing = false;
      scene = confirmed;
      waiting.end();
      if (outer.dataset.state === "older") {
        outer.dataset.state = "current";
        notice.textContent = "";
      }
      if (confirmed.broken) notice.textContent = confirmed.broken;
      keep();
    }
    show();
  }

  function giveUp(count) {
    // What the class sees stays what Python has said last, and says so.
    if (model.get("_answer").running) {
      waiting.begin();
      return;
    }
    scene = confirmed;
    dropped = { ticket, back: dropped?.back ?? (changing ? kept : undefined) };
    stopClock();
    showOlder({ outer, notice }, GONE + droppedWords(count));
  }

  function queueNow() {
    return dropped?.back?.queue ?? model.get("_queue");
  }

  function lights() {
    // How many lights there are to show before the reply: up to the one that stopped the message.
    const all = (model.get("_answer").sheet?.panels ?? []).map((panel) => panel.lights);
    return Math.max(0, ...all.map((row) => row.indexOf("stopped here") + 1 || row.length));
  }

  function go(by) {
    stopClock();
    const at = scene.at + by;
    if (at >= 0 && at < queueNow().length) want({ at, shown: 0 });
    else leave(outer, by);
  }

  function step(by, onward = false) {
    // With `onward`, as on a clicker, it goes on to the neighboring message.
    stopClock();
    const { shown } = scene;
    if (by > 0) {
      if (shown < ALL_SHOWN) want({ shown: shown < lights() ? shown + 1 : ALL_SHOWN });
      else if (onward) go(1);
    } else if (shown > 0) want({ shown: shown === ALL_SHOWN ? lights() : shown - 1 });
    else if (onward) go(-1);
  }

  function reveal() {
    stopClock();
    want({ shown: scene.shown === ALL_SHOWN ? 0 : ALL_SHOWN });
  }

  function toggleClock() {
    if (clock) {
      stopClock();
      return;
    }
    if (scene.shown === ALL_SHOWN) want({ shown: 0 });
    clock = setInterval(() => {
      const { shown } = scene;
      if (shown === ALL_SHOWN) stopClock();
      else want({ shown: shown < lights() ? shown + 1 : ALL_SHOWN });
    }, TEMPO);
    show();
  }

  function stopClock() {
    clearInterval(clock);
    clock = null;
    show();
  }

  function resize(by) {
    const at = sizes.indexOf(scene.size) + by;
    if (sizes[at]) want({ size: sizes[at] });
  }

  function startOver() {
    stopClock();
    want({ at: 0, shown: 0, again: true });
  }

  function take(text) {
    // A change that was shouted, or a message or a card that somebody sent.
    if (/^\s*[[{]/.test(text) || A_CARD.test(text)) return bring(messageIn(text));
    const changed = shout(editor.value, text);
    if (changed === null) return NOT_UNDERSTOOD;
    replaceText(editor, changed);
    outer.focus();
    return "";
  }

  function bring(message) {
    want({ insert: JSON.stringify(message) });
    return "";
  }

  function takePaste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    const message = messageIn(text);
    if (event.target.matches("input, textarea") && !message?.startsWith("card")) return;
    event.preventDefault();
    if (message === null) notice.textContent = "What was pasted is no message, and no card.";
    else bring(message);
  }

  function buildLine(bar) {
    const input = make("input", "mrpc-stage-line");
    input.placeholder = 'id 0 · no id · id > ID · or paste a message';
    input.setAttribute("aria-label", "A change, or a message");
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") outer.focus();
      if (event.key !== "Enter" || !input.value.trim()) return;
      notice.textContent = take(input.value);
      if (notice.textContent) return;
      input.value = "";
      outer.focus();
    });
    bar.append(input);
    return input;
  }

  function show() {
    // Until Python has brought the wanted message, nothing is told about the one before.
    const queue = queueNow();
    const { at, size } = { ...scene, at: Math.min(confirmed.at, queue.length - 1) };
    const shown = scene.at === at ? scene.shown : 0;
    const shownLights = shown >= lights() ? 6 : shown;
    outer.dataset.shown = shown === ALL_SHOWN ? "all" : shown ? "lights" : "nothing";
    outer.dataset.lights = shown === 0 ? 0 : shownLights;
    title.textContent = `${at + 1} of ${queue.length}: ${queue[at][0]}`;
    buttons.verdict.label.textContent = shown === ALL_SHOWN ? "Hide" : "Reveal";
    buttons.slow.label.textContent = clock ? "Stop" : "Slow motion";
    setDisabled(buttons.back.button, scene.at === 0);
    setDisabled(buttons.next.button, scene.at === queue.length - 1);
    setDisabled(buttons.step.button, shown === ALL_SHOWN);
    setDisabled(buttons.smaller.button, size === sizes[0]);
    setDisabled(buttons.larger.button, size === sizes.at(-1));
    fit(outer, size, (px) => outer.style.setProperty("--mrpc-font-size", `${px}px`));
    tellDrawn(outer);
  }

  function comeBack() {
    // Python was started again: it gets back what this tab has kept.
    const { fresh } = model.get("_setup");
    const before = fresh && !confirmed.ticket ? memory.recall() : null;
    if (before) want({ at: before.at, shown: before.shown, size: before.size, back: before });
    else keep();
  }

  function keep() {
    const { at, shown, size } = confirmed;
    kept = { at, shown, size, queue: model.get("_queue"), texts: model.get("_edited") };
    memory.keep(kept);
  }

  listenToKeys(outer, keys);
  outer.addEventListener("paste", takePaste);
  const endFit = refit(outer, show);
  const noticed = new MutationObserver(show); // a notice takes room, too
  noticed.observe(notice, { childList: true });
  noticed.observe(outer, { attributeFilter: ["data-state"] });
  const changes = { _scene: takeScene, _answer: show, _queue: show, _edited: keep };
  for (const [name, take] of Object.entries(changes)) model.on(`change:${name}`, take);
  show();
  comeBack();
  return () => {
    clearInterval(clock);
    waiting.end();
    endFit();
    noticed.disconnect();
    for (const [name, take] of Object.entries(changes)) model.off(`change:${name}`, take);
    endBench();
  };
}
