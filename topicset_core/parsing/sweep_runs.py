"""The runs of a parameter sweep: named by their tags, or by their files where tags do not tell them apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from topicset_core.collection import Run
from topicset_core.errors import ParseError
from topicset_core.parsing.trec_runs import ReadRun, read_runs
from topicset_core.progress import Report, silently
from topicset_core.wording import shown

_EXTENSIONS = re.compile(r"(\.(gz|txt|run|res|trec|out|eval|results?))+$", re.IGNORECASE)
"""Endings that say how a file is packed; ".75" of "b0.75" is none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SweepRuns:
    """Runs with names of their own, and sentences on where these come from."""

    runs: tuple[Run, ...]
    said: tuple[str, ...]


def read_sweep_runs(files: Sequence[tuple[str, bytes | Path]], report: Report = silently) -> SweepRuns:
    """Read runs; where several have one tag all are called as their files, without folder and extension.

    Parameters
    ----------
    files : sequence of (str, bytes or Path)
        Name and content of each, text or archives.
    report : callable, optional
        Takes the fraction done.

    Raises
    ------
    ParseError
        If a file is no run, there is none, or neither tags nor file names tell them apart.
    """
    read = read_runs(files, report, shared_tags=True)
    if read.errors:
        raise read.errors[0]
    if not read.found:
        raise ParseError("runs", None, "expected the runs of a sweep, found none")
    tags = [one.run.tag for one in read.found]
    if len(set(tags)) == len(tags):
        return SweepRuns(runs=read.runs, said=read.said)
    by_name: dict[str, ReadRun] = {}
    for one in read.found:
        name = name_of_file(one.file)
        if name in by_name:
            other = by_name[name].file
            expected = f"expected a tag or a file name of its own, found both of {shown(other)} again"
            raise ParseError(one.file, None, expected)
        by_name[name] = one
    said = "Runs share tags, so they are called as their files."
    runs = tuple(replace(one.run, tag=name) for name, one in by_name.items())
    return SweepRuns(runs=runs, said=(*read.said, said))


def name_of_file(file: str) -> str:
    """Return the name of a file without folder and extensions: "runs/bm25_b0.75.txt.gz" is "bm25_b0.75"."""
    base = PurePosixPath(file.replace("\\", "/")).name
    return _EXTENSIONS.sub("", base) or base
