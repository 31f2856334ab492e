"""Audits against plain Python and scipy, and at uniform percentiles where the subset is random."""

import itertools
from typing import Any

import numpy as np
import pytest
import scipy
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.held_out.plain_halves import plain_against
from tests.analyses.topic_subsets.plain import matrix_of, plain_goodness, random_matrix
from topicset_core.analyses.topic_subsets.by_measure import criterion_for, criterion_of
from topicset_core.analyses.topic_subsets.goodness import MEASURES, Goodness
from topicset_core.analyses.topic_subsets.held_out import audit as audit_module
from topicset_core.analyses.topic_subsets.held_out.audit import (
    audit_subset,
    percentile_of,
    placed,
    ranking_of,
)
from topicset_core.analyses.topic_subsets.held_out.splits import BothScores, materials_of, split_number
from topicset_core.analyses.topic_subsets.request import AuditRequest
from topicset_core.errors import InputError

GOODNESS: tuple[Goodness, ...] = ("pearson", "kendall", "error-rate")
MATRIX = random_matrix(9, 10, seed=41)
CHOSEN = ("t7", "t1", "t4")
FEW: dict[str, Any] = {"n_splits": 6, "n_starts": 4, "n_trials": 50}


def test_the_place_among_all_subsets_against_plain_enumeration() -> None:
    result = audit_subset(MATRIX, AuditRequest(topics=CHOSEN, **FEW))
    assert result.topics == ("t1", "t4", "t7")
    for measure in MEASURES:
        sign = 1 if measure.higher_is_better else -1
        values = np.array(
            [
                plain_goodness(MATRIX.scores, topics, measure.key)
                for topics in itertools.combinations(range(9), 3)
            ],
            dtype=float,
        )
        own = plain_goodness(MATRIX.scores, (1, 4, 7), measure.key)
        assert own is not None
        one = result.by(measure.key)
        assert one.value == pytest.approx(own, abs=1e-12)
        assert (one.all_subsets, one.n_compared, one.percentile_standard_error) == (True, 84, 0)
        share = np.mean(sign * (own - values) > 1e-9) + np.mean(np.abs(own - values) <= 1e-9) / 2
        assert one.percentile == pytest.approx(100 * share, abs=1e-9)
        assert one.average == pytest.approx(values.mean(), abs=1e-12)
        assert one.best is not None
        assert one.worst is not None
        assert one.best.value == pytest.approx(sign * (sign * values).max(), abs=1e-12)
        assert one.worst.value == pytest.approx(sign * (sign * values).min(), abs=1e-12)
        assert one.best.status == "exhaustive"


@pytest.mark.parametrize("goodness", GOODNESS)
def test_held_out_goodness_is_that_on_the_halves(goodness: Goodness) -> None:
    result = audit_subset(MATRIX, AuditRequest(topics=CHOSEN, seed=3, units=tuple(range(10)), **FEW))
    materials = materials_of(BothScores(MATRIX), result.request.on_halves("pearson"))
    sign = -1 if goodness == "error-rate" else 1
    values, reversed_share, changes, kept = [], [], [], []
    for number in range(6):
        half = MATRIX.scores[:, split_number(materials, number).evaluated_on].round(2)
        x, y = half[[1, 4, 7]].sum(axis=0).round(9), half.sum(axis=0).round(9)
        value = plain_against(x, y, goodness)
        assert value is not None
        values.append(sign * value)
        pairs = [(i, j) for i, j in itertools.combinations(range(len(x)), 2) if y[i] != y[j]]
        reversed_share.append(
            np.mean([0.5 if x[i] == x[j] else (x[i] - x[j]) * (y[i] - y[j]) < 0 for i, j in pairs])
        )
        changes.append(np.abs(scipy.stats.rankdata(-x) - scipy.stats.rankdata(-y)).max())
        kept.append(bool(set(np.flatnonzero(x == x.max())) & set(np.flatnonzero(y == y.max()))))
    one = result.by(goodness)
    assert one.held_out is not None
    assert one.held_out.mean == pytest.approx(np.mean(values), abs=1e-12)
    assert result.halves.share_reversed is not None
    assert result.halves.share_reversed.mean == pytest.approx(np.mean(reversed_share), abs=1e-12)
    assert result.halves.largest_change is not None
    assert result.halves.largest_change.mean == np.mean(changes)
    assert result.halves.top_kept == np.mean(kept)
    assert result.half_sizes == (5, 5)


def test_the_ranking_of_all_runs_by_hand() -> None:
    # Over all topics a .6 > b = c .5 > d .4 > e .1, on the first topic d > a = b > c > e.
    scores = [[0.7, 0.7, 0.5, 0.9, 0.0], [0.5, 0.4, 0.5, 0.1, 0.2], [0.6, 0.4, 0.5, 0.2, 0.1]]
    matrix = matrix_of(scores)
    result = ranking_of(matrix, [0])
    assert (result.n_pairs, result.n_reversed, result.n_tied) == (
        9,
        3,
        1,
    )  # a-d, b-d, c-d; a-b ties; b-c has no order
    assert result.share_reversed == 3.5 / 9
    assert (result.top, result.top_on_subset, result.top_kept) == (("s0",), ("s3",), False)
    assert result.largest_reversal is not None
    assert (result.largest_reversal["better"], result.largest_reversal["worse"]) == ("s0", "s3")
    assert result.largest_reversal["difference"] == pytest.approx(0.2)
    assert result.largest_reversal["difference_on_subset"] == pytest.approx(-0.2)
    # d goes from 4 to 1, a from 1 to 2.5 with b, b from 2.5 to 2.5, c from 2.5 to 4, e stays
    assert [(one["run"], one["change"]) for one in result.changes] == [
        ("s3", -3.0),
        ("s0", 1.5),
        ("s2", 1.5),
        ("s1", 0.0),
        ("s4", 0.0),
    ]
    assert (result.n_first, result.n_first_kept) == (5, 5)
    everything = ranking_of(matrix, [0, 1, 2])
    assert (everything.n_reversed, everything.largest_reversal, everything.top_kept) == (0, None, True)


def test_the_first_ten_include_ties_with_the_tenth_score() -> None:
    scores = np.vstack([np.linspace(0.9, 0.1, 15), np.linspace(0.9, 0.1, 15)[::-1] * 0.5]).round(4)
    scores[0, 10] = scores[0, 9] = scores[0, 9]
    scores[1, 10] = scores[1, 9]
    result = ranking_of(matrix_of(scores), [1])
    assert result.n_first == 11  # the tenth and eleventh tie
    assert result.n_first_kept == 6  # 5 to 10 of the first eleven are among the last ten


@pytest.mark.parametrize("goodness", GOODNESS)
def test_random_subsets_lie_at_uniform_percentiles(goodness: Goodness) -> None:
    # 400 random subsets, each among 400 others of its own, so that their percentiles are independent. Were
    # these not uniform, the test of Kolmogorov and Smirnov would reject at p < .001: a right program fails one seed
    # of a thousand. Percentiles come in steps of 1/800, which is small compared with the distance of .097.
    criterion = criterion_for(random_matrix(30, 12, seed=43, decimals=4), goodness)
    rng = np.random.default_rng(5)
    results = [
        placed(criterion, sorted(rng.permutation(30)[:12].tolist()), 400, seed, MEASURES[0]).percentile
        for seed in range(400)
    ]
    assert scipy.stats.kstest(np.array(results, dtype=float) / 100, "uniform").pvalue > 0.001


def test_percentiles_count_ties_by_half_and_have_an_error() -> None:
    values = np.array([0.1, 0.2, 0.2, 0.2 + 1e-16, 0.5])
    assert percentile_of(0.2, values, exact=True) == (50.0, 0.0)
    for off in (-1e-13, 1e-13):  # rounding
        assert percentile_of(0.5, np.full(4, 0.5 + off), exact=True) == (50.0, 0.0)
    assert percentile_of(0.05, values, exact=True) == (0.0, 0.0)
    assert percentile_of(0.9, values, exact=True) == (100.0, 0.0)
    share, error = percentile_of(0.9, np.linspace(0, 0.5, 98), exact=False)
    assert share == 100
    assert error == pytest.approx(100 * np.sqrt(0.99 * 0.01 / 98))  # (98 + 1) / (98 + 2)
    assert percentile_of(0.3, np.array([]), exact=False) == (None, 0.0)


def test_the_standard_error_of_a_percentile_is_the_spread_over_seeds() -> None:
    # 200 seeds know a spread to 1 / sqrt(2 x 199) = 5 %; four of these.
    criterion = criterion_for(random_matrix(30, 12, seed=44, decimals=4), "pearson")
    places = [placed(criterion, range(0, 30, 3), 300, seed, MEASURES[0]) for seed in range(200)]
    spread = np.std([one.percentile for one in places], ddof=1)  # type: ignore[arg-type]
    text = np.sqrt(np.mean([one.percentile_standard_error**2 for one in places]))
    assert text / spread == pytest.approx(1, abs=0.2)


def test_a_subset_on_which_all_runs_tie_has_no_place() -> None:
    scores = MATRIX.scores.copy()
    scores[1] = 0.3
    result = audit_subset(matrix_of(scores), AuditRequest(topics=["t1"], **FEW))
    one = result.by("pearson")
    assert (one.value, one.percentile, one.held_out, one.share_above_average) == (None, None, None, None)
    assert one.n_undefined == 1
    assert result.by("error-rate").value == 0.5  # ties are half errors
    assert (result.ranking.n_reversed, result.ranking.n_tied) == (0, result.ranking.n_pairs)


def test_only_other_runs_judge_the_subset() -> None:
    names = MATRIX.systems[::-1][:7]
    result = audit_subset(MATRIX, AuditRequest(topics=CHOSEN, runs=names, **FEW))
    columns = sorted(MATRIX.systems.index(name) for name in names)
    alone = audit_subset(
        matrix_of(MATRIX.scores[:, columns]),
        AuditRequest(topics=CHOSEN, **FEW),
    )
    assert result.n_systems == 7
    assert result.goodness == alone.goodness
    assert result.halves == alone.halves
    assert {one["run"] for one in result.ranking.changes} == set(names)


@pytest.mark.parametrize(
    ("topics", "options", "parameter", "value"),
    [
        pytest.param([], {}, "topics", (), id="no topic"),
        pytest.param(["t1", "q9", "x"], {}, "topics", "q9", id="unknown topics"),
        pytest.param(["t1", "t2", "t1"], {}, "topics", "t1", id="a topic twice"),
        pytest.param([f"t{n}" for n in range(9)], {}, "topics", 9, id="all topics"),
        pytest.param(["t1"], {"runs": ["s1", "me"]}, "runs", "me", id="unknown run"),
        pytest.param(["t1"], {"runs": [f"s{n}" for n in range(5)]}, "systems", 5, id="few runs"),
        pytest.param(["t1"], {"units": [0] * 10}, "systems", 1, id="few units"),
        pytest.param(["t1"], {"n_trials": 1}, "n_trials", 1, id="trials"),
        pytest.param(["t1"], {"n_splits": 1}, "n_splits", 1, id="splits"),
        pytest.param(["t1"], {"seed": -1}, "seed", -1, id="seed"),
    ],
)
def test_refusals(
    topics: list[str], options: dict, parameter: str, value: object, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        audit_subset(MATRIX, AuditRequest(topics=topics, **(FEW | options)))
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden


def test_shares_of_halves_count_ties_by_half_and_omit_undefined_correlations() -> None:
    given, other = np.array([0.9, 0.5, 0.5, 0.4, np.nan]), np.array([0.8, 0.5 + 1e-15, 0.7, 0.5, 0.1])
    assert audit_module._share_above(given, other) == (1 + 0.5) / 4
    assert audit_module._share_above(given[4:], other[4:]) is None


def test_a_place_is_among_the_subsets_that_have_a_correlation() -> None:
    scores = np.array([[1.0, 1, 1], [0, 1, 2], [3, 1, 3]])
    place = placed(criterion_of(scores, "pearson"), (1,), 10, 1, MEASURES[0])
    assert place.n_compared == 2
    assert place.n_undefined == 1
    # r is .33 for topic 1 and .94 for topic 2: the first of two, which ties with itself.
    assert place.percentile == 25.0
