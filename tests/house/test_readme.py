"""What the README shows is what one gets."""

import re
import shlex
from pathlib import Path

import pytest

from topicset_core.cli import main

README = (Path(__file__).parents[2] / "README.md").read_text()


def _block(language: str, containing: str) -> str:
    (found,) = [
        block
        for block in re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)
        if containing in block
    ]
    return str(found)


def _promised(block: str) -> list[str]:
    return [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]


def test_the_python_example_prints_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    block = _block("python", "required_topics")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == _promised(block)


def test_the_command_line_example_prints_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    block = _block("sh", "size anova")
    (command,) = [line for line in block.splitlines() if "size anova" in line]
    assert main(shlex.split(command)[3:]) == 0
    assert capsys.readouterr().out.splitlines() == _promised(block)


def test_every_file_it_names_is_there() -> None:
    root = Path(__file__).parents[2]
    for name in re.findall(r"`((?:[a-z_]+/)+|[a-z_]+\.py)`", README):
        assert any((folder / name).exists() for folder in (root, root / "topicset_core", root / "tests")), (
            name
        )
    for picture in re.findall(r"\]\((docs/[^)]+)\)", README):
        assert (root / picture).exists(), picture
