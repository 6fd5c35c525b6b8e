"""An exercise on a page: what its two cells hold, and the file that a new exercise begins with."""

from __future__ import annotations

import re
from string import Template

from .record import Exercise

__all__ = ["code_cell", "new_file", "prompt_cell"]


def prompt_cell(exercise: Exercise, before: str = "") -> str:
    """Return the Markdown of the cell above an exercise: a heading, and the prompt.

    The heading is the one that the cell had `before`, if it had any: it belongs to the page.
    """
    first = before.lstrip().partition("\n")[0]
    title = exercise.title[:1].lower() + exercise.title[1:]
    heading = first if first.startswith("#") else f"## Your turn: {title}"
    return f"{heading}\n\n{exercise.prompt}"


def code_cell(exercise: Exercise) -> str:
    """Return the code of an exercise's cell: the stub, and the check as its last line."""
    stub = exercise.stub.strip()
    gap = "\n\n\n" if re.search(r"^(async )?def ", stub, re.MULTILINE) else "\n\n"
    return f'{stub}{gap}check("{exercise.id}", {exercise.id})'


def new_file(id: str, *, title: str, place: int, where: str) -> str:
    """Return the text of the file of a new exercise, sound and ready to be filled in.

    It asks for a message as raw text, for which a judge is there. `where` links to a heading of the
    lesson's notebook, `place` is its number among the lesson's exercises.
    """
    return _NEW.substitute(id=id, title=title, place=place, where=where)


_NEW = Template('''\
---
title: $title
place: $place
where: $where
judge: message
praise: The kitchen answers.
---

## Prompt

Write a request as raw text: the method is `ping`, and the id is 7.

## Message

```json
{"jsonrpc": "2.0", "id": 7, "method": "ping"}
```

## Stub

```python
$id = ...  # the raw text, in quotes
```

## Hints

1. A nudge: where to look.
2. Nearly all of it: what to write, in words.

## Solution

```python
$id = '{"jsonrpc": "2.0", "id": 7, "method": "ping"}'
```

## Right

Other ways to write it. A `diff` shows only what differs from the solution.

```python
$id = """{"id": 7, "method": "ping", "jsonrpc": "2.0"}"""
```

## Wrong

### wrong: a number in quotes

> "id" is "7", and should be 7: the type counts.

```diff
-$id = '{"jsonrpc": "2.0", "id": 7, "method": "ping"}'
+$id = '{"jsonrpc": "2.0", "id": "7", "method": "ping"}'
```

### wrong: a request without an id

> $id is a notification, and a request was asked for: without an id nobody waits.

```python
$id = '{"jsonrpc": "2.0", "method": "ping"}'
```
''')
