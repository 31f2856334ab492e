"""Figures of simulated collections: the numbers drawn are those found."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.analyses.topic_variance.plain_simulation import random_track, track
from tests.charts.figure_checks import MODES, check, layout_of, named, traces
from tests.words import numbers_in
from topicset_core.analyses.topic_variance import Findings, Settings, topic_variance
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.charts import (
    MODEL_NAMES,
    error_rate_by_difference,
    fitted_densities,
    rank_intervals_chart,
    simulated_scores,
    variance_split,
)
from topicset_core.analyses.topic_variance.conclusions import Components
from topicset_core.analyses.topic_variance.densities import fit
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.charts.style import PALETTES, Mode

RUNS, JUDGED = random_track(2, 6, 8, step=0.1)


@cache
def findings_by(model: Model) -> Findings:
    return topic_variance(JUDGED, Settings(model=model, n_trials=80), RUNS)


@pytest.fixture(scope="module")
def bst() -> Findings:
    return findings_by("bst")


@pytest.mark.parametrize("mode", MODES)
def test_error_rates_are_drawn_at_the_middle_of_their_bins(mode: Mode) -> None:
    both = [findings_by("bst"), findings_by("kde")]
    figure = error_rate_by_difference(both, mode=mode)
    check(figure, mode, x="AP", y="%")
    for result in both:
        line = named(figure, MODEL_NAMES[result.settings.model])
        rates = dict(enumerate(result.error_rates))
        drawn = {
            round(x * 100 - 0.5): (y, bar)
            for x, y, bar in zip(line.x, line.y, line.error_y.array, strict=True)
        }
        assert drawn == {
            place: (100 * rate.value, 100 * (rate.standard_error or 0.0))
            for place, rate in rates.items()
            if rate.value is not None
        }
    assert named(figure, MODEL_NAMES["bst"]).marker.symbol != named(figure, MODEL_NAMES["kde"]).marker.symbol
    assert len(traces(error_rate_by_difference(both[1:], mode=mode))) == 1


def test_a_rank_may_be_outside_its_interval(bst: Findings) -> None:
    """As where densities move a whole run: its bar then does not reach to its rank."""
    first, *others = bst.rank_intervals
    moved = replace(first, raw_rank=1.0, low=4.0, high=6.0)
    result = replace(bst, rank_intervals=(moved, *others))
    figure = rank_intervals_chart(result, mode="light")
    bars, points = named(figure, "intervals"), named(figure, "ranks")
    place = list(bars.x).index(first.system)
    assert (bars.y[place], bars.error_y.array[place], points.y[place]) == (5.0, 1.0, 1.0)


@pytest.mark.parametrize("mode", MODES)
def test_ranks_and_their_intervals(mode: Mode, bst: Findings) -> None:
    figure = rank_intervals_chart(bst, mode=mode)
    points, bars = named(figure, "ranks"), named(figure, "intervals")
    order = sorted(bst.rank_intervals, key=lambda one: one.raw_rank)
    assert list(points.x) == list(bars.x) == [one.system for one in order]
    assert list(points.y) == [one.raw_rank for one in order]
    assert layout_of(figure).yaxis.dtick == 1  # six runs
    ends = [(y - away, y + away) for y, away in zip(bars.y, bars.error_y.array, strict=True)]
    assert ends == [(one.low, one.high) for one in order]
    top, bottom = layout_of(figure).yaxis.range[::-1]
    assert top < 1
    assert bottom > len(order)
    assert numbers_in(layout_of(figure).yaxis.title.text) == [1]


@pytest.mark.parametrize("mode", MODES)
def test_simulated_scores_are_drawn_over_original_scores(mode: Mode, bst: Findings) -> None:
    figure = simulated_scores(bst, "run2", topic="t3", mode=mode)
    points = named(figure, "topics")
    assert np.array_equal(points.x, bst.raw[:, 2])
    assert np.array_equal(points.y, bst.simulated[:, 2])
    assert np.array_equal(points.error_y.array, bst.deviations[:, 2])
    assert [place for place, colour in enumerate(points.marker.color) if colour == PALETTES[mode].accent] == [
        3
    ]
    assert [note.text for note in layout_of(figure).annotations] == ["<b>t3</b>"]
    assert "AP" in layout_of(figure).xaxis.title.text
    assert not layout_of(simulated_scores(bst, "run2", mode=mode)).annotations


@pytest.mark.parametrize("mode", MODES)
def test_the_split_names_shares(mode: Mode) -> None:
    split = Components(topic=0.06, system=0.01, interaction=0.02, collection=0.01, residual=0.03)
    figure = variance_split(split, measure="AP", mode=mode)
    (bars,) = traces(figure)
    assert list(bars.x) == [0.06, 0.01, 0.02, 0.01]
    assert list(bars.text) == ["60 %", "10 %", "20 %", "10 %"]
    assert [
        name
        for name, colour in zip(bars.y, bars.marker.color, strict=True)
        if colour == PALETTES[mode].accent
    ] == ["documents"]
    assert "AP" in layout_of(figure).xaxis.title.text
    still = variance_split(
        Components(topic=0.0, system=0.0, interaction=0.0, collection=0.0, residual=0.0),
        measure="AP",
        mode=mode,
    )
    assert list(traces(still)[0].text) == ["0 %"] * 4


def of_kind(figure: Any, kind: str, axis: str) -> list[Any]:
    return [trace for trace in traces(figure) if (trace.type, trace.yaxis) == (kind, axis)]


@pytest.mark.parametrize("mode", MODES)
def test_densities_are_drawn_over_the_scores_of_their_kind(mode: Mode) -> None:
    cells = cells_of(JUDGED, 1)
    result = fit(cells, RUNS[0], cells.topics[0], "scott")
    figure = fitted_densities(result, mode=mode)
    # Relevant documents above, the others below.
    for axis, scores, density in (
        ("y", result.relevant, result.relevant_density),
        ("y2", result.others, result.others_density),
    ):
        (bars,), (line,) = of_kind(figure, "histogram", axis), of_kind(figure, "scatter", axis)
        assert np.array_equal(bars.x, scores)
        assert np.array_equal(line.x, result.at)
        assert np.array_equal(line.y, density)
        assert bars.marker.color == line.line.color
    upper, lower = layout_of(figure).annotations
    assert upper.y > lower.y
    assert [numbers_in(note.text) for note in (upper, lower)] == [
        [result.relevant.size],
        [result.others.size],
    ]


def test_scores_that_do_not_vary_have_bars_and_no_line() -> None:
    runs, judged = track([[([1.0] * 6, [1, 4]), ([2.0, 1.0], [1])]] * 2)
    cells = cells_of(judged, 1)
    figure = fitted_densities(fit(cells, runs[0], "t0", "scott"), mode="light")
    assert [(trace.type, trace.yaxis) for trace in traces(figure)] == [
        ("histogram", "y"),
        ("histogram", "y2"),
    ]


def test_names_are_shown_unchanged(bst: Findings) -> None:
    odd = tuple(f"<b>{name}</b>" for name in bst.systems)
    result = replace(
        bst,
        systems=odd,
        topics=tuple(f"<i>{name}</i>" for name in bst.topics),
        rank_intervals=tuple(
            replace(one, system=name) for one, name in zip(bst.rank_intervals, odd, strict=True)
        ),
    )
    assert all(
        "&lt;b&gt;" in text for text in named(rank_intervals_chart(result, mode="light"), "ranks").hovertext
    )
    figure = simulated_scores(result, odd[0], topic="<i>t3</i>", mode="light")
    assert "&lt;b&gt;" in layout_of(figure).title.text
    assert "&lt;i&gt;t3" in layout_of(figure).annotations[0].text
