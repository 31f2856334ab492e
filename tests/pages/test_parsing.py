"""Uploads are parsed apart: refusals in words, one after the other for a user."""

import errno
import subprocess
import threading
from typing import Any

import pytest

from pages.parts import parsing
from topicset_core.errors import ParseError
from topicset_core.execution.confined import Bounds, Confinement


def test_what_needs_too_much_is_refused_in_a_sentence() -> None:
    with pytest.raises(ParseError) as refused:
        parsing.parsed(["a.csv"], bytes, 1_000_000_000, bounds=Bounds(100, 10), user="u")
    assert refused.value.file == "a.csv"
    assert "more than 100 MB of memory or 10 s of processor time are needed" in refused.value.expected
    assert parsing.parsed(["a.csv"], int, "3", user="u") == 3


def test_where_no_process_can_start_a_file_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(errno.EAGAIN, "NO PROCESS")

    monkeypatch.setattr(parsing, "_PARSERS", Confinement(()))
    monkeypatch.setattr(subprocess, "Popen", fail)
    parsing.start()
    with pytest.raises(ParseError, match=r"^a\.csv: not read.*NO PROCESS"):
        parsing.parsed(["a.csv"], int, "3", user="u", apart=parsing._PARSERS)


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
