"""How well does a judge replace people, and what do few human labels add to many judge scores?"""

from topicset_core.analyses.judge_study.study import JudgeStudy, Request, Study, study

__all__ = ["JudgeStudy", "Request", "Study", "study"]
