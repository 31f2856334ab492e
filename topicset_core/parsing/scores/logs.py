"""Logs of evaluation programs in JSON: recognised by the first objects, read by the program, repeats averaged.

Each log has one object per sample with scores by measure; `programs` has one module per program, with the shape
of its logs and the version of the source. Repeats of a sample (epochs, trials, ``--repeat``) are averaged for a
matrix; `replicated` keeps them.

What a log calls the conversation, passage, category or dataset of a sample is its group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.numerals import MISSING, is_numeral
from topicset_core.parsing.scores.entries import Columns, Entries, Reading, sort_rows
from topicset_core.parsing.scores.long import shapes
from topicset_core.parsing.scores.programs import (
    alpaca_eval,
    deepeval,
    harness,
    helm,
    inspect_ai,
    mteb,
    openai_evals,
    promptfoo,
    swe_bench,
)
from topicset_core.parsing.scores.programs.log import Log as Log
from topicset_core.parsing.scores.programs.log import Program
from topicset_core.parsing.table import Pairs, Row, Table, refuse_odd_names
from topicset_core.wording import counted, first_few, listed, quoted

PROGRAMS = (
    harness.PROGRAM,
    harness.SUMMARY,
    inspect_ai.PROGRAM,
    mteb.PROGRAM,
    promptfoo.PROGRAM,
    swe_bench.PROGRAM,
    helm.PROGRAM,
    deepeval.PROGRAM,
    openai_evals.PROGRAM,
    alpaca_eval.PROGRAM,
)
"""In the order in which they are tried; the first that recognises an object reads the log."""


def is_log(table: Table, _: Choices) -> bool:
    """Return whether a table is the log of a known program."""
    return _program(table) is not None


def read_log(table: Table, choices: Choices) -> Reading:
    """Read the log of a known program; scores of repeated samples are averaged."""
    log = log_of(table, choices)
    rows = [Row(score.line, [score.topic, score.system, score.measure, score.cell]) for score in log.scores]
    header = Row(0, ["topic", "run", "measure", "score"])
    long = replace(table, rows=[header, *rows], unit=log.unit, records=())
    tables, left_out = sort_rows(long, rows, Columns(0, 1 if log.run is None else None, 3, 2))
    if not tables:
        table.refuse(None, "expected scores of single samples, found only summary rows")
    notes = [f"{log.program}: {counted(len(rows), 'score')}.", *log.notes, *left_out]
    if any(score.repeat != "1" for score in log.scores):
        tables, more = _without_repeats(tables)
        notes.append(more)
    groups, source, more_notes = groups_of(log)
    return Reading(
        tables=tables,
        recognised=(*notes, *shapes(tables), *more_notes),
        measure_source="the log",
        one_run=log.run is not None,
        run_name=log.run or "",
        part_of_run=log.part_of_run,
        run_source=log.run_source,
        task=log.task,
        groups=groups,
        group_source=source,
    )


def groups_of(log: Log) -> tuple[Mapping[str, str], str, tuple[str, ...]]:
    """Return the group of each topic by the one name that has them all, where it is from, and why there is none."""
    topics = {score.topic for score in log.scores}
    whole, others = {}, []
    for name, of in log.named.items():
        groups = {topic: of[topic] or "" for topic in topics if topic in of}
        if len(groups) == len(topics) and all(groups.values()):
            whole[name] = {topic: groups[topic] for topic in of if topic in topics}
        else:
            others.append(name)
    if len(whole) == 1:
        ((name, result),) = whole.items()
        source = f"{quoted(name)} of each {log.unit}" if log.group_source is None else log.group_source
        return result, source, ()
    if whole:
        return {}, "", (f"Topics have no groups, as {listed(list(whole))} may name them.",)
    if others:
        return {}, "", (f"Topics have no groups, as {listed(others)} is not one value of each topic.",)
    return {}, "", ()


def log_of(table: Table, choices: Choices | None = None) -> Log:
    """Return the scores of a log, without those that are texts or lists."""
    program = _program(table)
    if program is None:
        table.refuse(None, "expected the log of a known program")
    log = program.read(replace(table, records=_objects(table, None)), choices or Choices())
    kinds: dict[str, list[bool]] = {}
    topics: dict[str, set[str]] = {}
    for score in log.scores:
        topics.setdefault(score.measure, set()).add(score.topic)
        if score.cell not in MISSING:
            kinds.setdefault(score.measure, []).append(is_numeral(score.cell))
    texts = [measure for measure, of in kinds.items() if not any(of)]
    most = max((len(topics[measure]) for measure in kinds if measure not in texts), default=0)
    single = [measure for measure in kinds if measure not in texts and len(topics[measure]) == 1 < most]
    scores = [score for score in log.scores if score.measure not in (*texts, *single)]
    if not scores or all(score.cell in MISSING for score in scores):
        found = f", found none but {listed(texts)}" if texts else ", found none"
        table.refuse(None, f"expected numbers for scores of samples{found}")
    left_out = {"no number per sample": texts, "scores of one sample alone": single}
    more = [f"Left out ({why}): {listed(names, 20)}." for why, names in left_out.items() if names]
    for what, names in (("run name", [log.run or ""]), ("task", [log.task])):
        refuse_odd_names(table, what, names)
    return replace(log, scores=scores, notes=(*log.notes, *more))


def _program(table: Table) -> Program | None:
    for _, record in _objects(table, 20):
        fields = dict(record)
        known = next((program for program in PROGRAMS if program.recognises(fields)), None)
        if known and (known.is_flat or table.records):
            return known
    return None


def _objects(table: Table, at_most: int | None) -> Sequence[tuple[int, Pairs]]:
    """Return the first objects; those without any list in the file are made of the cells again."""
    if table.records or not table.is_records:
        return table.records[:at_most]
    names = table.header.cells
    return [(line, Pairs(zip(names, cells, strict=True))) for line, cells in islice(table.body, at_most)]


def _without_repeats(tables: Sequence[Entries]) -> tuple[tuple[Entries, ...], str]:
    """Average the scores of each topic and run; state how many there are, and how they vary by each measure."""
    counts: set[int] = set()
    deviations, results = [], []
    for entries in tables:
        places: dict[tuple[str, str], list[int]] = {}
        for index, key in enumerate(zip(entries.topics, entries.systems, strict=True)):
            places.setdefault(key, []).append(index)
        full = [[index for index in of if not entries.empty[index]] for of in places.values()]
        counts.update(map(len, full))
        cells = [entries.values[of] for of in full]
        freedom = sum(max(len(of) - 1, 0) for of in full)
        if freedom:
            squares = sum(float(((of - of.mean()) ** 2).sum()) for of in cells if of.size)
            deviations.append(f"{entries.measure} {(squares / freedom) ** 0.5:.4g}")
        means = np.array([of.mean() if of.size else 0.0 for of in cells])
        firsts = [of[0] for of in places.values()]
        results.append(_of_firsts(entries, firsts, means, np.array([not of for of in full])))
    times = " to ".join(map(str, sorted({min(counts), max(counts)})))
    deviation = f", standard deviation {first_few(deviations, 5)}" if deviations else ""
    return tuple(results), (
        f"Each score is a mean over repeats of its sample ({times} each{deviation}). The page Judges and repeats "
        "and the command repeats take them one by one."
    )


def _of_firsts(entries: Entries, firsts: list[int], means: Any, empty: Any) -> Entries:
    return replace(
        entries,
        topics=[entries.topics[index] for index in firsts],
        systems=[entries.systems[index] for index in firsts],
        values=means,
        empty=empty,
        place=lambda index: entries.place(firsts[index]),
    )
