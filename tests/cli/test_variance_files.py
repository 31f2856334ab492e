"""``variance`` over every shape of file, and what becomes of missing scores."""

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import record, refusal, text

# Three runs as trec_eval -q prints them; the third lacks topic 303.
AP = {"A": (0.1, 0.2, 0.6), "B": (0.3, 0.5, 0.4), "C": (0.2, 0.9)}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def outputs() -> list[str]:
    files = []
    for run, scores in AP.items():
        rows = [f"map\t{topic}\t{score}" for topic, score in zip((301, 302, 303), scores, strict=False)]
        rows += [f"num_ret\t301\t{100}", f"runid\tall\t{run}", f"map\tall\t{np.mean(scores):.4f}"]
        path = Path(f"output.{run}.txt")
        path.write_text("\n".join(rows))
        files.append(str(path))
    return files


@pytest.mark.parametrize(
    ("missing", "n_topics", "n_systems", "one_way"),
    [
        ("drop-topics", 2, 3, np.mean([np.var(scores[:2], ddof=1) for scores in AP.values()])),
        ("drop-runs", 3, 2, np.mean([np.var(AP[run], ddof=1) for run in "AB"])),
        ("zero", 3, 3, np.mean([np.var([*scores, 0.0][:3], ddof=1) for scores in AP.values()])),
    ],
    ids=["drop-topics", "drop-runs", "zero"],
)
def test_trec_eval_outputs_join_into_one_matrix(
    capsys: pytest.CaptureFixture[str],
    golden: SnapshotAssertion,
    missing: str,
    n_topics: int,
    n_systems: int,
    one_way: float,
) -> None:
    files = outputs()
    result = record(capsys, "variance", *files, "--missing", missing)
    (row,) = result["matrices"]
    assert row["file"] == ", ".join(files)
    assert (row["measure"], row["n_topics"], row["n_systems"]) == ("AP", n_topics, n_systems)
    assert row["one_way"] == pytest.approx(one_way)
    assert result["recognised"] == golden


def test_missing_scores_are_refused_with_their_list(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion
) -> None:
    assert refusal(capsys, "variance", *outputs()) == golden


def test_one_measure_of_several_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("run.csv")
    path.write_text("topic,AP,nDCG@10,question\n1,0.1,0.5,why?\n2,0.3,0.6,how?\n")
    (row,) = record(capsys, "variance", str(path), "--measure", "ndcg_cut_10")["matrices"]
    assert row["measure"] == "nDCG@10"
    rows = record(capsys, "variance", str(path), "--columns", "AP", "nDCG@10")["matrices"]
    assert [row["measure"] for row in rows] == ["AP", "nDCG@10"]


def test_orientation_and_repeats_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("odd.csv")
    path.write_text("x,1,2,3\nA,0.1,0.2,0.4\nA,0.3,0.2,0.6\nB,0.5,0.5,0.6\n")
    chosen = ("--orientation", "runs-by-topics", "--repeats", "average")
    (row,) = record(capsys, "variance", str(path), *chosen)["matrices"]
    assert (row["n_topics"], row["n_systems"]) == (3, 2)
    assert row["one_way"] == pytest.approx(
        np.mean([np.var([0.2, 0.2, 0.5], ddof=1), np.var([0.5, 0.5, 0.6], ddof=1)])
    )


def test_the_text_reports_the_recognised_format(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion
) -> None:
    path = Path("x_ap.csv")
    path.write_text("topic,A\n1,0.1\n2,0.3\n")
    assert text(capsys, "variance", str(path)) == golden


def test_the_collection_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    result = record(capsys, "variance", *outputs(), "--missing", "zero", "--collection", "Robust 2004")
    assert [row["name"] for row in result["matrices"]] == ["Robust 2004"]
