"""Does the test keep alpha and has it its power on the user's own scores?"""

import streamlit as st

from pages.parts import achieved_power as check
from pages.parts import data, export_drawer, figure, frame
from pages.parts.computation import expected_time
from pages.parts.form import offer_link
from topicset_core.analyses.achieved_power.report import figure as drawn
from topicset_core.analyses.achieved_power.report import (
    how_simulated,
    notes,
    planned_power,
    rate_table,
    report,
    sentences,
)
from topicset_core.errors import InputError, NoSolution

frame.begin("achieved_power")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    try:
        settings = check.ask()
    except InputError as error:
        frame.refuse(frame.plain(check.no_answer(error)))
        st.stop()

with right:
    try:
        seen = check.progress(settings)  # before the answer, which may have more, but not less
        result = check.best_known(settings)
    except InputError as error:
        frame.refuse(frame.plain(check.no_answer(error)))
        st.stop()
    except NoSolution as error:
        frame.refuse(frame.plain(f"No number of topics: {error}. Enter n, or a larger difference."))
        st.stop()
    whole = check.is_whole(settings, result)
    with st.container(key="answer", gap="xxsmall"):
        power = f":primary[{100 * result.power.value:.1f} %]"
        frame.headline(f"Power {power} ({planned_power(result)})", is_preview=not whole)
        st.markdown(frame.plain(" ".join(sentences(result))))
    with st.container(key="limits"):
        st.markdown(f":small[{frame.plain(' '.join(notes(result)))}]")
    check.TRIALS.follow()
    running = check.TRIALS.is_running()
    if not whole and check.is_done(settings):  # it ended after the answer was read
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.show_basis(how_simulated(result), is_preview=not whole)
        if not whole and not running:
            st.button(
                f"Run all {settings.request.n_trials:,} trials{expected_time(check.seconds_of(settings))}",
                key=f"{check.PAGE}/run",
                on_click=check.start,
                args=(settings,),
                icon=":material/play_arrow:",
            )
        offer_link(settings.url)
    if running:
        check.watch(settings, seen)
    figure.show(drawn(result, frame.chart_mode()), of=check.PAGE)
    export_drawer.draw(report(result, link=settings.url))
    with frame.folded("Numbers", "type I error and power with standard errors and quantiles over pairs"):
        rounded = st.column_config.NumberColumn(format="%.4f")
        columns = {name.replace("_", " "): column for name, column in rate_table(result).items()}
        st.dataframe(
            columns,
            hide_index=True,
            width="content",
            column_config={name: rounded for name in columns if name != "rate"},
            alt="Stated and achieved type I error and power",
        )
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**Trials.** Each trial draws $n$ topics with replacement from the topics of the scores, and runs the test on
pairs of runs (or sets of $m$). All pairs see the same topics.

**Planned** is the power of the design at $n$ and $\mathit{minD}$ with the variance that its page takes of these
scores: of a test of one pair the 95th percentile over pairs, so that 95 % of pairs should have this power or more.

**Equal systems.** *Centring* subtracts each run's mean: means are equal, the skew remains. *Swapping*
exchanges the scores of a topic between the systems at random: the systems are exchangeable. The t tests and
ANOVA test equal means. Wilcoxon's test tests exchangeable systems: with equal means and skewed differences
it rejects far more often than α, and more often with more topics. The table has both.

**The difference.** *Adding* raises the first run by $\mathit{minD}/2$ and lowers the second by as much on
every topic, so variances do not change. *Scaling* multiplies runs by factors of at most 1: scores stay in
their range, zeros stay zeros, and variances shrink. With *minD for every pair* the power of a pair depends on
its own variance; the curve of all pairs is computed by
the noncentral t distribution. With *each pair's own variance* every pair should have power 1 − β, if the test
suits the scores.

**Rank tests.** The topics of Wilcoxon's test and of the sign test are computed for each pair from its own
differences, made symmetric and shifted by what the t test detects with $n$ topics, for $n \ge 25$ (Noether
1987; for normal differences about 7 % too high at 50 topics). These topics are valid for a pure shift only:
with skewed differences both tests have another null hypothesis, as the table shows.

**Several systems.** Two of $m$ systems differ by $\mathit{minD}$, the others are between them. F counts any
significant result; Tukey's and the t tests count the pair that differs, and for equal systems any pair.
Randomised Tukey HSD permutes the scores of each topic (Carterette 2012): $p = (1 +
\#\{\text{range} \ge \text{difference}\})/(B + 1)$. Like Tukey's, it exceeds α where pairs differ in variance.

**For comparison.** With 1.7 million trials from a model of AP scores (Urbano et al. 2019, α = .05, 25 to 100
topics) the t test rejects .051 of equal systems, the randomisation test .052 to .053, Wilcoxon .061 to .097.

**Standard errors** are over trials and, where pairs are a sample, over pairs. They do not show how other
topics would change the results.

J. Urbano, H. Lima, A. Hanjalic. Statistical significance testing in information retrieval. *SIGIR 2019*,
505–514. [doi:10.1145/3331184.3331259](https://doi.org/10.1145/3331184.3331259)

G. E. Noether. Sample size determination for some common nonparametric tests. *Journal of the American Statistical
Association* 82, 645–647 (1987)

B. Carterette. Multiple testing in statistical analysis of systems-based information retrieval experiments. *ACM
TOIS* 30(1), 4 (2012). [doi:10.1145/2094072.2094076](https://doi.org/10.1145/2094072.2094076)
"""
        )
