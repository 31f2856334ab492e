"""The nouns: the data that the core computes with."""

from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.qrels import Intents, Qrels
from topicset_core.collection.run import Run
from topicset_core.collection.score_matrix import ScoreMatrix
from topicset_core.collection.selection import Selected, select
from topicset_core.collection.text_collection import TextCollection
from topicset_core.collection.units import units_of

__all__ = [
    "Intents",
    "JudgedRuns",
    "Qrels",
    "Run",
    "ScoreMatrix",
    "Selected",
    "TextCollection",
    "select",
    "units_of",
]
