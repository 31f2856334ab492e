"""The held-out view of the topic subsets page: a preview at once, other scores, other sizes."""

from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import (
    charts,
    errors,
    heading,
    healthy,
    open_page,
    text_of,
    texts,
)
from tests.pages.test_topic_subsets_page import KEY, PAGE
from tests.pages.uploading import with_scores
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve, preview_request
from topicset_core.analyses.topic_subsets.held_out.report import size_sentence
from topicset_core.analyses.topic_subsets.held_out.splits import BothScores
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import simulated_task

AP, NDCG = simulated_task()[:2]
FEW = {"n_splits": "4", "n_starts": "0", "n_trials_of_a_split": "10"}


def held_out(**query: str) -> AppTest:
    return open_page(PAGE, view="held-out", **query)


@cache
def first(request: HeldOutRequest, evaluating: ScoreMatrix | None = None) -> HeldOutCurve:
    few = preview_request(BothScores(AP, evaluating), request, 0.4)
    assert few is not None
    return held_out_curve(AP, few, evaluating=evaluating)


def _n_splits(app: AppTest) -> int:
    """How many splits the preview rests on."""
    return int(numbers_in(text_of(app, "preview"))[0])


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
def test_a_preview_answers_at_once_in_the_words_of_the_core(hold_out: Any) -> None:
    app = held_out(hold_out=hold_out)
    curve = first(HeldOutRequest(hold_out=hold_out, goodness="pearson"))
    assert size_sentence(curve) in text_of(app, "answer")
    assert _n_splits(app) == curve.request.n_splits
    assert set(charts(app)) == {"held-out"}
    assert hold_out in charts(app)["held-out"]["layout"]["title"]["text"]


@pytest.mark.slow
def test_chosen_by_another_goodness_and_judged_by_other_scores() -> None:
    app = held_out(choose_by="kendall", judged_measure=NDCG.measure)
    request = HeldOutRequest(hold_out="runs", goodness="pearson", choose_by="kendall")
    curve = first(request, NDCG)
    assert size_sentence(curve) in text_of(app, "answer")
    assert curve.both.note in texts(app)
    title = charts(app)["held-out"]["layout"]["title"]["text"]
    assert NDCG.measure in title
    assert AP.measure in title
    # Other scores lose the runs that are dropped.
    healthy(app.toggle(key=f"{KEY}/without_worst_quarter").set_value(True).run())
    assert not errors(app)
    assert curve.both.note not in texts(app)
    assert curve.both.note.replace(str(AP.n_systems), "15") in texts(app)


def _with_scores(text: str) -> AppTest:
    """The held-out view on scores of one's own."""
    app = with_scores(PAGE, text)
    return healthy(app.radio(key=f"{KEY}/view").set_value("held-out").run())


@pytest.mark.parametrize(
    ("hold_out", "requested", "shown"),
    [("runs", 50, 25), ("runs", 49, 49), ("topics", 26, 13), ("topics", 25, 25)],
)
def test_a_size_with_a_single_set_is_replaced(hold_out: str, requested: int, shown: int) -> None:
    app = held_out(**FEW | {"hold_out": hold_out, "cardinality": str(requested)})
    assert shown in numbers_in(heading(app))
    assert numbers_in(text_of(app, "other-size")) == ([requested, 50, shown] if requested != shown else [])


def test_too_few_runs_are_refused(golden: SnapshotAssertion) -> None:
    app = _with_scores("topic,x,y\n1,0.1,0.2\n2,0.3,0.3\n3,0.2,0.5\n")
    assert not text_of(app, "answer")
    assert text_of(app, "refusal") == golden
