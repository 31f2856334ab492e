"""JSON to rows of cells: one object a line (JSONL), or an array of objects."""

import json
import re
from typing import Any, NoReturn

from topicset_core.errors import ParseError
from topicset_core.parsing.table import Row, Table
from topicset_core.wording import listed, shown

LAYOUT = "each row is a JSON object"
NO_CHARACTER = re.compile(r"[\x00\ud800-\udfff]")
"""What JSON can escape and no text holds."""

MOST_CELLS = 20_000_000
"""Keys times objects: a small file in which each object has keys of its own spans a table of any size."""

DEEPEST = 20
"""Levels of objects within objects, whose keys are joined."""

_SPACE = " \t\r\n"


def is_json(text: str) -> bool:
    """Say whether text begins as JSON objects do, alone or in an array."""
    start = text[:1000].lstrip()
    return start.startswith("{") or (start.startswith("[") and start[1:].lstrip()[:1] in ("{", "]", "["))


def split_records(text: str, file: str) -> Table:
    """Read objects as rows; their keys are the columns, those of inner objects joined by dots.

    Raises
    ------
    ParseError
        If the text is not made of JSON objects, or they are empty.
    """
    keys: dict[str, int] = {}
    records: list[tuple[int, dict[str, str]]] = []
    objects = _objects(text, file)
    for line, record in objects:
        cells: dict[str, str] = {}
        _flatten(record, "", cells, line, file)
        for key in cells:
            keys.setdefault(key, len(keys))
        records.append((line, cells))
    _refuse_object_of_objects(objects, file)
    if not records:
        raise ParseError(file, None, "expected JSON objects with scores, found none")
    if not keys:
        raise ParseError(file, records[0][0], "expected JSON objects with scores, found an empty one")
    if len(keys) * len(records) > MOST_CELLS:
        raise ParseError(
            file,
            None,
            f"expected objects with the same keys, found {len(keys):,} keys in {len(records):,} objects",
        )
    names = list(keys)
    rows = [Row(line, [cells.get(name, "") for name in names]) for line, cells in records]

    def at(_: int, column: int) -> str:
        return f"key {shown(names[column])}" if column < len(names) else "the count"

    layout = (
        LAYOUT
        if "true" not in text and "false" not in text
        else f"{LAYOUT}, in which true is 1 and false is 0"
    )
    return Table(file, [Row(records[0][0], names), *rows], layout, at, is_records=True)


def _objects(text: str, file: str) -> list[tuple[int, dict[str, Any]]]:
    """Return each object with the line it begins on."""
    # Numbers stay in writing, to be judged as cells of other tables are; NaN is what Python writes
    # for a score that is missing.
    decoder = json.JSONDecoder(
        object_pairs_hook=_Pairs,
        parse_float=str,
        parse_int=str,
        parse_constant=lambda constant: "" if constant == "NaN" else constant,
    )
    found: list[tuple[int, dict[str, Any]]] = []
    line, counted_to = 1, 0
    position = _skip(text, 0)
    in_array = text[position : position + 1] == "["
    if in_array:
        position = _skip(text, position + 1)
    while position < len(text):
        line += _line_ends(text, counted_to, position)
        counted_to = position
        if in_array and text[position] == "]":
            position = _skip(text, position + 1)
            if position < len(text):
                _refuse(file, line, f"the end of the file after the array, found {shown(text[position:])}")
            return found
        if text[position] != "{":
            _refuse(file, line, f'an object, as in {{"topic": 1, "AP": 0.5}}, found {shown(text[position:])}')
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            _refuse(file, line + _line_ends(text, position, error.pos), f"valid JSON: {error.msg}")
        except RecursionError:
            _refuse(file, line, f"objects within objects to a depth of at most {DEEPEST}, found more")
        found.append((line, value))
        position = _skip(text, end)
        if in_array and text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif in_array and position < len(text) and text[position] != "]":
            _refuse(
                file,
                line + _line_ends(text, counted_to, position),
                "a comma or ] after an object of the array",
            )
    if in_array:
        _refuse(file, line, "] at the end of the array, found the end of the file")
    return found


def _refuse_object_of_objects(objects: list[tuple[int, Any]], file: str) -> None:
    """Refuse one object whose keys are topics or runs: what evaluators hold in memory, dumped as it is."""
    if len(objects) != 1:
        return
    line, record = objects[0]
    pairs = list(record)
    keys = [key for key, value in pairs if isinstance(value, _Pairs)]
    if keys and len(keys) == len(pairs):
        _refuse(
            file,
            line,
            'an object for each topic, as in {"topic": "401", "map": 0.5}, found one object of objects, with the '
            f"keys {listed(keys, 3)}",
        )


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of one object; a list, so that a repeated key is seen."""


def _flatten(record: Any, before: str, cells: dict[str, str], line: int, file: str, depth: int = 0) -> None:
    if depth > DEEPEST:
        _refuse(file, line, f"objects within objects to a depth of at most {DEEPEST}, found more")
    for key, value in record:
        name = f"{before}{key}".strip()
        if isinstance(value, _Pairs):
            _flatten(value, f"{name}.", cells, line, file, depth + 1)
            continue
        if name in cells:
            _refuse(file, line, f"each key once in an object, found {shown(name)} twice")
        cells[name] = _cell(value)
        stray = NO_CHARACTER.search(name + cells[name])
        if stray:
            _refuse(file, line, f"text, found the character U+{ord(stray.group()):04X} at {shown(name)}")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return value.strip()
    return "[…]"


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position


def _line_ends(text: str, start: int, end: int) -> int:
    part = text[start:end]
    return part.count("\n") + part.count("\r") - part.count("\r\n")


def _refuse(file: str, line: int, expected: str) -> NoReturn:
    raise ParseError(file, line, f"expected {expected}")
