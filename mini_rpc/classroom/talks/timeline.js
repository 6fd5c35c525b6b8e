// The timeline: Python draws it whole, this file shows as much of it as is asked for.

function render({ model, el }) {
  const outer = make("div", "mrpc-widget mrpc-timeline");
  const bar = make("div", "mrpc-controls");
  const picture = make("div", "mrpc-picture");
  const status = make("p", "mrpc-said");
  const list = make("ol", "mrpc-unseen");
  let shown = 0;
  let late = null;

  status.setAttribute("role", "status");
  button("From the start", () => show(0));
  button("Next message", () => show(shown + 1));
  button("All", () => show(Infinity));
  const shuffle = button("Shuffle the replies", ask);
  outer.append(bar, status, picture, list);
  el.append(outer);

  function button(text, act) {
    const made = make("button", "", text);
    made.dataset.lmSuppressShortcuts = "true"; // its keys are not for JupyterLab's cells
    made.addEventListener("click", act);
    bar.append(made);
    return made;
  }

  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }

  function ask() {
    clearTimeout(late);
    late = setTimeout(() => say(NO_ANSWER), PATIENCE);
    model.set("_asked", { ticket: Math.random().toString(36) });
    model.save_changes();
  }

  function show(count) {
    const { sentences } = model.get("_answer");
    shown = Math.max(0, Math.min(count, sentences.length));
    for (const row of picture.querySelectorAll(".mrpc-row")) {
      row.classList.toggle("mrpc-hidden", Number(row.dataset.row) >= shown);
    }
    list.replaceChildren(
      ...sentences.slice(0, shown).map((text) => make("li", "", text)),
    );
    const place = `Message ${shown} of ${sentences.length}.`;
    say(shown === sentences.length ? `All ${shown} messages.` : shown ? `${place} ${sentences[shown - 1]}` : "Nothing is sent yet.");
  }

  function draw() {
    const answer = model.get("_answer");
    clearTimeout(late);
    picture.innerHTML = answer.svg; // Python has escaped it
    shuffle.hidden = !answer.shuffles;
    show(answer.from_start ? 0 : Infinity);
    if (answer.complaint) say(answer.complaint);
  }

  // The live demo goes message by message with keys of its own. A step that was taken is prevented.
  outer.addEventListener("mrpc-step", (event) => {
    const next = Math.max(0, Math.min(shown + event.detail, model.get("_answer").sentences.length));
    if (next === shown) return;
    event.preventDefault();
    show(next);
  });
  model.on("change:_answer", draw);
  draw();
  return () => {
    clearTimeout(late);
    model.off("change:_answer", draw);
  };
}
