"""How many topics: one module a design method.

Each has `Requirements` and ``required_topics(requirements, method=...)``; the power designs also
answer ``power``, ``detectable_delta`` and ``required_topics_grid``, the interval designs ``width``
and ``required_topics_grid``. `error_rate` sizes by another requirement: how often two experiments
may contradict each other.
"""

from topicset_core.designs import (
    confidence_interval,
    error_rate,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)

DESIGNS = (paired_t, two_sample_t, one_way_anova, confidence_interval, two_sample_confidence_interval)
"""The designs by tests and intervals, in the order in which they are shown."""

__all__ = [
    "DESIGNS",
    "confidence_interval",
    "error_rate",
    "one_way_anova",
    "paired_t",
    "two_sample_confidence_interval",
    "two_sample_t",
]
