"""Compile the kernels, so that pages need not wait for it: ``python -m topicset_core.analyses.warm_up``.

Numba keeps compiled code next to the source, for every process that follows. On a fresh install that
takes some twenty seconds, which the server's first minute has to spare and a user has not.
"""

from topicset_core.analyses import ANALYSES
from topicset_core.designs import holm


def warm_up() -> None:
    """Ask every design and analysis that has kernels a small question."""
    holm.warm_up()
    for analysis in ANALYSES:
        analysis.warm_up()


if __name__ == "__main__":
    warm_up()
