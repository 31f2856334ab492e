"""The house keeps its shape: imports point one way, files stay readable."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

# From the cellar up: a room may import from itself and from any room named before it.
ROOMS = (
    "topicset_core",
    "topicset_core.errors",
    "topicset_core.wording",
    "topicset_core.progress",
    "topicset_core.parameter",
    "topicset_core.parameters",
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
    "topicset_core.analyses",
    "topicset_core.cli",
    "pages.parts",
    "pages",
)
LONGEST_FILE = 650


def _modules(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] in ("__init__", "__main__") else parts)


def _room(module: str) -> str:
    return max((room for room in ROOMS if module == room or module.startswith(f"{room}.")), key=len)


@cache
def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # "from package import module" names a module; "from module import name" does not.
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = (ROOT / inner.replace(".", "/")).is_dir() or (
                    ROOT / f"{inner.replace('.', '/')}.py"
                ).is_file()
                found.add(inner if is_module else node.module)
    return found


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


def test_the_core_knows_no_streamlit() -> None:
    wrong = [
        _name(path)
        for path in _modules("topicset_core")
        if any(imported.split(".")[0] == "streamlit" for imported in _imports(path))
    ]
    assert not wrong, "\n".join(wrong)


def test_files_stay_readable() -> None:
    lengths = {
        path: len(path.read_text().splitlines()) for path in _modules("topicset_core", "pages", "tests")
    }
    wrong = [f"{_name(path)}: {lines} lines" for path, lines in lengths.items() if lines > LONGEST_FILE]
    assert not wrong, "\n".join(wrong)


def test_the_rules_find_what_breaks_them(tmp_path: Path) -> None:
    """Each rule above would pass a house that it cannot read; here is one import that it must see."""
    module = tmp_path / "below.py"
    module.write_text("import streamlit\nfrom topicset_core.cli import main\n")
    assert _imports(module) == {"streamlit", "topicset_core.cli"}
    assert ROOMS.index(_room("topicset_core.cli")) > ROOMS.index(_room("topicset_core.designs.t_test"))
    assert len(_modules("topicset_core", "pages")) > 100
