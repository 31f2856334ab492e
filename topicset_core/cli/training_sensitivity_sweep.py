"""What ``training-sensitivity`` is asked of: a sweep of runs, or one made of a collection, and its tasks."""

import argparse
from dataclasses import replace
from pathlib import Path

from topicset_core.analyses.training_sensitivity import (
    Request,
    Sweep,
    Task,
    split,
    swapped,
    sweep_of,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, sweep_collection
from topicset_core.cli.track_files import track_files
from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.parameter_values import read_parameter_table, settings_from_names
from topicset_core.parsing.sweep_runs import read_sweep_runs
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.parsing.trec_qrels import read_qrels

_OF_RUNS = ("qrels", "runs", "parameters")
_OF_COLLECTION = ("model", "topic_fields", "expand")


def sweep_asked(options: argparse.Namespace) -> tuple[Sweep, int | None, tuple[str, ...]]:
    """Return the sweep, the documents of its collection where known, and what was recognised.

    Raises
    ------
    ParseError
        If a file is not what it should be, or runs and parameter values do not belong together.
    InputError
        If an option is missing or surplus, or breaks its rule.
    OSError
        If a file cannot be read.
    """
    if options.collection is None:
        _refuse_others(options, _OF_COLLECTION, "--collection")
        for name in ("qrels", "runs"):
            if getattr(options, name) is None:
                raise InputError(f"--{name}", None, "must be given, or --collection and --model")
        return _own_runs(options)
    _refuse_others(options, _OF_RUNS, "--qrels and --runs")
    if options.model is None:
        raise InputError("--model", None, "must be given with --collection")
    read = read_text_collection(options.collection)
    collection = read.collection
    if collection.qrels is None:
        raise ParseError(str(options.collection), None, "expected judgments in qrels.txt, found none")
    made = sweep_collection(
        collection,
        options.model,
        expansions=EXPANSIONS if options.expand else (),
        fields=options.topic_fields or "title",
    )
    sweep = sweep_of(
        made.runs,
        replace(collection.qrels, name=collection.name),
        made.settings,
        relevance_level=options.relevance_level,
        assumed_pool=options.assumed_pool,
    )
    return sweep, made.n_documents, read.said


def _own_runs(options: argparse.Namespace) -> tuple[Sweep, int | None, tuple[str, ...]]:
    qrels = read_qrels(options.qrels, Path(options.qrels).read_bytes())
    read = read_sweep_runs(track_files(options.runs))
    systems = [run.tag for run in read.runs]
    if options.parameters is None:
        values = settings_from_names(systems)
    else:
        values = read_parameter_table(options.parameters, Path(options.parameters).read_bytes(), systems)
    sweep = sweep_of(
        read.runs,
        qrels.qrels,
        values.settings,
        relevance_level=options.relevance_level,
        assumed_pool=options.assumed_pool,
    )
    return sweep, None, (*qrels.said, *read.said, *values.said)


def tasks_asked(options: argparse.Namespace, sweep: Sweep, request: Request) -> tuple[Task, ...]:
    """Return what to train and test on: halves at random, or two lists of topics.

    Raises
    ------
    ParseError
        If a list has a topic that is not judged, or one twice.
    InputError
        If one list is missing, or both share a topic.
    OSError
        If a list cannot be read.
    """
    lists = options.training_topics, options.test_topics
    if lists == (None, None):
        usable = usable_topics(sweep.runs, request.conventions.relevance_level)
        return split(usable, request.seed, options.splits)
    if None in lists:
        missing = "--training-topics" if lists[0] is None else "--test-topics"
        raise InputError(missing, None, "must be given with the other list")
    if options.splits != 1:
        raise InputError("--splits", options.splits, "has no meaning with lists of topics")
    first, second = (read_topic_list(file, Path(file).read_bytes(), sweep.runs.topics) for file in lists)
    return swapped(second, first, (Path(lists[1]).name, Path(lists[0]).name))


def _refuse_others(options: argparse.Namespace, names: tuple[str, ...], instead: str) -> None:
    for name in names:
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise InputError(option, getattr(options, name), f"has no meaning without {instead}")
