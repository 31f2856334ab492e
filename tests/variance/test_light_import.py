"""The room of variances opens at once: numpy and the collection, nothing heavier."""

import subprocess
import sys


def test_importing_variances_loads_no_scipy() -> None:
    code = "import sys, topicset_core.variance; print([m for m in sys.modules if m.split('.')[0] == 'scipy'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
