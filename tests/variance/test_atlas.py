"""The atlas: its rows from the public scores, and what a similar task is worth."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, special

from tests.reference_data import reference_file, reference_matrix
from tests.variance.matrices import of, part
from tests.words import numbers_in
from topicset_core.analyses.score_variance.uncertainty import (
    STABILITY,
    disagreement_with,
    variance_uncertainty,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import join
from topicset_core.designs import blocked_anova
from topicset_core.errors import InputError
from topicset_core.measures.conventions import Conventions
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.registry import measure_named
from topicset_core.parameters import DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_run
from topicset_core.variance import TWO_WAY, one_way, two_way
from topicset_core.variance import atlas as module
from topicset_core.variance.atlas import FAMILIES, PRIORS, SOURCES, TaskVariance, atlas, similar_task
from topicset_core.variance.components import Components
from topicset_core.variance.sums_of_squares import mean_squares

CAUTION, LEVEL = 0.6, 0.80


def log_ratios(kind: str, depth: str, rows: Iterable[TaskVariance]) -> list[tuple[TaskVariance, float]]:
    """The log of each collection's variance over the median of its sisters, judged by people."""
    families: dict[tuple[str, str], list[TaskVariance]] = {}
    for row in rows:
        if row.judge == "people" and module.is_shallow(row.measure) == (depth == "shallow"):
            families.setdefault((row.family, row.measure), []).append(row)
    result = []
    for group in families.values():
        for row in group if len(group) > 2 else []:
            sisters = [getattr(one, kind) for one in group if one is not row]
            result.append((row, math.log(getattr(row, kind) / statistics.median(sisters))))
    return result


def share_within(df: float, log_factor: float) -> float:
    """Pr{ |log chi^2_nu / nu| <= log_factor }."""
    half = df / 2
    high, low = (special.gammainc(half, half * math.exp(sign * abs(log_factor))) for sign in (1, -1))
    return float(high - low)


def df_of(ratios: Sequence[float]) -> float:
    nearest = float(np.quantile(np.abs(ratios), LEVEL))
    log_df = optimize.brentq(lambda one: share_within(math.exp(one), nearest) - LEVEL, -1, 12)
    return CAUTION * math.exp(log_df)


@pytest.mark.parametrize(("kind", "depth"), PRIORS)
def test_worth_of_a_similar_task_from_the_rows(kind: str, depth: str) -> None:
    df, factor = PRIORS[kind, depth]
    assert df == pytest.approx(df_of([ratio for _, ratio in log_ratios(kind, depth, atlas())]), rel=1e-3)
    # The factor is printed with two decimals
    assert share_within(df, math.log(factor)) == pytest.approx(LEVEL, abs=0.01)


@pytest.mark.parametrize(
    ("kind", "depth", "cases", "others", "other_families"),
    [
        # Of 100 collections left out, those within their 80 % interval: the figures in the docstring of the atlas.
        ("one_way", "shallow", 54, 87, 85),
        ("one_way", "deep", 37, 81, 59),
        ("two_way", "shallow", 54, 91, 91),
        ("two_way", "deep", 37, 86, 84),
    ],
)
def test_coverage_of_collections_left_out(
    kind: str, depth: str, cases: int, others: int, other_families: int
) -> None:
    every = log_ratios(kind, depth, atlas())
    assert len(every) == cases
    for name, expected in (("task", others), ("family", other_families)):
        within = 0
        for left_out in {getattr(row, name) for row, _ in every}:
            rest = [row for row in atlas() if getattr(row, name) != left_out]
            df = df_of([ratio for _, ratio in log_ratios(kind, depth, rest)])
            within += sum(
                share_within(df, ratio) <= LEVEL for row, ratio in every if getattr(row, name) == left_out
            )
        assert round(100 * within / cases) == expected


# Matrices of ../shared/data by collection and measure, and their rows.
MATRICES = {
    ("TREC-3 ad hoc", "AP"): ("trec3_adhoc_ap", 0),
    ("TREC-8 ad hoc", "AP"): ("trec8_adhoc_ap", 0),
    ("TREC-8 ad hoc", "P@10"): ("trec8_adhoc_p10", 0),
    ("TREC-8 ad hoc", "RR"): ("trec8_adhoc_rr", 0),
    ("Robust 2003, topics 601-650", "AP"): ("robust2003_ap", -50),
    ("Robust 2004, topics 651-700", "AP"): ("robust2004_ap", -49),
    ("Robust 2004, topics 651-700", "P@10"): ("robust2004_p10", -49),
    ("Million Query 2007, 26 best runs", "statAP"): ("mq2007_top26_statap", 0),
} | {
    (f"Web {year}", measure): (f"web{year}_{file}", 0)
    for year in (2011, 2012)
    for measure, file in (("AP", "ap"), ("P@10", "p10"), ("nDCG@20", "ndcg20"))
}


def check(row: TaskVariance, matrix: ScoreMatrix) -> None:
    """Compare a row with scores; five decimals are in the file."""
    means = matrix.scores.mean(axis=0)
    top = part(matrix, slice(None), list(means >= np.median(means)))
    components = Components.from_mean_squares(mean_squares(matrix))
    assert (row.topics, row.runs) == matrix.scores.shape
    assert [
        row.mean, row.one_way, row.two_way, row.one_way_top_half, row.two_way_top_half, row.system_variance,
        row.topic_variance,
    ] == pytest.approx(
        [
            matrix.scores.mean(), one_way(matrix), two_way(matrix), one_way(top), two_way(top), components.system,
            components.topic,
        ],
        abs=5.1e-6,
    )  # fmt: skip


@pytest.mark.reference_data
@pytest.mark.parametrize(("task", "measure"), MATRICES)
def test_rows_from_public_matrices(task: str, measure: str) -> None:
    (row,) = [one for one in atlas() if (one.task, one.measure) == (task, measure)]
    name, first = MATRICES[task, measure]
    check(row, part(reference_matrix(name), slice(first, None)))


@pytest.mark.slow
@pytest.mark.reference_data
def test_rows_of_deep_learning_2019_from_runs_and_judgments() -> None:
    folder = reference_file("trec", "dl2019-passage", "qrels.txt").parent
    qrels = read_qrels("qrels.txt", (folder / "qrels.txt").read_bytes()).qrels
    runs = [read_run(path.name, path.read_bytes()).run for path in sorted((folder / "runs").iterdir())]
    judged = GradedRuns(join(runs, qrels))
    rows = [one for one in atlas() if one.source == "Parry-Parry/sigir25-annotation"]
    assert len(rows) == 15
    for row in rows:
        level = int(row.conventions[-1]) if row.conventions.startswith("relevant") else 1
        measure = measure_named(row.measure, Conventions(relevance_level=level))
        check(row, of(measure.scores_of(judged)))


def test_rows() -> None:
    rows = atlas()
    assert len(rows) == 148
    keys = {(row.family, row.task, row.measure) for row in rows}
    assert len(keys) == len(rows)
    assert {row.family for row in rows} == FAMILIES.keys()
    assert {row.source for row in rows} == SOURCES.keys()
    assert not [row for row in rows if row.measure.startswith(("ERR", "nERR"))]
    for row in rows:
        # Means square about the mean of runs: system, topic and residual variance make the one-way variance.
        assert row.one_way == pytest.approx(row.two_way + row.topic_variance, rel=0.01, abs=3e-5)


def test_similar_task_against_the_rows() -> None:
    """Five collections with .02086, .02413, .02160, .02399, .02248: sorted by hand."""
    found = similar_task("dl-passage:ndcg@10", RESIDUAL_VARIANCE)
    assert (found.median, found.low, found.high) == (0.02248, 0.02086, 0.02413)
    assert found.collections[2] == "DL 2023 passages"
    assert (found.worth_in_topics, found.factor) == (86, 1.22)
    assert similar_task("dl-passage:nDCG@10", DIFFERENCE_VARIANCE).median == 2 * found.median
    assert similar_task("news:AP", WITHIN_SYSTEM_VARIANCE).worth_in_topics == 5
    assert "too few to plan with" in similar_task("news:AP", WITHIN_SYSTEM_VARIANCE).sentence


@pytest.mark.parametrize(
    ("name", "offered"), [("dl-passage:ERR@20", "dl-passage:nDCG@10"), ("cats:AP", "news"), ("", "web")]
)
def test_unknown_tasks_are_refused_with_those_that_exist(name: str, offered: str) -> None:
    with pytest.raises(InputError, match=offered):
        similar_task(name, WITHIN_SYSTEM_VARIANCE)


def test_pilot_and_prior_together() -> None:
    """The posterior on a grid of sigma^2, by Bayes' theorem from the two densities."""
    v0, df0, v, df = 0.02, 80.0, 0.035, 12.0
    grid = np.linspace(1e-3, 0.2, 200_001)
    log_density = -(df0 / 2 + 1) * np.log(grid) - df0 * v0 / (2 * grid)  # prior: scaled inverse chi^2
    log_density += -df / 2 * np.log(grid) - df * v / (2 * grid)  # likelihood of the pilot's v
    density = np.exp(log_density - log_density.max())
    mean = float((grid * density).sum() / density.sum())
    variance, total = module.combined(v0, df0, v, df)
    assert mean == pytest.approx(
        variance * total / (total - 2), rel=1e-6
    )  # the mean of a scaled inverse chi^2
    assert not module.disagree(v0, df0, v, df)
    assert module.disagree(0.02, 80, 0.06, 12)


def test_scores_unlike_a_similar_task_are_told() -> None:
    """A ratio of 4 is beyond the 97.5th percentile of F(50, 85), 1.6, and of any F with 10 and more."""
    similar = similar_task("dl-passage:nDCG@10", RESIDUAL_VARIANCE)
    scores = np.random.default_rng(0).normal(0.5, 1, (60, 20))
    plan = blocked_anova.DESIGN.plan(alpha=0.05, beta=0.20, min_d=0.1, n_systems=10)
    for variance, is_told in ((similar.median, False), (4 * similar.median, True)):
        pilot = variance_uncertainty([of(scores * variance**0.5, "nDCG@10")], plan, estimate=TWO_WAY)
        text = disagreement_with(similar, pilot)
        assert bool(text) == is_told
        assert not is_told or f"{pilot.variance:.3g}" in text


def _components(row: TaskVariance) -> Components:
    return Components(
        system=row.system_variance,
        topic=row.topic_variance,
        residual=row.two_way,
        n_systems=row.runs,
        n_topics=row.topics,
    )


def test_scores_at_their_ceiling_are_told() -> None:
    """RR of DL 2022 judged by GPT-4, by the rows: .0218 against .0417 to .109, .0014 against .0073 to .0375."""
    (row,) = [
        one for one in atlas() if (one.judge, one.task, one.measure) == ("GPT-4", "DL 2022 passages", "RR")
    ]
    text = module.caution("RR", row.mean, _components(row))
    assert numbers_in(text) == [15, 0.022, 0.042, 0.11, 0.0014, 0.0073, 0.038, 0.95]
    assert _components(row).topics_for(STABILITY) == 305  # 304 by scores that are not rounded
    assert not module.caution("RR", row.mean, replace(_components(row), n_systems=4))
    assert not module.caution("a measure of one's own", row.mean, _components(row))


def test_few_collections_of_people_are_told_to_be_unusual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each collection left out of the atlas, where five or more have the measure: 11 of 97."""
    rows = [one for one in atlas() if one.judge == "people"]
    by_measure = Counter(one.measure for one in rows)
    cases = [one for one in rows if by_measure[one.measure] >= 5]
    found = []
    for left_out in cases:
        others = tuple(one for one in rows if one.task != left_out.task)
        monkeypatch.setattr(module, "atlas", lambda others=others: others)
        found.append(module.caution(left_out.measure, left_out.mean, _components(left_out)))
    assert (sum(map(bool, found)), len(cases)) == (11, 97)
