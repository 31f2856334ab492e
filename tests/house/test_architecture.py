"""The house keeps its shape: imports point one way, files stay readable, docstrings name what exists."""

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from docs.makers.imports import ROOT, circles, imports_of, name_of

# From the cellar up: a room may import from itself and from any room named before it.
ROOMS = (
    "topicset_core.version",
    "topicset_core.wording",
    "topicset_core.errors",
    "topicset_core.progress",
    "topicset_core.parameters",
    "topicset_core.inputs",
    "topicset_core.references",
    "topicset_core.execution",
    "topicset_core.collection",
    "topicset_core.samples",
    "topicset_core.measures",
    "topicset_core.parsing",
    "topicset_core.retrieval",
    "topicset_core.preparation",
    "topicset_core.variance",
    "topicset_core.designs",
    "topicset_core.exports",
    "topicset_core.charts",
    "topicset_core.question",
    "topicset_core.analyses",
    "topicset_core.cli",
    "topicset_core",  # the door for Python, and `python -m`
    "pages.parts",
    "pages",
    "app",
    "server",
)
FOLDERS = ("topicset_core", "pages", "server")
UNTOLD = {
    "topicset_core.execution.confined": "what the one who starts the process names: its own module",
    "topicset_core.exports.report": "other packages, for their versions",
    "topicset_core.parsing.saved": "classes that files of saved work name",
}
"""Where modules are imported by a name that only the running program knows, and which these are."""
LONGEST_FILE = 650


def _modules(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


PRODUCT = [*_modules(*FOLDERS), ROOT / "app.py"]


def _room(module: str) -> str:
    return max((room for room in ROOMS if module == room or module.startswith(f"{room}.")), key=len)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _nodes(path: Path) -> list[ast.AST]:
    """Return all nodes of a file: several rules read them."""
    return list(ast.walk(_tree(path)))


def test_imports_point_one_way() -> None:
    wrong = []
    for path in PRODUCT:
        here = ROOMS.index(_room(name_of(path)))
        wrong += [
            f"{name_of(path)} imports {imported}"
            for imported in sorted(imports_of(path).modules)
            if imported.partition(".")[0] in ROOMS and ROOMS.index(_room(imported)) > here
        ]
    assert not wrong, "\n".join(wrong)


def test_every_module_of_the_core_has_its_place() -> None:
    """One that is on no floor would count as the door above all of them."""
    doors = {"topicset_core", "topicset_core.__main__"}
    assert {name_of(path) for path in PRODUCT if _room(name_of(path)) == "topicset_core"} == doors


def test_imports_are_not_circular() -> None:
    """Imports within functions, for types and by name count, too: they hide a circle and do not open it."""
    modules = {name_of(path): path for path in PRODUCT}
    imports = {name: (imports_of(path).modules & modules.keys()) - {name} for name, path in modules.items()}
    wrong = [*circles(imports)]
    assert not wrong, "\n".join(map(" <-> ".join, wrong))


def test_modules_are_imported_by_names_that_can_be_told() -> None:
    assert {name_of(path) for path in PRODUCT if imports_of(path).untold} == UNTOLD.keys()


def test_the_core_does_not_import_streamlit() -> None:
    wrong = [
        name_of(path)
        for path in _modules("topicset_core")
        if any(imported.split(".")[0] == "streamlit" for imported in imports_of(path).modules)
    ]
    assert not wrong, "\n".join(wrong)


HASHED = {"str", "Method", "int", "float", "bool", "tuple", "None", "Key", "Task", "Weights"}
"""Types that Streamlit hashes whole: scalars, tuples and literals. Of arrays it hashes a sample."""


def test_cached_functions_of_pages_have_scalar_keys() -> None:
    wrong, n_keys = [], 0
    for path in _modules("pages"):
        for node in _nodes(path):
            if isinstance(node, ast.FunctionDef) and any(
                ast.unparse(one).startswith(("st.cache_", "kept(")) for one in node.decorator_list
            ):
                for one in (*node.args.args, *node.args.kwonlyargs):
                    if one.arg.startswith("_") or one.annotation is None:
                        continue
                    n_keys += 1
                    names = {part.id for part in ast.walk(one.annotation) if isinstance(part, ast.Name)}
                    if not names <= HASHED:
                        wrong.append(
                            f"{name_of(path)}.{node.name}: {one.arg} is {ast.unparse(one.annotation)}"
                        )
    assert n_keys > 0
    assert not wrong, "\n".join(wrong)


def test_files_stay_readable() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in _modules(*FOLDERS, "tests", "docs")}
    wrong = [f"{name_of(path)}: {lines} lines" for path, lines in lengths.items() if lines > LONGEST_FILE]
    assert not wrong, "\n".join(wrong)


def _defined(path: Path) -> Iterator[str]:
    """Yield the names of functions, classes, methods and constants of a module."""
    for node in _nodes(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
    for node in _tree(path).body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _used(path: Path) -> Iterator[str]:
    """Yield the names that a module reads, as names, as attributes, or in a place as "module:NAME"."""
    for node in _nodes(path):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"^[a-z_.]+:([A-Z_]+)$", node.value)


@pytest.mark.slow
def test_every_definition_is_used() -> None:
    used = {name for path in (*PRODUCT, *_modules("tests", "docs")) for name in _used(path)}
    wrong = [
        f"{name_of(path)}: {name}"
        for path in PRODUCT
        for name in _defined(path)
        if name not in used and not name.startswith("__")
    ]
    assert not wrong, "\n".join(wrong)


def _stray(path: Path) -> Iterator[int]:
    """Yield the lines of strings that are statements, but not docstrings: the end of a text that was cut off."""
    lines = path.read_text().splitlines()
    for node in _nodes(path):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.JoinedStr)):
            continue
        if not lines[node.lineno - 1].lstrip().startswith(('"""', 'r"""', "...")):
            yield node.lineno


def test_no_part_of_a_text_stands_alone() -> None:
    wrong = [
        f"{name_of(path)}, line {line}"
        for path in _modules(*FOLDERS, "tests", "docs")
        for line in _stray(path)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_detect_violations(tmp_path: Path) -> None:
    """Each rule above would pass a house that it cannot read; here is one import that it must see."""
    module = tmp_path / "below.py"
    module.write_text("import streamlit\nfrom topicset_core.cli import main\n")
    assert imports_of(module) == ({"streamlit", "topicset_core.cli"}, ())
    assert ROOMS.index(_room("topicset_core.cli")) > ROOMS.index(_room("topicset_core.designs.paired_t"))
    assert len(_modules("topicset_core", "pages")) > 100
    cut_off, unused = tmp_path / "cut_off.py", tmp_path / "unused.py"
    cut_off.write_text('def f():\n    """Doc."""\n    return "one "\n    f"two"\n')
    assert list(_stray(cut_off)) == [4]
    unused.write_text("A = 1\nclass B:\n    def c(self): return A\n")
    assert set(_defined(unused)) - set(_used(unused)) == {"B", "c"}


@pytest.mark.parametrize(
    ("text", "modules", "untold"),
    [
        ("if TYPE_CHECKING:\n    from topicset_core.question import Question", {"topicset_core.question"}, 0),
        ("def later():\n    from topicset_core.measures import MEASURES", {"topicset_core.measures"}, 0),
        ("from topicset_core import parsing", {"topicset_core.parsing"}, 0),
        ("import_module('topicset_core.parsing.scores.frames')", {"topicset_core.parsing.scores.frames"}, 0),
        ("importlib.import_module('server')", {"server"}, 0),
        ("__import__('pages.parts.data')", {"pages.parts.data"}, 0),
        # The rest of the name is in a table of the file, or anywhere.
        ("T = {'a': 'cli.read', 'b': 'cli.size:X', 'c': 'none'}\nimport_module(f'topicset_core.{T[a]}')",
         {"topicset_core.cli.read", "topicset_core.cli.size"}, 0),
        ("T = ('cli.read',)\nimport_module('topicset_core.' + T[0])", {"topicset_core.cli.read"}, 0),
        ("import_module(f'topicset_core.{place}')", {"topicset_core"}, 0),
        ("import_module(f'{package}.parsing')", set(), 1),
        ("import_module(name)", set(), 1),
        ("load = import_module\nload('topicset_core.cli')", set(), 1),
        ("list(map(importlib.import_module, names))", set(), 1),
    ],
)  # fmt: skip
def test_imports_are_read_however_they_are_written(
    tmp_path: Path, text: str, modules: set[str], untold: int
) -> None:
    module = tmp_path / "lazy.py"
    module.write_text(f"{text}\n")
    assert (imports_of(module).modules, len(imports_of(module).untold)) == (modules, untold)


def test_another_name_of_the_importing_function_is_read(tmp_path: Path) -> None:
    module = tmp_path / "renamed.py"
    module.write_text("from importlib import import_module as load\nload('topicset_core.cli')\n")
    assert imports_of(module) == ({"importlib", "topicset_core.cli"}, ())


def test_circles_are_found_by_way_of_others() -> None:
    assert [*circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()})] == [("a", "b", "c")]
    assert [*circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})] == []


LARGEST_SHARE = 0.17
"""Lines of docstrings per line of the product; 0.24 before internal names had one sentence each."""

_NAME = re.compile(r"(?<!`)`((?!\w+\.py`)[A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?`(?!`)")
_PACKAGES = {"concurrent", "numpy", "scipy", "lunr", "PyStemmer", "topicset_core", "pages", "server"}
_OF_OTHERS = {"amean", "studentized_range", "isf", "futures", "Executor", "shutdown"}
"""Names in programs that ours is compared with: trec_eval's mean, SciPy's distributions, Python's executors."""


def _docstrings(path: Path) -> list[ast.Constant]:
    """Strings that stand alone: docstrings, and those below a constant or field."""
    return [
        node.value
        for node in _nodes(path)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def _members() -> dict[str, set[str]]:
    """What each class and module of the product defines, and the names of its bases."""
    members: dict[str, set[str]] = defaultdict(set)
    for path in PRODUCT:
        module = path.parent.name if path.stem == "__init__" else path.stem
        for node in [_tree(path), *(one for one in _nodes(path) if isinstance(one, ast.ClassDef))]:
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
    for path in PRODUCT:
        names |= {path.stem, path.parent.name}
        for node in _nodes(path):
            for field in ("name", "id", "attr", "arg", "asname"):
                value = getattr(node, field, None)
                if isinstance(value, str):
                    names |= set(value.split("."))
    return names


def test_every_name_in_backticks_exists() -> None:
    """In docstrings, names in backticks are those of something in the code."""
    names, members = _all_names(), _members()
    found = []
    for path in PRODUCT:
        for text in _docstrings(path):
            for name in _NAME.findall(str(text.value)):
                first, *rest = name.split(".")
                is_known = first in names and all(part in names for part in rest)
                if is_known and rest and first in members and first not in _PACKAGES:
                    is_known = rest[0] in members[first] or len(rest) > 1 or first in _heirs()
                if not is_known:
                    found.append(f"{path.relative_to(ROOT)}:{text.lineno} `{name}`")
    assert found == []


@cache
def _heirs() -> set[str]:
    """The classes that inherit: not all of their members are known."""
    every = (node for path in PRODUCT for node in _nodes(path))
    return {node.name for node in every if isinstance(node, ast.ClassDef) and node.bases}


def test_docstrings_are_a_small_part_of_the_code() -> None:
    documentation = sum(
        (text.end_lineno or text.lineno) - text.lineno + 1 for path in PRODUCT for text in _docstrings(path)
    )
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in PRODUCT)
    assert documentation <= LARGEST_SHARE * lines
