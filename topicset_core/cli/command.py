"""The command of a question: its parser, its defaults, its refusals and its print, from the question alone."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from topicset_core.analyses.judge_study import two_sets
from topicset_core.analyses.run_evaluation import Request as Evaluating
from topicset_core.analyses.run_evaluation import evaluate
from topicset_core.analyses.topic_variance.cells import JudgedDocuments
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix, Selected, select
from topicset_core.collection.judged_runs import join
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores
from topicset_core.errors import InputError, ParseError
from topicset_core.exports.answer import Answer
from topicset_core.exports.findings import texts
from topicset_core.exports.report import Report
from topicset_core.measures import TREC_EVAL
from topicset_core.parsing import Choices
from topicset_core.parsing.scores.replicated import read_labels, read_replicated
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs
from topicset_core.parsing.trec.track import Track, read_track
from topicset_core.preparation import whole_groups
from topicset_core.question import Question

_USUAL = (TREC_EVAL, "double")  # conventions and precision of scored runs
_OF_TWO_SETS = ("qrels_human", "qrels_model", "qrels_other", "measure")


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """The data of a command, and what to tell of them."""

    data: Any
    notes: tuple[str, ...] = ()  # how files were recognised
    prepared: tuple[str, ...] = ()  # how scores were prepared
    record: Mapping[str, Any] = field(default_factory=dict)

    def told(self, report: Report) -> Report:
        """Return a report that tells how its scores were prepared."""
        return replace(report, preparation=self.prepared) if self.prepared else report

    @classmethod
    def matrix(cls, options: argparse.Namespace) -> "Loaded":
        """Read the one matrix in the files, and prepare it."""
        as_read, recognised = files.only_matrix(options)
        done = preparing.prepared(as_read, preparing.steps_of(options))
        record = {"preparation": preparing.record_of(as_read, done), "recognised": list(recognised)}
        return cls(data=done.matrix, notes=recognised, prepared=tuple(done.notes), record=record)

    @classmethod
    def two_systems(cls, options: argparse.Namespace) -> "Loaded":
        """Read the scores of two systems, or score their runs."""
        if options.qrels is not None and options.join:
            raise InputError("join", True, "is for scores, and must be left out with --qrels")
        matrix, notes = files.one_of_each(options) if options.qrels is None else _scored_runs(options)
        if options.qrels is None and (common.conventions(options), options.score_precision) != _USUAL:
            raise InputError(
                "qrels", None, "must be given with --score-precision and conventions of measures"
            )
        if options.qrels is not None:
            (matrix,) = files.in_groups(options, [matrix])
            notes = (*notes, *files.notes_on_groups(options, [matrix]))
        matrix, chosen = select(matrix, *common.selection(options), common.SELECTIONS)
        notes = (*notes, *chosen.notes)
        return cls(data=matrix, notes=notes, record={"recognised": notes, **chosen.entry()})

    @classmethod
    def by_group(cls, options: argparse.Namespace) -> "Loaded":
        """Read the one matrix in the files; where topics have groups, whole groups take the place of topics."""
        loaded = cls.matrix(options)
        rows, notes = whole_groups(loaded.data)
        return replace(loaded, data=rows, prepared=(*loaded.prepared, *notes))

    @classmethod
    def matrices(cls, options: argparse.Namespace) -> "Loaded":
        """Read all matrices in the files."""
        read = files.read_files(options)
        recognised = tuple(read.recognised)
        return cls(data=read.matrices, notes=recognised, record={"recognised": list(recognised)})

    @classmethod
    def replicated(cls, options: argparse.Namespace) -> "Loaded":
        """Read scores with repeats."""
        if isinstance(options.files[0], ReplicatedScores):
            return cls(data=options.files[0])
        contents = [(file, Path(file).read_bytes()) for file in files.only_paths(options.files)]
        chosen = replace(files.choices(options), measure=None)
        return cls(data=read_replicated(contents, options.measure, chosen))

    @classmethod
    def labels(cls, options: argparse.Namespace) -> "Loaded":
        """Read scores of a judge and human labels, or score runs by two sets of judgments."""
        if options.runs is not None:
            return cls.two_sets(options)
        if options.file is None:
            raise InputError("FILE", None, "must be given, or --runs with --qrels-human and --qrels-model")
        for name in _OF_TWO_SETS:
            if getattr(options, name) is not None:
                raise InputError(name, getattr(options, name), "needs --runs")
        if isinstance(options.file, PairedLabels):
            return cls(data=options.file)
        files.only_paths([options.file])
        human = (options.human, Path(options.human).read_bytes()) if options.human else None
        data = read_labels(options.file, Path(options.file).read_bytes(), human, files.choices(options))
        return cls(data=data, notes=data.notes, record={"recognised": data.notes} if data.notes else {})

    @classmethod
    def two_sets(cls, options: argparse.Namespace) -> "Loaded":
        """Score runs by the judgments of people and of a model."""
        for name, value in (("FILE", options.file), ("human", options.human)):
            if value is not None:
                raise InputError(name, value, "must be left out with --runs")
        for name in ("qrels_human", "qrels_model", "measure"):
            if getattr(options, name) is None:
                raise InputError(name, None, "must be given with --runs")
        read = read_runs(files.track_files(options.runs), precision=options.score_precision)
        if read.errors:
            raise read.errors[0]
        people, model, *others = (
            read_qrels(file, Path(file).read_bytes())
            for file in (options.qrels_human, options.qrels_model, options.qrels_other)
            if file is not None
        )
        request = Evaluating(measures=(options.measure,), conventions=common.conventions(options))
        data = two_sets(
            [item.run for item in read.items],
            people.qrels,
            model.qrels,
            request,
            other=others[0].qrels if others else None,
        )
        notes = [text for matrix in (people, model, *others) for text in matrix.notes]
        notes += [*(text for item in read.items for text in item.notes), *read.notes]
        return cls(data=data, notes=tuple(notes), record={"recognised": notes})

    @classmethod
    def judged_runs(cls, options: argparse.Namespace) -> "Loaded":
        """Read runs and the judgments of one collection."""
        track, chosen, notes = track_of(options, [options.qrels], options.relevance_level, keep_scores=True)
        if len(track.judged) != 1:
            expected = (
                f"expected judgments of one collection that runs have topics of, found {len(track.judged)}"
            )
            raise ParseError(options.qrels, None, expected)
        data = JudgedDocuments(track.judged[0], [run.run for run in track.runs])
        return cls(data=data, notes=notes, record={"recognised": notes, **chosen.entry()})


def _scored_runs(options: argparse.Namespace) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Score the runs by the judgments; return what to tell, too."""
    if options.measure is None:
        raise InputError("measure", None, "must be given with --qrels")
    if files.choices(options) != Choices(measure=options.measure):
        rule = "is for runs: --collection, --missing, --repeats, --orientation and --columns are for scores"
        raise InputError("qrels", options.qrels, rule)
    read = read_runs(files.track_files(options.files), precision=options.score_precision)
    if read.errors:
        raise read.errors[0]
    judgments = read_qrels(options.qrels, Path(options.qrels).read_bytes())
    request = Evaluating(measures=(options.measure,), conventions=common.conventions(options))
    judged = join(read.runs, judgments.qrels)
    scored = evaluate(judged, request)
    notes = [*judgments.notes, *(text for item in read.items for text in item.notes), *read.notes]
    notes += common.level_notes(request.conventions.relevance_level, [judged])
    return scored.matrices[0], (*notes, *scored.notes)


def track_of(
    options: argparse.Namespace, qrels: list[str], level: int, *, keep_scores: bool = False
) -> tuple[Track, Selected, tuple[str, ...]]:
    """Read the chosen runs and judgments; return them, what was chosen, and what to tell of them."""
    read = read_track(
        files.track_files(options.runs),
        files.track_files(qrels),
        keep_scores=keep_scores,
        precision=options.score_precision,
    )
    if read.errors:
        raise read.errors[0]
    track, chosen = read.select(*common.selection(options), common.SELECTIONS)
    return track, chosen, (*common.level_notes(level, track.judged), *track.notes)


def _add_judged_runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--qrels", required=True, metavar="FILE", help="relevance judgments")
    parser.add_argument(
        "--runs", nargs="+", required=True, metavar="PATH", help="folders or files of runs, archives too"
    )


def _add_replicated(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="long table, or a score file per repeat")
    parser.add_argument("--measure", default="", help="the column of scores, or the name of the measure")
    files.add_roles(parser)


def _add_qrels_of_two(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--qrels", metavar="FILE", help="relevance judgments: FILEs are two runs, scored by --measure"
    )


def _add_labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="long table of judge scores and human labels")
    parser.add_argument(
        "--human", metavar="FILE", help="human scores of some topics, if they are not in FILE"
    )
    files.add_roles(parser, are_labels=True)
    parser.add_argument(
        "--runs", nargs="+", metavar="PATH", help="in place of FILE: folders or files of runs, archives too"
    )
    for name, whose in zip(_OF_TWO_SETS, ("people", "the model", "other people"), strict=False):
        optional = ", as the most that a model can agree; optional" if name == "qrels_other" else ""
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, metavar="FILE", help=f"judgments of runs by {whose}{optional}")
    parser.add_argument("--measure", metavar="NAME", help="of runs: AP, nDCG@10, ...")


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the data of a question come from: its options before and behind those of the request."""

    begin: Sequence[Callable[[argparse.ArgumentParser], None]]
    end: Sequence[Callable[[argparse.ArgumentParser], None]] = ()
    read: Callable[[argparse.Namespace], Loaded]


_GROUPED = files.add_options, files.add_groups
_PREPARED = (preparing.add_options,)
_MEASURED = common.add_score_precision, common.add_conventions
SOURCES = {
    "matrix": Source(begin=_GROUPED[:1], end=_PREPARED, read=Loaded.matrix),
    "matrix in groups": Source(begin=_GROUPED, end=_PREPARED, read=Loaded.matrix),
    "matrix by group": Source(begin=_GROUPED, end=_PREPARED, read=Loaded.by_group),
    "two systems": Source(
        begin=(*_GROUPED, _add_qrels_of_two),
        end=(common.add_selection, *_MEASURED),
        read=Loaded.two_systems,
    ),
    "matrices": Source(begin=_GROUPED, read=Loaded.matrices),
    "judged runs": Source(
        begin=(_add_judged_runs,),
        end=(common.add_score_precision, common.add_selection),
        read=Loaded.judged_runs,
    ),
    "replicated scores": Source(begin=(_add_replicated,), read=Loaded.replicated),
    "labels": Source(begin=(_add_labels,), end=_MEASURED, read=Loaded.labels),
}
"""By the word of `Question.takes`."""


def add_options(parser: argparse.ArgumentParser, question: Question[Any, Any]) -> None:
    """Add the options of the command of a question."""
    parser.description = question.description
    source = SOURCES[question.takes]
    for add in source.begin:
        add(parser)
    for declared in question.request.declared():
        common.add_parameter(parser, declared.parameter, declared.default, declared.unless)
    for add in (*source.end, common.add_output):
        add(parser)
    parser.set_defaults(run=partial(run, question))


def run(question: Question[Any, Any], options: argparse.Namespace) -> Answer[Any]:
    """Answer the question."""
    request = question.request.of(vars(options))
    loaded = SOURCES[question.takes].read(options)
    with common.threads() as executor:
        answer = question.answer(loaded.data, request, executor=executor)
    return answered(question, answer, loaded, question.report(answer))


def answered(
    question: Question[Any, Any], answer: Any, loaded: Loaded, report: Report, **more: Any
) -> Answer[Any]:
    """Return an answer as it is printed, with its record and what else that has."""
    report = loaded.told(report)
    lines = [*texts(report.findings, "terminal"), *question.text(answer), *loaded.notes, *loaded.prepared]
    more |= {**loaded.record, **question.details(answer)}
    printed = common.printed("\n".join(lines), report, answer, **more)
    return replace(printed, status=question.status(answer))
