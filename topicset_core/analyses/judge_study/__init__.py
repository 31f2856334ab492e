"""How well does a judge replace people, and what do few human labels add to many judge scores?"""

from topicset_core.analyses.judge_study.answer import Answer, Request, judge
from topicset_core.analyses.judge_study.rankings import Agreement, agreement
from topicset_core.analyses.judge_study.study import JudgeStudy, Study, study
from topicset_core.analyses.judge_study.two_sets import DocumentAgreement, TwoSets, two_sets

__all__ = [
    "Agreement",
    "Answer",
    "DocumentAgreement",
    "JudgeStudy",
    "Request",
    "Study",
    "TwoSets",
    "agreement",
    "judge",
    "study",
    "two_sets",
]
