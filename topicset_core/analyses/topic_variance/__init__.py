"""Would another document collection change the conclusions? Per-topic variance by simulation.

Documents are a sample, and are drawn again: once for all runs (Cormack and Lynam 2006), or for each run apart, with
the scores that it gave relevant and other documents (Yang, Zhang and Song 2018).

`topic_variance` gives all answers; `simulate_collections` and `findings` are its two halves.
"""

from topicset_core.analyses.topic_variance.request import Request
from topicset_core.analyses.topic_variance.result import Findings, findings, topic_variance
from topicset_core.analyses.topic_variance.simulation import Simulation, simulate_collections

__all__ = ["Findings", "Request", "Simulation", "findings", "simulate_collections", "topic_variance"]
