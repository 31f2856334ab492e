"""The answer in words that a builder of a collection can act on, and notes on what the paper counts."""

from collections.abc import Sequence

from topicset_core.analyses.topic_variance.components import TopicsNeeded, topics_needed
from topicset_core.analyses.topic_variance.fit import Fit
from topicset_core.analyses.topic_variance.rankings import TOLERATED
from topicset_core.analyses.topic_variance.result import Findings
from topicset_core.errors import InputError, NoSolution
from topicset_core.wording import counted

_MOST_NAMED = 5


def headline(found: Findings) -> str:
    """Return how many of 100 pairs of runs stand in another order in a simulated collection."""
    if found.n_pairs == 1:
        return f"the two runs in {_of_100(found)} of 100 cases"
    return f"{_of_100(found)} of 100 pairs"


def swap_sentence(found: Findings) -> str:
    """Return what the headline counts."""
    if found.n_pairs == 1:
        return (
            f"In {_of_100(found)} % of {counted(found.settings.n_trials, 'simulated collection')} the two runs "
            "stand in another order than in the original one."
        )
    return (
        f"Of 100 pairs of runs, {_of_100(found)} stand in another order than in the original collection, on "
        f"average over {counted(found.settings.n_trials, 'simulated one')}."
    )


def order_sentence(found: Findings) -> str:
    """Return how many pairs keep their order, and from which difference on."""
    measure, n_reversed = found.settings.measure_name, len(found.reversed_pairs)
    safe, often, rarely = found.safe_difference, f"{100 * (1 - TOLERATED):g} %", f"{100 * TOLERATED:g} %"
    if found.n_pairs == 1:
        said = f"They {'do not keep' if n_reversed else 'keep'} their order in more than {often} of them. "
    elif n_reversed:
        said = (
            f"{found.n_pairs - n_reversed:,} of the {found.n_pairs:,} pairs of runs keep their order in more than "
            f"{often} of them, {n_reversed:,} do not. "
        )
    else:
        said = f"All {found.n_pairs:,} pairs of runs keep their order in more than {often} of them. "
    if safe is None:
        return f"{said}No difference is safe: of the pairs that differ most, {rarely} or more swap too."
    if safe == 0:
        return said + "Even the smallest differences are hardly ever reversed."
    return (
        said
        + f"A difference of {safe:g} {measure} or more is reversed in fewer than {rarely} of the cases; do not "
        "tell runs apart by less."
    )


def needed(found: Findings, min_d: float) -> TopicsNeeded | None:
    """Return the topics that a paired t test needs; None where scores do not vary so that it can be said."""
    try:
        return topics_needed(found.components, min_d=min_d, alpha=found.settings.alpha)
    except (InputError, NoSolution):
        return None


def noise_sentence(found: Findings, topics: TopicsNeeded | None) -> str:
    """Return what part of the variance is the collection's, and what that means for the number of topics."""
    variances, measure = found.components, found.settings.measure_name
    if not variances.total:
        return "The scores do not vary."
    of_all = 100 * variances.collection / variances.total
    said = f"The choice of documents makes {of_all:.0f} % of the variance of scores"
    if variances.residual > 0:
        share = min(variances.collection / variances.residual, 1.0)
        said += f", and {100 * share:.0f} % of the noise in comparing two runs topic by topic"
    if topics is None:
        return said + "."
    said += (
        f". To detect {topics.min_d:g} {measure} with 80 % power a paired t test needs "
        f"{counted(topics.with_noise, 'topic')}"
    )
    if topics.without_noise is None:
        return said + "; all of that noise is the choice of documents."
    return (
        said
        + f"; it would need {topics.without_noise:,} if the documents were so many that they averaged out."
    )


def answer(found: Findings, min_d: float) -> str:
    """Return the whole answer in words."""
    return f"{swap_sentence(found)} {order_sentence(found)} {noise_sentence(found, needed(found, min_d))}"


def misfit_sentence(found: Findings) -> str:
    """Return which runs the model does not fit; "" where there are none."""
    if not found.misfits:
        return ""
    measure, more = found.settings.measure_name, len(found.misfits) - _MOST_NAMED
    named = ", ".join(f"{system} ({off:+.3f} {measure})" for system, off in found.misfits[:_MOST_NAMED])
    return (
        f"Simulated collections are far off the original for {named}{f' and {more:,} more' if more > 0 else ''}: "
        f"{found.settings.model.upper()} does not fit the scores of these runs, and where their pairs turn, that "
        "may be why."
    )


def fit_sentences(found: Findings, both: Sequence[Findings]) -> str:
    """Return how well both models fit, with the runs that the one beside `found` does not."""
    beside = (misfit_sentence(one) for one in both if one is not found)
    return " ".join((closeness_sentence(both), *filter(None, beside)))


def closeness_sentence(both: Sequence[Findings]) -> str:
    """Return how far simulated scores are off the original ones on average, by each model."""
    named = " and ".join(
        f"{found.mean_absolute_shift.value:.3f} by {found.settings.model.upper()}" for found in both
    )
    measure = both[0].settings.measure_name
    return (
        f"The mean simulated {measure} of a run on a topic is off the original one by {named}, on average: the "
        "closer, the better a model fits."
    )


def how_it_fits(fitted: Fit | None) -> str:
    """Return how well the densities keep relevant documents above the others."""
    if fitted is None:
        return ""
    above = f"A relevant document has the higher score in {100 * fitted.above:.1f} % of all pairs with another one"
    if fitted.above_by_densities is None:
        return f"{above}. Scores of one kind do not vary, so they have no density: they are resampled."
    drawn = f"{100 * fitted.above_by_densities:.1f} %"
    return f"{above}, and in {drawn} when both are drawn from the densities: the closer, the better they fit."


def kept_sentence(found: Findings) -> str:
    """Return which trials the numbers are from that need pairs one by one; "" where it is all of them."""
    kept, n_trials = found.n_trials_kept, found.settings.n_trials
    if kept == n_trials:
        return ""
    return (
        f"Achieved significance levels and estimated differences are from the first {kept:,} of the "
        f"{counted(n_trials, 'simulated collection')}."
    )


def how_counted(found: Findings) -> str:
    """Return how sure the headline is."""
    rate, collections = found.overall_error_rate, counted(found.settings.n_trials, "simulated collection")
    if rate.standard_error is None:
        return collections
    return f"{collections}; the standard error of the {_of_100(found)} is {100 * rate.standard_error:.2g}"


def _of_100(found: Findings) -> str:
    return f"{100 * (found.overall_error_rate.value or 0.0):.1f}"


# Notes on what the paper's algorithms count and what its text takes that for, in two sentences each.

ORDER = (
    "Error rate and KRCC compare the ranking of runs in each simulated collection with the one by the scores "
    "as they are. A bin of the error rate holds pairs by their simulated difference, so the first one has most "
    "of the pairs that turn."
)
SIGNIFICANCE = (
    "Algorithm 3 counts how often a pair is significant in a simulated collection, which is often for runs "
    "that differ; the paper reads that share as a p-value and takes pairs with less than .05 as significant. "
    "Those are the pairs that are almost never significant; a significance level counts how often differences "
    "shifted to mean 0 reach the t that was observed, as in Sakai (2006), where the algorithm is from."
)
DIFFERENCE = (
    "Algorithm 4 looks for the difference at which a pair just becomes significant, and needs differences "
    "shifted to mean 0 for that, as in Sakai (2006); as printed they are not shifted. Then the largest "
    "difference over all pairs is about that between the best run and the worst, whatever the collection does."
)
INDEPENDENCE = (
    "Runs are drawn independently of each other, though two runs on another collection would meet the same "
    "documents. So for runs that rank alike, the pairs that turn and the noise of a difference are upper bounds."
)
DENSITIES = (
    "Densities spread scores beyond those that were there, so that a run whose scores are far from normal, as "
    "those of neural rankers often are, or that gives ranks for scores, scores lower in all simulated "
    "collections. That is the model's doing and not the collection's: compare the means of runs, and trust "
    "resampled scores where both models disagree."
)
PAPER = (
    "On 17 runs of TREC 2003 Robust and 37 of TREC 2019 Deep Learning the paper's first finding holds, "
    "rankings change little: KRCC is .94 and .91 by resampled scores, .85 and .76 by densities. Its second, that "
    "significance is susceptible, does not: 80 % and 72 % of the pairs are significant as they are, 73 % and 63 % "
    "in a simulated collection on average; the paper's 10 % are the pairs that almost never are."
)
