"""The envelope of MCP: what a request of each era carries, and what is refused."""

import json

import pytest

from mini_rpc import RpcError, dispatch, request
from mini_rpc.classroom.eras import (
    CAPABILITIES,
    LEGACY,
    META,
    VERSION,
    check_envelope,
    check_meta,
    in_envelope,
    initialize,
)


@pytest.mark.parametrize("asked", [*LEGACY, "1999-01-01", "2026-07-28", "2999-01-01", ""])
def test_initialize_agrees_to_a_version_it_knows_and_else_offers_its_newest(asked):
    result = initialize({"protocolVersion": asked})
    assert result["protocolVersion"] == (asked if asked in LEGACY else "2025-11-25")
    assert "tools" in result["capabilities"]
    assert set(result["serverInfo"]) == {"name", "version"}


@pytest.mark.parametrize("params", [{}, *({"protocolVersion": one} for one in (None, 1, []))])
def test_initialize_refuses_a_client_that_names_no_version(params):
    with pytest.raises(RpcError, match="-32602"):
        initialize(params)


@pytest.mark.parametrize("more", [{}, {"progressToken": 1}, {"io.modelcontextprotocol/x": None}])
def test_a_modern_request_passes(more):
    assert check_meta({"name": "x", "_meta": {**META, **more}}) is None


VERSIONS = [{**META, VERSION: version} for version in ("2025-11-25", "", "2999-01-01")]
NO_META = [
    *(None, [], "2026-07-28", {}, {VERSION: "2026-07-28"}, {CAPABILITIES: {}}),
    *({**META, VERSION: 20260728}, {**META, CAPABILITIES: []}, {**META, CAPABILITIES: None}),
]


@pytest.mark.parametrize("meta", [*NO_META, *VERSIONS])
def test_what_the_revision_forbids_is_refused_before_any_method(meta):
    code = -32022 if meta in VERSIONS else -32602
    with pytest.raises(RpcError) as refused:
        check_meta({"_meta": meta})
    assert refused.value.code == code
    if code == -32022:
        data = {"supported": ["2026-07-28"], "requested": meta[VERSION]}
        assert refused.value.data == data
    ran = []
    for method in ("x", "nobody/has_this", "ping"):
        raw = json.dumps(request(1, method, {"_meta": meta}))
        verdict = dispatch(raw, in_envelope({"x": ran.append}, raw))
        assert verdict.reply["error"]["code"] == code
    assert ran == []


@pytest.mark.parametrize(
    ("raw", "step"),
    [
        (json.dumps(request(1, "nobody/has_this", {"_meta": META})), 5),
        ('{"jsonrpc": "2.0", "id": 1, "method": "x", "params": []}', 4),
        ('{"jsonrpc": "2.0", "id": 1, "method": []}', 2),
        ("[]", 2),
        ("{", 1),
    ],
)
def test_what_has_no_envelope_stops_where_the_dispatcher_says(raw, step):
    assert dispatch(raw, in_envelope({}, raw)).step == step


def test_a_method_that_the_revision_has_removed_is_unknown_and_others_are_the_servers_affair():
    for method in ("ping", "initialize"):
        with pytest.raises(RpcError, match="-32601"):
            check_envelope(method, {"_meta": META})
    for method in ("tools/list", "orders/place"):
        assert check_envelope(method, {"_meta": META}) is None
