"""Figures of training on incomplete judgments: the numbers drawn are those found."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import LEVELS, trained, up_to
from tests.charts.figure_checks import MODES, check, layout_of, named, traces
from topicset_core.analyses.training_sensitivity import Answer, gains_by_level
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
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.collection.settings import Settings, without_parameters
from topicset_core.exports.drawing import Drawing


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


@pytest.mark.parametrize("mode", MODES)
def test_figures_can_be_read_in_every_mode(mode: Mode) -> None:
    for figure, x, y in (
        (effectiveness_by_completeness(answer(), "AP", mode=mode), TITLE, "AP"),
        (agreement_by_completeness(answer(), mode=mode), TITLE, "ρ"),
        (judgments_by_completeness(answer(), mode=mode), TITLE, "judgments"),
        (training_surface(_pair(), mode=mode), "b", "AP"),
        (training_surface(_pair(without_parameters(trained().settings.systems)), mode=mode), "AP", "AP"),
        (measures_in_training(*_pair(), mode=mode), "AP", "infAP"),
    ):
        check(figure.drawing, mode, x=x, y=y)


def test_gains_have_a_panel_and_a_band_each() -> None:
    gains = gains_by_level(trained(), "AP")
    figure = gains_by_completeness(answer(), "AP", mode="light").drawing
    assert "AP" in layout_of(figure).yaxis.title.text
    axes = []
    for (measure, rows), band in zip(gains.items(), traces(figure, "interval"), strict=True):
        line = named(figure, measure)
        assert line.line.color == PALETTES["light"].accent
        assert list(line.x) == [level for level, _ in rows] == list(LEVELS)
        assert list(line.y) == [one.difference for _, one in rows]
        own = [one for _, one in rows]
        assert list(band.y) == [one.low for one in own] + [one.high for one in reversed(own)]
        assert band.xaxis == line.xaxis
        axes.append(line.xaxis)
    assert len(set(axes)) == len(gains) == 3
    # One scale for all, and differences that are not worthwhile are shaded in each.
    assert len({layout_of(figure)[f"yaxis{end}"].range for end in ("", 2, 3)}) == 1
    assert [(shape.y0, shape.y1) for shape in layout_of(figure).shapes] == [(-0.02, 0.02)] * 3


def test_effectiveness_has_a_line_per_training_measure_up_to_all_judgments() -> None:
    figure = effectiveness_by_completeness(answer(), "AP", mode="light").drawing
    measures = trained().measures
    for measure in measures:
        own = [
            one
            for one in answer().curves
            if (one.task, one.evaluated_by, one.trained_by) == ("", "AP", measure)
        ]
        line = named(figure, measure)
        assert list(line.x) == [one.level for one in own] == list(trained().levels)
        assert list(line.y) == [one.mean for one in own]
    assert len({named(figure, name).marker.symbol for name in measures}) == len(measures)
    # By another measure it and the reference; up to half of the judgments a line goes on to all of them.
    result = up_to(trained(), 50)
    figure = effectiveness_by_completeness(Answer(sensitivity=result), "infAP", mode="light").drawing
    assert {trace.name for trace in traces(figure)} == {"AP", "infAP"}
    by = measures.index("infAP")
    for place in (0, by):
        score = result.complete_effectiveness[:, by, place].mean()
        line = named(figure, measures[place])
        assert (line.x[-1], line.y[-1]) == (100, score)


def test_agreement_with_the_reference() -> None:
    one = answer()
    figure = agreement_by_completeness(one, mode="light").drawing
    for measure in trained().alternatives:
        known = [point for point in one.agreements if point.measure == measure and point.rho is not None]
        assert list(named(figure, measure).x) == [point.level for point in known]
        assert list(named(figure, measure).y) == [point.rho for point in known]
    vars(one)["agreements"] = [
        replace(point, rho=None, lowest=None, highest=None) if point.level == 1 else point
        for point in one.agreements
    ]
    fewer = agreement_by_completeness(one, mode="light").drawing
    assert 1.0 not in named(fewer, "infAP").x


def test_judgments_in_all_with_the_cheapest_design_marked() -> None:
    designs = answer().designs
    figure = judgments_by_completeness(answer(), mode="light").drawing
    for measure in trained().measures:
        own = [one for one in designs if one.measure == measure and one.total_judgments]
        line = named(figure, measure)
        assert list(line.y) == [one.total_judgments for one in own]
        least, known = cheapest(designs, measure), plannable(designs, measure)
        assert [symbol == "diamond" for symbol in line.marker.symbol] == [one == least for one in own]
        assert [symbol == "circle-open" for symbol in line.marker.symbol] == [one not in known for one in own]


def test_a_surface_over_one_parameter() -> None:
    pair, accent = _pair(), PALETTES["light"].accent
    figure = training_surface(pair, mode="light").drawing
    assert layout_of(figure).title.text.startswith(f'<span style="color:{accent}">●</span>')
    assert {named(figure, f"chosen by {one.measure}").marker.color for one in pair} == {accent}
    assert "infAP" in layout_of(figure).yaxis2.title.text
    for one in pair:
        line = on_all_judgments(figure, one.measure)
        assert list(line.x) == sorted(one.settings.values[:, 0])
        assert list(line.y) == one.complete[np.argsort(one.settings.values[:, 0])].tolist()
        chosen = named(figure, f"chosen by {one.measure}")
        times = dict(zip(one.settings.values[:, 0].tolist(), one.times_chosen.tolist(), strict=True))
        assert list(chosen.x) == [value for value, count in times.items() if count]
        assert sum(times[value] for value in chosen.x) == one.n_samples == trained().request.n_samples
        largest = int(np.argmax(chosen.marker.size))
        assert times[chosen.x[largest]] == max(times.values())
        rings = traces(figure, f"best by {one.measure}")
        assert {ring.y[0] for ring in rings} == {one.complete.max()}


def test_a_surface_over_two_parameters() -> None:
    pair = _pair(_as_grid())
    figure = training_surface(pair, mode="light").drawing
    check_titles = (layout_of(figure).xaxis.title.text, layout_of(figure).yaxis.title.text)
    assert check_titles == ("b", "k1")
    for one in pair:
        shades = np.array(named(figure, one.measure).z)
        assert shades.shape == (3, 7)
        assert shades.ravel().tolist() == one.complete.tolist()  # systems run along b first
        ring = next(trace for trace in traces(figure) if trace.name == f"best by {one.measure}")
        assert shades[ring.y[0], ring.x[0]] == one.complete.max()
    assert list(layout_of(figure).xaxis.ticktext)[1] == "0.1"


def test_a_setting_that_is_missing_from_the_grid_is_left_white() -> None:
    systems = trained().settings.systems
    values = _as_grid().values.copy()
    values[-1] = (0.9, 2)  # instead of b = .6
    pair = _pair(Settings(parameters=("b", "k1"), systems=systems, values=values))
    shades = np.array(named(training_surface(pair, mode="light").drawing, "AP").z, dtype=np.float64)
    assert shades.shape == (3, 8)
    assert np.isnan(shades).sum() == 3 * 8 - len(systems)


def test_runs_without_parameters_have_the_reference_order(golden: SnapshotAssertion) -> None:
    pair = _pair(without_parameters(trained().settings.systems))
    figure = training_surface(pair, mode="light").drawing
    assert layout_of(figure).xaxis.title.text == golden
    assert list(on_all_judgments(figure, "AP").y) == sorted(pair[0].complete, reverse=True)
    order = np.argsort(-pair[0].complete, kind="stable")
    assert list(on_all_judgments(figure, "infAP").y) == pair[1].complete[order].tolist()


def test_settings_by_two_measures(golden: SnapshotAssertion) -> None:
    reference, other = _pair()
    whole, sample = traces(measures_in_training(reference, other, mode="light").drawing)
    assert (list(whole.x), list(whole.y)) == (reference.complete.tolist(), other.complete.tolist())
    assert (list(sample.x), list(sample.y)) == (reference.sample.tolist(), other.sample.tolist())
    flat = replace(other, complete=np.zeros_like(other.complete))
    figure = measures_in_training(reference, flat, mode="light").drawing
    notes = [note.text for note in layout_of(figure).annotations]
    assert sum("ρ" in note for note in notes) == 2
    assert notes == golden
