"""The form on reported results."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import link
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number
from topicset_core.analyses.sizing import (
    ReportedResult,
    from_one_way_f,
    from_paired_t,
    from_two_sample_t,
)
from topicset_core.analyses.sizing.replication import BELIEVED, N_AGAIN
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.parameters import (
    ALPHA,
    BETA,
    F_STATISTIC,
    N_SYSTEMS,
    N_TOPICS,
    T_STATISTIC,
    Parameter,
)

PAGE, TEST = "reported", "test"

_N1 = replace(N_TOPICS, symbol="n₁", label="n₁, topics of the first system", default=28)
_N2 = replace(N_TOPICS, name="n_topics_2", symbol="n₂", label="n₂, topics of the second system", default=28)
_T = replace(T_STATISTIC, default=0.953)
_F = replace(F_STATISTIC, default=2.145)


@dataclass(frozen=True)
class ReportedTest:
    """A test that papers report."""

    name: str
    fields: tuple[Parameter, ...]
    new_topics: tuple[Parameter, ...]
    audit: Callable[..., ReportedResult]


def _two_sample(t: float, *, n_topics: int, n_topics_2: int, **settings: Any) -> ReportedResult:
    return from_two_sample_t(t, n_topics=(n_topics, n_topics_2), **settings)


TESTS = {
    "paired-t": ReportedTest(
        paired_t.NAME, (_T, replace(N_TOPICS, default=28), ALPHA, BETA), (N_AGAIN, BELIEVED), from_paired_t
    ),
    "two-sample-t": ReportedTest(
        two_sample_t.NAME, (_T, _N1, _N2, ALPHA, BETA), (N_AGAIN, BELIEVED), _two_sample
    ),
    "one-way-anova": ReportedTest(
        one_way_anova.NAME,
        (_F, replace(N_SYSTEMS, default=2), replace(N_TOPICS, default=5), ALPHA, BETA),
        (N_AGAIN,),
        from_one_way_f,
    ),
}
"""The tests by what links call them."""

_TEST = Choice(TEST, "Reported test", list(TESTS), lambda slug: TESTS[slug].name, look="radio")


def _numbers(slug: str, parameters: tuple[Parameter, ...]) -> tuple[Number, ...]:
    return tuple(Number(one, within=f"{slug}/") for one in parameters)


_FORMS = {
    slug: Form(
        PAGE,
        (_TEST, *_numbers(slug, test.fields), *_numbers(slug, test.new_topics)),
        together=ERROR_PROBABILITIES,
    )
    for slug, test in TESTS.items()
}
"""A form for each test, as their fields differ."""


def ask() -> tuple[str, dict[str, Any]]:
    """Draw the form and return the test, as links call it, and the values."""
    linked, _ = link.one_of(TEST, list(TESTS))
    _FORMS[linked].start()
    slug = _FORMS[linked].draw(_TEST)
    for number in _numbers(slug, TESTS[slug].fields):
        _FORMS[slug].draw(number)
    with st.expander("Prediction for new topics"):
        for number in _numbers(slug, TESTS[slug].new_topics):
            _FORMS[slug].draw(number)
    return slug, _FORMS[slug].values()


def audited(slug: str, settings: dict[str, Any]) -> ReportedResult:
    """Return the audit of the values."""
    test = TESTS[slug]
    names = [one.name for one in (*test.fields[1:], *test.new_topics)]
    return test.audit(settings[test.fields[0].name], **{name: settings[name] for name in names})
