"""The answer in words that a builder of a collection can act on."""

from collections.abc import Sequence

from topicset_core.analyses.topic_variance.components import TopicsNeeded, topics_needed
from topicset_core.analyses.topic_variance.findings import TOLERATED, Findings
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
    measure, turning = found.settings.measure_name, len(found.turning_pairs)
    safe, often, rarely = found.safe_difference, f"{100 * (1 - TOLERATED):g} %", f"{100 * TOLERATED:g} %"
    if found.n_pairs == 1:
        said = f"They {'do not keep' if turning else 'keep'} their order in more than {often} of them. "
    elif turning:
        said = (
            f"{found.n_pairs - turning:,} of the {found.n_pairs:,} pairs of runs keep their order in more than "
            f"{often} of them, {turning:,} do not. "
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
        f"{found.estimate('mean_absolute_shift').value:.3f} by {found.settings.model.upper()}"
        for found in both
    )
    measure = both[0].settings.measure_name
    return (
        f"The mean simulated {measure} of a run on a topic is off the original one by {named}, on average: the "
        "closer, the better a model fits."
    )


def kept_sentence(found: Findings) -> str:
    """Return which trials the numbers are from that need pairs one by one; "" where it is all of them."""
    kept, n_trials = found.plain["n_trials_kept"], found.settings.n_trials
    if kept == n_trials:
        return ""
    return (
        f"Achieved significance levels and estimated differences are from the first {kept:,} of the "
        f"{counted(n_trials, 'simulated collection')}."
    )


def how_counted(found: Findings) -> str:
    """Return how sure the headline is."""
    rate, collections = (
        found.estimate("overall_error_rate"),
        counted(found.settings.n_trials, "simulated collection"),
    )
    if rate.standard_error is None:
        return collections
    return f"{collections}; the standard error of the {_of_100(found)} is {100 * rate.standard_error:.2g}"


def _of_100(found: Findings) -> str:
    return f"{100 * (found.estimate('overall_error_rate').value or 0.0):.1f}"
