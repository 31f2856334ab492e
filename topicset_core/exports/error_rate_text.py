"""A paragraph for a paper about the error rate of a collection."""

from topicset_core import __version__
from topicset_core.analyses.error_rate.counts import ErrorRates
from topicset_core.analyses.error_rate.intervals import LEVEL
from topicset_core.analyses.error_rate.reading import Reading, percent
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.references import LIN_HAUPTMANN_2005, SAKAI_2006, VOORHEES_BUCKLEY_2002


def error_rate_text(asked: Reading, counted: ErrorRates) -> tuple[str, str]:
    """Return what the error rates say, in plain text and in LaTeX.

    Parameters
    ----------
    asked : Reading
        The answer in a sentence.
    counted : ErrorRates
        The experiment on the same scores.
    """
    drawn = "with replacement, each for itself" if counted.with_replacement else "without topics in common"
    interval = ""
    if asked.interval is not None:
        interval = (
            f" ({100 * LEVEL:g} % interval over topics {percent(asked.interval.low)} to "
            f"{percent(asked.interval.high)})"
        )
    paragraph = (
        f"Retrieval experiment error rates {CITATION} were estimated from the {counted.measure} scores of "
        f"{counted.n_systems} runs on {counted.n_topics} topics ({counted.name}). A difference of "
        f"{asked.difference:g} found on {asked.n_topics:,} topics is reversed by as many other topics in "
        f"{percent(asked.error)} of the cases{interval}, averaged over pairs of runs given the observed "
        f"difference; an error rate of {100 * asked.max_error:g} % needs {asked.way}. The experiment behind it "
        f"compared {counted.n_trials:,} pairs of topic sets for each of {len(counted.cardinalities)} sizes "
        f"from {min(counted.cardinalities)} to {max(counted.cardinalities)}, drawn {drawn}, seed "
        f"{counted.seed} (Topicset {__version__})."
    )
    works = [VOORHEES_BUCKLEY_2002, LIN_HAUPTMANN_2005, *([SAKAI_2006] if counted.with_replacement else [])]
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
