"""What could a reported t or F have shown?"""

import streamlit as st

from pages.parts import frame, reported
from topicset_core.analyses import reported_result
from topicset_core.designs import one_way_anova, paired_t, two_sample_t
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA

frame.begin(
    "Reported result",
    "A paper reports a t or an F. How large was the effect, could a study of this size have found it, and how many "
    "topics does a replication need?",
)
form, result = st.columns([1, 2.6], gap="large")

with form:
    test = st.segmented_control(
        "Reported test",
        [paired_t.NAME, two_sample_t.NAME, one_way_anova.NAME],
        default=paired_t.NAME,
        required=True,
        key="reported/test",
        persist_state="session",
    )
    asked = reported.ask(test)

with result:
    try:
        error_probabilities = {ALPHA.name: asked["alpha"], BETA.name: asked["beta"]}
        if test == paired_t.NAME:
            audit = reported_result.from_paired_t(
                asked["t"], n_topics=asked["n_topics"], **error_probabilities
            )
        elif test == two_sample_t.NAME:
            sizes = (asked["n_topics"], asked["n_topics_2"])
            audit = reported_result.from_two_sample_t(asked["t"], n_topics=sizes, **error_probabilities)
        else:
            audit = reported_result.from_one_way_f(
                asked["f"],
                n_systems=asked["n_systems"],
                n_topics=asked["n_topics"],
                **error_probabilities,
            )
    except (InputError, NoSolution) as error:
        st.error(frame.plain(str(error)))
        st.stop()
    reported.show(audit, power_wanted=1 - asked["beta"])
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
The effect size in the sample is $|t_0|/\sqrt n$ for a paired test, $|t_0|\sqrt{(n_1+n_2)/(n_1 n_2)}$ for two
samples, and $f = \sqrt{F_0\,\phi_A/\phi_E}$ for a one-way ANOVA. The achieved power is that of a test of the
reported size for an effect exactly so large, from noncentral t or F; the replication is sized for the same
effect. These are the conventions of Sakai's power analysis scripts (SIGIR 2016).

**What this does not tell you.** Achieved power adds nothing to the p value: it is the same number seen from the
other side. And an effect that was reported because it was significant is, on average, larger than the true one,
so that the replication size is the least one could ask for.

T. Sakai. Statistical significance, power, and sample sizes: a systematic review of SIGIR and TOIS, 2006–2015.
*SIGIR 2016*, 5–14. [doi:10.1145/2911451.2911492](https://doi.org/10.1145/2911451.2911492)
"""
        )
