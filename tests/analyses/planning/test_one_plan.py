"""One question has one answer: in Python, in a terminal, in each export, and again from the command that it names.

Each case states what is asked by itself, once as a request and once as the options of a command, so that the
command does not repeat what planning made of the request. Expected numbers are those of `planned`; that these are
right is tested where the designs are.
"""

import csv
import io
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import openpyxl
import pytest

import topicset_core as topicset
from tests.cli import running
from topicset_core.analyses.planning import (
    Planned,
    PlanRequest,
    Scores,
    Shares,
    Similar,
    Source,
    Stated,
    plan,
    planned,
)
from topicset_core.analyses.planning.report import report
from topicset_core.analyses.planning.request import GIVEN_TOPICS
from topicset_core.analyses.planning.source import Check
from topicset_core.analyses.planning.spelled import call_of, command_of
from topicset_core.designs import IN_GROUPS, PLANNED, Design, paired_t
from topicset_core.designs.grouped import COST_GROUP, GROUP_SIZE, GROUP_SIZE_CV, INTRACLASS_CORRELATION
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.exports.tables import csv_bytes
from topicset_core.parameters import (
    BETA,
    CERTAINTY,
    DIFFERENCE_VARIANCE,
    EFFECTIVE_DF,
    MIN_DELTA,
    SHARES,
    WITHIN_SYSTEM_VARIANCE,
)
from topicset_core.samples import simulated_task
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import STATED_VARIANCES
from topicset_core.variance.atlas import FEWEST_PILOT_TOPICS, SIMILAR_TO

TASK, DF, PAPER = "dl-passage:nDCG@10", 20.0, STATED_VARIANCES[0]
OF_GROUPS = (GROUP_SIZE, INTRACLASS_CORRELATION)
GROUPS: dict[str, Any] = {GROUP_SIZE.name: 6, INTRACLASS_CORRELATION.name: 0.15}
CONVERSATIONS = simulated_conversations()
UNEQUAL = [
    topic
    for at, group in enumerate(dict.fromkeys(CONVERSATIONS.groups or ()))
    for topic in [one for one in CONVERSATIONS.topics if one.startswith(group)][: 3 + at % 10]
]
"""Topics of conversations of 3 to 12 turns."""
SCORES = {
    "scores": simulated_task()[0],
    "conversations": CONVERSATIONS,
    "unequal conversations": CONVERSATIONS.select(UNEQUAL, CONVERSATIONS.systems),
}
OF_SCORES = {name: Scores(matrices=(matrix,)) for name, matrix in SCORES.items()}
"""They are kept, as their intervals leave out each topic in turn."""
SOURCES = ("stated", "stated with df", "similar", "paper", "shares", *SCORES)
SLOW = {
    "looks": ("stated with df", "conversations"),
    "paired-shares-ci": ("stated with df", "shares"),
    "non-inferior-shares": ("stated with df", "similar", "shares"),
    "equivalent-shares": ("stated with df", "shares"),
}
"""Designs whose answers take long, with the sources of their cases."""


@dataclass(frozen=True)
class Case:
    """A design, where its variance is from, and whether groups are stated."""

    design: Design
    source: str
    in_groups: bool = False

    @property
    def name(self) -> str:
        """The name of the test."""
        return f"{self.design.slug}, {self.source}{', in groups' * self.in_groups}"

    @property
    def values(self) -> dict[str, Any]:
        """The start values of a form, and the first words of its choices."""
        numbers = {
            one.name: int(one.default) if one.integer else one.default for one in self.design.parameters
        }
        return numbers | {one.name: one.default for one in self.design.choices}

    def given(self, unknown: str) -> dict[str, Any]:
        """Return the values without the unknown one, and without those that shares give."""
        solved = {"difference": self.design.difference_parameter.name, "power": BETA.name}.get(unknown)
        shares = self.shares if self.source == "shares" else ()
        of_shares = self.design.of_shares(shares) if shares else {}
        return {
            name: value for name, value in self.values.items() if name != solved and name not in of_shares
        }

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of a form of this design."""
        return tuple(float(one.default) for one in self.design.shares)

    @property
    def groups(self) -> dict[str, Any]:
        """What is stated of groups."""
        return GROUPS if self.in_groups else {}

    @cache  # noqa: B019 - cases are those of this file
    def planned(self, unknown: str = "topics", n: int | None = None) -> Planned:
        """Return the answer of planning, which computes its parts once for all tests of the case."""
        values = self.given(unknown)
        if self.source == "shares":  # pages and commands give the difference of the shares along
            of_shares = self.design.of_shares(self.shares)
            values |= {
                one.name: of_shares[one.name] for one in self.design.parameters if one.name in of_shares
            }
        return planned(
            PlanRequest(design=self.design, values=values, n_topics=n, **self.groups), source_of(self)
        )

    def options(self, unknown: str = "topics", n: int | None = None) -> dict[str, Any]:
        """Return what a user gives to a command, by option."""
        declared = {one.name: one.option for one in (*self.design.parameters, *self.design.choices)}
        stated = {one.option: self.groups[one.name] for one in OF_GROUPS if self.in_groups}
        of_source: dict[str, dict[str, Any]] = {
            "stated": {self.design.variance.option: self.design.variance.default},
            "similar": {SIMILAR_TO.option: TASK},
            "paper": {WITHIN_SYSTEM_VARIANCE.option: PAPER.variance},
            "shares": {SHARES.option: list(self.shares)},
        }
        of_source["stated with df"] = of_source["stated"] | {EFFECTIVE_DF.option: DF}
        source = of_source.get(self.source, {"--scores": SCORES.get(self.source)})
        asked: dict[str, Any] = {} if n is None else {GIVEN_TOPICS.option: n}
        values = {declared[name]: value for name, value in self.given(unknown).items() if value is not None}
        return values | source | stated | asked


def source_of(case: Case) -> Source:
    """Return the source of a case."""
    if case.source in SCORES:
        return OF_SCORES[case.source]
    stated: dict[str, float] = {case.design.variance.name: float(case.design.variance.default)}
    if case.source == "shares":
        return Shares(shares=case.shares)
    return {
        "stated": Stated(values=stated),
        "stated with df": Stated(values=stated, effective_df=DF),
        "similar": Similar(name=TASK),
        "paper": Stated.in_paper(PAPER),
    }[case.source]


def _cases() -> Iterator[Case]:
    for design in PLANNED:
        for source in SLOW.get(design.slug, SOURCES):
            # A paper states the variance of one system; shares are of scores of 0 and 1.
            if source == "paper" and design.variance not in (WITHIN_SYSTEM_VARIANCE, DIFFERENCE_VARIANCE):
                continue
            if source == "shares" and not design.shares:
                continue
            if source.startswith("unequal") and design not in IN_GROUPS:
                continue
            yield Case(design, source)
        if design in IN_GROUPS:
            yield Case(design, "stated with df", in_groups=True)
            yield Case(design, "conversations", in_groups=True)


CASES = [*_cases()]
GIVEN = [
    one
    for one in CASES
    if one.source == "stated with df"
    or (one.source == "conversations" and one.design in IN_GROUPS and not one.in_groups)
]
"""Cases that are asked for difference and power, too: of independent topics, and of groups stated and found."""
ONE_EACH = [one for one in CASES if one.source == "stated with df" and not one.in_groups]


@pytest.fixture(autouse=True)
def _no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the test does on the scores: it is simulated, and changes no number of topics."""
    monkeypatch.setattr(plan.Planned, "validity", None)


def _named(cases: list[Case], *, is_slow: bool = False) -> pytest.MarkDecorator:
    """Return a test of each case; `is_slow` where designs with slow answers take over a second."""
    slow = pytest.mark.slow
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(one, id=one.name, marks=[slow] if is_slow and one.design.slug in SLOW else [])
            for one in cases
        ],
    )


def in_python(case: Case, unknown: str = "topics", n: int | None = None) -> dict[str, Any]:
    """Return the record of the function of Python."""
    options = case.options(unknown, n).items()
    keywords = {name.removeprefix("--").replace("-", "_"): value for name, value in options}
    size: Any = topicset.size  # its type has a literal of each option
    return dict(size(case.design.slug, **keywords).record)


def counted_in(record: Mapping[str, Any]) -> int:
    """Return what a record counts: groups, or topics."""
    return int(record.get("required_groups", record["required_topics"]))


def interval_in(record: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Return the interval of what was asked for, by a record."""
    unit = "groups" if "required_groups" in record else "topics"
    asked = f"{unit}_interval"
    if record["unknown"] != "topics":
        names = [f"{name}_interval" for name in ("power", "min_d", "expected_width", "margin")]
        asked = next((name for name in names if name in record), "")
    found = record.get(asked)
    return None if found is None else tuple(found)


def interval_of(found: Planned) -> tuple[Any, Any] | None:
    """Return the interval of what was asked for, by planning."""
    if found.unknown != "topics":
        return found.at_ends
    return None if found.uncertain is None else found.uncertain.topics_interval


def is_known_too_little(found: Planned) -> bool:
    """Return whether a source is worth too few pilot topics for a single number: degrees of freedom and one."""
    own = found.uncertain
    return own is not None and own.interval.effective_df < FEWEST_PILOT_TOPICS - 1


def headline_of(found: Planned) -> str:
    """Return number and interval as they are to be read, from the numbers."""
    n, ends, units = found.topics, interval_of(found), found.result.units
    if ends is None or ends[0] == ends[1]:
        return f"{n:,} {units}"
    if is_known_too_little(found):
        return f"{ends[0]:,} to {ends[1]:,} {units}"
    return f"{n:,} {units} ({ends[0]:,} to {ends[1]:,})"


def attained_by(case: Case, found: Planned) -> dict[str, float]:
    """Return what was asked for beside topics, by its name in a record."""
    return {
        "topics": {},
        "power": {"power": found.result.attained},
        "difference": {case.design.detected_name: found.plan.difference},
    }[found.unknown]


def same(record: Mapping[str, Any], case: Case, found: Planned) -> None:
    """Assert that a record has number, interval and what was asked for."""
    assert (counted_in(record), record["unknown"]) == (found.topics, found.unknown)
    for name, value in attained_by(case, found).items():
        assert record[name] == pytest.approx(value, rel=1e-9)
    interval = interval_of(found)
    assert interval_in(record) == (None if interval is None else pytest.approx(interval, rel=1e-9))
    if found.uncertain is not None:
        known = record.get("variance_of_group_means", record["variance"])
        own = found.uncertain.interval
        for name in ("low", "high", "effective_df"):
            assert known["interval"][name] == pytest.approx(getattr(own, name), rel=1e-9)


@_named(CASES)
def test_python_and_exports_have_the_number_of_planning(case: Case) -> None:
    found = case.planned()
    same(in_python(case), case, found)
    exported, headline = report(found), headline_of(found)
    same(exported.answers[0], case, found)
    assert exported.title.endswith(f": {headline}")
    assert exported.sentence.startswith(f"With n = {headline}")
    assert dict(zip(*exported.answer().values(), strict=True))["answer"] == exported.cautioned
    for text in exported.text:
        assert f"With n = {headline}" in text


@_named(CASES)
def test_the_command_of_an_answer_gives_it_again(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    found = case.planned()
    same(again(capsys, found), case, found)


def again(capsys: pytest.CaptureFixture[str], found: Planned) -> dict[str, Any]:
    """Return the record of the command that an answer names."""
    program, *arguments = shlex.split(command_of(found))
    assert program == "topicset"
    return running.record(capsys, *arguments)


@_named([*ONE_EACH, *(one for one in CASES if one.source == "shares" or one.design.slug == "paired-t")])
def test_the_call_of_an_answer_gives_it_again(case: Case) -> None:
    found = case.planned()
    names: dict[str, Any] = {}
    head, call, tail = call_of(found).partition("topicset.size(")
    exec(f"{head}answer = {call}{tail}", names)
    same(names["answer"].record, case, found)


@_named(GIVEN, is_slow=True)
def test_what_topics_give_is_one_answer_too(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """The difference and the power of the topics that were asked for."""
    n = case.planned().topics
    for unknown in ("difference", *(["power"] if case.design.has_power else [])):
        found = case.planned(unknown, n)
        assert (found.unknown, found.topics) == (unknown, n)
        same(in_python(case, unknown, n), case, found)
        same(again(capsys, found), case, found)


@_named(GIVEN, is_slow=True)
def test_what_topics_give_meets_what_they_were_asked_for(case: Case) -> None:
    """The topics detect a difference no larger than the asked one, and fewer would not."""
    found = case.planned()
    n, asked = found.topics, found.plan.difference
    detected = case.planned("difference", n)
    assert detected.plan.difference <= asked * (1 + 1e-9)
    fewer = float(found.plan.detected(n - 1))
    assert fewer > asked * (1 - 1e-9)
    attained = float(detected.plan.attained(n))
    if case.design.has_power:
        assert attained >= found.result.target - 1e-6
        assert case.planned("power", n).result.attained == pytest.approx(found.result.attained, rel=1e-9)
    else:
        assert attained == pytest.approx(detected.plan.difference, rel=1e-9)
        assert attained == pytest.approx(found.result.attained, rel=1e-9)


@pytest.mark.parametrize(
    ("slug", "n", "power"),
    [
        # The normal quantile of 2000 topics is 14; that of 60 topics for the margin is below 0.
        ("paired-t", 2000, 1.0),
        ("equivalence", 60, 4.2e-5),
        # All 3 topics discordant the same way give a p-value of 2 / 2^3.
        ("mcnemar", 3, 0.0),
    ],
)
def test_a_power_that_nobody_can_require_is_told(
    slug: str, n: int, power: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is above 1 - 1e-9, or below alpha."""
    case = next(one for one in ONE_EACH if one.design.slug == slug)
    found = case.planned("power", n)
    assert found.result.attained == pytest.approx(power, rel=0.02)
    same(in_python(case, "power", n), case, found)
    same(again(capsys, found), case, found)


def test_a_type_i_error_of_a_link_is_that_of_its_design_and_alpha() -> None:
    values = {"alpha": 0.05, "beta": 0.2, "min_d": 0.1}
    source = Stated(values={"difference_variance": 0.05})
    topics = planned(PlanRequest(design=paired_t.DESIGN, values=values), source).topics
    assert topics == 42  # of (alpha, beta, minD, sigma_d^2) = (.05, .20, .10, .05)
    check = Check("paired-t", 0.05, topics, 0.07, 60)
    of_plan = replace(source, check=check)
    assert planned(PlanRequest(design=paired_t.DESIGN, values=values), of_plan).check == check
    for other in (
        replace(of_plan, check=check._replace(design="two-sample-t")),
        replace(of_plan, check=check._replace(alpha=0.01)),
        replace(of_plan, check=check._replace(n_topics=43)),
    ):
        assert planned(PlanRequest(design=paired_t.DESIGN, values=values), other).check is None


@pytest.mark.parametrize("design", [one for one in PLANNED if one.takes_effects], ids=lambda one: one.slug)
def test_an_effect_is_one_answer_with_a_variance_and_without(
    design: Design, capsys: pytest.CaptureFixture[str]
) -> None:
    values = Case(design, "stated").values
    values = {name: value for name, value in values.items() if name != design.difference_parameter.name}
    request = PlanRequest(design=design, values=values | {MIN_DELTA.name: 0.6})
    stated = Stated(values={design.variance.name: 0.05}, effective_df=DF)
    alone, of_variance = planned(request), planned(request, stated)
    assert alone.topics == of_variance.topics
    for found in (alone, of_variance):
        assert counted_in(again(capsys, found)) == alone.topics


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "published"},
        {GROUP_SIZE.name: 5, INTRACLASS_CORRELATION.name: 0.1, COST_GROUP.name: 8.0, COST_TOPIC.name: 2.0},
        {INTRACLASS_CORRELATION.name: 0.1, COST_GROUP.name: 8.0, COST_TOPIC.name: 2.0},
        {GROUP_SIZE.name: 5, GROUP_SIZE_CV.name: 0.4, INTRACLASS_CORRELATION.name: 0.1},
        {CERTAINTY.name: 0.95},
    ],
    ids=["Excel tool", "groups with costs", "cheapest groups", "groups of unequal sizes", "certainty"],
)
def test_what_else_is_asked_is_in_the_command(
    asked: Mapping[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    case = next(one for one in ONE_EACH if one.design.slug == "paired-t")
    found = planned(PlanRequest.of(asked, design=case.design, values=case.values), source_of(case))
    record = again(capsys, found)
    same(record, case, found)
    for name, value in asked.items():
        assert record.get(name, value) == value
    if CERTAINTY.name in asked:
        assert found.assured is not None
        assert record["assurance"]["topics_for_certainty"] == found.assured.topics_for_certainty


def test_few_pilot_topics_give_the_interval_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Five degrees of freedom are worth six pilot topics, fewer than ten."""
    case = next(one for one in ONE_EACH if one.design.slug == "paired-t")
    stated = Stated(values={case.design.variance.name: 0.1}, effective_df=5.0)
    found = planned(PlanRequest(design=case.design, values=case.values), stated)
    assert found.uncertain is not None
    low, high = found.uncertain.topics_interval
    shown = f"{low:,} to {high:,} topics"
    exported = report(found)
    assert exported.title.endswith(f": {shown}")
    assert exported.sentence.startswith(f"With n = {shown}, ")
    assert f"With n = {shown}, " in exported.text[0]
    _, *arguments = shlex.split(command_of(found))
    assert running.text(capsys, *arguments).startswith(f"{shown}  (")
    same(again(capsys, found), case, found)


@_named(ONE_EACH, is_slow=True)
def test_a_terminal_and_the_tables_have_the_number(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    found = case.planned()
    words = [str(one) for option, value in case.options().items() for one in (option, value)]
    printed = running.text(capsys, "size", case.design.slug, *words)
    assert printed.startswith(f"{headline_of(found)}  (")
    exported = report(found)
    table = exported.tables[0]
    assert table.file.endswith("by-difference")
    header, *rows = csv.reader(io.StringIO(csv_bytes(table.columns()).decode("utf-8-sig")))
    column = header.index(found.plan.label)
    at = [row for row in rows if float(row[0]) == pytest.approx(found.plan.difference, rel=1e-9)]
    assert [int(row[column]) for row in at] == [found.topics]
    workbook = openpyxl.load_workbook(io.BytesIO(exported.workbook()))
    answers = {name.value: value.value for name, value in workbook["Answer"].iter_rows(max_col=2)}
    assert answers["answer"] == exported.cautioned
    assert exported.cautioned.startswith(f"With n = {headline_of(found)}")
