"""Which ranks of a leaderboard are real: rank intervals, pairs resolved, candidates for the top.

`pairs` has the statistic of each pair, `resolution` the sign flips and the resulting ranks, `chosen_systems` two
systems or the top k, `outlook` what more topics would resolve, `discriminative_power` the comparison with Tukey's
tests, `leaderboard` all of it for one matrix with its tables, `report` its findings and exports.
"""

from topicset_core.analyses.rank_resolution.resolution import Request, Resolution, resolve

__all__ = ["Request", "Resolution", "resolve"]
