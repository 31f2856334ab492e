"""Can a system be tuned on incomplete judgments, and by which measure?"""

import streamlit as st

from pages.parts import export_drawer, frame, link, runs_data, sweeps, training_sensitivity
from topicset_core.analyses.training_sensitivity.report import report
from topicset_core.errors import TopicsetError
from topicset_core.wording import counted

frame.begin("training_sensitivity")
left, right = frame.form_and_answer()

with left:
    source = training_sensitivity.ask_for_sweep()
    sweeps.draw_uploads(source)

st.session_state[frame.ON_SAMPLE] = source.is_sample
with right:
    if source.is_sample:
        with st.container(key="data-in-use"):
            st.markdown(
                "This is a **simulated** sweep of one parameter. To use your own, open “Upload your own sweep”."
            )
    elif sweeps.is_loaded(source):
        runs_data.LEVEL.draw(f"{sweeps.PAGE}/level-now")
    digests = {one.stamp.digest for one in sweeps.sources()}
    link.check(digests, "pages/training_sensitivity.py", is_sample=source.is_sample)

try:
    with left:
        training = training_sensitivity.ask(source)
    with right:
        result = training_sensitivity.result_of(training)
except TopicsetError as error:
    with right:
        frame.refuse(frame.plain(f"No answer: {error}."))
        if source.settings is None:
            sweeps.offer_sample()
    st.stop()

with right:
    if result is None or not result.levels:
        if not training_sensitivity.EXPERIMENT.is_running():
            with st.container(key="waiting"):
                st.markdown("This experiment takes a while. Press the button to start it.")
        answer = None
    else:
        answer = training_sensitivity.answer_of(training, result, training_sensitivity.shallow(training))
        training_sensitivity.show_summary(answer, training.sweep)
    training_sensitivity.EXPERIMENT.follow()
    running = training_sensitivity.EXPERIMENT.is_running()
    if not running and training_sensitivity.has_more(
        training, result
    ):  # the job ended after the answer was read
        st.rerun()
    if not training_sensitivity.is_whole(training):
        if running:
            training_sensitivity.watch(training, 0 if result is None else len(result.levels))
        else:
            st.button(
                training_sensitivity.button_label(training),
                key=f"{sweeps.PAGE}/run",
                on_click=training_sensitivity.start,
                args=(training,),
                icon=":material/play_arrow:",
            )
    if answer is None:
        st.stop()
    bar = st.container(horizontal=True, vertical_alignment="center")
    view = training_sensitivity.show_gains(answer)
    exports = st.container()
    view = training_sensitivity.show(answer, view)
    url = training_sensitivity.url(training, view)
    with bar:
        link.offer(
            url,
            "every choice in full precision, but not the sweep; upload the same sweep to see the same answer",
        )
    notes = [*source.notes, *answer.sensitivity.notes]
    with frame.folded("Checks on your data", counted(len(notes), "note")):
        st.markdown("\n".join(f"- {frame.plain(text)}" for text in notes))
    with exports:
        export_drawer.draw(report(answer, training_sensitivity.view_of(answer, view), link=url))
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**Training.** A sweep is one system with many parameter settings. Each training measure chooses the setting that
scores best on the training topics. This setting is then evaluated on the test topics, which keep all their
judgments. Training and test topics are exchanged as well, and topics are split several times. If settings tie, one
of them is drawn at random.

**Incomplete judgments.** A random part of the judgments of the training topics is kept, both relevant and not
relevant ones, many times at each level (He, Macdonald and Ounis 2008, 5.1). Removed documents stay in the pool as
unjudged, the case for which infAP and bpref were designed. A topic without a remaining relevant document scores 0
and does not influence the choice.

**Recommendation.** A measure is recommended if its gain over training by the reference is worthwhile, if the 95 %
confidence interval of its gain excludes 0, and if it gains in at least three quarters of the trainings. Intervals
are over topics: in each of 200 draws every topic gets a random weight (Bayesian bootstrap, Rubin 1981), and
settings are chosen and evaluated again with these weights. The standard error over samples of judgments is added,
and intervals hold for all measures together (Bonferroni). If all intervals lie within the least worthwhile gain
around 0, the training measure makes no difference.

**Tests of the paper.** Wilcoxon's signed-ranks test over samples of judgments (adjusted for the number of measures,
Holm 1979) and over test topics, and two-sided sign tests over levels and tasks. They use the first split, and
are in the exports with the paper's tables 2 to 5.

**Topics or judgments.** At each level the within-system variance is estimated over the topics that kept a relevant
document. The difference to detect is reduced in proportion to the differences between the runs of the sweep,
so that the same two systems are to be distinguished at every level. Required topics are for a paired t test
at α = .05 and 80 % power with twice that variance (Sakai 2016), plus topics that lose all relevant documents,
which must be judged, too. Intervals of costs are a jackknife over the samples of a level. A level is used for
planning only if a topic keeps at least 10 judged and 3 relevant documents on average, its cost is known
within a factor of 2, and the next levels agree. It is called cheaper than whole pools only if its whole
interval is below their cost.

**What this does not tell you.** All numbers are about this sweep: other systems may behave differently. Splits
share the same topics; the bootstrap takes this into account, the tests of the paper do not. Real judgments are not
missing at random: shallow pools favour documents that are easy to find, see *Shallower pools*. A measure that is
better for training on few judgments is not necessarily better for reporting results.

B. He, C. Macdonald, I. Ounis. Retrieval sensitivity under training using different measures. *SIGIR 2008*, 67–74.
[doi:10.1145/1390334.1390348](https://doi.org/10.1145/1390334.1390348)

C. Buckley, E. M. Voorhees. Retrieval evaluation with incomplete information. *SIGIR 2004*, 25–32.
[doi:10.1145/1008992.1009000](https://doi.org/10.1145/1008992.1009000)
"""
        )
        st.markdown(frame.SAKAI_2016)
