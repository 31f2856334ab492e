"""The log of a program as its reader hands it on, and what readers share: parts of objects, names, splits."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.groups import GROUP_WORDS
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.opening_json import json_cell
from topicset_core.parsing.table import Pairs, Table, plain
from topicset_core.parsing.text import NO_CHARACTER
from topicset_core.wording import listed, quoted, visible

Fields = Mapping[str, Any]
"""An object of JSON by its keys."""


class Score(NamedTuple):
    """One score as a log has it; `line` is the number of its sample."""

    line: int
    topic: str
    measure: str
    cell: str
    system: str = ""  # of the log where it is not of the score
    repeat: str = "1"


Named = dict[str, dict[str, str | None]]
"""Values by topic of what a log calls by a name of groups; None where a topic has several."""


@dataclass(frozen=True, kw_only=True)
class Log:
    """The scores of a log, the run of one that has a single one, and its task."""

    program: str
    scores: Sequence[Score]
    unit: str  # what samples are called in the log
    run: str | None = None  # "" where the log has one run and does not name it
    run_source: str = "the file"
    task: str = ""
    part_of_run: bool = False
    notes: tuple[str, ...] = ()
    named: Named = field(default_factory=dict)  # what may be the groups of topics
    group_source: str | None = None


class Program(NamedTuple):
    """A program: how the objects of its logs are recognised, by their keys and inner objects, and read."""

    recognises: Callable[[Fields], bool]
    read: Callable[[Table, Choices], Log]
    words: str  # the program and its files, for users; "" of files that are refused
    # Whether its objects may have no lists: then the cells of a table have all of them
    is_flat: bool = False


# Parts of objects


def fields_of(table: Table, value: Any, what: str) -> Fields:
    """Return an object by its keys, each of them once."""
    if not isinstance(value, Pairs):
        table.refuse(None, f"{what}: expected an object, found {quoted(shown(value))}")
    result = dict(value)
    if len(result) < len(value):
        keys = [key for key, _ in value]
        again = next(key for key in keys if keys.count(key) > 1)
        table.refuse(None, f"{what}: expected each key once in an object, found {quoted(again)} again")
    return result


def only_object(table: Table) -> Fields:
    """Return the only object of a file."""
    if len(table.records) > 1:
        found = f"found {len(table.records):,} objects; save each to a separate file"
        table.refuse(table.records[1][0], f"expected one log, {found}")
    return fields_of(table, table.records[0][1], "the log")


def items_of(table: Table, value: Any, what: str, *, may_be_empty: bool = False) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list) or isinstance(value, Pairs) or not (value or may_be_empty):
        table.refuse(None, f"expected a list of {what}, found {quoted(shown(value))}")
    return value


def text_of(table: Table, value: Any, what: str) -> str:
    """Return an id or a name, which may be a number."""
    if not isinstance(value, str) or not value.strip() or NO_CHARACTER.search(value):
        table.refuse(None, f"expected {what}, found {shown(value)!a}")
    return value.strip()


def shown(value: Any) -> str:
    """Write a value for a message."""
    if isinstance(value, Pairs):
        return "{…}"
    return "nothing" if value is None else json_cell(value)


def inner(fields: Fields, key: str) -> Fields:
    """Return an inner object, or an empty one."""
    value = fields.get(key)
    return dict(value) if isinstance(value, Pairs) else {}


def cell_of(value: Any) -> str:
    """Write a value as a cell; objects and lists are not shown."""
    return "[…]" if isinstance(value, Pairs) else json_cell(value)


# Names


def folder_of(table: Table, above: int = 0) -> str:
    """Return the name of the folder, or archive, that a file is in; "" without one."""
    folders = PurePosixPath(table.source.file.replace("\\", "/")).parent.parts[::-1]
    return folders[above].removesuffix(".zip") if len(folders) > above and folders[above] != "/" else ""


def short_name(text: str) -> str:
    """Return a text as a name on one line; a long text by its beginning and its digest."""
    name = visible(" ".join(text.split()))
    if len(name.encode()) <= LONGEST_ID // 2:
        return name
    return f"{name[:40]}… ({hashlib.sha256(name.encode()).hexdigest()[:8]})"


def name_groups(named: Named, topic: str, *sources: Fields) -> None:
    """Keep what is called by a name of groups in some fields."""
    for key, value in (item for fields in sources for item in fields.items()):
        if plain(key) in GROUP_WORDS and isinstance(value, str) and value.strip():
            text = short_name(value)
            of = named.setdefault(key, {})
            if of.setdefault(topic, text) != text:
                of[topic] = None


# Samples without scores, and splits


def gaps(scores: Sequence[Score], samples: Mapping[tuple[str, str], int]) -> Iterator[Score]:
    """Yield an empty score for each sample without one by a measure that others have: an error ended it."""
    measures = dict.fromkeys(score.measure for score in scores)
    known = {(score.topic, score.repeat, score.measure) for score in scores}
    for (topic, repeat), number in samples.items():
        for measure in measures:
            if (topic, repeat, measure) not in known:
                yield Score(number, topic, measure, "", repeat=repeat)


def chosen_splits(
    table: Table, splits: Mapping[str, Iterable[str]], choices: Choices
) -> tuple[set[tuple[str, str]], tuple[str, ...]]:
    """Return the splits to read, each with its dataset, and notes: the chosen split, else test among several."""
    kept: set[tuple[str, str]] = set()
    left_out: dict[str, None] = {}
    without = []
    for dataset, names in splits.items():
        of = list(dict.fromkeys(names))
        asked = choices.split or ("test" if "test" in of else None)
        read = of if asked is None else [name for name in of if name == asked]
        kept.update((dataset, name) for name in read)
        if read:
            left_out |= dict.fromkeys(name for name in of if name not in read)
        else:
            without.append(dataset)
    if choices.split and not kept:
        known = list(dict.fromkeys(name for names in splits.values() for name in names))
        found = f"{listed(known, 20)}; choose one of these (--split)" if known else "none"
        table.refuse(None, f"expected scores of the split {quoted(choices.split)}, found {found}")
    notes = []
    if left_out:
        read_split = quoted(choices.split or "test")
        others = listed(list(left_out), 20)
        notes.append(f"Only the split {read_split} was read; left out: {others} (--split reads another).")
    if without:
        notes.append(f"Left out, without the split {quoted(str(choices.split))}: {listed(without, 20)}.")
    return kept, tuple(notes)
