// The timeline: Python says what is in each row; this file draws them all, and shows as many as are asked for.

const SVG = "http://www.w3.org/2000/svg";
const [LANE, TOP, ROW, NOTED, SERVER] = [30, 46, 44, 66, 640];

function shape(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function words(kind, x, y, text, more = {}) {
  return shape("text", { class: `mrpc-${kind}`, x, y, ...more }, text);
}

// On the left each ticket has a bar, from its request to its reply. Each message is one group, so
// that messages can be shown one after the other.
function drawRows(rows) {
  const lanes = lanesOf(rows);
  const most = Math.max(3, ...lanes.map((places) => Math.max(-1, ...places.values()) + 1));
  const left = 20 + LANE * most + 20;
  const right = left + SERVER;
  let y = TOP;
  const groups = rows.map((row, number) => {
    const height = row.note ? NOTED : ROW;
    const bars = drawBars(lanes[number - 1] ?? new Map(), lanes[number], y, height);
    y += height;
    return shape("g", { class: "mrpc-row", "data-row": number }, ...bars, drawArrow(row, left, right, y - height));
  });
  const size = { viewBox: `0 0 ${right + 60} ${y + 12}`, "aria-hidden": true, focusable: false };
  const lines = [...drawLife("client", left, y), ...drawLife("server", right, y)];
  return shape("svg", size, words("head", 20, 20, "in flight"), ...lines, ...groups);
}

function lanesOf(rows) {
  // For each row the tickets that wait, and the column of each.
  let columns = new Map();
  return rows.map((row) => {
    columns = new Map([...columns].filter(([ticket]) => row.waiting.includes(ticket)));
    for (const ticket of row.waiting) {
      const taken = [...columns.values()];
      let free = 0;
      while (taken.includes(free)) free += 1;
      if (!columns.has(ticket)) columns.set(ticket, free);
    }
    return columns;
  });
}

function drawBars(before, after, top, height) {
  // A bar begins and ends at the height of an arrow.
  const middle = top + 22;
  return [...new Map([...before, ...after])].flatMap(([ticket, column]) => {
    const start = before.has(ticket) ? top : middle;
    const end = after.has(ticket) ? top + height : middle;
    const x = 20 + LANE * column;
    const tone = `mrpc-bar-of mrpc-tone-${column % 4}`;
    const bar = shape("rect", { class: tone, x, y: start, width: 22, height: end - start });
    return before.has(ticket) ? [bar] : [bar, words("ticket", x + 11, start + 15, ticket.slice(0, 4))];
  });
}

function drawArrow(row, left, right, top) {
  const y = top + 22;
  const [tip, wings] = row.sign === ">" ? [right - 1, right - 10] : [left + 1, left + 10];
  return shape(
    "g",
    { class: row.wrong ? "mrpc-wrong" : `mrpc-${row.kind.replaceAll(" ", "-")}` },
    shape("line", { x1: left, y1: y, x2: right, y2: y }),
    shape("polygon", { points: `${wings},${y - 5} ${tip},${y} ${wings},${y + 5}` }),
    words("label", left + 16, y - 7, row.label),
    ...(row.note ? [words("note", left + 16, y + 20, row.note)] : []),
  );
}

function drawLife(name, x, end) {
  const line = shape("line", { class: "mrpc-life", x1: x, y1: 30, x2: x, y2: end + 6 });
  return [words("head", x, 20, name, { "text-anchor": "middle" }), line];
}

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
    picture.replaceChildren(drawRows(answer.rows));
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
