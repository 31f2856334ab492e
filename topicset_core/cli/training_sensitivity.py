"""``training-sensitivity``: which measure to tune a system by, when few judgments are there."""

import argparse
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from topicset_core.analyses.training_sensitivity import (
    ALTERNATIVES,
    EXPANSIONS,
    N_SAMPLES,
    PAPER_LEVELS,
    REFERENCE,
    Answer,
    AssumedPool,
    Optimiser,
    Request,
    Sweep,
    Task,
    TrainingSensitivity,
    comparisons,
    curves,
    level_facts,
    levels_of,
    recommendation,
    split,
    swapped,
    sweep_collection,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.report import report
from topicset_core.analyses.training_sensitivity.significance import SIGNIFICANT
from topicset_core.cli.printing import flat
from topicset_core.cli.track_files import track_files
from topicset_core.collection.topic import TopicFields
from topicset_core.errors import InputError, ParseError
from topicset_core.execution.seed import SEED
from topicset_core.measures import Conventions
from topicset_core.measures.gains import Gains
from topicset_core.parsing.collections.text_collection import read_text_collection
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.sweep import read_parameter_table, read_sweep_runs, settings_from_names
from topicset_core.retrieval import MODELS

_OF_RUNS = ("qrels", "runs", "parameters")
_OF_COLLECTION = ("model", "topic_fields", "expand")


def add_parser(commands: Any) -> None:
    """Add ``training-sensitivity`` to the command line."""
    parser = commands.add_parser(
        "training-sensitivity",
        help="which measure to tune a system by, with few judgments",
        description="Chooses the setting of a parameter sweep by several measures, with parts of the judgments of "
        "the training topics, and compares the settings on test topics (He, Macdonald and Ounis 2008). The sweep "
        "is yours (--qrels, --runs), or is made here from a small collection (--collection, --model).",
        allow_abbrev=False,
    )
    parser.add_argument("--qrels", metavar="FILE", help="relevance judgments: TREC or BEIR; gz")
    parser.add_argument(
        "--runs", nargs="+", metavar="PATH", help="runs of the sweep: folders, files, archives"
    )
    parser.add_argument(
        "--parameters",
        metavar="FILE",
        help="table of run and parameter values (run,b,k1); default: from names like bm25_b0.75",
    )
    parser.add_argument("--collection", type=Path, metavar="DIR", help="documents, topics and qrels.txt")
    parser.add_argument(
        "--model",
        choices=[model.name for model in MODELS],
        help=f"swept over {' or '.join(model.parameter.name for model in MODELS)}",
    )
    parser.add_argument("--topic-fields", choices=get_args(TopicFields), help="of TREC topics; default title")
    parser.add_argument(
        "--expand", action="store_true", default=None, help="sweep query expansion instead, 8 x 19 settings"
    )
    parser.add_argument("--training-topics", metavar="FILE", help="a topic a line; default: halves at random")
    parser.add_argument("--test-topics", metavar="FILE", help="a topic a line; both are swapped too")
    parser.add_argument("--splits", type=int, default=1, metavar="N", help="random halves; default 1")
    parser.add_argument(
        "--measure",
        action="append",
        metavar="NAME",
        help=f"to train by, repeatable; default {', '.join(ALTERNATIVES)}",
    )
    parser.add_argument(
        "--reference", default=REFERENCE, metavar="NAME", help=f"compared with; default {REFERENCE}"
    )
    parser.add_argument("--levels", metavar="1,5,10", help="percent of judgments; default: the paper's 16")
    parser.add_argument(
        "--samples",
        type=int,
        default=int(N_SAMPLES.default),
        metavar="N",
        help=f"at each level; default {N_SAMPLES.default:g}",
    )
    parser.add_argument("--seed", type=int, default=int(SEED.default), metavar="N", help="default 0")
    parser.add_argument(
        "--optimiser",
        choices=get_args(Optimiser),
        default="sweep",
        help="look at every setting, or anneal over them as the paper did; default sweep",
    )
    parser.add_argument("--keep-one", action="store_true", help="each topic keeps a relevant document")
    parser.add_argument(
        "--assumed-pool",
        choices=get_args(AssumedPool),
        default="auto",
        help="whether unlisted documents among the first 100 count as judged; auto: where hardly any other is",
    )
    parser.add_argument("--relevance-level", type=int, default=1, metavar="GRADE", help="default: 1")
    parser.add_argument("--gains", choices=get_args(Gains), default="linear", help="of nDCG and Q")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the experiment as text and as a record.

    Raises
    ------
    ParseError
        If a file is not what it should be, or runs and parameter values do not belong together.
    InputError
        If an option is missing or surplus, or breaks its rule.
    OSError
        If a file cannot be read.
    """
    request = _request(options)
    sweep, n_documents, recognised = _sweep(options)
    tasks = _tasks(options, sweep, request)
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        found = training_sensitivity(sweep, tasks, request, executor=executor)
    record = flat(report(Answer(found=found, n_documents=n_documents)), recognised=list(recognised))
    return _text(found, recognised), record


def _request(options: argparse.Namespace) -> Request:
    conventions = Conventions(relevance_level=options.relevance_level, gains=options.gains)
    return Request(
        measures=tuple(options.measure or ALTERNATIVES),
        reference=options.reference,
        levels=levels_of(options.levels) if options.levels else PAPER_LEVELS,
        n_samples=options.samples,
        seed=options.seed,
        keep_one=options.keep_one,
        optimiser=options.optimiser,
        conventions=conventions,
    )


def _sweep(options: argparse.Namespace) -> tuple[Sweep, int | None, tuple[str, ...]]:
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


def _tasks(options: argparse.Namespace, sweep: Sweep, request: Request) -> tuple[Task, ...]:
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


def _text(found: TrainingSensitivity, recognised: tuple[str, ...]) -> str:
    points = {
        (point.level, point.trained_by): point
        for point in curves(found)
        if not point.task and point.evaluated_by == found.reference
    }
    lines = [recommendation(found).sentence, ""]
    lines.append(
        f"{found.reference} on the test topics, by what was trained by; mean of {len(found.tasks)} tasks:"
    )
    lines.append(
        "".join([f"{'% judged':>8} {'lost topics':>12}", *(f" {name:>10}" for name in found.measures)])
    )
    for facts in level_facts(found):
        if facts.level in found.levels:
            cells = [
                f" {point.mean:8.4f}{'*' if point.p_value <= SIGNIFICANT else ' '} "
                for name in found.measures
                for point in [points[facts.level, name]]
            ]
            lines.append(f"{facts.level:8g} {facts.lost_topics:12.1f}" + "".join(cells).rstrip())
    lines += [
        f"* differs from training by {found.reference} (Wilcoxon over samples, p <= .05, each level by itself)",
        "",
        f"Levels and tasks in which a measure is more/less stable than {found.reference}:",
        f"{'':36}{'all':>20}{'to 10 %':>20}{'above':>20}",
    ]
    cells_of = comparisons(found)
    for place in range(0, len(cells_of), 3):
        cells3 = cells_of[place : place + 3]
        lines.append(
            f"{cells3[0].what + ', ' + cells3[0].measure:36}"
            + "".join(f"{one.test.text:>20}" for one in cells3)
        )
    return "\n".join([*lines, "", *recognised, *found.notes])
