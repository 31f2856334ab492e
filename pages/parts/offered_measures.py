"""Which measures forms offer, and which they start from: others for judgments by intent."""

from collections.abc import Sequence

from topicset_core.collection.judged_runs import JudgedRuns

AD_HOC = (
    *("AP", "nDCG", "nDCG@10", "P@10", "RR", "Rprec", "recall@100", "Q", "nERR", "ERR@20"),
    *("RBP(p=.8)", "bpref", "infAP"),
)
BY_INTENT = ("alpha-nDCG@10", "nERR-IA@10", "D-nDCG@10", "I-rec@10", "D#-nDCG@10")
"""What a diversity task starts from."""

MORE_BY_INTENT = ("graded-alpha-nDCG@10", "graded-nERR-IA@10", "alpha-DCG@10", "ERR-IA@10")

HELP_BY_INTENT = (
    "alpha-nDCG and nERR-IA are ndeval's, which knows no grades; their graded forms take grades and how likely "
    "intents are into account, as D-nDCG and D#-nDCG always do."
)


def are_by_intent(collections: Sequence[JudgedRuns]) -> bool:
    """Say whether all judgments are by intent, so that measures of diversity can be offered."""
    return bool(collections) and all(one.qrels.intents is not None for one in collections)


def offered(collections: Sequence[JudgedRuns]) -> tuple[str, ...]:
    """Return the measures to choose from."""
    return (*BY_INTENT, *MORE_BY_INTENT, *AD_HOC) if are_by_intent(collections) else AD_HOC
