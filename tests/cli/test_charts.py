"""``--chart``: a figure of the answer as a file, from every command that has figures."""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest

from tests.cli.running import refusal, text
from topicset_core.cli import options as common
from topicset_core.collection.run import trec_run
from topicset_core.samples.simulated import simulated_task
from topicset_core.samples.simulated_runs import simulated_track

SIZE = ("size", "paired-t", "--alpha", ".05", "--beta", ".2", "--min-d", ".1", "--variance", ".05")
CI = ("ci", "--alpha", ".05", "--max-width", ".1")
RUNS = ("--runs", "runs", "--qrels", "qrels.txt")

COMMANDS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "size": (SIZE, ["topics-by-difference", "by-topics", "equal-topics"]),
    "size, width": (
        ("size", *CI, "--variance", ".05"),
        ["topics-by-difference", "by-topics", "equal-topics"],
    ),
    "error-rate": (("error-rate", "a_ap.csv", "--trials", "20"), ["curves", "map"]),
    "subsets": (
        ("subsets", "a_ap.csv", "--method", "local", "--cardinality", "2-3"),
        ["curve", "ten", "hardness"],
    ),
    "subsets, held out": (
        (
            "subsets",
            "a_ap.csv",
            "--holdout",
            "runs",
            "--splits",
            "4",
            "--starts",
            "0",
            "--cardinality",
            "2-3",
        ),
        ["held-out"],
    ),
    "subsets, audit": (
        ("subsets", "a_ap.csv", "--audit", "topics.txt", "--trials", "100", "--splits", "4", "--starts", "0"),
        ["audit-place", "audit-ranks"],
    ),
    "evaluate": (("evaluate", "--qrels", "qrels.txt", "--measure", "AP", "P@5", "--run"), ["variances"]),
    "pool-depth": (
        ("pool-depth", *RUNS, "--measure", "AP", "--depths", "2,5", "--design", *CI),
        ["topics-by-judgments", "variance-by-depth", "agreement-by-depth"],
    ),
    "topic-variance": (
        ("topic-variance", *RUNS, "--model", "bst", "--measure", "P@5", "--trials", "20"),
        ["ranks", "errors", "split", "scores"],
    ),
}
"""Small questions, and the figures of their answers in order."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    matrix = simulated_task()[0]
    topics, systems = matrix.topics[:12], matrix.systems[:8]
    rows = [",".join(["topic", *systems])]
    for topic, scores in zip(topics, matrix.scores, strict=False):
        rows.append(",".join([topic, *(f"{score:.4f}" for score in scores[:8])]))
    Path("a_ap.csv").write_text("\n".join(rows))
    Path("topics.txt").write_text("\n".join(topics[:3]))
    runs, qrels = simulated_track()
    Path("runs").mkdir()
    for run in runs[:5]:
        (Path("runs") / f"{run.tag}.txt").write_bytes(trec_run(run))
    lines = [
        f"{qrels.topics[topic]} 0 {document.decode()} {grade}"
        for topic, document, grade in zip(qrels.topic_of, qrels.documents, qrels.grades, strict=True)
    ]
    Path("qrels.txt").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("folder")
def test_a_command_offers_the_figures_of_its_answer(capsys: pytest.CaptureFixture[str], command: str) -> None:
    arguments, names = COMMANDS[command]
    if command == "evaluate":
        arguments = (*arguments, *map(str, sorted(Path("runs").iterdir())))
    # A wrong name lists the figures; the first is the one that is written without a name.
    message = refusal(capsys, *arguments, "--chart", "drawn.html", "--figure", "none")
    assert message.endswith(", ".join(names))
    assert "--figure" in message


def test_the_named_figure_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    drawn = {}
    for name in COMMANDS["size"][1]:
        file = tmp_path / f"{name}.html"
        text(capsys, *SIZE, "--chart", str(file), "--figure", name)
        drawn[name] = file.read_bytes()
    text(capsys, *SIZE, "--chart", str(tmp_path / "first.html"))
    assert all(b"Plotly.newPlot" in content for content in drawn.values())
    assert len(set(map(len, drawn.values()))) == len(drawn)
    assert len((tmp_path / "first.html").read_bytes()) == len(drawn["topics-by-difference"])


def test_the_ending_is_refused_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal(capsys, "error-rate", "absent.csv", "--chart", "drawn.jpeg")
    assert all(ending in message for ending in ("drawn.jpeg", ".html", ".svg", ".png"))


def _installed(monkeypatch: pytest.MonkeyPatch, *, has: Callable[[str], bool]) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(common, "find_spec", lambda name: real("json") if has(name) else None)


@pytest.mark.parametrize(
    ("missing", "file"), [("kaleido", "a.svg"), ("kaleido", "a.png"), ("plotly", "a.html")]
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


def test_an_answer_without_figures_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    effect = ("size", "paired-t", "--alpha", ".05", "--beta", ".2", "--min-delta", ".5")
    power = ("size", "paired-t", "--alpha", ".05", "--beta", ".2", "--topics", "50", "--variance", ".05")
    for command in (effect, power):
        assert "--chart" in refusal(capsys, *command, "--chart", str(tmp_path / "a.html"))
    assert not (tmp_path / "a.html").exists()
