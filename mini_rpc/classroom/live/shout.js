// --- a class shouts a change: shout.js carries it out in the text of a message --------------------

function shout(text, words) {
  // "no id", "id 0", "id \"7\"", "lowercase Id", "id > ID": returns the new text, or null.
  const said = words.trim().replace(/[!?\s]+$/, "").replace(/ the /i, " ");
  const [first, ...rest] = said.split(/\s+/);
  const more = said.slice(first.length).trim();
  if (/^(no|without|remove|drop|delete)$/i.test(first)) return removeMember(text, more);
  if (/^(lower|upper)case$/i.test(first)) {
    const change = /^lower/i.test(first) ? "toLowerCase" : "toUpperCase";
    return renameMember(text, more, more[change]());
  }
  if (rest[0] === ">") return renameMember(text, first, rest.slice(1).join(" "));
  return more ? setMember(text, first, more.replace(/^([=:]|is )\s*/, "")) : null;
}

function memberNamed(text, name) {
  // Where the outermost member of this name stands, whatever its case.
  const list = withNames(tokens(text), text).filter((token) => token.kind !== "space");
  const bare = (token) => text.slice(token.start, token.end).replaceAll('"', "");
  let depth = 0;
  for (const [at, token] of list.entries()) {
    const piece = text.slice(token.start, token.end);
    if (token.kind === "mark") depth += balance(piece);
    if (token.kind !== "name" || depth !== 1) continue;
    if (bare(token).toLowerCase() === name.replaceAll('"', "").toLowerCase()) {
      const value = list[at + 2];
      return value ? { name: token, value: [value.start, endOfValue(text, value.start)] } : null;
    }
  }
  return null;
}

function balance(marks) {
  return [...marks].reduce((sum, mark) => sum + ("{[".includes(mark) ? 1 : "}]".includes(mark) ? -1 : 0), 0);
}

function endOfValue(text, start) {
  let depth = 0;
  for (const token of tokens(text.slice(start))) {
    const piece = text.slice(start + token.start, start + token.end);
    if (token.kind !== "mark") continue;
    for (const [at, mark] of [...piece].entries()) {
      if (depth === 0 && ",}]".includes(mark)) return start + token.start + at;
      depth += balance(mark);
    }
  }
  return text.length;
}

function setMember(text, name, said) {
  const value = isJSON(said) ? said : JSON.stringify(said);
  const found = memberNamed(text, name);
  if (found) return text.slice(0, found.value[0]) + value + text.slice(found.value[1]);
  const end = text.lastIndexOf("}");
  if (end < 0) return null;
  const comma = /[{,]\s*$/.test(text.slice(0, end)) ? "" : ", ";
  return `${text.slice(0, end)}${comma}${JSON.stringify(name)}: ${value}${text.slice(end)}`;
}

function renameMember(text, name, other) {
  const found = memberNamed(text, name);
  if (!found || !other) return null;
  return text.slice(0, found.name.start) + JSON.stringify(other) + text.slice(found.name.end);
}

function removeMember(text, name) {
  const found = memberNamed(text, name);
  if (!found) return null;
  const before = text.slice(0, found.name.start);
  const after = text.slice(found.value[1]);
  if (/^\s*,/.test(after)) return before + after.replace(/^\s*,\s*/, "");
  return before.replace(/,\s*$/, "") + after;
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

