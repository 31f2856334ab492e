"""The command that starts the app: its options, and what it says where packages are missing."""

import sys
import tomllib
from types import SimpleNamespace
from typing import Any

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


def test_options_of_streamlit_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def serve(*these: Any) -> int:
        given.extend(these)
        return 7

    monkeypatch.setitem(sys.modules, "serve", SimpleNamespace(serve=serve))
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as ended:
        main(["app", "--server.allowedHosts=example.org", "--server.port", "8600", "--share"])
    assert ended.value.code == 7
    options, others = given
    assert (options.port, options.share, others) == (8600, True, ["--server.allowedHosts=example.org"])
