"""What Guiver, Mizzaro and Robertson (2009) found in section 5.6, on their data, over 100 splits in place of one.

A mean over splits counts as above 0 if it is by four of its standard errors: by chance alone that
happens once in 30,000. The benchmark `held_out` has all cardinalities.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.splits import Gain, Spread
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
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
