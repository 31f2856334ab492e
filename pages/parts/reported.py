"""Form and answer of the page on reported results."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import frame, link
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number
from topicset_core.analyses.sizing import (
    ReportedResult,
    from_one_way_f,
    from_paired_t,
    from_two_sample_t,
)
from topicset_core.analyses.sizing.replication import BELIEVED, FIELDS, N_AGAIN, Reality, was_it_real
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
    """A test that papers report.

    Parameters
    ----------
    name : str
        As on its page.
    fields : tuple of Parameter
        Its fields; the defaults are the worked examples of the sources.
    audit : callable
        From the values of the fields to the audit.
    study : callable
        From the values to the size of the study in words.
    """

    name: str
    fields: tuple[Parameter, ...]
    audit: Callable[[dict[str, Any]], ReportedResult]
    study: Callable[[dict[str, Any]], str]


def _probabilities(settings: dict[str, Any]) -> dict[str, float]:
    return {"alpha": settings[ALPHA.name], "beta": settings[BETA.name]}


TESTS = {
    "paired-t": ReportedTest(
        paired_t.NAME,
        (_T, replace(N_TOPICS, default=28), ALPHA, BETA),
        lambda settings: from_paired_t(
            settings["t"], n_topics=settings["n_topics"], **_probabilities(settings)
        ),
        lambda settings: f"{settings['n_topics']:,} topics",
    ),
    "two-sample-t": ReportedTest(
        two_sample_t.NAME,
        (_T, _N1, _N2, ALPHA, BETA),
        lambda settings: from_two_sample_t(
            settings["t"], n_topics=(settings["n_topics"], settings["n_topics_2"]), **_probabilities(settings)
        ),
        lambda settings: f"{settings['n_topics']:,} and {settings['n_topics_2']:,} topics",
    ),
    "one-way-anova": ReportedTest(
        one_way_anova.NAME,
        (_F, replace(N_SYSTEMS, default=2), replace(N_TOPICS, default=5), ALPHA, BETA),
        lambda settings: from_one_way_f(
            settings["f"],
            n_systems=settings["n_systems"],
            n_topics=settings["n_topics"],
            **_probabilities(settings),
        ),
        lambda settings: f"{settings['n_systems']:,} systems, {settings['n_topics']:,} topics each",
    ),
}
"""The tests by what links call them."""


_TEST = Choice(TEST, "Reported test", list(TESTS), lambda slug: TESTS[slug].name, look="radio")
_FIELD = Choice(
    "field",
    "The two systems are",
    {slug: field.name for slug, field in FIELDS.items()},
    help="Observed differences are too large on average; the share that remains depends on the systems.",
)
_AGAIN = replace(N_AGAIN, default=50)
_REAL = (Number(_AGAIN, within="paired-t/"), Number(BELIEVED, within="paired-t/"))
"""The additional fields of a paired t test."""


def _fields_of(slug: str) -> tuple[Any, ...]:
    """Return all fields of the form of a test."""
    own = tuple(Number(one, within=f"{slug}/") for one in TESTS[slug].fields)
    return (_TEST, *own, *((*_REAL, _FIELD) if slug == "paired-t" else ()))


_FORMS = {
    slug: Form(
        PAGE,
        _fields_of(slug),
        together=ERROR_PROBABILITIES,
    )
    for slug in TESTS
}
"""A form for each test, as their fields differ."""


def ask() -> tuple[str, dict[str, Any]]:
    """Draw the form and return the test, as links call it, and the values."""
    linked, _ = link.one_of(TEST, list(TESTS))
    _FORMS[linked].start()
    slug = _FORMS[linked].draw(_TEST)
    form = _FORMS[slug]
    for parameter in TESTS[slug].fields:
        form.draw(Number(parameter, within=f"{slug}/"))
    if slug != "paired-t":
        return slug, form.values()
    with st.expander("Was that difference real?"):
        field = form.draw(_FIELD)
        for number in _REAL:
            form.draw(number)
    return slug, form.values() | {_FIELD.name: field}


def real(slug: str, settings: dict[str, Any]) -> Reality | None:
    """Return the prediction of a paired t test for a new one; None for other tests.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """
    if slug != "paired-t":
        return None
    return was_it_real(
        settings[T_STATISTIC.name],
        n_topics=settings[N_TOPICS.name],
        n_again=settings[N_AGAIN.name],
        field=FIELDS[settings[_FIELD.name]],
        true_effect=settings[BELIEVED.name],
        **_probabilities(settings),
    )


def show_real(result: Reality | None) -> None:
    """Write whether the difference was real."""
    if result is not None:
        with st.container(key="was-it-real"):
            st.markdown(f"**Was that difference real?** {frame.plain(result.sentence)}")


def show(audit: ReportedResult) -> str:
    """Write the answer in sentences; return the first of them, in Markdown."""
    topics, power = audit.replication.required_topics, 1 - audit.replication.requirements.beta
    per_system = "" if audit.test == paired_t.NAME else "per system, "
    text = f"{per_system}to detect an effect of the reported size with {100 * power:g} % power."
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"A replication needs :primary[{topics:,} topics]")
        st.markdown(text)
    name = "(Cohen's f)" if audit.test == one_way_anova.NAME else "standard deviations"
    with st.container(key="evidence"):
        st.markdown(
            f"The effect in the sample is **{audit.effect_size:.4g}** {name}, p = {audit.p_value:.4g}. A study of "
            f"the reported size detects an effect of this size with probability "
            f"**{audit.achieved_power:.3g}**: it {_in_words(audit.achieved_power)}."
        )
    return text


def _in_words(power: float) -> str:
    """Return the meaning of a power in words."""
    if power < 0.5:
        return "is more likely to miss it than to detect it"
    if power < 0.8:
        return "has a substantial probability of missing it"
    return "probably detects it" if power < 0.95 else "detects it with at least 95 % probability"
