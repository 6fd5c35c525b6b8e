"""Message cards on paper: a page to print, eight cards on a sheet, with lines to cut along."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template

from ..home import write_whole
from ..kitchen import MESSAGES
from ..text import many, visible
from .cards import Card, CardError, card, read_card

__all__ = ["print_cards"]

_HERE = Path(__file__).parent
_ON_A_SHEET = 8
_SIZES = (10.5, 9, 8, 7, 6, 5)  # in points
_WIDE, _HIGH = 84, 40  # what a message has of its card, in millimeters


def print_cards(
    messages: Mapping[str, str | Card] = MESSAGES, file: str | Path = "cards.html"
) -> str:
    """Write a page with these messages to `file`; return a sentence that says what to do with it.

    A message is raw text, a card or a card's text, under the title that it has on paper. The page
    loads nothing. Raises `CardError` where there is nothing to print, or a card is not whole,
    and where the file cannot be written.
    """
    if not messages:
        raise CardError("There is no message to print.")
    cards = [_on_paper(title, message) for title, message in messages.items()]
    starts = range(0, len(cards), _ON_A_SHEET)
    sheets = "\n".join(
        f"<main>\n{''.join(cards[start : start + _ON_A_SHEET])}</main>" for start in starts
    )
    page, target = Template((_HERE / "printing.html").read_text("utf-8")), Path(file)
    style = (_HERE / "printing.css").read_text("utf-8")
    try:
        write_whole(target, page.substitute(style=style, sheets=sheets))
    except OSError as error:
        raise CardError(f"{target.name} cannot be written ({error.strerror}).") from None
    count = many(len(cards), "card")
    return f"{target.name} has {count}. Open it in a browser and print it: Ctrl and P."


def _on_paper(title: str, message: str | Card) -> str:
    if isinstance(message, str):
        message = read_card(message) if message.lstrip().startswith("card") else card(message)
    title, text = visible(title), visible(message.message)
    size = next((size for size in _SIZES if _height(text, size) <= _HIGH), None)
    if size is None:
        raise CardError(f'The message "{title}" is too long for a card of paper.')
    token = message.token
    small = f"<code>{token}</code>" if _height(token, 5) <= 12 else ""
    return (
        f'<article><h2>{escape(title)}</h2><pre style="font-size:{size}pt">{escape(text)}</pre>'
        f"<footer>{escape(message.rules.source)}<br>{small}</footer></article>\n"
    )


def _height(text: str, size: float) -> float:
    """Return about how many millimeters high a text is in a fixed-width font of this size."""
    in_a_line = int(_WIDE / (0.215 * size))
    return sum(1 + len(line) // in_a_line for line in text.split("\n")) * size * 0.45
