"""``pool-depth``: topics and judgments for every pool depth, from runs and judgments."""

import argparse

from topicset_core.analyses.pool_depth import (
    DepthStudy,
    depth_study,
    study_before_judging,
)
from topicset_core.analyses.pool_depth.report import Answer, design_columns, report, studied_in_words
from topicset_core.analyses.pool_depth.request import Asked, depths_of
from topicset_core.cli import options as common
from topicset_core.cli.command import track_of
from topicset_core.designs import DESIGNS, Plan, design_named, slug_of
from topicset_core.errors import InputError, ParseError
from topicset_core.exports.answer import Answer as Answered
from topicset_core.exports.findings import texts
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE
from topicset_core.parsing.trec.track import Track
from topicset_core.wording import names_of

_PARAMETERS = tuple(dict.fromkeys(parameter for design in DESIGNS for parameter in design.parameters))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``pool-depth``."""
    parser.description = (
        "Scores runs again by the judgments of shallower pools (Sakai 2016, section 6.3). Prints "
        "the topics that a design then needs and their cost in judgments: topics times the documents in the "
        "pool of the runs, judged or not. With several measures the largest number of topics counts."
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
        "--depths", default="", metavar="10,30,50", help="default: 10, 30, 50, 70, 90, 100 and on"
    )
    common.add(parser, [WITHIN_SYSTEM_VARIANCE])
    common.add_score_precision(parser)
    common.add_conventions(parser)
    parser.add_argument(
        "--design",
        type=slug_of,
        choices=[design.slug for design in DESIGNS],
        required=True,
        help="test or interval that the topics are for",
    )
    common.add(parser, sorted(_PARAMETERS, key=lambda parameter: parameter.integer), explained=False)
    common.add_choices(parser, DESIGNS)
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    for one in Asked.declared():
        common.add_parameter(parser, one.parameter, one.default, one.unless)
    common.add_selection(parser)
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answered[DepthStudy]:
    """Return all designs as text and as a record."""
    rule = _rule(options)
    asked = Asked.of(
        vars(options),
        measures=tuple(options.measure),
        design=options.design,
        planned=rule.given,
        method=options.method,
        depths=depths_of(options.depths),
        conventions=common.conventions(options),
    )
    track, chosen, recognised = track_of(options, options.qrels, asked.conventions.relevance_level)
    result, source = _studied(options, track, asked)
    definitions = {one.name: one.definition for one in asked.scored_by} if options.qrels else {}
    answer = Answer.of(result, asked, source)
    made, study = report(answer), answer.study
    table = design_columns(study.designs).text(study.designs)
    text = "\n".join([*texts(made.findings, "terminal"), "", *table, "", *recognised])
    return common.printed(text, made, study, measures=definitions, recognised=recognised, **chosen.entry())


def _studied(options: argparse.Namespace, track: Track, asked: Asked) -> tuple[DepthStudy, str]:
    """Return the study, and the source of the runs or of the variance."""
    runs = [one.run for one in track.runs]
    variance = getattr(options, WITHIN_SYSTEM_VARIANCE.name)
    if options.qrels:
        if variance is not None:
            rule_broken = "has no meaning with --qrels: variances are computed from the runs"
            raise InputError(WITHIN_SYSTEM_VARIANCE.option, variance, rule_broken)
        if not track.judged:
            raise ParseError(names_of(options.qrels), None, "expected judgments of topics that some run has")
        return depth_study(track.judged, runs, asked.request()), studied_in_words(track.judged)
    if variance is None:
        raise InputError(WITHIN_SYSTEM_VARIANCE.option, None, "must be given if --qrels is not given")
    if len(asked.measures) > 1:
        raise InputError("--measure", len(asked.measures), "must be one if --qrels is not given")
    name = asked.scored_by[0].name
    study = study_before_judging(
        runs,
        asked.depths,
        asked.rule,
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
