"""The house style: colours that can be read, on the pages that the app has, and unchanged texts."""

import pytest

from tests.charts.figure_checks import (
    LINE_CONTRAST,
    MODES,
    TEXT_CONTRAST,
    backgrounds_of_the_app,
    contrast,
    layout_of,
    traces,
)
from topicset_core.charts.style import annotate, end_label, literal, new_figure, ring
from topicset_core.exports.colours import LINE_RAMP, PALETTES, RAMP, TRANSPARENT, Mode

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
def test_a_new_figure_is_in_the_colours_of_its_mode(mode: Mode) -> None:
    palette = PALETTES[mode]
    layout = layout_of(new_figure(title="T", x_title="n (topics)", y_title="minD (AP)", height=300), mode)
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
    layout = layout_of(new_figure(title=MARKUP, x_title=MARKUP, y_title=MARKUP))
    assert layout.title.text == layout.xaxis.title.text == layout.yaxis.title.text == SHOWN


@each_mode
def test_the_mark_is_at_the_point(mode: Mode) -> None:
    palette = PALETTES[mode]
    figure = new_figure(title="T", x_title="x", y_title="y")
    ring(figure, x=0.1, y=75, text="75", hover="HOVER")
    ring(figure, x=0.1, y=1000, text="1,000", hover="yours", log_y=True, above=True)
    first, second = traces(figure, mode=mode)
    assert [(trace.x[0], trace.y[0]) for trace in (first, second)] == [(0.1, 75), (0.1, 1000)]
    assert first.hovertemplate == "HOVER<extra></extra>"
    assert first.marker.color == first.marker.line.color == palette.accent
    below, above = layout_of(figure, mode).annotations
    assert (below.x, below.y, below.text) == (0.1, 75, "<b>75</b>")
    assert (above.x, above.y, above.text) == (0.1, 3, "<b>1,000</b>")  # a log axis counts in powers of ten
    assert below.yshift < 0 < above.yshift
    assert below.font.color == palette.accent
    assert below.bgcolor == palette.page


@each_mode
def test_the_end_of_your_line_has_your_colour(mode: Mode) -> None:
    palette = PALETTES[mode]
    figure = new_figure(title="T", x_title="x", y_title="y")
    for is_yours in (True, False):
        annotate(figure, [end_label(x=2.0, y=3.0, text="m = 10", is_yours=is_yours)])
    mine, other = layout_of(figure, mode).annotations
    assert (mine.x, mine.y, mine.text) == (other.x, other.y, other.text) == (2.0, 3.0, "m = 10")
    assert (mine.font.color, other.font.color) == (palette.accent, palette.text)
