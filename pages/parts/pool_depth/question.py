"""A question about pool depth: measures, design, depths, conventions, budget."""

from dataclasses import dataclass
from typing import Any

from pages.parts import link
from topicset_core.analyses.pool_depth import LostTopics, Request
from topicset_core.analyses.sizing import TopicsRule, topics_rule
from topicset_core.designs import DESIGNS, one_way_anova
from topicset_core.errors import InputError
from topicset_core.measures import Conventions, Measure, measure_named
from topicset_core.measures.gains import Gains

OFFERED = {
    design.name: design for design in sorted(DESIGNS, key=lambda design: design is not one_way_anova.DESIGN)
}
"""The designs as the form lists them: it opens with ANOVA, as the study of Sakai (2016) did."""

ASKED_FOR = "pool/asked-for"
"""Key of the question that was asked last; without it the study is made again where it has no answer."""


@dataclass(frozen=True)
class Question:
    """A complete question.

    Parameters
    ----------
    measures : tuple of str
        Names; the first is planned with.
    design : str
        Name of the design.
    values : tuple of (str, float)
        What the design takes in addition to the variance.
    depths : tuple of int or None
        Pool depths; None for those that suit the data.
    relevance_level : int
        Lowest relevant grade.
    gains : {"linear", "exponential"}
        Of nDCG and Q.
    lost_topics : {"zero", "drop"}
        What becomes of topics without a relevant document.
    budget : float or None
        Judgments that can be made; None for the cheapest design.
    """

    measures: tuple[str, ...] = ("AP", "nDCG", "Q", "nERR")
    design: str = one_way_anova.NAME
    values: tuple[tuple[str, float], ...] = tuple(
        (p.name, p.default) for p in one_way_anova.DESIGN.parameters
    )
    depths: tuple[int, ...] | None = None
    relevance_level: int = 1
    gains: Gains = "linear"
    lost_topics: LostTopics = "zero"
    budget: float | None = None

    def rule(self) -> TopicsRule:
        """Return the design without its variance."""
        values: dict[str, Any] = dict(self.values)
        return topics_rule(self.design, **values)

    def request(self) -> Request:
        """Return what the core is asked."""
        return Request(
            measures=self.scored_by(),
            rule=self.rule(),
            depths=self.depths,
            relevance_level=self.relevance_level,
            lost_topics=self.lost_topics,
        )

    def scored_by(self) -> list[Measure]:
        """Return the measures with their conventions."""
        conventions = Conventions(relevance_level=self.relevance_level, gains=self.gains)
        return [measure_named(name, conventions) for name in self.measures]

    def url(self) -> str:
        """Return the full link; runs and judgments are not in it."""
        asked: dict[str, link.Value] = {"measure": list(self.measures), "design": self.design}
        asked |= dict(self.values) | {"relevance_level": self.relevance_level, "gains": self.gains}
        asked["lost_topics"] = self.lost_topics
        if self.depths is not None:
            asked["depths"] = written(self.depths)
        if self.budget is not None:
            asked["budget"] = self.budget
        return link.write(asked)


def check(question: Question) -> None:
    """Raise for what does not go together."""
    question.rule()
    if not question.measures:
        raise InputError("measures", 0, "must be at least one")
    names = [measure.name for measure in question.scored_by()]
    if len(set(names)) < len(names):
        raise InputError("measures", ", ".join(names), "must be named once each")


def depths_of(text: str) -> tuple[int, ...] | None:
    """Return the depths of a text; None for an empty one.

    Raises
    ------
    InputError
        If it is not whole numbers from 1 to 10,000, at most 50.
    """
    parts = text.replace(",", " ").split()
    whole = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6]
    if len(whole) < len(parts) or len(whole) > 50 or any(not 1 <= depth <= 10_000 for depth in whole):
        raise InputError("depths", link.shown(text), "must be whole numbers from 1 to 10,000, at most 50")
    return tuple(sorted(set(whole))) or None


def written(depths: tuple[int, ...]) -> str:
    """Write depths as a link and the form have them."""
    return ", ".join(map(str, depths))
