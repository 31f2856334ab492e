"""``compare-two``: exit statuses on runs of DL 2019, two files as one, and what it refuses."""

import csv
import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import record, refusal
from tests.reference_data import reference_file
from topicset_core.cli import main


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the output of trec_eval -q of DL 2019 runs; the folder of the runs is returned."""
    monkeypatch.chdir(tmp_path)
    by_run: dict[str, list[str]] = {}
    path = reference_file("trec", "dl2019-passage", "trec_eval_per_topic.csv.gz")
    with gzip.open(path, "rt") as file:
        for row in csv.DictReader(file):
            lines = [f"{name}\t{row['topic']}\t{row[name]}\n" for name in ("ap", "ndcg_cut_10")]
            by_run.setdefault(row["run"], []).extend(lines)
    for run, rows in by_run.items():
        Path(f"{run}.txt").write_text("".join(rows))
    return path.parent


@pytest.mark.parametrize(
    ("baseline", "new", "status", "start"),
    [
        ("ICT-BERT2", "p_bert", 0, "Better: "),
        (
            "ICT-CKNRM_B",
            "ICT-BERT2",
            0,
            "Not worse: ICT-BERT2 loses less than 0.02 nDCG@10 against ICT-CKNRM_B.",
        ),
        (
            "runid4",
            "runid3",
            0,
            "Not worse: runid3 loses less than 0.02 nDCG@10 against runid4, though it is",
        ),
        ("p_bert", "ICT-BERT2", 1, "Worse: "),
        ("ICT-BERT2", "ICT-CKNRM_B", 3, "Inconclusive: "),
    ],
)
@pytest.mark.usefixtures("runs")
def test_exit_statuses_of_the_verdicts_on_real_runs(
    capsys: pytest.CaptureFixture[str], baseline: str, new: str, status: int, start: str
) -> None:
    files = [f"{baseline}.txt", f"{new}.txt"]
    assert main(["compare-two", *files, "--measure", "nDCG@10", "--margin", ".02"]) == status
    assert capsys.readouterr().out.startswith(start)


def test_runs_with_judgments_are_scored_as_by_trec_eval(
    capsys: pytest.CaptureFixture[str], runs: Path
) -> None:
    names, options = ("ICT-CKNRM_B", "ICT-BERT2"), ["--measure", "nDCG@10", "--margin", ".02"]
    scored = record(capsys, "compare-two", *(f"{name}.txt" for name in names), *options)
    files = [str(runs / "runs" / f"{name}.gz") for name in names]
    own = record(capsys, "compare-two", *files, "--qrels", str(runs / "qrels.txt"), *options)
    assert (own["baseline"], own["new"]) == names
    for name in ("difference", "low", "high"):
        assert own[name] == pytest.approx(scored[name], abs=1e-6)  # trec_eval prints six digits


def _write(file: str, scores: dict[str, float], system: str) -> str:
    Path(file).write_text(
        "\n".join([f"topic,{system}", *(f"{topic},{one}" for topic, one in scores.items())])
    )
    return file


@pytest.mark.parametrize(("first", "second", "names"), [("a", "b", ["a", "b"]), ("s", "s", ["old", "new"])])
def test_tables_of_one_system_each_are_joined_by_topic(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    second: str,
    names: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    scores = {f"q{place}": place / 10 for place in range(1, 9)}
    better = {topic: one + 0.05 + one / 100 for topic, one in reversed(scores.items())}
    files = [_write("old.csv", scores, first), _write("new.csv", better, second)]
    found = record(capsys, "compare-two", *files)
    assert [found["baseline"], found["new"]] == names
    assert found["difference"] == pytest.approx(0.05 + 0.45 / 100)  # the mean of .1 to .8 is .45
    _write("new.csv", dict(list(better.items())[2:]), second)
    assert "FILE = 'new': must have a score for each topic of old; missing: 'q7', 'q8'" in refusal(
        capsys, "compare-two", *files
    )
    assert "missing: 'q7', 'q8'" in refusal(capsys, "compare-two", *reversed(files))
    Path("new.csv").rename("new_AP.csv")
    _write("new_AP.csv", better, second)
    assert "must be of one measure" in refusal(capsys, "compare-two", "old.csv", "new_AP.csv")


def test_the_status_outlives_a_reader_that_has_had_enough(tmp_path: Path) -> None:
    """``compare-two ... | head -1`` must not pass a CI job."""
    table = tmp_path / "both.csv"
    table.write_text("topic,old,new\n" + "".join(f"{n},{n},{n - 1 - n % 2}\n" for n in range(20)))
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "topicset_core", "compare-two", str(table)],
            stdout=closed,
            stderr=subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")
