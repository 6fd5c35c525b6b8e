// A question with options. What it is about comes from Python and is shown as text, never as markup.

const PATIENCE = 3000; // milliseconds

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function random() {
  return Math.random().toString(36).slice(2);
}

function render({ model, el }) {
  const setup = model.get("_setup");
  const name = `mrpc-${random()}`;
  let asked = null; // the ticket that still waits for its feedback
  let stale = null; // one whose option is no longer chosen
  let timer = null;

  const radios = setup.options.map((_, at) => make("input", { type: "radio", name, value: at + 1 }));
  const labels = setup.options.map((text, at) => make("label", {}, radios[at], make("span", {}, text)));
  const legend = make("legend", {}, make("strong", {}, `${setup.kind}:`), ` ${setup.ask}`);
  const fieldset = make("fieldset", {}, legend);
  if (setup.message) {
    const id = `${name}-message`;
    fieldset.append(make("pre", { id, className: "mrpc-message" }, setup.message));
    fieldset.setAttribute("aria-describedby", id);
  }
  fieldset.append(...labels);
  const button = make("button", { type: "submit" });
  const status = make("div", { className: "mrpc-question-feedback" });
  status.setAttribute("role", "status");
  const form = make("form", { className: "mrpc-widget mrpc-frame mrpc-question" }, fieldset, button, status);
  for (const control of [...radios, button]) {
    control.dataset.lmSuppressShortcuts = "true"; // or the arrow keys would move JupyterLab's cells
  }
  el.append(form);

  function say(state, ...content) {
    status.dataset.state = state;
    status.replaceChildren(...content);
  }

  function startOver() {
    clearTimeout(timer);
    stale = asked;
    fieldset.classList.remove("mrpc-question-locked");
    for (const radio of radios) radio.disabled = false;
    button.textContent = setup.once ? "Commit" : "Check";
    say("empty");
  }

  function lock() {
    fieldset.classList.add("mrpc-question-locked");
    for (const radio of radios) radio.disabled = true;
    button.textContent = "Start over";
  }

  function submit(event) {
    event.preventDefault();
    const chosen = radios.find((radio) => radio.checked);
    if (chosen?.disabled) {
      chosen.checked = false;
      startOver();
    } else if (chosen) {
      asked = random();
      model.set("_asked", { ticket: asked, number: Number(chosen.value) });
      model.save_changes();
      timer = setTimeout(() => say("trouble", "No answer from Python. Run this cell again."), PATIENCE);
    } else {
      say("trouble", "Choose one of the options first.");
    }
  }

  function show() {
    const answer = model.get("_answer");
    if (!answer.ticket || answer.ticket === stale) return;
    clearTimeout(timer);
    if (answer.broken) {
      say("trouble", answer.broken);
      return;
    }
    radios[answer.number - 1].checked = true;
    if (setup.once) lock();
    const content = [make("p", {}, make("strong", {}, answer.heading), ` ${answer.why}`)];
    if (answer.reveal.length) {
      const rows = answer.reveal.map(([label, value]) =>
        make("div", {}, make("dt", {}, label), make("dd", {}, value)),
      );
      content.push(make("dl", {}, ...rows));
    }
    say({ true: "right", false: "wrong", null: "noted" }[answer.right], ...content);
  }

  form.addEventListener("submit", submit);
  fieldset.addEventListener("change", startOver);
  model.on("change:_answer", show);
  startOver();
  show();
  return () => {
    clearTimeout(timer);
    model.off("change:_answer", show);
  };
}

export default { render };
