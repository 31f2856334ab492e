"""Held-out answers in words."""

from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.held_out.audit import AuditedGoodness, SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, HeldOutPoint
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.ranking import FIRST
from topicset_core.analyses.topic_subsets.held_out.spreads import Spread
from topicset_core.analyses.topic_subsets.sentences import shown
from topicset_core.collection import ScoreMatrix
from topicset_core.wording import counted

_DIGITS = 3
_FEW_NAMED = 3
_FEWEST_PERCENT = 0.1  # of sets that a percentile tells apart from none
_FEW_PERCENT = 1.0  # that are not rounded to whole ones

USUAL_CARDINALITY = 12
"""Where a gain is said, as the paper's sets of twelve."""


def nearest_point(curve: HeldOutCurve, cardinality: int) -> HeldOutPoint:
    """Return the point of the size next to the one asked for."""
    return min(curve.points, key=lambda point: abs(point.cardinality - cardinality))


def reached(value: float, measure: GoodnessMeasure) -> str:
    """Return a goodness with its symbol: r = .931, error rate 1.2 %."""
    return f"{measure.symbol} {'= ' if measure.higher_is_better else ''}{number(value, measure)}"


def number(value: float, measure: GoodnessMeasure) -> str:
    """Return a goodness as it is read, with as many digits each time so that columns of words compare."""
    if not measure.higher_is_better:
        return f"{100 * value:.1f} %"
    return f"{value + 0.0:.{_DIGITS}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.{_DIGITS}f}"


def named(measure: GoodnessMeasure) -> str:
    """Return the name of a measure within a sentence: two begin with a person's."""
    return measure.label.lower() if measure.key == "error-rate" else measure.label


def size_sentence(curve: HeldOutCurve, cardinality: int) -> str:
    """Return what the best topics of a size, chosen on one half, reach on the other, and beside what.

    Parameters
    ----------
    curve : HeldOutCurve
        Where the cardinality is missing, the nearest is spoken of.
    cardinality : int
        Topics in a subset.
    """
    point, measure = nearest_point(curve, cardinality), curve.judge_by
    size = point.cardinality
    if point.chosen.best is None:
        return f"No set of {_topics(size)} that was chosen has a correlation on the other half."
    what = curve.request.hold_out
    parts = [
        f"On {what} they were not chosen by, the best {_topics(size)} "
        f"{'reaches' if size == 1 else 'reach'} {reached(point.chosen.best.mean, measure)} on average over "
        f"{curve.request.n_splits:,} random splits ({_interval(point.chosen.best, measure)})"
    ]
    beside: tuple[tuple[Spread | None, str], ...] = (
        (
            (point.chosen.average, f"an average {size:,}"),
            (point.own.best, "the best for these very runs"),
        )
        if what == "runs"
        else (
            (point.chosen.average, f"a random {size:,} of the topics they were chosen from"),
            (point.own.average, f"a random {size:,} of the very topics that are the truth"),
            (point.own.best, "the best of these"),
        )
    )
    for spread, of_what in beside:
        if spread is not None:
            parts.append(f"{of_what} {number(spread.mean, measure)}")
    return "; ".join(parts) + "."


def how_counted(curve: HeldOutCurve) -> str:
    """Return how many splits, sizes and starts there were, and how large halves are, in a sentence."""
    request = curve.request
    fewest, most, judged_fewest, judged_most = curve.half_sizes
    teams = "" if curve.n_teams is None else f" of {curve.n_teams:,} teams"
    starts = "" if request.n_starts == 0 else f"{counted(request.n_starts, 'random start')}, from "
    return (
        f"{request.n_splits:,} random splits{teams} into {_range(fewest, most)} {request.hold_out} to choose by "
        f"and {_range(judged_fewest, judged_most)} to judge by; {counted(len(curve.points), 'size')}, each "
        f"searched from {starts}the empty and from the full set."
    )


def audit_answer(audit: SubsetAudit, key: str) -> str:
    """Return the place of a subset among all of its size by one measure.

    Parameters
    ----------
    audit : SubsetAudit
        As found.
    key : str
        Of a measure of goodness.
    """
    one = audit.by(key)
    size = audit.cardinality
    if one.value is None or one.percentile is None:
        return f"All runs score the same on {_these(size)}: {_they(size)} no {one.measure.label}."
    among = "all" if one.all_subsets else "random"
    average = "" if one.average is None else f", which reach {number(one.average, one.measure)} on average"
    ends = [
        f"the {side} {'of them' if end.status == 'exhaustive' else 'found'} {number(end.value, one.measure)}"
        for side, end in (("best", one.best), ("worst", one.worst))
        if end is not None
    ]
    return (
        f"Your {_topics(size)} {'ranks' if size == 1 else 'rank'} the {audit.n_systems:,} runs as all "
        f"{audit.n_topics:,} do with {reached(one.value, one.measure)}: better than "
        f"{share_beaten(one)} of {among} sets of {size:,}{average}"
        + (f"; {', '.join(ends)}." if ends else ".")
    )


def share_beaten(one: AuditedGoodness) -> str:
    """Return the percentile of a subset with its error; never rounded to all or to none."""
    percentile = one.percentile or 0.0
    if percentile > 100 - _FEWEST_PERCENT:
        return f"over {100 - _FEWEST_PERCENT:g} %"
    if percentile < _FEWEST_PERCENT:
        return f"under {_FEWEST_PERCENT:g} %"
    error = f" (± {one.percentile_standard_error:.1f})" if one.percentile_standard_error else ""
    return f"{percentile:.1f} %{error}"


def share_in_title(one: AuditedGoodness) -> str:
    """Return the percentile of a subset in large letters: whole percents but near none and all."""
    percentile = one.percentile or 0.0
    whole = _FEW_PERCENT < percentile < 100 - _FEW_PERCENT
    return f"{percentile:.0f} %" if whole else share_beaten(one).partition(" (")[0]


def halves_sentence(audit: SubsetAudit, key: str) -> str:
    """Return how a subset fares on random halves of the runs, beside random ones and one chosen on the others."""
    one = audit.by(key)
    if one.held_out is None:
        return ""
    runs = _range(*audit.half_sizes)
    parts = [
        f"On random halves of the runs ({runs} in each) it reaches {reached(one.held_out.mean, one.measure)} on "
        f"average ({_interval(one.held_out, one.measure)})"
    ]
    for spread, of_what, share in _beside(one):
        if spread is not None:
            better = "" if share is None else f", which it beats in {100 * share:.0f} % of the halves"
            parts.append(f"{of_what} {number(spread.mean, one.measure)}{better}")
    return "; ".join(parts) + "."


def ranking_sentence(audit: SubsetAudit) -> str:
    """Return what a subset gets wrong in the ranking of the runs."""
    ranking = audit.ranking
    share = 100 * ranking.n_reversed / ranking.n_pairs
    said = (
        f"{ranking.n_reversed:,} of {ranking.n_pairs:,} pairs of runs ({share:.1f} %) come out the other way "
        "round"
    )
    if ranking.n_tied:
        said += f" and {ranking.n_tied:,} tie"
    halves, drawn = audit.halves.share_reversed, audit.random_halves.share_reversed
    if halves is not None and drawn is not None:
        said += (
            f"; on random halves of the runs {100 * halves.mean:.1f} %, and by random sets "
            f"{100 * drawn.mean:.1f} %"
        )
    top = " and ".join(ranking.top[:_FEW_NAMED])
    best = (
        f"The best run, {top}, stays best"
        if ranking.top_kept
        else f"The best run is {' and '.join(ranking.top_on_subset[:_FEW_NAMED])} in place of {top}"
    )
    first = ""
    if audit.n_systems > FIRST:
        first = f", and {ranking.n_first_kept:,} of the first {ranking.n_first:,} stay among them"
    largest = ranking.largest_reversal
    worst = (
        ""
        if largest is None
        else f" The largest difference that is turned: {largest.better} is {largest.difference:.4f} better than "
        f"{largest.worse}, and {-largest.difference_on_subset:.4f} worse on these topics."
    )
    return f"{said}. {best}{first}.{worst}"


def _beside(one: AuditedGoodness) -> tuple[tuple[Spread | None, str, float | None], ...]:
    return (
        (one.held_out_average, "random sets", one.share_above_average),
        (one.held_out_chosen, "sets chosen on the other half", one.share_above_chosen),
    )


def _interval(spread: Spread, measure: GoodnessMeasure) -> str:
    return f"nine in ten: {number(spread.low, measure)} to {number(spread.high, measure)}"


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _topics(n: int) -> str:
    return "topic" if n == 1 else f"{n:,} topics"


def _these(n: int) -> str:
    return "this topic" if n == 1 else f"these {n:,} topics"


def _they(n: int) -> str:
    return "it has" if n == 1 else "they have"


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
    topics = "no number of topics" if chosen is None else counted(chosen, "topic")
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
    point = nearest_point(curve, usual)
    if point.gain is None:
        return ""
    gain = point.gain.difference
    size = counted(point.cardinality, "topic")
    better = "better" if gain.mean >= 0 else "worse"
    by = _in_words(abs(gain.mean), curve.judge_by)
    return (
        f"With {size} the chosen set is {better} than an average one by {by} "
        f"on average, and better in {100 * point.gain.share_better:.0f} % of the splits."
    )


def error_rates_sentence(found: HeldOutErrorRates) -> str:
    """Return the error rates of chosen and of random sets at a usual size."""
    usual = _usual(found.points[-1].cardinality)
    point = min(found.points, key=lambda one: abs(one.cardinality - usual))
    rates = point.all_pairs
    size = counted(point.cardinality, "topic")
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
    average = "" if one.average is None else f"; an average draw has {_in_words(one.average, one.measure)}"
    return (
        f"{size} the {audit.n_systems:,} runs as all {audit.n_topics:,} do to {one.measure.symbol} "
        f"{'=' if one.measure.higher_is_better else 'of'} {_in_words(one.value, one.measure)}, better than "
        f"{share_beaten(one)} of all sets of that size{average}; {pairs}."
    )


def scores_in_title(matrix: ScoreMatrix, judged: ScoreMatrix | None = None) -> str:
    """Return whose scores judge, for a title, and whose choose where these are others."""
    if judged is None:
        return f"{matrix.measure}, {matrix.name}"
    return f"{judged.measure}, {judged.name}, chosen by {matrix.measure}"


def scores_and_name(chosen: str, judged: str) -> str:
    """Return "AP of x" as "AP scores (x)", and both where choosing and judging go by different ones."""
    measure, _, name = judged.partition(" of ")
    if chosen == judged:
        return f"{measure} scores ({name})"
    return f"{measure} scores ({name}), chosen by {chosen},"


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


def _in_words(value: float, measure: GoodnessMeasure) -> str:
    return shown(round(value, 4)) if measure.higher_is_better else f"{100 * value:.2f} %"


def _percent(rate: Spread) -> str:
    return f"{100 * rate.mean:.1f} %"
