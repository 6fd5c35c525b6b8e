"""The bench as text and as static HTML: for GitHub, a fresh clone, a terminal, a screen reader."""

from collections.abc import Iterator
from html import escape

from ...dispatcher import STEPS
from .sheet import Panel, Sheet

__all__ = ["as_html", "as_text"]

_SILENCE = "SILENCE: nothing is sent"
_INDENT = "    "

Row = tuple[str, str | list[str]]
"""A label, and what stands beside it: a sentence, or the lines of a text shown as it is."""


def as_text(sheet: Sheet) -> str:
    """Return the sheet as plain text."""
    lines = []
    for label, value in _rows(sheet):
        if not label:
            lines += ["", f"--- {value} ---"]
        elif isinstance(value, str):
            lines.append(f"{label}: {value}")
        else:
            lines += [f"{label}:", *(f"{_INDENT}{line}".rstrip() for line in value)]
    return "\n".join(lines)


def as_html(sheet: Sheet) -> str:
    """Return the sheet as one HTML table without style, script or link."""
    rows = []
    for label, value in _rows(sheet):
        if not label:
            rows.append(f'<tr><th colspan="2" align="left">{escape(str(value))}</th></tr>')
            continue
        if isinstance(value, str):
            cell = f"<strong>{value}</strong>" if value == _SILENCE else escape(value)
        else:
            cell = f"<pre>{escape(chr(10).join(value))}</pre>"
        rows.append(
            f'<tr><th align="left" valign="top">{escape(label)}</th>'
            f'<td align="left">{cell}</td></tr>'
        )
    body = "\n".join(rows)
    return (
        "<p>The wire bench, as text. Run this cell to make it live.</p>\n"
        f"<table>\n<tbody>\n{body}\n</tbody>\n</table>"
    )


def _rows(sheet: Sheet) -> Iterator[Row]:
    if sheet.rules:
        yield "Rules", sheet.rules
    if sheet.method:
        yield "Method", sheet.method
    yield f"Judged text ({sheet.size})", sheet.judged.split("\n")
    if sheet.cut:
        yield "Note", sheet.cut
    if sheet.mistake:
        where = f"line {sheet.mistake.line}, column {sheet.mistake.column}. {sheet.mistake.hint}"
        yield "Not JSON from here on", where.rstrip()
    for panel in sheet.panels:
        yield from _panel_rows(panel)
    if sheet.difference:
        yield "", "Left and right compared"
        yield "Difference", list(sheet.difference)


def _panel_rows(panel: Panel) -> Iterator[Row]:
    if panel.side:
        yield "", f"{panel.side}: {panel.name}"
    elif not panel.shape:
        yield "Dispatcher", panel.name
    if panel.lights:
        pairs = zip(STEPS, panel.lights, strict=True)
        yield "Steps", [f"{step.number} {step.name:<13}{word}" for step, word in pairs]
    if panel.shape:
        yield "Shape", panel.shape
    if panel.kind == "reply":
        yield "Reply, as sent", [panel.reply]
    else:
        yield "Reply", _SILENCE if panel.kind == "silence" else "NO ANSWER: it failed"
    yield from _notes(panel)


def _notes(panel: Panel) -> Iterator[Row]:
    if panel.cut:
        yield "Note", panel.cut
    if panel.parts:
        yield (
            "Messages of the batch",
            [f"{p.number}. {p.shape}, {p.stopped}: {p.reply} ({p.reason})" for p in panel.parts],
        )
    if panel.more_parts:
        yield "Note", panel.more_parts
    yield "Why", f"{panel.reason} ({panel.rule})" if panel.rule else panel.reason
    if panel.line:
        yield "Where", panel.line
    if panel.log:
        yield "Private log, never sent", list(panel.log)
    if panel.printed:
        yield "Printed, never sent", panel.printed.rstrip("\n").split("\n")
