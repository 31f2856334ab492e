"""``topic-variance``: the same bytes for the same seed."""

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import record, text
from tests.words import numbers_in


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three runs of 30 documents on six topics, each a little better than the last, and judgments."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    runs = Path("runs")
    runs.mkdir()
    relevant = {str(topic): set(rng.choice(60, 9, replace=False).tolist()) for topic in range(1, 7)}
    for number in range(3):
        lines = []
        for topic, good in relevant.items():
            scores = rng.normal(0, 1, 60) + np.isin(np.arange(60), list(good)) * (1 + 0.15 * number)
            best = np.argsort(-scores)[:30]
            lines += [
                f"{topic} Q0 d{document} {rank} {scores[document]:.4f} run{number}"
                for rank, document in enumerate(best)
            ]
        (runs / f"run{number}.txt").write_text("\n".join(lines))
    judged = [f"{topic} 0 d{document} 1" for topic, good in relevant.items() for document in sorted(good)]
    Path("qrels.txt").write_text("\n".join([*judged, "1 0 other 0"]))
    return ["topic-variance", "--qrels", "qrels.txt", "--runs", "runs"]


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    options = [*files, "--model", "kde", "--trials", "60", "--json"]
    first, again, other = (
        text(capsys, *options, "--seed", seed) for seed in ("1", "1", "2")
    )  # text, so that a key in another place would count
    assert first == again
    assert first != other


def test_every_option_reaches_the_settings(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    options = ["--measure", "nDCG@7", "--denominator", "fixed", "--bandwidth", "silverman", "--alpha", ".1"]
    result = record(capsys, *files, "--model", "kde", "--trials", "5", *options)
    assert result["settings"] == {
        "model": "kde",
        "measure": "nDCG",
        "depth": 7,
        "relevance_level": 1,
        "denominator": "fixed",
        "bandwidth": "silverman",
        "n_trials": 5,
        "min_d": 0.1,
        "alpha": 0.1,
        "seed": 0,
    }


def test_equal_scores_are_answered_and_reported(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    """A run with uninformative scores: resampled in the order of its ids, as trec_eval sees it."""
    path = Path("runs/run0.txt")
    lines = [line.split() for line in path.read_text().splitlines()]
    path.write_text("\n".join(" ".join([*cells[:4], "0", cells[5]]) for cells in lines))
    result = record(capsys, *files, "--model", "kde", "--trials", "20")
    named = result["cells_with_remarks"]
    assert {run for run, _ in named["constant"]} == {"run0"}
    assert result["n_tied"]["run0"] == 180
    printed = text(capsys, *files, "--model", "kde", "--trials", "20")
    (line,) = [line for line in printed.splitlines() if "scores that do not vary" in line]
    assert len(named["constant"]) in numbers_in(line)


def test_a_topic_without_relevant_documents_scores_zero_and_is_named(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, files: list[str]
) -> None:
    qrels = Path("qrels.txt")
    lines = [line for line in qrels.read_text().splitlines() if not line.startswith("6 ")]
    qrels.write_text("\n".join([*lines, "6 0 d1 0", "77 0 d1 1"]))
    result = record(capsys, *files, "--model", "bst", "--trials", "10")
    assert result["topics_without_relevant"] == ["6"]
    assert result["cells_with_remarks"] == {"nothing_found": [[f"run{run}", "6"] for run in range(3)]}
    assert result["left_out_topics"] == ["77"]
    assert text(capsys, *files, "--model", "bst", "--trials", "10") == golden
