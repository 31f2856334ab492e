"""What one leaves with after an audit: tables, record, figures and a paragraph for a paper.

Charts are imported where they are drawn: they need an extra that the command line does without.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topicset_core import __version__
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.sentences import (
    audit_answer,
    audit_sentence,
    ranking_sentence,
    scores_and_name,
)
from topicset_core.analyses.topic_subsets.held_out.spreads import Spread
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.csv_table import Table
from topicset_core.exports.report import Figure, Report, ReportTable
from topicset_core.references import GUIVER_2009, KENDALL_1945

if TYPE_CHECKING:
    from topicset_core.charts.style import Mode


def report(
    audit: SubsetAudit,
    matrix: ScoreMatrix,
    *,
    goodness: str,
    left_out: Sequence[str] = (),
    preparation: Sequence[str] = (),
    link: str = "",
) -> Report:
    """Return an audit ready to be taken home.

    Parameters
    ----------
    audit : SubsetAudit
        What was found.
    matrix : ScoreMatrix
        The scores of all runs, prepared.
    goodness : str
        Key of the measure of goodness that the answer is by.
    left_out : sequence of str
        Runs that do not judge, since the subset was chosen by them.
    preparation : sequence of str
        What was done to the scores before, in sentences.
    link : str
        The full link to the answer.
    """
    sentence = audit_answer(audit, goodness)
    return Report(
        name="topic-subset-audit",
        title=f"Audit of a set of topics: {audit.scores}",
        sentence=sentence,
        tables=[
            ReportTable("place", lambda: audit_table(audit), "Place", "topic-subset-audit-place"),
            ReportTable("ranks", lambda: rank_changes_table(audit), "Ranks", "topic-subset-audit-ranks"),
        ],
        results=lambda: [
            {
                "sentence": sentence,
                "prepared": list(preparation),
                "left_out_runs": list(left_out),
                "teams_together": audit.request.teams is not None,
                **audit.record(),
            }
        ],
        text=subset_audit_text(audit),
        figures=lambda: figures(audit, goodness, "print"),
        measure=matrix.measure,
        variance_source=" ".join(preparation) or "as loaded",
        matrices=[matrix],
        seed=audit.request.seed,
        link=link,
    )


def figures(audit: SubsetAudit, goodness: str, mode: "Mode") -> list[Figure]:
    """Return the place of the subset and the ranks of the runs, with what they say."""
    from topicset_core.analyses.topic_subsets.held_out.charts.audit_place import audit_place
    from topicset_core.analyses.topic_subsets.held_out.charts.rank_changes import rank_changes

    return [
        (audit_place(audit, mode=mode), audit_answer(audit, goodness)),
        (rank_changes(audit.ranking, of_what=audit.scores, mode=mode), ranking_sentence(audit)),
    ]


def audit_table(audit: SubsetAudit) -> Table:
    """Return the place of the subset, a row for each measure of goodness."""
    found = audit.goodness

    def mean(one: Spread | None) -> float | None:
        return None if one is None else one.mean

    return {
        "goodness": [one.measure.key for one in found],
        "value": [one.value for one in found],
        "percentile": [one.percentile for one in found],
        "percentile standard error": [one.percentile_standard_error for one in found],
        "worst": [None if one.worst is None else one.worst.value for one in found],
        "average": [one.average for one in found],
        "best": [None if one.best is None else one.best.value for one in found],
        "worst is": ["" if one.worst is None else one.worst.status for one in found],
        "best is": ["" if one.best is None else one.best.status for one in found],
        "compared with": [one.n_compared for one in found],
        "on halves of the runs": [mean(one.held_out) for one in found],
        "on halves, low": [None if one.held_out is None else one.held_out.low for one in found],
        "on halves, high": [None if one.held_out is None else one.held_out.high for one in found],
        "random sets on halves": [mean(one.held_out_average) for one in found],
        "sets chosen on the other half": [mean(one.held_out_chosen) for one in found],
        "share above average": [one.share_above_average for one in found],
        "share above chosen": [one.share_above_chosen for one in found],
    }


def rank_changes_table(audit: SubsetAudit) -> Table:
    """Return all runs with their ranks, the largest change first."""
    changes = audit.ranking.changes
    return {
        "run": [one.system for one in changes],
        "mean on all topics": [one.mean_all for one in changes],
        "mean on the subset": [one.mean_subset for one in changes],
        "rank on all topics": [one.rank_all for one in changes],
        "rank on the subset": [one.rank_subset for one in changes],
        "ranks lost": [one.change for one in changes],
    }


def subset_audit_text(audit: SubsetAudit) -> tuple[str, str]:
    """Return what an audit says, in plain text and in LaTeX."""
    listed = ", ".join(audit.topics)
    compared = (
        "all subsets of its size"
        if all(one.all_subsets for one in audit.goodness)
        else f"{audit.request.n_trials:,} random subsets of its size"
    )
    halves = ""
    one = audit.goodness[0]
    if one.held_out is not None and one.held_out_average is not None and one.held_out_chosen is not None:
        halves = (
            f" On random halves of the runs its {one.measure.symbol} is {one.held_out.mean:.3f} on average over "
            f"{audit.request.n_splits:,} splits, that of random subsets {one.held_out_average.mean:.3f}, and that "
            f"of subsets chosen on the other half by search {one.held_out_chosen.mean:.3f}."
        )
    paragraph = (
        f"A subset of {audit.cardinality:,} of {audit.n_topics:,} topics ({listed}) was compared with {compared} "
        f"{CITATION} on the {scores_and_name(audit.scores, audit.scores)} of {audit.n_systems:,} runs (seed "
        f"{audit.request.seed}). {audit_sentence(audit)}{halves} (Topicset {__version__}.)"
    )
    works = (GUIVER_2009, KENDALL_1945)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
