"""A paragraph for a paper on how runs were scored."""

from collections.abc import Sequence

from topicset_core import __version__
from topicset_core.analyses.evaluation import Evaluation
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.references import SAKAI_2016
from topicset_core.variance import pooled
from topicset_core.wording import counted


def evaluation_text(evaluations: Sequence[Evaluation]) -> tuple[str, str]:
    """Return how runs were scored and how the scores vary, in plain text and in LaTeX.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        One a collection, all by the same measures.
    """
    first = evaluations[0]
    sizes = " and ".join(
        f"{counted(len(one.runs), 'run')} on {counted(len(one.topics), 'topic')} ({one.collection})"
        for one in evaluations
    )
    variances = ", ".join(
        f"{measure.name} σ² = {pooled([one.matrices[place] for one in evaluations]):.4g}"
        for place, measure in enumerate(first.measures)
    )
    definitions = " ".join(f"{measure.name}: {measure.definition}" for measure in first.measures)
    dropped = "are left out for all runs"
    without_relevant = {"zero": "are kept", "drop": dropped}[first.topics_without_relevant]
    missing = {"zero": "score 0", "drop": dropped}[first.missing_topics]
    paragraph = (
        f"We scored {sizes} from their rankings, documents of equal score in descending order of their ids as in "
        f"trec_eval. {definitions} Topics without relevant documents {without_relevant}; topics that a run "
        f"misses {missing}. The within-system variances {CITATION} are {variances} "
        f"(Topicset {__version__})."
    )
    works = (SAKAI_2016,)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
