"""What is asked about pool depth, in plain values: the page and the command ask the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from topicset_core.analyses.pool_depth.designs import (
    HOURS,
    MIN_JUDGED_SHARE,
    MIN_RELEVANT,
    MIN_TAU,
    MINUTES_PER_JUDGMENT,
    MINUTES_PER_TOPIC,
    Budget,
    Choice,
    Effort,
    Floors,
    choose,
)
from topicset_core.analyses.pool_depth.study import LOST_TOPICS, DepthStudy, LostTopics, Request
from topicset_core.designs import Plan, design_named
from topicset_core.designs.results import Method
from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.measures import TREC_EVAL, Conventions, Measure, measure_named
from topicset_core.parameters import BUDGET, Parameter, Setting, SwitchParameter, record_of
from topicset_core.wording import joined

MEASURES_AT_FIRST = ("AP", "nDCG", "Q", "nERR")
NO_BUDGET = "not decided"
POOL_DEPTH = Parameter(
    name="pool_depth",
    symbol="d",
    label="Pool depth",
    help="The depth at which the budget is spent; one of those studied.",
    default=10,
    lower=1,
    integer=True,
)
FULL_POOL = SwitchParameter(
    name="full_pool",
    label="Cost of the pool of all runs (estimated)",
    help="Where more runs than these seem to have been pooled, costs are those of the pool of all of them.",
)


@dataclass(frozen=True, kw_only=True)
class Asked(Inputs):
    """A complete question about pool depth."""

    measures: tuple[str, ...]
    design: str
    planned: tuple[tuple[str, Any], ...]  # values that the design is planned with
    method: Method = "exact"
    depths: tuple[int, ...] | None = None
    conventions: Conventions = TREC_EVAL  # how grades become scores
    lost_topics: LostTopics = given(LOST_TOPICS)
    budget: float | None = given(BUDGET, unless=NO_BUDGET, read_off=True)
    hours: float | None = given(HOURS, unless=NO_BUDGET, read_off=True)
    minutes_per_judgment: float = given(MINUTES_PER_JUDGMENT, read_off=True)
    minutes_per_topic: float = given(MINUTES_PER_TOPIC, read_off=True)
    min_tau: float = given(MIN_TAU, read_off=True)
    min_relevant: float = given(MIN_RELEVANT, read_off=True)
    min_judged_share: float = given(MIN_JUDGED_SHARE, read_off=True)
    pool_depth: int | None = given(POOL_DEPTH, unless="recommended", read_off=True)
    full_pool: bool = given(FULL_POOL, read_off=True)

    @property
    def rule(self) -> Plan:
        """The design without its variance."""
        return design_named(self.design).plan(method=self.method, **dict(self.planned))

    @property
    def effort(self) -> Effort:
        """The time that topics and judgments take."""
        return Effort(
            minutes_per_judgment=self.minutes_per_judgment, minutes_per_topic=self.minutes_per_topic
        )

    @property
    def scored_by(self) -> list[Measure]:
        """The measures with their conventions."""
        return [measure_named(name, self.conventions) for name in self.measures]

    def request(self) -> Request:
        """Return what to study."""
        return Request(
            measures=self.scored_by,
            rule=self.rule,
            depths=self.depths,
            relevance_level=self.conventions.relevance_level,
            lost_topics=self.lost_topics,
        )

    def computed(self) -> Self:
        """Return what the long computation depends on: of the design, only the kind of its variance."""
        return replace(super().computed(), design=self.rule.measured_by.name, planned=(), method="exact")

    def read_off(self, study: DepthStudy) -> tuple[DepthStudy, Choice | None]:
        """Return the study as planned, and the choice among its designs; None without any answer."""
        study = study.planned_by(self.rule)
        study = study.with_full_pool if self.full_pool else study
        designs = study.most_demanding
        if self.pool_depth is not None and all(one.pool_depth != self.pool_depth for one in designs):
            depths = joined([str(one.pool_depth) for one in designs])
            raise InputError(POOL_DEPTH.name, self.pool_depth, f"must be a depth with an answer: {depths}")
        if not designs:
            return study, None
        budget = Budget(judgments=self.budget, hours=self.hours, effort=self.effort)
        floors = Floors(
            min_judged_share=self.min_judged_share, min_tau=self.min_tau, min_relevant=self.min_relevant
        )
        return study, choose(study.designs, budget, floors)

    @property
    def settings(self) -> list[Setting]:
        """The values with their parameters, and those of the design."""
        return self.rule.settings + super().settings

    def record(self) -> dict[str, Any]:
        """Return the question as plain values for JSON and links."""
        return {
            "measures": list(self.measures),
            "design": self.rule.design.name,
            "values": self.rule.numbers,
            "depths": self.depths,
            **record_of(super().settings),
            "method": self.method,
        }


def check_measures(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of measures; refuse none, unknown ones, and one named twice."""
    if not names:
        raise InputError("measures", 0, "must be at least one")
    known = [measure_named(name).name for name in names]
    if len(set(known)) < len(known):
        raise InputError("measures", ", ".join(known), "must be named once each")
    return tuple(names)


def depths_of(text: str) -> tuple[int, ...] | None:
    """Return the depths of a text; None for an empty one."""
    parts = text.replace(",", " ").split()
    whole = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6]
    if len(whole) < len(parts) or len(whole) > 50 or any(not 1 <= depth <= 10_000 for depth in whole):
        raise InputError("depths", text[:80], "must be whole numbers from 1 to 10,000, at most 50")
    return tuple(sorted(set(whole))) or None
