"""The answer in sentences, and notes on what is counted and drawn."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.topic_variance.conclusions import (
    TOLERATED,
    Components,
    Estimate,
    topics_needed,
)
from topicset_core.analyses.topic_variance.prepared import Fit
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.result import Findings
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.tables import Row
from topicset_core.wording import counted, first_few, percent

_MOST_NAMED = 5

SEEN_BETWEEN_HALVES = "between halves of real collections, 0.8 to 1.2 times as often"
"""Averages over 3 or 4 cuts of Robust 2003 (AP, P@10) and Deep Learning 2019 (AP from grade 1 and 2, P@10)."""

SHORT: dict[Model, str] = {"shared": "shared documents", "bst": "BST", "kde": "KDE"}
"""Names of models in sentences."""

_HELD = "; such intervals held in 17 of 18 cuts of real documents"
"""Robust 2003 and Deep Learning 2019 cut in two, shares predicted from one half: AP 11 of 11 cuts, P@10 6 of 7."""


def at_most(findings: Findings) -> str:
    """Return "at most " where reversals and noise are upper bounds, else ""."""
    return "at most " if findings.request.is_upper_bound else ""


def headline(findings: Findings) -> str:
    """Return which share of the pairs of runs changes its order in a resampled collection."""
    share = f"{at_most(findings)}{_percent(findings.overall_error_rate)}"
    return f"the two runs in {share} of collections" if findings.n_pairs == 1 else f"{share} of run pairs"


def in_short(findings: Findings) -> list[tuple[str, str]]:
    """Return the numbers next to the headline, each with its label."""
    most, both, safe = at_most(findings), findings.between_collections, findings.safe_difference
    components = findings.components
    can_tell = components.noise_share is not None and components.noise_share <= 1
    pairs = f"{len(findings.reversed_pairs):,} of {counted(findings.n_pairs, 'pair')}"
    numbers = {
        f"reversed in {100 * TOLERATED:g} % or more": pairs,
        "two such collections disagree": "" if both.value is None else f"{most}{_percent(both)}",
        "undecided below": f"{safe:g} {findings.request.measure}" if safe else "",
        "noise from documents": f"{most}{noise_share(components)}" if can_tell else "",
    }
    return [(label, number) for label, number in numbers.items() if number]


def reversal_sentence(findings: Findings) -> str:
    """Return the event that the headline counts, its interval, and its meaning for two collections."""
    rate, both = findings.overall_error_rate, findings.between_collections
    collections = counted(findings.request.n_trials, "resampled collection")
    if rate.value is None:
        return "All pairs of runs have equal means, so there is no order that other documents could change."
    most = at_most(findings)
    if findings.n_pairs == 1:
        text = f"The two runs change their order in {most}{_percent(rate)} of {collections}"
        where = f"in {most}{_percent(both)} of the cases"
    else:
        text = (
            f"On average over {collections}, {most}{_percent(rate)} of the pairs of runs change their order"
        )
        where = f"on {most}{_percent(both)}"
    text += f"{_interval(rate)}."
    if findings.tied_share:
        share = f"{100 * findings.tied_share:.2g} %"
        text += f" In {share} of the cases two runs with different means become equal."
    if both.value is not None:
        seen = "" if most else f" ({SEEN_BETWEEN_HALVES})"
        text += f" Two independent collections of this size disagree {where}{seen}."
    return text


def order_sentence(findings: Findings) -> str:
    """Return how many pairs keep their order, how many are tied, and from which difference on they do."""
    often, rarely = f"{100 * (1 - TOLERATED):g} %", f"{100 * TOLERATED:g} %"
    lost, equal, safe = len(findings.reversed_pairs), findings.n_equal_pairs, findings.safe_difference
    kept = f"their order in more than {often} of the collections"
    if findings.n_pairs == 1:
        text = f"They {'do not keep' if lost else 'keep'} {kept}."
    elif lost or equal:
        text = f"{findings.n_kept_pairs:,} of the {findings.n_pairs:,} pairs keep {kept}, {lost:,} do not"
        text += f", {equal:,} have equal means and no order to keep." if equal else "."
    else:
        text = f"All {findings.n_pairs:,} pairs keep {kept}."
    if equal == findings.n_pairs:
        return f"{'The two runs have' if equal == 1 else 'All pairs have'} equal means and no order to keep."
    if safe is None:
        return f"{text} No difference is safe: of the pairs that differ most, {rarely} or more reverse too."
    if safe == 0:
        return f"{text} Even the smallest differences reverse in fewer than {rarely} of them."
    return (
        f"{text} Treat differences below {safe:g} {findings.request.measure} as undecided: they reverse in "
        f"{rarely} or more of the collections."
    )


def needed(findings: Findings) -> Row | None:
    """Return the topics that a paired t test needs; None where the scores do not vary enough."""
    request = findings.request
    try:
        return topics_needed(findings.components, min_d=request.min_d, alpha=request.alpha)
    except (InputError, NoSolution):
        return None


def noise_sentence(findings: Findings) -> str:
    """Return what part of the noise is the documents', and what that means for the number of topics."""
    variances, measure = findings.components, findings.request.measure
    if not variances.total:
        return "The scores do not vary between topics."
    share, most = variances.noise_share, at_most(findings)
    if share is None:
        of_all = 100 * variances.collection / variances.total
        text = f"Documents cause {most}{of_all:.0f} % of all variance in scores"
    elif share > 1:
        text = (
            f"This model simulates {100 * share:.0f} % of the noise when two runs are compared, more than the "
            "scores contain, so it cannot determine the share of the documents"
        )
    else:
        text = f"Documents cause {most}{noise_share(variances)} of the noise when two runs are compared"
        ends = [
            variances.noise_share_low,
            variances.noise_share_high,
            variances.noise_share_by_halves_low,
            variances.noise_share_by_halves_high,
        ]
        known = [end for end in ends if end is not None]
        if known:
            text += f" (95 % interval, topics resampled: {_between(known)} %{'' if most else _HELD})"
        if variances.noise_share_by_halves is not None:
            one, other = (f"{100 * part:.0f} % " for part in (share, variances.noise_share_by_halves))
            one, other = (": " + one, ", " + other) if one != other else (", ", " and ")
            text += f"{one}by resampled documents{other}by differences between random halves of the documents"
    topics = needed(findings)
    if topics is None:
        return f"{text}."
    text += (
        f". To detect {topics['min_d']:g} {measure} with 80 % power a paired t test needs "
        f"{counted(topics['with_noise'], 'topic')}"
    )
    if topics["without_noise"] is None:
        return f"{text}; in this model no noise remains for topics."
    least = "at least " if most else ""
    both = sorted({topics["without_noise"], topics["without_noise_by_halves"] or topics["without_noise"]})
    return f"{text}; without the noise of documents, {least}{' to '.join(f'{one:,}' for one in both)}."


def noise_share(variances: Components) -> str:
    """Return the share of the documents in the noise of comparisons, as far as both ways of counting agree."""
    both = (variances.noise_share, variances.noise_share_by_halves)
    return f"{_between([share for share in both if share is not None])} %"


def _between(shares: Sequence[float]) -> str:
    """Return the least and the most of shares in per cent, or the one that they are."""
    low, high = (f"{100 * end(shares):.0f}" for end in (min, max))
    return low if low == high else f"{low} to {high}"


def answer(findings: Findings) -> str:
    """Return the whole answer in words."""
    return f"{reversal_sentence(findings)} {order_sentence(findings)} {noise_sentence(findings)}"


def misfit_sentence(findings: Findings) -> str:
    """Return which runs the model does not fit; "" if it fits all."""
    if not findings.misfits:
        return ""
    runs = [f"{system} ({off:+z.3f} {findings.request.measure})" for system, off in findings.misfits]
    return (
        f"Simulated scores differ strongly from the original ones for {first_few(runs, _MOST_NAMED)}: "
        f"{SHORT[findings.request.model]} does not fit these runs, which may explain their reversals."
    )


def fit_sentences(findings: Findings, both: Sequence[Findings]) -> str:
    """Return how well both models fit, with the runs that the models next to the chosen one do not."""
    others = (misfit_sentence(one) for one in both if one is not findings)
    named = ", ".join(f"{one.mean_absolute_shift.value:.3f} by {SHORT[one.request.model]}" for one in both)
    what = f"Mean simulated {both[0].request.measure} per run and topic"
    close = f"{what} differs from the original one by {named} on average; smaller is better."
    return " ".join((close, *filter(None, others)))


def how_it_fits(fitted: Fit) -> str:
    """Return how well the densities keep relevant documents above the others."""
    share = f"{100 * fitted.above:.1f} %"
    above = f"A relevant document has a higher score than another one in {share} of all pairs"
    if fitted.above_by_densities is None:
        return f"{above}. Scores of one kind are constant, so they have no density and are resampled."
    drawn = f"{100 * fitted.above_by_densities:.1f} %"
    return f"{above}, and in {drawn} if both are drawn from the densities; closer values mean a better fit."


def redrawn_sentence(findings: Findings) -> str:
    """Return how often no relevant document of a topic is drawn, so that its relevant ones are drawn again."""
    n_relevant = findings.n_relevant[findings.n_relevant > 0]
    rates = np.exp(-n_relevant.astype(np.float64))
    worst = int(n_relevant.min()) if rates.size else 0
    return (
        f"In {100 * float(rates.sum()) / max(rates.size, 1):.2g} % of all cases no relevant document of a topic is "
        "drawn at first, and its relevant documents are drawn again. That is e^-R of the collections for a topic "
        f"with R relevant documents; the smallest R is {worst:,}."
    )


def kept_sentence(findings: Findings) -> str:
    """Return which trials the numbers are from that need pairs one by one; "" where it is all of them."""
    kept, n_trials = findings.n_trials_kept, findings.request.n_trials
    if kept == n_trials:
        return ""
    return (
        f"Achieved significance levels and estimated differences are from the first {kept:,} of the "
        f"{counted(n_trials, 'simulated collection')}."
    )


def how_counted(findings: Findings) -> str:
    """Return the interval of the headline."""
    rate = findings.overall_error_rate
    collections = counted(findings.request.n_trials, "resampled collection")
    if rate.standard_error is None:
        return collections
    return f"{collections}; the standard error of {_percent(rate)} is {100 * rate.standard_error:.2g} points"


def _percent(share: Estimate) -> str:
    return percent(share.value or 0.0, ".1f")


def _interval(share: Estimate) -> str:
    """Write the interval of a simulated share; "" if not available."""
    if share.value is None or share.standard_error is None:
        return ""
    low, high = (100 * max(share.value + side * 1.96 * share.standard_error, 0.0) for side in (-1, 1))
    return f" (95 % interval of the simulation: {low:.1f} to {high:.1f} %)"


# Notes of a few sentences each, for the page.

ORDER = (
    "Error rate and Kendall's rank correlation (KRCC) compare the ranking of runs in each simulated collection "
    "with the ranking by the original scores. Bins of the error rate contain pairs by their simulated "
    "difference, so most reversed pairs are in the first bin."
)
INDEPENDENCE = (
    "BST and KDE draw documents for each run separately, although all runs search the same documents of another "
    "collection. Therefore their reversed pairs and noise are upper bounds. Between random halves of the "
    "documents of Robust 2003 and Deep Learning 2019 the noise of a difference was 1.04 to 1.15 times the "
    "estimate with shared documents; the BST estimate was 2.4 to 2.5 times the observed noise."
)
DENSITIES = (
    "Densities produce scores outside the observed ones. Therefore a run has lower means in all simulated "
    "collections if its scores are far from normal, as for many neural rankers, or are ranks. This is an "
    "artefact of the model: compare the means of runs, and rely on resampled scores if the two models disagree."
)
PAPER = (
    "The published algorithms 3 and 4 do not shift differences to mean 0, as their source (Sakai 2006) does. "
    "Therefore the first counts pairs that are almost never significant as significant ones, and the second gives "
    "about the difference between the best and the worst run, for any collection."
)
