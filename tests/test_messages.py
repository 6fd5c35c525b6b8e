"""The four shapes: built, and told apart by the keys that are present."""

import json
from typing import Any

import pytest

from mini_rpc import (
    JSON_RPC,
    MCP,
    error_response,
    notification,
    request,
    result_response,
    shape_of,
)
from mini_rpc.messages import classify, kind_of

ERROR = {"code": 86, "message": "We are out of that dish"}


def test_a_request_has_a_method_and_an_id() -> None:
    message = request(7, "orders/place", {"table": 6})
    assert message == {"jsonrpc": "2.0", "id": 7, "method": "orders/place", "params": {"table": 6}}
    assert shape_of(message) == "request"


def test_a_notification_has_a_method_and_no_id() -> None:
    message = notification("notifications/table_leaving", {"table": 6})
    assert "id" not in message
    assert shape_of(message) == "notification"


def test_a_result_response_has_a_result() -> None:
    message = result_response("a", None)
    assert message == {"jsonrpc": "2.0", "id": "a", "result": None}
    assert shape_of(message) == "result"


def test_an_error_response_has_an_error() -> None:
    message = error_response(8, **ERROR, data={"dish": "lobster"})
    assert message["error"] == {**ERROR, "data": {"dish": "lobster"}}
    assert shape_of(message) == "error"


def test_params_that_are_not_given_are_left_out() -> None:
    assert "params" not in request(1, "ping")
    assert "params" not in notification("ping")
    assert request(1, "ping", {})["params"] == {}


def test_data_that_is_not_given_is_left_out() -> None:
    assert error_response(1, **ERROR)["error"] == ERROR
    assert error_response(1, **ERROR, data=False)["error"]["data"] is False


@pytest.mark.parametrize("code", [True, "86", 86.0, None])
def test_an_error_code_that_is_no_integer_is_refused(code: Any) -> None:
    with pytest.raises(TypeError, match="integer code"):
        error_response(1, code, "text")


@pytest.mark.parametrize("message", [None, 7, b"text", ["text"]])
def test_an_error_message_that_is_no_text_is_refused(message: Any) -> None:
    with pytest.raises(TypeError, match="message of text"):
        error_response(1, 86, message)


SHAPES = [
    ('{"jsonrpc": "2.0", "id": 0, "method": ""}', "request"),
    ('{"jsonrpc": "2.0", "id": "", "method": "ping", "params": null}', "request"),
    ('{"jsonrpc": "2.0", "id": 7, "method": "ping", "result": 1, "error": 2}', "request"),
    ('{"jsonrpc": "2.0", "method": "ping", "result": {}}', "notification"),
    ('{"jsonrpc": "2.0", "method": "ping", "dish": "steak"}', "notification"),
    ('{"jsonrpc": "2.0", "id": 7, "result": null}', "result"),
    ('{"jsonrpc": "2.0", "id": 7, "result": {}, "dish": "steak"}', "result"),
    ('{"jsonrpc": "2.0", "id": 8, "error": {"code": 1, "message": ""}}', "error"),
    ('{"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": ""}}', "error"),
    ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', "invalid"),
    ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 1.0, "method": "ping"}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 1, "method": null}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 1, "method": ["ping"]}', "invalid"),
    ('{"jsonrpc": 2.0, "id": 1, "method": "ping"}', "invalid"),
    ('{"jsonrpc": "1.0", "method": "ping"}', "invalid"),
    ('{"id": 1, "method": "ping"}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 1}', "invalid"),
    ('{"jsonrpc": "2.0", "result": {}}', "invalid"),
    ('{"jsonrpc": "2.0", "id": null, "result": {}}', "invalid"),
    ('{"jsonrpc": "2.0", "error": {"code": 1, "message": ""}}', "invalid"),
    ('{"jsonrpc": "2.0", "id": true, "error": {"code": 1, "message": ""}}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 7, "result": 1, "error": {"code": 1, "message": ""}}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 7, "error": null}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 7, "error": {"code": true, "message": ""}}', "invalid"),
    ('{"jsonrpc": "2.0", "id": 7, "error": {"code": 1}}', "invalid"),
    ("[]", "invalid"),
    ('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', "invalid"),
    ("7", "invalid"),
    ("null", "invalid"),
    ('"ping"', "invalid"),
]


@pytest.mark.parametrize(("raw", "shape"), SHAPES)
def test_the_keys_that_are_present_decide_the_shape(raw: str, shape: str) -> None:
    found, fault = classify(json.loads(raw))
    assert found == shape_of(json.loads(raw)) == shape
    assert bool(fault) == (shape == "invalid"), "only an invalid one comes with words"


@pytest.mark.parametrize("id", [None, 1.5])
def test_under_plain_json_rpc_null_and_fractions_are_ids(id: Any) -> None:
    message = {"jsonrpc": "2.0", "id": id, "method": "ping"}
    assert (shape_of(message, JSON_RPC), shape_of(message, MCP)) == ("request", "invalid")


def test_no_missing_key_is_mistaken_for_null() -> None:
    assert shape_of({"jsonrpc": "2.0", "result": {}}, JSON_RPC) == "invalid"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("null", "null"),
        ("true", "a boolean"),
        ("0", "an integer"),
        ("1.0", "a fraction"),
        ('""', "a string"),
        ("[]", "an array"),
        ("{}", "an object"),
    ],
)
def test_kind_of_speaks_of_types_as_json_does(raw: str, kind: str) -> None:
    assert kind_of(json.loads(raw)) == kind
