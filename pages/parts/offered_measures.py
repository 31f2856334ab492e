"""Which measures forms offer, and which they start from: others for judgments by intent."""

from collections.abc import Sequence

from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures import MEASURES
from topicset_core.measures.naming import offered_names

AD_HOC = offered_names(MEASURES, by_intent=False)
AD_HOC_AT_FIRST = offered_names(MEASURES, by_intent=False, at_first=True)
BY_INTENT = offered_names(MEASURES, by_intent=True, at_first=True)
"""What a diversity task starts from."""

HELP_BY_INTENT = (
    "alpha-nDCG and nERR-IA are ndeval's, which knows no grades; their graded forms take grades and how likely "
    "intents are into account, as D-nDCG and D#-nDCG always do."
)


def are_by_intent(collections: Sequence[JudgedRuns]) -> bool:
    """Say whether all judgments are by intent, so that measures of diversity can be offered."""
    return bool(collections) and all(one.qrels.intents is not None for one in collections)


def offered(collections: Sequence[JudgedRuns]) -> tuple[str, ...]:
    """Return the measures to choose from."""
    return (*offered_names(MEASURES, by_intent=True), *AD_HOC) if are_by_intent(collections) else AD_HOC
