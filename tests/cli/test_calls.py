"""The functions of Python: each does what its command does, and refuses with the names that it has."""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import topicset_core as topicset
from tests.cli.running import record, text, written
from topicset_core.charts.chart import Chart
from topicset_core.cli import COMMANDS
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.exports.answer import Answer
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding
from topicset_core.exports.report import Report
from topicset_core.samples import simulated_judge, simulated_task

FUNCTIONS = {name: one for name in topicset.__all__ if inspect.isfunction(one := getattr(topicset, name))}
ANOVA = {"alpha": 0.05, "beta": 0.20, "min_d": 0.10, "variance": 0.0471, "systems": 10}
OTHER_NAMES = {"variance": "score_variance"}  # there is a package of this name
NO_QUESTIONS = {"app", "retrieve"}


def call(name: str, *given: Any, **keywords: Any) -> Answer[Any]:
    """Call a function as nobody's editor would let through."""
    answer: Answer[Any] = FUNCTIONS[name](*given, **keywords)
    return answer


def test_each_command_that_answers_has_a_function() -> None:
    assert set(FUNCTIONS) == {
        OTHER_NAMES.get(command, command.replace("-", "_")) for command in set(COMMANDS) - NO_QUESTIONS
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_option_is_a_keyword_that_python_can_have(name: str) -> None:
    assert all(one.isidentifier() for one in inspect.signature(FUNCTIONS[name]).parameters)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> tuple[ScoreMatrix, str]:
    """Twelve topics of the simulated sample, as a matrix and as the file of it."""
    whole = simulated_task()[0]
    file = tmp_path_factory.mktemp("scores") / "AP.csv"
    matrix = whole.taken(range(12), range(5))
    return matrix, written(matrix, file)


@pytest.mark.parametrize(
    ("line", "name", "given", "keywords"),
    [
        (
            "size anova --alpha .05 --beta .20 --min-d .10 --variance .0471 --systems 10",
            "size",
            ["anova"],
            ANOVA,
        ),
        (
            "reported two-sample-t --t 2.1 --topics 20 30 --alpha .05 --beta .20",
            "reported",
            ["two-sample-t"],
            {"t": 2.1, "topics": [20, 30], "alpha": np.float64(0.05), "beta": 0.2},
        ),
        (
            "compare --variance AP:.0471 --levels .05,.20 .02,.10 --min-d .1 --method published",
            "compare",
            [],
            {
                "variance": "AP:.0471",
                "levels": [(0.05, 0.2), (0.02, 0.1)],
                "min_d": 0.1,
                "method": "published",
            },
        ),
        (
            "stability FILE --stability .9 --measure AP --only-systems sim01-sim04 --log",
            "stability",
            ["FILE"],
            {"stability": 0.9, "measure": "AP", "only_systems": ["sim01-sim04"], "log": True},
        ),
        (
            "leaderboard FILE --pair sim01 sim02 --trials 500 --lower-is-better --measure AP",
            "leaderboard",
            ["FILE"],
            {"pair": ("sim01", "sim02"), "trials": 500, "lower_is_better": True, "measure": "AP"},
        ),
        (
            "subsets FILE --cardinality 2,3 --trials 200 --measure AP",
            "subsets",
            [Path("FILE")],
            {"cardinality": [2, 3], "trials": 200, "measure": "AP"},
        ),
    ],
)
def test_a_function_answers_as_its_command(
    line: str,
    name: str,
    given: list[Any],
    keywords: dict[str, Any],
    scores: tuple[ScoreMatrix, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, file = scores
    answer = call(name, *(type(one)(str(one).replace("FILE", file)) for one in given), **keywords)
    words = line.replace("FILE", file).split()
    assert f"{answer.text}\n" == text(capsys, *words)
    assert json.loads(json.dumps(answer.record)) == record(capsys, *words)


def test_a_matrix_answers_as_its_file(scores: tuple[ScoreMatrix, str]) -> None:
    matrix, file = scores
    by_file = call("stability", file, measure="AP")
    by_matrix = call("stability", matrix)
    assert by_matrix.record["results"] == by_file.record["results"]
    first, second = simulated_task()[0], simulated_task()[3]
    rows = call("score_variance", [first, second, *simulated_task()[1:3]], measure="AP").record["matrices"]
    assert [row["name"] for row in rows] == [first.name, second.name]
    assert call("size", "paired-t", alpha=0.05, beta=0.2, min_d=0.1, scores=matrix).answer.required_topics > 2


def test_frames_and_records_answer_as_their_matrix(scores: tuple[ScoreMatrix, str]) -> None:
    matrix, _ = scores
    frame = pd.DataFrame(
        matrix.scores, index=pd.Index(matrix.topics, name="topic"), columns=list(matrix.systems)
    )
    rows = [
        {"name": system, "qid": topic, "measure": "AP", "value": score}
        for topic, line in zip(matrix.topics, matrix.scores.tolist(), strict=True)
        for system, score in zip(matrix.systems, line, strict=True)
    ]
    results = call("stability", matrix).record["results"]
    assert call("stability", frame, measure="AP").record["results"] == results
    assert call("stability", rows).record["results"] == results
    with pytest.raises(
        ParseError, match=r"frame, row 1: topic '1', run 'A', .* expected a number, found 'x'"
    ):
        call("stability", {"topic": [1, 2], "A": ["x", 0.5], "B": [1, 1]})
    # Two frames are two matrices.
    assert len(call("score_variance", [frame, matrix], measure="AP").answer) == 2


def test_repeats_and_labels_are_taken_as_they_are() -> None:
    repeated, labels = simulated_judge()
    assert call("repeats", repeated, kind="seeds").answer.scores is repeated
    assert call("judge", labels).record["results"]


@pytest.mark.parametrize(
    ("name", "given", "keywords", "message"),
    [
        ("size", ["anova"], ANOVA | {"alpha": 5}, "alpha = 5.0: must be a number above 0 and below 1"),
        ("size", ["anova"], ANOVA | {"alpha": "few"}, "alpha = 'few': must be a number"),
        ("size", ["anova"], ANOVA | {"alpha": True}, "alpha = True: must be a number"),
        (
            "size",
            ["anova"],
            ANOVA | {"topics": 2.5},
            "topics = 2.5: must be a whole number from 2 to 10,000,000",
        ),
        ("size", ["anova"], ANOVA | {"systems": None}, "systems = None: must be given for anova"),
        ("size", ["anova"], ANOVA | {"pool": 1}, "pool = 1: must be True or False"),
        ("size", ["paired-t"], ANOVA, "systems = 10: has no meaning for paired-t"),
        (
            "evaluate",
            [],
            {"qrels": "x", "run": [3, None], "measure": "AP"},
            "run = 'NoneType': must be text or a number",
        ),
        (
            "compare_two",
            ["SCORES"],
            {"qrels": "x", "measure": "AP"},
            "scores = 'Simulated.*': must be files",
        ),
        ("size", ["t"], ANOVA, "design = 't': must be one of paired-t, .*"),
        ("compare", [], {"levels": [5]}, "levels = 5: must be ALPHA,BETA"),
        ("compare", [], {"levels": []}, r"levels = \[\]: must be one or more values"),
        ("leaderboard", ["SCORES"], {"pair": ["sim01"]}, r"pair = \['sim01'\]: must be 2 values"),
        ("leaderboard", ["SCORES"], {"pair": ["sim01", "x"]}, "pair = .*x.*"),
        (
            "leaderboard",
            ["SCORES"],
            {"worst_percent": 5, "worst_count": 3},
            "worst_count = 3: has no meaning next to worst_percent",
        ),
        ("leaderboard", ["SCORES"], {"missing": "zero"}, "missing = 'zero': has no meaning for a matrix"),
        ("leaderboard", ["SCORES"], {"measure": "RR"}, "measure = 'RR': must be one of AP"),
        (
            "leaderboard",
            [list(simulated_task())],
            {},
            "scores = .*one matrix of scores.*; measure chooses one",
        ),
        ("leaderboard", [3], {}, "scores = 'int': must be a frame of pandas or polars, .*"),
        ("leaderboard", [None], {}, "scores = None: must be given"),
        ("repeats", ["SCORES"], {"kind": "seeds"}, "scores = 'Simulated.*': must be files"),
        (
            "size",
            ["paired-t"],
            {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "scores": "SCORES", "variance": 1},
            "variance = 1.0: must be left out next to scores",
        ),
    ],
)
def test_refusals_name_the_keyword(
    name: str, given: list[Any], keywords: dict[str, Any], message: str, scores: tuple[ScoreMatrix, str]
) -> None:
    data = [scores[0] if isinstance(one, str) and one == "SCORES" else one for one in given]
    named = {one: scores[0] if value == "SCORES" else value for one, value in keywords.items()}
    with pytest.raises(topicset.InputError) as refused:
        call(name, *data, **named)
    assert re.fullmatch(message, str(refused.value)), str(refused.value)
    assert "--" not in str(refused.value)


def test_an_unknown_keyword_is_refused_with_those_there_are() -> None:
    with pytest.raises(TypeError, match=r"size\(\) takes no keyword 'alhpa'; it takes design, alpha, beta, "):
        call("size", "anova", alhpa=0.05)
    with pytest.raises(TypeError, match="missing a required argument: 'scores'"):
        call("leaderboard")


def test_tables_and_charts_by_name() -> None:
    answer = call("size", "anova", **ANOVA)
    assert answer.tables == ("topics by difference", "by topics")
    assert answer.plots == ("topics-by-difference", "by-topics", "equal-topics")
    table = answer.table()
    assert isinstance(table, pd.DataFrame)
    # The column of m = 10 has the answer in the row of minD = 0.10.
    assert table["m = 10"][list(table["minD"]).index(0.10)] == answer.answer.required_topics == 149
    assert list(answer.table("by topics").columns) == ["topics", "power", "power, Excel tool"]
    assert answer.plot("by-topics").layout.yaxis.title.text == "power, chance of detecting minD (%)"
    with pytest.raises(
        topicset.InputError, match="table = 'x': must be one of topics by difference, by topics"
    ):
        answer.table("x")
    of_effect = call("size", "paired-t", alpha=0.05, beta=0.2, min_delta=0.5)
    with pytest.raises(topicset.InputError, match="this answer has no plot"):
        of_effect.plot()


def test_the_main_chart_is_made_without_the_others() -> None:
    made = []

    def figures() -> Iterator[Figure]:
        for name in ("main", "other"):
            made.append(name)
            chart = Chart("Topics", "x", "y")
            chart.line([1, 2], [3, 4], "n", "%{x}")
            yield chart.figure(name, name)

    report = Report(
        name="x", title="", findings=[Finding("Five topics.")], tables=[], results=list, figures=figures
    )
    answer = Answer(text="5", record={}, answer=5, report=report)
    answer.plot()
    answer._repr_html_()
    assert made == ["main", "main"]
    assert answer.plots == ("main", "other")


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = call("size", "anova", **ANOVA)
    for package in ("pandas", "plotly", "plotly.graph_objects"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match="table needs pandas: pip install pandas"):
        answer.table()
    with pytest.raises(ImportError, match="plot needs Plotly: pip install"):
        answer.plot()
    assert "<svg" in answer._repr_html_()  # needs neither


def test_a_notebook_shows_the_whole_answer() -> None:
    page = call("size", "anova", **ANOVA)._repr_html_()
    root = ElementTree.fromstring(page)  # well-formed
    answer = "".join(root.find("p").itertext())  # type: ignore[union-attr]
    assert answer.startswith(
        "With n = 149 topics per system, one-way ANOVA over m = 10 systems detects a range of minD = 0.1 in the "
        "measure between the best and the worst system with 80 % power at significance level α = 0.05, for a "
        "within-system variance σ² = 0.0471"
    )
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) == 1
    assert [cell.text for cell in root.iter("th")] == [
        "minD",
        *(f"m = {m}" for m in (2, 10, 30, 100)),
    ]
    assert "open" not in root.find("details").attrib  # type: ignore[union-attr]
    assert "power 0.802394" in root.find("details/pre").text  # type: ignore[union-attr, operator]


def test_a_notebook_shows_the_text_of_an_answer_without_a_table() -> None:
    of_effect = call("size", "paired-t", alpha=0.05, beta=0.2, min_delta=0.5)
    assert '<details open=""><summary>As in a terminal</summary>' in of_effect._repr_html_()


def test_a_notebook_shows_what_topics_detect_with_its_chart() -> None:
    at_topics = call("size", "paired-t", alpha=0.05, beta=0.2, topics=50, variance=0.05)
    root = ElementTree.fromstring(at_topics._repr_html_())
    headline = "".join(root.find("p").itertext())  # type: ignore[union-attr]
    # minD of 50 topics: the inverse of the power, which is 80 % there.
    assert at_topics.answer == pytest.approx(0.127814, abs=5e-7)
    assert headline.startswith(
        "With n = 50 topics, a two-sided paired t test detects a difference of minD = 0.127814 in the measure with "
        "80 % power at significance level α = 0.05, for a variance"
    )


def test_names_of_runs_are_no_html() -> None:
    name = "<img src=x onerror=alert(1)>"
    matrix = simulated_task()[0].taken(range(8), range(3))
    hostile = ScoreMatrix(
        scores=matrix.scores,
        topics=matrix.topics,
        systems=(name, "<b>b", "&amp;"),
        measure="<i>AP",
        name="<u>",
    )
    page = call("leaderboard", hostile, trials=100)._repr_html_()
    root = ElementTree.fromstring(page)
    assert not {one.tag for one in root.iter()} & {"img", "i", "u", "b"}
    shown = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<b>b", "&amp;"} <= set(shown)


def test_a_chart_of_cells_is_drawn_too() -> None:
    chart = Chart("T", "x", "y")
    chart.shades([[1, 2]], "shades", None)
    figures = [chart.figure("shades", "Shades.")]
    report = Report(
        name="n",
        title="T",
        findings=[Finding("One. Two.")],
        tables=(),
        results=list,
        figures=lambda: figures,
    )
    answer = Answer(text="t", record={}, answer=None, report=report)
    assert "<strong>One.</strong> Two.</p>" in answer._repr_html_()
    assert "<svg" in answer._repr_html_()
    assert answer.plot().to_dict()["data"][0]["type"] == "heatmap"


def test_importing_it_imports_nothing_else() -> None:
    program = (
        "import sys, topicset_core; print(dir(topicset_core).count('size'), "
        "[one for one in sys.modules if one.startswith('topicset_core.') or one in ('numpy', 'scipy')])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "1 ['topicset_core.version']\n"
