
// --- the stage: stage.js goes on where projector.js ends ----------------------------------------

const ALL_SHOWN = 7;
const TEMPO = 1400; // milliseconds between two lights in slow motion

function renderStage({ model, el }) {
  const endBench = render({ model, el });
  const outer = el.querySelector(".mrpc-outer");
  const notice = outer.querySelector(".mrpc-notice");
  const titles = model.get("_titles");
  const sizes = model.get("_sizes");
  const view = Math.random().toString(36).slice(2);
  let confirmed = model.get("_scene");
  let scene = confirmed; // ahead of Python's, so that quick keys all count
  let ticket = "";
  let wishes = 0;
  let clock = null;
  const waiting = waitForPython(giveUp);

  const bar = make("div", "mrpc-stage-bar");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Presenter");
  const on = () => step(1, true);
  const back = () => step(-1, true);
  const keys = {
    "=": () => resize(1),
    "Ctrl+Enter": reveal,
    " ": on,
    ...{ PageDown: on, ArrowRight: on, ArrowDown: on },
    ...{ PageUp: back, ArrowLeft: back, ArrowUp: back },
  };
  const buttons = addControls(bar, keys, {
    back: ["Back", "b", "Go back to the message before", () => go(-1)],
    next: ["Next", "n", "Go on to the next message", () => go(1)],
    step: ["Step", "s", "Show one light more", () => step(1)],
    verdict: ["Reveal", "v", "Show or hide the verdict; in the text box, Ctrl+Enter", reveal],
    slow: ["Slow motion", "m", "Show one light after the other", toggleClock],
    smaller: ["A−", "-", "Make everything smaller", () => resize(-1)],
    larger: ["A+", "+", "Make everything larger", () => resize(1)],
    full: ["Full screen", "f", "Fill the screen, or leave it", () => toggleFull(outer)],
    again: ["Start over", "r", "Go back to the first message, and hide its verdict", startOver],
  });
  const title = make("p", "mrpc-stage-title");
  title.setAttribute("role", "status");
  const question = make("p", "mrpc-stage-question", "What comes back?");
  outer.querySelector(".mrpc-right").append(question);
  outer.querySelector(".mrpc-editor").rows = 1; // it grows with its text
  outer.querySelector(".mrpc-older").textContent = "What stands below is from before.";
  const rules = outer.querySelector(".mrpc-rules");
  if (rules) {
    keys.j = () => rules.querySelector("input:not(:checked)").click();
    rules.title = "Switch the rules (key j)";
    rules.append(make("kbd", "", "j"));
  }
  const head = make("div", "mrpc-stage-head", title, rules);
  outer.querySelector(".mrpc-bar").replaceWith(bar, head); // on top, so that it never moves
  outer.classList.add("mrpc-stage");

  function want(changes) {
    ticket = `${view}-${++wishes}`;
    const { again, ...rest } = changes;
    scene = { ...scene, ...rest };
    model.set("_wanted", { ...scene, again, ticket });
    model.save_changes();
    waiting.begin();
    show();
  }

  function takeScene() {
    confirmed = model.get("_scene");
    const isOlder = confirmed.ticket.startsWith(view) && confirmed.ticket !== ticket;
    if (!isOlder) {
      scene = confirmed;
      waiting.end();
      if (notice.textContent === NO_ANSWER) {
        outer.dataset.state = "current";
        notice.textContent = "";
      }
    }
    show();
  }

  function giveUp() {
    // What the class sees stays what Python has said last, and says so.
    if (model.get("_answer").running) {
      waiting.begin();
      return;
    }
    scene = confirmed;
    stopClock();
    showOlder({ outer, notice }, NO_ANSWER);
  }

  function lights() {
    // How many lights there are to show before the reply: up to the one that stopped the message.
    const all = (model.get("_answer").sheet?.panels ?? []).map((panel) => panel.lights);
    return Math.max(0, ...all.map((row) => row.indexOf("stopped here") + 1 || row.length));
  }

  function go(by) {
    stopClock();
    const at = scene.at + by;
    if (at >= 0 && at < titles.length) want({ at, shown: 0 });
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

  function show() {
    // Until Python has brought the wanted message, nothing is told about the one before.
    const { at, size } = { ...scene, at: confirmed.at };
    const shown = scene.at === at ? scene.shown : 0;
    const shownLights = shown >= lights() ? 6 : shown;
    outer.style.setProperty("--mrpc-font-size", `${size}px`);
    outer.dataset.shown = shown === ALL_SHOWN ? "all" : shown ? "lights" : "nothing";
    outer.dataset.lights = shown === 0 ? 0 : shownLights;
    title.textContent = `${at + 1} of ${titles.length}: ${titles[at]}`;
    buttons.verdict.label.textContent = shown === ALL_SHOWN ? "Hide" : "Reveal";
    buttons.slow.label.textContent = clock ? "Stop" : "Slow motion";
    setDisabled(buttons.back.button, scene.at === 0);
    setDisabled(buttons.next.button, scene.at === titles.length - 1);
    setDisabled(buttons.step.button, shown === ALL_SHOWN);
    setDisabled(buttons.smaller.button, size === sizes[0]);
    setDisabled(buttons.larger.button, size === sizes.at(-1));
  }

  listenToKeys(outer, keys);
  model.on("change:_scene", takeScene);
  model.on("change:_answer", show);
  show();
  return () => {
    clearInterval(clock);
    waiting.end();
    model.off("change:_scene", takeScene);
    model.off("change:_answer", show);
    endBench();
  };
}
