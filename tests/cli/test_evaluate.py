"""``evaluate``: the core's numbers, files that read back, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.measures.plain_reader import judged
from tests.reference_data import reference_file, reference_matrix
from topicset_core.analyses.evaluation import evaluate
from topicset_core.cli import main
from topicset_core.measures import Conventions
from topicset_core.parsing import read_scores

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 c -1\n3 0 a 0\n"
RUNS = {
    "topic": "1 Q0 b 1 2.0 topic\n1 Q0 a 2 1.0 topic\n2 Q0 a 1 1.0 topic\n3 Q0 a 1 1 topic\n",
    "other": "1 Q0 a 1 2.0 other\n9 Q0 a 1 1.0 other\n",
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Options that name small judgments and two runs, one of them called topic."""
    (tmp_path / "judged.qrels").write_text(QRELS)
    options = ["--qrels", str(tmp_path / "judged.qrels")]
    for name, text in RUNS.items():
        (tmp_path / f"{name}.run").write_text(text)
        options += ["--run", str(tmp_path / f"{name}.run")]
    return options


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["evaluate", *arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert not printed.err
    loaded: dict[str, Any] = json.loads(printed.out)
    return loaded


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", *arguments])
    printed = capsys.readouterr()
    assert stop.value.code == 2
    assert not printed.out
    assert printed.err.count("\n") == 1
    return printed.err


def test_one_measure_is_written_under_the_name_given(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, files: list[str]
) -> None:
    output = tmp_path / "matrix.csv"
    found = record(capsys, *files, "--measure", "map", "--output", str(output))
    assert output.read_bytes() == b"topic,topic,other\r\n1,0.5,1.0\r\n2,1.0,0.0\r\n3,0.0,0.0\r\n"
    assert found["files"] == {"AP": str(output)}
    assert found["means"] == {"AP": {"topic": 0.5, "other": pytest.approx(1 / 3)}}
    assert found["runs"][1]["missing_topics"] == ["2", "3"]
    assert any("Judgments 'judged': 3 topics" in text for text in found["recognised"])
    assert any("Run 'other': 2 topics" in text for text in found["recognised"])


def test_several_measures_are_written_to_a_file_each(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, files: list[str]
) -> None:
    measures = ("--measure", "AP", "nDCG@10", "--measure", "RBP(p=.8)")
    found = record(capsys, *files, *measures, "--output", str(tmp_path / "m.csv"))
    assert found["files"] == {
        name: str(tmp_path / f"m_{name}.csv") for name in ("AP", "nDCG@10", "RBP(p=.8)")
    }
    for name in ("AP", "nDCG@10"):
        path = Path(found["files"][name])
        # One column of scores is called topic here, so which one holds ids must be said when reading.
        (matrix,) = read_scores(path.read_bytes().replace(b"topic,topic", b"topic,mine"), path.name).matrices
        assert (matrix.measure, matrix.systems) == (name, ("mine", "other"))
        assert matrix.scores.mean(axis=0).tolist() == list(found["means"][name].values())


@pytest.mark.parametrize(
    ("options", "conventions"),
    [
        ([], Conventions()),
        (
            ["--relevance-level", "2", "--gains", "exponential"],
            Conventions(relevance_level=2, gains="exponential"),
        ),
        (
            ["--denominator", "min", "--largest-grade", "4"],
            Conventions(denominator="min(md, R)", largest_grade=4),
        ),
    ],
)
@pytest.mark.reference_data
def test_dl_2019_against_the_core(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], conventions: Conventions
) -> None:
    """Read by the project's parsers here, and by plain code in what it is compared with."""
    qrels = reference_file("trec", "dl2019-passage", "qrels.txt")
    runs = [str(path) for path in sorted((qrels.parent / "runs").glob("*.gz"))]
    measures = ["AP@10", "Q", "nDCG@10", "nERR@10"]
    output = tmp_path / "dl.csv"
    arguments = ["--qrels", str(qrels), "--run", *runs, "--measure", *measures, *options]
    found = record(capsys, *arguments, "--output", str(output))
    expected = evaluate(judged("dl2019-passage"), measures, conventions=conventions)
    for matrix in expected.matrices:
        content = Path(found["files"][matrix.measure]).read_bytes()
        (read,) = read_scores(content, "dl.csv", matrix.measure).matrices
        assert (read.topics, set(read.systems)) == (matrix.topics, set(matrix.systems))
        columns = [read.systems.index(system) for system in matrix.systems]
        assert np.array_equal(read.scores[:, columns], matrix.scores)
    ours = expected.record()
    assert found["conventions"] == ours["conventions"]
    assert found["measures"] == ours["measures"]


@pytest.mark.reference_data
def test_ap_of_dl_2019_against_the_computed_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    qrels = reference_file("trec", "dl2019-passage", "qrels.txt")
    runs = [str(path) for path in sorted((qrels.parent / "runs").glob("*.gz"))]
    found = record(capsys, "--qrels", str(qrels), "--run", *runs, "--measure", "AP", "--relevance-level", "2")
    computed = reference_matrix("dl2019_passage_ap")
    for system, mean in zip(computed.systems, computed.scores.mean(axis=0), strict=True):
        assert found["means"]["AP"][system] == pytest.approx(mean, abs=5e-7)  # 6 significant digits


def test_the_text_has_means_and_conventions(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    dropping = ("--topics-without-relevant", "drop", "--missing-topics", "zero")
    assert main(["evaluate", *files, "--measure", "AP", "nERR", *dropping]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["mean of      AP    nERR", "topic    0.7500  0.7500", "other    0.5000  0.5000"]
    text = "\n".join(printed)
    assert "relevant from grade 1" in text
    assert "xmax = 2" in text
    assert "'3'; left out." in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--measure", "nonsense"], "measure = 'nonsense': must be one of AP"),
        (["--measure", "AP", "--relevance-level", "0"], "relevance_level = 0: must be at least 1"),
        (["--measure", "AP", "--relevance-level", "5"], "at most 2, the largest grade"),
        (["--measure", "AP", "--output", "."], "--output = '.': must be a file"),
        (["--measure", "AP", "--gains", "square"], "invalid choice: 'square'"),
        ([], "--measure"),
    ],
)
def test_refused_options(
    capsys: pytest.CaptureFixture[str], files: list[str], options: list[str], said: str
) -> None:
    assert said in refusal(capsys, *files, *options)


def test_refused_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, files: list[str]) -> None:
    qrels, run = files[1], files[3]
    swapped = "are runs and judgments swapped?"
    assert swapped in refusal(capsys, "--qrels", run, "--run", run, "--measure", "AP")
    assert swapped in refusal(capsys, "--qrels", qrels, "--run", qrels, "--measure", "AP")
    assert "expected each run once, found the documents of" in refusal(
        capsys, "--qrels", qrels, "--run", run, run, "--measure", "AP"
    )
    absent = str(tmp_path / "absent")
    assert absent in refusal(capsys, "--qrels", absent, "--run", run, "--measure", "AP")
    alone = tmp_path / "alone.run"
    alone.write_text("7 Q0 a 1 1.0 alone\n")
    said = refusal(capsys, "--qrels", qrels, "--run", str(alone), "--measure", "AP")
    assert "'alone': must have topics of the qrels 'judged': the run has '7'" in said


@pytest.fixture
def by_intent(tmp_path: Path) -> list[str]:
    """Options that name judgments by intent, one run, and measures of diversity."""
    (tmp_path / "web.qrels").write_text("1 1 a 1\n1 2 a 0\n1 1 b 0\n1 2 b 3\n2 1 a 1\n2 2 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 x 1 3 a\n1 Q0 b 2 2 a\n2 Q0 a 1 1 a\n")
    files = ["--qrels", str(tmp_path / "web.qrels"), "--run", str(tmp_path / "a.run")]
    return [*files, "--measure", "I-rec@10", "D#-nDCG@10", "alpha-nDCG@2"]


def test_measures_of_diversity(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, by_intent: list[str]
) -> None:
    found = record(capsys, *by_intent, "--output", str(tmp_path / "m.csv"))
    # Topic 1: b at rank 2 serves one of two intents, with the gain 7 of ideal 7 and 1; topic 2 is ideal.
    recall, gain = 1 / 2, (7 / np.log2(3)) / (7 + 1 / np.log2(3))
    assert found["means"]["I-rec@10"]["a"] == pytest.approx((recall + 1) / 2)
    assert found["means"]["D#-nDCG@10"]["a"] == pytest.approx(((recall + gain) / 2 + 1) / 2)
    assert found["intents"].startswith(
        "Intents with a relevant document: 2 a topic, 4 in all; all of a topic equally"
    )
    assert any(text.startswith("Judged by intent") for text in found["recognised"])
    read = read_scores(Path(found["files"]["D#-nDCG@10"]).read_bytes(), "m_D#-nDCG@10.csv")
    assert read.matrices[0].measure == "D#-nDCG@10"


def test_probabilities_of_intents(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, by_intent: list[str]
) -> None:
    likely = tmp_path / "likely.txt"
    likely.write_text("1 1 0.9\n1 2 0.1\n2 1 0.5\n2 2 0.5\n")
    found = record(capsys, *by_intent, "--intent-probabilities", str(likely))
    gain = (0.7 / np.log2(3)) / (0.9 + 0.7 / np.log2(3))
    assert found["means"]["D#-nDCG@10"]["a"] == pytest.approx(((1 / 2 + gain) / 2 + 1) / 2)
    assert f"as likely as {likely} says" in found["intents"]
    likely.write_text("1 1 0.9\n1 2 0.2\n")
    said = refusal(capsys, *by_intent, "--intent-probabilities", str(likely))
    assert f"{likely}, line 2: expected probabilities that add up to 1 within 0.01" in said


def test_measures_of_diversity_need_judgments_by_intent(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    said = refusal(capsys, *files, "--measure", "nERR-IA@10")
    assert "measure = 'nERR-IA@10': must have judgments by intent, and 'judged' are not" in said
