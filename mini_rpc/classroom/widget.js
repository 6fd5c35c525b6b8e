// What the widgets share. Each joins its own file to this one; Python adds the export.

const PATIENCE = 2_000; // milliseconds until silence from Python is reported
const NO_ANSWER =
  "No answer from Python. If a cell is still running, wait for it, or stop it in the Kernel menu. " +
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


// --- a page that was saved, or whose kernel is gone ----------------------------------------------

const ASLEEP = "asleep: choose Run → Run All Cells";
const VIEW = "application/vnd.jupyter.widget-view+json";

function live(render) {
  // What anywidget calls: the widget under a line that is seen while no kernel stands behind it.
  return {
    initialize({ model }) {
      saveWhatThePageShows(model.widget_manager);
      drawWhatCameEarly(model.widget_manager);
    },
    render({ model, el, ...rest }) {
      el.append(make("p", "mrpc-widget mrpc-asleep", ASLEEP));
      comeBack(el);
      const stop = sleepWithTheKernel(model.widget_manager, el);
      const end = render({ model, el, ...rest });
      return () => {
        stop();
        end?.();
      };
    },
  };
}

function sleepWithTheKernel(manager, el) {
  // A new kernel knows nothing of this widget, and nobody is behind it where a kernel has died.
  const session = manager?.context?.sessionContext;
  const sleep = () => el.classList.add("mrpc-sleeps");
  const see = (_, status) => ["restarting", "autorestarting", "dead"].includes(status) && sleep();
  session?.kernelChanged.connect(sleep);
  session?.statusChanged.connect(see);
  return () => {
    session?.kernelChanged.disconnect(sleep);
    session?.statusChanged.disconnect(see);
  };
}

function saveWhatThePageShows(manager) {
  // JupyterLab saves each widget that has a kernel, whether the page still shows it or not, and no
  // other one: a page that sleeps would lose its live parts as soon as it is saved again.
  if (!manager?._modelsSync || !manager.context || manager.mrpcSaves) return;
  manager.mrpcSaves = true;
  const save = manager.get_state_sync;
  manager.get_state_sync = function (options) {
    const shown = shownModels(manager);
    const changed = [...manager._modelsSync.values()].filter(
      (model) => shown.has(model) !== model.comm_live && (shown.has(model) || isOurs(model)),
    );
    const before = changed.map((model) => model._comm_live);
    for (const model of changed) model._comm_live = !model._comm_live;
    try {
      return save.call(manager, options);
    } finally {
      changed.forEach((model, at) => (model._comm_live = before[at]));
    }
  };
}

function drawWhatCameEarly(manager, times = 20) {
  // When a saved page is opened, JupyterLab may draw an output before it has read the widget for
  // it, and leaves "model not found" there for good.
  if (!manager?._modelsSync || !manager.context || (times === 20 && manager.mrpcDraws)) return;
  manager.mrpcDraws = times > 1;
  const lost = [...document.querySelectorAll(".jp-OutputArea-output.jupyter-widgets")].some((node) =>
    node.textContent.endsWith("model not found"),
  );
  if (lost) drawAgain(manager);
  if (times > 1) setTimeout(() => drawWhatCameEarly(manager, times - 1), 500);
}

function drawAgain(manager) {
  const { cells } = manager.context.model;
  for (let at = 0; at < (cells?.length ?? 0); at++) {
    const { outputs } = cells.get(at);
    for (let index = 0; index < (outputs?.length ?? 0); index++) {
      const output = outputs.get(index).toJSON();
      const model = manager._modelsSync.get(output.data?.[VIEW]?.model_id);
      if (model && !Object.keys(model.views ?? {}).length) outputs.set(index, output);
    }
  }
}

function isOurs(model) {
  return String(model.get("_anywidget_id") ?? "").startsWith("mini_rpc");
}

function shownModels(manager) {
  const shown = new Set();
  for (const cell of manager.context.model.toJSON().cells ?? []) {
    for (const output of cell.outputs ?? []) add(manager._modelsSync.get(output.data?.[VIEW]?.model_id));
  }
  return shown;

  function add(model) {
    if (!model || shown.has(model)) return;
    shown.add(model);
    add(model.get("layout"));
    for (const child of model.get("children") ?? []) add(child);
  }
}

// --- Run All: back to where the reader was --------------------------------------------------------

const TRUST = 1500; // milliseconds in which JupyterLab may go on scrolling to its last cell

function places() {
  // One memory for all widgets of the page: where its reader was before the last key or click.
  if (!window.mrpcPlaces) {
    window.mrpcPlaces = { before: new WeakMap(), returned: new WeakSet() };
    for (const name of ["pointerdown", "keydown"]) {
      document.addEventListener(name, rememberPlaces, { capture: true, passive: true });
    }
  }
  return window.mrpcPlaces;
}

function rememberPlaces() {
  for (const notebook of document.querySelectorAll(".jp-Notebook")) {
    const scroller = scrollerOf(notebook);
    const cell = notebook.querySelector(".jp-Cell.jp-mod-active");
    window.mrpcPlaces.before.set(notebook, { top: scroller.scrollTop, cell });
    window.mrpcPlaces.returned.delete(notebook);
  }
}

function scrollerOf(notebook) {
  return notebook.querySelector(".jp-WindowedPanel-outer") ?? notebook;
}

function comeBack(el, patience = 40) {
  // Run All leaves the reader at the last cell. The first live part that comes then leads back.
  const notebook = el.closest(".jp-Notebook");
  if (!notebook) {
    if (patience) setTimeout(() => comeBack(el, patience - 1), 50);
    return;
  }
  const { before, returned } = places();
  const cells = [...notebook.querySelectorAll(".jp-Cell")];
  const last = cells.at(-1);
  if (returned.has(notebook) || !last?.classList.contains("jp-mod-active")) return;
  const place = before.get(notebook) ?? { top: 0, cell: cells[0] };
  if (last.contains(el) || place.cell === last) return;
  returned.add(notebook);
  goTo(notebook, place);
}

function goTo(notebook, { top, cell }) {
  const scroller = scrollerOf(notebook);
  const hold = () => (scroller.scrollTop = top);
  const events = ["wheel", "pointerdown", "keydown"];
  const end = () => {
    clearInterval(timer);
    for (const name of events) document.removeEventListener(name, end, true);
  };
  const timer = setInterval(hold, 50);
  setTimeout(end, TRUST);
  for (const name of events) document.addEventListener(name, end, true);
  if (cell?.isConnected) choose(cell);
  hold();
}

function choose(cell) {
  // As a click on its left edge: the reader goes on from here with Shift+Enter.
  const target = cell.querySelector(".jp-Collapser") ? cell.querySelector(".jp-InputPrompt") : cell;
  for (const name of ["mousedown", "mouseup"]) {
    (target ?? cell).dispatchEvent(new MouseEvent(name, { bubbles: true, button: 0 }));
  }
}
