"""Commands and examples of the README give the stated output."""

import re
import shlex
from pathlib import Path

import pytest

from topicset_core.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def _block(language: str, containing: str) -> str:
    (result,) = [
        block
        for block in re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)
        if containing in block
    ]
    return str(result)


def _promised(block: str) -> list[str]:
    return [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]


def test_the_python_example_prints_the_stated_output(capsys: pytest.CaptureFixture[str]) -> None:
    block = _block("python", "topicset.size")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == _promised(block)


def test_the_command_line_example_prints_the_stated_output(capsys: pytest.CaptureFixture[str]) -> None:
    block = _block("sh", "size anova")
    (command,) = [line for line in block.splitlines() if "size anova" in line]
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out.splitlines() == _promised(block)


def test_every_linked_file_exists() -> None:
    for name in re.findall(r"`((?:[a-z_]+/)+|[a-z_]+\.py)`", README):
        assert _is_there(name), name
    for picture in re.findall(r"\]\((docs/[^)]+)\)", README):
        assert (ROOT / picture).exists(), picture


def test_every_file_named_for_contributors_exists() -> None:
    paths = re.findall(r"`((?:[\w.]+/)+(?:[\w.]+)?)`", CONTRIBUTING)
    assert len(paths) > 30
    assert [path for path in paths if not _is_there(path)] == []
    for file in re.findall(r"\]\(([^)]+)\)", CONTRIBUTING):
        assert (ROOT / file).exists(), file


def test_every_make_target_named_for_contributors_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", README + CONTRIBUTING)) <= targets


def _is_there(name: str) -> bool:
    return any((folder / name).exists() for folder in (ROOT, ROOT / "topicset_core", ROOT / "tests"))
