"""``read``: what files were read as, what was left out, and which questions can be asked of them."""

import argparse
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from topicset_core.cli import files
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.errors import ParseError
from topicset_core.exports.answer import Answer
from topicset_core.exports.columns import aligned
from topicset_core.parsing import Choices, ReadScores, read_score_files
from topicset_core.parsing.choices import RepeatedScores
from topicset_core.parsing.scores.formats import kind_of
from topicset_core.parsing.scores.replicated import read_replicated
from topicset_core.parsing.scores.score_files import ReadTable
from topicset_core.wording import counted

_MOST_TABLES = 3
"""Tables whose columns are printed; files of one form have the same."""


@dataclass(frozen=True)
class Asked:
    """A question that can be asked of the files, and its command."""

    question: str
    command: str


@dataclass(frozen=True)
class ReadFiles:
    """What files were read as."""

    read: ReadScores
    repeats: ReplicatedScores | None
    questions: tuple[Asked, ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``read``."""
    parser.description = (
        "What files are read as: topics, systems, measures, repeats and groups, the role of each column of a table "
        "with the reason, what was left out, and which questions can be asked, with the command of each. Refused "
        "files are told with the reason."
    )
    files.add_options(parser)
    common.add_output(parser, charts=False)


def run(options: argparse.Namespace) -> Answer[ReadFiles]:
    """Return what the files were read as."""
    names = files.only_paths(options.files)
    contents = [(name, Path(name).read_bytes()) for name in names]
    chosen = files.choices(options)
    read = read_score_files(contents, chosen)
    repeats = None
    if any(isinstance(error, RepeatedScores) for error in read.errors):
        with suppress(ParseError):
            repeats = read_replicated(contents, chosen.measure or "", chosen)
    questions = tuple(_questions(read.matrices, repeats, contents, _stated(options)))
    answer = ReadFiles(read, repeats, questions)
    return Answer(
        text="\n".join(_lines(answer)),
        record=_record(answer),
        answer=answer,
        status=0 if answer.read.matrices or answer.repeats else 2,
    )


def _stated(options: argparse.Namespace) -> str:
    """Return the files and the options that were given, as the other commands take them."""
    given: list[str] = [*options.files]
    usual = Choices()
    for name in (*files.ROLE_OPTIONS, "leave_out", "true", "split", "measure", "columns"):
        value = getattr(options, name, None)
        if value:
            given += [f"--{name.replace('_', '-')}", *([value] if isinstance(value, str) else value)]
    for name in ("missing", "repeats", "orientation"):
        if getattr(options, name) != getattr(usual, name):
            given += [f"--{name}", getattr(options, name)]
    given += ["--by-line"] if options.by_line else []
    return shlex.join(given)


def _questions(
    matrices: Sequence[ScoreMatrix],
    repeats: ReplicatedScores | None,
    contents: Sequence[tuple[str, bytes]],
    stated: str,
) -> Iterator[Asked]:
    """Yield the questions that these scores can answer, with their commands."""
    if repeats is not None:
        yield Asked(
            "What do repeats contribute, and how many are enough?", f"repeats {stated} --kind repeats"
        )
        yield Asked("Compare means over the repeats", f"compare-two {stated} --repeats average")
        return
    kinds = [kind_of(content, name) for name, content in contents] if not matrices else []
    if "run" in kinds and "qrels" in kinds:
        runs = shlex.join(name for (name, _), kind in zip(contents, kinds, strict=True) if kind == "run")
        qrels = shlex.join(name for (name, _), kind in zip(contents, kinds, strict=True) if kind == "qrels")
        yield Asked("Scores of these runs", f"evaluate --runs {runs} --qrels {qrels} --measures AP nDCG@10")
        return
    if not matrices:
        return
    measure = "" if len(matrices) == 1 else f" --measure {shlex.quote(matrices[0].measure)}"
    systems = min(matrix.n_systems for matrix in matrices)
    pairs = sum(matrix.n_systems for matrix in matrices)
    binary = all(matrix.is_binary for matrix in matrices)
    if systems == 2 or (systems == 1 and pairs == 2 and len(matrices) == 2):
        yield Asked("Is the second system better than the first?", f"compare-two {stated}{measure}")
    if systems > 2:
        first, second = (shlex.quote(system) for system in matrices[0].systems[:2])
        yield Asked(
            "Is one system better than another?", f"compare-two {stated}{measure} --pair {first} {second}"
        )
        yield Asked("Which ranks are real?", f"leaderboard {stated}{measure}")
    yield Asked("How much do scores vary from topic to topic?", f"variance {stated}")
    if systems > 1:
        design = "mcnemar" if binary and systems == 2 else "paired-t"
        plan = f"size {design} --scores {stated}{measure} --alpha 0.05 --beta 0.2 --min-d 0.1"
        yield Asked("How many topics show a difference of 0.1 between two systems?", plan)
        yield Asked("How often do other topics reverse two systems?", f"error-rate {stated}{measure}")


def _lines(answer: ReadFiles) -> Iterator[str]:
    """Yield what a terminal prints."""
    read = answer.read
    for matrix in read.matrices:
        yield f"{matrix.name}, {matrix.measure}: {_shape(matrix)}."
    if answer.repeats is not None:
        scores = answer.repeats
        axes = (scores.topics, "topic"), (scores.systems, "system"), (scores.repeats, "repeat")
        shape = ", ".join(counted(len(names), noun) for names, noun in axes)
        yield f"{scores.name}, {scores.measure}: {shape}."
    for error in read.errors:
        if not (answer.repeats is not None and isinstance(error, RepeatedScores)):
            yield f"Refused: {error}"
    yield from read.recognised
    for table in read.tables[:_MOST_TABLES]:
        yield from ("", f"{table.file}, {counted(table.n_rows, 'row')}:")
        yield from aligned(_columns(table))
    if len(read.tables) > _MOST_TABLES:
        yield f"And {counted(len(read.tables) - _MOST_TABLES, 'more table')}."
    if answer.questions:
        yield from ("", "Questions that can be asked:")
        for answered in answer.questions:
            yield from (f"  {answered.question}", f"    topicset {answered.command}")


def _shape(matrix: ScoreMatrix) -> str:
    groups = f" in {counted(len(matrix.group_sizes), 'group')}" if matrix.groups else ""
    kind = ", scores of 0 and 1" if matrix.is_binary else ""
    return f"{counted(matrix.n_topics, 'topic')}{groups}, {counted(matrix.n_systems, 'system')}{kind}"


def _columns(table: ReadTable) -> dict[str, list[str]]:
    """Return a row for each column of the table: its name, role, reason and an example."""
    columns = table.roles.columns
    return {
        "column": [column.name or "(no name)" for column in columns],
        "role": [column.role for column in columns],
        "reason": [column.reason for column in columns],
        "example": [_short(column.example) for column in columns],
    }


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else f"{line[:29]}…"


def _record(answer: ReadFiles) -> dict[str, Any]:
    return {
        "matrices": [
            {
                "name": matrix.name,
                "measure": matrix.measure,
                "n_topics": matrix.n_topics,
                "systems": matrix.systems,
                "n_groups": len(matrix.group_sizes) if matrix.groups else None,
                "is_binary": matrix.is_binary,
                "are_numbers_of_rows": numbered,
            }
            for matrix, numbered in zip(answer.read.matrices, answer.read.numbered, strict=True)
        ],
        "repeats": None
        if answer.repeats is None
        else {
            "n_topics": len(answer.repeats.topics),
            "systems": answer.repeats.systems,
            "n_repeats": len(answer.repeats.repeats),
            "measure": answer.repeats.measure,
        },
        "tables": [
            {
                "file": table.file,
                "n_rows": table.n_rows,
                "scores_of": table.roles.of,
                "columns": [column._asdict() for column in table.roles.columns],
            }
            for table in answer.read.tables
        ],
        "recognised": answer.read.recognised,
        "refused": [str(error) for error in answer.read.errors],
        "questions": [
            {"question": question.question, "command": f"topicset {question.command}"}
            for question in answer.questions
        ],
    }
