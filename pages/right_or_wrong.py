"""How many topics for two systems, or for one, whose scores are 0 or 1?"""

from typing import Any

from pages.parts import data, design_page, frame
from pages.parts.form import Choice
from pages.parts.question import Question
from topicset_core.designs import (
    equivalent_shares,
    mcnemar,
    non_inferior_shares,
    paired_shares_interval,
    share_interval,
)

_AIM = Choice(
    "aim",
    "Aim",
    {
        "difference": "detect a difference of two systems",
        "as-good": "show that one is at least as good",
        "equal": "show that they are equally good",
        "interval": "estimate the difference",
        "one": "estimate the share of one system",
    },
    look="radio",
)
_SENTENCES: dict[Any, str] = {
    mcnemar.DESIGN: "to detect with {power:g} % power at the {level:g} % level a difference of **{min_d:.6g}** in "
    "{measure} between two systems by McNemar's test ({mcnemar})",
    non_inferior_shares.DESIGN: "to show non-inferiority (margin **{margin:g}** {measure}, one-sided {level:g} % "
    "level, {power:g} % power) by the score test if the true difference is {true_difference:g}",
    equivalent_shares.DESIGN: "to show equivalence (margin **{margin:g}** {measure}, one-sided {level:g} % level, "
    "{power:g} % power) by two score tests if the true difference is {true_difference:g}",
    paired_shares_interval.DESIGN: "so that Tango's {confidence:g} % interval of the difference of two systems is "
    "expected to be at most **{max_width:g}** {measure} wide at a true difference of {true_difference:g}",
    share_interval.DESIGN: "so that the {confidence:g} % interval ({interval}) of the share of right topics of one "
    "system is expected to be at most **{max_width:g}** {measure} wide",
}


def _sentence(required: Any) -> str:
    return f"{_SENTENCES[required.design]}, with scores of 0 and 1, {{symbol}} = **{{variance:.4g}}** ({{source}})."


def _warn(settings: Question, exact: Any) -> None:
    """Write the notes of the answer, and a warning where the scores in use are others than 0 and 1."""
    told = [f"{note}." for note in exact.notes]
    matrices = data.by_measure().get(settings.measure, []) if settings.variance.estimate is not None else []
    if not all(one.is_binary for one in matrices):
        told.append(
            f"{frame.plain(settings.measure)} has scores other than 0 and 1; this answer is for 0 and 1 only."
        )
    frame.caution(" ".join(told))


design_page.draw("right_or_wrong", *_SENTENCES, choice=_AIM, sentence=_sentence, warn=_warn)
