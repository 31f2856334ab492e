"""How work is cut, drawn and done: batches, seeds, random streams."""

from topicset_core.execution.batches import Chain, in_batches, in_chains
from topicset_core.execution.fair_pool import FairPool, n_processors

__all__ = ["Chain", "FairPool", "in_batches", "in_chains", "n_processors"]
