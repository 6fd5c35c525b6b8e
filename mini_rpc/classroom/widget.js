// What the widgets share. Each joins its own file to this one; Python adds the export.

const PATIENCE = 2_000; // milliseconds until silence from Python is reported
const NO_ANSWER =
  "No answer from Python. If a cell is still running, wait for it. " +
  "Otherwise choose Run → Run All Cells.";

function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function keepKeys(node) {
  // JupyterLab's shortcuts stay away from keys that are typed here, all but the one that saves.
  node.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const name of ["keydown", "keyup", "keypress"]) {
    node.addEventListener(name, (event) => {
      event.stopPropagation();
      if (name === "keydown" && isSave(event)) save(node, event);
    });
  }
}

function isSave(event) {
  return event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey) && !event.altKey;
}

function save(node, event) {
  // JupyterLab listens above, and would not listen to a key that comes from within.
  event.preventDefault();
  const { key, code, keyCode, ctrlKey, metaKey, shiftKey } = event;
  const again = { key, code, keyCode, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true };
  node.parentElement?.closest(".jp-Notebook")?.dispatchEvent(new KeyboardEvent("keydown", again));
}

