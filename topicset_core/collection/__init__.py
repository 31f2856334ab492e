"""The nouns: what the core computes with."""

from topicset_core.collection.qrels import Qrels
from topicset_core.collection.run import Run
from topicset_core.collection.score_matrix import ScoreMatrix

__all__ = ["Qrels", "Run", "ScoreMatrix"]
