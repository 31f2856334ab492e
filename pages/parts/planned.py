"""An answer of a design page: request and source answered once, and what its link carries."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, get_args

import streamlit as st

from pages.parts import data, link
from pages.parts.computation import once, shared
from pages.parts.form import NO, YES, Form
from pages.parts.variance_source import LARGEST, SHARES, TYPED, WITHOUT_SCORES, chosen_scores
from topicset_core.analyses.planning import Planned, PlanRequest, Source, Stated, planned
from topicset_core.analyses.planning.request import FIND, OF_GROUPS
from topicset_core.analyses.planning.source import Check, OfSimilar, estimate_named
from topicset_core.analyses.planning.spelled import source_of
from topicset_core.designs import IN_GROUPS, PLANNED, Design, Plan, slug_of
from topicset_core.designs.grouped import COST_GROUP, GROUP_SIZE, if_in_groups
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.errors import InputError
from topicset_core.parameters import (
    BETA,
    CERTAINTY,
    EFFECTIVE_DF,
    MIN_DELTA,
    MOST_TOPICS,
    N_TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import OFFERED


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
OF_SIMILAR = "similar_task"
OF_ONE = "of_one_pair"
"""Names in links: how a variance was estimated, other estimates of the same scores, what the test did on them,
whether all of them are 0 or 1, and whether the variance is of a similar task, or of one pair of runs or one run."""

CARRIED = (link.MEASURE, link.SOURCE, ESTIMATE, OTHERS, CHECK, BINARY, OF_SIMILAR, OF_ONE)
"""What a link has of a source beyond its numbers."""


def _carried(stated: Stated) -> dict[str, link.Value]:
    """Return what a link carries of a source beyond its variance."""
    carried: dict[str, link.Value] = {}
    if stated.effective_df is not None:
        carried[EFFECTIVE_DF.name] = stated.effective_df
    if stated.estimate is not None and estimate_named(stated.estimate.name) is not None:
        carried[ESTIMATE] = stated.estimate.name
    if stated.check is not None:
        carried[CHECK] = " ".join(map(str, stated.check))
    carried |= {name: YES for name, is_so in ((BINARY, stated.binary), (OF_ONE, stated.of_one)) if is_so}
    if stated.similar:
        carried[OF_SIMILAR] = stated.similar
    others = [f"{name}:{float(value)!r}" for name, value in stated.others.items() if value > 0]
    return carried | ({OTHERS: " ".join(others)} if others else {})


def linked_source(variances: Sequence[Parameter]) -> tuple[dict[str, Any], list[link.Complaint]]:
    """Return what a link carries of its source beyond these variances, and complaints about what it cannot use."""
    if not variances:
        rule = "it needs a variance, which this link does not have"
        named = [name for name in CARRIED[2:] if name in st.query_params]
        return {}, [link.not_used(name, st.query_params[name], rule) for name in named]
    more: dict[str, Any] = {}
    complaints: list[link.Complaint] = []
    for name, told in ((BINARY, "binary"), (OF_ONE, "of_one")):
        said, wrong = link.one_of(name, (NO, YES))
        complaints += [] if wrong is None else [wrong]
        if said == YES:
            more[told] = True
    similar, wrong = link.one_of(OF_SIMILAR, get_args(OfSimilar))
    complaints += [] if wrong is None else [wrong]
    if similar:
        more["similar"] = similar
    if ESTIMATE in st.query_params:
        offered = [one for variance in variances for one in OFFERED[variance]]
        chosen, wrong = link.one_of(ESTIMATE, [one.name for one in offered])
        complaints += [] if wrong is None else [wrong]
        if wrong is None:
            more["estimate"] = estimate_named(chosen)
    others = {}
    for text in st.query_params.get(OTHERS, "").split():
        name, _, value = text.rpartition(":")
        try:
            if estimate_named(name) is None:
                raise InputError(OTHERS, text, "must have the name of an estimate before the colon")
            others[name] = link.number(WITHIN_SYSTEM_VARIANCE, value)
        except InputError as error:
            complaints.append(link.not_used(OTHERS, text, f"it {error.rule}"))
    if others:
        more["others"] = others
    if CHECK in st.query_params:
        check = _check_of(st.query_params[CHECK])
        if check is not None:
            more["check"] = check
        else:
            rule = (
                "it must be a design, α, topics, the Type I error, and topics of the test that keeps α, separated "
                "by spaces"
            )
            complaints.append(link.not_used(CHECK, st.query_params[CHECK], rule))
    return more, complaints


def _check_of(text: str) -> Check | None:
    """Return what a test did on scores, as a link has it; None where the text is something else."""
    with suppress(ValueError, OverflowError):
        design, alpha, n_topics, type_one, keeping_topics = text.split()
        check = Check(slug_of(design), float(alpha), int(n_topics), float(type_one), int(keeping_topics))
        is_known = any(one.slug == check.design for one in PLANNED) and 0 < check.alpha < 1
        if is_known and 0 <= check.type_one <= 1 and 0 <= check.keeping_topics <= MOST_TOPICS:
            return check
    return None


def repeated(names: Sequence[str]) -> list[link.Complaint]:
    """Return complaints about values that a link gives several times."""
    result = []
    for name in dict.fromkeys(names):
        first, *others = dict.fromkeys(st.query_params.get_all(name)) or [""]
        if others:
            last = link.shortened(st.query_params[name])
            why = f"the link has several values of {name}, and the last one, {last}, is used"
            result.append(link.not_used(name, first, why))
    return result


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What a link of a plan meets on the page that opens it."""

    designs: Sequence[Design]  # those that its choices leave
    find: str
    has_groups: bool  # whether topics of the scores in use have groups
    is_typed: bool  # whether the variance is in the link, or typed
    is_shares: bool  # whether shares of topics are in its place
    has_df: bool  # whether the degrees of freedom of the variance are known
    finds_topics_only: bool  # whether the page has no choice of what is unknown

    @classmethod
    def now(cls, designs: Sequence[Design], form: Form, *, finds_topics_only: bool) -> "Opened":
        """Return it for the source of the variance that is chosen."""
        choice, groups = chosen_scores(), data.by_measure()
        sources = groups.values() if choice == LARGEST else [groups.get(choice, [])]
        is_known = choice not in WITHOUT_SCORES or choice == data.SIMILAR
        return cls(
            designs=designs,
            find=st.session_state[f"{data.PLANNING}/{FIND.name}"],
            has_groups=any(map(if_in_groups, sources)),
            is_typed=choice == TYPED,
            is_shares=choice == SHARES,
            has_df=is_known or (choice == TYPED and form.kept(EFFECTIVE_DF.name) is not None),
            finds_topics_only=finds_topics_only,
        )

    def unused(self, values: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the names of values that have no use here, each with the reason."""
        no_meaning = f"it has no meaning for {' or '.join(one.name for one in self.designs)}"
        stated = [one.name for one in OF_GROUPS if one.name in values]
        if not any(one in IN_GROUPS for one in self.designs):
            yield from ((name, f"{no_meaning}, which takes no topics in groups") for name in stated)
        elif not self.has_groups and not {GROUP_SIZE.name, COST_GROUP.name} & set(values):
            yield from ((name, f"it needs {GROUP_SIZE.name} or {COST_GROUP.name}") for name in stated)
        elif COST_TOPIC.name in values and COST_GROUP.name not in values:
            yield COST_TOPIC.name, f"it needs {COST_GROUP.name}"
        if EFFECTIVE_DF.name in values and not self.is_typed:
            yield EFFECTIVE_DF.name, "it needs a variance, which this link does not have"
        if self.finds_topics_only:
            given = [] if self.find == FIND.default else [FIND.name]
            given += [name for name in (N_TOPICS.name, CERTAINTY.name) if name in values]
            yield from ((name, "it has no meaning on this page") for name in given)
            return
        has_power = any(one.has_power for one in self.designs)
        find = self.find
        if find == "power" and not has_power:
            yield FIND.name, "confidence intervals have no power"
            find = "topics"
        if find == "difference" and self.is_shares:
            yield FIND.name, "the shares of topics give the difference"
            find = "topics"
        if find == FIND.default and N_TOPICS.name in values:
            yield N_TOPICS.name, f"it needs {FIND.name}={'power' if has_power else 'difference'}"
        differences = [one.difference_parameter.name for one in self.designs]
        solved = {"power": [BETA.name], "difference": [*dict.fromkeys(differences), MIN_DELTA.name]}.get(
            find, []
        )
        yield from ((name, f"{FIND.name}={find} asks for it") for name in solved if name in values)
        if CERTAINTY.name in values:
            if all(one.has_uncertain_variance for one in self.designs):
                yield CERTAINTY.name, f"{no_meaning}, which is sized by the variance of its pilot"
            elif find != FIND.default:
                yield CERTAINTY.name, f"it needs {FIND.name}={FIND.default}"
            elif not self.has_df:
                yield CERTAINTY.name, f"it needs a variance with {EFFECTIVE_DF.name}, its degrees of freedom"


def planned_key(request: PlanRequest, source: Source | None) -> tuple[Any, ...]:
    """Return what tells an answer from all others, as plain values."""
    return "planned", *request.key, *(() if source is None else source.key)


def answered(request: PlanRequest, source: Source | None) -> Planned:
    """Return the answer, which is kept: for the session where it is from scores, else for all users."""
    keep = once if source is not None and source.matrices else shared
    return keep(planned_key(request, source), partial(planned, request, source))
