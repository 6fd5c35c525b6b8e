// --- the live demo: all stops in one place, one of them shown -------------------------------------

function renderDemo({ model, el }) {
  const setup = model.get("_setup");
  const { stops, acts, sizes } = setup;
  const memory = memoryOf(setup.name);
  const frames = stops.map(() => null); // each stop is drawn when it is first shown
  const models = stops.map(() => null);
  const cleanups = [];
  let place = restored();
  let view = null;

  const outer = make("div", "mrpc-widget mrpc-demo");
  const bar = make("div", "mrpc-demo-bar");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Acts");
  const title = make("p", "mrpc-demo-title");
  title.setAttribute("role", "status");
  const screen = make("div", "mrpc-demo-screen");
  const notice = make("p", "mrpc-notice");
  notice.setAttribute("role", "alert");
  const script = make("details", "mrpc-demo-script", make("summary", "", "The script of this act: for your eyes only"));
  const keys = { "=": () => resize(1) };
  const controls = {};
  for (const number of Object.keys(acts)) {
    controls[`act-${number}`] = ["", number, `Go to act ${number}`, () => goToAct(Number(number))];
  }
  const buttons = addControls(bar, keys, {
    ...controls,
    act: ["Next act", "a", "Go on to the next act", () => goToNextAct()],
    view: ["Presenter view", "p", "Script, clock and next message in a window of their own", openView],
    smaller: ["A−", "-", "Make everything smaller", () => resize(-1)],
    larger: ["A+", "+", "Make everything larger", () => resize(1)],
    full: ["Full screen", "f", "Fill the screen, or leave it", () => toggleFull(outer)],
    new: ["New class", "", "Bring every act, vote and the clock back to the start", newClass],
  });
  outer.append(bar, notice, title, screen);
  keepKeys(outer);
  el.append(outer, script);
  listenToKeys(outer, keys, true);

  function restored() {
    const kept = setup.fresh ? memory.recall() : null;
    return kept && stops[kept.stop] ? kept : model.get("_place");
  }

  function save(changes) {
    place = { ...place, ...changes };
    memory.keep(place);
    model.set("_place", place);
    model.save_changes();
  }

  function goTo(at) {
    if (!stops[at]) return;
    save({ stop: at, began: place.began ?? Date.now() });
    show(true);
  }

  function goToAct(number) {
    goTo(stops.findIndex((stop) => stop.act === number));
  }

  function goToNextAct() {
    const { act } = stops[place.stop];
    goTo(stops.findIndex((stop, at) => at > place.stop && stop.act !== act));
  }

  function resize(by) {
    const size = sizes[sizes.indexOf(place.size) + by];
    if (size) save({ size });
    fitIt();
  }

  async function newClass() {
    // Every stop goes back to its start, also those that nobody has looked at yet.
    for (const at of stops.keys()) {
      const part = await modelOf(at);
      const kind = stops[at].kind;
      const begin = { at: 0, shown: 0, again: true, ticket: "new" };
      if (kind === "message") part.set("_wanted", { ...part.get("_scene"), ...begin });
      if (kind === "vote") part.set("_asked", { ...part.get("_answer"), ...begin });
      part?.save_changes();
      if (part?.get("_setup")) memoryOf(part.get("_setup").name).keep(null);
    }
    save({ stop: 0, began: null });
    show(true);
  }

  async function show(takeFocus = false) {
    const at = place.stop;
    const stop = stops[at];
    const frame = (frames[at] ??= await draw(at));
    if (at !== place.stop) return; // a quick key has gone on meanwhile
    frames.forEach((each) => each && (each.hidden = each !== frame));
    title.textContent = stop.act === null ? "" : `Act ${stop.act}. ${acts[stop.act][0]}`;
    for (const number of Object.keys(acts)) {
      buttons[`act-${number}`].button.setAttribute("aria-current", Number(number) === stop.act);
    }
    const lines = stop.act === null ? [] : drawMarkdown(document, acts[stop.act][1]);
    script.replaceChildren(script.firstChild, ...lines);
    fitIt();
    drawView();
    if (takeFocus) takeKeys();
  }

  function takeKeys() {
    // What has the focus gets the keys: the stop that is shown, and not the frame around it.
    const frame = frames[place.stop];
    (frame?.querySelector(".mrpc-keys") ?? frame)?.focus({ preventScroll: true });
  }

  async function draw(at) {
    const frame = make("div", "mrpc-stop");
    frame.dataset.kind = stops[at].kind;
    frame.hidden = true;
    screen.append(frame);
    const part = await modelOf(at);
    if (part) {
      const child = await model.widget_manager.create_view(part);
      frame.append(child.el);
      cleanups.push(() => child.remove());
      part.on("change", drawView);
    } else {
      frame.append(make("pre", "mrpc-stop-text", stops[at].text));
    }
    if (!["message", "vote"].includes(stops[at].kind)) {
      listenToKeys(frame, {
        ...clickerKeys(() => stepIn(frame, 1), () => stepIn(frame, -1)),
        ...{ n: () => stepIn(frame, 1), s: () => stepIn(frame, 1), Backspace: () => stepIn(frame, -1) },
        ...{ v: () => stepIn(frame, Infinity), r: () => stepIn(frame, -Infinity) },
      });
    }
    await new Promise(requestAnimationFrame); // the part's own script draws after its view is there
    return frame;
  }

  async function modelOf(at) {
    const reference = model.get("_parts")[at];
    if (!reference) return null;
    return (models[at] ??= await model.widget_manager.get_model(reference.slice("IPY_MODEL_".length)));
  }

  function stepIn(frame, by) {
    const inner = frame.querySelector(".mrpc-timeline") ?? frame;
    const taken = !inner.dispatchEvent(new CustomEvent("mrpc-step", { detail: by, cancelable: true }));
    if (!taken && Number.isFinite(by)) leave(frame, by);
    fitIt();
  }

  function fitIt() {
    const apply = (px) => outer.style.setProperty("--mrpc-demo-size", `${px}px`);
    fit(outer, place.size, apply);
  }

  // --- the presenter's window ---

  function openView() {
    view = openPresenterView(
      (opened) => {
        view = opened;
        drawView();
      },
      (event) => {
        const again = new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true });
        const frame = frames[place.stop];
        (frame.querySelector(".mrpc-keys") ?? frame).dispatchEvent(again);
        if (again.defaultPrevented) event.preventDefault();
      },
      () => {
        notice.textContent = "The browser did not open a window. Allow it for this page, or open the script below.";
      },
    );
  }

  function drawView() {
    if (!view || view.closed) return;
    const page = view.document;
    const stop = stops[place.stop];
    const [now, next, back] = messagesOf(place.stop);
    const clock = tag(page, "div");
    clock.className = "clock";
    clock.append(...clockWords(place.began, Date.now(), stops, place.stop).map((words) => tag(page, "span", words)));
    const side = tag(page, "div");
    for (const [head, text] of [["Now", now], ["What comes back", back], ["Next", next]]) {
      if (text) side.append(tag(page, "h2", head), tag(page, "pre", text));
    }
    const lines = stop.act === null ? [] : drawMarkdown(page, acts[stop.act][1]);
    const columns = tag(page, "div", tag(page, "div", ...lines), side);
    columns.className = "columns";
    page.body.replaceChildren(clock, tag(page, "h2", title.textContent || stop.title), columns);
  }

  function messagesOf(at) {
    // What is shown now, what comes next, and what comes back for what is shown now.
    const after = stops[at + 1];
    const next = after ? `${after.kind}: ${after.title}\n${after.kind === "message" ? after.text : ""}` : "the end";
    const part = models[at];
    const scene = part?.get("_scene");
    if (!scene) return [wordsOf(stops[at]), next, votesOf(part)];
    const queue = part.get("_queue").map(([name, text]) => `${name}\n${JSON.parse(text)}`);
    const panels = part.get("_answer").sheet?.panels ?? [];
    const back = panels.map((panel) => `${panel.reply || "SILENCE"}\n${panel.reason}`).join("\n\n");
    return [queue[scene.at], queue[scene.at + 1] ?? next, back];
  }

  function wordsOf({ kind, title, text }) {
    // What learners run to vote, and else what the screen shows.
    return { text, vote: `vote(${JSON.stringify(text)})` }[kind] ?? title;
  }

  function votesOf(part) {
    const answer = part?.get("_answer");
    return answer?.notes ? [`${answer.total} votes`, ...answer.notes].join("\n") : "";
  }

  const tick = setInterval(drawView, 1000);
  outer.addEventListener("focus", takeKeys);
  outer.addEventListener("mrpc-leave", (event) => goTo(place.stop + event.detail));
  outer.addEventListener("mrpc-drawn", fitIt);
  outer.addEventListener("keydown", () => place.began ?? save({ began: Date.now() }));
  cleanups.push(refit(outer, fitIt));
  show();
  return () => {
    clearInterval(tick);
    view?.close();
    cleanups.forEach((clean) => clean());
  };
}
