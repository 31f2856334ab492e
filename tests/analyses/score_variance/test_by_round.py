"""Variance from round to round, as drawn."""

import pytest

from tests.charts.figure_checks import traces
from tests.reference_data import reference_matrix
from topicset_core.analyses.score_variance.charts import variance_by_round
from topicset_core.analyses.score_variance.preparation_effect import standard_rule
from topicset_core.analyses.score_variance.uncertainty import rounds


@pytest.mark.reference_data
def test_points_and_bars_are_the_numbers_of_the_rounds() -> None:
    result = rounds([reference_matrix("web2011_ap"), reference_matrix("web2012_ap")], standard_rule())
    own, so_far = traces(variance_by_round(result, mode="dark"))
    assert list(own.y) == [each.own.variance for each in result]
    assert list(so_far.y) == [each.so_far.variance for each in result]
    for drawn, values in ((own, [each.own for each in result]), (so_far, [each.so_far for each in result])):
        for place, one in enumerate(values):
            # A sum and a difference of the same numbers: the last bit may differ.
            assert drawn.y[place] + drawn.error_y.array[place] == pytest.approx(one.interval.high, rel=1e-14)
            assert drawn.y[place] - drawn.error_y.arrayminus[place] == pytest.approx(
                one.interval.low, rel=1e-14
            )
