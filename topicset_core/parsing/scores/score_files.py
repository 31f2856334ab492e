"""Scores in files or in pasted text to score matrices: tables recognised, named, and joined if of one run each."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.collection.score_matrix import UNKNOWN_MEASURE
from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.choices import Choices, TopicsAsked
from topicset_core.parsing.columns import common_ids
from topicset_core.parsing.limits import Budget
from topicset_core.parsing.measure_names import cautions, measure_in_file_name, measure_name
from topicset_core.parsing.names import INVISIBLE, Source, lookalikes, refuse_twins
from topicset_core.parsing.opening import open_file
from topicset_core.parsing.roles import Roles
from topicset_core.parsing.scores.entries import Entries, Reading, without_summary_runs
from topicset_core.parsing.scores.filling import fill
from topicset_core.parsing.scores.formats import TableRead, may_share_ids, read_table
from topicset_core.parsing.table import Opened, Table, refuse_odd_names
from topicset_core.wording import GROUPS_OF_ONE, counted, first_few, listed, quoted


class Measure(NamedTuple):
    """The entries of one measure, from one table or from those that are joined, and a sentence on its name."""

    name: str
    sentence: str
    parts: list[Entries]


class RecognisedTable(NamedTuple):
    """One table, or several of one run each that are joined, with the names of its measures and notes."""

    reading: Reading
    source: Source
    name: str  # of the collection
    files: tuple[str, ...]
    measures: list[Measure]
    notes: tuple[str, ...]  # about the table
    sentences: tuple[str, ...]  # about the names of all measures
    groups: Mapping[str, str] = {}  # of topics
    group_source: str = ""
    is_numbered: bool = False  # topics are numbers of rows


def name_measures(reading: Reading, source: Source, given: str) -> tuple[list[Measure], str]:
    """Name the measure of each table, or pick the given one; return also a sentence on all names."""
    # Where a format finds several measures it names each of them.
    written = [table.measure for table in reading.tables if table.measure is not None]
    if given and len(written) > 1:
        return _pick(reading, source, given, written)
    if given:
        return _one_name(reading, f"The measure is {given}, as given.", given)
    in_name = measure_in_file_name(source.stem)
    at_end = f"from the end of the file name {quoted(source.file)}"
    if len(written) == 1 and in_name and in_name.startswith(f"{_called(written[0], reading.names)}@"):
        more = f"{quoted(written[0])} is from {reading.measure_source}"
        return _one_name(reading, f"The measure is {in_name}, {at_end}; {more}.", in_name)
    if written:
        names = _project_names(written, reading.names)
        spelt = [f"{name} (written {quoted(as_is)})" if name != as_is else name for name, as_is in names]
        are, origin = "measure is" if len(names) == 1 else "measures are", f"from {reading.measure_source}."
        measures = [
            Measure(name, " ".join([f"The measure is {text}, {origin}", *cautions([as_is])]), [entries])
            for (name, as_is), text, entries in zip(names, spelt, reading.tables, strict=True)
        ]
        return measures, " ".join([f"The {are} {', '.join(spelt)}, {origin}", *cautions(written)])
    in_sheet = measure_in_file_name(source.sheet) if source.sheet else None
    if in_sheet:
        origin = f"from the name of the sheet {quoted(source.sheet)}"
        return _one_name(reading, f"The measure is {in_sheet}, {origin}.", in_sheet)
    if in_name:
        return _one_name(reading, f"The measure is {in_name}, {at_end}.", in_name)
    return _one_name(reading, f"The measure is not named, so it is called {UNKNOWN_MEASURE!r}.")


def _one_name(reading: Reading, sentence: str, name: str = UNKNOWN_MEASURE) -> tuple[list[Measure], str]:
    return [Measure(name, sentence, list(reading.tables))], sentence


def _pick(reading: Reading, source: Source, given: str, written: list[str]) -> tuple[list[Measure], str]:
    """Pick the given measure among the measures of the table, by its spelling or its name here."""
    name = measure_name(given) or given
    exactly = [table for table in reading.tables if table.measure == given]
    picked = exactly or [t for t in reading.tables if _called(t.measure or "", reading.names) == name]
    if len(picked) != 1:
        expected = f"expected scores of one measure, {quoted(given)}, found {len(written)}: {listed(written)}"
        raise ParseError(source.place, None, expected)
    spelling = picked[0].measure or ""
    others = [other for other in written if other != spelling]
    called = next(name for name, as_is in _project_names(written, reading.names) if as_is == spelling)
    sentence = (
        f"Of the measures only {quoted(spelling)} was read, as chosen; it is {called} here. Left out: "
        f"{listed(others, 20)}."
    )
    sentence = " ".join([sentence, *cautions([spelling])])
    return [Measure(called, sentence, picked)], sentence


def _called(spelling: str, names: Mapping[str, str]) -> str:
    return names.get(spelling) or measure_name(spelling) or spelling


def _project_names(written: list[str], known: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pair each measure's name here with its spelling, which stays where two spellings have one name."""
    names = [_called(spelling, known) for spelling in written]
    uses = Counter(names)
    return [(name if uses[name] == 1 else as_is, as_is) for name, as_is in zip(names, written, strict=True)]


MOST_SENTENCES = 10
"""Notes on some of the joined files are reported up to this many times, and counted beyond."""


def joined(tables: Sequence[RecognisedTable]) -> list[RecognisedTable]:
    """Join the tables of one run each, at the place of the first; leave the others unchanged."""
    of_one_run: dict[str, list[RecognisedTable]] = {}
    for table in tables:
        if table.reading.one_run:
            of_one_run.setdefault(table.reading.task, []).append(table)
    first = [of_task[0] for of_task in of_one_run.values()]
    return [
        _joined(of_one_run[table.reading.task]) if table.reading.one_run else table
        for table in tables
        if not table.reading.one_run or any(table is other for other in first)
    ]


def _joined(tables: Sequence[RecognisedTable]) -> RecognisedTable:
    runs, notes = _run_names(tables)
    measures: dict[str, Measure] = {}
    for table, run in zip(tables, runs, strict=True):
        for measure in table.measures:
            known = measures.setdefault(measure.name, Measure(measure.name, measure.sentence, []))
            known.parts.extend(replace(part, systems=[run] * len(part.topics)) for part in measure.parts)
    pairs = list(dict.fromkeys(pair for table in tables for pair in table.groups.items()))
    groups = dict(pairs)
    sentences = [*_once([table.notes for table in tables]), *notes]
    if len(groups) < len(pairs):
        several = [topic for topic, count in Counter(topic for topic, _ in pairs).items() if count > 1]
        sentences.append(f"Topics have no groups, as files name different ones of {listed(several)}.")
        groups = {}
    whole = sum(not table.reading.part_of_run for table in tables)
    if whole and len(tables) > 1:
        sentences.append(
            f"{counted(len(tables), 'file')} of one run each were joined into one table per measure."
        )
    return tables[0]._replace(
        name=tables[0].reading.task or _joined_name(tables),
        files=tuple(dict.fromkeys(table.source.place for table in tables)),
        measures=[*measures.values()],
        notes=tuple(sentences),
        sentences=tuple(_once([table.sentences for table in tables])),
        groups=groups,
        group_source=next((table.group_source for table in tables if table.group_source), ""),
        is_numbered=any(table.is_numbered for table in tables),
    )


def _once(notes: Sequence[Sequence[str]]) -> list[str]:
    """Return the notes of each file; a note on several files only once, with their number."""
    sentences = Counter(sentence for of_one in notes for sentence in of_one)
    of_all = [sentence for sentence, count in sentences.items() if count == len(notes)]
    of_some = [
        f"In {count} of the {len(notes)} files: {sentence}"
        for sentence, count in sentences.items()
        if count < len(notes)
    ]
    more = len(of_some) - MOST_SENTENCES
    rest = [f"And {more:,} more sentences of this kind, each on some of the files."] if more > 0 else []
    return [*of_all, *of_some[:MOST_SENTENCES], *rest]


def _joined_name(tables: Sequence[RecognisedTable]) -> str:
    archives = {table.source.archive for table in tables}
    if len(tables) == 1:
        return tables[0].source.stem
    if len(archives) == 1 and "" not in archives:
        return archives.pop().replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".zip")
    stems = list(dict.fromkeys(table.source.stem for table in tables))
    if len(stems) == 1:
        return stems[0]
    return f"{stems[0]} and {counted(len(stems) - 1, 'more file')}"


def _run_names(tables: Sequence[RecognisedTable]) -> tuple[list[str], list[str]]:
    """Name each run by the name inside its file, else after the file; report which it was."""
    run_names = [table.reading.run_name for table in tables]
    parts = [table.reading.part_of_run for table in tables]
    uses = Counter(name for name, part in zip(run_names, parts, strict=True) if name and not part)
    # Outputs of two runs may contain the same name, where the tag was never changed.
    names = [
        inside if part or (inside and uses[inside] == 1) else table.source.run
        for table, inside, part in zip(tables, run_names, parts, strict=True)
    ]
    same = [name for name, count in uses.items() if count > 1]
    n_whole = len(tables) - sum(parts)
    notes = []
    if any(parts):
        runs = dict.fromkeys(name for name, part in zip(names, parts, strict=True) if part)
        joined = "were joined into one table per measure"
        of_parts = (
            entries
            for table, part in zip(tables, parts, strict=True)
            if part
            for entries in table.reading.tables
        )
        each = "one topic" if all(len(set(part.topics)) == 1 for part in of_parts) else "some topics"
        notes.append(
            f"{counted(sum(parts), 'file')} of {each} each, of {counted(len(runs), 'run')}, {joined}."
        )
    if n_whole == len(tables) == 1:
        origin = tables[0].reading.run_source if run_names[0] else "the file"
        notes.append(f"The run is called {quoted(names[0])}, after {origin}.")
    elif n_whole:
        n_inside = sum(1 for name in uses if uses[name] == 1)
        if n_inside:
            notes.append(f"{counted(n_inside, 'run')} named by {tables[0].reading.run_source}.")
        if n_whole - n_inside:
            notes.append(f"{counted(n_whole - n_inside, 'run')} named after the file.")
    if same:
        notes.append(
            f"{tables[0].reading.run_source.capitalize()} has {listed(same)} in several files: these runs are "
            "named after the file."
        )
    return names, notes


class ReadTable(NamedTuple):
    """A table with a header, and the role of each of its columns."""

    file: str
    roles: Roles
    n_rows: int


@dataclass(frozen=True, kw_only=True)
class ReadScores:
    """The scores found in one or more files.

    Parameters
    ----------
    matrices : tuple of ScoreMatrix
        In the order of the files; several where they contain several measures or collections.
    recognised : tuple of str
        Notes for the user: the format of each table and why, omitted or changed
        parts, and unusual values.
    notes : tuple of tuple of str
        For each matrix the notes that concern it; most notes of its file concern all its matrices.
    files : tuple of tuple of str
        For each matrix the files it comes from; several where files of one run each were joined.
    errors : tuple of ParseError
        One for each file, sheet or join that could not be read; the others are read all the same.
    tables : tuple of ReadTable
        Each table with a header, with the roles of its columns, whether it could be read or not.
    numbered : tuple of bool
        For each matrix whether its topics are numbers of rows, for lack of a column of ids.
    """

    matrices: tuple[ScoreMatrix, ...] = ()
    recognised: tuple[str, ...] = ()
    notes: tuple[tuple[str, ...], ...] = ()
    files: tuple[tuple[str, ...], ...] = ()
    errors: tuple[ParseError, ...] = ()
    tables: tuple[ReadTable, ...] = ()
    numbered: tuple[bool, ...] = ()


def read_scores(
    content: bytes | str, file: str, measure: str | None = None, choices: Choices | None = None
) -> ReadScores:
    """Read score matrices from the content of a file or from pasted text, all of it or nothing.

    Parameters
    ----------
    content : bytes or str
        A table as text, JSON, an xlsx workbook, or a gzip or zip archive of these.
    file : str
        The file as the user named it, or "pasted text"; the matrices are named after it.
    measure : str, optional
        The same as ``choices.measure``, which it comes before. Without either the name comes from
        a column or rows of measures, from the header above the topic ids, from the name of the
        sheet, or from the end of the file name; else the measure is called "score".
    choices : Choices, optional
        Decisions of the user where the file leaves them open. Without them nothing is filled, dropped
        or averaged; only rows and columns that sum up others are taken out, which is reported.

    Raises
    ------
    ParseError
        If anything in the file is not a complete table of numbers in a shape that is known.
    """
    choices = choices or Choices()
    if measure and measure.strip():
        choices = replace(choices, measure=measure.strip())
    read = _read([(file, content)], choices)
    if read.errors:
        raise read.errors[0]
    return read


def read_score_files(files: Sequence[tuple[str, bytes | str]], choices: Choices | None = None) -> ReadScores:
    """Read several files together; files of one run each are joined into one matrix per measure.

    Topics that some of the joined runs have and others have not are missing scores. A file that
    cannot be read is an error next to the contents of the others.

    Parameters
    ----------
    files : sequence of (str, bytes or str)
        Name and content of each file.
    choices : Choices, optional
        Decisions of the user where the files leave them open.

    Returns
    -------
    ReadScores
        With an error for each file, sheet, member of an archive, or join that could not be read.
    """
    return _read(files, choices or Choices())


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the search for cycles, a third of the time of a million rows: reading makes cells and no cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_collector_paused()
def _read(files: Sequence[tuple[str, bytes | str]], choices: Choices) -> ReadScores:
    budget = Budget()
    return read_tables((open_file(content, file, budget) for file, content in files), choices)


def read_tables(files: Iterable[Opened], choices: Choices) -> ReadScores:
    """Read the tables of opened files."""
    errors: list[ParseError] = []
    recognised: list[str] = []
    read: list[tuple[Table, TableRead | None] | ParseError] = []
    for opened in files:
        read += opened.errors
        recognised += opened.notes
        for table in opened.tables:
            # Others wait, as their topics may be found by what all files have in common.
            waits = may_share_ids(table, choices)
            read.append((table, None if waits else read_table(table, choices)))
    waiting = [part[0] for part in read if not isinstance(part, ParseError) and part[1] is None]
    ids: tuple[str, ...] = ()
    clash = None
    if "topic" not in choices.roles.values():
        try:
            ids = common_ids(waiting)
        except ParseError as error:
            clash = error
            errors.append(error)
    tables: list[RecognisedTable] = []
    shown: list[ReadTable] = []
    for part in read:
        try:
            if isinstance(part, ParseError):
                raise part
            table, known = part
            one = known or read_table(table, choices, ids)
            if one.roles is not None:
                shown.append(ReadTable(table.file, one.roles, len(table.body)))
            if clash is not None and known is None:
                continue  # its topics are asked for
            if one.refusal is not None:
                raise one.refusal
            tables.append(_recognised(table, one.reading, choices))
        except ParseError as error:
            errors.append(error)
    unknown = [
        name
        for name in choices.roles
        if not any(name == column.name for read in shown for column in read.roles.columns)
    ]
    if unknown and shown:
        columns = listed([column.name for column in shown[0].roles.columns], 20)
        errors.append(
            ParseError(shown[0].file, None, f"expected the column {quoted(unknown[0])}, found {columns}")
        )
    matrices: list[ScoreMatrix] = []
    notes: list[tuple[str, ...]] = []
    from_files: list[tuple[str, ...]] = []
    numbered: list[bool] = []
    for one_of in map(_told_groups, joined(tables)):
        try:
            if one_of.is_numbered and len(one_of.files) > 1 and not choices.by_line:
                raise TopicsAsked(one_of.files)
            new = _matrices(one_of, choices)
        except ParseError as error:
            errors.append(error)
            continue
        recognised += [*one_of.notes, *one_of.sentences]
        for (matrix, sentences), measure in zip(new, one_of.measures, strict=True):
            matrices.append(matrix)
            notes.append((*one_of.notes, measure.sentence, *sentences))
            from_files.append(one_of.files)
            numbered.append(one_of.is_numbered)
            recognised += [f"{matrix.measure}: {note}" if len(new) > 1 else note for note in sentences]
    return ReadScores(
        matrices=tuple(matrices),
        recognised=tuple(recognised),
        notes=tuple(notes),
        files=tuple(from_files),
        errors=tuple(errors),
        tables=tuple(shown),
        numbered=tuple(numbered),
    )


def _recognised(table: Table, reading: Reading, choices: Choices) -> RecognisedTable:
    for entries in reading.tables:
        refuse_odd_names(table, "topic id", entries.topics)
        refuse_odd_names(table, "run name", entries.systems)
        refuse_odd_names(table, "measure", [entries.measure or ""])
    refuse_odd_names(table, "group", [*reading.groups.values()])
    notes = list(reading.recognised)
    if any(entries.decimal_comma for entries in reading.tables):
        notes.append("Scores are written with decimal commas.")
    notes.append(f"{table.layout[0].upper()}{table.layout[1:]}.")
    source = table.source
    measures, sentence = name_measures(reading, source, (choices.measure or "").strip())
    name = source.stem
    if source.sheet and source.run == source.sheet and not measure_name(source.sheet):
        name = f"{source.stem}, {source.sheet}"  # the sheet is not all of the file, and no measure
    return RecognisedTable(
        reading=reading,
        source=source,
        name=name,
        files=(source.place,),
        measures=measures,
        notes=tuple(notes),
        sentences=(sentence,),
        groups=reading.groups,
        group_source=reading.group_source,
        is_numbered=reading.is_numbered,
    )


def _told_groups(table: RecognisedTable) -> RecognisedTable:
    """Tell of the groups of all topics; leave out those that group nothing."""
    if not table.groups:
        return table
    names = dict.fromkeys(table.groups.values())
    n_groups, source = len(names), table.group_source
    if 1 < n_groups < len(table.groups):
        notes = (f"Topics are in {n_groups:,} groups, from {source}.", *_alike("Groups whose names", names))
        return table._replace(notes=(*table.notes, *notes))
    of = "one value" if n_groups == 1 else "another value for each topic"
    note = (f"{source[0].upper()}{source[1:]} has {of}, so topics have no groups.",) if source else ()
    return table._replace(notes=(*table.notes, *note), groups={})


def _matrices(table: RecognisedTable, choices: Choices) -> list[tuple[ScoreMatrix, list[str]]]:
    name = (choices.collection or "").strip() or table.name
    new, files = [], first_few(table.files, 3)
    for measure in table.measures:
        matrix, sentences = fill(measure.parts, files, choices, measure.name, name)
        refuse_twins(matrix.topics, files, "topic id")
        refuse_twins(matrix.systems, files, "run name")
        matrix, taken_out = without_summary_runs(matrix)
        if table.groups:
            refuse_twins(table.groups.values(), files, "group")
            try:
                matrix = matrix.grouped(table.groups)
                taken_out += [GROUPS_OF_ONE] if matrix.groups is None else []
            except InputError as error:
                taken_out.append(f"Topics have no groups here: {error.value}, {error.rule}.")
        new.append((matrix, [*sentences, *remarks(matrix), *taken_out]))
    return new


MOST_PAIRS = 5
"""Runs that are equal are named up to this many pairs, and counted beyond."""


def remarks(matrix: ScoreMatrix) -> Iterator[str]:
    """Return notes on unusual scores of a matrix."""
    outside = int(np.count_nonzero((matrix.scores < 0) | (matrix.scores > 1)))
    if outside:
        scores = "1 score lies" if outside == 1 else f"{outside:,} scores lie"
        low, high = matrix.scores.min(), matrix.scores.max()
        yield f"{scores} outside 0 to 1 (lowest {low:g}, highest {high:g})."
    yield from _alike("Topics whose ids", matrix.topics)
    hidden = [name for name in (*matrix.topics, *matrix.systems) if INVISIBLE.search(name)]
    if hidden:
        yield f"Ids with invisible characters: {listed(hidden)}."
    yield from _equal_runs(matrix)


def _alike(what: str, names: Iterable[str]) -> Iterator[str]:
    """Name topics or groups that may be one: as two they count twice in every sample size."""
    pairs = lookalikes(names)
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        named = "; ".join(f"{quoted(name)} and {quoted(other)}" for name, other in pairs[:MOST_PAIRS])
        yield f"{what} differ only in zeros were kept separate: {named}{more}."


def _equal_runs(matrix: ScoreMatrix) -> Iterator[str]:
    """Name runs with equal columns: a test of their difference divides zero by zero."""
    first_with: dict[bytes, str] = {}
    pairs = []
    for system, column in zip(matrix.systems, matrix.scores.T, strict=True):
        same = first_with.setdefault(column.tobytes(), system)
        if same != system:
            pairs.append(f"{quoted(same)} and {quoted(system)}")
    if pairs:
        more = f"; and {len(pairs) - MOST_PAIRS:,} more" if len(pairs) > MOST_PAIRS else ""
        yield f"Runs with the same score on every topic: {'; '.join(pairs[:MOST_PAIRS])}{more}."
