"""The findings: what an answer says, and notes on what is counted and drawn."""

from collections.abc import Iterator, Sequence

import numpy as np

from topicset_core.analyses.topic_variance.conclusions import (
    TOLERATED,
    Components,
    Estimate,
    topics_needed,
)
from topicset_core.analyses.topic_variance.prepared import REMARKS, Fit
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.result import Findings
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.citing import CITATION
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.tables import Row
from topicset_core.version import __version__
from topicset_core.wording import counted, first_few, percent

_MOST_NAMED, _MOST_TOPICS_NAMED = 5, 20

SEEN_BETWEEN_HALVES = "between halves of real collections, 0.8 to 1.2 times as often"
"""Averages over 3 or 4 cuts of Robust 2003 (AP, P@10) and Deep Learning 2019 (AP from grade 1 and 2, P@10)."""

SHORT: dict[Model, str] = {"shared": "shared documents", "bst": "BST", "kde": "KDE"}
"""Names of models in sentences."""

_HELD = "; such intervals held in 17 of 18 cuts of real documents"
"""Robust 2003 and Deep Learning 2019 cut in two, shares predicted from one half: AP 11 of 11 cuts, P@10 6 of 7."""


def statements(findings: Findings, both: Sequence[Findings] = ()) -> list[Finding]:
    """Return the findings: order of runs, noise, significance, what was drawn; `both` are those of all models."""
    return [
        _headline(findings),
        *_tiles(findings),
        Finding(_origin(findings), "paper"),
        *([] if findings.overall_error_rate.value is None else [Finding(_reversals(findings))]),
        Finding(order_sentence(findings)),
        *_fit(findings, both or (findings,)),
        Finding(_noise(findings), tab="Noise"),
        Finding(_significance(findings), "page export paper", tab="Pairs"),
        *_checks(findings),
        Finding(_method(findings), "paper"),
    ]


def _headline(findings: Findings) -> Finding:
    """Return which share of the pairs of runs changes its order in a resampled collection."""
    share = f"{_at_most(findings)}{_percent(findings.overall_error_rate)}"
    if findings.n_pairs == 1:
        return headline("Other documents reverse the two runs in ", share, " of collections")
    return headline("Other documents reverse ", share, " of run pairs")


def _tiles(findings: Findings) -> Iterator[Finding]:
    """Yield the numbers next to the headline."""
    most, both, safe = _at_most(findings), findings.between_collections, findings.safe_difference
    components = findings.components
    pairs = f"{len(findings.reversed_pairs):,} of {counted(findings.n_pairs, 'pair')}"
    yield tile(f"reversed in {100 * TOLERATED:g} % or more", pairs, "Of the simulated collections.")
    if both.value is not None:
        note = "Run pairs that two independent collections of this size rank differently, on average."
        yield tile("two collections disagree", f"{most}{_percent(both)}", note)
    if safe:
        note = f"Smaller differences reverse in {100 * TOLERATED:g} % or more of the collections."
        yield tile("undecided below", f"{safe:g} {findings.request.measure}", note)
    if components.noise_share is not None and components.noise_share <= 1:
        note = "Share of the documents in the noise when two runs are compared."
        yield tile("noise from documents", f"{most}{_share_of_noise(components)}", note)


def _at_most(findings: Findings) -> str:
    """Return "at most " where reversals and noise are upper bounds, else ""."""
    return "at most " if findings.request.is_upper_bound else ""


def _reversals(findings: Findings) -> str:
    """Return the event that the headline counts, its interval, and its meaning for two collections."""
    rate, both = findings.overall_error_rate, findings.between_collections
    collections = counted(findings.request.n_trials, "resampled collection")
    most = _at_most(findings)
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
        do = "does" if lost == 1 else "do"
        text = f"{findings.n_kept_pairs:,} of the {findings.n_pairs:,} pairs keep {kept}, {lost:,} {do} not"
        text += f", {equal:,} have equal means and no order to keep." if equal else "."
    else:
        text = f"All {findings.n_pairs:,} pairs keep {kept}."
    if equal == findings.n_pairs:
        return f"{'The two runs have' if equal == 1 else 'All pairs have'} equal means and no order to keep."
    if safe is None:
        return f"{text} No difference is safe: of the pairs that differ most, {rarely} or more reverse too."
    if safe == 0:
        return f"{text} Even the smallest differences reverse in fewer than {rarely} of them."
    measure = findings.request.measure
    return (
        f"{text} Differences below {safe:g} {measure} are undecided: they reverse in {rarely} or more of the "
        "collections."
    )


def needed(findings: Findings) -> Row | None:
    """Return the topics that a paired t test needs; None where the scores do not vary enough."""
    request = findings.request
    try:
        return topics_needed(findings.components, min_d=request.min_d, alpha=request.alpha)
    except (InputError, NoSolution):
        return None


def _noise(findings: Findings) -> str:
    """Return what part of the noise is the documents', and what that means for the number of topics."""
    variances, measure = findings.components, findings.request.measure
    if not variances.total:
        return "The scores do not vary between topics."
    share, most = variances.noise_share, _at_most(findings)
    if share is None:
        of_all = 100 * variances.collection / variances.total
        text = f"Documents cause {most}{of_all:.0f} % of all variance in scores"
    elif share > 1:
        text = (
            f"This model simulates {100 * share:.0f} % of the noise when two runs are compared, more than the "
            "scores contain, so it cannot determine the share of the documents"
        )
    else:
        text = f"Documents cause {most}{_share_of_noise(variances)} of the noise when two runs are compared"
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
            drawn, halved = (f"{100 * part:.0f} %" for part in (share, variances.noise_share_by_halves))
            first, second = (f": {drawn} ", f", {halved} ") if drawn != halved else (", ", " and ")
            text += (
                f"{first}by resampled documents{second}by differences between random halves of the documents"
            )
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
    return f"{text}; without the noise of documents, {least}{' to '.join(f'{number:,}' for number in both)}."


def _share_of_noise(variances: Components) -> str:
    """Return the share of the documents in the noise of comparisons, as far as both ways of counting agree."""
    both = (variances.noise_share, variances.noise_share_by_halves)
    return f"{_between([share for share in both if share is not None])} %"


def _between(shares: Sequence[float]) -> str:
    """Return the least and the most of shares in per cent, or the one that they are."""
    low, high = (f"{100 * end(shares):.0f}" for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _fit(findings: Findings, both: Sequence[Findings]) -> Iterator[Finding]:
    """Yield how well the models fit, and which runs they do not fit; those of other models with the pairs."""
    model = findings.request.model
    for fitted in sorted(both, key=lambda fitted: fitted.request.model != model):
        if fitted.misfits:
            runs = [f"{system} ({off:+z.3f} {findings.request.measure})" for system, off in fitted.misfits]
            text = (
                f"Simulated scores differ strongly from the original ones for {first_few(runs, _MOST_NAMED)}: "
                f"{SHORT[fitted.request.model]} does not fit these runs, which may explain their reversals."
            )
            is_own = fitted.request.model == model
            yield Finding(text) if is_own else Finding(text, "page export", tab="Pairs")
    named = ", ".join(
        f"{fitted.mean_absolute_shift.value:.3f} by {SHORT[fitted.request.model]}" for fitted in both
    )
    text = (
        f"Mean simulated {findings.request.measure} per run and topic differs from the original one by {named} on "
        "average; smaller is better."
    )
    yield Finding(text, "page export", tab="Pairs")


def how_it_fits(fitted: Fit) -> str:
    """Return how well the densities keep relevant documents above the others."""
    share = f"{100 * fitted.above:.1f} %"
    above = f"A relevant document has a higher score than another one in {share} of all pairs"
    if fitted.above_by_densities is None:
        return f"{above}. Scores of one kind are constant, so they have no density and are resampled."
    drawn = f"{100 * fitted.above_by_densities:.1f} %"
    return f"{above}, and in {drawn} if both are drawn from the densities; closer values mean a better fit."


def _checks(findings: Findings) -> Iterator[Finding]:
    """Yield what was drawn otherwise, counts as not relevant, is ordered by id or left out."""
    on, tab = "page terminal", "Checks"
    lists = counted(findings.raw.size, "ranked list")
    for remark, cells in findings.cells_with_remarks.items():
        yield Finding(f"In {len(cells):,} of {lists} {REMARKS[remark]}.", on, tab=tab)
    if findings.request.model == "shared":
        yield Finding(_redrawn(findings), "page", tab=tab)
    if findings.n_unjudged:
        documents = f"{counted(findings.n_unjudged, 'document')} of the ranked lists"
        yield Finding(f"{documents} without a judgment count as not relevant.", on, tab=tab)
    if any(findings.n_tied):
        documents = counted(sum(findings.n_tied), "document")
        text = f"{documents} with the score of another in the list are ordered by descending id, as in trec_eval."
        yield Finding(text, on, tab=tab)
    kept, n_trials = findings.n_trials_kept, findings.request.n_trials
    if kept < n_trials:
        text = (
            f"Achieved significance levels and estimated differences are from the first {kept:,} of the "
            f"{counted(n_trials, 'simulated collection')}."
        )
        yield Finding(text, tab=tab)
    for topics, what in (
        (findings.topics_without_relevant, "without relevant documents, scored 0"),
        (findings.left_out_topics, "that no run has, left out"),
    ):
        if topics:
            yield Finding(f"Topics {what}: {first_few(topics, _MOST_TOPICS_NAMED)}.", on, tab=tab)


def _redrawn(findings: Findings) -> str:
    """Return how often no relevant document of a topic is drawn, so that its relevant ones are drawn again."""
    n_relevant = findings.n_relevant[findings.n_relevant > 0]
    rates = np.exp(-n_relevant.astype(np.float64))
    worst = int(n_relevant.min()) if rates.size else 0
    return (
        f"In {100 * float(rates.sum()) / max(rates.size, 1):.2g} % of all cases no relevant document of a topic is "
        "drawn at first, and its relevant documents are drawn again. That is e^-R of the collections for a topic "
        f"with R relevant documents; the smallest R is {worst:,}."
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


def _significance(findings: Findings) -> str:
    """Return the comparisons of Yang et al. (2018), as published and corrected."""
    alpha = f"{findings.request.alpha:g}"
    text = (
        f"Kendall's tau of the simulated and the original ranking is {_with_error(findings.rank_correlation)} on "
        f"average. By a paired t test (α = {alpha}), {_share(findings.raw_significant_share)} of the pairs differ "
        f"significantly in the original scores, and {_share(findings.mean_rejection_rate)} in a simulated "
        f"collection on average; {_share(findings.almost_never_significant_share)} do in fewer than 5 % of them. "
        "With topics and collection resampled together and differences shifted to mean 0, "
        f"{_share(findings.significant_share_both)} of the pairs have an achieved significance level below "
        f"{alpha}, and the estimated difference needed is {_with_error(findings.estimated_difference_shifted)}."
    )
    has_errors = findings.request.n_trials > 1
    return f"{text} Standard errors over simulated collections are in parentheses." if has_errors else text


_DRAWN: dict[str, str] = {
    "bst": "with replacement from the run's own",
    "kde": "from Gaussian kernel densities of the run's own ({bandwidth} bandwidth, each kind its own)",
}
_BANDWIDTHS = {"scott": "Scott's", "silverman": "Silverman's"}
_RELEVANT = {
    "drawn": "has R − r + s relevant documents in a trial, s being those drawn",
    "fixed": "keeps R, however many are drawn",
}


def _origin(findings: Findings) -> str:
    """Return which runs and topics were simulated, and how documents were drawn."""
    request = findings.request
    how = (
        "For each topic the documents that a run returned or that are relevant were resampled with replacement,"
        " each a Poisson number of times with mean 1 and the same for all runs, until one of them was relevant"
    )
    if request.model != "shared":
        drawn = _DRAWN[request.model].format(bandwidth=_BANDWIDTHS[request.bandwidth])
        how = (
            "For each run and topic with r relevant documents among those retrieved, a number of relevant "
            "documents was drawn from a Poisson distribution with mean r; their scores, and the scores of the "
            f"other documents up to the depth of the list, were drawn {drawn}"
        )
    return (
        f"The effect of another document collection was studied by simulation {CITATION} on the "
        f"{request.measure} scores of {counted(len(findings.systems), 'run')} on "
        f"{counted(len(findings.topics), 'topic')} ({findings.collection}). {how}, in "
        f"{counted(request.n_trials, 'trial')} (seed {request.seed})."
    )


def _method(findings: Findings) -> str:
    """Return the conventions of the scores."""
    request = findings.request
    relevant = _RELEVANT[request.denominator]
    if request.model == "shared" and request.denominator == "drawn":
        relevant = "has the relevant documents that were drawn"
    return (
        f"Documents are relevant from grade {request.relevance_level}, unjudged documents count as not relevant, "
        "documents of equal score are ordered by descending id as in trec_eval, and a topic with R relevant "
        f"documents {relevant} (Topicset {__version__})."
    )


def _share(estimate: Estimate) -> str:
    return _with_error(estimate, 100.0, ".1f", " %")


def _with_error(estimate: Estimate, scale: float = 1.0, digits: str = ".3f", unit: str = "") -> str:
    """Write a number with its standard error, if there is one."""
    if estimate.value is None:
        return "not defined"
    error = "" if not estimate.standard_error else f" ({scale * estimate.standard_error:.2g})"
    return f"{scale * estimate.value:{digits}}{unit}{error}"
