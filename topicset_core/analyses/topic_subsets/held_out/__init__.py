"""Do subsets of topics that were chosen on some runs or topics hold on others?

Guiver, Mizzaro and Robertson (2009), sections 4.5 and 5.6. `held_out_curve` splits the runs, or the topics,
at random and often; chooses the best and the worst subset on one half and evaluates them on the other.
`compare_with_null` asks whether any topic is reliably good.
`audit_subset` places a subset that somebody chose, as for a small benchmark.
"""

from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.request import HeldOutRequest

__all__ = ["HeldOutRequest", "held_out_curve"]
