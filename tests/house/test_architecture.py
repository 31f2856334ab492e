"""The house keeps its shape: imports point one way, files stay readable, docstrings name what exists."""

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# From the cellar up: a room may import from itself and from any room named before it.
ROOMS = (
    "topicset_core",
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
    "pages.parts",
    "pages",
)
ON_TOP = [ROOT / f"{name}.py" for name in ("app", "balancer", "middleware", "serve")]
LONGEST_FILE = 650


def _modules(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] in ("__init__", "__main__") else parts)


def _room(module: str) -> str:
    return max((room for room in ROOMS if module == room or module.startswith(f"{room}.")), key=len)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _nodes(path: Path) -> list[ast.AST]:
    """Return all nodes of a file: several rules read them."""
    return list(ast.walk(_tree(path)))


@cache
def _imports(path: Path) -> set[str]:
    result: set[str] = set()
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # "from package import module" names a module; "from module import name" does not.
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = (ROOT / inner.replace(".", "/")).is_dir() or (
                    ROOT / f"{inner.replace('.', '/')}.py"
                ).is_file()
                result.add(inner if is_module else node.module)
    return result


def test_imports_point_one_way() -> None:
    wrong = []
    for path in _modules("topicset_core", "pages"):
        if path.name == "__main__.py":
            continue  # the door to the command line: above all of the core
        here = ROOMS.index(_room(_name(path)))
        wrong += [
            f"{_name(path)} imports {imported}"
            for imported in sorted(_imports(path))
            if imported.split(".")[0] in ("topicset_core", "pages") and ROOMS.index(_room(imported)) > here
        ]
    assert not wrong, "\n".join(wrong)


def _circles(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the modules that import each other, also by way of others: groups on a common cycle."""
    reached = {module: set(result) for module, result in imports.items()}
    for through in reached:
        for module in reached:
            if through in reached[module]:
                reached[module] |= reached[through]
    circles = {
        tuple(sorted(other for other in reached[module] if module in reached.get(other, ())))
        for module in reached
        if module in reached[module]
    }
    return [list(circle) for circle in sorted(circles)]


def test_imports_are_not_circular() -> None:
    """Imports within functions and for types count, too: they hide a circle and do not open it."""
    modules = {_name(path): path for path in _modules("topicset_core", "pages") if path.name != "__main__.py"}
    imports = {name: (_imports(path) & modules.keys()) - {name} for name, path in modules.items()}
    circles = _circles(imports)
    assert not circles, "\n".join(map(" <-> ".join, circles))


def test_the_core_does_not_import_streamlit() -> None:
    wrong = [
        _name(path)
        for path in _modules("topicset_core")
        if any(imported.split(".")[0] == "streamlit" for imported in _imports(path))
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
                        wrong.append(f"{_name(path)}.{node.name}: {one.arg} is {ast.unparse(one.annotation)}")
    assert n_keys > 0
    assert not wrong, "\n".join(wrong)


def test_files_stay_readable() -> None:
    lengths = {
        path: len(path.read_text().splitlines())
        for path in _modules("topicset_core", "pages", "tests", "docs")
    }
    wrong = [f"{_name(path)}: {lines} lines" for path, lines in lengths.items() if lines > LONGEST_FILE]
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
    product, tests = _modules("topicset_core", "pages"), _modules("tests", "docs")
    users = (*product, *tests, *ON_TOP)
    used = {name for path in users for name in _used(path)}
    wrong = [
        f"{_name(path)}: {name}"
        for path in product
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
        f"{_name(path)}, line {line}"
        for path in _modules("topicset_core", "pages", "tests", "docs")
        for line in _stray(path)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_detect_violations(tmp_path: Path) -> None:
    """Each rule above would pass a house that it cannot read; here is one import that it must see."""
    module = tmp_path / "below.py"
    module.write_text("import streamlit\nfrom topicset_core.cli import main\n")
    assert _imports(module) == {"streamlit", "topicset_core.cli"}
    assert ROOMS.index(_room("topicset_core.cli")) > ROOMS.index(_room("topicset_core.designs.paired_t"))
    assert len(_modules("topicset_core", "pages")) > 100
    cut_off, unused = tmp_path / "cut_off.py", tmp_path / "unused.py"
    cut_off.write_text('def f():\n    """Doc."""\n    return "one "\n    f"two"\n')
    assert list(_stray(cut_off)) == [4]
    unused.write_text("A = 1\nclass B:\n    def c(self): return A\n")
    assert set(_defined(unused)) - set(_used(unused)) == {"B", "c"}


def test_hidden_import_cycles_are_detected(tmp_path: Path) -> None:
    module = tmp_path / "lazy.py"
    module.write_text(
        "if TYPE_CHECKING:\n    from topicset_core.designs.design import Design\n"
        "def later():\n    from topicset_core.measures import MEASURES\n"
    )
    assert _imports(module) == {"topicset_core.designs.design", "topicset_core.measures"}
    assert _circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [["a", "b", "c"]]
    assert _circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


PRODUCT = [*_modules("topicset_core", "pages"), *ON_TOP]
LARGEST_SHARE = 0.17
"""Lines of docstrings per line of the product; 0.24 before internal names had one sentence each."""

_NAME = re.compile(r"(?<!`)`((?!\w+\.py`)[A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?`(?!`)")
_PACKAGES = {"concurrent", "numpy", "scipy", "lunr", "PyStemmer", "topicset_core", "pages"}
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
