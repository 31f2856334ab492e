"""The command that starts the app: its options, and what it says where packages are missing."""

import os
import sys
import tomllib
from typing import Any, NoReturn

import pytest

from tests.cli.running import refusal
from tests.reference_data import REPOSITORY
from topicset_core.cli import app, main


def test_missing_packages_are_named_by_the_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "find_spec", lambda name: None if name == "lunr" else name)
    reason = 'topicset: the app needs further packages: pip install "topicset[app]"'
    assert refusal(capsys, "app") == reason


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_what_is_no_port_is_named(capsys: pytest.CaptureFixture[str], port: str) -> None:
    assert refusal(capsys, "app", "--port", port).endswith("from 1 to 65535")


def test_the_packages_are_those_of_the_extra() -> None:
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    given = {one.partition(">")[0] for name in ("app", "figures", "retrieval") for one in extras[name]}
    imported = {"PyStemmer": "Stemmer"}
    assert {imported.get(one, one) for one in given} - {"topicset[figures,retrieval]"} == {*app._PACKAGES}


def test_an_interrupted_command_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "find_spec", interrupted)
    assert main(["app"]) == 130  # 128 + SIGINT, as shells have it


def test_the_server_takes_the_place_of_the_command_with_all_its_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[Any] = []

    def replace(*these: Any) -> NoReturn:
        given.extend(these)
        raise SystemExit

    monkeypatch.setattr("os.execve", replace)
    monkeypatch.setenv("PYTHONPATH", "of-the-user")
    words = ["--server.allowedHosts=example.org", "--server.port", "8600", "--share"]
    with pytest.raises(SystemExit):
        main(["app", *words])
    program, command, environment = given
    assert (program, command) == (sys.executable, [sys.executable, "-P", "-m", "server", *words])
    assert environment["PYTHONPATH"].split(os.pathsep) == [str(REPOSITORY), "of-the-user"]
