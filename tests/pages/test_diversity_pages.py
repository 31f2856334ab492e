"""Measures of diversity on the pages: the simulated task, own judgments by intent, offered measures."""

import json
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.pool_depth.small_runs import study
from tests.pages.app import (
    big_number,
    errors,
    finished,
    go,
    heading,
    open_app,
    open_page,
    press,
    text_of,
    texts,
)
from tests.pages.uploading import ANOVA, RUNS, bring
from tests.words import numbers_in
from topicset_core.analyses.run_evaluation import Evaluation, Request, evaluate
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.designs import blocked_anova
from topicset_core.measures import measure_named
from topicset_core.parsing.trec.track import read_track
from topicset_core.samples import simulated_diversity_track
from topicset_core.variance import one_way

POOL, COMPARE = "pages/pool_depth.py", "pages/compare_designs.py"
DEFAULT = ["alpha-nDCG@10", "nERR-IA@10", "D-nDCG@10", "I-rec@10", "D#-nDCG@10"]
AD_HOC = ["AP", "nDCG@10", "P@10", "RR"]
_ANOVA = blocked_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
OTHER = "runs/other-sample"

RUN = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n2 Q0 b 1 9 t\n2 Q0 a 2 8 t\n3 Q0 c 1 9 t\n"
WEB = b"1 1 a 1\n1 2 a 0\n1 1 b 0\n1 2 b 3\n2 1 a 1\n2 2 a 1\n3 1 a 2\n3 2 b 1\n"
LIKELY = b"1 1 0.9\n1 2 0.1\n2 1 0.5\n2 2 0.5\n3 1 0.2\n3 2 0.8\n"
PLAIN = b"1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 a 1\n"


@cache
def _sample() -> JudgedRuns:
    return join(*simulated_diversity_track())


@cache
def _scored() -> Evaluation:
    return evaluate(_sample(), Request(measures=DEFAULT))


def _bring(app: AppTest, **qrels: bytes) -> AppTest:
    return bring(app, {"t.run": RUN}, {f"{name}.txt": content for name, content in qrels.items()})


def _measures(app: AppTest) -> list[str]:
    """The measures chosen in the form."""
    (chosen,) = app.multiselect
    return list(chosen.value)


def _offered(app: AppTest) -> set[str]:
    (chosen,) = app.multiselect
    return set(chosen.options)


def test_the_simulated_task_is_scored_by_measures_of_diversity() -> None:
    app = open_page(RUNS)
    assert "alpha-nDCG@10" not in _offered(app)
    press(app, OTHER)
    assert big_number(app) == float(f"{one_way(_scored().matrices[0]):.4g}")
    assert _measures(app) == DEFAULT
    assert {"graded-nERR-IA@10", "AP"} < _offered(app)
    # Each measure with its definition and source, and the facts on intents.
    assert all(sentence in texts(app) for sentence in _scored().notes)
    assert list(app.dataframe[0].value["measure"]) == DEFAULT
    assert json.loads(app.dataframe[0].proto.columns)["measure"]["width"] == 130  # none is cut off
    press(app, OTHER)
    assert _measures(app) == list(app.dataframe[0].value["measure"]) == AD_HOC


def test_own_judgments_by_intent_are_recognised_scored_and_planned_with() -> None:
    app = _bring(open_app(RUNS), web=WEB)
    assert not errors(app)
    assert _measures(app) == DEFAULT
    judged = read_track([("t.run", RUN)], [("web.txt", WEB)])
    assert all(sentence in texts(app) for sentence in judged.qrels[0].notes)
    (matrix,) = evaluate(judged.judged[0], Request(measures=["alpha-nDCG@10"])).matrices
    assert big_number(app) == float(f"{one_way(matrix):.4g}")
    go(app, ANOVA)
    assert numbers_in(text_of(app, "data-in-use")) == [len(DEFAULT)]


def test_probabilities_of_intents_change_global_gains_and_bad_files_are_named(
    golden: SnapshotAssertion,
) -> None:
    app = _bring(open_page(RUNS), web=WEB)
    before = list(app.dataframe[0].value["mean score"])
    for bad in (b"1 1 0.9\n1 2 0.2\n", b"1 1 1.0\n2 1 1\n3 1 1\n"):
        bring(app, {}, {"likely.txt": bad})
        (error,) = errors(app)
        assert error.startswith("likely.txt")
        assert error == golden
        assert list(app.dataframe[0].value["mean score"]) == before
    bring(app, {}, {"likely.txt": LIKELY})
    assert not errors(app)
    after = list(app.dataframe[0].value["mean score"])
    changed = [name for name, one, other in zip(DEFAULT, before, after, strict=True) if one != other]
    assert changed == ["D-nDCG@10", "D#-nDCG@10"]
    assert "likely.txt" in texts(app)


def test_no_diversity_measure_for_judgments_without_intents(golden: SnapshotAssertion) -> None:
    app = _bring(open_page(RUNS), plain=PLAIN)
    assert _measures(app) == AD_HOC
    assert "D#-nDCG@10" not in _offered(app)
    before = heading(app)
    app.multiselect[0].set_value(["AP", "D#-nDCG@10"])
    finished(press(app, "runs/score"))
    assert errors(app) == golden
    assert heading(app) == before


@pytest.mark.slow
def test_pool_depth_follows_the_judgments_and_keeps_the_users_settings() -> None:
    app = open_app(RUNS)
    press(app, OTHER)
    finished(go(app, POOL))
    assert _measures(app) == DEFAULT
    runs = simulated_diversity_track()[0]
    result = study([_sample()], [measure_named(name) for name in DEFAULT], _ANOVA, runs=runs).most_demanding
    judgments = [one.total_judgments or 0 for one in result]
    assert numbers_in(heading(app).replace(":primary", ""))[1:3] == [min(judgments), max(judgments)]
    finished(press(app, OTHER))
    assert _measures(app) == ["AP", "nDCG", "Q", "nERR"]
    assert not errors(app)
    # The four measures that ad hoc judgments start from are a choice like any other for a diversity task.
    finished(press(app, OTHER))
    app.multiselect[0].set_value(["AP", "nDCG", "Q", "nERR"])
    finished(app.run())
    (table,) = (one.value for one in app.dataframe if "measure" in one.value and "topics" in one.value)
    assert _measures(app) == list(dict.fromkeys(table["measure"])) == ["AP", "nDCG", "Q", "nERR"]
