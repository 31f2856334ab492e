"""Would another document collection change the conclusions? Per-topic variance by simulation.

The method of Yang, Zhang and Song (2018): documents are a sample, so the scores that a run gave the
relevant and the other documents of a topic are samples too, and are drawn again.

`topic_variance` gives all answers; `simulate_collections` and `findings` are its two halves.
"""

from topicset_core.analyses.topic_variance.result import Findings, findings, topic_variance
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.simulation import Simulation, simulate_collections

__all__ = ["Findings", "Settings", "Simulation", "findings", "simulate_collections", "topic_variance"]
