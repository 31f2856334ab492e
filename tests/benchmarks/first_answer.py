"""Imported for its time: one exact one-way ANOVA design by topicset_core."""

from topicset_core.designs import one_way_anova

ANSWER = one_way_anova.required_topics(
    one_way_anova.Requirements(alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=0.0471, n_systems=10)
).required_topics
