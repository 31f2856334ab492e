"""JSON to tables: objects, one per line or in an array, and one object of objects by topic.

Evaluators in Python return mappings, which ``json.dump`` writes as one object of objects: pytrec_eval
``{topic: {measure: score}}``, ranx ``{measure: {topic: score}}``, comparisons ``{run: {topic: score}}`` and
``{run: {topic: {measure: score}}}``. These are read where the keys show which level is which. Means of runs,
``{run: {measure: mean}}``, have the same form, so topics must have ids of topics.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.parsing.limits import Budget
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import Source
from topicset_core.parsing.table import TOPIC_ID, Pairs, Row, Table
from topicset_core.parsing.text import NO_CHARACTER, line_ends
from topicset_core.wording import listed, quoted

_LAYOUT = "each row is a JSON object"
DEEPEST = 20
"""Levels of objects within objects, whose keys are joined."""
_TOO_DEEP = f"objects within objects to a depth of at most {DEEPEST}, found more"

_KEY_TWICE = "each key once in an object, found {} twice"

_MOST_NAMES = 1_000
"""Names of a level of objects that are looked up as measures."""

_SPACE = re.compile(r"[ \t\r\n]*")
_RUN_OR_MEASURE = re.compile(r"p\d+", re.IGNORECASE)
"""Names of runs that also are spellings of P@1, P@2."""


def is_json(text: str) -> bool:
    """Return whether text begins as JSON objects do, alone or in an array."""
    start = text[:1000].lstrip()
    return start.startswith("{") or (start.startswith("[") and start[1:].lstrip()[:1] in ("{", "]", "["))


def split_records(text: str, source: Source, budget: Budget) -> Table:
    """Read objects as rows; their keys are the columns, keys of inner objects joined by dots."""
    file = source.file
    _count(text, budget)
    objects = _objects(text, file)
    first = list(islice(objects, 2))
    rows = _rows(first, budget, file)
    # Lists are kept for the readers of logs; other objects are many, and dropped one by one.
    kept = [*first, *objects] if text.count("[") > text[:1000].lstrip().startswith("[") else []
    keys: dict[str, int] = {}
    records: list[tuple[int, list[str]]] = []
    n_given = 0
    for line, record in (kept or chain(first, objects)) if rows is None else rows.records:
        cells: dict[str, str] = {}
        _flatten(record, "", cells, line, file)
        for key in cells:
            keys.setdefault(key, len(keys))
        n_given += len(cells)
        # One of few lists, where all have the same keys: each key with a value of its own would be much more.
        records.append((line, [cells.get(name, "") for name in keys]))
        if len(keys) > limits.MOST_COLUMNS or len(keys) * len(records) > limits.MOST_CELLS:
            found = f"{len(keys):,} keys in {len(records):,} objects"
            raise ParseError(file, None, f"expected objects with the same keys, found {found}")
    budget.take_cells(len(keys) * len(records) - n_given)  # those that are empty
    if not records:
        raise ParseError(file, None, "expected JSON objects with scores, found none")
    if not keys:
        raise ParseError(file, records[0][0], "expected JSON objects with scores, found an empty one")
    names = list(keys)

    def at(_: int, column: int) -> str:
        return f"key {quoted(names[column])}" if column < len(names) else "the count"

    layout = _LAYOUT if rows is None else rows.layout
    if "true" in text or "false" in text:
        layout = f"{layout}, in which true is 1 and false is 0"
    return Table(
        source,
        [
            Row(records[0][0] if rows is None else 0, names),
            *(Row(line, cells + [""] * (len(names) - len(cells))) for line, cells in records),
        ],
        layout,
        at,
        is_records=True,
        unit="line" if rows is None else "row",
        records=kept,
    )


def _count(text: str, budget: Budget) -> None:
    """Count what a text has before any of it is made: a small one may hold very many objects, lists and keys."""
    n_objects, n_commas = text.count("{"), text.count(",")
    budget.take_lines(n_objects)
    # Each key has a colon, and a comma or a brace before it.
    n_keys = min(text.count(":"), n_commas + n_objects)
    budget.take_cells(n_commas + text.count("[") + limits.KEY_COUNTS_AS * n_keys)


class _Rows(NamedTuple):
    """The rows that are in one object, each with its number, and how they are."""

    records: Iterator[tuple[int, Pairs]]
    layout: str


def _rows(first: Sequence[tuple[int, Pairs]], budget: Budget, file: str) -> _Rows | None:
    """Return the rows in the only object of a file; None where objects are rows themselves."""
    if len(first) != 1:
        return None
    ((line, record),) = first
    inner = [value for _, value in record if isinstance(value, Pairs)]
    if not any(inner) or len(inner) < len(record):
        return None
    for level in (record, *inner):
        _refuse_keys_again(level, line, file)
    # The cells of a frame may be objects, too.
    is_deep = any(isinstance(value, Pairs) for pairs in inner for _, value in pairs)
    rows = None if is_deep else _rows_of_columns(record)
    rows = rows or _rows_of_topics(record, inner, budget) or _rows_of_columns(record)
    if rows is None:
        keys = [key for key, _ in record]
        below = list(dict.fromkeys(key for pairs in inner for key, _ in pairs))
        _refuse_json(
            file,
            line,
            'one object per topic, as in {"topic": "401", "run": "bm25", "map": 0.5}, found an object of objects, '
            f"whose keys may be topics, or runs with means: {listed(keys, 3)}, and below them {listed(below, 3)}. "
            "Topics are recognised by ids such as 401 or q12, measures by names such as map or ndcg_cut_10",
        )
    return rows


def _refuse_keys_again(record: Pairs, line: int, file: str) -> None:
    seen: set[str] = set()
    for key, _ in record:
        if key in seen:
            _refuse_json(file, line, _KEY_TWICE.format(quoted(key)))
        seen.add(key)


def _rows_of_columns(columns: Pairs) -> _Rows | None:
    """Return the rows of an object of columns whose keys count them, as pandas writes a frame; else None."""
    numbers = [str(row) for row in range(len(columns[0][1]))]
    if not numbers or any([key for key, _ in cells] != numbers for _, cells in columns):
        return None
    names = [name for name, _ in columns]
    values_of_rows = zip(*([value for _, value in cells] for _, cells in columns), strict=True)
    rows = (Pairs(zip(names, values, strict=True)) for values in values_of_rows)
    return _Rows(enumerate(rows, start=1), _LAYOUT)


def _rows_of_topics(record: Pairs, inner: Sequence[Pairs], budget: Budget) -> _Rows | None:
    """Return a row for each topic, of each run, where the keys show which level is which; else None."""
    outer = [key for key, _ in record]
    below = list(dict.fromkeys(key for pairs in inner for key, _ in pairs))
    kinds = {isinstance(value, Pairs) for pairs in inner for _, value in pairs}
    # Other ids than those of topics may be of topics, runs or datasets: means have this form, too.
    is_outer, is_below = _are_topics(outer), _are_topics(below)
    n_inner = sum(map(len, inner))
    if kinds == {True} and is_outer != is_below:
        first, second = ("topic", "run") if is_outer else ("run", "topic")
        measures = dict.fromkeys(name for runs in inner for _, scores in runs for name, _ in scores)
        if _are_measures(list(measures)):
            rows = (
                Pairs([(first, key), (second, inner_key), *of])
                for key, ones in record
                for inner_key, of in ones
            )
            return _Rows(enumerate(rows, start=1), _described(first, second, "measure"))
    if kinds == {False} and is_outer and _are_measures(below):
        rows = (Pairs([("topic", topic), *scores]) for topic, scores in record)
        return _Rows(enumerate(rows, start=1), _described("topic", "measure"))
    # Rankings are objects of numbers as well, but each topic has other documents.
    if kinds == {False} and is_below and not is_outer and 2 * n_inner >= len(outer) * len(below):
        budget.take_lines(n_inner)
        budget.take_cells(2 * n_inner)
        known = _n_measures(outer)
        if not known or _are_measures(outer):
            first = "measure" if known else "run"
            rows = (
                Pairs([(first, key), ("topic", topic), ("score", score)])
                for key, scores in record
                for topic, score in scores
            )
            return _Rows(enumerate(rows, start=1), _described(first, "topic"))
    return None


def _described(*levels: str) -> str:
    form = "score"
    for level in reversed(levels):
        form = f"{{{level}: {form}}}"
    return f"the file is one JSON object of objects, {form}"


def _are_topics(names: Sequence[str]) -> bool:
    return all(map(TOPIC_ID.fullmatch, names))


def _are_measures(names: Sequence[str]) -> bool:
    """Return whether at least half of the names are known to name measures, and not runs p1, p2, p3."""
    return 2 * _n_measures(names) >= min(len(names), _MOST_NAMES) and not all(
        map(_RUN_OR_MEASURE.fullmatch, names)
    )


def _n_measures(names: Sequence[str]) -> int:
    return sum(measure_name(name) is not None for name in names[:_MOST_NAMES])


def _objects(text: str, file: str) -> Iterator[tuple[int, Pairs]]:
    """Yield each object with the line it begins on."""
    # Numbers stay in writing, to be judged as cells of other tables are; NaN is what Python writes
    # for a score that is missing.
    decoder = json.JSONDecoder(
        object_pairs_hook=Pairs,
        parse_float=str,
        parse_int=str,
        parse_constant=lambda constant: "" if constant == "NaN" else constant,
    )
    line, counted_to = 1, 0
    position = _skip(text, 0)
    in_array = text[position : position + 1] == "["
    if in_array:
        position = _skip(text, position + 1)
    while position < len(text):
        line += line_ends(text, counted_to, position)
        counted_to = position
        if in_array and text[position] == "]":
            position = _skip(text, position + 1)
            if position < len(text):
                _refuse_json(
                    file, line, f"the end of the file after the array, found {quoted(text[position:])}"
                )
            return
        if text[position] != "{":
            _refuse_json(
                file, line, f'an object, as in {{"topic": 1, "AP": 0.5}}, found {quoted(text[position:])}'
            )
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            _refuse_json(file, line + line_ends(text, position, error.pos), f"valid JSON: {error.msg}")
        except RecursionError:
            _refuse_json(file, line, _TOO_DEEP)
        yield line, value
        position = _skip(text, end)
        if in_array and text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif in_array and position < len(text) and text[position] != "]":
            _refuse_json(
                file,
                line + line_ends(text, counted_to, position),
                "a comma or ] after an object of the array",
            )
    if in_array:
        _refuse_json(file, line, "] at the end of the array, found the end of the file")


def _flatten(record: Any, before: str, cells: dict[str, str], line: int, file: str, depth: int = 0) -> None:
    if depth > DEEPEST:
        _refuse_json(file, line, _TOO_DEEP)
    for key, value in record:
        name = f"{before}{key}".strip()
        if len(name) > limits.LONGEST_KEY or len(cells) == limits.MOST_COLUMNS:
            most = f"{limits.MOST_COLUMNS:,} keys in an object, each of at most {limits.LONGEST_KEY:,} characters"
            _refuse_json(file, line, f"at most {most}, found more")
        if isinstance(value, Pairs):
            _flatten(value, f"{name}.", cells, line, file, depth + 1)
            continue
        if name in cells:
            _refuse_json(file, line, _KEY_TWICE.format(quoted(name)))
        cells[name] = json_cell(value)
        stray = NO_CHARACTER.search(f"{key}{cells[name]}")
        if stray:
            _refuse_json(
                file, line, f"text, found the character U+{ord(stray.group()):04X} at {quoted(name)}"
            )


def json_cell(value: Any) -> str:
    """Write a value of JSON as a cell: true is 1, lists are not shown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return value.strip()
    return "[…]"


def _skip(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _refuse_json(file: str, line: int, expected: str) -> NoReturn:
    raise ParseError(file, line, f"expected {expected}")
