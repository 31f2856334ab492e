"""``--chart``: a figure of the answer as a file."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest

from tests.cli.running import refusal, text
from topicset_core.cli import options as common

SIZE = ("size", "paired-t", "--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--variance", ".05")
FIGURES = ("topics-by-difference", "by-topics", "equal-topics")
"""Of this command; the golden record has those of every command."""


def test_the_named_figure_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    drawn = {}
    for name in FIGURES:
        file = tmp_path / f"{name}.html"
        text(capsys, *SIZE, "--chart", str(file), "--figure", name)
        drawn[name] = file.read_bytes()
    text(capsys, *SIZE, "--chart", str(tmp_path / "first.html"))
    assert len(set(drawn.values())) == len(drawn)
    assert (tmp_path / "first.html").read_bytes() == drawn["topics-by-difference"]
    for content in drawn.values():
        assert content.count(b"</figure>") == content.count(b'role="img"') == 1
        assert b"<script" not in content


def _installed(monkeypatch: pytest.MonkeyPatch, *, has: Callable[[str], bool]) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(common, "find_spec", lambda name: real("json") if has(name) else None)


@pytest.mark.parametrize(
    ("missing", "file"), [("kaleido", "a.svg"), ("kaleido", "a.png"), ("jinja2", "a.html")]
)
def test_missing_packages_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, missing: str, file: str
) -> None:
    _installed(monkeypatch, has=lambda name: name != missing)
    assert missing in refusal(capsys, *SIZE, "--chart", file)
    assert not Path(file).exists()


def test_images_are_drawn_where_kaleido_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _installed(monkeypatch, has=lambda _: True)
    arguments: list[dict[str, Any]] = []

    def draw(_: go.Figure, **how: Any) -> bytes:
        arguments.append(how)
        return b"drawn"

    monkeypatch.setattr(go.Figure, "to_image", draw)
    for kind in ("svg", "png"):
        text(capsys, *SIZE, "--chart", str(tmp_path / f"a.{kind}"))
        assert (tmp_path / f"a.{kind}").read_bytes() == b"drawn"
    assert [how["format"] for how in arguments] == ["svg", "png"]


def test_a_missing_browser_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise RuntimeError("\nKaleido requires Google Chrome to be installed.\n\nEither download it")

    _installed(monkeypatch, has=lambda _: True)
    monkeypatch.setattr(go.Figure, "to_image", refuse)
    assert ".html" in refusal(capsys, *SIZE, "--chart", str(tmp_path / "a.svg"))
    assert not (tmp_path / "a.svg").exists()
