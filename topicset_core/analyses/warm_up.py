"""Compile the kernels, so that nobody waits for that on a page: ``python -m topicset_core.analyses.warm_up``.

Numba keeps what it compiled beside the code, for every process that follows. On a fresh install that
takes some twenty seconds, which the server's first minute has to spare and a user has not.
"""

import numpy as np

from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.certificates import certify
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES
from topicset_core.analyses.topic_subsets.held_out.error_rates import held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.analyses.topic_subsets.request import Method, Request
from topicset_core.analyses.topic_variance import Settings, topic_variance
from topicset_core.analyses.training_sensitivity import split, sweep_of, training_sensitivity, usable_topics
from topicset_core.analyses.training_sensitivity.request import Request as TrainingRequest
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import join
from topicset_core.progress import silently
from topicset_core.samples.simulated import simulated_task
from topicset_core.samples.simulated_runs import simulated_track
from topicset_core.samples.simulated_sweep import simulated_sweep

_TOPICS = 20  # so many that subsets are enumerated and not just drawn, so few that it takes no time
_SIZES: dict[Method, tuple[int, ...]] = {"exhaustive": (10,), "local": (10, 11), "guiver": (1, 2, 3, 4)}


def warm_up() -> None:
    """Ask every analysis that has kernels a small question."""
    whole = simulated_task()[0]
    small = ScoreMatrix(
        scores=whole.scores[:_TOPICS],
        topics=whole.topics[:_TOPICS],
        systems=whole.systems,
        measure=whole.measure,
        name=whole.name,
    )
    for with_replacement in (False, True):
        error_rates(whole, n_trials=4, with_replacement=with_replacement)
    for measure in MEASURES:
        for method, sizes in _SIZES.items():
            asked = Request(
                goodness=measure.key, cardinalities=sizes, method=method, n_trials=20, effort=0.05
            )
            subset_curve(small, asked)
    judge = CorrelationJudge.of(small.scores)
    for sign in (1, -1):
        known = {(10, sign): judge.settle(np.arange(10).reshape(1, -1), 10, sign)[0]}
        list(certify(judge, known, 1000, silently, None))
    halves = HeldOutRequest(
        hold_out="topics", goodness="error-rate", cardinalities=(2,), n_splits=2, n_starts=1, n_trials=2
    )
    held_out_error_rates(small, halves)
    runs, qrels = simulated_track()
    for settings in (Settings(model="bst", n_trials=2), Settings(model="kde", n_trials=2)):
        topic_variance(join(runs[:2], qrels), settings, runs[:2])
    sweep = sweep_of(*simulated_sweep(n_topics=2))
    training = TrainingRequest(levels=(50.0,), n_samples=2)
    training_sensitivity(sweep, split(usable_topics(sweep.runs), 0), training)


if __name__ == "__main__":
    warm_up()
