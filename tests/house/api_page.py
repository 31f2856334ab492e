"""docs/api.md: the exports of each public package of the core, from signatures and docstrings.

Run ``python -m tests.house.api_page`` to write the page again; a test compares it with the code.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from topicset_core.analyses import ANALYSES
from topicset_core.exports import Report

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
WIDEST_VALUE = 60
MOST_ATTRIBUTES = 12

PACKAGES = (
    "designs",
    "variance",
    "preparation",
    "measures",
    "retrieval",
    "parsing",
    "collection",
    "samples",
    "execution",
    "analyses",
    *(f"analyses.{analysis.slug}" for analysis in ANALYSES),
    "exports",
    "errors",
)

REPORTS = ("report", "audit_report")
"""Modules of a room that make a `Report` of its result."""


class Public(NamedTuple):
    """A function, class or constant that a package exports."""

    package: str
    name: str
    value: Any

    @property
    def is_documented_itself(self) -> bool:
        """Whether it is a function or class, which have docstrings."""
        return inspect.isfunction(self.value) or inspect.isclass(self.value)

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.value) or ""


def public_of(package: str) -> list[Public]:
    """The exports of a package, with those of exported modules."""
    module = import_module(f"topicset_core.{package}")
    names = _reports_of(module) if package.endswith(REPORTS) else getattr(module, "__all__", None)
    results = []
    for name in names or _defined_in(module):
        value = getattr(module, name)
        if not inspect.ismodule(value):
            results.append(Public(package, name, value))
    return results


def modules_of(package: str) -> list[str]:
    """The modules that a package exports."""
    module = import_module(f"topicset_core.{package}")
    return [
        f"{package}.{name}"
        for name in getattr(module, "__all__", ())
        if inspect.ismodule(getattr(module, name))
    ]


def everything() -> list[Public]:
    """All functions, classes and constants of the page."""
    return [public for package in _all_packages() for public in public_of(package)]


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _all_packages() -> Iterator[str]:
    for package in PACKAGES:
        yield package
        yield from modules_of(package)
        for part in REPORTS:
            name = f"{package}.{part}"
            if package.startswith("analyses.") and find_spec(f"topicset_core.{name}"):
                yield name


def _reports_of(module: ModuleType) -> list[str]:
    """Functions of a module that make the report of an answer."""
    return [
        name
        for name in _defined_in(module)
        if getattr(getattr(module, name), "__annotations__", {}).get("return") is Report
    ]


def _defined_in(module: ModuleType) -> list[str]:
    """Public functions and classes of a module, in its order."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and callable(value)
    ]


def _lines() -> Iterator[str]:
    yield "# The library"
    yield ""
    yield (
        "What each public package of `topicset_core` exports: name, signature, and the first line of its "
        "documentation; `help(...)` in Python shows the rest. The tests write this page from the code."
    )
    for package in _all_packages():
        module = import_module(f"topicset_core.{package}")
        yield from ("", f"## topicset_core.{package}", "", _first_line(inspect.getdoc(module) or ""))
        for title, kind in (("Functions", _functions), ("Classes", _classes), ("Constants", _constants)):
            lines = list(kind(public_of(package)))
            if lines:
                yield from ("", f"**{title}**", "", *lines)


def _functions(result: list[Public]) -> Iterator[str]:
    for public in result:
        if inspect.isfunction(public.value):
            yield f"- `{public.name}{_signature(public.value)}`: {_first_line(public.doc)}"


def _classes(result: list[Public]) -> Iterator[str]:
    for public in result:
        if inspect.isclass(public.value):
            head = f"- `{public.name}{_fields(public.value)}`: {_first_line(public.doc)}"
            more = _more_attributes(public.value)
            yield f"{head} Also: {', '.join(f'`{name}`' for name in more)}." if more else head


def _constants(result: list[Public]) -> Iterator[str]:
    for public in result:
        if not public.is_documented_itself:
            value = repr(public.value).removeprefix("typing.")
            is_plain = len(value) <= WIDEST_VALUE and " at 0x" not in value
            yield f"- `{public.name}` = `{value}`" if is_plain else f"- `{public.name}`"


def _signature(function: Any) -> str:
    return re.sub(r"<function (\w+) at 0x\w+>", r"\1", str(_short(inspect.signature(function))))


def _short(signature: inspect.Signature) -> inspect.Signature:
    """The signature without types, which the documentation of each parameter gives."""
    bare = [
        one.replace(annotation=inspect.Parameter.empty, default=_shown_default(one.default))
        for one in signature.parameters.values()
    ]
    return signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)


class _Shown:
    """A default as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _shown_default(default: Any) -> Any:
    if default is inspect.Parameter.empty:
        return default
    if inspect.isfunction(default):
        return _Shown(default.__name__)
    text = repr(default)
    return _Shown(text if len(text) <= WIDEST_VALUE and " at 0x" not in text and "<" not in text else "...")


def _fields(cls: type) -> str:
    """The fields of a dataclass or the parameters of another class; nothing for a tuple of constants."""
    try:
        return str(_short(inspect.signature(cls)))
    except (TypeError, ValueError):
        return ""


def _more_attributes(cls: type) -> list[str]:
    """Names of its public methods and properties, where they are few."""
    fields = set(inspect.signature(cls).parameters) if is_dataclass(cls) else set()
    named = [
        name
        for name, value in vars(cls).items()
        if not name.startswith("_")
        and name not in fields
        and (
            inspect.isfunction(value)
            or isinstance(value, property | classmethod)
            or hasattr(value, "attrname")
        )
    ]
    return named if len(named) <= MOST_ATTRIBUTES else [*named[:MOST_ATTRIBUTES], "..."]


def _first_line(doc: str) -> str:
    """The first paragraph on one line."""
    return " ".join(doc.split("\n\n")[0].split()).replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
