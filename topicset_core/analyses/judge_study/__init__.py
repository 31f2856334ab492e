"""How well does a judge replace people, and what do few human labels add to many judge scores?"""

from topicset_core.analyses.judge_study.study import (
    Answer,
    Combined,
    Estimate,
    JudgeStudy,
    Request,
    Study,
    combined_difference,
    judge,
    judge_study,
    study,
)

__all__ = [
    "Answer",
    "Combined",
    "Estimate",
    "JudgeStudy",
    "Request",
    "Study",
    "combined_difference",
    "judge",
    "judge_study",
    "study",
]
