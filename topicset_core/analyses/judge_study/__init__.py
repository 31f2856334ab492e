"""How well does a judge replace people, and what do few human labels add to many judge scores?"""

from topicset_core.analyses.judge_study.study import (
    Combined,
    Estimate,
    JudgeStudy,
    Study,
    combined_difference,
    judge_study,
    study,
)

__all__ = [
    "Combined",
    "Estimate",
    "JudgeStudy",
    "Study",
    "combined_difference",
    "judge_study",
    "study",
]
