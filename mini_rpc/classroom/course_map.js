// The map of the course: Python draws it, this file asks for it anew.

const INTERVAL = 5000; // milliseconds between two looks, while the map is in sight
const PATIENCE = 3000;

function render({ model, el }) {
  const button = Object.assign(document.createElement("button"), { textContent: "Refresh the map" });
  const status = document.createElement("span");
  const table = document.createElement("div");
  const map = Object.assign(document.createElement("div"), { className: "mrpc-widget mrpc-map" });
  let inSight = false;
  let late = null;

  status.setAttribute("role", "status");
  button.dataset.lmSuppressShortcuts = "true"; // its keys are not for JupyterLab's cells
  map.append(button, status, table);
  el.append(map);

  function ask() {
    model.set("_asked", Math.random().toString(36));
    model.save_changes();
  }

  function askAndWait() {
    clearTimeout(late);
    late = setTimeout(() => say("No answer from Python. Run this cell again."), PATIENCE);
    ask();
  }

  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }

  function show() {
    const answer = model.get("_answer");
    clearTimeout(late);
    say(answer.headline);
    if (table.innerHTML !== answer.table) table.innerHTML = answer.table; // Python has escaped it
  }

  const observer = new IntersectionObserver((entries) => {
    inSight = entries.at(-1).isIntersecting;
    if (inSight) ask();
  });
  const timer = setInterval(() => {
    if (inSight && document.hasFocus()) ask();
  }, INTERVAL);

  button.addEventListener("click", askAndWait);
  model.on("change:_answer", show);
  observer.observe(map);
  show();
  return () => {
    clearInterval(timer);
    clearTimeout(late);
    observer.disconnect();
    model.off("change:_answer", show);
  };
}

export default { render };
