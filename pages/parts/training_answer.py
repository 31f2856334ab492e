"""All that follows from an experiment, found once and kept with it."""

from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from pages.parts import link
from pages.parts.training_form import Asked
from pages.parts.training_sweeps import PAGE
from topicset_core.analyses.training_sensitivity import (
    Agreement,
    CompletenessDesign,
    CurvePoint,
    Recommendation,
    ShallowTraining,
    TrainingSensitivity,
    agreements,
    cheapest_sentence,
    completeness_designs,
    curves,
    recommendation,
)
from topicset_core.analyses.variance_topics import topics_rule
from topicset_core.parameters import ALPHA, BETA

_KEPT = f"{PAGE}/answered"


@dataclass(frozen=True)
class Answered:
    """The question, what was found for it, and what follows; each is made when it is first asked for."""

    asked: Asked
    found: TrainingSensitivity
    shallow: tuple[ShallowTraining, ...]

    @cached_property
    def recommendation(self) -> Recommendation:
        """What to train by."""
        return recommendation(self.found)

    @property
    def yours(self) -> str:
        """The alternative that is looked at: the recommended one, else the first."""
        measure = self.recommendation.measure
        return measure if measure != self.found.reference else self.found.alternatives[0]

    @cached_property
    def curves(self) -> tuple[CurvePoint, ...]:
        """Figure 2."""
        return curves(self.found)

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """Figure 3."""
        return agreements(self.found)

    @cached_property
    def designs(self) -> tuple[CompletenessDesign, ...]:
        """Topics against judgments, by a paired t test."""
        return completeness_designs(
            self.found,
            lambda d: topics_rule("paired-t", alpha=ALPHA.default, beta=BETA.default, min_d=d),
            self.asked.min_d,
        )

    @property
    def cheapest(self) -> str:
        """What the cheapest design takes."""
        return cheapest_sentence(self.designs, self.found.reference, self.asked.min_d)

    @property
    def has_designs(self) -> bool:
        """Whether any level has a number of topics."""
        return any(one.total_judgments for one in self.designs)

    @property
    def said(self) -> str:
        """The answer in words."""
        return f"{self.recommendation.sentence} {self.cheapest}"


def answered(asked: Asked, found: TrainingSensitivity, shallow: tuple[ShallowTraining, ...]) -> Answered:
    """Return what follows, with all that was made of it before.

    Parameters
    ----------
    asked : Asked
        The question.
    found : TrainingSensitivity
        The answer, or its first levels.
    shallow : tuple of ShallowTraining
        Trainings on shallower pools; none yet where levels are missing.
    """
    kept: Answered | None = st.session_state.get(_KEPT)
    if kept is None or kept.found is not found:
        kept = st.session_state[_KEPT] = Answered(asked, found, shallow)
    elif kept.asked.min_d != asked.min_d:  # all else stays as it was found
        known = {
            name: value
            for name, value in vars(kept).items()
            if name not in ("designs", "asked", "found", "shallow")
        }
        new = replace(kept, asked=asked)
        vars(new).update(known)
        kept = st.session_state[_KEPT] = new
    return kept


def url(asked: Asked, looked: dict[str, str]) -> str:
    """Return the full link; it carries the question, not the sweep."""
    return link.write(dict(asked.written) | looked)
