"""How long an experiment takes: for a page that must decide whether to answer at once."""

import numpy as np

from topicset_core.analyses.training_sensitivity.chooser import choosing_seconds
from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.scoring import Scorer
from topicset_core.analyses.training_sensitivity.sweep import Sweep

_SECONDS_A_TOPIC = 6e-6  # of drawing and summing up, for each run


def cpu_seconds(sweep: Sweep, n_tasks: int, request: Request) -> float:
    """Return about how many seconds of a core of 2026 an experiment takes.

    Parameters
    ----------
    sweep : Sweep
        Runs and judgments.
    n_tasks : int
        Trainings of each sample.
    request : Request
        What is asked.
    """
    rows = np.arange(sweep.runs.n_topics)
    conventions = request.conventions
    scorer = Scorer(sweep.runs, rows, request.chosen, conventions.relevance_level, conventions.gains)
    sample = scorer.seconds + _SECONDS_A_TOPIC * rows.size + choosing_seconds(request, n_tasks)
    return sample * request.n_samples * len(request.levels)
