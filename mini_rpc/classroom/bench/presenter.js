
// --- the stage: presenter.js goes on where bench.js ends ----------------------------------------

const ALL_SHOWN = 7;
const TEMPO = 1400; // milliseconds between two lights in slow motion

function renderStage({ model, el }) {
  const endBench = render({ model, el });
  const outer = el.querySelector(".mrpc-outer");
  const titles = model.get("_titles");
  const sizes = model.get("_sizes");
  let scene = model.get("_scene"); // ahead of Python's, so that quick keys all count
  let ticket = "";
  let clock = null;

  const controls = {
    back: ["Back", "b", "Go back to the message before", () => go(-1)],
    next: ["Next", "n", "Go on to the next message", () => go(1)],
    step: ["Step", "s", "Show one light more", () => step(1)],
    verdict: ["Reveal", "v", "Show or hide the verdict", reveal],
    slow: ["Slow motion", "m", "Show one light after the other", toggleClock],
    smaller: ["A−", "-", "Make everything smaller", () => resize(-1)],
    larger: ["A+", "+", "Make everything larger", () => resize(1)],
    full: ["Full screen", "f", "Fill the screen, or leave it", toggleFull],
    again: ["Start over", "r", "Go back to the first message, and hide its verdict", startOver],
  };
  const keys = { PageDown: () => step(1, true), PageUp: () => step(-1, true), "=": () => resize(1) };
  const buttons = {};
  const bar = make("div", "mrpc-stage-bar");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Presenter");
  for (const [name, [text, key, help, action]] of Object.entries(controls)) {
    const label = make("span", "", text);
    const button = make("button", "mrpc-button", label, make("kbd", "", key));
    button.type = "button";
    button.title = `${help} (key ${key})`;
    button.setAttribute("aria-keyshortcuts", key);
    button.addEventListener("click", action);
    buttons[name] = { button, label };
    keys[key] = action;
    bar.append(button);
  }
  const title = make("p", "mrpc-stage-title");
  title.setAttribute("role", "status");
  const question = make("p", "mrpc-stage-question", "What comes back?");
  outer.querySelector(".mrpc-right").append(question);
  const head = make("div", "mrpc-stage-head", title, outer.querySelector(".mrpc-rules"));
  outer.querySelector(".mrpc-bar").replaceWith(bar, head); // on top, so that it never moves
  outer.classList.add("mrpc-stage");
  outer.tabIndex = -1; // a click anywhere on the stage makes its keys work

  function want(changes) {
    ticket = Math.random().toString(36).slice(2);
    const { again, ...rest } = changes;
    scene = { ...scene, ...rest };
    model.set("_wanted", { ...scene, again, ticket });
    model.save_changes();
    show();
  }

  function takeScene() {
    const theirs = model.get("_scene");
    if (theirs.ticket && theirs.ticket !== ticket) return; // an answer to an older wish
    scene = theirs;
    show();
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

  function step(by, on = false) {
    // With `on`, as on a clicker, it goes on to the neighboring message.
    stopClock();
    const { shown } = scene;
    if (by > 0) {
      if (shown < ALL_SHOWN) want({ shown: shown < lights() ? shown + 1 : ALL_SHOWN });
      else if (on) go(1);
    } else if (shown > 0) want({ shown: shown === ALL_SHOWN ? lights() : shown - 1 });
    else if (on) go(-1);
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

  function toggleFull() {
    if (document.fullscreenElement === outer) document.exitFullscreen();
    else outer.requestFullscreen?.();
  }

  function startOver() {
    stopClock();
    want({ at: 0, shown: 0, again: true });
  }

  function show() {
    const { at, shown, size } = scene;
    const shownLights = shown >= lights() ? 6 : shown;
    outer.style.setProperty("--mrpc-font-size", `${size}px`);
    outer.dataset.shown = shown === ALL_SHOWN ? "all" : shown ? "lights" : "nothing";
    outer.dataset.lights = shown === 0 ? 0 : shownLights;
    title.textContent = `${at + 1} of ${titles.length}: ${titles[at]}`;
    buttons.verdict.label.textContent = shown === ALL_SHOWN ? "Hide" : "Reveal";
    buttons.slow.label.textContent = clock ? "Stop" : "Slow motion";
    setDisabled(buttons.back.button, at === 0);
    setDisabled(buttons.next.button, at === titles.length - 1);
    setDisabled(buttons.step.button, shown === ALL_SHOWN);
    setDisabled(buttons.smaller.button, size === sizes[0]);
    setDisabled(buttons.larger.button, size === sizes.at(-1));
  }

  function takeKey(event) {
    const typing = event.target.matches("textarea, select, input");
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!Object.hasOwn(keys, key) || (typing && !key.startsWith("Page"))) return;
    event.preventDefault();
    keys[key]();
  }

  outer.addEventListener("keydown", takeKey);
  model.on("change:_scene", takeScene);
  model.on("change:_answer", show);
  show();
  return () => {
    clearInterval(clock);
    model.off("change:_scene", takeScene);
    model.off("change:_answer", show);
    endBench();
  };
}

function setDisabled(button, disabled) {
  // A button that has the focus keeps it, so that the keys go on working.
  button.setAttribute("aria-disabled", disabled);
}

export default { render: renderStage };
