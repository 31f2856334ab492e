"""Which topics would have been enough?"""

import streamlit as st

from pages.parts import data, figure, frame, job, live_form, subsets_exports, subsets_more
from pages.parts import subsets_form as form
from pages.parts import subsets_results as results
from pages.parts import subsets_work as work
from topicset_core.analyses.topic_subsets.certainty import statuses_sentence
from topicset_core.errors import InputError

frame.begin(
    "Topic subsets",
    "Which topics would have been enough: do run means over a few of them agree with those over all?",
)
data.say_what_is_in_use()
left, right = st.columns([1, 2.6], gap="large")

with left:
    asked = form.ask()

with right:
    found = job.follow(form.PAGE)
    try:
        whole = work.whole(found, asked)
        curve = whole or work.quick(asked)
    except InputError as error:
        st.error(frame.plain(form.no_answer(error)))
        st.stop()
    if curve is None:
        st.markdown(
            f"{asked.matrix.n_topics:,} topics and {asked.matrix.n_systems:,} runs take a minute or so by this "
            "measure."
        )
    else:
        results.say(asked, curve)
    live_form.say_preparation(asked.said)
    with st.container(horizontal=True, vertical_alignment="center"):
        live_form.offer_link(asked.url)
        figure.print_style_switch()

    st.subheader("Best, average and worst", anchor=False)
    running = job.is_running(form.PAGE)
    with st.container(horizontal=True, vertical_alignment="center"):
        if curve is not None:
            first_look = "" if whole is not None else "A first look, by swaps: "
            st.markdown(first_look + statuses_sentence(curve), width="content")
        if whole is None and not running:
            st.button(
                "Look thoroughly",
                key=f"{form.PAGE}/run",
                on_click=work.start,
                args=(asked,),
                icon=":material/play_arrow:",
            )
    partial = None if whole is not None else work.partial(asked)
    if running:
        results.growing(asked, curve)
    elif partial is not None:
        results.curve_so_far(asked, partial, "What was done before it was stopped")
    elif curve is not None:
        results.show_curve(asked, curve)
    if curve is None:
        st.stop()
    table = work.table(asked, curve)
    drawn = results.charts(asked, curve, table, frame.chart_mode())
    results.topics(asked, curve, table, drawn[1:])
    with st.expander("Other measures of goodness", on_change="rerun", key=f"{form.PAGE}/other") as more:
        if more.open:
            subsets_more.compare_measures(asked)
    with st.expander(
        "How good is the paper's heuristic here?", on_change="rerun", key=f"{form.PAGE}/heuristic"
    ) as more:
        if more.open:
            subsets_more.judge_the_heuristic(asked, curve)
    st.subheader("Numbers", anchor=False)
    sizes, topics = st.tabs(["By size", "By topic"])
    with sizes:
        results.point_table(curve)
    with topics:
        results.topic_rows(table)
    answered = subsets_exports.Answered(asked, curve, table)
    subsets_exports.offer(
        answered,
        lambda: results.charts(answered.asked, answered.curve, answered.table, "print"),
    )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**Goodness.** Run means $X$ over a subset are set against $Y$ over all topics: Pearson's correlation; Kendall's
tau-b, which counts ties on either side; or the weighted average error rate of Guiver et al.,
$\sum_{i>j} \delta_{ij}\,|Y_i - Y_j| \,/\, \sum_{i>j} |Y_i - Y_j|$ with $\delta_{ij} = 1$ where $X$ has the pair the
other way round. A tie on $X$ is no error there, so a topic on which all runs score the same has an error rate of 0;
it has no correlation, and such subsets are left out of averages and counted.

**All subsets.** For correlation a subset and the rest of the topics are judged in one step, since
$r(S) = b(S)/\sqrt{Q(S)\,T}$ with sums $b$, $Q$ of covariances, $b(\bar S) = T - b(S)$ and
$Q(\bar S) = Q(S) + T - 2b(S)$. For pairs of runs sums of whole scores are compared, so that ties are exact.

**Swaps** exchange one topic for another while that gains: from sets that grow and shrink through all sizes, and
from random ones. **The paper's heuristic** takes, for each size, the best set with at most three topics that are
not in the best set one smaller. Sets found by either may be exceeded, and are called *heuristic*.

**Averages** are of all subsets where these were all added up (standard error 0), else of random ones; bands are
from the 5th to the 95th and from the 25th to the 75th percentile. The worst line is read where it stays good
enough.

**What this does not tell you.** The best set was chosen with the answer in hand, on these runs. On other runs it
is still better than an average one, as the paper shows, but by less. It is no recipe for choosing topics
before there are runs.

J. Guiver, S. Mizzaro, S. Robertson. A few good topics: Experiments in topic set reduction for retrieval evaluation.
*ACM TOIS* 27(4), 21 (2009). [doi:10.1145/1629096.1629099](https://doi.org/10.1145/1629096.1629099)

M. G. Kendall. The treatment of ties in ranking problems. *Biometrika* 33(3), 239–251 (1945).
[doi:10.1093/biomet/33.3.239](https://doi.org/10.1093/biomet/33.3.239)
"""
        )
