"""Figures of training on incomplete judgments: the numbers drawn are those found."""

from dataclasses import replace
from functools import cache

import numpy as np
import plotly.graph_objects as go
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import LEVELS, trained, up_to
from tests.charts.figure_checks import MODES, check, layout_of, named, traces
from topicset_core.analyses.sizing import topics_rule
from topicset_core.analyses.training_sensitivity import (
    CompletenessDesign,
    CurvePoint,
    Surface,
    agreements,
    cheapest,
    completeness_designs,
    curves,
    gains_by_level,
    plannable,
    surface,
)
from topicset_core.analyses.training_sensitivity.charts import (
    agreement_by_completeness,
    effectiveness_by_completeness,
    gains_by_completeness,
    judgments_by_completeness,
    measures_in_training,
    training_surface,
)
from topicset_core.analyses.training_sensitivity.charts.by_completeness import TITLE
from topicset_core.charts.style import PALETTES, Mode
from topicset_core.collection.settings import Settings, without_parameters
from topicset_core.exports.drawing import Drawing


@cache
def _designs() -> tuple[CompletenessDesign, ...]:
    return completeness_designs(
        trained(), lambda d: topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=d), 0.05
    )


def _points(evaluated_by: str) -> list[CurvePoint]:
    return [one for one in curves(trained()) if not one.task and one.evaluated_by == evaluated_by]


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
def test_gains_have_a_panel_and_a_band_each(mode: Mode) -> None:
    gains = gains_by_level(trained(), "AP")
    figure = gains_by_completeness(gains, evaluated_by="AP", reference="AP", worthwhile=0.02, mode=mode)
    assert "AP" in layout_of(figure).yaxis.title.text
    bands = traces(figure, "interval")
    axes = []
    for (measure, rows), band in zip(gains.items(), bands, strict=True):
        line = named(figure, measure)
        assert line.line.color == PALETTES[mode].accent
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


@pytest.mark.parametrize("mode", MODES)
def test_effectiveness_has_a_line_per_training_measure(mode: Mode) -> None:
    result, points = trained(), _points("AP")
    figure = effectiveness_by_completeness(points, complete=result.complete_means("AP"), mode=mode)
    check(figure, mode, x=TITLE, y="AP")
    for measure in result.measures:
        own = [one for one in points if one.trained_by == measure]
        line = named(figure, measure)
        assert list(line.x) == [one.level for one in own] == list(result.levels)
        assert list(line.y) == [one.mean for one in own]
    assert len({named(figure, name).marker.symbol for name in result.measures}) == len(result.measures)


def test_lines_end_at_all_judgments() -> None:
    result = up_to(trained(), 50)
    points = [one for one in curves(result) if not one.task and one.evaluated_by == "infAP"]
    complete = {
        name: score for name, score in result.complete_means("infAP").items() if name in ("AP", "infAP")
    }
    figure = effectiveness_by_completeness(points, complete=complete, mode="light")
    for name, score in complete.items():
        assert (named(figure, name).x[-1], named(figure, name).y[-1]) == (100, score)
    by = result.measures.index("infAP")
    assert complete["AP"] == result.complete_effectiveness[:, by, 0].mean()


@pytest.mark.parametrize("mode", MODES)
def test_agreement_with_the_reference(mode: Mode) -> None:
    result = agreements(trained())
    figure = agreement_by_completeness(result, reference="AP", yours="infAP", mode=mode)
    check(figure, mode, x=TITLE, y="ρ")
    assert "AP" in layout_of(figure).yaxis.title.text
    for measure in trained().alternatives:
        known = [one for one in result if one.measure == measure and one.rho is not None]
        assert list(named(figure, measure).x) == [one.level for one in known]
        assert list(named(figure, measure).y) == [one.rho for one in known]
    lost = [replace(one, rho=None, lowest=None, highest=None) if one.level == 1 else one for one in result]
    fewer = agreement_by_completeness(lost, reference="AP", yours="infAP", mode=mode)
    assert 1.0 not in named(fewer, "infAP").x


@pytest.mark.parametrize("mode", MODES)
def test_judgments_in_all_with_the_cheapest_design_marked(mode: Mode) -> None:
    figure = judgments_by_completeness(_designs(), difference=0.05, yours="AP", mode=mode)
    check(figure, mode, x=TITLE, y="judgments")
    for measure in trained().measures:
        own = [one for one in _designs() if one.measure == measure and one.total_judgments]
        line = named(figure, measure)
        assert list(line.y) == [one.total_judgments for one in own]
        least, known = cheapest(_designs(), measure), plannable(_designs(), measure)
        assert [symbol == "diamond" for symbol in line.marker.symbol] == [one is least for one in own]
        assert [symbol == "circle-open" for symbol in line.marker.symbol] == [one not in known for one in own]


@pytest.mark.parametrize("mode", MODES)
def test_a_surface_over_one_parameter(mode: Mode) -> None:
    pair = _pair()
    figure = training_surface(pair, mode=mode)
    check(figure, mode, x="b", y="AP")
    assert layout_of(figure).title.text.startswith(f'<span style="color:{PALETTES[mode].accent}">●</span>')
    assert {named(figure, f"chosen by {one.measure}").marker.color for one in pair} == {PALETTES[mode].accent}
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


@pytest.mark.parametrize("mode", MODES)
def test_a_surface_over_two_parameters(mode: Mode) -> None:
    pair = _pair(_as_grid())
    figure = training_surface(pair, mode=mode)
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
    figure = training_surface(
        _pair(Settings(parameters=("b", "k1"), systems=systems, values=values)), mode="light"
    )
    shades = np.array(named(figure, "AP").z, dtype=np.float64)
    assert shades.shape == (3, 8)
    assert np.isnan(shades).sum() == 3 * 8 - len(systems)


@pytest.mark.parametrize("mode", MODES)
def test_runs_without_parameters_have_the_reference_order(mode: Mode, golden: SnapshotAssertion) -> None:
    pair = _pair(without_parameters(trained().settings.systems))
    figure = training_surface(pair, mode=mode)
    check(figure, mode, x="AP", y="AP")
    assert layout_of(figure).xaxis.title.text == golden
    assert list(on_all_judgments(figure, "AP").y) == sorted(pair[0].complete, reverse=True)
    order = np.argsort(-pair[0].complete, kind="stable")
    assert list(on_all_judgments(figure, "infAP").y) == pair[1].complete[order].tolist()


@pytest.mark.parametrize("mode", MODES)
def test_settings_by_two_measures(mode: Mode, golden: SnapshotAssertion) -> None:
    reference, other = _pair()
    figure = measures_in_training(reference, other, mode=mode)
    check(figure, mode, x="AP", y="infAP")
    whole, sample = traces(figure)
    assert (list(whole.x), list(whole.y)) == (reference.complete.tolist(), other.complete.tolist())
    assert (list(sample.x), list(sample.y)) == (reference.sample.tolist(), other.sample.tolist())
    flat = replace(other, complete=np.zeros_like(other.complete))
    figure = measures_in_training(reference, flat, mode=mode)
    notes = [note.text for note in layout_of(figure).annotations]
    assert sum("ρ" in note for note in notes) == 2
    assert notes == golden
