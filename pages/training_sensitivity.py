"""Can a system be tuned on incomplete judgments, and by which measure?"""

import streamlit as st

from pages.parts import export_drawer, frame, link
from pages.parts.training_sensitivity import form, results, sweeps, work
from topicset_core.analyses.training_sensitivity.report import report
from topicset_core.errors import TopicsetError

frame.begin("training_sensitivity")
left, right = frame.form_and_answer()

with left:
    source = form.ask_for_sweep()
    sweeps.draw_uploads()

st.session_state[frame.ON_SAMPLE] = source.is_sample
with right:
    if source.is_sample:
        with st.container(key="data-in-use"):
            st.markdown(
                "This is a **simulated** sweep of one parameter, so that you see an answer at once. For yours open "
                "“Bring your own sweep”."
            )

try:
    with left:
        asked = form.ask(source)
    with right:
        found = work.found(asked)
except TopicsetError as error:
    with right:
        frame.refuse(frame.plain(f"No answer: {error}."))
    st.stop()

with right:
    if found is None or not found.levels:
        if not work.EXPERIMENT.is_running():
            with st.container(key="waiting"):
                st.markdown("This experiment takes a while.")
        answer = None
    else:
        answer = results.answer_of(asked, found, work.shallow(asked))
        results.say(answer, asked.sweep)
    work.EXPERIMENT.follow()
    running = work.EXPERIMENT.is_running()
    if not running and work.has_more(asked, found):  # the job ended since the answer was looked up
        st.rerun()
    if not work.is_whole(asked):
        if running:
            work.watch(asked, work.progress(asked))
        else:
            st.button(
                work.said_before(asked),
                key=f"{sweeps.PAGE}/run",
                on_click=work.start,
                args=(asked,),
                icon=":material/play_arrow:",
            )
    if answer is None:
        st.stop()
    bar = st.container(horizontal=True, vertical_alignment="center")
    looked = results.show(answer, asked)
    url = results.url(asked, looked)
    with bar:
        link.offer(url, "every choice in full precision; whoever opens it brings the same sweep")
    with st.expander("What decided these numbers"):
        st.markdown("\n".join(f"- {frame.plain(text)}" for text in (*source.said, *answer.found.notes)))
    export_drawer.draw(report(answer, results.view_of(answer, looked), link=url))
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**Training.** A sweep is one system under many settings. Of these the one is chosen that scores best on the
training topics, once by each measure; the setting is then evaluated on the test topics, which keep all their
judgments. Training and test topics are swapped too, and topics are split several times. Settings that tie are
drawn from, as nobody who trains could tell them apart.

**Incomplete judgments.** Of the judgments of the training topics, relevant and not relevant alike, a part is
kept at random, many times at each level (He, Macdonald and Ounis 2008, 5.1). Removed documents stay in the pool
as not judged, which is what infAP and bpref were made for; a topic left without a relevant document scores 0
and no longer helps to choose.

**Recommendation.** A measure is recommended if it gains at least the least worthwhile gain over training by the
reference, if the 95 % confidence interval of its gain excludes 0, and if it gains in at least three quarters of
the trainings. Intervals are over topics: in each of 200 draws every topic gets a random weight (Bayesian
bootstrap, Rubin 1981), and settings are chosen and evaluated again with these weights. The standard error over
samples of judgments is added, and intervals hold for all measures together (Bonferroni). If all intervals lie
within the least worthwhile gain of 0, the training measure makes no difference.

**Tests of the paper.** They are shown under their own names: Wilcoxon's signed-ranks test over samples of
judgments (adjusted for the number of measures, Holm 1979) and over test topics, two-sided sign tests over levels
and tasks. They rest on the first split.

**Topics or judgments.** At each level the within-system variance is estimated over the topics that kept a
relevant document, and the difference to detect is shrunk as the differences of the runs of the sweep shrink:
the same two systems are to be told apart. Topics are those of a paired t test at α = .05 and 80 % power with
twice that variance (Sakai 2016); topics that would be lost must be judged too, and are counted. Intervals of
costs are a jackknife over the samples of a level. A level can be planned with only if a topic keeps at least 10
judged and 3 relevant documents on average, its cost is known within a factor of 2, and the next levels agree; it
is called cheaper than whole pools only if its whole interval is.

**What this does not tell you.** All numbers are of this sweep: other systems may behave differently. Splits of
the same topics share them, which the bootstrap takes into account and the tests of the paper do not. Real
judgments are not missing at random: shallow pools favour documents that are easy to find, which the tab
*Shallower pools* looks at. A measure that trains better on few judgments need not be the better one to report.

B. He, C. Macdonald, I. Ounis. Retrieval sensitivity under training using different measures. *SIGIR 2008*, 67–74.
[doi:10.1145/1390334.1390348](https://doi.org/10.1145/1390334.1390348)

C. Buckley, E. M. Voorhees. Retrieval evaluation with incomplete information. *SIGIR 2004*, 25–32.
[doi:10.1145/1008992.1009000](https://doi.org/10.1145/1008992.1009000)
"""
        )
        st.markdown(frame.SAKAI_2016)
