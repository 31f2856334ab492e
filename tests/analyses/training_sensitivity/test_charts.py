"""Figures of training on incomplete judgments: the numbers drawn are those found."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from tests.analyses.training_sensitivity.sweeps import LEVELS, trained, up_to
from tests.charts.figure_checks import check, layout_of, named, traces
from topicset_core.analyses.training_sensitivity import Answer
from topicset_core.analyses.training_sensitivity.answer import gains_by_level
from topicset_core.analyses.training_sensitivity.charts import (
    TITLE,
    agreement_by_completeness,
    effectiveness_by_completeness,
    gains_by_completeness,
    judgments_by_completeness,
    measures_in_training,
    training_surface,
)
from topicset_core.analyses.training_sensitivity.designs import cheapest, plannable
from topicset_core.analyses.training_sensitivity.tables import Surface, surface
from topicset_core.collection.run import Settings, without_parameters
from topicset_core.exports.figures import Drawing


def answer() -> Answer:
    return Answer(sensitivity=trained(), min_d=0.05, worthwhile=0.02)


def _pair(settings: Settings | None = None) -> list[Surface]:
    result = trained() if settings is None else replace(trained(), settings=settings)
    return [surface(result, result.tasks[0].name, measure, 1.0) for measure in ("AP", "infAP")]


def _as_grid() -> Settings:
    """The 21 runs of the sample as if they were settings of two parameters, 7 x 3."""
    systems = trained().settings.systems
    values = np.array([[place % 7 / 10, place // 7] for place in range(len(systems))], dtype=np.float64)
    return Settings(parameters=("b", "k1"), systems=systems, values=values)


def on_all_judgments(figure: Drawing, measure: str) -> go.Scatter:
    """Return the line of a measure over the settings."""
    (result,) = [
        trace for trace in traces(figure) if trace.mode == "lines" and trace.name.split()[0] == measure
    ]
    return result


def test_figures_can_be_read() -> None:
    for figure, x, y in (
        (effectiveness_by_completeness(answer(), "AP"), TITLE, "AP"),
        (agreement_by_completeness(answer()), TITLE, "ρ"),
        (judgments_by_completeness(answer()), TITLE, "judgments"),
        (training_surface(_pair()), "b", "AP"),
        (training_surface(_pair(without_parameters(trained().settings.systems))), "AP", "AP"),
        (measures_in_training(*_pair()), "AP", "infAP"),
    ):
        check(figure.drawing, x=x, y=y)


def test_gains_have_a_panel_and_a_band_each() -> None:
    gains = gains_by_level(trained(), "AP")
    figure = gains_by_completeness(answer(), "AP").drawing
    axes = []
    for (measure, rows), band in zip(gains.items(), traces(figure, "interval"), strict=True):
        line = named(figure, measure)
        assert list(line.x) == [level for level, _ in rows] == list(LEVELS)
        own = [one for _, one in rows]
        assert list(line.y) == [one.difference for one in own]
        assert list(band.y) == [one.low for one in own] + [one.high for one in reversed(own)]
        assert band.xaxis == line.xaxis
        axes.append(line.xaxis)
    assert len(set(axes)) == len(gains) == 3
    # Differences that are not worthwhile are shaded in each.
    assert [(shape.y0, shape.y1) for shape in layout_of(figure).shapes] == [(-0.02, 0.02)] * 3


def test_lines_have_the_values_of_each_measure() -> None:
    one = answer()
    effectiveness, agreement, judgments = (
        figure.drawing
        for figure in (
            effectiveness_by_completeness(one, "AP"),
            agreement_by_completeness(one),
            judgments_by_completeness(one),
        )
    )
    for measure in trained().measures:
        own = [
            each
            for each in one.curves
            if (each["task"], each["evaluated_by"], each["trained_by"]) == ("", "AP", measure)
        ]
        line = named(effectiveness, measure)
        assert (list(line.x), list(line.y)) == (
            [each["level"] for each in own],
            [each["mean"] for each in own],
        )
        designs = [each for each in one.designs if each.measure == measure and each.total_judgments]
        line = named(judgments, measure)
        assert list(line.y) == [each.total_judgments for each in designs]
        least, known = cheapest(one.designs, measure), plannable(one.designs, measure)
        shown = ["diamond" if each == least else "" if each in known else "circle-open" for each in designs]
        assert [
            symbol if symbol in ("diamond", "circle-open") else "" for symbol in line.marker.symbol
        ] == shown
    for measure in trained().alternatives:
        agreeing = [
            point for point in one.agreements if point["measure"] == measure and point["rho"] is not None
        ]
        assert list(named(agreement, measure).x) == [point["level"] for point in agreeing]
        assert list(named(agreement, measure).y) == [point["rho"] for point in agreeing]


def test_effectiveness_by_another_measure_goes_on_to_all_judgments() -> None:
    result, by = up_to(trained(), 50), trained().measures.index("infAP")
    figure = effectiveness_by_completeness(Answer(sensitivity=result), "infAP").drawing
    assert {trace.name for trace in traces(figure)} == {"AP", "infAP"}
    for place in (0, by):
        line = named(figure, result.measures[place])
        score = result.complete_effectiveness[:, by, place].mean()
        assert (line.x[-1], line.y[-1]) == (100, score)


def test_a_surface_over_one_parameter() -> None:
    pair = _pair()
    figure = training_surface(pair).drawing
    for one in pair:
        line = on_all_judgments(figure, one.measure)
        assert list(line.x) == sorted(one.settings.values[:, 0])
        assert list(line.y) == one.complete[np.argsort(one.settings.values[:, 0])].tolist()
        chosen = named(figure, f"chosen by {one.measure}")
        times = dict(zip(one.settings.values[:, 0].tolist(), one.times_chosen.tolist(), strict=True))
        assert list(chosen.x) == [value for value, count in times.items() if count]
        assert times[chosen.x[int(np.argmax(chosen.marker.size))]] == max(times.values())
        rings = traces(figure, f"best by {one.measure}")
        assert {ring.y[0] for ring in rings} == {one.complete.max()}


def test_a_surface_over_two_parameters() -> None:
    """Systems run along b first; a setting that is missing from the grid is left white."""
    grid = _as_grid()
    for one in (pair := _pair(grid)):
        figure = training_surface(pair).drawing
        shades = np.array(named(figure, one.measure).z)
        assert shades.shape == (3, 7)
        assert shades.ravel().tolist() == one.complete.tolist()
        ring = next(trace for trace in traces(figure) if trace.name == f"best by {one.measure}")
        assert shades[ring.y[0], ring.x[0]] == one.complete.max()
    grid.values[-1] = (0.9, 2)  # instead of b = .6
    shades = np.array(named(training_surface(_pair(grid)).drawing, "AP").z, dtype=np.float64)
    assert (shades.shape, np.isnan(shades).sum()) == ((3, 8), 3 * 8 - 21)


def test_runs_without_parameters_have_the_reference_order() -> None:
    pair = _pair(without_parameters(trained().settings.systems))
    figure = training_surface(pair).drawing
    order = np.argsort(-pair[0].complete, kind="stable")
    for one in pair:
        assert list(on_all_judgments(figure, one.measure).y) == one.complete[order].tolist()


def test_settings_by_two_measures() -> None:
    reference, other = _pair()
    whole, sample = traces(measures_in_training(reference, other).drawing)
    assert (list(whole.x), list(whole.y)) == (reference.complete.tolist(), other.complete.tolist())
    assert (list(sample.x), list(sample.y)) == (reference.sample.tolist(), other.sample.tolist())
