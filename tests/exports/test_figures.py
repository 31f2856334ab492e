"""The HTML export: one file without other files that contains the report."""

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from topicset_core.charts.chart import Chart
from topicset_core.exports.figures import Drawing, Figure
from topicset_core.exports.html import html_page

HOSTILE = "</script></title></pre><script>hacked = 1</script><img src=x onerror='hacked()'>\" & \\ \u2028"
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """The contents for a browser: elements with their attributes, texts by element."""

    def __init__(self, content: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(content.decode("utf-8"))
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def names(self) -> list[str]:
        return [name for name, _ in self.elements]


def figure(name: str = "AP") -> Drawing:
    drawn = Chart(f"Topics for {name}", f"minD ({name})", "topics n")
    drawn.add("scatter", x=np.array([0.05, 0.1]), y=[298, 76], name=name)
    return drawn


def page(text: str = "n = 76", **changes: Any) -> bytes:
    given: dict[str, Any] = {
        "title": text,
        "sentence": text,
        "figures": [Figure("first", figure(), text), Figure("other", figure(), "second")],
        "table": {"min_d": [0.05, 0.1], text: [298, 76]},
        "text": text,
    }
    return html_page(**(given | changes))


def test_the_page_contains_the_report() -> None:
    result = Page(page("149 topics for σ² = .0471"))
    for element in ("h1", "p", "pre"):
        assert result.texts[element] == ["149 topics for σ² = .0471"]
    assert result.texts["title"] == ["149 topics for σ² = .0471", "149 topics for σ² = .0471", "second"]
    assert result.texts["figcaption"] == ["Topics for AP"] * 2
    assert result.texts["th"] == ["min_d", "149 topics for σ² = .0471"]
    assert result.texts["td"] == ["0.05", "298", "0.1", "76"]
    assert result.names().count("tr") == 3
    labels = [attributes["aria-label"] for name, attributes in result.elements if name == "figure"]
    assert labels == ["149 topics for σ² = .0471", "second"]
    assert {"lang": "en"} in [attributes for name, attributes in result.elements if name == "html"]
    assert ("meta", {"charset": "utf-8"}) in result.elements


def test_the_charts_have_their_data() -> None:
    result = Page(page())
    assert result.names().count("figure") == 2
    paths = [attributes for name, attributes in result.elements if name == "path"]
    lines = [attributes for attributes in paths if attributes["stroke-width"] == "2"]
    assert len(lines) == 2
    for attributes in lines:
        x, y, to_x, to_y = map(float, re.findall(r"[\d.]+", str(attributes["d"])))
        assert x < to_x
        assert y < to_y  # it falls from 298 to 76


def test_the_page_needs_no_network() -> None:
    content = page()
    result = Page(content)
    for name, attributes in result.elements:
        assert name not in {"link", "img", "iframe", "object", "embed", "base"}
        assert not {"src", "href", "srcset", "data"} & set(attributes), name
    assert "@import" not in "".join(result.texts["style"])
    assert "url(" not in "".join(result.texts["style"])
    assert "script" not in result.names()
    assert len(content) < 20_000
    assert len(page(figures=[])) < 3000


def test_hostile_names_stay_text() -> None:
    """Names of files, runs and measures come from other people's files and from links."""
    harmless = Page(page(figures=[Figure("one", figure(), "alt")]))
    content = page(HOSTILE, figures=[Figure("one", figure(HOSTILE), HOSTILE)])
    result = Page(content)
    # No additional element, and no element closed too early; only titles have more lines.
    names, expected = ([name for name in one.names() if name != "tspan"] for one in (result, harmless))
    assert names == expected
    for element in ("h1", "p", "pre"):
        assert result.texts[element] == [HOSTILE]
    assert result.texts["title"] == [HOSTILE, HOSTILE]
    assert "</script></title></pre><script>hacked = 1</script>" in result.texts["figcaption"][0]
    assert result.texts["th"] == ["min_d", HOSTILE]
    (label,) = [attributes["aria-label"] for name, attributes in result.elements if name == "figure"]
    assert label == HOSTILE


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1 + 0.2, "0.3"),
        (np.float64(1 / 3), "0.333333"),
        (10_000_000, "10000000"),
        (float("nan"), ""),
        (None, ""),
        ("<b>", "<b>"),
    ],
)
def test_cells_are_formatted_for_readers(value: object, shown: str) -> None:
    assert Page(page(figures=[], table={"a": [value]})).texts["td"] == [shown]
