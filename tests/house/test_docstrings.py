"""Docstrings name what exists, and are no larger a part of the code than agreed."""

import ast
import builtins
import keyword
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *sorted((ROOT / "topicset_core").rglob("*.py")),
    *sorted((ROOT / "pages").rglob("*.py")),
    ROOT / "app.py",
    ROOT / "serve.py",
]
LARGEST_SHARE = 0.17
"""Lines of docstrings per line of the product; 0.24 before internal names had one sentence each."""

_NAME = re.compile(r"(?<!`)`((?!\w+\.py`)[A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?`(?!`)")
_PACKAGES = {"concurrent", "numpy", "scipy", "lunr", "PyStemmer", "topicset_core", "pages"}
_OF_OTHERS = {"amean", "studentized_range", "isf", "futures", "Executor", "shutdown"}
"""Names in programs that ours is compared with: trec_eval's mean, SciPy's distributions, Python's executors."""


@cache
def _trees() -> dict[Path, ast.Module]:
    """The files of the product, parsed when a test needs them: each process of the tests imports this module."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def _docstrings(tree: ast.AST) -> list[ast.Constant]:
    """Strings that stand alone: docstrings, and those below a constant or field."""
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def _members() -> dict[str, set[str]]:
    """What each class and module of the product defines, and the names of its bases."""
    members: dict[str, set[str]] = defaultdict(set)
    for path, tree in _trees().items():
        module = path.parent.name if path.stem == "__init__" else path.stem
        for node in [tree, *(one for one in ast.walk(tree) if isinstance(one, ast.ClassDef))]:
            owner = members[node.name if isinstance(node, ast.ClassDef) else module]
            for inner in ast.walk(node):
                match inner:
                    case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(asname=str(name)):
                        owner.add(name)
                    case ast.alias(name=name) | ast.Attribute(attr=name):
                        owner.add(name)
                    case ast.Name(id=name, ctx=ast.Store()):
                        owner.add(name)
        members[path.parent.name].add(path.stem)
    return members


def _all_names() -> set[str]:
    """Every name of the product's code: what it defines, takes, sets or calls."""
    names = set(dir(builtins)) | set(keyword.kwlist) | _PACKAGES | _OF_OTHERS
    for path, tree in _trees().items():
        names |= {path.stem, path.parent.name}
        for node in ast.walk(tree):
            for field in ("name", "id", "attr", "arg", "asname"):
                value = getattr(node, field, None)
                if isinstance(value, str):
                    names |= set(value.split("."))
    return names


@pytest.fixture(scope="module")
def unknown() -> list[str]:
    """Names in backticks that nothing in the code has, with their places."""
    names, members = _all_names(), _members()
    found = []
    for path, tree in _trees().items():
        for text in _docstrings(tree):
            for name in _NAME.findall(str(text.value)):
                first, *rest = name.split(".")
                is_known = first in names and all(part in names for part in rest)
                if is_known and rest and first in members and first not in _PACKAGES:
                    is_known = rest[0] in members[first] or len(rest) > 1 or first in _heirs()
                if not is_known:
                    found.append(f"{path.relative_to(ROOT)}:{text.lineno} `{name}`")
    return found


@cache
def _heirs() -> set[str]:
    """The classes that inherit: not all of their members are known."""
    every = (node for tree in _trees().values() for node in ast.walk(tree))
    return {node.name for node in every if isinstance(node, ast.ClassDef) and node.bases}


def test_every_name_in_backticks_exists(unknown: list[str]) -> None:
    assert unknown == []


def test_docstrings_are_a_small_part_of_the_code() -> None:
    documentation = sum(
        (text.end_lineno or text.lineno) - text.lineno + 1
        for tree in _trees().values()
        for text in _docstrings(tree)
    )
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES)
    assert documentation <= LARGEST_SHARE * lines
