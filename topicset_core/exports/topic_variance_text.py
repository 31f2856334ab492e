"""A paragraph for a paper on what another document collection would change."""

from topicset_core import __version__
from topicset_core.analyses.topic_variance.estimate import Estimate
from topicset_core.analyses.topic_variance.findings import Findings
from topicset_core.analyses.topic_variance.sentence import kept_sentence
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.references import ROBERTSON_KANOULAS_2012, SAKAI_2006, YANG_2018
from topicset_core.wording import counted

_DRAWN = {
    "bst": "with replacement from the run's own",
    "kde": "from Gaussian kernel densities of the run's own ({bandwidth} bandwidth, each kind its own)",
}
_BANDWIDTHS = {"scott": "Scott's", "silverman": "Silverman's"}
_RELEVANT = {
    "drawn": "has R − r + s relevant documents in a trial, s being those drawn",
    "fixed": "keeps R, however many are drawn",
}


def topic_variance_text(found: Findings) -> tuple[str, str]:
    """Return what simulated collections say, in plain text and in LaTeX.

    Parameters
    ----------
    found : Findings
        Of one model.
    """
    asked, numbers = found.settings, found.estimate
    drawn = _DRAWN[asked.model].format(bandwidth=_BANDWIDTHS[asked.bandwidth])
    kept = f"{kept_sentence(found)} ".lstrip()
    paragraph = (
        f"What another document collection would change was studied by simulation {CITATION} on the "
        f"{asked.measure_name} scores of {counted(len(found.systems), 'run')} on "
        f"{counted(len(found.topics), 'topic')} ({found.collection}). For each run and topic with r relevant "
        "documents among those retrieved, a number of relevant documents was drawn from a Poisson distribution "
        f"with mean r; their scores, and those of the others up to the depth of the list, were drawn {drawn}, "
        f"in {counted(asked.n_trials, 'trial')} (seed {asked.seed}). Documents are relevant from grade "
        f"{asked.relevance_level}, those not judged count as not relevant, documents of equal score stand in "
        "descending order of their ids as in trec_eval, and a topic with R relevant documents "
        f"{_RELEVANT[asked.denominator]}. Over all pairs of runs and trials, "
        f"{_percent(numbers('overall_error_rate'))} stand in the other order than by the scores as they are, and "
        f"Kendall's tau of both rankings is {_number(numbers('krcc'))} on average. By a paired t test "
        f"(α = {asked.alpha:g}), {_percent(numbers('raw_significant_share'))} of the pairs differ significantly "
        f"in the scores as they are, and {_percent(numbers('mean_rejection_rate'))} in a simulated collection on "
        f"average; {_percent(numbers('almost_never_significant_share'))} do in fewer than 5 % of them. With topics "
        "and collection resampled together and differences shifted to mean 0, "
        f"{_percent(numbers('significant_share_both'))} of the pairs have an achieved significance level below "
        f"{asked.alpha:g}, and the estimated difference needed is "
        f"{_number(numbers('estimated_difference_shifted'))}. {kept}Standard errors in parentheses are over trials "
        f"(Topicset {__version__})."
    )
    works = (YANG_2018, ROBERTSON_KANOULAS_2012, SAKAI_2006)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _percent(found: Estimate) -> str:
    return _with_error(found, 100.0, ".1f", " %")


def _number(found: Estimate) -> str:
    return _with_error(found, 1.0, ".3f", "")


def _with_error(found: Estimate, scale: float, digits: str, unit: str) -> str:
    """Write a number with its standard error, which is left out where there is none."""
    if found.value is None:
        return "not defined"
    error = "" if not found.standard_error else f" ({scale * found.standard_error:.2g})"
    return f"{scale * found.value:{digits}}{unit}{error}"
