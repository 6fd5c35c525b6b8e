"""The error codes: each number and name as JSON-RPC 2.0 and MCP 2026-07-28 define it."""

from itertools import pairwise

import pytest

from mini_rpc.codes import CODES, RANGES, find_code, owner_of

PLAIN, NOW = "JSON-RPC 2.0", "MCP 2026-07-28"
TABLE = {
    -32700: ("Parse error", PLAIN),
    -32600: ("Invalid Request", PLAIN),
    -32601: ("Method not found", PLAIN),
    -32602: ("Invalid params", PLAIN),
    -32603: ("Internal error", PLAIN),
    -32020: ("HeaderMismatch", NOW),
    -32021: ("MissingRequiredClientCapability", NOW),
    -32022: ("UnsupportedProtocolVersion", NOW),
    -32002: ("Resource not found", "MCP up to 2025-11-25"),
    -32042: ("URLElicitationRequired", "MCP 2025-11-25 only"),
}


@pytest.mark.parametrize("number", TABLE)
def test_a_code_has_the_specifications_words(number: int) -> None:
    code = find_code(number)
    assert code is not None
    assert (code.name, code.since) == TABLE[number]
    is_old = code.since not in (PLAIN, NOW)
    assert (code.sent_by == "nobody") == is_old
    assert code.meaning.endswith("must not be sent any more.") == is_old


def test_every_code_is_listed_once() -> None:
    numbers = [code.number for code in CODES]
    assert len(numbers) == len(set(numbers)) == 10
    assert all(find_code(code.number) is code for code in CODES)


OWNERS = {
    "your application": [-32769, -31999, 0, 86],
    "JSON-RPC 2.0, the protocol itself": [-32768, -32700, -32100],
    "MCP itself, since 2026-07-28": [-32099, -32022, -32020, -32042],
    "implementations, legacy: no new codes": [-32019, -32000],
    "MCP up to 2025-11-25": [-32002],
}


@pytest.mark.parametrize("owner", OWNERS)
def test_the_owner_of_a_code_at_both_ends_of_every_range(owner: str) -> None:
    assert {owner_of(number) for number in OWNERS[owner]} == {owner}


def test_the_ranges_cover_the_reserved_numbers_without_a_gap() -> None:
    assert (RANGES[0].first, RANGES[-1].last) == (-32768, -32000)
    for span, after in pairwise(RANGES):
        assert span.last + 1 == after.first


def test_a_codes_owner_is_who_gave_it_its_meaning() -> None:
    for code in CODES:
        assert owner_of(code.number).startswith(("JSON-RPC", "MCP", "implementations"))
