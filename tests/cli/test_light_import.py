"""The command line runs without the libraries of app and figures, which are extras of the package."""

import subprocess
import sys

import pytest

EXTRAS = ("streamlit", "plotly", "jinja2", "pandas")


@pytest.mark.slow
@pytest.mark.parametrize("module", ["topicset_core.cli", "topicset_core.exports.report"])
def test_importing_commands_loads_no_extras(module: str) -> None:
    code = f"import sys, {module}; print([name for name in {EXTRAS} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
