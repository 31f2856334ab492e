"""``pool-depth``: topics and judgments for every pool depth, from runs and judgments."""

import argparse
from typing import Any, get_args

from topicset_core.analyses.pool_depth import (
    Choice,
    DepthDesign,
    DepthStudy,
    LostTopics,
    Request,
    choose,
    depth_study,
)
from topicset_core.analyses.pool_depth.report import report
from topicset_core.analyses.sizing import TopicsRule, topics_rule
from topicset_core.cli import options as made
from topicset_core.cli.printing import flat
from topicset_core.cli.track_files import track_files
from topicset_core.designs import DESIGNS, design_named
from topicset_core.errors import ParseError
from topicset_core.measures.conventions import Conventions
from topicset_core.measures.gains import Gains
from topicset_core.measures.naming import measure_named
from topicset_core.parsing.trec.track import read_track

_PARAMETERS = tuple(dict.fromkeys(parameter for design in DESIGNS for parameter in design.parameters))


def add_parser(commands: Any) -> None:
    """Add ``pool-depth`` to the command line."""
    parser = commands.add_parser(
        "pool-depth",
        help="topics and judgments for every pool depth, from runs and judgments",
        description="Re-scores runs by the judgments that shallower pools would have left (Sakai 2016, section "
        "6.3), and gives the topics that a design then needs and what they cost in judgments. With several "
        "measures the chosen design is one that serves them all.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--qrels",
        nargs="+",
        required=True,
        metavar="FILE",
        help="judgments, one file a collection; also probabilities of intents",
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
    parser.add_argument("--relevance-level", type=int, default=1, metavar="GRADE", help="default: 1")
    parser.add_argument(
        "--gains", choices=get_args(Gains), default="linear", help="of nDCG and Q; default: linear"
    )
    parser.add_argument(
        "--lost-topics",
        choices=get_args(LostTopics),
        default="zero",
        help="what becomes of topics without a relevant document in the pool; default: zero",
    )
    parser.add_argument(
        "--design",
        choices=[design.slug for design in DESIGNS],
        required=True,
        help="which test or interval the topics are for",
    )
    made.add(parser, sorted(_PARAMETERS, key=lambda parameter: parameter.integer), explained=False)
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    parser.add_argument(
        "--budget",
        type=float,
        metavar="JUDGMENTS",
        help="choose the dearest design within it; default: none, the cheapest design",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return all designs as text and as a record.

    Raises
    ------
    ParseError
        If a file is no run, or no judgments, or no run has a topic of the judgments.
    InputError
        If an option is missing or surplus, or breaks its rule.
    OSError
        If a file cannot be read.
    """
    rule, values = _rule(options)
    conventions = Conventions(relevance_level=options.relevance_level, gains=options.gains)
    measures = [measure_named(name, conventions) for name in options.measure]
    track = read_track(track_files(options.runs), track_files(options.qrels))
    if track.errors:
        raise track.errors[0]
    if not track.judged:
        raise ParseError(", ".join(options.qrels), None, "expected judgments of topics that some run has")
    request = Request(
        measures=measures,
        rule=rule,
        depths=options.depths,
        relevance_level=options.relevance_level,
        lost_topics=options.lost_topics,
    )
    found = depth_study(track.judged, request)
    choice = choose(found.most_demanding, options.budget) if found.most_demanding else None
    asked = {
        "measures": options.measure,
        "design": rule.design,
        "values": values,
        "depths": options.depths,
        "relevance_level": options.relevance_level,
        "gains": options.gains,
        "lost_topics": options.lost_topics,
        "budget": options.budget,
        "method": options.method,
    }
    answer = report(
        found,
        choice,
        request=request,
        collections=track.judged,
        values=values,
        gains=options.gains,
        asked=asked,
    )
    further = {name: asked[name] for name in ("budget", "lost_topics", "design", "method")}
    definitions = {measure.name: measure.definition for measure in measures}
    record = flat(answer, measures=definitions, recognised=list(track.said), **further)
    return _text(found, choice, track.said), record


def _rule(options: argparse.Namespace) -> tuple[TopicsRule, dict[str, Any]]:
    """Return the design without its variance, and what it takes; neither less nor more may be given."""
    design = design_named(options.design)
    values = made.given(options, _PARAMETERS)
    made.check_given(values, _PARAMETERS, design.parameters, (), asked_for=options.design)
    return topics_rule(design, method=options.method, **values), values


def _depths(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not whole numbers with commas between") from None


def _text(found: DepthStudy, choice: Choice | None, said: tuple[str, ...]) -> str:
    header = ("judged/topic", "variance", "topics", "judgments", "tau")
    width = max(10, *map(len, found.measures))
    lines = [
        f"depth {'measure':{width}} {header[0]:>12} {header[1]:>9} {header[2]:>8} {header[3]:>10} {header[4]:>6}"
    ]
    for design in found.designs:
        answered = design.required_topics is not None
        topics, cost = (
            (f"{design.required_topics:,}", f"{design.total_judgments:,}") if answered else ("-", "-")
        )
        variance = "-" if design.within_system_variance is None else f"{design.within_system_variance:.5f}"
        tau = "-" if design.kendall_tau is None else f"{design.kendall_tau:.3f}"
        lines.append(
            f"{design.pool_depth:5} {design.measure:{width}} {design.judged_per_topic:12.1f} {variance:>9} "
            f"{topics:>8} {cost:>10} {tau:>6}"
        )
    if choice is None:
        lines += ["", "No depth has an answer by every measure."]
    elif choice.budget is None:
        lines += ["", f"The cheapest: {_size(choice.cheapest)}."]
    else:
        if choice.most_expensive is not None:
            lines += ["", f"Within {choice.budget:,.0f} judgments: {_size(choice.most_expensive)}."]
        lines.append(choice.sentence)
    return "\n".join([*lines, "", *said, *found.notes])


def _size(design: DepthDesign) -> str:
    return (
        f"depth {design.pool_depth}, {design.required_topics:,} topics, {design.total_judgments:,} judgments"
    )
