"""Would another document collection change the conclusions? Per-topic variance by simulation.

Documents are a sample, and are drawn again: once for all runs (Cormack and Lynam 2006), or for each run apart, with
the scores that it gave relevant and other documents (Yang, Zhang and Song 2018).

`topic_variance` gives all answers; `simulation.simulate_trials` and `findings` are its two halves.
"""

from topicset_core.analyses.topic_variance.request import Request
from topicset_core.analyses.topic_variance.result import Findings, findings, topic_variance

__all__ = ["Findings", "Request", "findings", "topic_variance"]
