"""Held-out answers in words."""

from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.held_out.answers import share_beaten
from topicset_core.analyses.topic_subsets.held_out.audit_result import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.error_rates_result import HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.result import HeldOutCurve, Spread
from topicset_core.analyses.topic_subsets.sentence import shown

USUAL_CARDINALITY = 12
"""Where a gain is said, as the paper's sets of twelve."""


def held_out_sentence(curve: HeldOutCurve, target: float) -> str:
    """Return how many topics it takes when they are chosen on one half and judged on the other.

    Parameters
    ----------
    curve : HeldOutCurve
        Where cardinalities are missing, only those that were looked at count.
    target : float
        Goodness to reach on average over splits.
    """
    measure = curve.judge_by
    chosen = _crossing(curve, target, [point.chosen.best for point in curve.points])
    own = _crossing(curve, target, [point.own.best for point in curve.points])
    average = _crossing(curve, target, [point.chosen.average for point in curve.points])
    reach = f"{measure.symbol} {'=' if measure.higher_is_better else 'of'} {shown(target)}"
    runs = curve.request.hold_out == "runs"
    topics = "no number of topics" if chosen is None else "1 topic" if chosen == 1 else f"{chosen:,} topics"
    ranks = "ranks" if chosen in (None, 1) else "rank"
    what = (
        f"the other half as all {curve.n_topics:,} topics do"
        if runs
        else f"the {curve.n_systems:,} runs as the other half does"
    )
    first = (
        f"Chosen on one half of the {curve.request.hold_out}, {topics} {ranks} {what} ({reach}), "
        f"on average over {curve.request.n_splits:,} random splits; {_number(own)} chosen on that other half "
        f"itself, {_number(average)} of an average draw."
    )
    return f"{first} {gain_sentence(curve)}".strip()


def gain_sentence(curve: HeldOutCurve) -> str:
    """Return by how much chosen topics are better than an average draw, at a usual size; "" without a gain."""
    usual = _usual(curve.points[-1].cardinality)
    point = min(curve.points, key=lambda one: abs(one.cardinality - usual))
    if point.gain is None:
        return ""
    gain = point.gain.difference
    size = "1 topic" if point.cardinality == 1 else f"{point.cardinality:,} topics"
    better = "better" if gain.mean >= 0 else "worse"
    return (
        f"With {size} the chosen set is {better} than an average one by {_said(abs(gain.mean), curve.judge_by)} "
        f"on average, and better in {100 * point.gain.share_better:.0f} % of the splits."
    )


def error_rates_sentence(found: HeldOutErrorRates) -> str:
    """Return the error rates of chosen and of random sets at a usual size."""
    usual = _usual(found.points[-1].cardinality)
    point = min(found.points, key=lambda one: abs(one.cardinality - usual))
    rates = point.all_pairs
    size = "1 topic" if point.cardinality == 1 else f"{point.cardinality:,} topics"
    numbers = [
        f"{_percent(rate)} by {which}"
        for rate, which in (
            (rates.best, "the best set chosen on one half"),
            (rates.average, "a random one"),
            (rates.worst, "the worst"),
        )
        if rate is not None
    ]
    return (
        f"With {size}, pairs of runs come out the other way round on as many topics of the other half in "
        f"{', '.join(numbers)}, on average over {found.request.n_splits:,} random splits."
    )


def audit_sentence(audit: SubsetAudit) -> str:
    """Return where a subset lies, by the first measure that it has a value by, and how it ranks."""
    size = "This topic ranks" if audit.cardinality == 1 else f"These {audit.cardinality:,} topics rank"
    one = next((one for one in audit.goodness if one.value is not None and one.percentile is not None), None)
    ranking = audit.ranking
    pairs = (
        f"{ranking.n_reversed:,} of {ranking.n_pairs:,} pairs of runs come out the other way round, and the best "
        f"run {'stays' if ranking.top_kept else 'does not stay'} best"
    )
    if one is None or one.value is None or one.percentile is None:
        return f"{size} the {audit.n_systems:,} runs alike: {pairs}."
    average = "" if one.average is None else f"; an average draw has {_said(one.average, one.measure)}"
    return (
        f"{size} the {audit.n_systems:,} runs as all {audit.n_topics:,} do to {one.measure.symbol} "
        f"{'=' if one.measure.higher_is_better else 'of'} {_said(one.value, one.measure)}, better than "
        f"{share_beaten(one)} of all sets of that size{average}; {pairs}."
    )


def _crossing(curve: HeldOutCurve, target: float, values: list[Spread | None]) -> int | None:
    """Return the first cardinality whose mean over splits reaches a target."""
    pairs = zip(curve.points, values, strict=True)
    return next(
        (point.cardinality for point, value in pairs if value and curve.judge_by.meets(value.mean, target)),
        None,
    )


def _usual(largest: int) -> int:
    """Return the size to speak of: at the largest there is only one set to choose, whoever chooses."""
    return USUAL_CARDINALITY if largest > USUAL_CARDINALITY else max(1, largest // 2)


def _number(n: int | None) -> str:
    return "none" if n is None else f"{n:,}"


def _said(value: float, measure: GoodnessMeasure) -> str:
    return shown(round(value, 4)) if measure.higher_is_better else f"{100 * value:.2f} %"


def _percent(rate: Spread) -> str:
    return f"{100 * rate.mean:.1f} %"
