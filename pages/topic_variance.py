"""Would another document collection change the conclusions?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame, runs_data, topic_variance
from pages.parts.computation import expected_time
from pages.parts.form import offer_link
from topicset_core.analyses.topic_variance.charts import rank_intervals
from topicset_core.analyses.topic_variance.prepared import N_CUTS
from topicset_core.analyses.topic_variance.report import report
from topicset_core.analyses.topic_variance.sentences import (
    DENSITIES,
    INDEPENDENCE,
    ORDER,
    PAPER,
    how_counted,
)
from topicset_core.errors import InputError

frame.begin("topic_variance")
left, right = frame.form_and_answer()

with left:
    request = topic_variance.ask()

with right:
    runs_data.show_data_in_use()
    try:
        was_running = topic_variance.SIMULATION.is_running()
        result = topic_variance.findings_of(request)
        seen = topic_variance.progress(request)
    except InputError as error:
        frame.refuse(frame.plain(f"No answer: {error}."))
        st.stop()
    if result is None:
        with st.container(key="waiting"):
            st.markdown(
                f"This model takes a while for {request.judged.n_systems:,} runs and {request.judged.n_topics:,} "
                "topics. Press the button to start it."
            )
    else:
        topic_variance.show_summary(
            result, request.min_d, is_preview=result.settings.n_trials < request.settings.n_trials
        )
        models, why_not = topic_variance.every(request)  # before the button, which starts missing models
    topic_variance.SIMULATION.follow()
    running = topic_variance.SIMULATION.is_running()
    if (
        was_running and not running and topic_variance.progress(request) != seen
    ):  # it ended after the answer was read
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        if result is not None:
            few = result.settings.n_trials < request.settings.n_trials
            first = "" if not few else "Result so far: " if running else "Preview: "
            frame.show_basis(first + how_counted(result) + ".", is_preview=few)
        if not topic_variance.is_whole(request) and not running:
            st.button(
                f"Run {request.settings.n_trials:,} collections, all models"
                f"{expected_time(topic_variance.seconds_left(request))}",
                key=f"{topic_variance.PAGE}/simulate",
                on_click=topic_variance.start,
                args=(request,),
                icon=":material/play_arrow:",
            )
        offer_link(request.url)
    if running:
        topic_variance.watch(request, seen)
    if result is None:
        st.stop()
    figure.show(rank_intervals(result, mode=frame.chart_mode()), of=topic_variance.PAGE)
    exports = st.container()
    detail = topic_variance.show(request, result, models, why_not)
    topic_variance.show_remarks(result, by_intent=request.judged.qrels.intents is not None)
    with exports:
        export_drawer.draw(
            report(
                result,
                models,
                min_d=request.min_d,
                run=detail.run,
                topic=detail.topic,
                fitted=detail.fitted,
                link=request.url,
            )
        )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            rf"""
**Shared documents** (Cormack and Lynam 2006). The documents of a collection are treated as a sample and drawn again
with replacement. For each topic, every document that a run returned or that is relevant gets a Poisson number of
copies with mean 1, the same for all runs. A run then returns its documents in the original order, with
copies next to each other. The relevant documents of the topic are the relevant documents drawn. If no
relevant document is drawn, the draw is repeated, because tracks keep no topic without relevant documents.
Lists are not cut when copies make them longer.

**Two collections.** A resampled collection and yours differ by the noise of one collection; two collections of this
size differ by the noise of both. If a pair reverses in a share $p$ of the collections, two of them order it
differently in $2p(1-p)$ of the cases.

**BST and KDE** (Yang, Zhang and Song 2018, after Robertson and Kanoulas 2012). A run returned $r$ relevant
documents of a topic among its $n$. A simulated collection has $r_s \sim \text{{Poisson}}(r)$ relevant
documents (at most $n$) and $n - r_s$ others. Their scores are drawn with replacement from the scores of the
relevant and of the other documents (BST), or from Gaussian densities fitted to each (KDE), and sorted; the
measure is computed again. The topic has $R
- r + r_s$ relevant documents in that trial, so that AP is at most 1. One sample is drawn for each run, topic and
trial, and every pair of runs is compared on it. {INDEPENDENCE}

**Order.** {ORDER} A rank interval contains the rank of the run in 95 % of the collections.

**Densities.** {DENSITIES}

**Differences from the paper.** {PAPER} Its comparisons, as published and corrected, are in the exports.

**Variances.** A score is the sum of a mean, topic, system, their interaction and the noise of the collection. The
noise is the mean variance of a score between simulated collections. The other components are from a two-way
analysis of variance of the original scores. Noise that all runs of a topic have in common does not affect
comparisons of runs. Required topics are for a paired t test at α and 80 % power, with twice the residual
variance, and with the collection noise removed.

**Halves.** For measures without a cutoff the noise is also found by {N_CUTS} random cuts of the documents into two
halves: $\operatorname{{Var}}(d_A - d_B)/4$ for the difference $d$ of two runs. The interval resamples topics and
reaches from the lowest to the highest end of both estimates. When Robust 2003 and Deep Learning 2019 were cut in
two, the share seen between both halves was within the interval predicted from one of them in 11 of 11 cuts for AP
and in 6 of 7 for P@10.

**Standard errors** are over simulated collections: they show how much another seed would change the number. They do
not show what other topics would change.

**What this does not tell you.** Documents without a judgment count as not relevant in every simulated collection.
The simulation draws only documents of this collection: it cannot add new kinds of documents.

G. V. Cormack, T. R. Lynam. Statistical precision of information retrieval evaluation. *SIGIR 2006*, 533–540.
[doi:10.1145/1148170.1148262](https://doi.org/10.1145/1148170.1148262)

M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. *SIGIR 2018*, 1181–1184.
[doi:10.1145/3209978.3210122](https://doi.org/10.1145/3209978.3210122)

S. E. Robertson, E. Kanoulas. On per-topic variance in IR evaluation. *SIGIR 2012*, 891–900.
[doi:10.1145/2348283.2348402](https://doi.org/10.1145/2348283.2348402)

T. Sakai. Evaluating evaluation metrics based on the bootstrap. *SIGIR 2006*, 525–532.
[doi:10.1145/1148170.1148261](https://doi.org/10.1145/1148170.1148261)
"""
        )
