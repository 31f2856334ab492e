"""Examples in docstrings show what comes of them."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import topicset_core

_ROOT = Path(topicset_core.__file__).parent
_SHOWING = [path for path in sorted(_ROOT.rglob("*.py")) if ">>>" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", _SHOWING, ids=lambda path: path.stem)
def test_examples_of_a_module(path: Path) -> None:
    name = ".".join(("topicset_core", *path.relative_to(_ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    results = doctest.testmod(import_module(name), raise_on_error=False)
    assert results.attempted > 0
    assert results.failed == 0


def test_every_design_shows_itself() -> None:
    named = {path.stem for path in _SHOWING}
    methods = {one.requirements.__module__.rpartition(".")[2] for one in topicset_core.designs.ALL_DESIGNS}
    assert methods <= named
