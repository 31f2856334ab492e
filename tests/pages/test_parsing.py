"""Uploads are parsed apart: refusals in words, one after the other for a user, sizes kept by the server."""

import threading
from typing import Any

import pytest

from pages.parts import parsing
from tests.pages.app import errors, open_app, uploaders
from tests.pages.uploading import PAGE, SMALL
from topicset_core.errors import ParseError
from topicset_core.execution.confined import Bounds
from topicset_core.parsing import limits


def test_what_needs_too_much_is_refused_in_a_sentence() -> None:
    with pytest.raises(ParseError) as refused:
        parsing.parsed(["a.csv"], bytes, 1_000_000_000, bounds=Bounds(100, 10), user="u")
    assert refused.value.file == "a.csv"
    assert "more than 100 MB of memory or 10 s of processor time are needed" in refused.value.expected
    assert parsing.parsed(["a.csv"], int, "3", user="u") == 3


def test_uploads_of_a_user_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = set[str](), list[int]()
    gate = threading.Event()

    def call(name: str, **_: Any) -> None:
        inside.add(name)
        most.append(len(inside))
        gate.wait(0.2)
        inside.remove(name)

    monkeypatch.setattr(parsing._PARSERS, "call", lambda _, name, **more: call(name, **more))
    waiting = [
        threading.Thread(target=parsing.parsed, args=(["f"], int, str(one)), kwargs={"user": "u"})
        for one in range(3)
    ]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join()
    assert most == [1, 1, 1]


def test_a_file_above_the_size_of_its_uploader_is_refused_by_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Browsers keep to the size; 42 MB were read of a client that did not."""
    monkeypatch.setattr(parsing, "LARGEST_SCORES_FILE_MB", 0)
    app = open_app(PAGE)
    uploaders(app)[0].upload("large_ap.csv", SMALL["first_ap"].encode(), "text/csv")
    app.run()
    refusal = "large_ap.csv: expected a file of scores of at most 0 MB, found a larger one"
    assert [refusal in error for error in errors(app)] == [True]
    assert limits.LARGEST_SCORES_FILE_MB == 20
