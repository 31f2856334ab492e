"""The answer on pool depth as its readers get it: sentence, tables, figures, record, text for a paper.

Figures are imported where they are drawn: the command line prints from the same report without their library.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from topicset_core import __version__
from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign
from topicset_core.analyses.pool_depth.new_systems import LeftOut
from topicset_core.analyses.pool_depth.study import DepthStudy, Request
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.designs import DESIGNS
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.csv_table import Table
from topicset_core.exports.report import Figure, Report, ReportTable
from topicset_core.measures import IntentMeasure
from topicset_core.measures.gains import Gains
from topicset_core.references import SAKAI_2016
from topicset_core.wording import counted

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from topicset_core.charts.style import Mode

_SYMBOLS = {parameter.name: parameter.symbol for design in DESIGNS for parameter in design.parameters}


def report(
    study: DepthStudy,
    choice: Choice | None,
    *,
    request: Request,
    collections: Sequence[JudgedRuns],
    values: Mapping[str, float],
    gains: Gains,
    asked: Mapping[str, Any],
    link: str = "",
) -> Report:
    """Return the answer, ready to be exported.

    Parameters
    ----------
    study : DepthStudy
        All designs.
    choice : Choice or None
        Which design to take; None where no depth has an answer.
    request : Request
        What was studied.
    collections : sequence of JudgedRuns
        The runs and judgments that were studied.
    values : mapping of str to float
        What the test or interval takes in addition to the variance, by name of its parameter.
    gains : {"linear", "exponential"}
        Of nDCG and Q.
    asked : mapping
        The question as plain values, for the record.
    link : str
        The full link to the answer; "" where there is none.
    """
    taken = None if choice is None else choice.taken
    studied = " and ".join(
        f"{counted(runs.n_systems, 'run')} on {counted(runs.n_topics, 'topic')} ({runs.qrels.name})"
        for runs in collections
    )
    found = {
        "analysis": "pool depth",
        "asked": dict(asked),
        "judged_depth": asdict(study.judged),
        "n_topics": study.n_topics,
        "depths": _rows(study.designs),
        "chosen": None if taken is None else _rows([taken])[0],
        "remarks": list(study.notes),
    }
    return Report(
        name="pool-depth",
        title="Topics and pool depth",
        sentence=f"{answer_sentence(choice, design=request.rule.design, values=values)}.",
        tables=(
            ReportTable("every depth", partial(designs_table, study.designs), "Every depth", "pool-depth"),
        ),
        results=lambda: [found],
        text=methods_text(
            taken,
            study,
            design=request.rule.design,
            values=values,
            relevance_level=request.relevance_level,
            gains=gains,
            collections=studied,
            definitions=" ".join(
                f"{measure.name}: {measure.definition}"
                for measure in request.measures
                if isinstance(measure, IntentMeasure)
            ),
        ),
        figures=lambda: _print_figures(study, choice),
        measure=study.measures[0],
        variance_source=studied,
        link=link,
    )


def answer_sentence(choice: Choice | None, *, design: str, values: Mapping[str, float]) -> str:
    """Return which design to take, what it costs and what it is for, without a full stop.

    Parameters
    ----------
    choice : Choice or None
        The design to take; None where no depth has an answer.
    design : str
        Name of the test or interval.
    values : mapping of str to float
        What it takes in addition to the variance, by name of its parameter.
    """
    if choice is None:
        return "No depth has an answer by every measure"
    taken = choice.taken
    if taken is None:
        return choice.sentence.removesuffix(".")
    return (
        f"{counted(taken.pool_depth, 'document')} deep, {taken.required_topics:,} topics, "
        f"{taken.total_judgments:,} judgments: {_compared(taken, choice.designs[-1])}for {design} by "
        f"{taken.measure} ({_in_symbols(values)})"
    )


def _compared(design: DepthDesign, deepest: DepthDesign) -> str:
    """Return what the design costs next to the deepest one, where that costs anything."""
    if design is deepest:
        return "the deepest there is, "
    share = design.share_of_cost(deepest)
    if share is None:
        return ""
    return f"{share:.1%} of what depth {deepest.pool_depth} costs with {deepest.required_topics:,} topics, "


def _in_symbols(values: Mapping[str, float]) -> str:
    return ", ".join(f"{_SYMBOLS[name]} = {value:g}" for name, value in values.items())


def designs_table(designs: Sequence[DepthDesign]) -> Table:
    """Return one row per design."""
    return {
        "pool depth": [one.pool_depth for one in designs],
        "measure": [one.measure for one in designs],
        "judged per topic": [one.judged_per_topic for one in designs],
        "σ²": [one.within_system_variance for one in designs],
        "topics": [one.required_topics for one in designs],
        "judgments": [one.total_judgments for one in designs],
        "τ": [one.kendall_tau for one in designs],
        "τ AP": [one.tau_ap for one in designs],
        "relevant known": [one.relevant_known for one in designs],
        "topics lost": [one.n_lost_topics for one in designs],
    }


def left_out_table(found: Sequence[LeftOut]) -> Table:
    """Return one row per run and depth, with and without the judgments that only its team brought."""
    return {
        "pool depth": [one.pool_depth for one in found],
        "run": [one.system for one in found],
        "team": [one.team for one in found],
        "only from the team": [one.n_unique for one in found],
        "relevant among these": [one.n_unique_relevant for one in found],
        "score": [one.score for one in found],
        "without the team": [one.score_left_out for one in found],
        "rank": [one.rank for one in found],
        "rank without": [one.rank_left_out for one in found],
    }


def figures(
    by_measure: Sequence[Sequence[DepthDesign]], choice: Choice, mode: "Mode"
) -> list[tuple["go.Figure", str, str]]:
    """Return the figures, each with its name and what it shows in words.

    Parameters
    ----------
    by_measure : sequence of sequence of DepthDesign
        For each measure its designs by depth, all with an answer; the first is planned with.
    choice : Choice
        The design to take, among those of the first measure.
    mode : {"light", "dark", "print"}
        Colours.
    """
    from topicset_core.analyses.pool_depth import charts

    planned = by_measure[0]
    yours = planned[0].measure
    trade_off = charts.topics_by_judgments(
        by_measure, yours=yours, chosen=choice.taken, deepest=planned[-1], budget=choice.budget, mode=mode
    )
    drawn = [
        (
            trade_off,
            "topics-by-judgments",
            "Required topics against judged documents per topic, for each measure.",
        )
    ]
    if planned[0].relevant_known is not None:  # something was judged
        variance = charts.variance_by_depth(by_measure, yours=yours, mode=mode)
        agreement = charts.agreement_by_depth(planned, mode=mode)
        drawn.append((variance, "variance-by-depth", "Variance of each measure at each depth."))
        drawn.append((agreement, "agreement-by-depth", "Rank agreement with all judgments at each depth."))
    return drawn


def _print_figures(study: DepthStudy, choice: Choice | None) -> list[Figure]:
    by_measure = [designs for name in study.measures if (designs := study.of(name))]
    if choice is None or not by_measure:
        return []
    return [(figure, alt) for figure, _, alt in figures(by_measure, choice, "print")]


def _rows(designs: Sequence[DepthDesign]) -> list[dict[str, Any]]:
    return [asdict(one) | {"total_judgments": one.total_judgments} for one in designs]


def methods_text(
    chosen: DepthDesign | None,
    study: DepthStudy,
    *,
    design: str,
    values: Mapping[str, float],
    relevance_level: int,
    gains: Gains,
    collections: str,
    definitions: str = "",
) -> tuple[str, str]:
    """Return how a pool depth was chosen, as a paragraph in plain text and in LaTeX.

    Parameters
    ----------
    chosen : DepthDesign or None
        The design taken; None where none fits the budget.
    study : DepthStudy
        What it was chosen from.
    design : str
        Name of the test or interval.
    values : mapping of str to float
        What it takes in addition to the variance, by name of its parameter.
    relevance_level : int
        Lowest relevant grade.
    gains : {"linear", "exponential"}
        Of nDCG and Q.
    collections : str
        What was studied, for example "17 runs on 100 topics (robust2003)".
    definitions : str, optional
        Sentences on measures that not everybody computes alike.
    """
    depths = ", ".join(map(str, study.depths))
    gain = {"linear": "x", "exponential": "2^x - 1"}[gains]
    lost = {"zero": "are kept with what they score", "drop": "are left out"}[study.lost_topics]
    paragraph = (
        f"The balance of topics and pool depth was studied as by Sakai {CITATION} on {collections}: from the "
        f"judgments those of pools of depth {depths} were made, the runs scored anew by "
        f"{', '.join(study.measures)}, and the within-system variances used for topic set "
        f"size design ({design}; {_in_symbols(values)}). Documents are relevant from grade {relevance_level}, "
        f"the gain of grade x{' in nDCG and Q' if definitions else ''} is {gain}, and topics without "
        f"a relevant document in the pool {lost}."
    )
    paragraph += f" {definitions}" if definitions else ""
    if chosen is not None:
        paragraph += (
            f" At depth {chosen.pool_depth} the variance of {chosen.measure} is "
            f"σ² = {chosen.within_system_variance:.4g}, so that {chosen.required_topics:,} topics with "
            f"{chosen.judged_per_topic:.0f} judged documents each are needed, {chosen.total_judgments:,} judgments "
            "in all"
        )
        if chosen.kendall_tau is not None:
            paragraph += f"; the runs rank as by all judgments with Kendall's tau {chosen.kendall_tau:.3f}"
        paragraph += "."
    paragraph += f" Computed with Topicset {__version__}."
    works = (SAKAI_2016,)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
