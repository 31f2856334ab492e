"""An answer of a design page: request and source answered once, and what its link carries."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from pages.parts import link
from pages.parts.computation import once, shared
from pages.parts.form import YES
from topicset_core.analyses.planning import Planned, PlanRequest, Source, Stated, planned
from topicset_core.analyses.planning.plan import source_of
from topicset_core.analyses.planning.request import FIND
from topicset_core.analyses.planning.source import Check, estimate_named
from topicset_core.designs import Plan
from topicset_core.errors import InputError
from topicset_core.parameters import BETA, EFFECTIVE_DF, MOST_TOPICS, N_TOPICS, WITHIN_SYSTEM_VARIANCE


@dataclass(frozen=True)
class Settings:
    """An answer with what its link carries."""

    planned: Planned
    further: Mapping[str, str] = field(default_factory=dict)
    by_shares: Collection[str] = ()  # names of values that follow from shares, which links carry instead

    @property
    def plan(self) -> Plan:
        """The plan of topics."""
        return self.planned.of_topics

    @property
    def measure(self) -> str:
        """Unit of the difference."""
        return self.planned.measure

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells its answer from all others."""
        return planned_key(self.planned.request, self.planned.source)

    def url(self, **more: str) -> str:
        """Return the full link, which carries request and source, with what else it carries."""
        found, stated = self.planned, source_of(self.planned)
        values = {name: value for name, value in self.plan.values.items() if name not in self.by_shares}
        if found.unknown != "topics":
            solved = BETA if found.unknown == "power" else self.plan.design.difference_parameter
            values = {name: value for name, value in values.items() if name != solved.name}
            values |= {FIND.name: found.unknown, N_TOPICS.name: found.topics}
        source: dict[str, link.Value] = {link.MEASURE: self.measure, link.SOURCE: found.words}
        if stated is not None and not self.by_shares:
            source |= _carried(stated)
        return link.write(values | dict(self.further) | source | more)


ESTIMATE, OTHERS, CHECK, BINARY = "estimate", "other_variances", "on_scores", "scores_are_0_or_1"
"""Names in links: how a variance was estimated, other estimates of the same scores, what the test did on them, and
whether all of them are 0 or 1."""

CARRIED = (link.MEASURE, link.SOURCE, ESTIMATE, OTHERS, CHECK, BINARY)
"""What a link has of a source beyond its numbers."""


def _carried(stated: Stated) -> dict[str, link.Value]:
    """Return what a link carries of a source beyond its variance."""
    carried: dict[str, link.Value] = {}
    if stated.effective_df is not None:
        carried[EFFECTIVE_DF.name] = stated.effective_df
    if stated.estimate is not None:
        carried[ESTIMATE] = stated.estimate.name
    if stated.check is not None:
        carried[CHECK] = " ".join(map(str, stated.check))
    if stated.binary:
        carried[BINARY] = YES
    others = [f"{name}:{float(value)!r}" for name, value in stated.others.items() if value > 0]
    return carried | ({OTHERS: " ".join(others)} if others else {})


def linked_source() -> dict[str, Any]:
    """Return what a link carries of its source beyond its variance; what cannot be read is left out."""
    more: dict[str, Any] = {"binary": True} if st.query_params.get(BINARY) == YES else {}
    estimate = estimate_named(link.text(ESTIMATE))
    if estimate is not None:
        more["estimate"] = estimate
    others = {}
    for text in st.query_params.get(OTHERS, "").split():
        name, _, value = text.rpartition(":")
        with suppress(InputError):
            if estimate_named(name) is not None:
                others[name] = link.number(WITHIN_SYSTEM_VARIANCE, value)
    with suppress(ValueError, OverflowError):
        design, alpha, n_topics, type_one, keeping_topics = st.query_params.get(CHECK, "").split()
        check = Check(design, float(alpha), int(n_topics), float(type_one), int(keeping_topics))
        if 0 <= check.type_one <= 1 and 0 <= check.keeping_topics <= MOST_TOPICS:
            more["check"] = check
    return more | ({"others": others} if others else {})


def planned_key(request: PlanRequest, source: Source | None) -> tuple[Any, ...]:
    """Return what tells an answer from all others, as plain values."""
    return "planned", *request.key, *(() if source is None else source.key)


def answered(request: PlanRequest, source: Source | None) -> Planned:
    """Return the answer, which is kept: for the session where it is from scores, else for all users."""
    keep = once if source is not None and source.matrices else shared
    return keep(planned_key(request, source), partial(planned, request, source))
