"""What do these runs score? From runs and relevance judgments to score matrices.

`evaluate` takes runs joined with judgments and a `Request`, and returns an `Evaluation`: one score matrix
per measure, and all that decided its numbers.
"""

from topicset_core.analyses.run_evaluation.evaluation import Evaluation, Request, Rows, evaluate

__all__ = ["Evaluation", "Request", "Rows", "evaluate"]
