"""Lists whose labels depend on data: a browser keeps an old label unless the option is set again."""

import ast
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import ROOT, healthy

_LISTS = {"selectbox", "radio", "select_slider", "multiselect", "segmented_control", "pills"}


def _of_labels_that_stay(function: ast.expr) -> bool:
    """Return whether a function of labels is a constant of its module, or reads only its own argument."""
    if isinstance(function, ast.Lambda):
        own = {one.arg for one in function.args.args}
        return {one.id for one in ast.walk(function.body) if isinstance(one, ast.Name)} <= own
    while isinstance(function, ast.Attribute | ast.Subscript):
        function = function.value
    return isinstance(function, ast.Name) and function.id.isupper()


def _of_labels_that_change(text: str) -> Iterator[ast.expr]:
    """Yield the functions of labels in a module that may change while the list stands."""
    for one in ast.walk(ast.parse(text)):
        if not (
            isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in _LISTS
        ):
            continue
        for given in one.keywords:
            if given.arg == "format_func" and not _of_labels_that_stay(given.value):
                yield given.value


def _sets_again(function: ast.expr) -> bool:
    return isinstance(function, ast.Call) and ast.unparse(function.func) == "frame.labelled"


def test_every_list_with_labels_that_change_sets_its_option_again() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{function.lineno}": _sets_again(function)
        for path in sorted((ROOT / "pages").rglob("*.py"))
        for function in _of_labels_that_change(path.read_text(encoding="utf-8"))
    }
    # Words for the choices of an import: `spoken` is a constant by another name.
    by_another_name = {"pages/parts/score_matrices/reading.py"}
    assert {place.partition(":")[0] for place, again in found.items() if not again} == by_another_name
    assert sum(found.values()) >= 8  # else the rule above finds no lists


def test_the_rule_detects_a_violation() -> None:
    violations = list(
        _of_labels_that_change(
            "st.selectbox('', [0], format_func=lambda at: names[at])\n"
            "st.radio('', [0], format_func=_WORDS.__getitem__)\n"
            "st.radio('', [0], format_func=lambda name: name.upper())\n"
        )
    )
    assert [one.lineno for one in violations] == [1]
    assert not _sets_again(violations[0])


def _lists() -> None:
    import streamlit as st

    from pages.parts import frame

    names = ["a", "b", "c"] if st.checkbox("first", value=True, key="first") else ["d", "e", "f"]
    places = [0, 1, 2]
    for draw in (st.selectbox, st.radio, st.multiselect):
        key = draw.__name__
        draw(key, places, format_func=frame.labelled(key, places, names.__getitem__), key=key)


@pytest.mark.parametrize("kind", ["selectbox", "radio", "multiselect"])
def test_the_browser_is_told_the_new_label_of_what_was_chosen(kind: str) -> None:
    app = healthy(AppTest.from_function(_lists).run())
    chosen = [2] if kind == "multiselect" else 2
    healthy(getattr(app, kind)(key=kind).set_value(chosen).run())
    assert not app.get(kind)[0].proto.set_value  # the browser knows what its user chose
    healthy(app.checkbox(key="first").uncheck().run())
    proto = app.get(kind)[0].proto
    assert proto.set_value
    told = list(proto.raw_values) if kind == "multiselect" else [proto.raw_value]
    assert told == ["f"]
    assert app.session_state[kind] == chosen
    healthy(app.run())
    assert not app.get(kind)[0].proto.set_value  # once is enough
