// Goals for the bench above: Python says which are reached.

function render({ model, el }) {
  const { ask, goals } = model.get("_setup");
  const said = make("p", "mrpc-goals-said");
  const items = goals.map((text) => make("li", "", make("span", "mrpc-goals-mark"), make("span", "", text)));
  const list = make("ul", "", ...items);
  el.append(make("div", "mrpc-widget mrpc-frame mrpc-goals", make("p", "", make("strong", "", "Provoke:"), ` ${ask}`), list, said));
  said.setAttribute("role", "status");

  function show() {
    const reached = model.get("_reached");
    items.forEach((item, at) => {
      const done = reached.includes(goals[at]);
      item.dataset.done = done;
      item.firstChild.textContent = done ? "✓" : "○";
      item.firstChild.setAttribute("aria-label", done ? "reached:" : "open:");
      item.firstChild.setAttribute("role", "img");
    });
    said.textContent = `${reached.length} of ${goals.length} reached.`;
  }

  model.on("change:_reached", show);
  show();
  return () => model.off("change:_reached", show);
}
