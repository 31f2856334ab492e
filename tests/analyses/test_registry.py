"""Every room is in the registry, and compiling before the first question leaves no kernel out."""

import ast
import inspect
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import topicset_core.analyses
from topicset_core.analyses import ANALYSES, Analysis

FOLDER = Path(topicset_core.analyses.__file__).parent
PARTS_OF_ROOMS = ("charts", "kernels", "__pycache__")
HEAVY = ("numba", "plotly", "scipy", "pandas", "numpy")

KERNEL_MODULES = sorted(
    ".".join(("topicset_core.analyses", *path.relative_to(FOLDER).with_suffix("").parts))
    for path in FOLDER.rglob("*.py")
    if "njit" in path.read_text()
)

COMPILED = """
import importlib, json, sys
from topicset_core.analyses.warm_up import warm_up
warm_up()
kernels = {}
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    kernels[name] = {
        key: bool(value.signatures)
        for key, value in vars(module).items()
        if hasattr(value, "py_func") and value.py_func.__module__ == name
    }
print(json.dumps(kernels))
"""


def _called_by_kernels(module: str) -> set[str]:
    """Names that the functions of a module call: Numba compiles these with their callers."""
    tree = ast.parse((FOLDER.parents[1] / f"{module.replace('.', '/')}.py").read_text())
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {called.id for called in calls if isinstance(called, ast.Name)}


def test_every_room_is_listed() -> None:
    folders = {
        ".".join(path.parent.relative_to(FOLDER).parts)
        for path in FOLDER.rglob("__init__.py")
        if path.parent != FOLDER and path.parent.name not in PARTS_OF_ROOMS
    }
    assert folders == {analysis.slug for analysis in ANALYSES}
    assert len({analysis.slug for analysis in ANALYSES}) == len(ANALYSES)


@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda analysis: analysis.slug)
def test_entry_points_take_their_requests(analysis: Analysis) -> None:
    room = import_module(analysis.room)
    parameters = inspect.signature(analysis.entry_point).parameters
    assert analysis.entry in room.__all__
    if analysis.request is not None:
        assert analysis.request.__name__ in room.__all__
        assert any(
            analysis.request in (one.annotation, *get_args(one.annotation)) for one in parameters.values()
        )


def test_the_list_is_light_to_import() -> None:
    code = f"import sys, topicset_core.analyses; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_rooms_with_kernels_name_their_warm_up() -> None:
    rooms = {analysis.room for analysis in ANALYSES if analysis.warm_up_module is not None}
    with_kernels = {
        module.removesuffix(".kernels") if module.endswith(".kernels") else module.rsplit(".", 2)[0]
        for module in KERNEL_MODULES
    }
    assert with_kernels == rooms


@pytest.mark.slow
def test_warm_up_compiles_every_kernel() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPILED, *KERNEL_MODULES], capture_output=True, text=True, check=True
    )
    left = [
        f"{module}.{name}"
        for module, kernels in json.loads(done.stdout).items()
        for name, is_compiled in kernels.items()
        if not is_compiled and name not in _called_by_kernels(module)
    ]
    assert KERNEL_MODULES
    assert left == []
