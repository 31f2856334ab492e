"""How work is cut, drawn and done: batches, seeds, random streams."""

from topicset_core.execution.batches import in_batches
from topicset_core.execution.fair_pool import n_processors

__all__ = ["in_batches", "n_processors"]
