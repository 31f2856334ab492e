"""Computed pages of docs/ are what is computed, and docstrings name what functions take, give and refuse."""

import ast
import inspect
import re
import textwrap
from typing import Any

import pytest

from docs.makers.__main__ import FROM_CODE, REPRODUCTIONS, computed, place_of
from docs.makers.api import Public, everything
from topicset_core.inputs import Inputs

DOCUMENTED = [public for public in everything() if public.is_documented_itself]
HERE = [public for public in DOCUMENTED if public.value.__module__.partition(".")[0] == "topicset_core"]
NOT_PARAMETERS = {"self", "args", "kwargs", "kwds"}


def _id(public: Public) -> str:
    return f"{public.package}.{public.name}"


@pytest.mark.parametrize("name", [one for one in FROM_CODE if one != "notebook"])
def test_a_page_is_what_its_maker_writes(name: str) -> None:
    assert place_of(name).read_text(encoding="utf-8") == computed(name), f"run: python -m docs.makers {name}"


def test_the_notebook_shows_what_its_cells_answer() -> None:
    shown, executed = (
        [*_NUMBER.split(one)] for one in (place_of("notebook").read_text("utf-8"), computed("notebook"))
    )
    assert shown[::2] == executed[::2], "run: python -m docs.makers notebook"
    # Pixels have one decimal, and sums part in their last digits between processors.
    for one, other in zip(shown[1::2], executed[1::2], strict=True):
        assert float(one) == pytest.approx(float(other), rel=1e-3, abs=0.1001)


_NUMBER = re.compile(r"(\d+(?:\.\d+)?)")


@pytest.mark.slow
@pytest.mark.reference_data
@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_reproduction_is_what_its_maker_writes(name: str) -> None:
    test_a_page_is_what_its_maker_writes(name)


def test_every_export_is_described() -> None:
    assert [_id(public) for public in HERE if not public.doc] == []
    assert (
        100 <= len({public.value for public in HERE}) <= 165
    )  # more is more than people hold in their heads


def test_every_parameter_is_described() -> None:
    missing = {}
    for public in HERE:
        docs = [inspect.getdoc(one) or "" for one in getattr(public.value, "__mro__", (public.value,))]
        described = {name for doc in docs for name in _described(doc)}
        if inspect.isclass(public.value) and issubclass(public.value, Inputs):
            described |= {one.name for one in public.value.declared()}  # by their parameters
        missing[_id(public)] = sorted(_parameters(public.value) - described)
    assert {name: parameters for name, parameters in missing.items() if parameters} == {}


def test_return_values_and_errors_are_described() -> None:
    """Where a function returns a documented type of the core, the type describes its content."""
    wrong = []
    for public in HERE:
        if not inspect.isfunction(public.value):
            continue
        returned = inspect.signature(public.value).return_annotation
        is_ours = getattr(returned, "__module__", "").startswith("topicset_core")
        is_stated = re.match("Return|Yield", public.doc) or "\nReturns\n-------" in public.doc
        if not (is_ours or is_stated or returned is None):
            wrong.append(f"{_id(public)} does not say what it returns")
        wrong += [
            f"{_id(public)} raises {error} and does not say so"
            for error in _raised(public.value)
            if "\nRaises\n------" not in public.doc or not re.search(rf"^{error}$", public.doc, re.MULTILINE)
        ]
    assert wrong == []


def _parameters(value: Any) -> set[str]:
    if inspect.isclass(value) and issubclass(value, Exception) and "__init__" not in vars(value):
        return set()
    return set(inspect.signature(value).parameters) - NOT_PARAMETERS


def _described(doc: str) -> set[str]:
    """Names at the heads of the section on parameters."""
    section = re.search(
        r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=\n\n\S+\n---|\Z)", doc, re.DOTALL | re.MULTILINE
    )
    if section is None:
        return set()
    heads = [line.partition(" : ")[0] for line in section[1].splitlines() if line and not line[0].isspace()]
    return {name.strip(" *") for head in heads for name in head.split(",")}


def _raised(function: Any) -> set[str]:
    """Names of the errors that the function itself raises."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {one.func.id for one in raised if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}
