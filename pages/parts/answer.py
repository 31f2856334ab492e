"""The answer of a design page in words: the number, what it means, the published number beside it."""

import streamlit as st

from topicset_core.designs.results import PowerResult, WidthResult, rounded


def number(topics: int, sentence: str) -> None:
    """Write the one large number of the page, in a sentence."""
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# You need :primary[{topics:,} topics]")
        st.markdown(sentence)


def evidence(result: PowerResult | WidthResult) -> None:
    """Say what one topic fewer would do."""
    wanted = result.requirements
    if isinstance(result, WidthResult):
        attained = f"an expected width of {_width(result.attained_width, wanted.max_width)}"
        fewer = result.width_one_topic_fewer
        with_fewer = "" if fewer is None else _width(fewer, wanted.max_width)
    else:
        attained = f"a power of {_per_cent(result.attained_power, 1 - wanted.beta)}"
        fewer = result.power_one_topic_fewer
        with_fewer = "" if fewer is None else _per_cent(fewer, 1 - wanted.beta)
    first = f"{result.required_topics:,} topics give {attained}"
    with st.container(key="evidence"):
        if result.required_topics == 2:
            st.markdown(f"{first}; fewer than 2 have no variance to test with.")
        else:
            st.markdown(f"{first}; {result.required_topics - 1:,} would give {with_fewer}.")


def _width(width: float, widest: float) -> str:
    return rounded(width, lambda one: one <= widest, digits=4, style="g")


def _per_cent(power: float, wanted: float) -> str:
    return f"{rounded(100 * power, lambda one: one >= 100 * wanted, digits=2, style='f')} %"


def beside_published(
    exact: PowerResult | WidthResult, published: PowerResult | WidthResult | str, why: str
) -> None:
    """Write what Sakai's Excel tool says, and why it differs.

    Parameters
    ----------
    exact : PowerResult or WidthResult
        The answer above.
    published : PowerResult, WidthResult or str
        The tool's answer, or why it has none.
    why : str
        The reason for the difference, in two sentences.
    """
    if isinstance(published, str):
        with st.container(key="published"):
            st.markdown(f"Sakai's Excel tool has no answer here: {published}.")
        return
    with st.container(key="published", horizontal=True, vertical_alignment="center"):
        difference = exact.required_topics - published.required_topics
        n = f"**{published.required_topics:,}**"
        if difference == 0:
            st.markdown(f"Sakai's Excel tool says {n}, the same.", width="content")
        else:
            direction = "fewer" if difference > 0 else "more"
            st.markdown(f"Sakai's Excel tool says {n}, {abs(difference):,} {direction}.", width="content")
        with st.popover("Why do they differ?" if difference else "When do they differ?"):
            st.markdown(why)
