"""Paragraphs for a paper about held-out subsets of topics, and about a subset that was audited."""

from topicset_core import __version__
from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.held_out.audit import SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.held_out.error_rates import HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.sentences import (
    audit_sentence,
    error_rates_sentence,
    held_out_sentence,
)
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.references import GUIVER_2009, KENDALL_1945, VOORHEES_BUCKLEY_2002, Reference


def held_out_text(curve: HeldOutCurve, target: float) -> tuple[str, str]:
    """Return what a held-out curve says, in plain text and in LaTeX.

    Parameters
    ----------
    curve : HeldOutCurve
        As found.
    target : float
        Goodness at which it is read across.
    """
    request, runs = curve.request, curve.request.hold_out == "runs"
    truth = (
        "that of the other half over all topics"
        if runs
        else "that of all runs over all topics of the other half"
    )
    teams = (
        f", the runs of each of {curve.n_teams:,} teams staying together" if curve.n_teams is not None else ""
    )
    how = "" if curve.choose_by == curve.judge_by else f", chosen by {curve.choose_by.label}"
    scores = _scores(curve.chosen_scores, curve.judged_scores)
    paragraph = (
        f"Subsets of the {curve.n_topics:,} topics were chosen on one half of the {request.hold_out} and judged on "
        f"the other {CITATION} by {_judged(curve.judge_by)}{how}, the ground truth being the ranking {truth}, on "
        f"the {scores} of {curve.n_systems:,} runs{teams}. {held_out_sentence(curve, target)} {_searched(request)}"
    )
    works = _works(curve.judge_by, curve.choose_by)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def held_out_error_rates_text(found: HeldOutErrorRates) -> tuple[str, str]:
    """Return what held-out error rates say, in plain text and in LaTeX."""
    request = found.request
    paragraph = (
        f"Error rates by the size of a difference {CITATION} were estimated for sets of topics chosen on one half "
        f"of the {found.n_topics:,} topics by {found.choose_by.label}, the ground truth being "
        f"{request.n_trials:,} random sets of as many topics of the other half, on the "
        f"{_scores(found.chosen_scores, found.judged_scores)} of {found.n_systems:,} runs. "
        f"{error_rates_sentence(found)} {_searched(request)}"
    )
    works = (GUIVER_2009, VOORHEES_BUCKLEY_2002)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


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
        f"{CITATION} on the {_scores(audit.scores, audit.scores)} of {audit.n_systems:,} runs (seed "
        f"{audit.request.seed}). {audit_sentence(audit)}{halves} (Topicset {__version__}.)"
    )
    works = (GUIVER_2009, KENDALL_1945)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _searched(request: HeldOutRequest) -> str:
    return (
        f"Best and worst subsets were searched for by swaps from {request.n_starts:,} random starts and two others "
        f"and may be exceeded; averages are over {request.n_trials:,} random subsets of each size and split (seed "
        f"{request.seed}, Topicset {__version__})."
    )


def _scores(chosen: str, judged: str) -> str:
    """Write "AP of x" as scores, and both where choosing and judging go by different ones."""
    measure, _, name = judged.partition(" of ")
    if chosen == judged:
        return f"{measure} scores ({name})"
    return f"{measure} scores ({name}), chosen by {chosen},"


def _judged(measure: GoodnessMeasure) -> str:
    if measure.key == "error-rate":
        return "the weighted average error rate of their run means"
    return f"{measure.label} of their run means"


def _works(*measures: GoodnessMeasure) -> tuple[Reference, ...]:
    kendall = any(measure.key == "kendall" for measure in measures)
    return (GUIVER_2009, KENDALL_1945) if kendall else (GUIVER_2009,)
