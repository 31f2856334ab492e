"""``evaluate``: the core's numbers, files that can be read back."""

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import topicset_core as topicset
from tests.analyses.dl_2019 import qrels_path, run_paths
from tests.cli.running import record, refusal, text
from tests.words import numbers_in
from topicset_core.parsing import Choices, read_scores

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n2 0 c -1\n3 0 a 0\n"
RUNS = {
    "topic": "1 Q0 b 1 2.0 topic\n1 Q0 a 2 1.0 topic\n2 Q0 a 1 1.0 topic\n3 Q0 a 1 1 topic\n",
    "other": "1 Q0 a 1 2.0 other\n9 Q0 a 1 1.0 other\n",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options that name small judgments and two runs, one of them called topic."""
    monkeypatch.chdir(tmp_path)
    Path("judged.qrels").write_text(QRELS)
    options = ["evaluate", "--qrels", "judged.qrels"]
    for name, lines in RUNS.items():
        Path(f"{name}.run").write_text(lines)
        options += ["--run", f"{name}.run"]
    return options


def test_one_measure_is_written_under_the_name_given(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, files: list[str]
) -> None:
    result = record(capsys, *files, "--measure", "map", "--output", "matrix.csv")
    written = Path("matrix.csv").read_bytes()
    assert written == b"topic,topic,other\r\n1,0.5,1.0\r\n2,1.0,0.0\r\n3,0.0,0.0\r\n"
    assert result["files"] == {"AP": "matrix.csv"}
    assert result["means"] == {"AP": {"topic": 0.5, "other": pytest.approx(1 / 3)}}
    assert result["runs"][1]["missing_topics"] == ["2", "3"]
    assert result["recognised"] == golden


def test_groups_of_topics_are_written_and_read_back(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    Path("groups.csv").write_text("topic,conversation\n1,a\n2,b\n3,a\n")
    answer = topicset.evaluate(
        qrels="judged.qrels", run=["other.run"], measure="RR", groups="groups.csv", output="m_RR.csv"
    )
    ((matrix,),) = (one.matrices for one in answer.answer)
    assert matrix.groups == ("a", "b", "a")
    assert read_scores(
        Path("m_RR.csv").read_bytes(), "m_RR.csv", choices=Choices(collection=matrix.name)
    ).matrices == (matrix,)
    assert list(answer.table("RR")) == ["group", "topic", "other"]
    assert "'1'" in refusal(capsys, *files, "--measure", "RR", "--groups", "1*")


def test_two_sets_of_judgments_are_scored_and_written_apart(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    Path("model.qrels").write_text("1 0 b 1\n2 0 a 1\n")  # RR by hand: topic 1, .5; other 0 and 0
    names = {"--qrels": "--qrels-human"}
    options = [names.get(one, one) for one in files] + ["--qrels-model", "model.qrels", "--measure", "RR"]
    result = record(capsys, *options, "--output", "m.csv")
    assert result["files"] == {f"{one}_RR": f"m_{one}_RR.csv" for one in ("judged", "model")}
    assert Path("m_model_RR.csv").read_bytes() == b"topic,topic,other\r\n1,1.0,0.0\r\n2,1.0,0.0\r\n"
    assert Path("m_judged_RR.csv").read_bytes().splitlines()[1] == b"1,0.5,1.0"
    assert "names" in refusal(
        capsys, *files, "--qrels", "judged.qrels", "--measure", "RR", "--output", "m.csv"
    )


def test_several_measures_are_written_to_a_file_each(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    measures = ("--measure", "AP", "nDCG@10", "--measure", "RBP(p=.8)")
    result = record(capsys, *files, *measures, "--output", "m.csv")
    assert result["files"] == {name: f"m_{name}.csv" for name in ("AP", "nDCG@10", "RBP(p=.8)")}
    for name in ("AP", "nDCG@10"):
        path = Path(result["files"][name])
        # One column of scores is called topic here, so the column of ids must be named at import.
        (matrix,) = read_scores(path.read_bytes().replace(b"topic,topic", b"topic,mine"), path.name).matrices
        assert (matrix.measure, matrix.systems) == (name, ("mine", "other"))
        assert matrix.scores.mean(axis=0).tolist() == list(result["means"][name].values())


def test_the_text_has_means_and_conventions(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, files: list[str]
) -> None:
    dropping = ("--topics-without-relevant", "drop", "--missing-topics", "zero")
    printed = text(capsys, *files, "--measure", "AP", "nERR", *dropping)
    # Topic 3 has no relevant document. "topic" has a second and first, "other" first and never.
    assert [numbers_in(line) for line in printed.splitlines()[3:5]] == [[0.75, 0.75], [0.5, 0.5]]
    assert printed == golden


@pytest.fixture
def by_intent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options that name judgments by intent, one run, and measures of diversity."""
    monkeypatch.chdir(tmp_path)
    Path("web.qrels").write_text("1 1 a 1\n1 2 a 0\n1 1 b 0\n1 2 b 3\n2 1 a 1\n2 2 a 1\n")
    Path("a.run").write_text("1 Q0 x 1 3 a\n1 Q0 b 2 2 a\n2 Q0 a 1 1 a\n")
    files = ["evaluate", "--qrels", "web.qrels", "--run", "a.run"]
    return [*files, "--measure", "I-rec@10", "D#-nDCG@10", "alpha-nDCG@2"]


def test_measures_of_diversity(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, by_intent: list[str]
) -> None:
    result = record(capsys, *by_intent, "--output", "m.csv")
    # Topic 1: b at rank 2 serves one of two intents, with the gain 7 of ideal 7 and 1; topic 2 is ideal.
    recall, gain = 1 / 2, (7 / np.log2(3)) / (7 + 1 / np.log2(3))
    assert result["means"]["I-rec@10"]["a"] == pytest.approx((recall + 1) / 2)
    assert result["means"]["D#-nDCG@10"]["a"] == pytest.approx(((recall + gain) / 2 + 1) / 2)
    assert numbers_in(result["intents"])[:2] == [2, 4]  # a topic, and in all
    assert [result["intents"], result["recognised"]] == golden
    read = read_scores(Path(result["files"]["D#-nDCG@10"]).read_bytes(), "m_D#-nDCG@10.csv")
    assert read.matrices[0].measure == "D#-nDCG@10"


def test_intents_of_one_document_each_need_their_probabilities(
    capsys: pytest.CaptureFixture[str], by_intent: list[str]
) -> None:
    Path("web.qrels").write_text("1 1 a 1\n1 2 b 3\n2 1 a 1\n")
    assert "give a file of their probabilities, too (on the command line --intent-probabilities)" in refusal(
        capsys, *by_intent
    )
    Path("likely.txt").write_text("1 1 0.5\n1 2 0.5\n2 1 1.0\n")
    result = record(capsys, *by_intent, "--intent-probabilities", "likely.txt")
    assert result["means"]["I-rec@10"]["a"] == (1 / 2 + 1) / 2


def test_scores_in_single_precision_by_choice(
    capsys: pytest.CaptureFixture[str], by_intent: list[str]
) -> None:
    """As trec_eval 9: b is first by id where it ties with a, whose score is higher by 1e-9."""
    Path("web.qrels").write_text("1 0 a 1\n2 0 a 1\n")
    Path("a.run").write_text("1 Q0 a 1 1.000000001 a\n1 Q0 b 2 1 a\n2 Q0 a 1 1 a\n")
    asked = [*by_intent[:5], "--measure", "RR"]
    assert record(capsys, *asked)["means"]["RR"]["a"] == 1
    single = record(capsys, *asked, "--score-precision", "single")
    assert single["means"]["RR"]["a"] == (1 / 2 + 1) / 2
    assert "Scores of runs are compared in single precision, as in trec_eval 9." in single["recognised"]


def test_probabilities_of_intents(
    capsys: pytest.CaptureFixture[str], golden: SnapshotAssertion, by_intent: list[str]
) -> None:
    likely = Path("likely.txt")
    likely.write_text("1 1 0.9\n1 2 0.1\n2 1 0.5\n2 2 0.5\n")
    result = record(capsys, *by_intent, "--intent-probabilities", likely.name)
    gain = (0.7 / np.log2(3)) / (0.9 + 0.7 / np.log2(3))
    assert result["means"]["D#-nDCG@10"]["a"] == pytest.approx(((1 / 2 + gain) / 2 + 1) / 2)
    assert likely.name in result["intents"]
    assert result["intents"] == golden
    likely.write_text("1 1 0.9\n1 2 0.2\n")
    message = refusal(capsys, *by_intent, "--intent-probabilities", likely.name)
    assert "likely.txt, line 2" in message
    assert message == golden


@pytest.mark.reference_data
@pytest.mark.parametrize(
    "more",
    [
        ["evaluate", "--measure", "AP", "--run"],
        ["pool-depth", "--measure", "AP", "--design", "ci", "--alpha", ".05", "--max-width", ".1", "--runs"],
        ["topic-variance", "--trials", "2", "--runs"],
    ],
    ids=lambda more: more[0],
)
def test_every_command_on_runs_states_the_relevance_level_in_the_same_words(
    capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    arguments = [more[0], "--qrels", str(qrels_path()), *more[1:], *map(str, run_paths()[:3])]
    for options, level in (([], 1), (["--relevance-level", "2"], 2)):
        result = record(capsys, *arguments, *options)
        sentence = f"Relevant from grade {level} of 3; TREC Deep Learning uses 2."
        assert result["relevance_level"] == level
        assert sentence in result["recognised"]
        assert sentence in text(capsys, *arguments, *options)
