"""Handing in: one cell, a file under a name, and nothing else that leaves the machine."""

import pytest

from mini_rpc.classroom import group, hand_in
from mini_rpc.classroom.live.hand_in import NoName, NotHandedIn
from mini_rpc.classroom.progress import record


@pytest.fixture(autouse=True)
def _progress(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_PROGRESS", str(tmp_path / "mine" / "progress.json"))
    (tmp_path / "mine").mkdir()
    record("shape_of", "wrong", mistake="zero is no id")


def test_the_file_lies_beside_the_page_and_a_class_reads_it(tmp_path):
    shown = hand_in("Ada L.")
    assert repr(shown) == (
        "Ada L.json with 1 answer lies beside this page. Send it to your teacher."
    )
    assert 'download="Ada L.json"' in shown._repr_html_()
    assert group(tmp_path / "mine").learners["Ada L"]["shape_of"].mistakes == ("zero is no id",)


def test_where_a_class_shares_a_folder_it_goes_there_and_again_replaces_it(tmp_path, monkeypatch):
    monkeypatch.setenv("MINI_RPC_HAND_IN", str(tmp_path / "class"))
    (tmp_path / "class").mkdir()
    assert repr(hand_in("Bo")) == "Handed in: Bo.json, 1 answer. Your teacher has it."
    record("shape_of", "correct")
    hand_in("Bo")
    assert [*group(tmp_path / "class").learners] == ["Bo"]
    assert group(tmp_path / "class").state("Bo", "shape_of") == "solved"


def test_what_could_not_be_saved_is_handed_in(tmp_path, monkeypatch):
    (tmp_path / "mine" / "progress.json").chmod(0o444)
    record("shape_of", "correct")
    monkeypatch.setenv("MINI_RPC_HAND_IN", str(tmp_path))
    hand_in("Bo")
    assert group(tmp_path).state("Bo", "shape_of") == "solved"


def test_a_name_that_no_file_can_have_and_a_folder_that_is_not_there_are_one_sentence(
    tmp_path, monkeypatch
):
    for name in ("", "../x", "a/b", ".ada", "a" * 61, "progress", "<b>", "a\nb", 5):
        with pytest.raises(NoName, match="Give a name of up to 60 letters"):
            hand_in(name)
    monkeypatch.setenv("MINI_RPC_HAND_IN", str(tmp_path / "nowhere"))
    with pytest.raises(NotHandedIn, match=r"Bo\.json cannot be written \(No such file"):
        hand_in("Bo")
