"""The nouns: what the core computes with."""

from topicset_core.collection.score_matrix import ScoreMatrix

__all__ = ["ScoreMatrix"]
