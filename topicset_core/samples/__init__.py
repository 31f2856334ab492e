"""Data that come with the package, so that every page can answer before anything is uploaded."""

from topicset_core.samples.simulated import simulated_judge, simulated_task
from topicset_core.samples.simulated_diversity import simulated_diversity_track
from topicset_core.samples.simulated_runs import simulated_track
from topicset_core.samples.simulated_sweep import simulated_sweep

__all__ = [
    "simulated_diversity_track",
    "simulated_judge",
    "simulated_sweep",
    "simulated_task",
    "simulated_track",
]
