"""How many topics for two systems, or for one, whose scores are 0 or 1?"""

from typing import Any

from pages.parts import design_page, frame
from pages.parts.form import Choice
from pages.parts.planned import Settings
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
    non_inferior_shares.DESIGN: "to show non-inferiority (margin **{margin:g}** in {measure}, one-sided {level:g} "
    "% level, {power:g} % power) by the score test if the true difference is {true_difference:g}",
    equivalent_shares.DESIGN: "to show equivalence (margin **{margin:g}** in {measure}, one-sided {level:g} % "
    "level, {power:g} % power) by two score tests if the true difference is {true_difference:g}",
    paired_shares_interval.DESIGN: "so that Tango's {confidence:g} % interval of the difference of two systems is "
    "expected to be at most **{max_width:g}** wide in {measure} at a true difference of {true_difference:g}",
    share_interval.DESIGN: "so that the {confidence:g} % interval ({interval}) of the share of right topics of one "
    "system is expected to be at most **{max_width:g}** wide in {measure}",
}


def _sentence(required: Any) -> str:
    aim = _SENTENCES[required.design]
    if required.design is share_interval.DESIGN:
        aim = aim.replace("{interval}", share_interval.INTERVAL.options[required.interval])
    return f"{aim}, with scores of 0 and 1, {{symbol}} = **{{variance:.4g}}** ({{source}})."


def _warn(_: Settings, exact: Any) -> None:
    """Write the notes of the answer."""
    frame.caution(" ".join(f"{note}." for note in exact.notes))


design_page.draw("right_or_wrong", *_SENTENCES, choice=_AIM, sentence=_sentence, warn=_warn)
