// Help under a verdict. What Python sends as `lines` is HTML that Python escaped; sources are text.

const SHOWN_FOR = 1_500; // milliseconds that "Copied" stays

function copy(text, button) {
  const said = button.textContent;
  const done = () => {
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = said), SHOWN_FOR);
  };
  const byHand = () => {
    const box = Object.assign(document.createElement("textarea"), { value: text });
    button.after(box);
    box.select();
    if (document.execCommand("copy")) done();
    box.remove();
    button.focus();
  };
  if (!navigator.clipboard) return byHand();
  return navigator.clipboard.writeText(text).then(done, byHand);
}

function showSource(text) {
  const code = make("code", "", text);
  const button = make("button", "mrpc-copy", "Copy");
  button.type = "button";
  button.addEventListener("click", () => copy(text, button));
  return make("div", "mrpc-source", make("pre", "", code), button);
}

function showPiece(piece) {
  const lines = piece.lines.map((html) => {
    const line = make("p", "");
    line.innerHTML = html;
    return line;
  });
  return make("div", "mrpc-piece", ...lines, ...piece.sources.map(showSource));
}

function renderButtons({ model, el }) {
  const row = make("div", "mrpc-help-row");
  const said = make("div", "mrpc-pieces");
  const bench = make("div", "mrpc-help-bench");
  const trouble = make("p", "mrpc-help-trouble");
  said.setAttribute("role", "status");
  trouble.setAttribute("role", "status");
  const root = make("div", "mrpc-widget mrpc-help", row, trouble, said, bench);
  keepKeys(row);
  el.append(root);
  let ticket = null;
  let pressed = null;
  let timer = null;

  function press(name, clicks) {
    if (clicks > 1 || (ticket && name === pressed)) return; // a double click asks once
    clearTimeout(timer);
    pressed = name;
    ticket = Math.random().toString(36).slice(2);
    trouble.textContent = "";
    model.set("_asked", { ticket, name });
    model.save_changes();
    timer = setTimeout(() => {
      ticket = null;
      trouble.textContent = NO_ANSWER;
    }, PATIENCE);
  }

  function drawButtons() {
    const had = row.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    row.replaceChildren(
      ...model.get("_buttons").map(({ name, label }) => {
        const button = make("button", "", label);
        button.type = "button";
        button.dataset.name = name;
        button.addEventListener("click", ({ detail }) => press(name, detail));
        return button;
      }),
    );
    if (had === null) return;
    const next = [...row.children].find((one) => one.dataset.name === had) ?? row.firstChild;
    next?.focus(); // or the focus would be lost with the button that had it
  }

  function drawPieces() {
    said.replaceChildren(...model.get("_pieces").map(showPiece));
  }

  async function drawBench() {
    const id = model.get("_bench_model");
    if (!id || bench.childElementCount) return;
    const manager = model.widget_manager;
    const view = await manager.create_view(await manager.get_model(id));
    bench.replaceChildren(view.el);
  }

  function answered() {
    const answer = model.get("_answer");
    if (answer.ticket !== ticket) return;
    clearTimeout(timer);
    ticket = null;
    trouble.textContent = answer.trouble;
  }

  const heard = { _buttons: drawButtons, _pieces: drawPieces, _bench_model: drawBench, _answer: answered };
  for (const [name, draw] of Object.entries(heard)) {
    model.on(`change:${name}`, draw);
    draw();
  }
  return () => {
    clearTimeout(timer);
    for (const [name, draw] of Object.entries(heard)) model.off(`change:${name}`, draw);
  };
}
