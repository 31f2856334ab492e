"""A page as text: all that a user can read, choose and download there, a line an element."""

import base64
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, Node

from tests.golden.files import described, numbers, table, without_versions

_QUIET = {"space", "html", "divider", "bidi_component", "component_instance", "empty", "skeleton"}
"""Elements without a word to read."""

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

    def text(self) -> str:
        """Return the content of each file, described."""
        return "\n".join(f"file {name}\n{described(name, self.content(name))}" for name in sorted(self.files))


def screen(app: AppTest) -> str:
    """Return the texts of the page, and of the side bar if it has any."""
    return without_versions("\n".join(_lines(app.main, 0)))


NO_CHANGES = "(0 lines went)"


def changes(before: str, after: str) -> str:
    """Return the lines of a screen that were not there before, and how many of those before went."""
    old, new = before.splitlines(), after.splitlines()
    came = [line for line in new if line not in set(old)]
    n_gone = sum(line not in set(new) for line in old)
    return "\n".join([*came, f"({n_gone} lines went)"])


def _lines(node: Node, depth: int) -> Iterator[str]:
    inset = "  " * depth
    if isinstance(node, Block):
        title = _title(node)
        if title:
            yield f"{inset}{title}"
        for place in sorted(node.children):
            yield from _lines(node.children[place], depth + bool(title))
        return
    for line in _of_element(node).splitlines():
        yield f"{inset}{line}"


def _title(block: Block) -> str:
    label = getattr(block, "label", "") or getattr(getattr(block.proto, "popover", None), "label", "")
    kinds = {"expander": "expander", "tab": "tab", "status": "status", "popover": "popover"}
    return f"{kinds[block.type]}: {label}" if block.type in kinds else ""


def _of_element(node: Element) -> str:
    kind = node.type
    if kind in _QUIET:
        return ""
    if kind in _FIELDS:
        return _field(node)
    if kind == "plotly_chart":
        return _chart(json.loads(node.proto.spec), node.proto.alt)
    if kind in ("arrow_data_frame", "dataframe", "table"):
        return f"table\n{table(pd.DataFrame(node.value))}"
    if kind in ("button", "download_button", "link_button"):
        label = re.sub(r", about \d+ (s|min)$", ", about T", node.label)  # depends on the processors
        return f"{kind}: {label}{_help(node)}"
    if kind == "file_uploader":
        return f"file_uploader: {node.label}{_help(node)}"
    if kind == "progress":
        return "progress"
    if kind == "page_link":
        return f"page_link: {node.proto.label} ({node.proto.page})"
    if kind == "code":
        return "code\n" + "\n".join(f"  {line}" for line in str(node.value).splitlines())
    value = getattr(node, "value", None)
    if value is None:
        return f"{kind}: ?"
    return f"{kind}: {value}{_help(node)}"


def _help(node: Element) -> str:
    text = getattr(node, "help", "") or getattr(node.proto, "help", "")
    return f" (help: {text})" if text else ""


def _field(node: Any) -> str:
    options = getattr(node, "options", None)
    among = f" of {list(options)}" if options is not None else ""
    value = node.value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = repr(value)
    return f"{_FIELDS[node.type]}: {node.label} = {value}{among}{_help(node)}"


def _chart(spec: dict[str, Any], alt: str) -> str:
    _check(spec)
    layout = spec["layout"]
    lines = [f"chart: {alt}"]
    title = layout.get("title", {}).get("text")
    if title:
        lines.append(f"  title: {title}")
    for name in sorted(key for key in layout if re.fullmatch(r"[xy]axis\d*", key)):
        axis = layout[name]
        ticks = f" ticks {axis['ticktext']}" if axis.get("ticktext") else ""
        lines.append(f"  {name} ({axis.get('type', 'linear')}): {axis.get('title', {}).get('text')}{ticks}")
    for trace in spec["data"]:
        lines.append(f"  {trace.get('type', 'scatter')} {trace.get('name', '')!r}")
        for part in ("x", "y", "z", "text", "hovertemplate", "customdata", "error_x", "error_y"):
            if part in trace:
                lines.append(f"    {part}: {_values(trace[part])}")
    lines += [
        f"  note: {note['text']} at ({_values(note.get('x'))}, {_values(note.get('y'))})"
        for note in layout.get("annotations", [])
        if note.get("text")
    ]
    return "\n".join(lines)


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


def _values(values: Any) -> str:
    """Return the drawn data in short: long arrays by count, ends and sum."""
    if isinstance(values, dict):
        if "bdata" in values:
            result = np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
            return numbers(result.astype(float))
        return ", ".join(f"{name} {_values(inner)}" for name, inner in sorted(values.items()))
    if isinstance(values, list):
        if values and all(isinstance(value, (int, float)) or value is None for value in values):
            return numbers(np.array([np.nan if value is None else value for value in values], dtype=float))
        shown = [_values(value) for value in values]
        return f"[{', '.join(shown)}]" if len(shown) <= 8 else f"{len(shown)}: {shown[:3]} ... {shown[-1]}"
    return f"{values!r}" if isinstance(values, float) else str(values)
