"""The answer of a curve in words, and what is certain about its best and worst subsets."""

import math

from topicset_core.analyses.topic_subsets.certificates import PROOF_TOLERANCE
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset, SubsetCurve
from topicset_core.wording import counted


def answer_sentence(curve: SubsetCurve, target: float) -> str:
    """Return how many topics would have ranked the runs as all do: well chosen, of an average draw, of the worst.

    Parameters
    ----------
    curve : SubsetCurve
        Where cardinalities are missing, only those that were looked at count.
    target : float
        Goodness to reach.
    """
    crossings = curve.crossings(target)
    symbol = curve.measure.symbol
    reach = f"{symbol} {'=' if curve.measure.higher_is_better else 'of'} {shown(target)}"
    if crossings.best is None:
        looked = f"{len(curve.points):,} cardinalities that were looked at"
        return f"None of the {looked} ranks the {curve.n_systems:,} runs as all topics do ({reach})."
    first = (
        f"{counted(crossings.best, 'well-chosen topic')} would have ranked the {curve.n_systems:,} runs as all "
        f"{curve.n_topics:,} do ({reach})"
    )
    mean = _rest(crossings.mean, "of an average draw")
    worst = _rest(crossings.worst, "of the worst")
    return f"{first}; {mean}; {worst}."


def shown(value: float) -> str:
    """Return a goodness as papers write it, without the zero before the point."""
    text = f"{value:.6g}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _rest(n: int | None, of_what: str) -> str:
    return f"{'no number' if n is None else f'{n:,}'} {of_what}"


_FROM_WEAK: tuple[Status, ...] = ("heuristic", "gap", "proved", "exhaustive")
_DIGITS = 5  # of a bound, which is told apart from values beside it


def certainty_sentence(curve: SubsetCurve, cardinality: int, target: float) -> str:
    """Return whether other topics may do better than the best set of a size, or even fewer reach the target.

    Parameters
    ----------
    curve : SubsetCurve
        As found.
    cardinality : int
        The first size whose best set reaches the target.
    target : float
        Goodness to reach.
    """
    point = curve.at(cardinality)
    if point is None or point.best is None:
        return ""
    best, size = point.best, counted(cardinality, "topic")
    fewer = _fewer_are_not_enough(curve, cardinality, target)
    if best.status == "heuristic":
        even = "" if fewer else ", so even fewer may be enough"
        return (
            f"These {cardinality:,} were found by search; another {cardinality:,} may do better{even}.{fewer}"
        )
    if best.status == "exhaustive":
        n = math.comb(curve.n_topics, cardinality)
        return f"All {n:,} subsets of {size} were looked at: none is better.{fewer}"
    if best.status == "proved":
        do = "does" if cardinality == 1 else "do"
        return f"Proved by branch and bound: no {size} {do} better.{fewer}"
    bound = "" if best.bound is None else f": none has more than {shown(round(best.bound, _DIGITS))}"
    return f"The proof that no {size} do better was not finished{bound}.{fewer}"


def statuses_sentence(curve: SubsetCurve) -> str:
    """Return of how many sizes best and worst are certain, and why."""
    sizes = len(curve.points)
    kinds = [weaker_status(point) for point in curve.points]
    full, proved, gaps, searched = (
        kinds.count(kind) for kind in ("exhaustive", "proved", "gap", "heuristic")
    )
    grid = "" if curve.is_complete and sizes == curve.n_topics else f" of {curve.n_topics:,}"
    said = f"{sizes:,}{grid} sizes, {full:,} of them looked at in full"
    if proved:
        said += f", {proved:,} with best and worst proved by branch and bound"
    if gaps:
        said += f", {gaps:,} with a proof that was not finished"
    if searched:
        said += f", {searched:,} found by search, so that others may be better or worse"
    errors = [point.mean_standard_error for point in curve.points]
    if errors and max(errors) > 0:
        said += f"; averages of {curve.n_trials:,} random subsets, standard errors up to {max(errors):.2g}"
    return f"{said}."


def weaker_status(point: CurvePoint) -> Status:
    """Return the weaker of what is known of the best and the worst set of a size."""
    known = {one.status for one in (point.best, point.worst) if one is not None}
    return next((status for status in _FROM_WEAK if status in known), "exhaustive")


def _fewer_are_not_enough(curve: SubsetCurve, cardinality: int, target: float) -> str:
    """Return so where each smaller size was looked at and certainly does not reach the target."""
    if cardinality == 1:
        return ""
    for size in range(1, cardinality):
        point = curve.at(size)
        if point is None or not _falls_short(curve, point.best, target):
            return ""
    return " Fewer are not enough, whichever they are."


def _falls_short(curve: SubsetCurve, best: Subset | None, target: float) -> bool:
    if best is None or best.status == "heuristic":
        return False
    reached = best.value if best.bound is None else best.bound
    if best.status == "proved":  # of Pearson's correlation only
        reached += PROOF_TOLERANCE
    return not curve.measure.meets(reached, target)
