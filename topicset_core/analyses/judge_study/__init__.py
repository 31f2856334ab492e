"""How well does a judge replace people, and what do few human labels add to many judge scores?"""

from topicset_core.analyses.judge_study.answer import Answer, Request, judge
from topicset_core.analyses.judge_study.rankings import agreement
from topicset_core.analyses.judge_study.study import study
from topicset_core.analyses.judge_study.two_sets import TwoSets, two_sets

__all__ = ["Answer", "Request", "TwoSets", "agreement", "judge", "study", "two_sets"]
