"""Scores as they are pasted and dumped: Markdown tables, output below other lines, one JSON object of objects.

Expected scores are the numbers in the texts themselves; ids and roles follow from where a text has them.
"""

import json
from typing import Any

import numpy as np
import pytest

from tests.refusals import unread
from topicset_core.parsing import ReadScores, read_score_files, read_scores
from topicset_core.parsing.limits import LONGEST_KEY, MOST_COLUMNS

SCORES = [[0.988, 0.955], [0.365, 0.22], [0.227, 0.197]]
ENDS = (
    "| topic | A | B |\n|---|---:|:---:|\n"
    "| t0 | 0.988 | 0.955 |\n| t1 | 0.365 | 0.220 |\n| t2 | 0.227 | 0.197 |\n"
)
MARKDOWN = {
    "pipes at both ends": ENDS,
    "pipes between cells only": "topic | A | B\n--- | ---: | ---\n"
    "t0 | 0.988 | 0.955\nt1|0.365|0.220\nt2 | 0.227 | 0.197",
    "pipes at the left only": "\n".join(line.removesuffix("|") for line in ENDS.splitlines()),
    "indented, with blank lines": "\n" + ENDS.replace("|\n", "|\r\n  ") + "\n",
    "as pandas aligns them": ENDS.replace("|---|---:|:---:|", "|:--------|----:|-----:|").replace(
        "t0 ", "t0     "
    ),
}


def by_run(read: ReadScores) -> dict[tuple[str, str], dict[str, float]]:
    """The scores by measure and run, then by topic."""
    return {
        (matrix.measure, system): dict(zip(matrix.topics, scores.tolist(), strict=True))
        for matrix in read.matrices
        for system, scores in zip(matrix.systems, matrix.scores.T, strict=True)
    }


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN)
def test_a_markdown_table_is_read(text: str) -> None:
    read = read_scores(text, "pasted text")
    (matrix,) = read.matrices
    assert (matrix.topics, matrix.systems, matrix.scores.tolist()) == (("t0", "t1", "t2"), ("A", "B"), SCORES)
    assert "Cells are separated by pipes, as in Markdown." in read.recognised


def test_escaped_pipes_of_markdown_are_characters_of_names() -> None:
    # GitHub Flavored Markdown, 4.10: "include a pipe in a cell's content by escaping it".
    text = ENDS.replace("| A |", r"| A\|x |").replace("| B |", r"| B\| |")
    assert read_scores(text, "pasted text").matrices[0].systems == ("A|x", "B|")


def test_a_row_of_markdown_with_a_cell_too_few_is_refused_at_its_line() -> None:
    # The rule below the header is line 2, so t1 is on line 4.
    error = unread(read_scores, ENDS.replace("| 0.365 | 0.220 |", "| 0.365 |"), "pasted text")
    assert error.line == 4
    assert "found 2 (cells are separated by pipes, as in Markdown)" in error.expected


@pytest.mark.parametrize("text", ["topic,A|x,B\n---,1,2\n1,.5,.3\n", "topic,A,B\n|---|,.1,.2\n2,.5,.3\n"])
def test_a_table_with_a_pipe_or_a_rule_alone_is_no_markdown(text: str) -> None:
    assert not any("Markdown" in note for note in read_score_files([("t.csv", text)]).recognised)


ABOVE = "Running command: ['java', '-jar', 'trec_eval.jar', '-q', '-m', 'map', 'qrels.txt', 'run.txt']\nResults:\n"
ROWS = (
    "map                   \t301\t0.8761\nP_10                  \t301\t0.1623\n"
    "map\t302\t0.0693\nP_10\t302\t0.8053\n"
)
BELOW_OTHER_LINES = {
    "tabs": (ABOVE + ROWS, '2 lines before the first score were skipped, from "Running command: '),
    "spaces": (ABOVE + ROWS.replace("\t", "  "), "2 lines before the first score were skipped"),
    "one line": ("Results:\n" + ROWS, "1 line before the first score was skipped, from 'Results:' on"),
    "a quotation mark": ('Evaluating "run of the\n\n' + ROWS, "1 line before the first score was skipped"),
    "50 lines": ("loading\n" * 50 + ROWS, "50 lines before the first score were skipped, from 'loading' on"),
    "the tag of the run": (
        ABOVE + "runid\tall\tbm25\n" + ROWS,
        "2 lines before the first score were skipped",
    ),
}


@pytest.mark.parametrize(("text", "note"), BELOW_OTHER_LINES.values(), ids=BELOW_OTHER_LINES)
def test_lines_above_the_output_of_trec_eval_are_skipped_and_reported(text: str, note: str) -> None:
    read = read_scores(text, "a.txt")
    run = "bm25" if "runid" in text else "a"
    assert by_run(read) == {
        ("AP", run): {"301": 0.8761, "302": 0.0693},
        ("P@10", run): {"301": 0.1623, "302": 0.8053},
    }
    assert any(note in one for one in read.recognised)


def test_lines_above_the_outputs_of_two_runs_are_reported_once() -> None:
    files = [(f"{run}.txt", ABOVE.replace("run.txt", f"{run}.txt") + ROWS) for run in "ab"]
    read = read_score_files(files)
    assert by_run(read).keys() == {(measure, run) for measure in ("AP", "P@10") for run in "ab"}
    assert sum("skipped" in note for note in read.recognised) == 1


@pytest.mark.parametrize("value", ["", "-nan"])
def test_a_cell_below_skipped_lines_is_named_by_its_line_in_the_file(value: str) -> None:
    # 2 lines above and 4 rows before it.
    error = unread(read_scores, f"{ABOVE}{ROWS}map\t303\t{value}\nP_10\t303\t.5\n", "a.txt")
    assert error.line == 7
    assert "topic '303'" in error.expected


KEPT = {
    "a header": "measure\ttopic\tvalue\n",
    "a header with spaces": "measure topic value\n",
    "a row of another table": "301,0.5\n",
    "a header of another table": "topic,A\n",
    "a score without a topic": "map 0.5\n",
    "51 lines": "loading\n" * 51,
}


@pytest.mark.parametrize("above", KEPT.values(), ids=KEPT)
def test_what_may_be_a_header_or_a_score_is_never_skipped(above: str) -> None:
    read = read_score_files([("a.txt", above + ROWS)])
    assert not any("skipped" in note for note in read.recognised)
    assert read.errors or above.startswith("measure")


def test_runs_above_topics_that_are_spelt_as_measures_are_a_header() -> None:
    # R leaves out the name above row names; q1 and q2 also spell Q-measure at 1 and 2.
    (matrix,) = read_scores("A B\nP1 0.3 0.4\nP2 0.5 0.1\n", "t.txt").matrices
    assert (matrix.systems, matrix.topics) == (("A", "B"), ("P1", "P2"))


def dumped(value: Any) -> str:
    return json.dumps(value)


ONE_RUN = {"301": {"map": 0.5, "P_5": 0.2}, "302": {"map": 0.25, "P_5": 0.4}}
AP, P5 = {"301": 0.5, "302": 0.25}, {"301": 0.2, "302": 0.4}
OBJECTS: dict[str, tuple[Any, dict[tuple[str, str], dict[str, float]], str]] = {
    "pytrec_eval": (ONE_RUN, {("AP", "a"): AP, ("P@5", "a"): P5}, "{topic: {measure: score}}"),
    "run.scores of ranx": (
        {"map": AP, "precision@5": P5},
        {("AP", "a"): AP, ("P@5", "a"): P5},
        "{measure: {topic: score}}",
    ),
    "pytrec_eval of two runs": (
        {"A": ONE_RUN, "B": {"301": {"map": 0.1, "P_5": 0.6}, "302": {"map": 0.3, "P_5": 0.8}}},
        {
            ("AP", "A"): AP,
            ("AP", "B"): {"301": 0.1, "302": 0.3},
            ("P@5", "A"): P5,
            ("P@5", "B"): {"301": 0.6, "302": 0.8},
        },
        "{run: {topic: {measure: score}}}",
    ),
    "two runs by topic": (
        {"q1": {"A": {"map": 0.5}, "B": {"map": 0.1}}, "q2": {"A": {"map": 0.25}, "B": {"map": 0.3}}},
        {("AP", "A"): {"q1": 0.5, "q2": 0.25}, ("AP", "B"): {"q1": 0.1, "q2": 0.3}},
        "{topic: {run: {measure: score}}}",
    ),
    "one measure of two runs": (
        {"A": AP, "B": P5},
        {("score", "A"): AP, ("score", "B"): P5},
        "{run: {topic: score}}",
    ),
}


@pytest.mark.parametrize(("value", "scores", "form"), OBJECTS.values(), ids=OBJECTS)
@pytest.mark.parametrize("indent", [None, 1])
def test_an_object_of_objects_is_read(
    value: Any, scores: dict[tuple[str, str], dict[str, float]], form: str, indent: int | None
) -> None:
    read = read_scores(json.dumps(value, indent=indent), "a.json")
    assert by_run(read) == scores
    assert f"The file is one JSON object of objects, {form}." in read.recognised


def test_files_of_pytrec_eval_are_joined_as_those_of_trec_eval_are() -> None:
    files = [
        (f"{run}.json", dumped({"301": {"map": at}, "302": {"map": at / 2}}))
        for run, at in (("a", 0.5), ("b", 0.3))
    ]
    assert by_run(read_score_files(files)) == {
        ("AP", "a"): {"301": 0.5, "302": 0.25},
        ("AP", "b"): {"301": 0.3, "302": 0.15},
    }


def test_a_measure_that_a_topic_lacks_is_a_missing_score() -> None:
    error = unread(read_scores, dumped({"301": {"map": 0.5, "P_5": 0.2}, "302": {"map": 0.25}}), "a.json")
    assert "'302'" in error.expected
    assert "P_5" in error.expected


def test_a_frame_of_pandas_is_still_one_of_columns() -> None:
    # DataFrame.to_json numbers the rows of an index that has no names.
    value = {"topic": {"0": "301", "1": "302"}, "map": {"0": 0.5, "1": 0.25}}
    assert by_run(read_scores(dumped(value), "a.json")) == {("AP", "a"): AP}


UNCLEAR: dict[str, Any] = {
    "means of systems": {"bm25": {"map": 0.3, "P_5": 0.2}, "splade": {"map": 0.4, "P_5": 0.3}},
    "means of systems by data set": {"fiqa": {"bm25": {"map": 0.3}}, "scifact": {"bm25": {"map": 0.4}}},
    "runs or unknown measures": {"301": {"x": 0.3, "y": 0.2}, "302": {"x": 0.4, "y": 0.3}},
    "two levels of unknown names": {"a": {"x": 0.3}, "b": {"x": 0.2}},
    "numbers at both levels": {"1": {"301": 0.3, "302": 0.2}, "2": {"301": 0.4, "302": 0.3}},
    "runs that are spelt as measures": {"p1": AP, "p2": P5},
    "some runs that are spelt as measures": {"map": AP, "bm25": P5, "splade": P5},
    "a ranking": {
        "A": {str(n): 1.0 for n in range(9)},
        "B": {str(n): 1.0 for n in range(100, 109)},
        "C": {"50": 1.0},
    },
    "levels of unequal depth": {"A": {"301": {"map": 0.3}, "302": 0.2}},
}


@pytest.mark.parametrize("value", UNCLEAR.values(), ids=UNCLEAR)
def test_an_object_whose_levels_are_open_is_refused_with_a_form_that_is_not(value: Any) -> None:
    error = unread(read_scores, dumped(value), "a.json")
    assert error.line == 1
    assert "found an object of objects" in error.expected
    assert f"{next(iter(value))!r}" in error.expected
    # What it advises is read.
    advised = '{"topic": "401", "run": "bm25", "map": 0.5}'
    assert advised in error.expected
    rows = (
        advised
        + advised.replace("401", "402")
        + advised.replace("bm25", "A")
        + advised.replace("bm25", "A").replace("401", "402")
    )
    assert np.shape(read_scores(rows, "a.json").matrices[0].scores) == (2, 2)


def test_a_key_twice_in_an_object_of_objects_is_refused() -> None:
    assert "'301' twice" in unread(read_scores, '{"301": {"map": 1}, "301": {"map": 0}}', "a.json").expected
    assert "'map' twice" in unread(read_scores, '{"301": {"map": 1, "map": 0}}', "a.json").expected


def test_keys_are_counted_and_measured() -> None:
    row = '{{"topic": {}, "{}": 0.5}}'
    rows = row.format(1, "k" * LONGEST_KEY) + row.format(2, "k" * LONGEST_KEY)
    assert "at most 1,000 characters" not in str(read_score_files([("a.json", rows)]).errors)
    assert (
        "at most 1,000 characters"
        in unread(read_scores, row.format(1, "k" * (LONGEST_KEY + 1)), "a.json").expected
    )
    keys = ",".join(f'"{n}":1' for n in range(MOST_COLUMNS + 1))
    assert "at most 200,000 keys in an object" in unread(read_scores, f"{{{keys}}}", "a.json").expected


SUMMARIES = {
    # sklearn.metrics.classification_report, as text, as a frame and as a mapping (output_dict=True).
    "classification report": (
        "            precision  recall  f1-score  support\n\n         0       0.50    1.00      0.67        1\n"
        "  accuracy                         0.60        5\n macro avg       0.50    0.56      0.49        5\n",
        "r.txt",
        "a summary ('precision recall f1-score support')",
    ),
    "classification report in csv": (
        ",precision,recall,f1-score,support\n0,.5,1,.67,1\naccuracy,.6,.6,.6,.6\nmacro avg,.5,.5,.4,5\n",
        "r.csv",
        "a summary",
    ),
    "classification report in json": (
        dumped(
            {
                "0": {"precision": 0.5, "recall": 1.0, "f1-score": 0.67, "support": 1},
                "accuracy": 0.6,
                "macro avg": {"precision": 0.5, "recall": 0.5, "f1-score": 0.4, "support": 5},
            }
        ),
        "r.json",
        "a summary",
    ),
    # pandas.DataFrame.describe(), and its transpose.
    "description": (
        ",A,B\ncount,50,50\nmean,.3,.4\nstd,.1,.1\nmin,0,0\n25%,.2,.2\n50%,.3,.3\n75%,.4,.4\nmax,1,1\n",
        "d.csv",
        "describe() of pandas",
    ),
    "description, transposed": (
        ",count,mean,std,min,25%,50%,75%,max\nA,50,.3,.1,0,.2,.3,.4,1\nB,50,.3,.1,0,.2,.3,.4,1\n",
        "d.csv",
        "describe() of pandas",
    ),
    # Report.save of ranx 0.3, with the names of its own keys.
    "ranx report": (
        dumped(
            {
                "metrics": ["map"],
                "model_names": ["a", "b"],
                "stat_test": "student",
                "a": {"scores": {"map": 0.32}, "comparisons": {"b": {"map": 0.01}}},
                "b": {"scores": {"map": 0.3}, "comparisons": {}},
            }
        ),
        "ranx.json",
        "means of systems, no scores per topic; save dict(run.scores)",
    ),
    "promptfoo in csv": (
        'question,"[openai:a] Answer:\n{{question}}"\nQ0?,"[PASS] (0.14) a text, of\ntwo lines"\n',
        "p.csv",
        "promptfoo eval -o results.json",
    ),
}


@pytest.mark.parametrize(("text", "file", "said"), SUMMARIES.values(), ids=SUMMARIES)
def test_a_report_without_scores_of_topics_is_refused_as_one(text: str, file: str, said: str) -> None:
    assert said in unread(read_scores, text, file).expected


def test_topics_above_their_description_are_read_without_it() -> None:
    text = "topic,A,B\n1,.5,.5\n2,.3,.4\ncount,2,2\nmean,.4,.45\nstd,.1,.1\nmin,.1,.1\nmax,.5,.5\n"
    assert read_scores(text, "t.csv").matrices[0].topics == ("1", "2")
