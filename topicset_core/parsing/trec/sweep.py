"""The runs of a parameter sweep, and which parameter values each was made with.

Runs are named by their tags, or by their files where tags are not unique. Values come from a table, or
from the names of the runs. A table has a header and one row per run: ``run,b,k1`` and ``bm25-07,0.75,1.2``; the
column ``run`` alone states that the runs are settings of one system without numbers. Names
contain values where each parameter is next to its number, apart from the next by one of ``_ , ; +`` or a space:
``bm25_b0.75``, ``pl2_c=1.5``, ``b_0.75``. Text common to all names is no parameter of the sweep.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from topicset_core.collection import Run
from topicset_core.collection.run import Settings
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import Files
from topicset_core.parsing.names import name_of_file
from topicset_core.parsing.numerals import Place, is_numeral, read_numbers
from topicset_core.parsing.opening import only_table
from topicset_core.parsing.table import Table, plain, refuse_odd_names, refuse_unequal_rows
from topicset_core.parsing.trec.runs import Precision, ReadRun, read_runs
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, listed, quoted


@dataclass(frozen=True, kw_only=True, eq=False)
class SweepRuns:
    """Runs with names of their own, and sentences on where these come from."""

    runs: tuple[Run, ...]  # in the order of the files
    notes: tuple[str, ...]


def read_sweep_runs(
    files: Files, report: ReportProgress = silently, *, precision: Precision = "double"
) -> SweepRuns:
    """Read runs; where several have one tag all are called as their files, without folder and extension."""
    read = read_runs(files, report, shared_tags=True, precision=precision)
    if read.errors:
        raise read.errors[0]
    if not read.items:
        raise ParseError("runs", None, "expected the runs of a sweep, found none")
    tags = [item.run.tag for item in read.items]
    if len(set(tags)) == len(tags):
        return SweepRuns(runs=read.runs, notes=read.notes)
    by_name: dict[str, ReadRun] = {}
    for item in read.items:
        name = name_of_file(item.file)
        if name in by_name:
            other = by_name[name].file
            expected = f"expected a unique tag or file name, found both of {quoted(other)} again"
            raise ParseError(item.file, None, expected)
        by_name[name] = item
    notes = "Runs share tags, so they are named after their files."
    runs = tuple(replace(item.run, tag=name) for name, item in by_name.items())
    return SweepRuns(runs=runs, notes=(*read.notes, notes))


RUN_COLUMNS = frozenset(("run", "runs", "runid", "runname", "system", "systemid", "tag", "file"))
"""Headers, as `plain` leaves them, of the column that names runs; without one it is the first."""

_SEPARATORS = re.compile(r"[_,;+ ]+|-(?=[A-Za-z])")
_PAIR = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9.]*?)[=:]?(?P<value>[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)")
_EQUATION = re.compile(r"(?P<name>[^=]+)=(?P<value>[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadSettings:
    """Settings, and sentences on how they were found."""

    settings: Settings  # one value of each parameter per run
    notes: tuple[str, ...]  # how they were found


def read_parameter_table(file: str, content: bytes | str, systems: Sequence[str]) -> ReadSettings:
    """Read the values of these runs from a table."""
    if not content.strip():
        raise ParseError(file, None, "expected a header and a row for each run, found an empty file")
    table = only_table(content, file, " of parameter values")
    names = table.header.cells
    run_column = next((place for place, name in enumerate(names) if plain(name) in RUN_COLUMNS), 0)
    columns = [place for place in range(len(names)) if place != run_column]
    _check_header(table, columns)
    refuse_unequal_rows(table, table.body)
    line_of: dict[str, int] = {}
    for line, cells in table.body:
        run = cells[run_column]
        if run in line_of:
            expected = (
                f"expected each run once, found {quoted(run)} again, which line {line_of[run]} has already"
            )
            raise ParseError(file, line, expected)
        line_of[run] = line
    for system in systems:
        if system not in line_of:
            expected = f"expected a row for each run, found none for {quoted(system)}"
            raise ParseError(file, None, f"{expected}; the table has {listed(list(line_of))}")
    row_of = {row.cells[run_column]: row for row in table.body}
    rows = [row_of[system] for system in systems]
    values = np.empty((len(systems), len(columns)))
    commas: list[str] = []
    for place, column in enumerate(columns):

        def where(index: int, name: str = names[column]) -> Place:
            return Place(file, rows[index].line, f"parameter {quoted(name)}")

        numbers = read_numbers([row.cells[column] for row in rows], where)
        if numbers.empty.any():
            missing = int(numbers.empty.argmax())
            expected = f"expected a value of {quoted(names[column])}, found an empty cell"
            raise ParseError(file, rows[missing].line, expected)
        values[:, place] = numbers.values
        commas += [names[column]] * numbers.decimal_comma
    for row, first in _same(map(tuple, values.tolist())) if columns else ():
        expected = f"expected each setting once, found the values of line {rows[first].line} again"
        raise ParseError(file, rows[row].line, expected)
    parameters = tuple(names[column] for column in columns)
    notes = [f"{file}: {listed(parameters) or 'no parameter'} of {counted(len(rows), 'run')}."]
    if commas:
        notes.append(f"{file}: values of {listed(commas)} are written with decimal commas.")
    surplus = [run for run in line_of if run not in set(systems)]
    if surplus:
        notes.append(
            f"{file}: {counted(len(surplus), 'row')} without a matching run ignored: {listed(surplus)}."
        )
    return ReadSettings(
        settings=Settings(parameters=parameters, systems=tuple(systems), values=values), notes=tuple(notes)
    )


def settings_of_runs(systems: Sequence[str], table: tuple[str, bytes] | None = None) -> ReadSettings:
    """Return the parameter values of runs: from a table, else from their names."""
    if table is not None:
        return read_parameter_table(*table, systems)
    try:
        return settings_from_names(systems)
    except ParseError as error:
        if len(systems) < 2:
            raise
        expected = (
            f"expected settings of one system, found {counted(len(systems), 'run')} that look like different "
            f"systems, as their names have no parameter values ({error}). Give a table of the values (run,b,k1), "
            "or of the column run alone if the settings have no numbers"
        )
        raise ParseError("runs", None, expected) from None


def settings_from_names(systems: Sequence[str]) -> ReadSettings:
    """Read the values from the names of the runs."""
    if len(systems) < 2:
        expected = f"expected at least 2 runs to choose between, found {listed(list(systems))}"
        raise ParseError("runs", None, expected)
    result = {system: _pairs(system) for system in systems}
    first = next(iter(result))
    varying = [name for name in result[first] if len({pairs.get(name) for pairs in result.values()}) > 1]
    # What only some have is no constant: found[first] may lack it.
    for system, pairs in result.items():
        if set(pairs) != set(result[first]):
            has = [listed(sorted(names)) or "none" for names in (pairs, result[first])]
            expected = "expected the same parameters in the names of all runs"
            expected = f"{expected}, found {has[0]} here and {has[1]} in {first!r}"
            raise ParseError(f"run {quoted(system)}", None, expected)
    if not varying:
        same = (
            f"the same in all: {listed(list(result[first]))}" if result[first] and len(result) > 1 else "none"
        )
        expected = 'expected parameters with their values in names of runs, like "bm25_b0.75", that differ'
        where = f"run {quoted(first)}"
        raise ParseError(where, None, f"{expected} between runs, found {same}")
    values = [tuple(pairs[name] for name in varying) for pairs in result.values()]
    for run, first_run in _same(values):
        expected = f"expected each setting once, found the values of {quoted(list(result)[first_run])} again"
        raise ParseError(f"run {quoted(list(result)[run])}", None, expected)
    settings = Settings(
        parameters=tuple(varying),
        systems=tuple(systems),
        values=np.array(values),
    )
    note = f"Values of {listed(varying)} were read from the names of the runs: {first} is {settings.text(0)}."
    return ReadSettings(settings=settings, notes=(note,))


def _same(settings: Iterable[tuple[float, ...]]) -> Iterator[tuple[int, int]]:
    """Yield each place whose values occurred before, and the first place that has them."""
    seen: dict[tuple[float, ...], int] = {}
    for place, own in enumerate(settings):
        if seen.setdefault(own, place) != place:
            yield place, seen[own]


def _check_header(table: Table, columns: Sequence[int]) -> None:
    names = [table.header.cells[column] for column in columns]
    expected = "expected a header with a column for the run and one for each parameter"
    is_named = bool(names) or plain(table.header.cells[0]) in RUN_COLUMNS
    if not is_named or any(is_numeral(name) for name in names):
        actual = ", ".join(map(quoted, table.header.cells))
        table.refuse(table.header.line, f"{expected}, found {actual}")
    if len(set(names)) < len(names) or not all(names):
        table.refuse(table.header.line, f"{expected}, found an empty name or one twice")
    if not table.body:
        table.refuse(None, "expected a row for each run below the header, found none")
    refuse_odd_names(table, "parameter", names)


def _pairs(name: str) -> dict[str, float]:
    """Return the text next to its number in a name; the number of a run, as in run7, is no parameter."""
    result: dict[str, float] = {}
    before = ""
    for token in _SEPARATORS.split(name):
        pair = _EQUATION.fullmatch(token) or _PAIR.fullmatch(token)
        if pair:
            result[pair["name"]] = float(pair["value"])
        elif before and _NUMBER.fullmatch(token):
            # "b_0.75", and "k1_1.2", where k1 is a name although it ends in a number.
            standing = _PAIR.fullmatch(before)
            if standing:
                result.pop(standing["name"], None)
            result[before] = float(token)
        before = token
    return {
        text: value for text, value in result.items() if plain(text.rpartition(".")[2]) not in RUN_COLUMNS
    }
