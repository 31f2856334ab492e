"""What is found about a subset that somebody chose."""

from dataclasses import dataclass

from topicset_core.analyses.topic_subsets.curve import Subset
from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure
from topicset_core.analyses.topic_subsets.held_out.ranking import Ranking
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.result import Spread


@dataclass(frozen=True, kw_only=True)
class AuditedGoodness:
    """The subset by one measure, in units of the measure.

    Parameters
    ----------
    measure : GoodnessMeasure
        How it is judged.
    value : float or None
        Of the subset, on all runs; None where these all tie on it.
    percentile : float or None
        Share of random subsets of its size that are less good, those as good counted by half, 0 to 100.
    percentile_standard_error : float
        As random subsets are finitely many; 0 where all subsets were looked at.
    average : float or None
        Of random subsets.
    average_standard_error : float
        Of that mean.
    n_compared, n_undefined : int
        Random subsets with a correlation, and without.
    all_subsets : bool
        Whether all subsets of its size were looked at.
    best, worst : Subset or None
        The best and worst found of its size, with their status.
    held_out : Spread or None
        Of the subset on a random half of the runs.
    held_out_average : Spread or None
        Of random subsets of its size there.
    held_out_chosen : Spread or None
        Of the subset of its size there that a search finds best on the other half.
    share_above_average, share_above_chosen : float or None
        Of the halves, those on which the subset is better than random ones on average, and than the one
        chosen on the other half; a tie counts by half.
    """

    measure: GoodnessMeasure
    value: float | None
    percentile: float | None
    percentile_standard_error: float
    average: float | None
    average_standard_error: float
    n_compared: int
    n_undefined: int
    all_subsets: bool
    best: Subset | None
    worst: Subset | None
    held_out: Spread | None
    held_out_average: Spread | None
    held_out_chosen: Spread | None
    share_above_average: float | None
    share_above_chosen: float | None


@dataclass(frozen=True, kw_only=True)
class HalfRankings:
    """How halves of the runs are ranked, over splits.

    Parameters
    ----------
    share_reversed : Spread or None
        Reversed pairs of all with a difference over all topics, 0 to 1.
    largest_change : Spread or None
        Ranks that the run that changes most gains or loses.
    top_kept : float
        Share of the halves of which a best run stays best.
    """

    share_reversed: Spread | None
    largest_change: Spread | None
    top_kept: float


@dataclass(frozen=True, kw_only=True)
class SubsetAudit:
    """All that is found about one subset.

    Parameters
    ----------
    topics : tuple of str
        The subset, in the order of the matrix.
    n_topics, n_systems : int
        Topics in all, and runs judged by.
    scores : str
        "measure of name" of the matrix.
    request : HeldOutRequest
        Splits, teams, starts and seed of the held-out part, by its first measure.
    n_trials : int
        Random subsets on all runs.
    half_sizes : tuple of int, (2,)
        Fewest and most runs in the halves judged on.
    goodness : tuple of AuditedGoodness
        By each measure.
    ranking : Ranking
        Of all runs.
    halves, random_halves : HalfRankings
        Of random halves of the runs by the subset, and by random subsets of its size.
    """

    topics: tuple[str, ...]
    n_topics: int
    n_systems: int
    scores: str
    request: HeldOutRequest
    n_trials: int
    half_sizes: tuple[int, int]
    goodness: tuple[AuditedGoodness, ...]
    ranking: Ranking
    halves: HalfRankings
    random_halves: HalfRankings

    @property
    def cardinality(self) -> int:
        """Topics in the subset."""
        return len(self.topics)

    def by(self, key: str) -> AuditedGoodness:
        """Return what was found by a measure, given its key."""
        return next(one for one in self.goodness if one.measure.key == key)
