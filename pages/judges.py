"""How large is the difference if a judge scores, or systems have seeds, and what should be bought next?"""

from itertools import permutations

import streamlit as st

from pages.parts import export_drawer, figure, frame, link
from pages.parts import judges as form
from pages.parts.form import Choice
from topicset_core.analyses.judge_study import report as judge_report
from topicset_core.analyses.judge_study import study
from topicset_core.analyses.repeats import answer
from topicset_core.analyses.repeats import report as repeats_report
from topicset_core.collection.paired_labels import PairedLabels
from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.judge_budget import split
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA, MIN_D
from topicset_core.variance.replicates import Kind

frame.begin("judges")
left, right = frame.form_and_answer()
form.FORM.start()


def _show_repeats(scores: ReplicatedScores, kind: Kind, values: dict[str, float]) -> None:
    """Show what to buy, the right tests, and the components."""
    names = ("alpha", "beta", "min_d", "cost_topic", "cost_seed", "cost_cell")
    result = answer(scores, kind, **{name: values[name] for name in names})
    best = result.optimum.best if result.optimum else None
    unit = repeats_report.UNITS[kind]
    with st.container(key="answer", gap="xxsmall"):
        if best is None or best.n_topics is None:
            frame.headline(f"No number of topics and {unit}s is enough")
        else:
            several = "" if best.n_repeats == 1 else "s"
            frame.headline(
                f"Buy :primary[{best.n_topics:,} topics, {best.n_repeats:,} {unit}{several}] per system"
            )
        st.markdown(frame.plain(repeats_report.next_buy(result)))
    for one in (repeats_report.data_sentence(result), *repeats_report.findings(result)):
        st.markdown(frame.plain(one))
    url = link.write(
        {name: values[name] for name in names}
        | {form.ABOUT.name: "repeats", form.KIND.name: kind, link.DATA: str(form.stamp(scores))}
    )
    link.offer(url)
    if result.optimum is not None:
        figure.show(repeats_report.topics_by_repeats(result, frame.chart_mode()))
    export_drawer.draw(repeats_report.report(result, link=url))
    st.markdown("**Pairs of systems**")
    st.dataframe(repeats_report.pair_table(result), hide_index=True, width="content", alt="Tests of pairs")
    for one in repeats_report.untested(result):
        st.markdown(frame.plain(one))
    with st.expander("Variance components"):
        st.dataframe(repeats_report.component_table(result), hide_index=True, alt="Variance components")


def _show_judge(labels: PairedLabels, first: str, second: str, values: dict[str, float]) -> None:
    """Show the difference, the judge, and how to split the budget."""
    result = study(labels, first, second, alpha=values["alpha"])
    costs = {name: values[name] for name in ("budget", "cost_label", "cost_topic", "cost_call")}
    try:
        best = split(judge_report.requirements_of(result, **costs))
        next_buy = judge_report.next_buy(best)
    except NoSolution as error:
        best, next_buy = None, f"{error}."
    with st.container(key="answer", gap="xxsmall"):
        claim, difference = judge_report.headline(result)
        frame.headline(f"{claim} :primary[{difference}]")
        whole, *text = judge_report.sentences(result)
        st.markdown(frame.plain(whole))
    st.markdown(f"**{frame.plain(next_buy)}**")
    st.markdown(frame.plain(judge_report.labels_next(result, values[MIN_D.name], values[BETA.name])))
    chosen: dict[str, link.Value] = {
        link.DATA: str(form.stamp(labels)),
        form.ABOUT.name: "judge",
        form.FIRST.name: first,
        form.SECOND.name: second,
    }
    shared = {name: values[name] for name in (ALPHA.name, BETA.name, MIN_D.name)}
    url = link.write(shared | costs | chosen)
    link.offer(url)
    figure.show(judge_report.estimates_chart(result, frame.chart_mode()))
    studies = [result]
    for one, other in permutations(labels.systems, 2):
        if labels.systems.index(one) < labels.systems.index(other) and {one, other} != {first, second}:
            studies.append(study(labels, one, other, alpha=values["alpha"]))
    export_drawer.draw(judge_report.report(studies, best, link=url))
    for one in (*text, judge_report.COVERAGE):
        st.markdown(frame.plain(one))
    with st.expander("All pairs"):
        st.dataframe(judge_report.pair_table(studies), hide_index=True, alt="All pairs of systems")


with left:
    about = form.FORM.draw(form.ABOUT)
    scores = form.scores(about)
    systems = list(scores.systems)
    if about == "repeats":
        chosen = {form.KIND.name: form.FORM.draw(form.KIND)}
    else:
        usual = systems[1]
        first = form.FORM.draw(Choice(form.FIRST.name, form.FIRST.label, systems, usual=usual))
        others = [one for one in systems if one != first]
        chosen = {
            "first": first,
            "second": form.FORM.draw(Choice(form.SECOND.name, form.SECOND.label, others)),
        }
    values = form.numbers(about)

with right:
    link.check(form.digests(), "pages/judges.py", is_sample=frame.on_sample())
    try:
        if isinstance(scores, ReplicatedScores):
            _show_repeats(scores, chosen[form.KIND.name], values)  # type: ignore[arg-type]
        else:
            _show_judge(scores, chosen["first"], chosen["second"], values)
    except InputError as error:
        frame.refuse(frame.plain(f"These scores have no answer: {error.parameter} {error.rule}."))
        st.stop()
    with st.expander("How this is computed, and what it does not tell you"):
        st.markdown(
            r"""
**Judge.** With $H$ the human and $J$ the judge's difference per topic, the estimate is
$\bar H_{lab} + b(\bar J_{all} - \bar J_{lab})$ with the regression slope $b$ on labelled topics (double sampling,
Cochran 1977), its interval from t with n − 2 degrees of freedom. Differences of ERR@20 on two web tracks, with many
equal scores, were covered in 75 to 96 % of cases. PPI++ (Angelopoulos et al. 2023) is computed as in its authors'
package: λ within 0 to 1, variances over n. Its intervals covered 75 to 95 %. The judge's bias does not shrink with
more topics. The agreement of *differences* matters here; scores agree better.

**Random labels.** The mean and the variance of the judge's differences on labelled topics are compared with those
of 1,999 random samples. A warning appears if either p is below .005: for at most 1 % of random samples, and for 48
to 100 % of labels on the topics with the highest judge scores or the lowest human scores (8 to 50 labels), unless
most differences are 0. Weaker selection is seldom found with fewer than 30 labels.

**Budget.** $n_{eff} = n/(1-\rho^2 (N_t-n)/N_t)$; the best share of labels is
$\sqrt{(1-\rho_k^2)/\rho_k^2 \cdot (c_t + k c_j)/c_h}$, where k calls lower the noise, $\rho_k^2 = \rho^2/(1+w/k)$.
The standard error includes that of the slope, the factor $1 + (N_t-n)/(N_t(n-3))$ of the labels' part (Cochran,
section 12.7). From a pilot of 15 labels it was 4 % too low on average, and 0.7 to 1.2 times the true one.

**Seeds.** The effect of a seed is the same on all topics, so more topics do not reduce it. A paired t test on means
over seeds has a standard error that is too small by the factor $\sqrt{1 + n s_c/(r s_{ab} + s_{bc})}$: its
Type I error was .06 to .17 in simulation at α = .05. The test here has
$H = MS_{ab} + \max(MS_c - MS_{bc}, 0)$ in its standard error and Satterthwaite's degrees of freedom; where the
seeds of two systems do not differ, it is the paired t test. Its Type I error was .03 to .06 with 3 to 10 seeds, and
up to .08 with two. At least $2 s_c (z_{α/2}+z_β)^2/D^2$ seeds are needed, however many topics.

**What this does not tell you.** Labels must be a random sample; labels where the judge was unsure need weights. A
judge prompt that was tuned on the labelled topics agrees too well with them. Folds share training data, so
their variance is underestimated. The same seed number in two systems does not make a pair. Several pairs
need a correction for multiple comparisons.

W. G. Cochran. *Sampling Techniques*. Wiley, 3rd edition (1977), chapter 12.

A. N. Angelopoulos, J. C. Duchi, T. Zrnic. PPI++: efficient prediction-powered inference.
[arXiv:2311.01453](https://arxiv.org/abs/2311.01453) (2023).

F. E. Satterthwaite. An approximate distribution of estimates of variance components. *Biometrics Bulletin* 2,
110–114 (1946). [doi:10.2307/3002019](https://doi.org/10.2307/3002019)

R. L. Brennan. *Generalizability Theory*. Springer (2001).
[doi:10.1007/978-1-4757-3456-0](https://doi.org/10.1007/978-1-4757-3456-0)
"""
        )
