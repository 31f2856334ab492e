"""Whether a test keeps alpha and has its power on the user's own scores, by resampling topics.

`significance_tests` lists what can be checked, `resampling` makes equal systems and differences, `decide` runs a
test on many trials at once, `over_pairs` the closed form for all pairs, `answer` all of it for one matrix.
"""

from topicset_core.analyses.achieved_power.answer import AchievedPower, Rate, Request, achieved_power
from topicset_core.analyses.achieved_power.over_pairs import PowerOverPairs, power_over_pairs

__all__ = ["AchievedPower", "PowerOverPairs", "Rate", "Request", "achieved_power", "power_over_pairs"]
