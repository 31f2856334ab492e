"""Files in forms that people have: what each is read as, or the cause of its refusal.

The files in ``cases`` were written for Topicset; their names and values are invented. What must come of each was
written down before they were read.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import topicset_core as topicset
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, ReadScores, read_score_files
from topicset_core.parsing.choices import RepeatedScores, TopicsAsked, WordsAsked
from topicset_core.parsing.scores.replicated import read_replicated

CASES = Path(__file__).parent / "cases"


def _files(*names: str) -> list[tuple[str, bytes | str]]:
    paths = [path for name in names for path in sorted(CASES.glob(name))]
    return [(path.relative_to(CASES).as_posix(), path.read_bytes()) for path in paths]


def _read(*names: str, **choices: Any) -> ReadScores:
    return read_score_files(_files(*names), Choices(**choices))


class Case(NamedTuple):
    """Files, and what they have: topics, systems and measures, and columns that are left out."""

    files: tuple[str, ...]
    n_topics: int
    systems: str
    measures: str
    left_out: str = ""
    choices: Mapping[str, Any] = MappingProxyType({})


READ = {
    "task ids in another order": Case(
        ("humaneval_shuffled/*",), 20, "m-a m-b", "passed", "completion result"
    ),
    "an unknown name of ids": Case(
        ("unknown_id_case_?.json",), 20, "unknown_id_case_x unknown_id_case_y", "score"
    ),
    "pandas' index before PyTerrier's columns": Case(("pt_perquery.csv",), 4, "bm25 dph", "AP nDCG@10", " "),
    "index, long": Case(("index_long.csv",), 3, "A B", "score", "Unnamed: 0"),
    "index, wide": Case(("index_wide.csv",), 4, "A B", "score", " "),
    "counts beside runs": Case(("numrel_column.csv",), 8, "A B", "score", "num_rel"),
    "differences beside runs": Case(("delta_column.csv",), 8, "A B", "score", "delta"),
    "differences by name": Case(("k3_diff.csv",), 8, "A B", "score", "B-A"),
    "groups": Case(("k4_unequal.csv",), 454, "A B", "score"),
    "true and false": Case(("truefalse.csv",), 12, "A B", "score"),
    "two words": Case(("PASSFAIL_words.csv",), 12, "A B", "score", "", {"true": "PASS"}),
    "arm": Case(("per_query_arm.csv",), 10, "bm25 dense rrf", "nDCG@10 recall@10"),
    "retriever": Case(("per_query_retriever.csv",), 10, "bm25 dense rrf", "nDCG@10 recall@10"),
    "lines above trec_eval": Case(("pyserini_?.txt",), 8, "pyserini_a pyserini_b", "AP P@10"),
    "Markdown": Case(("markdown.md",), 8, "A B", "score"),
    "a run that never ran": Case(("never_ran.csv",), 30, "cosine rrf fts", "score"),
    "HELM": Case(("helm/*/*",), 8, "m1 m2", "exact_match"),
    "SWE-bench": Case(("swe/*",), 30, "agent-x agent-y", "resolved"),
    "DeepEval": Case(("deepeval/*",), 8, "v1 v2", "Answer Relevancy Faithfulness success"),
    "OpenAI Evals": Case(("openai_evals/*",), 20, "m-a", "correct"),
    "AlpacaEval": Case(("alpaca_annotations.json",), 20, "m-a", "win"),
    "averaged samples": Case(
        ("humaneval_k/*",), 20, "m-a m-b", "passed", "completion result", {"repeats": "average"}
    ),
}


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_what_a_file_is_read_as(case: Case) -> None:
    read = _read(*case.files, **case.choices)
    assert read.errors == ()
    assert {matrix.n_topics for matrix in read.matrices} == {case.n_topics}
    assert {" ".join(matrix.systems) for matrix in read.matrices} == {case.systems}
    assert " ".join(matrix.measure for matrix in read.matrices) == case.measures
    assert not any(read.numbered)
    if case.left_out:
        (columns, *_) = (table.roles.columns for table in read.tables)
        left_out = [one.name for one in columns if one.role == "left out"]
        assert left_out == [""] if case.left_out == " " else " ".join(left_out) == case.left_out
        assert "Columns left out" in " ".join(read.recognised)


REFUSED = {
    "pt_no_baseline.csv": "one row per system",
    "pt_experiment.csv": "statistics over topics such as 'AP +'",
    "st_ir_eval_results.csv": "one row per 'epoch' of a training",
    "ranx_report.json": "means",
    "promptfoo_export.csv": "JSON",
}


@pytest.mark.parametrize("file", REFUSED)
def test_the_cause_of_a_refusal(file: str) -> None:
    (error,) = _read(file).errors
    assert REFUSED[file] in str(error)


def test_what_two_readings_would_answer_differently_is_asked() -> None:
    (repeated,) = _read("humaneval_k/*").errors
    assert isinstance(repeated, RepeatedScores)
    assert (repeated.n_cells, repeated.cells[0]) == (40, ("HumanEval/0", "m-a"))
    (words,) = _read("PASSFAIL_words.csv").errors
    assert isinstance(words, WordsAsked)
    assert words.found == ("PASS", "FAIL")
    one = '{"score": 0.5}\n{"score": 0.25}\n'
    (unnamed,) = read_score_files([("a.jsonl", one), ("b.jsonl", one)]).errors
    assert isinstance(unnamed, TopicsAsked)
    read = read_score_files([("a.jsonl", one), ("b.jsonl", one)], Choices(by_line=True))
    assert read.errors == ()
    assert read.matrices[0].systems == ("a", "b")


@pytest.mark.parametrize("start", [0, 1])
def test_numbers_of_rows_pair_no_files_next_to_ids(start: int) -> None:
    """Each file counts its rows under ``id``; the cases come in another order."""

    def file(order: range) -> str:
        rows = enumerate(order, start)
        return "".join(f'{{"id": {row}, "case": "c{case}", "score": {case / 10}}}\n' for row, case in rows)

    read = read_score_files([("a.jsonl", file(range(8))), ("b.jsonl", file(range(7, -1, -1)))])
    (matrix,) = read.matrices
    assert matrix.topics == tuple(f"c{case}" for case in range(8))
    assert (matrix.scores[:, 0] == matrix.scores[:, 1]).all()


def test_two_columns_of_ids_that_pair_rows_differently_are_asked_about() -> None:
    one = "".join(f'{{"key": "k{at}", "case": "c{at}", "score": {at / 10}}}\n' for at in range(8))
    other = "".join(f'{{"key": "k{at}", "case": "c{7 - at}", "score": {at / 10}}}\n' for at in range(8))
    files = [("a.jsonl", one), ("b.jsonl", other)]
    read = read_score_files(files)
    assert read.matrices == ()
    (error,) = read.errors
    assert "'key' and 'case'" in str(error)
    assert [table.file for table in read.tables] == ["a.jsonl", "b.jsonl"]
    (matrix,) = read_score_files(files, Choices(roles={"case": "topic"})).matrices
    assert matrix.scores[:, 1].tolist() == matrix.scores[::-1, 0].tolist()


def test_samples_of_a_task_are_repeats() -> None:
    scores = read_replicated(_files("humaneval_k/*"))
    assert scores.scores.shape == (20, 2, 3)  # topics, systems, repeats
    assert scores.systems == ("m-a", "m-b")


def test_a_verdict_is_by_task() -> None:
    """By hand: m-b fails five tasks that m-a passes and passes none that m-a fails; 2 * .5 ** 5 = .0625."""
    answer = topicset.compare_two([str(path) for path in sorted(CASES.glob("humaneval_shuffled/*"))])
    assert answer.record["p_value"] == pytest.approx(0.0625, rel=1e-12)
    assert answer.record["verdict"] == "inconclusive"
    assert answer.status == 3
    with pytest.raises(ParseError, match="choose to average repeats"):
        topicset.compare_two([str(path) for path in sorted(CASES.glob("humaneval_k/*"))])


def test_the_interval_by_case_not_by_line() -> None:
    """-.163 to .154 is SciPy's ``ttest_rel`` of scores sorted by case; by line it is -.179 to .170."""
    answer = topicset.compare_two([str(path) for path in sorted(CASES.glob("unknown_id_case_?.json"))])
    assert (answer.record["low"], answer.record["high"]) == pytest.approx((-0.163, 0.154), abs=5e-4)


def test_read_names_the_questions_that_can_be_asked() -> None:
    answer = topicset.read([str(path) for path in sorted(CASES.glob("humaneval_k/*"))])
    assert answer.status == 0
    assert answer.record["repeats"] == {
        "n_topics": 20,
        "systems": ["m-a", "m-b"],
        "n_repeats": 3,
        "measure": "passed",
    }
    commands = [one["command"].split()[1] for one in answer.record["questions"]]
    assert commands == ["repeats", "compare-two"]
    means = topicset.read(str(CASES / "pt_no_baseline.csv"))
    assert (means.status, means.record["questions"]) == (2, [])
    assert "one row per system" in means.record["refused"][0]
