"""The answer of a curve in words."""

from topicset_core.analyses.topic_subsets.curve import SubsetCurve


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
        f"{_topics(crossings.best)} would have ranked the {curve.n_systems:,} runs as all "
        f"{curve.n_topics:,} do ({reach})"
    )
    mean = _rest(crossings.mean, "of an average draw")
    worst = _rest(crossings.worst, "of the worst")
    return f"{first}; {mean}; {worst}."


def shown(value: float) -> str:
    """Return a goodness as papers write it, without the zero before the point."""
    text = f"{value:.6g}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _topics(n: int) -> str:
    return "1 well-chosen topic" if n == 1 else f"{n:,} well-chosen topics"


def _rest(n: int | None, of_what: str) -> str:
    return f"{'no number' if n is None else f'{n:,}'} {of_what}"
