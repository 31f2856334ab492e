"""The house style: colours that can be read, on the pages that the app has, and unchanged texts."""

import pytest

from tests.charts.figure_checks import (
    LINE_CONTRAST,
    MODES,
    TEXT_CONTRAST,
    assert_roles,
    backgrounds_of_the_app,
    contrast,
    layout_of,
    traces,
)
from topicset_core.charts.chart import Chart, errors, panels, scale, steps
from topicset_core.charts.labels import literal
from topicset_core.exports.colours import (
    ACCENT,
    LINE_RAMP,
    PALETTES,
    QUIET,
    RAMP,
    TEXT,
    TRANSPARENT,
    Mode,
    colour_of,
    faint,
    shade,
)

each_mode = pytest.mark.parametrize("mode", MODES)


def test_contrast_against_wcag() -> None:
    """The measure itself: extremes of WCAG 2.2, and the greys that are known to be on the border."""
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#123456", "#123456") == 1
    assert contrast("#767676", "#FFFFFF") >= 4.5 > contrast("#777777", "#FFFFFF")
    assert contrast("#949494", "#FFFFFF") >= 3 > contrast("#959595", "#FFFFFF")


@each_mode
def test_colours_of_a_palette_can_be_read_and_told_apart(mode: Mode) -> None:
    palette = PALETTES[mode]
    for name in ("text", "quiet", "accent"):  # the accent writes the user's number
        assert contrast(getattr(palette, name), palette.page) >= TEXT_CONTRAST, name
    assert len(palette.series) == 10
    for colour in (*palette.series, *palette.ramp[-len(LINE_RAMP) :], palette.accent):
        assert contrast(colour, palette.page) >= LINE_CONTRAST, colour
    strengths = [contrast(colour, palette.page) for colour in palette.ramp]
    assert strengths == sorted(strengths)
    assert len(set(palette.ramp)) == 7
    assert RAMP[-5:] == LINE_RAMP
    assert 1.1 < contrast(palette.grid, palette.page) < 2  # the grid stays behind the lines
    assert len({*palette.series, palette.accent, palette.quiet, palette.text}) == 13


def test_pages_have_the_colours_of_the_apps_themes() -> None:
    """Contrast is measured against the page, so it must be the page that the app shows."""
    for mode, colour in backgrounds_of_the_app().items():
        assert PALETTES[mode].page == colour
        assert PALETTES[mode].background == TRANSPARENT  # the page shows through
    assert PALETTES["print"].page == PALETTES["print"].background == "#FFFFFF"


@each_mode
def test_a_new_chart_is_in_the_colours_of_its_mode(mode: Mode) -> None:
    palette = PALETTES[mode]
    layout = layout_of(Chart("T", "n (topics)", "minD (AP)", height=300), mode)
    assert [one.title.text for one in (layout, layout.xaxis, layout.yaxis)] == [
        "T",
        "n (topics)",
        "minD (AP)",
    ]
    assert layout.font.color == layout.title.font.color == palette.text
    assert layout.xaxis.gridcolor == layout.yaxis.gridcolor == palette.grid
    assert (layout.colorway, layout.height) == (palette.series, 300)
    expected = "rgba(0,0,0,0)" if mode != "print" else "#FFFFFF"
    assert layout.paper_bgcolor == layout.plot_bgcolor == expected


# Plotly reads <b>, <i>, <sub>, <a href> and entities in every text, %{y} in templates; names may contain any.
MARKUP = '<a href="https://example.org">P</a> & <b>10</b> &lt;'
SHOWN = '&lt;a href="https://example.org"&gt;P&lt;/a&gt; &amp; &lt;b&gt;10&lt;/b&gt; &amp;lt;'


def test_names_with_markup_are_shown_unchanged() -> None:
    assert literal(MARKUP) == SHOWN
    assert literal("%{y}") == "%&#123;y}"
    layout = layout_of(Chart(MARKUP, MARKUP, MARKUP))
    assert layout.title.text == layout.xaxis.title.text == layout.yaxis.title.text == SHOWN


def test_a_long_title_below_an_axis_has_the_lines_that_a_phone_has_room_for() -> None:
    # 368 pixels are left of 400. With names at the right of a chart, 330 of them are around the middle of its axis:
    # 54 characters of such titles at 6.1 pixels, as Chromium draws them.
    long = "δ, widest confidence interval allowed (<b>nDCG@10</b>, log scale)"
    lines = layout_of(Chart("t", long, "y")).xaxis.title.text.split("<br>")
    assert lines == ["δ, widest confidence interval allowed (&lt;b&gt;nDCG@10&lt;/b&gt;,", "log scale)"]
    whole = "δ, widest confidence interval allowed (ERR, log scale)"  # 54 characters
    assert layout_of(Chart("t", whole, "y")).xaxis.title.text == whole


@each_mode
def test_roles_are_resolved_where_colours_are_and_in_marked_text_only(mode: Mode) -> None:
    palette = PALETTES[mode]
    chart = chart_of_all_pieces()
    assert_roles(chart)
    band, line, *_ = traces(chart, mode=mode)
    red, green, blue = (int(palette.accent[at : at + 2], 16) for at in (1, 3, 5))
    assert band.fillcolor == f"rgba({red},{green},{blue},0.14)"
    assert line.name == line.text == "$accent"  # names of users stay
    assert list(line.marker.color) == [palette.text, palette.accent]
    (cells,) = traces(chart, "cells", mode)
    assert [colour for _, colour in cells.colorscale] == [palette.grid, *palette.ramp]
    texts = [note.text for note in layout_of(chart, mode).annotations]
    assert (
        f'<span style="color:{palette.accent}">KEY</span>   <span style="color:{palette.quiet}">$text</span>'
        in texts
    )
    assert "RULE" in texts


def chart_of_all_pieces() -> Chart:
    chart = Chart("T", "x", "y")
    chart.band([1, 2], [1, 2], [3, 4], "band", fillcolor=faint(ACCENT, 0.14))
    chart.line([1, 2], [3, 4], "$accent", None, marker={"color": [TEXT, ACCENT]}, text="$accent")
    chart.points([1], [3], "points", ["of one"], error_y=errors([1], QUIET, down=[2]))
    chart.bars([1, 2], [3, 4], "bars", "%{x}", text=["a", "b"])
    chart.shades([[1, 2]], "cells", "%{z}", bar="BAR")
    chart.rule(1, "RULE")
    chart.name_end(1, 2, "END")
    chart.key((ACCENT, "KEY"), (QUIET, "$text"))
    chart.legend(y=-1)
    chart.room(right=90, top=5)
    return chart


def test_an_unknown_role_is_named() -> None:
    with pytest.raises(ValueError, match="green"):
        colour_of("$green-ish", "light")


@each_mode
def test_shades_between_steps_are_mixed(mode: Mode) -> None:
    ramp = PALETTES[mode].ramp
    assert [colour_of(shade(share), mode) for share in (0, 0.5, 1)] == [ramp[2], ramp[4], ramp[6]]
    between = colour_of(shade(0.125), mode)
    for at in (1, 3, 5):
        ends = sorted(int(one[at : at + 2], 16) for one in ramp[2:4])
        assert int(between[at : at + 2], 16) == pytest.approx(sum(ends) / 2, abs=0.5)


def test_pieces_are_plotlys() -> None:
    chart = chart_of_all_pieces()
    band, line, points, bars, cells = traces(chart)
    assert (list(band.x), list(band.y), band.hoverinfo) == ([1, 2, 2, 1], [1, 2, 4, 3], "skip")
    assert line.mode == "lines"
    assert (points.hovertext, points.hovertemplate) == (("of one",), "%{hovertext}<extra></extra>")
    assert (points.error_y.array, points.error_y.arrayminus) == ((1,), (2,))
    assert (bars.orientation, bars.hovertemplate) == ("h", "%{x}<extra></extra>")
    assert cells.colorbar.title.text == "BAR"
    layout = layout_of(chart)
    assert (layout.legend.y, layout.showlegend) == (-1, True)
    assert (layout.margin.r, layout.margin.t) == (90, 53)
    (rule,) = layout.shapes
    assert (rule.y0, rule.y1, rule.xref) == (1, 1, "x domain")
    assert steps("a", "b") == [(0, "a"), (0.5, "a"), (0.5, "b"), (1, "b")]
    assert scale("a", "b", "c") == [(0, "a"), (0.5, "b"), (1, "c")]


@each_mode
def test_the_mark_is_at_the_point(mode: Mode) -> None:
    palette = PALETTES[mode]
    chart = Chart("T", "x", "y")
    chart.yours(0.1, 75, "75", "HOVER")
    chart.log_axis("y")
    chart.yours(0.1, 1000, "1,000", "yours", above=True)
    chart.yours(0.1, 10, "", "no label")
    first, second, _ = traces(chart, mode=mode)
    assert [(trace.x[0], trace.y[0]) for trace in (first, second)] == [(0.1, 75), (0.1, 1000)]
    assert first.hovertemplate == "HOVER<extra></extra>"
    assert first.marker.color == first.marker.line.color == palette.accent
    below, above = layout_of(chart, mode).annotations
    assert (below.x, below.y, below.text) == (0.1, 75, "<b>75</b>")
    assert (above.x, above.y, above.text) == (0.1, 3, "<b>1,000</b>")  # a log axis counts in powers of ten
    assert below.yshift < 0 < above.yshift
    assert below.font.color == palette.accent


@pytest.mark.parametrize(
    ("low", "high"), [(4, 6000), (0.025, 0.4), (16, 26), (31, 31), (0.011, 0.0112), (2, 1e7), (1e-9, 1e9)]
)
def test_every_log_axis_has_ticks(low: float, high: float) -> None:
    chart = Chart("T", "x", "y")
    chart.log_axis("x")
    chart.panel_axis("y", panels(1, 2)[1], type="log")
    chart.points([low, high], [1, 2], "one", None)
    chart.points([1, 2], [low, high, None], "other", None, panel="2")
    layout = layout_of(chart.figure("name", "alt"))
    assert layout.xaxis.ticktext == layout.yaxis2.ticktext
    assert 3 <= len(layout.xaxis.tickvals) <= 9
    assert low * 0.8 <= layout.xaxis.tickvals[0] <= layout.xaxis.tickvals[-1] <= high * 1.3 or high > 99 * low
    for tick, text in zip(layout.xaxis.tickvals, layout.xaxis.ticktext, strict=True):
        assert float(text.replace(",", "")) == pytest.approx(tick)


def test_names_at_ends_are_apart_in_the_colours_of_their_lines() -> None:
    chart = Chart("T", "x", "y")
    chart.name_ends(
        [(2.0, 3.0, "high", ACCENT), (2.0, 3.0, "same", TEXT), (2.0, 1.0, "low", QUIET)], height=10
    )
    notes = {note.text: note for note in layout_of(chart).annotations}
    assert [notes[name].font.color for name in ("high", "same", "low")] == [
        getattr(PALETTES["print"], name) for name in ("accent", "text", "quiet")
    ]
    # Both stay at the end of their lines by a thin line, and are 5.5 % of the height apart.
    assert {notes[name].y for name in ("high", "same")} == {3.0}
    assert notes["same"].ay - notes["high"].ay == pytest.approx(0.55)
    assert all(note.showarrow and note.arrowhead == 0 for note in notes.values())
    assert (notes["low"].x, notes["low"].y) == (2.0, 1.0)


def test_panels_have_the_looks_of_the_chart_and_their_places() -> None:
    chart, places = Chart("T", "x", "y"), panels(2, 2, across=0.2, down=0.2)
    assert (places[0].wide, places[0].high) == ([0, 0.4], [pytest.approx(0.6), 1])
    assert [panel.end for panel in places] == ["", "2", "3", "4"]
    for panel in places:
        chart.panel(panel, {}, {"title": {"text": panel.end}})
        chart.rule(1, panel=panel.end)
    layout = layout_of(chart)
    assert layout.xaxis4.title.text == "x"
    assert layout.yaxis4.title.text == "4"
    assert (layout.xaxis4.domain, layout.yaxis4.domain) == ((pytest.approx(0.6), 1), (0, 0.4))
    assert (layout.xaxis4.anchor, layout.yaxis4.anchor) == ("y4", "x4")
    assert layout.shapes[3].xref == "x4 domain"
