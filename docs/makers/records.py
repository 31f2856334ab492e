"""Names in the record (`--json`) of each command, from what commands of the golden record print.

A script that reads a record breaks when a name changes or disappears. So the page is not written where a name of
the page before is missing and the number of the schema is not higher.
"""

import contextlib
import io
import json
import os
import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden.test_command_line import COMMAND_LINES, write_files
from topicset_core.cli import main
from topicset_core.exports.report import SCHEMA

PAGE = Path(__file__).parents[1] / "records.md"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_OF_DATA = re.compile(r"r\d|x|y|a|b|c|tiny\d|third|mine|\d.*")
"""Names of runs, systems and topics in the files of the golden record."""

_MORE = (
    "size paired-t --alpha .05 --beta .2 --min-d .1 --similar-to dl-passage:nDCG@10 --json",
    "size two-way-anova --alpha .05 --beta .2 --min-d .1 --systems 5 --scores wide.csv --similar-to news:AP --json",
    "size error-rate --max-error .05 --min-d .1 --scores wide.csv --json",
    "size paired-t --alpha .05 --beta .2 --min-d .1 --scores wide.csv --json",
    "size paired-t --alpha .05 --beta .2 --min-d .3 --scores right.csv --json",
    "size mcnemar --alpha .05 --beta .2 --shares .08 .03 --json",
)
"""What the golden record has as text only."""

_EVERY = "every command"
_NEARLY_ALL = 0.8  # of the commands: `retrieve` has a record without scores

_HEAD = """\
# Records

What `--json` prints and `record` of an answer returns. This page is made by `python -m docs.makers records`, from
commands of the golden record. **Schema {schema}**: the number goes up when a name changes or disappears, with a
line in [CHANGELOG.md](../CHANGELOG.md); a new name does not raise it.

A line has the names in one object, behind the object's own. `*` stands for names of measures, runs, topics and the
like, `[]` for each entry of a list. Results are in `results`; the names of the first one stand at the top, too,
and are listed there. Shares and probabilities are from 0 to 1; `null` is what is not available.
"""


def _paths(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        named = all(_NAME.fullmatch(name) and not _OF_DATA.fullmatch(name) for name in value)
        for name, each in value.items():
            yield from _paths(each, f"{path}.{name if named else '*'}" if path else name)
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        for each in value:
            yield from _paths(each, f"{path}[]")
    else:
        yield path


def _printed(command: str) -> dict[str, Any]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(shlex.split(command))
    result: dict[str, Any] = json.loads(printed.getvalue())
    return result


def names() -> dict[str, list[str]]:
    """Return the names in the records of each command, sorted."""
    found: dict[str, set[str]] = {}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        os.chdir(folder)
        try:
            for command in (*COMMAND_LINES, *_MORE):
                if command.endswith(" --json"):
                    found.setdefault(command.split()[0], set()).update(_paths(_printed(command)))
        finally:
            os.chdir(before)
    return _without_repetition(found)


def _without_repetition(found: dict[str, set[str]]) -> dict[str, list[str]]:
    """Return the names once: not again in the results, and those of nearly all commands apart."""
    for paths in found.values():
        paths -= {path for path in paths if path.startswith("results[].") and path[10:] in paths}
    counts = Counter(path for paths in found.values() for path in paths)
    common = {path for path, count in counts.items() if count >= _NEARLY_ALL * len(found)}
    return {_EVERY: sorted(common)} | {command: sorted(paths - common) for command, paths in found.items()}


def _lines(paths: list[str]) -> Iterator[str]:
    """Yield the names of an object in a line, behind its own."""
    inside: dict[str, list[str]] = {}
    for path in paths:
        parent, _, name = path.rpartition(".")
        inside.setdefault(parent, []).append(name)
    for parent in sorted(inside):
        yield f"{parent}: {', '.join(inside[parent])}" if parent else ", ".join(inside[parent])


def _before() -> tuple[int, dict[str, list[str]]]:
    """Return schema and names of the page that is there."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    schema = re.search(r"\*\*Schema (\d+)\*\*", text)
    known = {}
    for command, lines in re.findall(r"^## ([^\n]+)\n\n```\n(.*?)```", text, re.MULTILINE | re.DOTALL):
        split = [line.rpartition(": ")[::2] for line in lines.splitlines()]
        known[command] = [
            f"{parent}.{name}".lstrip(".") for parent, inside in split for name in inside.split(", ")
        ]
    return int(schema[1]) if schema else 0, known


def page() -> str:
    """Return the page."""
    now, (schema, known) = names(), _before()
    everything = {path for paths in now.values() for path in paths}
    gone = [
        f"{command}: {path}"
        for command, paths in known.items()
        for path in paths
        if path not in (everything if command == _EVERY else {*now[_EVERY], *now.get(command, ())})
    ]
    if gone and schema >= SCHEMA:
        raise ValueError(
            f"names of records are gone; raise SCHEMA in exports/report.py: {'; '.join(gone[:20])}"
        )
    sections = (
        "\n".join((f"## {command}\n\n```", *_lines(paths), "```\n")) for command, paths in now.items()
    )
    return "\n".join([_HEAD.format(schema=SCHEMA), *sections])
