"""How often would a different set of topics reverse the order of two runs?"""

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts import error_rate as parts
from pages.parts.computation import expected_time
from pages.parts.form import offer_link, show_preparation
from topicset_core.analyses.error_rate import Answer
from topicset_core.analyses.error_rate.extrapolation import FEWEST_TOPICS
from topicset_core.analyses.error_rate.prediction import INTERVAL_NOTE
from topicset_core.analyses.error_rate.report import figures, report
from topicset_core.errors import InputError

frame.begin("error_rate")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    settings = parts.ask()

with right:
    try:
        prediction = parts.predicted(settings)
    except InputError as error:
        frame.refuse(frame.plain(parts.no_answer(error)))
        st.stop()
    parts.show(prediction)
    show_preparation(settings.notes)
    named = parts.named(settings)
    parts.show_two_runs(named)
    parts.EXPERIMENT.follow()
    whole = parts.whole(settings)
    counted = whole or parts.quick(settings)
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.show_basis(parts.how_counted(counted), is_preview=whole is None)
        if whole is None and not parts.EXPERIMENT.is_running():
            st.button(
                f"Run all {settings.n_trials:,} trials{expected_time(parts.seconds_of(settings))}",
                key=f"{parts.PAGE}/run",
                on_click=parts.start,
                args=(settings,),
                icon=":material/play_arrow:",
            )
        offer_link(settings.url)
    answer = Answer(
        matrix=settings.matrix,
        prediction=prediction,
        counted=counted,
        expected=parts.expected(settings),
        two_runs=named,
    )
    around = parts.around(settings)
    curves, map_ = figures(answer, around, frame.chart_mode())
    figure.show(curves, of="error-rate")
    export_drawer.draw(report(answer, preparation=settings.notes, around=around, link=settings.url))
    way = frame.plain(f"{100 * prediction.max_error:g} % needs {prediction.way}")
    with frame.folded("All differences and set sizes", way):
        figure.show(map_, of="error-rate")
    with frame.folded("Numbers", f"error rates in % for {len(counted.cardinalities)} set sizes"):
        parts.table(counted)
    with frame.folded(
        "Design by formula", parts.formula_in_words(answer), key="error-rate/design", lazy=True
    ) as more:
        if more.open:
            parts.design_by_formula(answer)
    with frame.folded(
        "Is the extrapolation correct?",
        "predicted from a third of the topics, checked on the others",
        key="error-rate/beyond",
        lazy=True,
    ) as more:
        if more.open and settings.matrix.n_topics < FEWEST_TOPICS:
            st.markdown("There are too few topics to split them.")
        elif more.open:
            parts.CHECK.follow()
            check = parts.CHECK.result(settings.matrix.digest)
            if check is None and not parts.CHECK.is_running():
                st.button(
                    "Predict from a third of the topics",
                    key=f"{parts.CHECK.name}/run",
                    on_click=parts.start_check,
                    args=(settings,),
                )
            if check is not None:
                parts.show_check(check)
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            rf"""
**The experiment** (Voorhees and Buckley 2002). For each size, two disjoint sets of topics are drawn, and the
first is the reference. Every pair of runs is assigned to the bin of its difference on the reference. It is an
error if the other set reverses its order. Ties on the other set are not errors; a pair that is tied on the
reference is in no bin. All pairs of a trial share its topics, so standard errors treat the trial as the unit.

**The headline and the map** average over the pairs of runs, given the **observed** difference $d$: $\sum
\varphi\!\left(\tfrac{{d-\delta}}{{s}}\right)\tfrac1s\,\Phi\!\left(-\tfrac{{\delta}}{{s}}\right) \big/ \sum
\varphi\!\left(\tfrac{{d-\delta}}{{s}}\right)\tfrac1s$, over both signs of each pair's difference $\delta$. Here
$s^2$ is the variance of the pair's per-topic difference divided by the number of topics. Sampling of topics
inflates observed differences, so each $\delta$ is first shrunk accordingly.

**Two named runs** use the same average with the variance of their own per-topic difference: the topics of the
scores for the observed difference, and n topics for the next comparison. On Robust 2004 (50 topics to predict from,
50 others to check), predicted rates of 0.16, 2.6, 11.5 and 34.4 % compare with 0.26, 3.1, 10.9 and 33.2 % reversed
pairs. Power at the observed difference helps to plan the next comparison; for the observed difference it
adds no information to the p-value.

**Why not Eq. 8** of Lin and Hauptmann, $2\,\Phi(-z)\,(1-\Phi(-z))$ with $z = \delta\sqrt{{n}}/\sigma_t$? It takes
the **true** difference. Large observed differences are partly due to chance, so Eq. 8 is too optimistic about them.
With the variances of independent scores it is too pessimistic, because runs share easy and hard topics. Two halves
of a given topic set are not independent either: any excess in one half is missing in the other.

**Intervals** (delete-group jackknife over topics). Each of up to 50 groups of topics is left out once. An interval
contains the estimate, the estimate with its bias removed, and $t$ standard errors on either side. The interval
of the topics contains every number whose error rate may be the tolerated one. {INTERVAL_NOTE}

**What this does not tell you.** The runs are a sample: other systems may be harder to distinguish. A conclusion
that other topics confirm may still not matter to users.

E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error. *SIGIR 2002*, 316–323.
[doi:10.1145/564376.564432](https://doi.org/10.1145/564376.564432)

W.-H. Lin, A. Hauptmann. Revisiting the effect of topic set size on retrieval error. *SIGIR 2005*.

J. Guiver, S. Mizzaro, S. Robertson. A few good topics. *ACM TOIS* 27(4), 21 (2009).
[doi:10.1145/1629096.1629099](https://doi.org/10.1145/1629096.1629099)

T. Sakai. Evaluating evaluation metrics based on the bootstrap. *SIGIR 2006*, 525–532.
[doi:10.1145/1148170.1148261](https://doi.org/10.1145/1148170.1148261)
"""
        )
