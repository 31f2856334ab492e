"""Compiling before the first question leaves no kernel out."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import topicset_core.analyses
from topicset_core.analyses.warm_up import WITH_KERNELS

FOLDER = Path(topicset_core.analyses.__file__).parent
HEAVY = ("numba", "plotly", "scipy", "pandas", "numpy")

KERNEL_MODULES = sorted(
    ".".join(("topicset_core.analyses", *path.relative_to(FOLDER).with_suffix("").parts))
    for path in FOLDER.rglob("*.py")
    if "@kernel(" in path.read_text()
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


def test_the_list_is_light_to_import() -> None:
    code = f"import sys, topicset_core.analyses; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_rooms_with_kernels_name_their_warm_up() -> None:
    rooms = {one.__name__.rpartition(".")[0] for one in WITH_KERNELS} - {"topicset_core.designs"}
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
