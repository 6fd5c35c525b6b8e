
// --- for the projector: projector.js is what the stage and the tally share ----------------------

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

function addControls(bar, keys, controls) {
  // Each control is a button that shows its key, if it has one.
  const buttons = {};
  for (const [name, [text, key, help, action]] of Object.entries(controls)) {
    const label = make("span", "", text);
    const button = make("button", "mrpc-button", label, key ? make("kbd", "", key) : null);
    button.type = "button";
    button.title = key ? `${help} (key ${key})` : help;
    button.addEventListener("click", action);
    if (key) {
      button.setAttribute("aria-keyshortcuts", key);
      keys[key] = action;
    }
    buttons[name] = { button, label };
    bar.append(button);
  }
  return buttons;
}

function listenToKeys(outer, keys) {
  outer.tabIndex = -1; // a click anywhere makes the keys work
  outer.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const name = event.ctrlKey || event.metaKey ? `Ctrl+${key}` : key;
    if (event.altKey || !Object.hasOwn(keys, name) || isForThe(target, name)) return;
    event.preventDefault();
    keys[name]();
  });
}

function isForThe(target, name) {
  // Only a text field takes letters. A switch takes arrows, and both it and a button take Space.
  if (target.matches("textarea, select, input:not([type=radio])")) return !/^(Page|Ctrl)/.test(name);
  if (ARROWS.includes(name)) return target.matches("input");
  return name === " " && target.matches("button, input, summary");
}

function toggleFull(outer) {
  if (document.fullscreenElement === outer) document.exitFullscreen();
  else outer.requestFullscreen?.();
}

function waitForPython(whenLate) {
  // It counts from the first wish without an answer, so that a next wish does not hide the silence.
  let timer = null;
  const end = () => {
    clearTimeout(timer);
    timer = null;
  };
  const late = () => {
    end();
    whenLate();
  };
  return { begin: () => (timer ??= setTimeout(late, PATIENCE)), end };
}

function setDisabled(button, disabled) {
  // A button that has the focus keeps it, so that the keys go on working.
  button.setAttribute("aria-disabled", disabled);
}
