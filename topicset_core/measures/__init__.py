"""Scores of runs: one module a measure, each over all topics and runs at once.

A measure is a frozen dataclass of its conventions. Its ``scores(judged_runs)`` are those of the
judgments that the runs were joined with; ``scores(judged_runs, grades)`` those with other grades for the
same documents, at a small part of the cost. Where nothing else is said a measure does as trec_eval does.

The class says what names its measure has, how others spell them, and which of them forms offer.
"""

from topicset_core.measures.alpha_ndcg import AlphaNDCG
from topicset_core.measures.average_precision import AP
from topicset_core.measures.binary_preference import BPref
from topicset_core.measures.conventions import SAKAI, TREC_EVAL, Conventions
from topicset_core.measures.d_ndcg import DNDCG
from topicset_core.measures.d_sharp_ndcg import DSharpNDCG
from topicset_core.measures.expected_reciprocal_rank import ERR
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.inferred_average_precision import InfAP
from topicset_core.measures.intent_aware_err import ERRIA
from topicset_core.measures.intent_recall import IntentRecall
from topicset_core.measures.measure import IntentMeasure, Measure
from topicset_core.measures.naming import known_forms, measure_named, names_by_intent
from topicset_core.measures.ndcg import NDCG
from topicset_core.measures.precision import Precision
from topicset_core.measures.q_measure import QMeasure
from topicset_core.measures.r_precision import RPrecision
from topicset_core.measures.rank_biased_precision import RBP
from topicset_core.measures.recall import Recall
from topicset_core.measures.reciprocal_rank import ReciprocalRank

MEASURES: tuple[type[Measure], ...] = (
    AP,
    QMeasure,
    NDCG,
    ERR,
    Precision,
    Recall,
    RPrecision,
    ReciprocalRank,
    RBP,
    BPref,
    InfAP,
    AlphaNDCG,
    ERRIA,
    DNDCG,
    IntentRecall,
    DSharpNDCG,
)
"""All measures: a new one is imported above and stands here, and everything else is derived.

nERR is ERR, normalised.
"""

KNOWN = known_forms(MEASURES)
"""Forms of names, k being a rank and .8 any persistence."""

BY_INTENT = names_by_intent(MEASURES)
"""Names, without cutoff, of measures that need judgments by intent."""

__all__ = [
    "AP",
    "BY_INTENT",
    "DNDCG",
    "ERR",
    "ERRIA",
    "KNOWN",
    "MEASURES",
    "NDCG",
    "RBP",
    "SAKAI",
    "TREC_EVAL",
    "AlphaNDCG",
    "BPref",
    "Conventions",
    "DSharpNDCG",
    "GradedRuns",
    "InfAP",
    "IntentMeasure",
    "IntentRecall",
    "Measure",
    "Precision",
    "QMeasure",
    "RPrecision",
    "Recall",
    "ReciprocalRank",
    "measure_named",
]
