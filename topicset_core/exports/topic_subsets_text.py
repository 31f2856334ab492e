"""A paragraph for a paper about how few topics would have been enough."""

from topicset_core import __version__
from topicset_core.analyses.topic_subsets.curve import Status, SubsetCurve
from topicset_core.analyses.topic_subsets.sentences import answer_sentence, weaker_status
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.references import BILLIONNET_2009, GUIVER_2009, KENDALL_1945
from topicset_core.wording import joined


def topic_subsets_text(curve: SubsetCurve, target: float, *, scores: str, name: str) -> tuple[str, str]:
    """Return what the curve says, in plain text and in LaTeX.

    Parameters
    ----------
    curve : SubsetCurve
        As found.
    target : float
        Goodness at which it is read across.
    scores, name : str
        Measure and name of the matrix.
    """
    means = [point for point in curve.points if point.mean_standard_error > 0]
    sampled = f"; averages are over {curve.n_trials:,} random subsets (seed {curve.seed})" if means else ""
    how = _how(curve)
    paragraph = (
        f"Subsets of the {curve.n_topics:,} topics were judged by {_judged(curve)} {CITATION}, on the "
        f"{scores} scores of {curve.n_systems:,} runs ({name}). {answer_sentence(curve, target)} "
        f"{how}{sampled}. The subsets were chosen on the runs that they are judged by, so that the best are better "
        f"and the worst are worse than they would be on others (Topicset {__version__})."
    )
    works = [GUIVER_2009]
    if curve.measure.key == "kendall":
        works.append(KENDALL_1945)
    if any(sizes for status, sizes in _sizes(curve).items() if status in ("proved", "gap")):
        works.append(BILLIONNET_2009)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _how(curve: SubsetCurve) -> str:
    """Return which sizes were looked at in full, proved and searched, in a sentence without its full stop."""
    sizes = _sizes(curve)
    if not sizes["proved"] and not sizes["gap"]:
        if not sizes["heuristic"]:
            return "All subsets were looked at"
        if not sizes["exhaustive"]:
            return "Best and worst subsets were searched for by swaps and may be exceeded"
    parts = []
    if sizes["exhaustive"]:
        parts.append(f"All subsets of {_ranges(sizes['exhaustive'])} topics were looked at")
    if sizes["proved"]:
        parts.append(
            f"of {_ranges(sizes['proved'])} topics the best and the worst subset were proved by branch and bound "
            "over convexified quadratic forms"
        )
    if sizes["gap"]:
        parts.append(
            f"of {_ranges(sizes['gap'])} topics they are known up to a bound, as proofs were not finished"
        )
    if sizes["heuristic"]:
        parts.append("those of other sizes were searched for by swaps and may be exceeded")
    said = "; ".join(parts)
    return said[0].upper() + said[1:]


def _sizes(curve: SubsetCurve) -> dict[Status, list[int]]:
    """Return the sizes by the weaker of what is known of best and worst."""
    sizes: dict[Status, list[int]] = {"heuristic": [], "gap": [], "proved": [], "exhaustive": []}
    for point in curve.points:
        if point.best is not None:
            sizes[weaker_status(point)].append(point.cardinality)
    return sizes


def _judged(curve: SubsetCurve) -> str:
    if curve.measure.key == "error-rate":
        return "the weighted average error rate of their run means against those over all topics"
    return f"{curve.measure.label} of their run means with those over all topics"


def _ranges(numbers: list[int]) -> str:
    """Write ascending numbers as ranges: 1-8 and 42-50."""
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    parts = [f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in ends]
    return joined(parts)
