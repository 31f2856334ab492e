"""Which modules a file imports, however the import is written: for the picture of the house and for its test.

A literal name given to `import_module` is an import. So is the rest of a name that begins with a constant, as in
``import_module(f"topicset_core.{place}")``: texts of the same file that complete it to a module are imported, and
what stands before it where there is none. A name that cannot be told is in `untold`.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_BY_NAME = {"import_module", "__import__"}
_TAIL = re.compile(r"([a-z][\w.]*)(?::\w+)?")
"""The rest of a name, perhaps with what is taken from the module."""


class Imports(NamedTuple):
    """The modules that a file imports, and the lines where it imports by a name that cannot be told."""

    modules: frozenset[str]
    untold: tuple[int, ...]


def name_of(path: Path) -> str:
    """Return the name of a module: of a package for its `__init__`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def is_module(name: str) -> bool:
    """Return whether a module or package of this repository has this name."""
    place = ROOT / name.replace(".", "/")
    return place.is_dir() or place.with_suffix(".py").is_file()


@cache
def imports_of(path: Path) -> Imports:
    """Read a file; imports within functions and for types count, too."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    modules: set[str] = set()
    untold: list[int] = []
    called: set[ast.AST] = set()
    own = {_alias(one) for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names} - {""}
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # "from package import module" names a module; "from module import name" does not.
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules |= {one if is_module(one) else node.module for one in inner}
        elif isinstance(node, ast.Call) and _called(node.func) in _BY_NAME | own and node.args:
            called.add(node.func)
            name, is_whole = _beginning(node.args[0], path)
            if not name:
                untold.append(node.lineno)
            else:
                modules |= {name} if is_whole else _completed(name, nodes)
    # The function under another name, as an argument or in a variable
    for node in nodes:
        if not (isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load)):
            continue
        if node not in called and _called(node) in _BY_NAME | own:
            untold.append(node.lineno)
    return Imports(frozenset(modules), tuple(untold))


def _alias(one: ast.alias) -> str:
    return one.asname or one.name if one.name in _BY_NAME else ""


def _called(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _beginning(node: ast.expr, path: Path) -> tuple[str, bool]:
    """Return how the name of a module begins, "" if that cannot be told, and whether it is the whole name."""
    match node:
        case ast.Constant(value=str(name)):
            return name, True
        case ast.Name(id="__name__"):
            return name_of(path), True
        case ast.JoinedStr(values=[ast.FormattedValue(value=first), *rest]):
            begun, is_whole = _beginning(first, path)
            return _joined(begun, is_whole, rest)
        case ast.JoinedStr(values=[ast.Constant(value=str(name)), *rest]):
            return _joined(name, True, rest)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined(*_beginning(left, path), [right])
    return "", False


def _joined(begun: str, is_whole: bool, rest: list[ast.expr]) -> tuple[str, bool]:
    for one in rest:
        if not (is_whole and isinstance(one, ast.Constant)):
            return begun, False
        begun += str(one.value)
    return begun, is_whole


def _completed(begun: str, nodes: list[ast.AST]) -> set[str]:
    """Return the modules that texts of the file make of the beginning of a name; the beginning if none does."""
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    names = {f"{begun}{tail[1]}" for text in texts if (tail := _TAIL.fullmatch(text)) is not None}
    return {name for name in names if is_module(name)} or {begun.rpartition(".")[0] or begun}


def circles(imports: Mapping[str, Set[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the modules that import each other, also by way of others: groups on a common cycle."""
    reached = {module: set(result) for module, result in imports.items()}
    for through in reached:
        for module in reached:
            if through in reached[module]:
                reached[module] |= reached[through]
    yield from sorted(
        {
            tuple(sorted(other for other in reached[module] if module in reached.get(other, ())))
            for module in reached
            if module in reached[module]
        }
    )
