"""Figures of simulated collections: the numbers drawn are those found."""

from dataclasses import replace
from functools import cache

import numpy as np

from tests.analyses.topic_variance.plain_simulation import random_track, track
from tests.charts.figure_checks import check, layout_of, named, traces
from topicset_core.analyses.topic_variance import Findings, Request, charts, topic_variance
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.charts import MODEL_NAMES
from topicset_core.analyses.topic_variance.conclusions import Components
from topicset_core.analyses.topic_variance.prepared import fit
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.exports.colours import PALETTES

RUNS, JUDGED = random_track(2, 6, 8, step=0.1)


@cache
def by(model: Model = "bst") -> Findings:
    return topic_variance(JUDGED, Request(model=model, n_trials=80), RUNS)


def test_figures_can_be_read() -> None:
    for figure, x, y in (
        (charts.error_rate_by_difference([by(), by("kde")]), "AP", "%"),
        (charts.simulated_scores(by(), "run2", topic="t3"), "AP", "AP"),
    ):
        check(figure.drawing, x=x, y=y)


def test_error_rates_are_drawn_at_the_middle_of_their_bins() -> None:
    both = [by(), by("kde")]
    figure = charts.error_rate_by_difference(both).drawing
    for result in both:
        line = named(figure, MODEL_NAMES[result.request.model])
        drawn = {
            round(x * 100 - 0.5): (y, bar)
            for x, y, bar in zip(line.x, line.y, line.error_y.array, strict=True)
        }
        assert drawn == {
            place: (100 * rate.value, 100 * (rate.standard_error or 0.0))
            for place, rate in enumerate(result.error_rates)
            if rate.value is not None
        }


def test_ranks_and_their_intervals() -> None:
    """The first run's rank is outside its interval, as where densities move a whole run."""
    first, *others = by().rank_intervals
    moved = replace(by(), rank_intervals=(first | {"raw_rank": 1.0, "low": 4.0, "high": 6.0}, *others))
    figure = charts.rank_intervals(moved).drawing
    points, bars = named(figure, "ranks"), named(figure, "intervals")
    order = sorted(moved.rank_intervals, key=lambda one: one["raw_rank"])
    assert list(points.x) == list(bars.x) == [one["system"] for one in order]
    assert list(points.y) == [one["raw_rank"] for one in order]
    ends = [(y - away, y + away) for y, away in zip(bars.y, bars.error_y.array, strict=True)]
    assert ends == [(one["low"], one["high"]) for one in order]


def test_simulated_scores_are_drawn_over_original_scores() -> None:
    figure = charts.simulated_scores(by(), "run2", topic="t3").drawing
    points = named(figure, "topics")
    assert np.array_equal(points.x, by().raw[:, 2])
    assert np.array_equal(points.y, by().simulated[:, 2])
    assert np.array_equal(points.error_y.array, by().deviations[:, 2])
    accent = PALETTES["print"].accent
    assert [place for place, colour in enumerate(points.marker.color) if colour == accent] == [3]


def test_the_split_names_shares() -> None:
    split = Components(topic=0.06, system=0.01, interaction=0.02, collection=0.01, residual=0.03)
    figure = charts.variance_split(replace(by(), components=split)).drawing
    (bars,) = traces(figure)
    assert list(bars.x) == [0.06, 0.01, 0.02, 0.01]
    assert list(bars.text) == ["60 %", "10 %", "20 %", "10 %"]
    still = Components(topic=0.0, system=0.0, interaction=0.0, collection=0.0, residual=0.0)
    figure = charts.variance_split(replace(by(), components=still)).drawing
    assert list(traces(figure)[0].text) == ["0 %"] * 4


def test_densities_are_drawn_over_the_scores_of_their_kind() -> None:
    """Relevant documents above, the others below; scores that do not vary have bars and no line."""
    cells = cells_of(JUDGED, 1)
    result = fit(cells, RUNS[0], cells.topics[0], "scott")
    drawn = traces(charts.fitted_densities(result).drawing)
    for axis, scores, density in (
        ("y", result.relevant, result.relevant_density),
        ("y2", result.others, result.others_density),
    ):
        bars, line = (
            next(trace for trace in drawn if (trace.type, trace.yaxis) == (kind, axis))
            for kind in ("histogram", "scatter")
        )
        assert np.array_equal(bars.x, scores)
        assert np.array_equal(line.x, result.at)
        assert np.array_equal(line.y, density)
    runs, judged = track([[([1.0] * 6, [1, 4]), ([2.0, 1.0], [1])]] * 2)
    figure = charts.fitted_densities(fit(cells_of(judged, 1), runs[0], "t0", "scott")).drawing
    assert [(trace.type, trace.yaxis) for trace in traces(figure)] == [
        ("histogram", "y"),
        ("histogram", "y2"),
    ]


def test_names_are_shown_unchanged() -> None:
    odd = tuple(f"<b>{name}</b>" for name in by().systems)
    intervals = tuple(one | {"system": name} for one, name in zip(by().rank_intervals, odd, strict=True))
    topics = tuple(f"<i>{name}</i>" for name in by().topics)
    result = replace(by(), systems=odd, topics=topics, rank_intervals=intervals)
    ranks = named(charts.rank_intervals(result).drawing, "ranks")
    assert all("&lt;b&gt;" in text for text in ranks.hovertext)
    layout = layout_of(charts.simulated_scores(result, odd[0], topic="<i>t3</i>").drawing)
    assert "&lt;b&gt;" in layout.title.text
    assert "&lt;i&gt;t3" in layout.annotations[0].text
