"""How often would this collection mislead me about which of two systems is better?"""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts.error_rate import form, results, work
from pages.parts.form import offer_link, say_preparation
from topicset_core.analyses.error_rate import Answer
from topicset_core.analyses.error_rate.report import figures, report
from topicset_core.errors import InputError

frame.begin(
    "Error rate",
    "How often would a different set of topics reverse the order of two runs?",
)
data.say_what_is_in_use()
left, right = frame.form_and_answer()

with left:
    asked = form.ask()

with right:
    try:
        prediction = work.predicted(asked)
    except InputError as error:
        frame.refuse(frame.plain(form.no_answer(error)))
        st.stop()
    results.say(prediction)
    say_preparation(asked.said)
    form.say_limits(prediction)
    named = work.named(asked)
    results.say_two_runs(named)
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_link(asked.url)
        figure.print_style_switch()

    st.subheader("What the experiment shows", anchor=False)
    work.EXPERIMENT.follow()
    whole = work.whole(asked)
    counted = whole or work.quick(asked)
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.say_what_it_rests_on(results.how_counted(counted), is_preview=whole is None)
        if whole is None and not work.EXPERIMENT.is_running():
            st.button(
                f"Run all {asked.n_trials:,} trials",
                key=f"{form.PAGE}/run",
                on_click=work.start,
                args=(asked,),
                icon=":material/play_arrow:",
            )
    answer = Answer(
        matrix=asked.matrix,
        prediction=prediction,
        counted=counted,
        expected=work.expected(asked),
        two_runs=named,
    )
    around = work.around(asked)
    places = st.tabs(["By topics", "Against theory", "Map", "Table"])
    for place, drawn in zip(places, figures(answer, around, frame.chart_mode()), strict=False):
        with place:
            figure.show(drawn, of="error-rate")
    with places[-1]:
        results.table(counted)
    with st.expander(
        "Design a collection by the formula", on_change="rerun", key="error-rate/design"
    ) as more:
        if more.open:
            results.design_by_formula(answer)
    with st.expander(
        "Beside Lin and Hauptmann's table", on_change="rerun", key="error-rate/published"
    ) as more:
        if more.open:
            results.show_published(answer)
    with st.expander("Is it right beyond these topics?", on_change="rerun", key="error-rate/beyond") as more:
        if more.open and not work.can_be_checked(asked):
            st.markdown("These are too few topics to be cut in two.")
        elif more.open:
            work.CHECK.follow()
            check = work.CHECK.result(asked.matrix.digest)
            if check is None and not work.CHECK.is_running():
                st.button(
                    "Predict from a third of the topics",
                    key=f"{work.CHECK.name}/run",
                    on_click=work.start_check,
                    args=(asked,),
                )
            if check is not None:
                results.show_check(check)
    export_drawer.draw(report(answer, preparation=asked.said, around=around, link=asked.url))
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**The experiment** (Voorhees and Buckley 2002). For each size two sets of topics without common ones are drawn, and
one is the reference. Every pair of runs goes into the bin of its difference on the reference, and is an error if
the other set reverses its order. Ties on the other set are not errors; a pair without any difference on
the reference is in no bin. Standard errors treat a trial as the unit, as all pairs of a trial share its topics.

**The sentence and the map** average over the pairs of runs, given the difference that was **found**:
$\sum \varphi\!\left(\tfrac{d-\delta}{s}\right)\tfrac1s\,\Phi\!\left(-\tfrac{\delta}{s}\right) \big/ \sum
\varphi\!\left(\tfrac{d-\delta}{s}\right)\tfrac1s$ over both signs of each pair's difference $\delta$, with
$s^2$ its variance divided by the topics. Differences are shrunk first by as much as topics widen them.

**Two named runs** are judged by the same average, with the variance of their own per-topic difference: on the
topics of the scores for what was found, and on n topics for the next comparison. On Robust 2004 (50 topics to
predict from, 50 others to check) predicted rates of 0.16, 2.6, 11.5 and 34.4 % met 0.26, 3.1, 10.9 and 33.2 %
reversed pairs. Power at the difference that was found plans a next comparison; it says nothing more about this
one than its p-value.

**Why not Eq. 8** of Lin and Hauptmann, $2\,\Phi(-z)\,(1-\Phi(-z))$ with $z = \delta\sqrt{n}/\sigma_t$? It is about
a **true** difference. Pairs that were found far apart are in part pairs that came out so by chance, so Eq. 8 is far
too hopeful about large differences; and with the variances of independent scores it is far too gloomy, as runs
share easy and hard topics. Given the topics, two halves of them are not independent draws, either: what one has
too much the other has too little. It is over all topics that might have been there that they are.

**What this does not tell you.** The runs are those that were there; other systems may be harder to tell apart.
An interval from topics covers the truth somewhat less often than it says. And a conclusion that other topics do
not reverse may still be of no importance to a user.

E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error. *SIGIR 2002*, 316–323.
[doi:10.1145/564376.564432](https://doi.org/10.1145/564376.564432)

W.-H. Lin, A. Hauptmann. Revisiting the effect of topic set size on retrieval error. *SIGIR 2005*.

J. Guiver, S. Mizzaro, S. Robertson. A few good topics. *ACM TOIS* 27(4), 21 (2009).
[doi:10.1145/1629096.1629099](https://doi.org/10.1145/1629096.1629099)

T. Sakai. Evaluating evaluation metrics based on the bootstrap. *SIGIR 2006*, 525–532.
[doi:10.1145/1148170.1148261](https://doi.org/10.1145/1148170.1148261)
"""
        )
