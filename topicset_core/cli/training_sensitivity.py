"""``training-sensitivity``: which measure to use for tuning a system on few judgments."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from topicset_core.analyses.training_sensitivity import (
    Answer,
    Request,
    Sweep,
    exchanged,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.report import paper_text, report, text
from topicset_core.analyses.training_sensitivity.request import N_SPLITS, Task
from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, sweep_collection
from topicset_core.analyses.training_sensitivity.tables import paper_tables
from topicset_core.cli import options as common
from topicset_core.cli.files import track_files
from topicset_core.collection import Qrels, select
from topicset_core.collection.text_collection import TextCollection, TopicFields
from topicset_core.errors import InputError, ParseError
from topicset_core.exports import answer as exported
from topicset_core.parsing.names import read_topic_list
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.sweep import read_sweep_runs, settings_of_runs
from topicset_core.retrieval import MODELS

_OF_RUNS = ("qrels", "runs", "parameters", "score_precision")
_OF_COLLECTION = ("model", "topic_fields", "expand", "paper_tables")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``training-sensitivity``."""
    parser.description = (
        "Chooses the setting of a parameter sweep by several measures, with parts of the judgments of "
        "the training topics, and compares the settings on test topics (He, Macdonald and Ounis 2008). The sweep "
        "is yours (--qrels, --runs), or is made here from a small collection (--collection, --model)."
    )
    parser.add_argument("--qrels", metavar="FILE", help="relevance judgments: TREC or BEIR; gz")
    parser.add_argument(
        "--runs", nargs="+", metavar="PATH", help="runs of the sweep: folders, files, archives"
    )
    parser.add_argument(
        "--values",
        "--parameters",
        dest="parameters",
        metavar="FILE",
        help="table of run and parameter values (run,b,k1), or the column run alone for settings without numbers; "
        "default: from names like bm25_b0.75",
    )
    parser.add_argument("--collection", type=Path, metavar="DIR", help="documents, topics and qrels.txt")
    parser.add_argument(
        "--model",
        choices=[model.name for model in MODELS],
        help=f"swept over {' or '.join(model.parameter.name for model in MODELS)}",
    )
    parser.add_argument("--topic-fields", choices=get_args(TopicFields), help="of TREC topics; default title")
    for option, meaning in (
        ("--expand", "sweep query expansion instead, 8 x 19 settings"),
        (
            "--paper-tables",
            "of a collection: tables 2 and 3 of the paper, BM25 and PL2 without and with expansion",
        ),
    ):
        parser.add_argument(option, action="store_true", default=None, help=meaning)
    parser.add_argument(
        "--training-topics", metavar="FILE", help="one topic per line; default: random halves"
    )
    parser.add_argument(
        "--test-topics", metavar="FILE", help="one topic per line; both lists are exchanged in addition"
    )
    for declared in Request.declared():
        common.add_parameter(parser, declared.parameter, declared.default, declared.unless)
    common.add_score_precision(parser)
    parser.set_defaults(score_precision=None)  # so that it is refused next to a collection
    common.add_selection(parser)
    common.add_output(parser)


def run(options: argparse.Namespace) -> exported.Answer[Any]:
    """Return the experiment as text and as a record."""
    request = Request.of(vars(options))
    selection = common.selection(options)
    if options.paper_tables and options.collection is not None:
        for option, which in zip(common.SELECTIONS, selection, strict=True):
            if which is not None:
                raise InputError(option, which, "has no meaning with --paper-tables, which has all")
        return _paper(options, request)
    sweep, n_documents, recognised = _sweep(options, request)
    judged, chosen = select(sweep.runs, *selection, common.SELECTIONS)
    if judged.n_systems < 2:
        raise InputError(
            common.SELECTIONS[1], judged.n_systems, "must leave at least 2 runs, to choose between"
        )
    sweep = replace(sweep, runs=judged, settings=sweep.settings.of(judged.systems))
    recognised = (*recognised, *chosen.notes, *common.level_notes(request.relevance_level, [judged]))
    tasks = _tasks(options, usable_topics(sweep.runs, request.relevance_level), request)
    with common.threads() as executor:
        result = training_sensitivity(sweep, tasks, request, executor=executor)
    answer = Answer(
        sensitivity=result, min_d=request.min_d, worthwhile=request.worthwhile, n_documents=n_documents
    )
    lines = [*text(answer), "", *recognised, *result.notes]
    return common.printed("\n".join(lines), report(answer), answer, recognised=recognised, **chosen.entry())


def _paper(options: argparse.Namespace, request: Request) -> exported.Answer[Any]:
    """Return tables 2 and 3."""
    _refuse(options, ("model", "topic_fields", "expand"), "with --paper-tables, which has all")
    _refuse(options, _OF_RUNS, "without --qrels and --runs")
    collection, _, recognised = _collection(options)
    blocks = paper_tables(collection, lambda topics: _tasks(options, topics, request)[:2], request)
    record = {
        "analysis": "training sensitivity, tables 2 and 3",
        "collection": collection.name,
        "blocks": blocks,
        "recognised": list(recognised),
    }
    lines = [*paper_text(blocks, request.reference), "", *recognised]
    return exported.Answer(text="\n".join(lines), record=record, answer=blocks)


def _sweep(options: argparse.Namespace, request: Request) -> tuple[Sweep, int | None, tuple[str, ...]]:
    """Return the sweep, the documents of its collection where known, and notes on them."""
    if options.collection is None:
        _refuse(options, _OF_COLLECTION, "without --collection")
        for name in ("qrels", "runs"):
            if getattr(options, name) is None:
                raise InputError(name, None, "must be given, or --collection and --model")
        read_judgments = read_qrels(options.qrels, Path(options.qrels).read_bytes())
        read = read_sweep_runs(track_files(options.runs), precision=options.score_precision or "double")
        table = options.parameters and (options.parameters, Path(options.parameters).read_bytes())
        values = settings_of_runs([run.tag for run in read.runs], table)
        runs, qrels, settings, n_documents = read.runs, read_judgments.qrels, values.settings, None
        notes = (*read_judgments.notes, *read.notes, *values.notes)
    else:
        _refuse(options, _OF_RUNS, "without --qrels and --runs")
        if options.model is None:
            raise InputError("model", None, "must be given with --collection")
        collection, qrels, notes = _collection(options)
        swept = sweep_collection(
            collection,
            options.model,
            expansions=EXPANSIONS if options.expand else (),
            fields=options.topic_fields or "title",
        )
        runs, settings, n_documents = swept.runs, swept.settings, swept.n_documents
    level, pool = request.relevance_level, request.assumed_pool
    sweep = sweep_of(runs, qrels, settings, relevance_level=level, assumed_pool=pool)
    return sweep, n_documents, notes


def _collection(options: argparse.Namespace) -> tuple[TextCollection, Qrels, tuple[str, ...]]:
    """Return the collection, its judgments under its name, and notes."""
    read = read_text_collection(options.collection)
    collection = read.collection
    if collection.qrels is None:
        raise ParseError(
            str(options.collection), None, "expected judgments in qrels.txt, found no line with a judgment"
        )
    qrels = replace(collection.qrels, name=collection.name)
    return replace(collection, qrels=qrels), qrels, read.notes


def _tasks(options: argparse.Namespace, usable: Sequence[str], request: Request) -> tuple[Task, ...]:
    """Return what to train and test on: halves at random, or two lists of topics that can be used."""
    lists = options.training_topics, options.test_topics
    if lists == (None, None):
        return split(usable, request.seed, request.n_splits)
    if None in lists:
        missing = "training_topics" if lists[0] is None else "test_topics"
        raise InputError(missing, None, "must be given with the other list")
    if request.n_splits != N_SPLITS.default:
        raise InputError(N_SPLITS.name, request.n_splits, "has no meaning with lists of topics")
    first, second = (read_topic_list(file, Path(file).read_bytes(), usable) for file in lists)
    return exchanged(second, first, (Path(lists[1]).name, Path(lists[0]).name))


def _refuse(options: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    """Refuse options that have no meaning here."""
    for name in names:
        if getattr(options, name) is not None:
            raise InputError(name, getattr(options, name), f"has no meaning {why}")
