"""What the name of a file tells: a collection, a run, a measure at its end."""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

EXTENSIONS = frozenset(
    f".{one}"
    for one in (
        *("csv", "tsv", "tab", "txt", "dat", "out", "res", "eval", "trec", "json", "jsonl", "xlsx"),
        *("nev", "dnev", "dinnev", "nevia"),
    )
)
"""Endings that are no part of the name of a run, which may have dots itself: bm25.b=0.75."""

_PACKED_ENDINGS = re.compile(r"(\.(gz|txt|run|res|trec|out|eval|results?))+$", re.IGNORECASE)
"""Endings that say how a file is packed; ".75" of "b0.75" is none."""


class Source(NamedTuple):
    """Where a table comes from, as far as names tell.

    `file` is the file as the user named it and `place` that with its sheet; `stem` is the file
    without folder and extension; `run` names the run of a table with a single one; `sheet` is empty
    but for sheets.
    """

    file: str
    place: str
    stem: str
    run: str
    sheet: str = ""


def source_of(file: str) -> Source:
    """Take the names from a file as the user named it."""
    base = PurePosixPath(file.replace("\\", "/").rstrip("/")).name.strip()
    if base.lower().endswith(".gz") and len(base) > 3:
        base = base[:-3]
    path = PurePosixPath(base)
    stem = path.stem.strip() or file.strip() or "scores"
    run = stem if path.suffix.lower() in EXTENSIONS else base or stem
    return Source(file, file, stem, run)


def name_of_file(file: str) -> str:
    """Return the name of a file without folder and extensions: "runs/bm25_b0.75.txt.gz" is "bm25_b0.75"."""
    base = PurePosixPath(file.replace("\\", "/")).name
    return _PACKED_ENDINGS.sub("", base) or base
