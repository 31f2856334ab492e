"""How many topics does a replication of a reported t or F need?"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from pages.parts import export_drawer, figure, frame, link
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number
from topicset_core.analyses.sizing import (
    ReportedResult,
    from_one_way_f,
    from_paired_t,
    from_two_sample_t,
    reported_report,
)
from topicset_core.analyses.sizing.replication import BELIEVED, N_AGAIN
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA, F_STATISTIC, N_SYSTEMS, N_TOPICS, T_STATISTIC, Parameter

_PAGE, _NAME = "reported", "test"

_N1 = replace(N_TOPICS, symbol="n₁", label="n₁, topics of the first system", default=28)
_N2 = replace(N_TOPICS, name="n_topics_2", symbol="n₂", label="n₂, topics of the second system", default=28)
_T = replace(T_STATISTIC, default=0.953)
_F = replace(F_STATISTIC, default=2.145)


class _ReportedTest(NamedTuple):
    """A test that papers report."""

    name: str
    fields: tuple[Parameter, ...]
    new_topics: tuple[Parameter, ...]
    audit: Callable[..., ReportedResult]


_TESTS = {
    "paired-t": _ReportedTest(
        paired_t.NAME, (_T, replace(N_TOPICS, default=28), ALPHA, BETA), (N_AGAIN, BELIEVED), from_paired_t
    ),
    "two-sample-t": _ReportedTest(
        two_sample_t.NAME,
        (_T, _N1, _N2, ALPHA, BETA),
        (N_AGAIN, BELIEVED),
        lambda t, n_topics, n_topics_2, **more: from_two_sample_t(t, n_topics=(n_topics, n_topics_2), **more),
    ),
    "one-way-anova": _ReportedTest(
        one_way_anova.NAME,
        (_F, replace(N_SYSTEMS, default=2), replace(N_TOPICS, default=5), ALPHA, BETA),
        (N_AGAIN,),
        from_one_way_f,
    ),
}
"""The tests by what links call them."""

_TEST = Choice(_NAME, "Reported test", list(_TESTS), lambda slug: _TESTS[slug].name, look="radio")


def _numbers(slug: str, parameters: tuple[Parameter, ...]) -> tuple[Number, ...]:
    return tuple(Number(one, within=f"{slug}/", is_short=True) for one in parameters)


_FORMS = {
    slug: Form(
        _PAGE,
        (_TEST, *_numbers(slug, test.fields), *_numbers(slug, test.new_topics)),
        together=ERROR_PROBABILITIES,
    )
    for slug, test in _TESTS.items()
}
"""A form for each test, as their fields differ."""


def _ask() -> tuple[str, dict[str, Any]]:
    """Draw the form and return the test, as links call it, and the values."""
    linked, _ = link.one_of(_NAME, list(_TESTS))
    _FORMS[linked].start()
    slug = _FORMS[linked].draw(_TEST)
    for number in _numbers(slug, _TESTS[slug].fields):
        _FORMS[slug].draw(number)
    with st.expander("Prediction for new topics"):
        for number in _numbers(slug, _TESTS[slug].new_topics):
            _FORMS[slug].draw(number)
    return slug, _FORMS[slug].values()


def _is_example(slug: str, settings: dict[str, Any]) -> bool:
    """Return whether nobody has entered a result: the values are those that the page begins with."""
    return all(settings[one.name] == one.start({}) for one in _numbers(slug, _TESTS[slug].fields))


def _audited(slug: str, settings: dict[str, Any]) -> ReportedResult:
    """Return the audit of the values."""
    test = _TESTS[slug]
    names = [one.name for one in (*test.fields[1:], *test.new_topics)]
    return test.audit(settings[test.fields[0].name], **{name: settings[name] for name in names})


frame.begin("reported_result")
form, result = frame.form_and_answer()

with form:
    slug, settings = _ask()

with result:
    with frame.refusing(str, (InputError, NoSolution)):
        audit = _audited(slug, settings)
    exported = reported_report.reported_report(audit)
    figure.show(reported_report.power_of_replication(audit))
    frame.show_answer(exported, is_example=_is_example(slug, settings))
    url = link.write({_NAME: slug} | settings)
    link.offer(url)
    evidence, numbers = frame.tabs("Answer", "Numbers")
    with evidence:
        frame.show_findings(exported)
    if frame.is_drawn(numbers):
        with numbers:
            frame.table(reported_report.audit_table(audit), alt="The audit in numbers", width="content")
    export_drawer.draw(exported, link=url)
    frame.explain("reported_result")
