"""The choice of the measure by which a retrieval system is trained on few judgments.

`training_sensitivity` runs the experiment of He, Macdonald and Ounis (SIGIR 2008) on a sweep; `Answer` holds
conclusions, and `report.report` makes all that a user exports.

::

    sweep = sweep_of(runs, qrels, settings)
    tasks = split(usable_topics(sweep.runs), seed=0)
    found = training_sensitivity(sweep, tasks, Request(n_samples=20))
    print(recommendation(found).sentence)
"""

from topicset_core.analyses.training_sensitivity.answer import Answer, recommendation
from topicset_core.analyses.training_sensitivity.experiment import (
    TrainingSensitivity,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.request import Request, exchanged, split
from topicset_core.analyses.training_sensitivity.sweep import Sweep, sweep_of

__all__ = [
    "Answer",
    "Request",
    "Sweep",
    "TrainingSensitivity",
    "exchanged",
    "recommendation",
    "split",
    "sweep_of",
    "training_sensitivity",
    "usable_topics",
]
