// The map of the course: Python says what is done, this file draws it and asks for it anew.

const INTERVAL = 5000; // milliseconds between two looks, while the map is in sight

function render({ model, el }) {
  const button = make("button", "", "Refresh the map");
  const status = make("span", "mrpc-map-status");
  const goOn = make("p", "mrpc-map-next");
  const way = make("ol", "mrpc-map-way");
  const map = make("div", "mrpc-widget mrpc-map", make("div", "", button, status), goOn, way);
  const link = linkFrom(model.widget_manager);
  let inSight = false;
  let late = null;
  let drawn = "";

  status.setAttribute("role", "status");
  keepKeys(button);
  el.append(map);

  function ask() {
    model.set("_asked", { ticket: Math.random().toString(36) });
    model.save_changes();
  }

  function askAndWait() {
    clearTimeout(late);
    late = setTimeout(() => say(NO_ANSWER), PATIENCE);
    ask();
  }

  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }

  function show() {
    const { headline, next, lessons } = model.get("_answer");
    clearTimeout(late);
    say(headline);
    const now = JSON.stringify([next, lessons]);
    if (now === drawn) return; // what is pointed at stays
    drawn = now;
    goOn.replaceChildren(next.link ? link(next.link, next.text) : next.text);
    way.replaceChildren(...lessons.map((lesson) => draw(lesson, link)));
  }

  const observer = new IntersectionObserver((entries) => {
    inSight = entries.at(-1).isIntersecting;
    if (inSight) ask();
  });
  const lookAgain = () => inSight && document.visibilityState === "visible" && ask();
  const timer = setInterval(() => document.hasFocus() && lookAgain(), INTERVAL);

  button.addEventListener("click", askAndWait);
  window.addEventListener("focus", lookAgain);
  document.addEventListener("visibilitychange", lookAgain);
  model.on("change:_answer", show);
  observer.observe(map);
  show();
  return () => {
    clearInterval(timer);
    clearTimeout(late);
    observer.disconnect();
    window.removeEventListener("focus", lookAgain);
    document.removeEventListener("visibilitychange", lookAgain);
    model.off("change:_answer", show);
  };
}

function draw(lesson, link) {
  const { number, title, done, total, words } = lesson;
  const finished = done === total;
  const mark = make("span", "mrpc-map-mark", finished ? "✓" : String(number));
  const bar = make("span", "mrpc-map-bar", make("span", ""));
  bar.firstChild.style.width = `${Math.round((100 * done) / total)}%`;
  const stops = lesson.stops.map((stop) => {
    const node = link(stop.link, stop.mark);
    node.className = "mrpc-map-stop";
    node.dataset.mark = stop.mark;
    node.title = `${stop.title}: ${[stop.state, stop.details].filter(Boolean).join(", ")}`;
    node.setAttribute("aria-label", node.title);
    return node;
  });
  const name = link(lesson.link, `${number}. ${title}`);
  const text = make("span", "mrpc-map-words", words);
  const item = make("li", "", mark, name, bar, make("span", "mrpc-map-stops", ...stops), text);
  mark.setAttribute("aria-hidden", "true");
  item.dataset.done = finished ? "all" : done ? "some" : "none";
  return item;
}

function linkFrom(manager) {
  // JupyterLab opens a page in itself where a link names this command of its own; elsewhere the
  // browser follows it.
  const here = manager?.context?.path ?? "";
  const folder = here.includes("/") ? here.slice(0, here.lastIndexOf("/") + 1) : "";
  return (to, text) => {
    const [page, heading = ""] = to.split("#");
    const node = make("a", "", text);
    const id = heading && `#${heading}`;
    node.href = page + id;
    node.dataset.commandlinkerCommand = "rendermime:handle-local-link";
    node.dataset.commandlinkerArgs = JSON.stringify({ path: folder + page, id });
    node.addEventListener("click", (event) => manager?.context && event.preventDefault());
    return node;
  };
}
