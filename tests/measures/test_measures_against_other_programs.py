"""Scores against trec_eval (its code, outputs, and what NIST published) and NTCIREVAL (its Python port)."""

import csv
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.measures.plain_reader import (
    Judgments,
    collection,
    judged,
    judgments_of,
    qrels_of,
    ranked,
    run_of,
    scores_of,
)
from tests.reference_data import reference_file
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.measures import Conventions, measure_named
from topicset_core.measures.binary import RBP
from topicset_core.measures.conventions import SAKAI

pytestmark = pytest.mark.reference_data

NAMES = (
    *("map", "Rprec", "bpref", "infAP", "recip_rank", "ndcg"),
    *(f"{name}_{depth}" for name in ("P", "recall", "map_cut", "ndcg_cut") for depth in (5, 10, 100, 1000)),
    *("success_1", "success_5", "success_10"),
)
SAME = 1e-12  # as the requirement has it; most agree to the last bit, as sums run in the same order
HALF_4TH = 5e-5 + 1e-12  # half of the last printed digit, and the rounding of that


def evaluated(judgments: Judgments, runs: Mapping[str, Any], level: int) -> dict[str, Any]:
    import pytrec_eval

    families = {name.rstrip("0123456789").rstrip("_") for name in NAMES}
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, families, relevance_level=level)
    return {tag: evaluator.evaluate(scores) for tag, scores in runs.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level"), [("robust2003", 1), ("dl2019-passage", 2)])
def test_every_run_against_pytrec_eval(name: str, level: int) -> None:
    runs, judgments = collection(name)
    together = judged(name)
    assert (together.n_topics, together.n_systems) == ((100, 17) if name == "robust2003" else (43, 37))
    theirs = evaluated(judgments, runs, level)
    for measure in NAMES:
        scores = measure_named(measure, Conventions(relevance_level=level)).scores(together)
        expected = [[theirs[run][topic][measure] for run in together.systems] for topic in together.topics]
        np.testing.assert_allclose(scores, expected, rtol=0, atol=SAME, equal_nan=False, err_msg=measure)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_incomplete_judgments_against_pytrec_eval(share: float) -> None:
    """A part of the judgments becomes -1 and another is taken away; grades above 1 stay in."""
    runs, judgments = collection("dl2019-passage")
    rng = np.random.default_rng(4)
    cut = {
        topic: {
            document: -1 if draw < share else grade
            for (document, grade), draw in zip(grades.items(), rng.random(len(grades)), strict=True)
            if draw < 1 - share / 5
        }
        for topic, grades in judgments.items()
    }
    some = dict(list(runs.items())[::6])
    theirs = evaluated(cut, some, 2)
    together = join((run_of(ranked(scores), tag) for tag, scores in some.items()), qrels_of(cut))
    for measure in NAMES:
        scores = measure_named(measure, Conventions(relevance_level=2)).scores(together)
        expected = [[theirs[run][topic][measure] for run in some] for topic in cut]
        np.testing.assert_allclose(scores, expected, rtol=0, atol=SAME, equal_nan=False, err_msg=measure)


def regression_run(run: str, qrels: str) -> JudgedRuns:
    scores = scores_of(reference_file("trec", "trec_eval_test", "runs", f"{run}.gz"))
    return join(
        [run_of(ranked(scores), run)],
        qrels_of(judgments_of(reference_file("trec", "trec_eval_test", f"{qrels}.txt"))),
    )


def outputs(file: str) -> dict[tuple[str, str], float]:
    """Values by measure and topic; means have the topic "all"."""
    text = reference_file("trec", "trec_eval_test", file).read_text()
    rows = (line.split() for line in text.splitlines())
    texts = ("runid", "relstring")
    return {(name, topic): float(value) for name, topic, value in rows if not name.startswith(texts)}


@pytest.mark.parametrize(
    ("file", "run", "qrels", "level"),
    [
        ("expected_all_trec_per_topic.txt", "STANDARD", "qrels", 1),
        ("expected_all_trec_per_topic_graded_level2.txt", "STANDARD", "qrels_graded_incomplete", 2),
        ("expected_all_trec_per_topic_truncated_c.txt", "STANDARD_truncated", "qrels", 1),
    ],
)
def test_regression_outputs_of_trec_eval(file: str, run: str, qrels: str, level: int) -> None:
    together = regression_run(run, qrels)
    expected = outputs(file)
    assert together.topics == ("301", "302", "303")
    assert together.missing_topics == ((("302",) if run == "STANDARD_truncated" else ()),)
    for measure in NAMES:
        scores = measure_named(measure, Conventions(relevance_level=level)).scores(together)[:, 0]
        assert scores.mean() == pytest.approx(expected[measure, "all"], abs=HALF_4TH), measure
        for topic, score in zip(together.topics, scores, strict=True):
            assert score == pytest.approx(expected[measure, topic], abs=HALF_4TH), (measure, topic)
    for depth in (5, 10, 20):
        # trec_eval means the shares of topics; all have these depths, so ours of all documents is that.
        shares = together.unjudged_shares(depth) * np.count_nonzero(together.n_retrieved) / 3
        assert shares[0] == pytest.approx(expected[f"unj_{depth}", "all"], abs=HALF_4TH)


@pytest.mark.parametrize(
    "file", ["expected_all_trec_per_topic.txt", "expected_all_trec_per_topic_truncated_c.txt"]
)
def test_rbp_and_residual_against_trec_eval(file: str) -> None:
    """trec_eval's p is .9, and its gains are grades; only with binary grades is that our RBP."""
    together = regression_run("STANDARD_truncated" if "truncated" in file else "STANDARD", "qrels")
    measure = RBP(persistence=0.9)
    scores, residuals = measure.scores(together)[:, 0], measure.residuals(together)[:, 0]
    expected = outputs(file)
    for row, topic in enumerate(together.topics):
        assert scores[row] == pytest.approx(expected["rbp", topic], abs=HALF_4TH)
        if topic in together.missing_topics[0]:
            assert residuals[row] == 1  # trec_eval prints 0, but nothing is known of this topic
        else:
            assert residuals[row] == pytest.approx(expected["rbp_resid", topic], abs=HALF_4TH)


@pytest.mark.slow
def test_robust_2003_against_the_means_published_by_nist() -> None:
    """To the printed digits; NIST averaged scores that trec_eval had printed, of 4 digits a topic."""
    with reference_file("published", "robust2003_nist_means.csv").open(newline="") as file:
        published = {row["run"]: row for row in csv.DictReader(file)}
    together = judged("robust2003")
    for column in ("map", "Rprec", "P_100"):
        printed = measure_named(column).scores(together).round(4)
        expected = [float(published[run][column]) for run in together.systems]
        assert printed.mean(axis=0) == pytest.approx(np.array(expected), abs=HALF_4TH, rel=0)


if TYPE_CHECKING:
    from pyNTCIREVAL import Labeler

# Theirs multiply and add in another order: a few units in the last place of 1.
LAST_DIGITS = 1e-13


def levels(judgments: Judgments, topic: str) -> "Labeler":
    """Grades as L-levels; -1 has no level, as NTCIREVAL leaves out unjudged documents."""
    from pyNTCIREVAL import Labeler

    return Labeler({document: grade for document, grade in judgments[topic].items() if grade >= 0})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "gains", "depth", "every"),
    [
        ("robust2003", [1, 3], 10, (8, 4)),
        ("robust2003", [1, 3], 100, (16, 4)),
        ("dl2019-passage", [1, 3, 7], 10, (8, 4)),
        ("dl2019-passage", [1, 3, 7], 1000, (25, 16)),
    ],
)
def test_sakai_2016_conventions(name: str, gains: list[int], depth: int, every: tuple[int, int]) -> None:
    from pyNTCIREVAL import metrics

    runs, judgments = collection(name)
    together = judged(name)
    # Some topics of some runs: theirs takes a quarter of a second for a list of 1000 documents.
    rows, columns = range(0, together.n_topics, every[0]), range(0, together.n_systems, every[1])
    names = {metrics.AP: "AP", metrics.QMeasure: "Q", metrics.MSnDCG: "nDCG", metrics.nERR: "nERR"}
    scores = {name: measure_named(f"{name}@{depth}", SAKAI).scores(together) for name in names.values()}
    compared = 0
    for column in columns:
        run = runs[together.systems[column]]
        rankings = ranked({together.topics[row]: run[together.topics[row]] for row in rows})
        for row in rows:
            labeler = levels(judgments, together.topics[row])
            labelled = labeler.label(rankings[together.topics[row]][:depth])
            counts = labeler.compute_per_level_doc_num(len(gains) + 1)
            for metric, ours in names.items():
                blend = (1.0,) if metric is metrics.QMeasure else ()
                theirs = metric(counts, gains, *blend, depth).compute(labelled)
                assert scores[ours][row, column] == pytest.approx(theirs, abs=LAST_DIGITS)
                compared += theirs > 0
    assert compared > 20
