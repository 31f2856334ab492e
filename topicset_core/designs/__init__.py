"""How many topics: one module a design method.

Each has `Requirements` and ``required_topics(requirements, method=...)``; the power designs also
answer ``power``, ``detectable_delta`` and ``required_topics_grid``, the interval designs ``width``
and ``required_topics_grid``.
"""

from topicset_core.designs import (
    confidence_interval,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)

DESIGNS = (paired_t, two_sample_t, one_way_anova, confidence_interval, two_sample_confidence_interval)
"""All designs, in the order in which they are shown."""

__all__ = [
    "DESIGNS",
    "confidence_interval",
    "one_way_anova",
    "paired_t",
    "two_sample_confidence_interval",
    "two_sample_t",
]
