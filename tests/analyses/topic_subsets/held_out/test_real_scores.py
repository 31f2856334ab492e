"""What Guiver, Mizzaro and Robertson (2009) found in section 5.6, on their data, over 100 splits in place of one.

A mean over splits counts as above 0 if it is by four of its standard errors: by chance alone that
happens once in 30,000. The benchmark `held_out` has all cardinalities.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.held_out.audit import AuditRequest, audit_subset
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import Gain, Spread
from topicset_core.collection import ScoreMatrix

pytestmark = pytest.mark.reference_data

TREC_8 = "trec8_adhoc_top96_ap"
BY_RUN = tuple(range(96))
"""The paper splits runs, wherever the variants of a system are."""

STARTS = 4
"""Random starts of each search, in place of 20: a mean over 100 splits changes by less than it is known to."""


def result(
    matrix: ScoreMatrix, request: HeldOutRequest, evaluating: ScoreMatrix | None = None
) -> HeldOutCurve:
    with ThreadPoolExecutor(2) as executor:
        return held_out_curve(matrix, request, evaluating=evaluating, executor=executor)


def sure(gain: Gain | None) -> bool:
    assert gain is not None
    return gain.difference.mean > 4 * gain.difference.standard_error


def there(spread: Spread | None) -> Spread:
    assert spread is not None
    return spread


def test_runs_of_one_unit_in_both_halves_flatter_the_chosen_sets() -> None:
    # The paper's section 4.5.1 fears so; with units kept together the gain is smaller, and is still there.
    matrix = reference_matrix(TREC_8)
    request = HeldOutRequest(n_starts=STARTS, hold_out="runs", goodness="pearson", cardinalities=(12,))
    by_run = replace(request, units=BY_RUN)
    (apart,), (together,) = result(matrix, by_run).points, result(matrix, request).points
    assert sure(together.gain)
    assert together.gain is not None
    assert apart.gain is not None
    assert together.gain.difference.mean < apart.gain.difference.mean


@pytest.mark.slow
@pytest.mark.parametrize("year", [2011, 2012])
@pytest.mark.parametrize("hold_out", ["runs", "topics"])
def test_topics_chosen_by_precision_serve_average_precision(year: int, hold_out: str) -> None:
    choosing = reference_matrix(f"web{year}_p10", "P@10")
    evaluating = reference_matrix(f"web{year}_ap")
    request = HeldOutRequest(
        n_starts=STARTS,
        hold_out=hold_out,  # type: ignore[arg-type]
        goodness="pearson",
        cardinalities=(5, 12, 20),
        units=tuple(range(evaluating.n_systems)) if hold_out == "runs" else None,
    )
    other, own = result(choosing, request, evaluating), result(evaluating, request)
    assert numbers_in(other.matched) == [evaluating.n_systems, 50]
    for point, alone in zip(other.points, own.points, strict=True):
        assert sure(point.gain)
        assert point.chosen.average == alone.chosen.average  # random sets do not depend on what chooses
        assert alone.gain is not None
        assert point.gain is not None
        assert (
            point.gain.difference.mean < alone.gain.difference.mean + 4 * alone.gain.difference.standard_error
        )


@pytest.mark.slow
def test_an_audit_of_the_first_ten_topics_against_computed_values() -> None:
    # 401 to 410: formulas-and-expected-values.md 9.2, "fixed subsets"
    with ThreadPoolExecutor(2) as executor:
        one = audit_subset(
            reference_matrix(TREC_8),
            AuditRequest(
                topics=[str(topic) for topic in range(401, 411)], n_splits=10, n_starts=STARTS, n_trials=2000
            ),
            executor=executor,
        )
    assert one.by("pearson").value == pytest.approx(0.844303367796296, abs=1e-14)
    # There tau was taken of rounded means, in which other pairs tie than in exact ones: a pair is 2 / 4,560.
    assert one.by("kendall").value == pytest.approx(0.6759543822, abs=0.001)
    assert one.by("error-rate").value == pytest.approx(0.0620432548, abs=0.0002)
    percentile = one.by("pearson").percentile
    assert percentile is not None
    assert percentile == pytest.approx(29.0, abs=4 * one.by("pearson").percentile_standard_error)
    assert one.ranking.top == ("READWARE2",)


def test_a_given_split_against_plain_correlations() -> None:
    """T1 and T2 of section 4.5.2 as given topics: the best single topic and all of the half by hand."""
    matrix = reference_matrix(TREC_8)
    half = tuple(str(topic) for topic in range(401, 426))
    request = HeldOutRequest(
        n_starts=STARTS, hold_out="topics", goodness="pearson", cardinalities=(1, 25), chosen_on=half
    )
    curve = result(matrix, request)
    assert (curve.request.n_splits, curve.half_sizes) == (1, (25, 25, 25, 25))
    chosen, evaluating = matrix.scores[:25], matrix.scores[25:].mean(axis=0)
    best = max(chosen, key=lambda topic: np.corrcoef(topic, chosen.mean(axis=0))[0, 1])
    one, all_of_half = (there(point.chosen.best).mean for point in curve.points)
    assert one == pytest.approx(np.corrcoef(best, evaluating)[0, 1], abs=1e-12)
    assert all_of_half == pytest.approx(np.corrcoef(chosen.mean(axis=0), evaluating)[0, 1], abs=1e-12)
