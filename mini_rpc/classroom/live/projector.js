// --- for the projector: projector.js is what the stage, the tally and the live demo share --------

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const SMALLEST = 12; // pixels; below it nobody in the room can read
const SIGNS = { Backspace: "⌫" };
const GONE = `${NO_ANSWER} What stands here comes back then. (Esc leaves the full screen.)`;

function addControls(bar, keys, controls) {
  // Each control is a button that shows its key, if it has one.
  Object.assign(keys, screenKeys(bar));
  const buttons = {};
  for (const [name, [text, key, help, action]] of Object.entries(controls)) {
    const label = make("span", "", text);
    const button = make("button", `mrpc-button mrpc-to-${name}`, label, key ? make("kbd", "", SIGNS[key] ?? key) : null);
    button.type = "button";
    button.title = key ? `${help} (key ${key})` : help;
    button.addEventListener("click", (event) => {
      action();
      // After a click the keys are the stage's again: Space must not press the button once more.
      if (event.detail && document.activeElement === button) button.closest(".mrpc-keys")?.focus();
    });
    if (key) {
      button.setAttribute("aria-keyshortcuts", key);
      keys[key] = action;
    }
    buttons[name] = { button, label };
    bar.append(button);
  }
  return buttons;
}

function clickerKeys(on, back) {
  return {
    ...{ " ": on, PageDown: on, ArrowRight: on, ArrowDown: on },
    ...{ PageUp: back, ArrowLeft: back, ArrowUp: back },
  };
}

function listenToKeys(outer, keys, early = false) {
  // With `early` it comes before the parts within, and takes its own keys away from them.
  outer.tabIndex = -1; // a click anywhere makes the keys work
  outer.classList.add("mrpc-keys");
  const take = (event) => {
    const name = nameOf(event, keys);
    if (event.altKey || !Object.hasOwn(keys, name) || isForThe(event.target, name)) return;
    event.preventDefault();
    if (early) event.stopPropagation();
    keys[name]();
  };
  outer.addEventListener("keydown", take, early);
}

function nameOf({ key, ctrlKey, metaKey }, keys) {
  // A capital counts as its letter, as Caps Lock may be on.
  const name = ctrlKey || metaKey ? `Ctrl+${key}` : key;
  return Object.hasOwn(keys, name) || key.length > 1 ? name : name.toLowerCase();
}

function isForThe(target, name) {
  // Only a text field takes letters. A switch takes arrows, and both it and a button take Space.
  if (target.matches("textarea, select, input:not([type=radio], [type=checkbox])")) {
    return !/^(Page|F5|Ctrl\+Enter)/.test(name);
  }
  if (ARROWS.includes(name)) return target.matches("input");
  return name === " " && target.matches("button, input, summary");
}

function toggleFull(outer) {
  if (document.fullscreenElement === outer) document.exitFullscreen();
  else outer.requestFullscreen?.();
}

function screenKeys(bar) {
  // What other buttons of a clicker send: F5 to begin, b or a full stop for a dark screen.
  const screen = () => bar.closest(".mrpc-keys");
  const dark = () => darken(screen());
  return { F5: () => document.fullscreenElement ?? toggleFull(screen()), b: dark, ".": dark };
}

function darken(screen) {
  // The next key or click brings everything back, and does nothing else.
  const events = ["keydown", "pointerdown"];
  const wake = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    screen.style.opacity = "";
    for (const name of events) window.removeEventListener(name, wake, true);
  };
  screen.style.opacity = 0; // it stays where the keys go
  for (const name of events) window.addEventListener(name, wake, true);
}

function leave(outer, by) {
  // There is nothing more to show here: the live demo goes on to the next stop, or back.
  outer.dispatchEvent(new CustomEvent("mrpc-leave", { bubbles: true, detail: by }));
}

function tellDrawn(outer) {
  outer.dispatchEvent(new CustomEvent("mrpc-drawn", { bubbles: true }));
}

function fit(screen, size, apply) {
  // Find the largest size, up to the wanted one, at which all is on the full screen. A stage is
  // measured with its verdict shown, so that nothing jumps when it is.
  apply(size);
  if (document.fullscreenElement !== screen) return;
  const stages = [...screen.querySelectorAll(".mrpc-stage"), screen].filter(
    (each) => each.dataset.shown && each.offsetParent !== null,
  );
  const before = stages.map((stage) => stage.dataset.shown);
  stages.forEach((stage) => (stage.dataset.shown = "all"));
  while (size > SMALLEST && overflows(screen)) apply((size -= 1));
  stages.forEach((stage, at) => (stage.dataset.shown = before[at]));
}

function overflows(screen) {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = screen;
  return scrollHeight > clientHeight || scrollWidth > clientWidth;
}

function refit(outer, draw) {
  // Draw again when the screen changes; returns what ends it.
  document.addEventListener("fullscreenchange", draw);
  window.addEventListener("resize", draw);
  return () => {
    document.removeEventListener("fullscreenchange", draw);
    window.removeEventListener("resize", draw);
  };
}

function memoryOf(name) {
  // What a browser tab keeps, so that a stage comes back when Python was started again.
  const key = `mrpc ${location.pathname} ${name}`;
  return {
    keep: (state) => {
      try {
        sessionStorage.setItem(key, JSON.stringify(state));
      } catch {
        // without it, a restart begins at the start
      }
    },
    recall: () => {
      try {
        return JSON.parse(sessionStorage.getItem(key));
      } catch {
        return null;
      }
    },
  };
}

function waitForPython(whenLate) {
  // It counts from the first wish without an answer, so that a next wish does not hide the silence.
  let timer = null;
  let wishes = 0;
  const end = () => {
    clearTimeout(timer);
    timer = null;
    wishes = 0;
  };
  const late = () => {
    const dropped = wishes;
    end();
    whenLate(dropped);
  };
  return {
    begin: () => {
      wishes += 1;
      timer ??= setTimeout(late, PATIENCE);
    },
    end,
  };
}

function droppedWords(count) {
  return count === 1 ? " The last key was dropped." : ` The last ${count} keys were dropped.`;
}

function setDisabled(button, disabled) {
  // A button that has the focus keeps it, so that the keys go on working.
  button.setAttribute("aria-disabled", disabled);
}

