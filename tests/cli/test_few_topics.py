"""Every command that computes from scores says so where they have very few topics."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import record, text
from topicset_core.wording import few_topics

PLAN = ("--alpha", ".05", "--beta", ".2")


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    values = np.random.default_rng(5).random((5, 6)).round(3)
    rows = [",".join([f"q{topic}", *map(str, row)]) for topic, row in enumerate(values)]
    path = tmp_path / "five_ap.csv"
    path.write_text("\n".join(["topic,a,b,c,d,e,f", *rows]) + "\n")
    return path


COMMANDS = {
    "variance": ("variance", "{}"),
    "size": ("size", "anova", "--scores", "{}", *PLAN, "--min-d", ".1", "--systems", "10"),
    "compare": ("compare", "{}", "--min-d", ".1", "--systems", "10", "--levels", ".05,.2"),
    "leaderboard": ("leaderboard", "{}"),
    "error-rate": ("error-rate", "{}", "--trials", "20"),
    "subsets": ("subsets", "{}"),
    "check": ("check", "{}", "--trials", "50"),
    "stability": ("stability", "{}", "--trials", "100"),
    "discriminative-power": ("discriminative-power", "{}", "--trials", "100"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_caution_is_printed_once(command: str, scores: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(scores) if one == "{}" else one for one in COMMANDS[command]]
    printed = text(capsys, *arguments)
    assert printed.count(few_topics(5)) == 1
    result = record(capsys, *arguments)
    if command == "variance":
        result = result["pooled"]["AP"]
    assert result["caution"] == few_topics(5)
