"""Which topics would have been enough? Best, average and worst subsets of topics.

Guiver, Mizzaro and Robertson (2009) score a subset of topics by how well the run means over it agree with
those over all topics. `subset_curve` takes a `Request` and finds, for every cardinality, the best subset, the
worst, and what an average one does.
`held_out` asks whether chosen subsets hold on other runs and topics.
"""

from topicset_core.analyses.topic_subsets.curve import SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.request import Request

__all__ = ["Request", "SubsetCurve", "subset_curve"]
