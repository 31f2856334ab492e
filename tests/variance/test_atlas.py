"""The atlas: its rows from the public scores, and what a similar task is worth."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from scipy import optimize

from tests.variance.atlas_scores import Floats, atlas_scores, rows_with_scores
from tests.variance.matrices import of, part
from tests.words import numbers_in
from topicset_core.analyses.score_variance.report import variances_of, variances_table
from topicset_core.analyses.score_variance.uncertainty import (
    disagreement_with,
    rankings,
    variance_uncertainty,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import blocked_anova
from topicset_core.errors import InputError
from topicset_core.parameters import DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE
from topicset_core.variance import TWO_WAY, one_way, two_way
from topicset_core.variance import atlas as module
from topicset_core.variance.atlas import (
    BETWEEN,
    CHOICE,
    FAMILIES,
    SOURCES,
    WITHIN,
    TaskVariance,
    atlas,
    effective_df,
    factor_of,
    is_shallow,
    public_range,
    relative_variance,
    share_within,
    similar_task,
)
from topicset_core.variance.components import Components
from topicset_core.variance.intervals import chi_square_interval
from topicset_core.variance.sums_of_squares import mean_squares

CAUTION, LEVEL = 0.6, WITHIN


def log_ratios(kind: str, depth: str, rows: Iterable[TaskVariance]) -> list[tuple[TaskVariance, float]]:
    """The log of each collection's variance over the median of its sisters, judged by people."""
    families: dict[tuple[str, str], list[TaskVariance]] = {}
    for row in rows:
        if row.judge == "people" and is_shallow(row.measure) == (depth == "shallow"):
            families.setdefault((row.family, row.measure), []).append(row)
    result = []
    for group in families.values():
        for row in group if len(group) > 2 else []:
            sisters = [getattr(one, kind) for one in group if one is not row]
            result.append((row, math.log(getattr(row, kind) / statistics.median(sisters))))
    return result


def df_of(ratios: Sequence[float]) -> float:
    nearest = float(np.quantile(np.abs(ratios), LEVEL))
    log_df = optimize.brentq(lambda one: share_within(math.exp(one), nearest) - LEVEL, -1, 12)
    return CAUTION * math.exp(log_df)


@pytest.mark.parametrize(("kind", "depth"), BETWEEN)
def test_worth_of_a_similar_task_from_the_rows(kind: str, depth: str) -> None:
    df = df_of([ratio for _, ratio in log_ratios(kind, depth, atlas())])
    assert BETWEEN[kind, depth] == pytest.approx(df, rel=1e-3)  # four digits are kept


def test_factor_against_the_chi_square_distribution() -> None:
    """By 200,000 draws, whose share within the factor has a standard error of .0009; five of these are allowed."""
    draws = np.random.default_rng(0).chisquare(32.8, 200_000) / 32.8
    factor = factor_of(32.8)
    assert np.mean(np.abs(np.log(draws)) <= math.log(factor)) == pytest.approx(WITHIN, abs=0.0045)
    assert share_within(32.8, math.log(factor)) == pytest.approx(WITHIN, abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "depth", "cases", "others", "other_families"),
    [
        # Of 100 collections left out, those within their 80 % interval: the figures in the docstring of the atlas.
        ("one_way", "shallow", 54, 87, 85),
        ("one_way", "deep", 37, 81, 59),
        ("two_way", "shallow", 54, 91, 91),
        ("two_way", "deep", 37, 86, 84),
        ("one_way_top_half", "shallow", 54, 85, 81),
        ("one_way_top_half", "deep", 37, 92, 70),
        ("two_way_top_half", "shallow", 54, 91, 83),
        ("two_way_top_half", "deep", 37, 86, 97),
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
@pytest.mark.parametrize(
    "row", rows_with_scores(from_runs=False), ids=lambda row: f"{row.task} {row.measure}"
)
def test_rows_from_public_matrices(row: TaskVariance) -> None:
    check(row, of(atlas_scores(row)))


@pytest.mark.slow
@pytest.mark.reference_data
def test_rows_of_deep_learning_2019_from_runs_and_judgments() -> None:
    rows = [one for one in rows_with_scores() if one.task == "DL 2019 passages"]
    assert len(rows) == 15
    for row in rows:
        check(row, of(atlas_scores(row)))


def relative_variances(scores: Floats) -> dict[str, tuple[float, ...]]:
    """z, z_1 and z_2 of a matrix without runs that repeat another one, by sums over its pairs of pairs."""
    scores = np.unique(scores, axis=1)
    m, within = scores.shape[1], np.var(scores, axis=0, ddof=1)
    differences = scores[:, :, None] - scores[:, None, :]
    half = np.var(differences, axis=0, ddof=1) / 2
    mean = half.sum() / (m * (m - 1))
    # Each mean over different systems: pairs with one in common, and pairs with none.
    touching = float((half.sum(axis=0) ** 2 - np.square(half).sum(axis=0)).sum())
    squared = float(np.square(half).sum())
    in_common = touching / (m * (m - 1) * (m - 2))
    apart = (half.sum() ** 2 - 4 * touching - 2 * squared) / (m * (m - 1) * (m - 2) * (m - 3))
    pairs = squared / (m * (m - 1))
    return {
        "one_way": (float(np.var(within, ddof=1) / within.mean() ** 2),),
        "two_way": ((in_common - apart) / mean**2, (pairs - apart) / mean**2),
    }


@pytest.mark.slow
@pytest.mark.reference_data
def test_choice_of_systems_from_public_matrices() -> None:
    """The largest of 24 matrices; three digits are kept."""
    scores = [
        (one.measure, atlas_scores(one)) for one in rows_with_scores() if one.family != "dl-passage-grade2"
    ]
    assert len(scores) == 24
    largest: dict[tuple[str, str], tuple[float, ...]] = {}
    for measure, every in scores:
        distinct = np.unique(every, axis=1)
        means = distinct.mean(axis=0)
        for half, part_of in (("", every), ("_top_half", distinct[:, means >= np.median(means)])):
            for kind, found in relative_variances(part_of).items():
                key = f"{kind}{half}", "shallow" if is_shallow(measure) else "deep"
                largest[key] = tuple(map(max, zip(found, largest.get(key, found), strict=True)))
    assert largest.keys() == CHOICE.keys()
    for key, values in largest.items():
        assert CHOICE[key] == pytest.approx(values, rel=2e-3), key


@pytest.mark.parametrize("m", [2, 3, 10])
def test_choice_of_systems_against_all_choices(m: int) -> None:
    """Variances of pairs and systems that are drawn for each set: of 40,000 sets, to five standard errors.

    A system's residuals have a variance a; the half variance of a difference is (a_i + a_j) / 2, so that z_1 is a
    quarter of the relative variance of a, and z_2 one half.
    """
    rng = np.random.default_rng(m)
    a = rng.gamma(4, 0.25, (40_000, m))  # mean 1, variance 1/4
    found = float(a.mean(axis=1).var())
    error = found * math.sqrt(
        (2 + 1.5) / 40_000
    )  # of a variance; the excess kurtosis of gamma(4) is 1.5 at most
    assert relative_variance((1 / 16, 1 / 8), m) == pytest.approx(found, abs=5 * error)
    assert relative_variance((1 / 4,), m) == pytest.approx(found, abs=5 * error)


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
    """Five collections with .02086, .02413, .02160, .02399, .02248: sorted by hand; strong runs likewise."""
    found = similar_task("dl-passage:ndcg@10", RESIDUAL_VARIANCE)
    assert (found.median, found.low, found.high) == (0.02248, 0.02086, 0.02413)
    assert found.collections[2] == "DL 2023 passages"
    assert found.worth_in_topics == 86
    strong = similar_task("dl-passage:ndcg@10", RESIDUAL_VARIANCE, runs="stronger-half")
    assert (strong.median, strong.low, strong.high) == (0.01233, 0.00736, 0.0165)
    assert [strong.ratio, found.ratio] == pytest.approx([0.01233 / 0.02248] * 2, rel=1e-12)
    assert "stronger half of the runs: 0.0123, 0.55 times as much" in found.sentence
    assert "all runs: 0.0225, 1.8 times as much" in strong.sentence
    assert "all runs" in found.source
    assert "stronger half of the runs" in strong.source
    assert similar_task("dl-passage:nDCG@10", DIFFERENCE_VARIANCE).median == 2 * found.median
    assert similar_task("news:AP", WITHIN_SYSTEM_VARIANCE).worth_in_topics == 5
    assert "too few to plan with" in similar_task("news:AP", WITHIN_SYSTEM_VARIANCE).sentence


def test_runs_that_hardly_differ_are_not_told() -> None:
    """RR of TREC Web: .097 of all runs, .090 of the stronger half, by the rows."""
    found = similar_task("web:RR", RESIDUAL_VARIANCE)
    assert 0.9 < found.ratio < 1
    assert "times as much" not in found.sentence


def test_fewer_systems_tell_less() -> None:
    """By hand: S_10 = 2 (16 .0846 + .329) / 90 = .03739, nu = 1 / (1 / 85.11 + .03739 / 2) = 32.8."""
    worth = [
        similar_task("dl-passage:nDCG@10", RESIDUAL_VARIANCE, n_systems=m).worth_in_topics
        for m in (2, 3, 5, 10, 20, 1000)
    ]
    assert worth == sorted(worth)
    ten = similar_task("dl-passage:nDCG@10", RESIDUAL_VARIANCE, n_systems=10)
    assert ten.effective_df == pytest.approx(32.8, abs=0.05)
    assert ten.worth_in_topics == 33
    assert "tells as much as a pilot of 33 topics for 10 systems" in ten.sentence
    assert effective_df("two_way", "RR") == BETWEEN["two_way", "shallow"]


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


def caution(measure: str, mean: float, variance: float, *, df: float = 200, n_systems: int = 100) -> str:
    """What is told of a variance with these degrees of freedom."""
    interval = chi_square_interval(variance, df)
    return module.caution(measure, mean, variance, interval, n_systems)


def test_scores_at_their_ceiling_are_told() -> None:
    """RR of DL 2022 by GPT-4, by the rows: .0218 against .0417 (all runs) to .119 (strong ones), mean .952."""
    (row,) = [
        one for one in atlas() if (one.judge, one.task, one.measure) == ("GPT-4", "DL 2022 passages", "RR")
    ]
    text = caution("RR", row.mean, row.two_way)
    interval = chi_square_interval(row.two_way, 200)
    ends = [float(f"{end:.2g}") for end in (interval.low, interval.high)]
    assert numbers_in(text.removesuffix(module.CAUTION_NOTE)) == [15, 0.022, *ends, 0.042, 0.12, 0.95]
    assert text.endswith(f"is near the ceiling. {module.CAUTION_NOTE}")
    # Of fewer topics the interval reaches the range: 5 / 1.145 (the 5th percentile of chi^2_5) is 4.4.
    assert not caution("RR", row.mean, row.two_way, df=5)
    assert not caution("RR", row.mean, row.two_way, n_systems=4)
    assert not caution("a measure of one's own", row.mean, row.two_way)


def test_public_range_in_the_table_of_variances() -> None:
    """nDCG@10 of five collections: .00736 to .0165 of the stronger halves, .02086 to .02413 of all runs."""
    assert public_range("nDCG@10") == (0.00736, 0.02413)
    assert public_range("a measure of one's own") is None
    scores = np.random.default_rng(0).random((20, 6))
    table = variances_table([variances_of(of(scores, name)) for name in ("nDCG@10", "ours")])
    assert table["σ² two-way, public collections"] == ["0.00736 to 0.0241", ""]


def test_strong_runs_are_compared_with_strong_runs() -> None:
    """nDCG@10: .00736 is the least of the stronger halves, .0209 of all runs; no mean is above .62."""
    assert not caution("nDCG@10", 0.7, 0.00736)
    assert "is low" in caution("nDCG@10", 0.7, 0.003)
    assert "ceiling" not in caution("nDCG@10", 0.7, 0.003)
    assert "ceiling" in caution("nDCG@10", 0.92, 0.00736)
    assert "is high" in caution("nDCG@10", 0.92, 0.05)
    assert "ceiling" not in caution("nDCG@10", 0.92, 0.05)


@pytest.mark.parametrize("n_topics", [25, 50])
def test_scores_at_a_simulated_ceiling_are_told(n_topics: int) -> None:
    """P@10 of 10 systems with a mean of .95: topics with 10 relevant documents, of which each finds a share.

    All of 40 pilots; by 400 pilots with other seeds it is at least .99.
    """
    rng = np.random.default_rng(n_topics)
    told = 0
    for _ in range(40):
        share = np.broadcast_to(rng.beta(19, 1, (n_topics, 1)), (n_topics, 10))
        (ranking,) = rankings([of(rng.binomial(10, share) / 10, "P@10")])
        told += "near the ceiling" in ranking.caution
    assert told >= 38


def test_few_collections_of_people_are_told_to_be_unusual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each collection left out of the atlas, where five or more have the measure: none of 97; 11 were before."""
    rows = [one for one in atlas() if one.judge == "people"]
    by_measure = Counter(one.measure for one in rows)
    cases = [one for one in rows if by_measure[one.measure] >= 5]
    found = []
    for left_out in cases:
        others = tuple(one for one in rows if one.task != left_out.task)
        monkeypatch.setattr(module, "atlas", lambda others=others: others)
        df, m = left_out.topics - 1, left_out.runs
        found += [caution(left_out.measure, left_out.mean, left_out.two_way, df=df, n_systems=m)]
    assert (sum(map(bool, found)), len(cases)) == (0, 97)
