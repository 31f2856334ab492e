"""The house keeps its shape: imports point one way, files stay readable."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# From the cellar up: a room may import from itself and from any room named before it.
ROOMS = (
    "topicset_core",
    "topicset_core.errors",
    "topicset_core.wording",
    "topicset_core.progress",
    "topicset_core.parameter",
    "topicset_core.parameters",
    "topicset_core.collection",
    "topicset_core.samples",
    "topicset_core.parsing",
    "topicset_core.measures",
    "topicset_core.retrieval",
    "topicset_core.preparation",
    "topicset_core.variance",
    "topicset_core.designs",
    "topicset_core.analyses",
    "topicset_core.charts",
    "topicset_core.exports",
    "topicset_core.cli",
    "pages.parts",
    "pages",
)
LONGEST_FILE = 300


def _modules(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] in ("__init__", "__main__") else parts)


def _room(module: str) -> str:
    return max((room for room in ROOMS if module == room or module.startswith(f"{room}.")), key=len)


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


@pytest.mark.parametrize("path", _modules("topicset_core", "pages"), ids=_name)
def test_imports_point_one_way(path: Path) -> None:
    if path.name == "__main__.py":
        return  # the door to the command line: above all of the core
    here = ROOMS.index(_room(_name(path)))
    for imported in _imports(path):
        if imported.split(".")[0] in ("topicset_core", "pages"):
            assert ROOMS.index(_room(imported)) <= here, f"{_name(path)} imports {imported}"


@pytest.mark.parametrize("path", _modules("topicset_core"), ids=_name)
def test_the_core_knows_no_streamlit(path: Path) -> None:
    assert not any(imported.split(".")[0] == "streamlit" for imported in _imports(path))


@pytest.mark.parametrize("path", _modules("topicset_core", "pages", "tests"), ids=_name)
def test_files_stay_readable(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE
