"""What could a reported t or F have shown?"""

import streamlit as st

from pages.parts import export_drawer, figure, frame, link, reported
from topicset_core.analyses.sizing import replication_curve
from topicset_core.analyses.sizing.report import audit_table, replication_figure, reported_report
from topicset_core.errors import InputError, NoSolution

frame.begin("reported_result")
form, result = frame.form_and_answer()

with form:
    slug, settings = reported.ask()
    test = reported.TESTS[slug]

with result:
    try:
        audit = test.audit(settings)
        real = reported.real(slug, settings)
    except (InputError, NoSolution) as error:
        frame.refuse(frame.plain(str(error)))
        st.stop()
    sizes = {settings[name] for name in ("n_topics", "n_topics_2") if name in settings}
    size = sizes.pop() if len(sizes) == 1 else None  # one number of topics, if both systems have the same
    curve = replication_curve(audit, size)
    text = reported.show(audit)
    reported.show_real(real)
    url = link.write({reported.TEST: slug} | settings)
    with st.container(horizontal=True, vertical_alignment="center"):
        link.offer(url)
    figure.show(replication_figure(audit, curve, size, frame.chart_mode()))
    st.dataframe(audit_table(audit, real), hide_index=True, width="content", alt="The audit in numbers")
    report = reported_report(
        audit,
        curve,
        settings=settings,
        study=test.study(settings),
        n_topics=size,
        sentence=frame.unmarked(text),
        real=real,
        link=url,
    )
    export_drawer.draw(report)
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
The effect size in the sample is $|t_0|/\sqrt n$ for a paired test, $|t_0|\sqrt{(n_1+n_2)/(n_1 n_2)}$ for two
samples, and $f = \sqrt{F_0\,\phi_A/\phi_E}$ for a one-way ANOVA. The achieved power is that of a test of the
reported size for exactly this effect, from noncentral t or F; the replication is sized for the same
effect. These are the conventions of Sakai's power analysis scripts (SIGIR 2016).

**Was that difference real?** (paired t test) n₂ new topics are significant in the same direction with probability
$\Phi\big((k t_0 \sqrt{n_2/n} - t_c)/\sqrt{1 + k n_2/n}\big)$, where k is the share of an observed difference that
remains on average: $E\rho^2$ of the systems that you choose. On Robust 2004 (50 topics, then 50 others)
differences with |t| of 2.0 to 2.5, to 3 and to 4 were significant again in 54, 66 and 81 % of cases; this
formula predicts 52, 65 and 81 %, achieved power 59, 77 and 92 %. Type M is the factor by which significant
results exaggerate, type S the probability of a wrong sign (Gelman and Carlin 2014). Both are computed at the
true effect size that you assume, not at the observed one, where they are functions of p alone.

**What this does not tell you.** Achieved power adds no information to the p value: it is a function of p. An
effect that was reported because it was significant is, on average, larger than the true effect, so the
replication size is a lower bound.

T. Sakai. Statistical significance, power, and sample sizes: a systematic review of SIGIR and TOIS, 2006–2015.
*SIGIR 2016*, 5–14. [doi:10.1145/2911451.2911492](https://doi.org/10.1145/2911451.2911492)

A. Gelman, J. Carlin. Beyond power calculations: assessing Type S (sign) and Type M (magnitude) errors.
*Perspectives on Psychological Science* 9, 641–651 (2014).
[doi:10.1177/1745691614551642](https://doi.org/10.1177/1745691614551642)
"""
        )
