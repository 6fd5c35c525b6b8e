"""The error codes: each number and name as JSON-RPC 2.0 and MCP 2026-07-28 define it."""

from itertools import pairwise

import pytest

from mini_rpc import codes
from mini_rpc.codes import CODES, RANGES, find_code, owner_of


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (-32700, "Parse error"),
        (-32600, "Invalid Request"),
        (-32601, "Method not found"),
        (-32602, "Invalid params"),
        (-32603, "Internal error"),
    ],
)
def test_the_five_codes_of_json_rpc_have_the_specifications_words(number: int, name: str) -> None:
    code = find_code(number)
    assert code is not None
    assert (code.name, code.since) == (name, "JSON-RPC 2.0")


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (-32020, "HeaderMismatch"),
        (-32021, "MissingRequiredClientCapability"),
        (-32022, "UnsupportedProtocolVersion"),
    ],
)
def test_mcp_has_three_codes_of_its_own_since_2026_07_28(number: int, name: str) -> None:
    code = find_code(number)
    assert code is not None
    assert (code.name, code.since) == (name, "MCP 2026-07-28")
    assert owner_of(number) == "MCP itself, since 2026-07-28"


@pytest.mark.parametrize(
    ("code", "number", "since"),
    [
        (codes.RESOURCE_NOT_FOUND, -32002, "MCP up to 2025-11-25"),
        (codes.URL_ELICITATION_REQUIRED, -32042, "MCP 2025-11-25 only"),
    ],
)
def test_a_code_of_older_revisions_only_must_not_be_sent(
    code: codes.Code, number: int, since: str
) -> None:
    assert (code.number, code.since, code.sent_by) == (number, since, "nobody")
    assert code.meaning.endswith("must not be sent any more.")


def test_every_code_is_listed_once() -> None:
    numbers = [code.number for code in CODES]
    assert len(numbers) == len(set(numbers)) == 10
    assert all(find_code(code.number) is code for code in CODES)


@pytest.mark.parametrize(
    ("number", "owner"),
    [
        (-32769, "your application"),
        (-32768, "JSON-RPC 2.0, the protocol itself"),
        (-32700, "JSON-RPC 2.0, the protocol itself"),
        (-32100, "JSON-RPC 2.0, the protocol itself"),
        (-32099, "MCP itself, since 2026-07-28"),
        (-32020, "MCP itself, since 2026-07-28"),
        (-32019, "implementations, legacy: no new codes"),
        (-32042, "MCP itself, since 2026-07-28"),
        (-32002, "MCP up to 2025-11-25"),
        (-32000, "implementations, legacy: no new codes"),
        (-31999, "your application"),
        (0, "your application"),
        (86, "your application"),
    ],
)
def test_the_owner_of_a_code_at_both_ends_of_every_range(number: int, owner: str) -> None:
    assert owner_of(number) == owner


def test_the_ranges_cover_the_reserved_numbers_without_a_gap() -> None:
    assert (RANGES[0].first, RANGES[-1].last) == (-32768, -32000)
    for span, after in pairwise(RANGES):
        assert span.last + 1 == after.first


def test_a_codes_owner_is_who_gave_it_its_meaning() -> None:
    for code in CODES:
        assert owner_of(code.number).startswith(("JSON-RPC", "MCP", "implementations"))
