"""Frames of other programs: pandas, polars, mappings of columns, or records, read as the files of their rows.

A frame becomes a table of cells, which the readers of files read by the same rules: long (ir_measures' query_id,
measure, value; PyTerrier's name, qid, measure, value) or wide. Neither pandas nor polars is imported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.choices import Choices
from topicset_core.parsing.limits import Budget
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.names import Source
from topicset_core.parsing.opening import cell_text
from topicset_core.parsing.scores.score_files import ReadScores, read_tables
from topicset_core.parsing.table import TOPIC_WORDS, Opened, Row, Table, plain
from topicset_core.parsing.text import NO_CHARACTER
from topicset_core.wording import quoted

Columns = list[tuple[str, list[Any]]]

KINDS = (
    "must be a frame of pandas or polars, a mapping of columns, or records with names, such as those of "
    "ir_measures.iter_calc"
)


def read_frame(
    frame: object,
    measure: str | None = None,
    *,
    name: str = "frame",
    system: str = "run",
    choices: Choices | None = None,
) -> ReadScores:
    """Read score matrices from a frame, as :func:`read_scores` reads them from a file.

    Parameters
    ----------
    frame : object
        A frame of pandas or polars or of another library with the protocol ``__arrow_c_stream__`` (which
        needs pyarrow), a mapping of columns, a mapping of mappings such as
        ``{system: {topic: score}}``, or records. Long, with columns for topic, measure, score and
        perhaps system, or wide, with topics in the first column or in the index. True is 1.
    measure : str, optional
        The measure to read where there are several; else what to call the measure.
    name : str, optional
        What to call the matrices, and the frame in messages.
    system : str, optional
        What to call the run of a frame with a single one.
    choices : Choices, optional
        Decisions where the frame leaves them open; without them nothing is filled, dropped or averaged.

    Returns
    -------
    ReadScores
        The matrices, with notes on omitted or changed parts.

    Raises
    ------
    ParseError
        If the frame is not a complete table of numbers in a shape that is known; rows count from 1.
    InputError
        If `frame` is of another kind.
    """
    choices = choices or Choices()
    columns_name = getattr(getattr(frame, "columns", None), "name", None)
    known = columns_name if isinstance(columns_name, str) and measure_name(columns_name) else None
    choices = replace(choices, measure=measure or choices.measure or known)
    result = read_tables([Opened((_table(frame, Source(name, name, name, system)),), (), ())], choices)
    if result.errors:
        raise result.errors[0]
    return result


def _table(frame: object, source: Source) -> Table:
    columns = _columns(frame)
    names = [name for name, _ in columns]
    lengths = {len(cells) for _, cells in columns}
    if len(lengths) != 1 or not names:
        found = f"columns of {', '.join(map(str, sorted(lengths)))} rows" if names else "no columns"
        raise InputError("frame", found, "must have columns of one length")
    rows = [Row(0, names)]
    texts = [_texts(cells) for _, cells in columns]
    rows += [Row(row, list(cells)) for row, cells in enumerate(zip(*texts, strict=True), start=1)]
    for name, cells in zip(names, texts, strict=True):
        if NO_CHARACTER.search("".join((name, *cells))):
            stray = next((row for row, cell in enumerate(cells, start=1) if NO_CHARACTER.search(cell)), None)
            expected = f"expected text in the column {name!a}, found a character that no text has"
            raise ParseError(source.place, stray, expected, "row")
    layout = "cells are taken from the columns of a frame"
    return Table(source, rows, layout, lambda _, column: f"column {quoted(names[column])}", unit="row")


def _columns(frame: object) -> Columns:
    """Return the columns of a frame, its index in front of them where it has names of topics or runs."""
    if isinstance(frame, Mapping) and frame and all(isinstance(cells, Mapping) for cells in frame.values()):
        return _of_mappings(frame)
    # By their place: a frame of pandas may have a name twice.
    if isinstance(frame, Mapping) or (hasattr(frame, "items") and hasattr(frame, "columns")):
        columns = [(_name(name), _list(name, cells)) for name, cells in frame.items()]
        return _index(frame, columns) + columns
    if hasattr(frame, "columns") and hasattr(frame, "get_column"):
        return [(name, frame.get_column(name).to_list()) for name in frame.columns]
    if hasattr(frame, "__arrow_c_stream__"):
        return [(name, list(cells)) for name, cells in _by_arrow(frame).items()]
    if isinstance(frame, Iterable) and not isinstance(frame, str | bytes):
        return _of_records(list(frame))
    raise InputError("frame", type(frame).__name__, KINDS)


def _by_arrow(frame: Any) -> Mapping[str, Sequence[Any]]:
    try:
        import pyarrow
    except ImportError:
        rule = f"{KINDS}; other frames need pyarrow: pip install pyarrow"
        raise InputError("frame", type(frame).__name__, rule) from None
    try:
        table = pyarrow.table(frame)
    except pyarrow.ArrowException:  # a single column
        raise InputError("frame", type(frame).__name__, KINDS) from None
    return {name: table.column(name).to_pylist() for name in table.column_names}


def _of_mappings(frame: Mapping[Any, Mapping[Any, Any]]) -> Columns:
    """Return columns of mappings by topic or run; pytrec_eval's topics of measures are turned."""
    inner = list(dict.fromkeys(key for cells in frame.values() for key in cells))
    if not all(_is_measure(key) for key in frame) and inner and all(map(_is_measure, inner)):
        frame = {key: {topic: of[key] for topic, of in frame.items() if key in of} for key in inner}
        inner = list(dict.fromkeys(key for cells in frame.values() for key in cells))
    Budget("frame").take_cells(len(inner) * len(frame))
    corner = "topic" if all(_is_measure(key) for key in frame) else ""
    columns = [(_name(key), [of.get(row) for row in inner]) for key, of in frame.items()]
    return [(corner, inner), *columns]


def _is_measure(name: object) -> bool:
    return measure_name(str(name)) is not None


def _of_records(records: Sequence[Any]) -> Columns:
    """Return columns of mappings, or of tuples with names as ir_measures yields them."""
    rows = [record._asdict() if hasattr(record, "_asdict") else record for record in records]
    other = next((row for row in rows if not isinstance(row, Mapping)), None)
    if not rows or other is not None:
        raise InputError("frame", type(other).__name__ if rows else "no rows", KINDS)
    names = list(dict.fromkeys(name for row in rows for name in row))
    Budget("frame").take_cells(len(names) * len(rows))
    return [(_name(name), [row.get(name) for row in rows]) for name in names]


def _index(frame: Any, columns: Columns) -> Columns:
    """Return the index of a frame of pandas, unless it only numbers its rows."""
    index: Any = getattr(frame, "index", None)
    if not hasattr(index, "get_level_values"):
        return []
    has_topics = any(plain(name) in TOPIC_WORDS for name, _ in columns)
    if list(index.names) == [None] and (type(index).__name__ == "RangeIndex" or has_topics):
        return []
    return [
        ("" if name is None else _name(name), index.get_level_values(level).tolist())
        for level, name in enumerate(index.names)
    ]


def _name(name: object) -> str:
    if isinstance(name, tuple):
        raise InputError("frame", f"the column {name!r}", "must have one name per column, not several levels")
    return str(name).strip()


def _list(name: object, cells: Any) -> list[Any]:
    if isinstance(cells, str | bytes) or not (hasattr(cells, "tolist") or isinstance(cells, Iterable)):
        raise InputError("frame", f"{name}: {type(cells).__name__}", "must have a sequence in each column")
    result = cells.tolist() if hasattr(cells, "tolist") else list(cells)
    return result if isinstance(result, list) else [result]


def _texts(cells: list[Any]) -> list[str]:
    """Write the values of a column, in one go where all are texts or fractions."""
    kinds = set(map(type, cells))
    if kinds == {str}:
        return list(map(str.strip, cells))
    if kinds == {float} and not any(map(float.is_integer, cells)):
        return ["" if cell != cell else repr(cell) for cell in cells]
    return list(map(_cell, cells))


def _cell(cell: Any) -> str:
    """Write a value as it would be typed; missing ones are empty."""
    cell = cell.item() if hasattr(cell, "item") else cell  # a scalar of NumPy
    if isinstance(cell, bool):
        return str(int(cell))
    if (isinstance(cell, float) and cell != cell) or type(cell).__name__ in ("NAType", "NaTType"):
        return ""
    return "[…]" if isinstance(cell, list | tuple | dict) else cell_text(cell)
