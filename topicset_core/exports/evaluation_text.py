"""A paragraph for a paper on how runs were scored."""

from collections.abc import Sequence

from topicset_core import __version__
from topicset_core.analyses.evaluation import Evaluation
from topicset_core.exports.citing import CITATION, SAKAI_2016, cite_latex, cite_plain
from topicset_core.variance import one_way, pooled


def evaluation_text(evaluations: Sequence[Evaluation]) -> tuple[str, str]:
    """Return how runs were scored and how the scores vary, in plain text and in LaTeX.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        One a collection, all by the same measures.
    """
    first = evaluations[0]
    sizes = " and ".join(
        f"{len(one.runs)} runs on {len(one.topics)} topics ({one.collection})" for one in evaluations
    )
    variances = ", ".join(
        f"{measure.name} σ² = {pooled([one.matrices[place] for one in evaluations]):.4g}"
        for place, measure in enumerate(first.measures)
    )
    definitions = " ".join(f"{measure.name}: {measure.definition}" for measure in first.measures)
    rows = {
        "zero": "are kept, with a score of 0 where nothing relevant is found",
        "drop": "are left out for all runs",
    }
    paragraph = (
        f"We scored {sizes} from their rankings, documents of equal score in descending order of their ids as in "
        f"trec_eval. {definitions} Topics without relevant documents {rows[first.topics_without_relevant]}; topics "
        f"that a run misses {rows[first.missing_topics]}. The within-system variances {CITATION} are {variances} "
        f"(Topicset {__version__})."
    )
    works = (SAKAI_2016,)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def scores_table(evaluations: Sequence[Evaluation]) -> dict[str, list[object]]:
    """Return for each collection and measure its size, mean, best run and variance, column by column."""
    found = [(one, matrix) for one in evaluations for matrix in one.matrices]
    best = [(matrix.systems[int(matrix.scores.mean(axis=0).argmax())]) for _, matrix in found]
    return {
        "judgments": [one.collection for one, _ in found],
        "measure": [matrix.measure for _, matrix in found],
        "topics": [matrix.n_topics for _, matrix in found],
        "runs": [matrix.n_systems for _, matrix in found],
        "mean score": [float(matrix.scores.mean()) for _, matrix in found],
        "best run": list(best),
        "its mean": [float(matrix.scores.mean(axis=0).max()) for _, matrix in found],
        "σ² one-way": [one_way(matrix) for _, matrix in found],
    }
