"""Means of runs with their intervals, as drawn."""

import numpy as np
import pytest

from tests.charts.figure_checks import layout_of, traces
from tests.reference_data import reference_matrix
from topicset_core.analyses.score_variance.charts import run_means_chart
from topicset_core.analyses.score_variance.run_means import run_means


@pytest.mark.reference_data
def test_points_and_bars_are_the_numbers_of_the_analysis() -> None:
    result = run_means(reference_matrix("trec8_adhoc_ap"))
    figure = run_means_chart(result, mode="light")
    (points,) = traces(figure)
    assert np.array_equal(points.y, result.means)
    assert np.array_equal(points.error_y.array, result.half_widths)
    assert list(points.hovertext) == list(result.systems)
    assert np.array_equal(points.customdata[:, 0], result.means - result.half_widths)
    assert np.array_equal(points.customdata[:, 1], result.means + result.half_widths)
    assert "95 % intervals" in layout_of(figure).title.text.replace("<br>", " ")
    assert layout_of(figure).xaxis.type == "category"
    assert list(points.x) == list(result.systems)
