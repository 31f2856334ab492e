"""Compile the kernels, so that pages need not wait for it: ``python -m topicset_core.analyses.warm_up``.

Numba keeps compiled code next to the source, for every process that follows. On a fresh install that
takes some twenty seconds, which the server's first minute has to spare and a user has not.
"""

from topicset_core.analyses.achieved_power import answer as achieved_power
from topicset_core.analyses.error_rate import experiment as error_rate
from topicset_core.analyses.rank_resolution import resolution as rank_resolution
from topicset_core.analyses.topic_subsets import curve as topic_subsets
from topicset_core.analyses.topic_variance import result as topic_variance
from topicset_core.analyses.training_sensitivity import experiment as training_sensitivity
from topicset_core.designs import holm

WITH_KERNELS = (
    holm,
    error_rate,
    rank_resolution,
    achieved_power,
    topic_subsets,
    topic_variance,
    training_sensitivity,
)
"""All modules whose ``warm_up()`` asks a small question that compiles the kernels of a room."""


def warm_up() -> None:
    """Compile all kernels."""
    for one in WITH_KERNELS:
        one.warm_up()


if __name__ == "__main__":
    warm_up()
