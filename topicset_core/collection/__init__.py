"""The nouns: the data that the core computes with."""

from topicset_core.collection.intents import Intents
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.qrels import Qrels
from topicset_core.collection.run import Pool, Run, pooled_documents
from topicset_core.collection.score_matrix import ScoreMatrix
from topicset_core.collection.selection import Selected, choose, select
from topicset_core.collection.settings import Settings
from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.collection.units import units_of

__all__ = [
    "Document",
    "Intents",
    "JudgedRuns",
    "Pool",
    "Qrels",
    "Run",
    "ScoreMatrix",
    "Selected",
    "Settings",
    "TextCollection",
    "Topic",
    "choose",
    "join",
    "pooled_documents",
    "select",
    "units_of",
]
