"""A page as text: all that a user can read, choose and download there, a line an element."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, Node

from tests.golden.files import described, rounded, table, without_versions
from tests.golden.names import named, once

_QUIET = {"space", "html", "divider", "bidi_component", "component_instance", "empty", "skeleton"}
"""Elements without a word to read."""

_TABLES = {"arrow_data_frame", "dataframe", "table"}

_PARAGRAPH = "popover: Text for a paper"

_FIELDS = {
    "number_input": "number",
    "text_input": "text",
    "text_area": "text",
    "selectbox": "choice",
    "radio": "choice",
    "button_group": "choice",
    "multiselect": "choices",
    "toggle": "switch",
    "checkbox": "switch",
    "slider": "slider",
    "select_slider": "slider",
}


class Downloads:
    """The files behind a page's download buttons, made as a click would make them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.files: dict[str, Callable[[], bytes] | bytes] = {}
        original = st.download_button

        def kept(label: str, *, data: Any, file_name: str, **options: Any) -> bool:
            self.files[file_name] = data
            return original(label, data=data, file_name=file_name, **options)

        patch.setattr(st, "download_button", kept)

    def content(self, name: str) -> bytes:
        """Return the content of the file of this name."""
        data = self.files[name]
        return data() if callable(data) else data


def page_and_files(app: AppTest, downloads: Downloads) -> str:
    """Return the texts of the page and of its files, each long text once."""
    files = {name: downloads.content(name) for name in downloads.files}
    text = "\n".join(once(map(named, [*_lines(app.main), *described(files)])))
    return without_versions(re.sub(r"(?<=CSV|cel|SON)\ndownload_button: ", " | ", text))


def screen(app: AppTest, *, in_short: bool = False) -> list[str]:
    """Return the lines of a page; in short without charts, tables and helps, which follow from the others."""
    return [without_versions(named(line)) for line in _lines(app.main, in_short=in_short)]


def _lines(node: Node, *, in_short: bool = False) -> Iterator[str]:
    if not isinstance(node, Block):
        yield from _of_element(node, in_short)
        return
    title = _title(node)
    if title == _PARAGRAPH and in_short:
        return
    inner = [
        line for place in sorted(node.children) for line in _lines(node.children[place], in_short=in_short)
    ]
    if not title:
        yield from inner
    elif len(inner) == 1:
        yield f"{title} > {inner[0]}"
    else:
        yield title
        yield from (f"  {line}" for line in inner)


def _title(block: Block) -> str:
    label = getattr(block, "label", "") or getattr(getattr(block.proto, "popover", None), "label", "")
    kinds = {"expander": "expander", "tab": "tab", "status": "status", "popover": "popover"}
    return f"{kinds[block.type]}: {label}" if block.type in kinds else ""


def _of_element(node: Element, in_short: bool) -> list[str]:
    if in_short and node.type in {"plotly_chart", *_TABLES}:
        return []
    lines = _all_of(node)
    return [re.sub(r" \(help: .*\)$", "", line) for line in lines] if in_short else lines


def _all_of(node: Element) -> list[str]:
    kind = node.type
    if kind in _QUIET:
        return []
    if kind in _FIELDS:
        return [_field(node)]
    if kind == "plotly_chart":
        return _chart(json.loads(node.proto.spec), node.proto.alt)
    if kind in _TABLES:
        frame = pd.DataFrame(node.value)
        return table("table", list(frame.columns), frame.to_numpy(dtype=object).tolist())
    if kind in ("button", "download_button", "link_button"):
        label = re.sub(r", about \d+ (s|min)$", ", about T", node.label)  # depends on the processors
        return [f"{kind}: {label}{_help(node)}"]
    if kind == "file_uploader":
        return [f"file_uploader: {node.label}{_help(node)}"]
    if kind == "progress":
        return ["progress"]
    if kind == "page_link":
        return [f"page_link: {node.proto.label} ({node.proto.page})"]
    value = getattr(node, "value", None)
    if value is None:
        return [f"{kind}: ?"]
    paragraphs = [" ".join(part.split()) for part in named(str(value)).split("\n\n")]
    text = " ¶ ".join(paragraphs)
    if len(paragraphs) > 3:  # prose that is in the source: enough to see that some is lost
        text = f"{text[:60]} ... ({len(paragraphs)} paragraphs, {len(text.split())} words)"
    return [f"{kind}: {text}{_help(node)}"]


def _help(node: Element) -> str:
    text = getattr(node, "help", "") or getattr(node.proto, "help", "")
    return f" (help: {text})" if text else ""


def _field(node: Any) -> str:
    options = [str(option) for option in getattr(node, "options", None) or ()]
    shown = options if len(options) <= 8 else [*options[:3], f"... {len(options)} in all"]
    among = f" of {' | '.join(shown)}" if options else ""
    value = node.value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = repr(value)
    return f"{_FIELDS[node.type]}: {node.label} = {value}{among}{_help(node)}"


def _chart(spec: dict[str, Any], alt: str) -> list[str]:
    """Return the words of a chart; its numbers are those of the answer and its tables."""
    _check(spec)
    layout = spec["layout"]
    axes = [layout[name] for name in sorted(layout) if re.fullmatch(r"[xy]axis\d*", name)]
    titles = [
        f"{axis.get('title', {}).get('text')} ({axis.get('type', 'linear')})"
        + (f" {rounded(axis['ticktext'])}" if axis.get("ticktext") and len(axis["ticktext"]) <= 8 else "")
        for axis in axes
    ]
    series = dict.fromkeys(
        f"{trace.get('type', '')} {trace.get('name', '')}".strip().removeprefix("scatter ")
        for trace in spec["data"]
    )
    hovers = dict.fromkeys(
        re.sub(r"\d*\.?\d+", "#", template.removesuffix("<extra></extra>"))
        for trace in spec["data"]
        for template in [trace.get("hovertemplate", "")]
        if isinstance(template, str)
    )
    notes = [note["text"] for note in layout.get("annotations", []) if note.get("text")]
    title = layout.get("title", {}).get("text", "")
    lists = {title: titles, "series": series, "hover": hovers, "notes": notes}
    return [
        f"chart: {alt}",
        *(f"  {name}: {'; '.join(words)}" for name, words in lists.items() if any(words)),
    ]


def _check(spec: dict[str, Any]) -> None:
    """Have Plotly check every property, once for all charts that differ in numbers and texts alone."""
    form = json.dumps(_form(spec))
    if form not in _checked:
        go.Figure(spec)
        _checked.add(form)


_checked: set[str] = set()


def _form(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _form(inner, key) for key, inner in sorted(value.items()) if key != "template"}
    if isinstance(value, list):
        forms = [_form(one, name) for one in value]
        return [one for place, one in enumerate(forms) if one not in forms[:place]]
    return type(value).__name__ if name in _FREE or isinstance(value, (int, float)) else value


_FREE = {"x", "y", "z", "text", "hovertext", "hovertemplate", "customdata", "name", "ticktext", "bdata"}
"""Properties that take any number or text."""
