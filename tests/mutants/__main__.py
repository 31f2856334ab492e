"""Put small faults into a file, one at a time, and tell which its tests find.

    python -m tests.mutants FILE [number] [seed] [--all]

The tests of the folder that mirrors the file's run first, those that name its module before the others; with --all
the fast tests of all folders follow. Faults are put into a copy of the project, so the file itself never changes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.mutants.mutations import Mutation, drawn
from tests.reference_data import REPOSITORY, VARIABLE, reference_data

_NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "build", ".*_cache", ".hypothesis")
_FAST = "not browser and not cluster and not slow"
_SLOW = "slow and not browser and not cluster"
_NONE_RUN = 5  # pytest's status where no test has the mark
_PATIENCE = 5  # times as long as without a fault, then a loop does not end
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def room(file: Path) -> list[str]:
    """Return the test files of the folder that mirrors a file's, those that name its module first."""
    parts = [part for part in file.parent.parts if part != "topicset_core"]
    while parts and not (REPOSITORY / "tests").joinpath(*parts).is_dir():
        parts.pop()
    name = re.compile(rf"\b{re.escape(file.stem)}\b")
    tests = sorted((REPOSITORY / "tests").joinpath(*parts).rglob("test_*.py"))
    return [
        path.relative_to(REPOSITORY).as_posix()
        for path in sorted(tests, key=lambda path: name.search(path.read_text("utf-8")) is None)
    ]


class Copy:
    """The project in another folder, in which one file is changed."""

    def __init__(self, folder: Path, file: Path) -> None:
        shutil.copytree(REPOSITORY, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)
        self.folder, self.file = folder, folder / file
        self.source = self.file.read_text("utf-8")
        self.now = self.file.stat().st_mtime

    def put(self, source: str) -> None:
        """Write the file, later than before by a second: compiled code is kept by time and size."""
        self.file.write_text(source, "utf-8")
        self.now += 1
        os.utime(self.file, (self.now, self.now))

    def failed(self, tests: list[str], marks: str, patience: float | None = None) -> str:
        """Return the first test that fails, or "" """
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
        # With bytecode, which some machines do without, a run starts in half the time.
        settings = {
            "PYTHONDONTWRITEBYTECODE": "",
            "OPENBLAS_NUM_THREADS": "1",
            VARIABLE: str(reference_data()),
        }
        try:
            run = subprocess.run(
                [*command, "--hypothesis-seed=0", "-m", marks, *tests],
                cwd=self.folder,
                env=os.environ | settings,
                capture_output=True,
                text=True,
                timeout=patience,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "its time limit"
        if run.returncode in (0, _NONE_RUN):
            return ""
        failed = _FAILED.search(run.stdout)
        return failed[1] if failed else "pytest itself"


def outcomes(file: Path, number: int, seed: int, every_room: bool = False) -> Iterator[tuple[Mutation, str]]:
    """Give each fault with the first test that finds it, or ""."""
    stages = [(room(file), _FAST), (room(file), _SLOW), *([(["tests"], _FAST)] if every_room else [])]
    with tempfile.TemporaryDirectory() as folder:
        project = Copy(Path(folder), file)
        patience = []
        for tests, marks in stages:
            start = time.monotonic()
            if failed := project.failed(tests, marks):
                sys.exit(f"{failed} fails without a fault.")
            patience.append(10 + _PATIENCE * (time.monotonic() - start))
        for mutation in drawn(project.source, number, seed):
            project.put(mutation.applied(project.source))
            found = (project.failed(*stage, limit) for stage, limit in zip(stages, patience, strict=True))
            yield mutation, next(filter(None, found), "")


def main(arguments: list[str]) -> None:
    """Print each fault, and how many were found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description="Do tests find small faults?"
    )
    parser.add_argument("file", type=lambda text: Path(text).resolve().relative_to(REPOSITORY))
    parser.add_argument("number", type=int, nargs="?", default=16)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--all", action="store_true", help="then the fast tests of all folders")
    asked = parser.parse_args(arguments)
    lines = (REPOSITORY / asked.file).read_text("utf-8").splitlines()
    found = []
    for mutation, test in outcomes(asked.file, asked.number, asked.seed, asked.all):
        found.append(test)
        print(f"{'killed' if test else 'SURVIVED':8} {mutation}")
        print(f"         {test or lines[mutation.line - 1].strip()}", flush=True)
    print(f"{asked.file}: {len(found)} faults, {sum(map(bool, found))} killed, {found.count('')} survived")


if __name__ == "__main__":
    main(sys.argv[1:])
