"""What one pool depth means for one measure."""

from dataclasses import dataclass

from topicset_core.analyses.pool_depth.cost import total_judgments


@dataclass(frozen=True, kw_only=True)
class DepthDesign:
    """A design: so deep a pool, so many topics; and what it gives up beside all judgments.

    Parameters
    ----------
    pool_depth : int
        Documents of each run that are judged.
    measure : str
        What is measured.
    judged_per_topic : float
        Judged documents, on average over the topics of all collections.
    n_lost_topics : int
        Topics that have relevant documents, but none in a pool of this depth.
    within_system_variance : float or None
        Pooled over collections; None where fewer than two topics are left.
    required_topics : int or None
        What the design asks for; None without a variance, or beyond ten million.
    kendall_tau, tau_ap : float or None
        Agreement of the ranking of runs with that by all judgments, a mean over collections; None
        for a single run.
    relevant_known : float or None
        Relevant documents in the pool, as a share of all judged relevant, from 0 to 1; None before
        anything is judged, and where nothing is relevant.
    """

    pool_depth: int
    measure: str
    judged_per_topic: float
    n_lost_topics: int
    within_system_variance: float | None
    required_topics: int | None
    kendall_tau: float | None
    tau_ap: float | None
    relevant_known: float | None

    @property
    def total_judgments(self) -> int | None:
        """Topics times documents, rounded before; None where there is no answer."""
        if self.required_topics is None:
            return None
        return total_judgments(self.required_topics, self.judged_per_topic)

    @property
    def relevant_missed(self) -> float | None:
        """Judged relevant documents that are not in the pool, as a share; None where the rest is."""
        return None if self.relevant_known is None else 1 - self.relevant_known

    def cost_beside(self, other: "DepthDesign") -> float | None:
        """Return this cost as a share of another's; None where either has no answer or costs nothing."""
        if not self.total_judgments or not other.total_judgments:
            return None
        return self.total_judgments / other.total_judgments
