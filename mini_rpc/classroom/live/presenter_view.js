// --- the presenter's own window: script, clock, what comes next, and what comes back ------------

const STYLE_OF_VIEW = `
  :root { color-scheme: light dark; font: 17px/1.4 system-ui, sans-serif; }
  body { margin: 0; padding: 0.8em 1.2em; background: Canvas; color: CanvasText; }
  .clock { display: flex; flex-wrap: wrap; gap: 0 1.5em; font-size: 1.6em; font-weight: 600; }
  .columns { display: grid; grid-template-columns: 3fr 2fr; gap: 1.5em; }
  table { border-collapse: collapse; } th, td { padding: 0.2em 0.6em; text-align: left; }
  th, td { border-bottom: 1px solid GrayText; vertical-align: top; }
  pre { margin: 0.2em 0 0.8em; padding: 0.4em; border: 1px solid GrayText; white-space: pre-wrap; }
  pre, code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
  h2 { margin: 0.6em 0 0.2em; font-size: 1em; }`;

function openPresenterView(draw, onKey, whenBlocked) {
  // It is this page's own window: nothing is loaded, and it closes with the page.
  const view = window.open("", "mini_rpc_presenter", "popup,width=1000,height=720");
  if (!view) {
    whenBlocked();
    return null;
  }
  const { document: page } = view;
  page.title = "Presenter view: for your eyes only";
  page.head.replaceChildren(tag(page, "style", STYLE_OF_VIEW));
  page.body.replaceChildren();
  view.onkeydown = onKey;
  view.onbeforeunload = null;
  window.addEventListener("pagehide", () => view.close());
  draw(view);
  view.focus();
  return view;
}

function tag(page, name, ...children) {
  const node = page.createElement(name);
  node.append(...children);
  return node;
}

function drawMarkdown(page, source) {
  // As much of Markdown as a script needs: paragraphs, tables, bold words and code.
  return source.split(/\n\s*\n/).map((block) => {
    const lines = block.trim().split("\n");
    if (!lines[0].startsWith("|")) return tag(page, "p", ...inline(page, lines.join(" ")));
    const rows = lines.filter((line) => !/^[|\s:-]+$/.test(line));
    const cells = rows.map((line) => line.trim().replace(/^\||\|$/g, "").split("|"));
    const kind = (row) => (row === 0 ? "th" : "td");
    return tag(
      page,
      "table",
      ...cells.map((texts, row) =>
        tag(page, "tr", ...texts.map((text) => tag(page, kind(row), ...inline(page, text.trim())))),
      ),
    );
  });
}

function inline(page, text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((piece) => {
    if (piece.startsWith("**")) return tag(page, "strong", piece.slice(2, -2));
    return /^`.+`$/.test(piece) ? tag(page, "code", piece.slice(1, -1)) : piece;
  });
}

function clockWords(began, now, stops, at) {
  // How long it has taken, and whether that is more or less than planned for getting here.
  const total = stops.reduce((sum, stop) => sum + stop.minutes, 0);
  if (!began) return ["The clock starts with your first key.", `${Math.round(total)} minutes in all`];
  const passed = (now - began) / 60_000;
  const start = stops.slice(0, at).reduce((sum, stop) => sum + stop.minutes, 0);
  const end = start + stops[at].minutes;
  const words = [`${asTime(passed)} of ${Math.round(total)} min`];
  if (passed > end + 0.5) words.push(`${Math.round(passed - end)} min behind`);
  else if (passed < start - 0.5) words.push(`${Math.round(start - passed)} min ahead`);
  else words.push("on time");
  return words;
}

function asTime(minutes) {
  const seconds = Math.floor(minutes * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

