"""What matrices and measures are called, and where the names come from."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.file_names import Source
from topicset_core.parsing.measure_names import cautions, measure_in_file_name, measure_name
from topicset_core.parsing.scores.entries import Entries, Reading
from topicset_core.wording import listed, shown

UNKNOWN_MEASURE = "score"


class Named(NamedTuple):
    """Tables with the names of their measures, a sentence on all names and one on each."""

    tables: tuple[Entries, ...]
    measures: list[str]
    said: str
    each: list[str]


def name_measures(reading: Reading, source: Source, given: str) -> Named:
    """Name the measure of each table, or pick the one given among those that the file names.

    Raises
    ------
    ParseError
        If one name is given for several measures, none of which has it.
    """
    tables = reading.tables
    # Where a format finds several measures it names each of them.
    written = [found.measure for found in tables if found.measure is not None]
    if given and len(written) > 1:
        return _pick(reading, source, given, written)
    if given:
        return _one_name(reading, given, "as given")
    if written:
        names = _project_names(written, reading.names)
        spelt = [f"{name} (written {shown(as_is)})" if name != as_is else name for name, as_is in names]
        measures = "measure is" if len(names) == 1 else "measures are"
        return Named(
            tables,
            [name for name, _ in names],
            " ".join(
                [f"The {measures} {', '.join(spelt)}, from {reading.measure_source}.", *cautions(written)]
            ),
            [
                " ".join([f"The measure is {one}, from {reading.measure_source}.", *cautions([as_is])])
                for one, as_is in zip(spelt, written, strict=True)
            ],
        )
    in_sheet = measure_in_file_name(source.sheet) if source.sheet else None
    if in_sheet:
        return _one_name(reading, in_sheet, f"from the name of the sheet {shown(source.sheet)}")
    in_name = measure_in_file_name(source.stem)
    if in_name:
        return _one_name(reading, in_name, f"from the end of the file name {shown(source.file)}")
    said = f"The measure is not named, so it is called {UNKNOWN_MEASURE!r}."
    return Named(tables, [UNKNOWN_MEASURE], said, [said])


def _one_name(reading: Reading, name: str, origin: str) -> Named:
    said = f"The measure is {name}, {origin}."
    return Named(reading.tables, [name], said, [said])


def _pick(reading: Reading, source: Source, given: str, written: list[str]) -> Named:
    """Pick the measure given among those that the table names, by its spelling or its name here."""
    exactly = tuple(table for table in reading.tables if table.measure == given)
    name = measure_name(given) or given
    alike = tuple(t for t in reading.tables if _called(t.measure or "", reading.names) == name)
    picked = exactly or alike
    if len(picked) != 1:
        raise ParseError(
            source.place,
            None,
            f"expected scores of one measure, {shown(given)}, found {len(written)}: {listed(written)}",
        )
    others = [other for other in written if other != picked[0].measure]
    names = _project_names(written, reading.names)
    called = next(name for name, as_is in names if as_is == picked[0].measure)
    said = (
        f"Of the measures only {shown(picked[0].measure or '')} was read, as chosen; it is {called} here. Left "
        f"out: {listed(others, 20)}."
    )
    said = " ".join([said, *cautions([picked[0].measure or ""])])
    return Named(picked, [called], said, [said])


def _called(spelling: str, names: Mapping[str, str]) -> str:
    return names.get(spelling) or measure_name(spelling) or spelling


def _project_names(written: list[str], known: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pair each measure's name in this project with its spelling in the file.

    A spelling stays as it is where it is unknown, or where another one has the same name: that the
    file tells map from AP is no reason to mix them.
    """
    names = [_called(spelling, known) for spelling in written]
    uses = Counter(names)
    return [(name if uses[name] == 1 else as_is, as_is) for name, as_is in zip(names, written, strict=True)]
