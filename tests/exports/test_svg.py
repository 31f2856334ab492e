"""The main chart as SVG: everything is at the place that its axes give, and nothing but the known markup is one."""

import math
import re
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
    chart.shades([[1, 2]], "shades", None)
    with pytest.raises(ValueError, match="heatmap"):
        drawn(chart)
