"""``pool-depth``: topics and judgments for every pool depth, from runs and judgments."""

import argparse
from typing import Any, get_args

from topicset_core.analyses.pool_depth import (
    MIN_JUDGED_SHARE,
    Choice,
    DepthStudy,
    LostTopics,
    Request,
    choose,
    depth_study,
    study_before_judging,
)
from topicset_core.analyses.pool_depth.report import answer, design_columns, report, studied_in_words
from topicset_core.cli import options as common
from topicset_core.cli.files import track_files
from topicset_core.designs import DESIGNS, Plan, design_named
from topicset_core.errors import InputError, ParseError
from topicset_core.measures import Measure, measure_named
from topicset_core.measures.conventions import Conventions
from topicset_core.parameters import BUDGET, WITHIN_SYSTEM_VARIANCE
from topicset_core.parsing.trec.track import Track, read_track

_PARAMETERS = tuple(dict.fromkeys(parameter for design in DESIGNS for parameter in design.parameters))


def add_parser(commands: Any) -> None:
    """Add ``pool-depth`` to the command line."""
    parser = commands.add_parser(
        "pool-depth",
        help="topics and judgments for every pool depth, from runs and judgments",
        description="Scores runs again by the judgments of shallower pools (Sakai 2016, section 6.3). Prints "
        "the topics that a design then needs and their cost in judgments: topics times the documents in the "
        "pool of the runs, judged or not. With several measures the largest number of topics counts.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--qrels",
        nargs="+",
        default=[],
        metavar="FILE",
        help="judgments, one file per collection; also probabilities of intents. Without judgments pools are "
        "counted, and --variance must be given",
    )
    parser.add_argument(
        "--runs", nargs="+", required=True, metavar="PATH", help="folders or files of runs, archives too"
    )
    parser.add_argument(
        "--measure", action="append", required=True, metavar="NAME", help="AP, nDCG@10, ...; repeatable"
    )
    parser.add_argument(
        "--depths", type=_depths, metavar="10,30,50", help="default: 10, 30, 50, 70, 90, 100 and on"
    )
    common.add(parser, [WITHIN_SYSTEM_VARIANCE])
    common.add_score_precision(parser)
    common.add_conventions(parser)
    parser.add_argument(
        "--lost-topics",
        choices=get_args(LostTopics),
        default="zero",
        help="treatment of topics without a relevant document in the pool; default: zero",
    )
    parser.add_argument(
        "--design",
        choices=[design.slug for design in DESIGNS],
        required=True,
        help="test or interval that the topics are for",
    )
    common.add(parser, sorted(_PARAMETERS, key=lambda parameter: parameter.integer), explained=False)
    common.add_choices(parser, DESIGNS)
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    parser.add_argument(
        "--budget",
        type=float,
        metavar="JUDGMENTS",
        help="choose the most expensive design within it; default: no budget, the range of depths",
    )
    common.add(parser, [MIN_JUDGED_SHARE])
    parser.add_argument(
        "--full-pool",
        action="store_true",
        help="where more runs than these were pooled, cost is the estimated pool of all of them",
    )
    common.add_selection(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return all designs as text and as a record."""
    if options.budget is not None:
        BUDGET.check(options.budget)
    rule = _rule(options)
    conventions = common.conventions(options)
    measures = [measure_named(name, conventions) for name in options.measure]
    track = read_track(
        track_files(options.runs), track_files(options.qrels), precision=options.score_precision
    )
    if track.errors:
        raise track.errors[0]
    track, chosen = track.select(*common.selection(options), common.SELECTIONS)
    result, source = _studied(options, track, rule, measures, conventions)
    if options.full_pool:
        result = result.with_full_pool
    min_judged_share = options.min_judged_share
    min_judged_share = MIN_JUDGED_SHARE.default if min_judged_share is None else min_judged_share
    choice = (
        choose(result.most_demanding, options.budget, min_judged_share) if result.most_demanding else None
    )
    settings = {
        "measures": options.measure,
        "design": rule.design.name,
        "values": rule.numbers,
        "depths": options.depths,
        **vars(conventions),
        "lost_topics": options.lost_topics,
        "budget": options.budget,
        "min_judged_share": min_judged_share,
        "full_pool": options.full_pool,
        "method": options.method,
    }
    report_of_study = report(
        result,
        choice,
        rule=rule,
        source=source,
        settings=settings,
        measures=measures,
        conventions=conventions,
    )
    further = {
        name: settings[name] for name in ("budget", "lost_topics", "design", "method", "relevance_level")
    }
    further |= chosen.entry()
    definitions = {measure.name: measure.definition for measure in measures} if options.qrels else {}
    recognised = [*common.level_notes(conventions.relevance_level, track.judged), *track.notes]
    text = _text(result, choice, rule, recognised)
    return common.printed(text, report_of_study, measures=definitions, recognised=recognised, **further)


def _studied(
    options: argparse.Namespace,
    track: Track,
    rule: Plan,
    measures: list[Measure],
    conventions: Conventions,
) -> tuple[DepthStudy, str]:
    """Return the study, and the source of the runs or of the variance."""
    runs = [one.run for one in track.runs]
    variance = getattr(options, WITHIN_SYSTEM_VARIANCE.name)
    if options.qrels:
        if variance is not None:
            rule_broken = "has no meaning with --qrels: variances are computed from the runs"
            raise InputError(WITHIN_SYSTEM_VARIANCE.option, variance, rule_broken)
        if not track.judged:
            raise ParseError(", ".join(options.qrels), None, "expected judgments of topics that some run has")
        request = Request(
            measures=measures,
            rule=rule,
            depths=options.depths,
            relevance_level=conventions.relevance_level,
            lost_topics=options.lost_topics,
        )
        return depth_study(track.judged, runs, request), studied_in_words(track.judged)
    if variance is None:
        raise InputError(WITHIN_SYSTEM_VARIANCE.option, None, "must be given if --qrels is not given")
    if len(measures) > 1:
        raise InputError("--measure", len(measures), "must be one if --qrels is not given")
    name = measures[0].name
    study = study_before_judging(
        runs,
        options.depths,
        rule,
        within_system_variance=WITHIN_SYSTEM_VARIANCE.check(variance),
        measure=name,
    )
    return study, f"{name}, σ² = {variance:g} as given"


def _rule(options: argparse.Namespace) -> Plan:
    """Return the design without its variance; neither less nor more than it takes may be given."""
    design = design_named(options.design)
    values = design.with_defaults(common.given(options, _PARAMETERS))
    common.check_given(values, _PARAMETERS, design.parameters, (), needed_for=options.design)
    chosen = common.given_choices(options, design, DESIGNS)
    return design.plan(method=options.method, **values, **chosen)


def _depths(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not whole numbers with commas between") from None


def _text(study: DepthStudy, choice: Choice | None, rule: Plan, recognised: list[str]) -> str:
    words = answer(study, choice, rule)
    return "\n".join(
        [
            *design_columns(study.designs).text(study.designs),
            "",
            f"{words.headline}.",
            *words.sentences,
            *words.doubts,
            "",
            *recognised,
            *study.notes,
        ]
    )
