"""The main chart as SVG: everything is at the place that its axes give, and nothing but the known markup is one."""

import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from topicset_core.charts.chart import Chart, errors
from topicset_core.charts.labels import category_axis
from topicset_core.exports.colours import SERIES
from topicset_core.exports.svg import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(chart: Chart) -> ElementTree.Element:
    """Return the chart, read by a strict parser."""
    return ElementTree.fromstring(
        svg(chart.figure("name", "What it shows & why").drawing, "What it shows & why")
    )


def points(path: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.attrib["d"])]


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(one.itertext()) for one in root.iter(f"{NAMESPACE}text")]


def panel(root: ElementTree.Element) -> tuple[float, float, float, float]:
    """Return the sides of the panel that cuts traces off: left, right, top, bottom."""
    box = next(one for one in root.iter(f"{NAMESPACE}svg") if "x" in one.attrib)
    x, y, wide, high = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
    return x, x + wide, y, y + high


def test_a_line_goes_from_corner_to_corner() -> None:
    chart = Chart("T", "x, in topics", "y")
    chart.line([0, 10, None, 0, 10], [0, 1, None, 1, 0], "line", None)
    chart.axis("x", range=[0, 10])
    chart.axis("y", range=[0, 1])
    root = drawn(chart)
    left, right, top, bottom = panel(root)
    box = next(one for one in root.iter(f"{NAMESPACE}svg") if "x" in one.attrib)
    rising, falling = map(points, box)  # the missing value parts them
    assert sum(rising, ()) == pytest.approx((left, bottom, right, top), abs=0.1)
    assert sum(falling, ()) == pytest.approx((left, top, right, bottom), abs=0.1)
    assert texts(root)[-1] == "y"
    assert {"x, in topics", "0", "10", "0.4", "1"} <= set(texts(root))
    assert root.find(f"{NAMESPACE}title").text == "What it shows & why"  # type: ignore[union-attr]


def test_log_axes_and_error_bars() -> None:
    chart = Chart("T", "x", "y")
    chart.log_axis("x", range=[0, 2])
    chart.points([10], [3], "point", None, error_y=errors([2], "$accent", down=[1]))
    chart.axis("y", range=[0, 10])
    chart.note("half", 10, 5)
    root = drawn(chart)
    left, right, top, bottom = panel(root)
    (dot,) = root.iter(f"{NAMESPACE}circle")
    assert float(dot.attrib["cx"]) == pytest.approx(
        (left + right) / 2, abs=0.1
    )  # 10 is half way from 1 to 100
    assert float(dot.attrib["cy"]) == pytest.approx(bottom - 0.3 * (bottom - top), abs=0.1)
    ends = next(
        points(one) for one in root.iter(f"{NAMESPACE}path") if "#C2410C" in str(one.attrib.get("stroke"))
    )
    assert sorted(y for _, y in ends) == pytest.approx(
        [bottom - part * (bottom - top) for part in (0.5, 0.2)], abs=0.1
    )
    note = next(one for one in root.iter(f"{NAMESPACE}tspan") if one.text == "half")
    assert float(note.attrib["x"]) == pytest.approx((left + right) / 2, abs=0.1)


def test_bars_have_the_length_of_their_values() -> None:
    chart = Chart("T", "x", "y")
    chart.bars([4, 2], ["<b>a", "b"], "bars", None, text=["four", "two"])
    chart.update_layout(yaxis=category_axis(["<b>a", "b"]))
    root = drawn(chart)
    widths = [float(one.attrib["width"]) for one in root.iter(f"{NAMESPACE}rect")]
    assert widths[0] == pytest.approx(2 * widths[1], rel=1e-3)
    assert {"<b>a", "b", "four", "two"} <= set(texts(root))


def test_a_name_that_moves_is_joined_to_the_end_of_its_line() -> None:
    chart = Chart("T", "x", "y")
    chart.axis("x", range=[0, 10])
    chart.axis("y", range=[0, 1])
    chart.line([0, 10], [0.5, 0.5], "line", None)
    chart.name_ends([(10, 0.5, name, SERIES[0]) for name in ("one", "other")], height=1, gap=0.1)
    root = drawn(chart)
    _, right, top, bottom = panel(root)
    names = {"".join(one.itertext()): one for one in root.iter(f"{NAMESPACE}text")}
    leaders = [points(path) for path in root.findall(f"{NAMESPACE}path") if len(points(path)) == 2]
    for name, y in (("one", 0.45), ("other", 0.55)):
        (line,) = (one for one in leaders if one[1][1] == pytest.approx(bottom + y * (top - bottom), abs=0.1))
        assert line[0] == pytest.approx((right + 5, (top + bottom) / 2), abs=0.1)  # 5 pixels from the end
        assert float(names[name][0].attrib["x"]) == pytest.approx(line[1][0] + 3, abs=0.1)


def test_markup_ends_with_its_line() -> None:
    chart = Chart("T", "x", "y")
    chart.line([0, 1], [0, 1], "line", None, colour=SERIES[0])
    chart.note(
        '<b>bold<br>next</b> <span style="color:$series-1">amber</span> <script>1 &lt; 2</script>', 0, 0
    )
    root = drawn(chart)
    assert "boldnext amber <script>1 < 2</script>" in texts(root)
    marked = {one.text: one.attrib for one in root.iter(f"{NAMESPACE}tspan")}
    assert marked["bold"] == {"font-weight": "bold"}
    assert marked["amber"]["fill"] == "#B56A00"
    assert not list(root.iter(f"{NAMESPACE}script"))


def test_text_and_axes_have_the_colour_of_the_page() -> None:
    chart = Chart("T", "x", "y")
    chart.line([1, 2], [1, 2], "line", None, colour=SERIES[0])
    root = drawn(chart)
    assert root.attrib["fill"] == "currentColor"
    assert all("fill" not in one.attrib for one in root.iter(f"{NAMESPACE}text"))
    strokes = {one.attrib["stroke"] for one in root.iter(f"{NAMESPACE}path")}
    assert strokes == {"currentColor", "#0072B2"}
    (mixed,) = {one.attrib["style"] for one in root.iter(f"{NAMESPACE}path") if "style" in one.attrib}
    assert mixed == "stroke:color-mix(in srgb,currentColor 15%,#0072B2)"


def test_an_empty_chart_has_its_axes() -> None:
    chart = Chart("T", "x", "y")
    chart.line([math.nan], [None], "line", None)
    assert {"x", "y"} <= set(texts(drawn(chart)))


def test_a_kind_that_is_not_drawn_is_refused() -> None:
    chart = Chart("T", "x", "y")
    chart.trace("pie", "pie", None)
    with pytest.raises(ValueError, match="pie"):
        drawn(chart)


def boxes(path: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Return the cells of a colour: left, right, top, bottom."""
    cells = re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+z", path.attrib["d"])
    return [(float(left), float(right), float(top), float(bottom)) for left, top, right, bottom in cells]


def test_cells_fill_their_panel_in_the_colours_of_the_bar() -> None:
    chart = Chart("T", "x", "y")
    chart.shades([[0, 1, None], [4, 4, 4]], "cells", None, bar="rate (%)", x=[1, 2, 4], y=["a", "b"], zmax=4)
    chart.log_axis("x")
    root = drawn(chart)
    left, right, top, bottom = panel(root)
    colours = {path.attrib["fill"]: boxes(path) for path in root.iter(f"{NAMESPACE}path") if boxes(path)}
    third, half = (right - left) / 3, (top + bottom) / 2  # 1, 2, 4 are as far from each other on a log axis
    # From #DDDDDD at 0 to #134870 at 4, in 64 levels; three cells without a gap are one.
    (strong,) = colours["#144971"]
    assert strong == pytest.approx((left, right, top, half), abs=0.1)
    (weak,) = colours["#DADBDC"]
    assert weak == pytest.approx((left, left + third, half, bottom), abs=0.1)
    # 1 is at .2578 of the scale, the middle of its level: 1.805 of 7 steps, between the second and third colour.
    (other,) = set(colours) - {"#144971", "#DADBDC"}
    assert colours[other][0] == pytest.approx((left + third, left + 2 * third, half, bottom), abs=0.1)
    assert other == "#89A9C2"  # #9DB7CC + .805 (#84A5C0 - #9DB7CC)
    bar = [one for one in root.iter(f"{NAMESPACE}rect") if one.attrib.get("shape-rendering") == "crispEdges"]
    assert len(bar) == 64
    assert all(float(one.attrib["x"]) > right for one in bar)
    assert {"rate (%)", "0", "1", "4"} <= set(texts(root))


def test_cells_with_a_gap_stand_alone() -> None:
    chart = Chart("T", "x", "y")
    chart.shades([[1, 1]], "cells", None, x=["a", "b"], y=["c"], xgap=1, ygap=1, showscale=False)
    (path,) = (path for path in drawn(chart).iter(f"{NAMESPACE}path") if boxes(path))
    (_, end, _, _), (start, _, _, _) = boxes(path)
    assert start - end == pytest.approx(1)


def test_a_contour_is_where_its_value_is() -> None:
    chart = Chart("T", "x", "y")
    z = [[x + y for x in range(5)] for y in range(5)]
    look = {"color": SERIES[0], "width": 2.0}
    contours = {"start": 2.5, "end": 2.5, "size": 1}
    chart.trace("contour", "2.5", None, z=z, x=[*range(5)], y=[*range(5)], contours=contours, line=look)
    chart.axis("x", range=[0, 4])
    chart.axis("y", range=[0, 4])
    root = drawn(chart)
    left, right, top, bottom = panel(root)
    (path,) = (path for path in root.iter(f"{NAMESPACE}path") if path.attrib.get("stroke-linecap"))
    units = [(4 * (x - left) / (right - left), 4 * (bottom - y) / (bottom - top)) for x, y in points(path)]
    assert len(units) > 4
    assert [x + y for x, y in units] == pytest.approx([2.5] * len(units), abs=0.01)  # a tenth of a pixel
    assert (min(x for x, _ in units), max(x for x, _ in units)) == pytest.approx((0, 2.5), abs=0.01)


def test_a_histogram_has_the_area_of_its_scores() -> None:
    chart = Chart("T", "x", "y")
    bins = {"start": 0.0, "end": 3.0, "size": 1.0}
    density: dict[str, Any] = {
        "histnorm": "probability density",
        "xbins": bins,
        "marker": {"color": SERIES[0]},
    }
    chart.trace("histogram", "scores", None, x=[0.5, 1.0, 1.5, 2.5], **density)
    chart.axis("x", range=[0, 3])
    chart.axis("y", range=[0, 1])
    root = drawn(chart)
    _, _, top, bottom = panel(root)
    bars = [points(one) for one in root.iter(f"{NAMESPACE}path") if one.attrib["d"].endswith("Z")]
    heights = [(bottom - min(y for _, y in bar)) / (bottom - top) for bar in bars]
    assert heights == pytest.approx([1 / 4, 2 / 4, 1 / 4], abs=1e-3)


def test_bars_have_their_intervals() -> None:
    chart = Chart("T", "x", "y")
    chart.bars([4, 2], ["a", "b"], "bars", None, error_x=errors([1, 1], "$accent", down=[2, 1]))
    chart.axis("x", range=[0, 10])
    root = drawn(chart)
    bar = next(root.iter(f"{NAMESPACE}rect"))
    left, unit = float(bar.attrib["x"]), float(bar.attrib["width"]) / 4
    ends = [
        points(one) for one in root.iter(f"{NAMESPACE}path") if "#C2410C" in str(one.attrib.get("stroke"))
    ]
    first = [(x - left) / unit for x, _ in ends[0]]
    assert first == pytest.approx([2, 5], abs=0.01)
