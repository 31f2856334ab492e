"""Data that come with the package, so that every page can answer before anything is uploaded."""

from topicset_core.samples.simulated import DEFAULT_SEED, simulated_task

__all__ = ["DEFAULT_SEED", "simulated_task"]
