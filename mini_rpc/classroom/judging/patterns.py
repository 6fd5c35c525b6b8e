"""Station 3: what failures have in common, said so that it is true of every case.

Each case carries clauses, and each failing case a `Difference`. The search looks for the cheapest
clause, or for two, that hold for failing cases and for no passing one. "Whenever" means: in a
message that is otherwise in order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from .behaviors import Clause
from .differences import Difference, say, settle

__all__ = ["Pattern", "Shared", "Vocabulary", "find_pattern"]

_EXACT = (" is null", " is true", " is false", " is 0", " is 1", ' is ""', " is missing")
_CLAUSE, _WORD = 1.0, 0.12
_PLAIN = {"the message is a request": -0.5, "the message is a notification": -0.5}
_PLAINLY = {"missing": "there", "unknown": "known", "false for Python": "true for Python"}
_DENIAL = re.compile(r"\b(no|not|neither|but|unusual)\b")  # nobody understands it once it is denied
_LAME = 0.4  # "whenever -32700 is due" tells less than "whenever the text is not JSON"
_FAMILY = 0.35
_SECOND = 0.8
_LARGEST = 60


class Means(NamedTuple):
    """What one part of a clause means: one of these values stands there, or none of them does."""

    slot: str
    values: tuple[str, ...]
    denied: bool = False

    def holds(self, said: Iterable[Clause]) -> bool:
        here = [value for slot, value in said if slot == self.slot]
        return bool(here) and any(value in self.values for value in here) != self.denied


class Shared(NamedTuple):
    """A group of failing cases: the clause that holds for them and for no passing one."""

    clause: str
    cases: tuple[int, ...]
    does: str
    means: tuple[Means, ...]

    def holds(self, said: Collection[Clause]) -> bool:
        """Tell whether the clause is true of a case of which these clauses are."""
        return all(part.holds(said) for part in self.means)

    def sentence(self) -> str:
        does = f"{self.does[:1].upper()}{self.does[1:]}"
        if does.endswith(f"where {self.clause}"):
            return f"{does}."
        return f"{does}, {f'whenever {self.clause}' if self.clause else 'whatever it gets'}."


class Pattern(NamedTuple):
    """What failures have in common: groups, the largest first, and how many others there are."""

    groups: tuple[Shared, ...]
    others: int

    @property
    def is_complete(self) -> bool:
        return bool(self.groups) and not self.others

    def __str__(self) -> str:
        text = " ".join(group.sentence() for group in self.groups)
        if not text or not self.others:
            return text
        return (
            f"{text} And {self.others} other {'case fails' if self.others == 1 else 'cases fail'}."
        )


class _Said(NamedTuple):
    text: str
    mask: int
    price: float
    means: tuple[Means, ...] = ()


class _Slot(NamedTuple):
    """The clauses that differ in one place, by what stands there."""

    text: str
    values: dict[str, int]

    @property
    def mask(self) -> int:
        return _or(self.values.values())

    @property
    def can_be_denied(self) -> bool:
        return self.text.endswith(("is {}", "are {}", "with {}", "returns {}"))


class Vocabulary:
    """What can be said about a fixed set of cases, each clause with the cases that it holds for.

    Made once for a set. `neutral` are cases with several faults of their own: they may fail
    without being covered by a clause that does not mean them, and pass where one does.
    """

    def __init__(self, clauses: Sequence[Iterable[Clause]], neutral: Iterable[int] = ()) -> None:
        self.size = len(clauses)
        self.all = (1 << self.size) - 1
        self.neutral = _mask(neutral)
        slots: dict[str, dict[str, int]] = {}
        for index, said in enumerate(clauses):
            for slot, value in said:
                values = slots.setdefault(slot, {})
                values[value] = values.get(value, 0) | 1 << index
        self.slots = [_Slot(text, values) for text, values in slots.items()]
        self.singles = [*_cheapest(self._singles()).values()]

    def _singles(self) -> Iterator[_Said]:
        yield _Said("", self.all, _CLAUSE)
        for slot in self.slots:
            for value, mask in slot.values.items():
                yield _said(slot, (value,), mask)
                if slot.can_be_denied and not _DENIAL.search(value):
                    yield _said(slot, (value,), slot.mask & ~mask, denied=True)


def _said(slot: _Slot, values: Sequence[str], mask: int, *, denied: bool = False) -> _Said:
    listed = f"anything but {_listed(values)}" if denied else _listed(values)
    text = slot.text.format(listed)
    price = _CLAUSE + _WORD * len(text.split()) + _PLAIN.get(text, 0.0)
    price += _LAME if text.endswith(" is due") else 0.0
    for denied_one, plain in _PLAINLY.items():
        text = text.replace(f"anything but {denied_one}", plain)
    return _Said(text, mask, price, (Means(slot.text, tuple(values), denied),))


def _mask(indices: Iterable[int]) -> int:
    return _or(1 << index for index in indices)


def _or(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _cheapest(said: Iterable[_Said], among: int = -1) -> dict[int, _Said]:
    """Return the cheapest of those that hold for the same of these cases, by what they hold for."""
    best: dict[int, _Said] = {}
    for one in said:
        cover = one.mask & among
        if cover and (cover not in best or one.price < best[cover].price):
            best[cover] = one
    return best


class _Search:
    """One search: which clauses, alone or together, hold for failing cases only."""

    def __init__(
        self, words: Vocabulary, differences: Mapping[int, Difference], neutral: int
    ) -> None:
        self.failing = _mask(differences) & ~neutral
        self.passing = words.all & ~self.failing & ~neutral & ~_mask(differences)
        families: dict[str, int] = {}
        for index, difference in differences.items():
            families[difference.family] = families.get(difference.family, 0) | 1 << index
        self.families = list(families.values())
        self.words = words
        self.found = [*self._candidates()]

    def _candidates(self) -> Iterator[_Said]:
        """Yield for each set of failing cases the cheapest clause that holds for it alone."""
        pure = (*self._pure(self.words.singles), *self._unions(), *self._pairs())
        # "goes wrong in many ways, whatever it gets" helps nobody
        many = len(self.families) > 1
        helping = (one for one in pure if one.mask != self.words.all or not (one.text or many))
        for cover, one in _cheapest(helping, self.failing).items():
            families = sum(1 for family in self.families if family & cover)
            yield one._replace(price=one.price + _FAMILY * (families - 1))

    def _pure(self, said: Iterable[_Said]) -> list[_Said]:
        """Return the clauses that hold for a failing case and for no passing one. From a single
        example nothing is claimed, unless the clause names the value itself."""
        return [
            one
            for one in said
            if self._is_pure(one.mask) and (one.mask & one.mask - 1 or one.text.endswith(_EXACT))
        ]

    def _is_pure(self, mask: int) -> bool:
        return not mask & self.passing and bool(mask & self.failing)

    def _unions(self) -> Iterator[_Said]:
        """Yield clauses that name up to three things at one place, or all things but these."""
        for slot in self.words.slots:
            for most in (2, 3):
                yield from self._any_of(slot, most)
                if slot.can_be_denied:
                    yield from self._all_but(slot, most)

    def _any_of(self, slot: _Slot, most: int) -> list[_Said]:
        pure = {value: mask for value, mask in slot.values.items() if self._is_pure(mask)}
        values = _greedy(pure, self.failing, most)
        said = _said(slot, values, _or(pure[value] for value in values))
        return self._pure([said] if values else [])

    def _all_but(self, slot: _Slot, most: int) -> list[_Said]:
        right = {
            value: mask
            for value, mask in slot.values.items()
            if not mask & self.failing and not _DENIAL.search(value)
        }
        values = _greedy(right, slot.mask & self.passing, most)
        mask = slot.mask & ~_or(right[value] for value in values)
        return self._pure([_said(slot, values, mask, denied=True)] if values else [])

    def _pairs(self) -> Iterator[_Said]:
        failing, passing = self.failing, self.passing
        useful = [one for one in self.words.singles if one.mask & failing and one.mask & passing]
        for one, other in combinations([one for one in useful if one.text], 2):
            mask = one.mask & other.mask
            if mask & failing and not mask & passing and mask & mask - 1:
                text, price = f"{one.text} and {other.text}", one.price + other.price
                yield _Said(text, mask, price, one.means + other.means)

    def best(self) -> list[_Said]:
        """Return the cheapest one or two that hold for all failing cases, else nothing."""
        whole = [one for one in self.found if not self.failing & ~one.mask]
        choices = [(one.price, [one]) for one in whole]
        ranked = sorted(self.found, key=lambda one: -(one.mask & self.failing).bit_count())
        for first in ranked[:_LARGEST]:
            rest = self.failing & ~first.mask
            covers = [one for one in self.found if not rest & ~one.mask] if rest else []
            if covers:
                second = min(covers, key=lambda one: one.price)
                choices.append((first.price + second.price + _SECOND, [first, second]))
        return min(choices, key=lambda choice: choice[0], default=(0.0, []))[1]

    def some(self) -> list[_Said]:
        """Return three that hold for all failing cases, else the two that hold for most."""
        chosen: list[_Said] = []
        rest = self.failing

        def worth(one: _Said) -> float:
            return (one.mask & rest).bit_count() - one.price

        while rest and len(chosen) < 3:
            covering = [one for one in self.found if (one.mask & rest).bit_count() > 1]
            if not covering:
                break
            chosen.append(max(covering, key=worth))
            rest &= ~chosen[-1].mask
        return chosen if not rest else chosen[:2]


def _greedy(masks: dict[str, int], wanted: int, most: int) -> list[str]:
    """Return the values that together hold for most of what is wanted, at most so many."""
    chosen: list[str] = []
    while wanted and masks and len(chosen) < most:
        best = max(masks, key=lambda one: (masks[one] & wanted).bit_count())
        if not masks[best] & wanted:
            break
        chosen.append(best)
        wanted &= ~masks[best]
    return chosen


def _listed(values: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(values[:-1]), *values[-1:])))


def find_pattern(words: Vocabulary, differences: Mapping[int, Difference]) -> Pattern:
    """Say what the failing cases share: `differences` holds what differs, by the case's index.

    First all of them are to be covered; then those with several faults of their own need not be;
    and what is left is counted.
    """
    if not differences:
        return Pattern((), 0)
    differences = settle(differences)
    passing = _mask(range(words.size)) & ~_mask(differences)
    search = _Search(words, differences, words.neutral & passing)
    chosen = search.best()
    if not chosen and _mask(differences) & ~words.neutral:
        plain = _Search(words, differences, words.neutral)
        chosen = plain.best()
    chosen = chosen or search.some()
    groups = [_shared(one, words, differences) for one in chosen]
    groups.sort(key=lambda group: -len(group.cases))
    covered = set().union(*(group.cases for group in groups))
    others = [i for i in differences if i not in covered and not words.neutral >> i & 1]
    return Pattern(tuple(groups), len(others) if groups else len(differences))


def _shared(one: _Said, words: Vocabulary, differences: Mapping[int, Difference]) -> Shared:
    cases = tuple(index for index in sorted(differences) if one.mask >> index & 1)
    return Shared(one.text, cases, say([differences[index] for index in cases]), one.means)
