"""Whether a test keeps alpha and has its power on the user's own scores, by resampling topics.

`significance_tests` lists what can be checked, `resampling` makes equal systems and differences, `decide` runs a
test on many trials at once, `over_pairs` the closed form for all pairs, `answer` all of it for one matrix.
"""

from topicset_core.analyses.achieved_power.answer import AchievedPower, Request, achieved_power

__all__ = ["AchievedPower", "Request", "achieved_power"]
