"""Judging an answer, at four stations. Every judge sends an answer along this way:

    the answer, and the messages or values that it gets
        │
        ▼   1. run it           `runs` (a dispatcher), `sandbox.run_each` (another function)
    Did, Run                    what it did with each: value, calls, how it ended
        │
        ▼   2. compare it       `differences`, held against what the core does
    Difference                  how it differs from what is due, in words
        │
        ▼   3. what do the failures share?   `patterns`, over `clauses` that are computed
    Pattern                     one sentence or two that hold for every message they mean
        │
        ▼   4. say it
    Outcome                     `outcome`: state, sentence, case, known mistake, how many right

`answers` judges values and functions, `dispatchers` judges a `handle`. What a judge sends stands
in `hostile_messages.md`, and the methods that answer it in `hostile_methods.md`; `behaviors` says
what these do. `orders` looks for what has to do with the message before. `clerks` are dispatchers
with one planted fault each: a fault is that, and nothing else. `break_clerks` and `fuzzing` are
what learners call; `inventing` makes new messages, and shrinks them. `values` compares and shows.
"""

from __future__ import annotations

__all__: list[str] = []
