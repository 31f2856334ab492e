"""A paragraph for a paper on a design of topics and pool depth, and its record."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from topicset_core import __version__
from topicset_core.analyses.pool_depth import DepthDesign, DepthStudy
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.measures.gains import Gains
from topicset_core.references import SAKAI_2016


def pool_depth_text(
    chosen: DepthDesign | None,
    study: DepthStudy,
    *,
    design: str,
    values: Mapping[str, float],
    relevance_level: int,
    gains: Gains,
    collections: str,
    definitions: str = "",
) -> tuple[str, str]:
    """Return how a pool depth was chosen, in plain text and in LaTeX.

    Parameters
    ----------
    chosen : DepthDesign or None
        The design taken; None where none fits the budget.
    study : DepthStudy
        What it was chosen from.
    design : str
        Name of the test or interval.
    values : mapping of str to float
        What was demanded, by symbol.
    relevance_level : int
        Lowest relevant grade.
    gains : {"linear", "exponential"}
        Of nDCG and Q.
    collections : str
        What was studied, for example "17 runs on 100 topics (robust2003)".
    definitions : str, optional
        Sentences on measures that not everybody computes alike.
    """
    wanted = ", ".join(f"{name} = {value:g}" for name, value in values.items())
    depths = ", ".join(map(str, study.depths))
    gain = {"linear": "x", "exponential": "2^x - 1"}[gains]
    lost = {"zero": "are kept with what they score", "drop": "are left out"}[study.lost_topics]
    paragraph = (
        f"The balance of topics and pool depth was studied as by Sakai {CITATION} on {collections}: from the "
        f"judgments those of pools of depth {depths} were made, the runs scored anew by "
        f"{', '.join(study.measures)}, and the within-system variances used for topic set "
        f"size design ({design}; {wanted}). Documents are relevant from grade {relevance_level}, the gain of grade "
        f"x{' in nDCG and Q' if definitions else ''} is {gain}, and topics without a relevant document in the pool "
        f"{lost}."
    )
    paragraph += f" {definitions}" if definitions else ""
    if chosen is not None:
        paragraph += (
            f" At depth {chosen.pool_depth} the variance of {chosen.measure} is "
            f"σ² = {chosen.within_system_variance:.4g}, so that {chosen.required_topics:,} topics with "
            f"{chosen.judged_per_topic:.0f} judged documents each are needed, {chosen.total_judgments:,} judgments "
            "in all"
        )
        if chosen.kendall_tau is not None:
            paragraph += f"; the runs rank as by all judgments with Kendall's tau {chosen.kendall_tau:.3f}"
        paragraph += "."
    paragraph += f" Computed with Topicset {__version__}."
    works = (SAKAI_2016,)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


@dataclass(frozen=True)
class RecordedStudy:
    """A study that can write itself down.

    Parameters
    ----------
    asked : mapping
        The question as plain values.
    study : DepthStudy
        The answer.
    chosen : DepthDesign or None
        The design taken.
    """

    asked: Mapping[str, Any]
    study: DepthStudy
    chosen: DepthDesign | None

    def record(self) -> dict[str, Any]:
        """Return the study as plain values for JSON."""
        return {
            "analysis": "pool depth",
            "asked": dict(self.asked),
            "judged_depth": asdict(self.study.judged),
            "n_topics": self.study.n_topics,
            "depths": _rows(self.study.designs),
            "chosen": None if self.chosen is None else _rows([self.chosen])[0],
            "remarks": list(self.study.said),
        }


def _rows(designs: Sequence[DepthDesign]) -> list[dict[str, Any]]:
    return [asdict(one) | {"total_judgments": one.total_judgments} for one in designs]
