"""``training-sensitivity``: which measure to use for tuning a system on few judgments."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from topicset_core.analyses.training_sensitivity import (
    ALTERNATIVES,
    EXPANSIONS,
    N_SAMPLES,
    N_SPLITS,
    PAPER_LEVELS,
    REFERENCE,
    WORTHWHILE,
    Answer,
    AssumedPool,
    Optimiser,
    Request,
    Sweep,
    Task,
    comparisons,
    exchanged,
    gains_by_level,
    level_facts,
    levels_of,
    paper_tables,
    split,
    sweep_collection,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.report import evidence_table, report
from topicset_core.cli import options as common
from topicset_core.cli.files import track_files
from topicset_core.collection import Qrels, select
from topicset_core.collection.text_collection import TextCollection, TopicFields
from topicset_core.errors import InputError, ParseError
from topicset_core.exports.columns import aligned
from topicset_core.exports.records import fields_of
from topicset_core.measures import Conventions
from topicset_core.measures.conventions import Gains
from topicset_core.parameters import SEED
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.sweep import read_sweep_runs, settings_of_runs
from topicset_core.retrieval import MODELS

_OF_RUNS = ("qrels", "runs", "parameters", "score_precision")
_OF_COLLECTION = ("model", "topic_fields", "expand", "paper_tables")


def add_parser(commands: Any) -> None:
    """Add ``training-sensitivity`` to the command line."""
    parser = commands.add_parser(
        "training-sensitivity",
        help="which measure to use for tuning a system on few judgments",
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
    parser.add_argument(
        "--expand", action="store_true", default=None, help="sweep query expansion instead, 8 x 19 settings"
    )
    parser.add_argument(
        "--paper-tables",
        action="store_true",
        default=None,
        help="of a collection: tables 2 and 3 of the paper, BM25 and PL2 without and with query expansion",
    )
    parser.add_argument(
        "--training-topics", metavar="FILE", help="one topic per line; default: random halves"
    )
    parser.add_argument(
        "--test-topics", metavar="FILE", help="one topic per line; both lists are exchanged in addition"
    )
    parser.add_argument(
        "--splits",
        type=int,
        default=int(N_SPLITS.default),
        metavar="N",
        help=f"random halves; default {N_SPLITS.default:g}. The paper's tables rest on the first",
    )
    parser.add_argument(
        WORTHWHILE.option,
        type=float,
        default=WORTHWHILE.default,
        metavar="X",
        help=f"least worthwhile gain on the test topics; default {WORTHWHILE.default:g}",
    )
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
        help="evaluate every setting, or use simulated annealing as the paper did; default sweep",
    )
    parser.add_argument("--keep-one", action="store_true", help="each topic keeps a relevant document")
    parser.add_argument(
        "--assumed-pool",
        choices=get_args(AssumedPool),
        default="auto",
        help="whether unlisted documents among the first 100 count as judged; auto: if few documents are "
        "judged not relevant",
    )
    common.add_relevance_level(parser)
    parser.add_argument("--gains", choices=get_args(Gains), default="linear", help="of nDCG and Q")
    common.add_score_precision(parser)
    parser.set_defaults(score_precision=None)  # so that it is refused next to a collection
    common.add_selection(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the experiment as text and as a record."""
    request = _request(options)
    selection = common.selection(options)
    if options.paper_tables and options.collection is not None:
        for option, which in zip(common.SELECTIONS, selection, strict=True):
            if which is not None:
                raise InputError(option, which, "has no meaning with --paper-tables, which has all")
        return _paper(options, request)
    sweep, n_documents, recognised = _sweep(options)
    judged, chosen = select(sweep.runs, *selection, common.SELECTIONS)
    if judged.n_systems < 2:
        raise InputError(
            common.SELECTIONS[1], judged.n_systems, "must leave at least 2 runs, to choose between"
        )
    sweep = replace(sweep, runs=judged, settings=sweep.settings.of(judged.systems))
    recognised = (*recognised, *chosen.notes, *common.level_notes(options.relevance_level, [judged]))
    tasks = _tasks(options, usable_topics(sweep.runs, request.conventions.relevance_level), request)
    with common.threads() as executor:
        result = training_sensitivity(sweep, tasks, request, executor=executor)
    answer = Answer(sensitivity=result, worthwhile=options.worthwhile, n_documents=n_documents)
    text = _text(answer, recognised)
    return common.printed(text, report(answer), recognised=list(recognised), **chosen.entry())


def _paper(options: argparse.Namespace, request: Request) -> common.Printed:
    """Return tables 2 and 3."""
    for name in ("model", "topic_fields", "expand"):
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                option, getattr(options, name), "has no meaning with --paper-tables, which has all"
            )
    _refuse_others(options, _OF_RUNS, "--qrels and --runs")
    collection, _, recognised = _collection(options)
    blocks = paper_tables(
        collection,
        lambda topics: _tasks(options, topics, request)[:2],
        request,
        assumed_pool=options.assumed_pool,
    )
    lines = []
    for number, model in ((2, "bm25"), (3, "pl2")):
        lines.append(
            f"Table {number}: {request.reference} on the test topics, {model.upper()}, all judgments"
        )
        lines.append("".join([f"{'Testing':24}", *(f" {'by ' + name:>10}" for name in blocks[0].measures)]))
        for block in blocks:
            if block.model == model:
                lines.append(f"{block.title} ({block.n_settings} settings)")
                for task, cells in block.rows.items():
                    scores = [f" {cells[name].score:9.4f}{cells[name].mark:1}" for name in block.measures]
                    lines.append(f"{task:24}{''.join(scores)}".rstrip())
        lines.append("")
    lines.append(
        f"Columns: training measure. > differs from training by {request.reference} (Wilcoxon over test "
        "topics, p <= .05)."
    )
    record = {
        "analysis": "training sensitivity, tables 2 and 3",
        "collection": collection.name,
        "blocks": [fields_of(block) | {"title": block.title} for block in blocks],
        "recognised": list(recognised),
    }
    return common.Printed("\n".join([*lines, "", *recognised]), record)


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
    """Return the sweep, the documents of its collection where known, and notes on them."""
    if options.collection is None:
        _refuse_others(options, _OF_COLLECTION, "--collection")
        for name in ("qrels", "runs"):
            if getattr(options, name) is None:
                raise InputError(f"--{name}", None, "must be given, or --collection and --model")
        return _own_runs(options)
    _refuse_others(options, _OF_RUNS, "--qrels and --runs")
    if options.model is None:
        raise InputError("--model", None, "must be given with --collection")
    collection, qrels, recognised = _collection(options)
    swept = sweep_collection(
        collection,
        options.model,
        expansions=EXPANSIONS if options.expand else (),
        fields=options.topic_fields or "title",
    )
    sweep = sweep_of(
        swept.runs,
        qrels,
        swept.settings,
        relevance_level=options.relevance_level,
        assumed_pool=options.assumed_pool,
    )
    return sweep, swept.n_documents, recognised


def _collection(options: argparse.Namespace) -> tuple[TextCollection, Qrels, tuple[str, ...]]:
    """Return the collection, its judgments with its name, and notes."""
    read = read_text_collection(options.collection)
    collection = read.collection
    if collection.qrels is None:
        raise ParseError(
            str(options.collection), None, "expected judgments in qrels.txt, found no line with a judgment"
        )
    qrels = replace(collection.qrels, name=collection.name)
    return replace(collection, qrels=qrels), qrels, read.notes


def _own_runs(options: argparse.Namespace) -> tuple[Sweep, int | None, tuple[str, ...]]:
    qrels = read_qrels(options.qrels, Path(options.qrels).read_bytes())
    read = read_sweep_runs(track_files(options.runs), precision=options.score_precision or "double")
    table = options.parameters and (options.parameters, Path(options.parameters).read_bytes())
    values = settings_of_runs([run.tag for run in read.runs], table)
    sweep = sweep_of(
        read.runs,
        qrels.qrels,
        values.settings,
        relevance_level=options.relevance_level,
        assumed_pool=options.assumed_pool,
    )
    return sweep, None, (*qrels.notes, *read.notes, *values.notes)


def _tasks(options: argparse.Namespace, usable: Sequence[str], request: Request) -> tuple[Task, ...]:
    """Return what to train and test on: halves at random, or two lists of topics that can be used."""
    lists = options.training_topics, options.test_topics
    if lists == (None, None):
        return split(usable, request.seed, options.splits)
    if None in lists:
        missing = "--training-topics" if lists[0] is None else "--test-topics"
        raise InputError(missing, None, "must be given with the other list")
    if options.splits != N_SPLITS.default:
        raise InputError("--splits", options.splits, "has no meaning with lists of topics")
    first, second = (read_topic_list(file, Path(file).read_bytes(), usable) for file in lists)
    return exchanged(second, first, (Path(lists[1]).name, Path(lists[0]).name))


def _refuse_others(options: argparse.Namespace, names: tuple[str, ...], instead: str) -> None:
    for name in names:
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise InputError(option, getattr(options, name), f"has no meaning without {instead}")


def _text(answer: Answer, recognised: tuple[str, ...]) -> str:
    result = answer.sensitivity
    gains = {name: dict(rows) for name, rows in gains_by_level(result, result.reference).items()}
    lines = [answer.recommendation.headline + ".", answer.recommendation.sentence, ""]
    lines.append(
        f"{result.reference} on the test topics when trained by {result.reference}, and gain of training by "
        f"other measures, over {len(result.tasks)} trainings:"
    )
    lines.append(
        "".join([f"{'% judged':>8} {'lost topics':>12}", *(f" {name:>10}" for name in result.measures)])
    )
    for facts in level_facts(result):
        own = [gains[name][facts.level] for name in result.alternatives]
        cells = [f" {one.difference:+z9.4f}{'*' if one.low > 0 or one.high < 0 else ' '}" for one in own]
        line = f"{facts.level:8g} {facts.lost_topics:12.1f} {own[0].reference_mean:10.4f}" + "".join(cells)
        lines.append(line.rstrip())
    lines += ["* the 95 % confidence interval over topics excludes 0, for each level separately", ""]
    lines += aligned(evidence_table(answer))
    lines += [
        "",
        answer.cheapest,
        "",
        f"Levels and tasks in which a measure is more/less stable than {result.reference} (first split):",
    ]
    blocks = {"all": "all", "low": "to 10 %", "high": "above"}
    tests: dict[str, list[str]] = {"": []}
    for one in comparisons(answer.paper):
        if (name := f"{one.what}, {one.measure}") not in tests[""]:
            tests[""].append(name)
        tests.setdefault(blocks[one.block], []).append(one.test.text)
    lines += aligned(tests)
    return "\n".join([*lines, "", *recognised, *result.notes])
