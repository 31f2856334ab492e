"""Update the golden record: every test that compares with it, in a run that stores the results.

``make golden`` does this. Read the difference (``git diff``) before you commit it: numbers and names must
not change unnoticed, and texts are to be read there.
"""

import subprocess
import sys

COMMAND = [sys.executable, "-m", "pytest", "-q", "-m", "syrupy_snapshot", "--snapshot-update"]

if __name__ == "__main__":
    arguments = sys.argv[1:] or ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
    sys.exit(subprocess.run([*COMMAND, *arguments], check=False).returncode)
