"""Lines of equal n, as drawn."""

from typing import Any

import numpy as np
import pytest

from tests.charts.figure_checks import MODES, check, named, yours
from topicset_core.charts.equal_topics import equal_topics_chart
from topicset_core.charts.style import Mode
from topicset_core.designs import confidence_interval, paired_t
from topicset_core.designs.curves import EqualTopics, equal_topics

each_mode = pytest.mark.parametrize("mode", MODES)


def lines() -> tuple[EqualTopics, ...]:
    return equal_topics(paired_t.DESIGN.view(alpha=0.05, beta=0.20), 0.0942, 76)


def draw(mode: Mode = "light") -> Any:
    return equal_topics_chart(
        lines(),
        kind="power",
        difference=0.10,
        variance=0.0942,
        required_topics=76,  # tests/reference/sizes_t_and_anova_of_two.csv
        symbol="σₜ²",
        measure="AP",
        mode=mode,
    )


@each_mode
def test_the_figure_can_be_read(mode: Mode) -> None:
    check(draw(mode), mode, x="σₜ²", y="minD")


def test_lines_are_the_numbers_of_the_design_and_named_at_their_ends() -> None:
    figure = draw()
    notes = {note.text: note for note in figure.layout.annotations}
    for line in lines():
        trace = named(figure, f"{line.n_topics}")
        np.testing.assert_array_equal(trace.x, line.variance)
        np.testing.assert_array_equal(trace.y, line.difference)
        label = notes[f"{line.n_topics:,} topics"]
        assert (label.x, label.y) == (line.variance[-1], line.difference[-1])
    assert len(figure.data) == len(lines()) + 1


def test_yours_lies_between_the_lines_of_its_neighbours() -> None:
    figure = draw()
    assert yours(figure) == (0.0942, 0.10)
    assert "<b>76</b>" in {note.text for note in figure.layout.annotations}
    # 76 topics: above the line of 100, which settle less than .10, and below that of 75.
    at = {n: float(np.interp(0.0942, named(figure, f"{n}").x, named(figure, f"{n}").y)) for n in (75, 100)}
    assert at[100] < 0.10 < at[75]


@each_mode
def test_a_width_is_called_so(mode: Mode) -> None:
    figure = equal_topics_chart(
        equal_topics(confidence_interval.DESIGN.view(alpha=0.05), 0.0942, 147),
        kind="width",
        difference=0.10,
        variance=0.0942,
        required_topics=147,
        symbol="σ²",
        measure="P@10",
        mode=mode,
    )
    check(figure, mode, x="σ²", y="δ")
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert "P@10" in axis.title.text
