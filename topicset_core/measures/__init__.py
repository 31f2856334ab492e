"""Scores of runs: one class per measure, each over all topics and runs at once.

A measure is a frozen dataclass of its conventions. Its ``scores(judged_runs)`` are those of the
judgments that the runs were joined with; ``scores(judged_runs, grades)`` the scores with other grades for
the same documents, at a small part of the cost. Where nothing else is reported a measure does as trec_eval
does.

The class lists the names of its measure, other spellings, and which of them forms offer.
"""

from topicset_core.measures.conventions import TREC_EVAL, Conventions
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.measure import Measure
from topicset_core.measures.registry import KNOWN, measure_named

__all__ = ["KNOWN", "TREC_EVAL", "Conventions", "GradedRuns", "Measure", "measure_named"]
