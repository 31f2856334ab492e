"""Names that look like markup, formulas or templates: on every page of the app, and in every file that one offers.

Names of topics, runs, measures, files and collections come from files of others. Each is shown as it is written.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from openpyxl import load_workbook
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from pages.parts.contents import PAGES
from tests.golden.screen import Downloads
from tests.pages.app import (
    errors,
    finished,
    go,
    healthy,
    in_tab,
    open_app,
    press,
    uploaders,
    wait_for_work,
)
from tests.pages.uploading import PAGE, RUNS, bring

PARTS = (
    "<b>evil</b>",
    "<img/src=x/onerror=evil()>",
    "<script>evil()</script>",
    "**evil**",
    "[evil](javascript:evil())",
    "$evil^2$",
    ":red[evil]",
    "`evil`",
    ":smile:",
    "|evil",
    "%{evil}",
    "~~evil~~",
    "\\evil",
    "&lt;evil",
    "$$evil$$",
    "<a/href=javascript:evil()>",
    "</svg>",
    ":material/evil:",
    "רשע",
)
"""HTML, Markdown of the web and of Streamlit, formulas, emoji, cells of tables, templates of charts, LaTeX, and
letters from right to left."""
FORMULAS = "=+-@"  # what spreadsheets take for the beginning of a formula

# No sign of these is left as it is where it would have a meaning.
IN_HTML = re.compile(r"<(b>evil|img|script>evil|a/href|/svg)|&lt;evil")
IN_MARKDOWN = re.compile(
    r"<b>evil|<img|<script|<a/|\*\*evil|\]\(javascript|\$evil|:red\[evil|`evil|:smile:|~~evil|&lt;evil|:material/evil"
)
IN_LATEX = re.compile(r"(?<!\\)((\$|\{)evil|&lt)|\\evil|[<>|~]evil")

NOT_MARKDOWN = {
    ("Selectbox", "options"),
    ("Selectbox", "raw_value"),
    ("MultiSelect", "options"),
    ("MultiSelect", "raw_values"),
    ("TextInput", "default"),
    ("TextInput", "value"),
    ("Code", "code_text"),
    ("PlotlyChart", "alt"),
    ("PlotlyChart", "spec"),
    ("Html", "body"),
    ("Dataframe", "columns"),
    ("Dataframe", "alt"),
}
"""Texts that Streamlit shows as they are, and texts that have a check of their own."""


def _name(place: int) -> str:
    """A name of all parts, beginning at another one for each place: long names are cut short on pages."""
    is_reversed = (*PARTS[place % len(PARTS) :], *PARTS[: place % len(PARTS)])
    return f"{FORMULAS[place % 4]}{''.join(is_reversed)}{place}"


def _scores() -> bytes:
    generator = np.random.default_rng(1)
    scores = np.clip(np.linspace(0.2, 0.5, 5) + generator.normal(0, 0.15, (9, 5)), 0, 1)
    rows = [["topic", "run", "measure", "score"]]
    rows += [
        [_name(topic), _name(run + 5), _name(3), f"{scores[topic, run]:.4f}"]
        for topic in range(9)
        for run in range(5)
    ]
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def _run(place: int) -> bytes:
    order = np.random.default_rng(place).permutation(9)
    return "".join(
        f"{_name(topic)} Q0 d{(one + topic) % 9} {rank} {9 - rank} {_name(place)}\n"
        for topic in range(5)
        for rank, one in enumerate(order)
    ).encode()


def _judgments() -> bytes:
    return "".join(
        f"{_name(topic)} 0 d{one} {int((one + topic) % 3 > 0)}\n" for topic in range(5) for one in range(9)
    ).encode()


def _labels() -> bytes:
    rows = ["topic\tsystem\tjudge\thuman\n"]
    rows += [
        f"{_name(topic)}\t{_name(run)}\t{(topic * run % 7) / 7}\t{(topic + run) / 9}\n"
        for topic in range(5)
        for run in range(3)
    ]
    return "".join(rows).encode()


@pytest.fixture(scope="module")
def visited() -> Iterator[AppTest]:
    """The app with scores, runs and judgments of hostile names."""
    with pytest.MonkeyPatch.context() as patch:
        wait_for_work(patch)
        app = open_app(PAGE)
        uploaders(app)[0].upload("**evil**:red[evil].tsv", _scores(), "text/plain")
        assert not errors(healthy(app.run()))
        runs = {f"{_name(place).replace('/', '')}.txt": _run(place) for place in range(4)}
        assert not errors(bring(go(app, RUNS), runs, {"q*<b>evil.txt": _judgments()}))
        judges = go(app, "pages/judges.py")
        judges.file_uploader(key="judges/files-judge-0").upload(
            "=<b>evil&lt;evil.tsv", _labels(), "text/plain"
        )
        assert not errors(press(healthy(judges.run()), "dossier-judge"))
        yield app


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Block):
        for child in node.children.values():
            yield from _nodes(child)


def _strings(message: Any) -> Iterator[tuple[str, str, str]]:
    """Yield each text of a message to the browser, with its kind and its field."""
    if message is None:
        return
    for field, value in message.ListFields():
        several = value if field.is_repeated else [value]
        if field.message_type and not field.message_type.GetOptions().map_entry:
            for one in several:
                yield from _strings(one)
        elif field.type == field.TYPE_STRING:
            yield from ((message.DESCRIPTOR.name, field.name, one) for one in several)


_DRAWN = {
    *("text", "hovertext", "hovertemplate", "texttemplate", "ticktext", "labelalias", "customdata", "name"),
}


def _texts(part: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts in a part of a figure that the chart library reads as markup or templates."""
    if isinstance(part, dict):
        for name, value in part.items():
            yield from _texts(value, key if key == "labelalias" else name)
    elif isinstance(part, list):
        for one in part:
            yield from _texts(one, key)
    elif isinstance(part, str) and key in _DRAWN:
        yield key, part


def _places(figure: Any) -> Iterator[tuple[str, str]]:
    """Yield names on axes that have no label of their own: they are drawn and shown on hovering as they are."""
    for trace in figure["data"]:
        for axis in "xy":
            number = trace.get(f"{axis}axis", axis).removeprefix(axis)
            labels = figure["layout"].get(f"{axis}axis{number}", {}).get("labelalias", {})
            values = trace.get(axis)
            names = {one for one in values if isinstance(one, str)} if isinstance(values, list) else set()
            yield from ((axis, name) for name in sorted(names - set(labels)))


def _wrong_in_figure(spec: str) -> Iterator[tuple[str, str]]:
    figure = json.loads(spec)
    for key, text in (*_texts(figure), *_places(figure)):
        if IN_HTML.search(text) or (key.endswith("template") and "%{evil" in text):
            yield key, text


class _Elements(HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag != "b"
        assert given.get("src") != "x"
        assert not {"onerror"} & set(given)
        assert not (given.get("href") or "").startswith("javascript")

    def handle_data(self, data: str) -> None:
        assert data.strip() != "evil()"  # the whole of a script


def _check_file(name: str, content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    if name.endswith(".csv"):
        assert all(
            "&lt;b" not in cell and "&amp;" not in cell and "\\*" not in cell
            for row in csv.reader(io.StringIO(text))
            for cell in row
        )
    elif name.endswith(".xlsx"):
        book = load_workbook(io.BytesIO(content))
        assert all(cell.data_type != "f" for sheet in book for row in sheet.iter_rows() for cell in row)
    elif name.endswith(".html"):
        _Elements().feed(text)
    else:
        json.loads(text)


def _wrong_on_page(app: AppTest) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of a page in which a name would be read as something else."""
    for node in _nodes(app._tree):
        for kind, field, text in _strings(getattr(node, "proto", None)):
            if (kind, field) == ("PlotlyChart", "spec"):
                yield from ((kind, key, drawn) for key, drawn in _wrong_in_figure(text))
            elif (kind, field) == ("Html", "body"):
                yield from [(kind, field, text)] * bool(IN_HTML.search(text))
            elif (kind, field) == ("Code", "code_text") and node.proto.language == "latex":
                yield from [(kind, field, text)] * bool(IN_LATEX.search(text))
            elif field not in {"id", "key"} and (kind, field) not in NOT_MARKDOWN:
                shown = re.sub(r"\\[!-/:-@\[-`{-~]", "·", text)  # signs with a backslash before them
                yield from [(kind, field, text)] * bool(IN_MARKDOWN.search(shown))


def _with_all_open(app: AppTest) -> AppTest:
    """Open the expanders whose content is drawn on demand."""
    keys = [expander.proto.id.split("-", 2)[2] for expander in app.expander if expander.proto.id]
    for key in keys:
        app.session_state[key] = True
    return finished(healthy(app.run())) if keys else app


def _with_each_tab(app: AppTest) -> Iterator[AppTest]:
    """Open the tabs below the main chart one by one, as their content may be drawn on demand."""
    yield app
    for tab in app.tabs:
        if "tabs" in app.session_state and tab.label not in TEXTS_FOR_A_PAPER:
            yield _with_all_open(finished(in_tab(app, tab.label)))


TEXTS_FOR_A_PAPER = {"Plain text", "LaTeX and BibTeX"}
WITHOUT_NAMES = {"user_guide", "reported_result", "right_or_wrong"}
"""Pages that show no name of these files, the last as their scores are not 0 and 1."""


@pytest.mark.slow
def test_names_that_look_like_markup_are_shown_as_written_on_every_page_and_in_every_file(
    visited: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads = Downloads(monkeypatch)
    wrong, reached = [], set()
    for page in PAGES:
        for app in _with_each_tab(_with_all_open(finished(go(visited, page.file)))):
            wrong += [(page.name, *one) for one in _wrong_on_page(app)]
            nodes = _nodes(app._tree)
            shown = (text for node in nodes for _, _, text in _strings(getattr(node, "proto", None)))
            if any("evil" in text for text in shown):
                reached.add(page.name)
    assert not wrong
    assert {page.name for page in PAGES} - reached == WITHOUT_NAMES
    assert downloads.files
    for name in downloads.files:
        _check_file(name, downloads.content(name))
