"""Form and answer of the page on reported results."""

from dataclasses import replace

import streamlit as st

from pages.parts import downloads
from topicset_core.analyses.reported_result import ReportedResult
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.parameters import ALPHA, BETA, F_STATISTIC, N_SYSTEMS, N_TOPICS, T_STATISTIC, Parameter

_FIRST = replace(N_TOPICS, default=28)
_SECOND = replace(
    N_TOPICS, name="n_topics_2", symbol="n₂", label="n₂, topics of the second system", default=28
)
_T = replace(T_STATISTIC, default=0.953)
_F = replace(F_STATISTIC, default=2.145)
_FEW_SYSTEMS = replace(N_SYSTEMS, default=2)

FIELDS: dict[str, tuple[Parameter, ...]] = {
    paired_t.NAME: (_T, _FIRST, ALPHA, BETA),
    two_sample_t.NAME: (
        _T,
        replace(_FIRST, symbol="n₁", label="n₁, topics of the first system"),
        _SECOND,
        ALPHA,
        BETA,
    ),
    one_way_anova.NAME: (_F, _FEW_SYSTEMS, replace(N_TOPICS, default=5), ALPHA, BETA),
}
"""The fields of each test; the defaults are the worked examples of the sources."""


def ask(test: str) -> dict[str, float]:
    """Draw the form of a test; everything is cheap, so it answers as one types."""
    asked: dict[str, float] = {}
    for field in FIELDS[test]:
        place = st.container(gap="xxsmall")
        asked[field.name] = place.number_input(
            field.label,
            value=int(field.default) if field.integer else float(field.default),
            step=int(field.step) if field.integer else float(field.step),
            format=None if field.integer else "%.6g",
            key=f"reported/{test}/{field.name}",
        )
        place.markdown(f":small[:gray[{field.help}]]")
    return asked


def show(audit: ReportedResult, power_wanted: float) -> None:
    """Write the answer in sentences, then as a table to take home."""
    replication = audit.replication
    per_system = "" if audit.test == paired_t.NAME else " per system"
    with st.container(gap="xxsmall"):
        st.markdown(f"# A replication needs :primary[{replication.required_topics:,} topics]")
        st.markdown(
            f"{per_system} to find an effect of the reported size with {100 * power_wanted:g} % power.".strip()
        )
    name = "f" if audit.test == one_way_anova.NAME else "standard deviations"
    st.markdown(
        f"The effect in the sample is **{audit.effect_size:.4g}** {name}, p = {audit.p_value:.4g}. A study of the "
        f"reported size finds an effect so large with probability **{audit.achieved_power:.3g}**: it "
        f"{_in_words(audit.achieved_power)}."
    )
    rows = {
        "quantity": ["statistic", "p value", "effect size", "achieved power", "topics for a replication"],
        "value": [
            audit.statistic,
            audit.p_value,
            audit.effect_size,
            audit.achieved_power,
            float(replication.required_topics),
        ],
    }
    st.dataframe(rows, hide_index=True, width="content", alt="The audit in numbers")
    downloads.csv("Audit, CSV", lambda: rows, name="reported-result", key="reported/csv")


def _in_words(power: float) -> str:
    """Say what a power means to someone who plans."""
    if power < 0.5:
        return "is more likely to miss it than to find it"
    if power < 0.8:
        return "has a good chance to miss it"
    return "will probably find it" if power < 0.95 else "almost surely finds it"
