"""What others wrote, made fit to be shown: nothing invisible, nothing endless, no code run."""

import pytest

from mini_rpc.classroom.text import (
    Plain,
    a_or_an,
    clip,
    count,
    function_name,
    near,
    shorten,
    visible,
)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (visible("dish é\n\t 😀"), "dish é\n\t 😀"),
        (
            visible("\u202e\x1b[31m\u009b\ud800\u3164"),
            "⟨U+202E⟩⟨U+001B⟩[31m⟨U+009B⟩⟨U+D800⟩⟨U+3164⟩",
        ),
        (shorten("steak", 5), "steak"),
        (shorten("lobster", 5), "lobs…"),
        (clip("steak", 5), ("steak", "")),
        (clip("x" * 1234, 1000), ("x" * 1000, "The first 1,000 of 1,234 characters are shown.")),
        (a_or_an("RpcError"), "an RpcError"),
        (a_or_an("OSError"), "an OSError"),
        (a_or_an("XMLParser"), "an XMLParser"),
        (a_or_an("Recipe"), "a Recipe"),
        (a_or_an("UUID"), "a UUID"),
        (count("x"), "1 character"),
        (count(""), "0 characters"),
        (near("ADA", ["Ada", "Bo"]), 'Is it "Ada"?'),
        (near("zzz", ["Ada", "Bo"]), "There are Ada, Bo."),
        (near("stamps", ["read_the_stamps", "Bo"]), 'Is it "read_the_stamps"?'),
        (str(Plain("One sentence.")._render_traceback_()), "['One sentence.']"),
    ],
)
def test_a_text_is_shown_like_this(shown, expected):
    assert shown == expected


def test_a_name_is_found_without_running_code_of_what_has_it():
    class Angry(type):
        def __getattribute__(cls, name):
            raise SystemExit("no")

    class Dish(metaclass=Angry):
        __name__ = property(lambda self: 1 / 0)

    assert function_name(Dish()) == "Dish"
    assert [function_name(one) for one in (len, Angry, "text".upper)] == ["len", "Angry", "upper"]
