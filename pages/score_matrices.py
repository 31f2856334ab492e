"""Upload or paste scores, or use the sample; shows every score, what to ask next, and their variance."""

from contextlib import suppress

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, needed, question, rank_resolution
from pages.parts.score_matrices import reading, topic_groups, uploaded_matrices
from pages.parts.variance_source import SCORES, chosen_scores
from topicset_core.analyses.score_variance.report import (
    in_short,
    variance_by_measure,
    variances_of,
    variances_table,
)
from topicset_core.designs import blocked_anova
from topicset_core.errors import InputError
from topicset_core.variance import pooled_interval
from topicset_core.wording import few_topics

_LONGEST_RANKING = 0.2  # seconds of sign flips: with what follows, a ranking delays the page by 0.3 s at most

frame.begin("score_matrices")

form, result = frame.form_and_answer()

with form:
    matrix, upload = uploaded_matrices.chosen()
    reading.draw()
    if data.is_sample():
        sample = data.matrices()[0]
        scores = dict(zip(sample.systems, sample.scores.T.tolist(), strict=True))
        st.markdown("No scores yet? Try it with this file of simulated scores.")
        table_of_sample = {"topic": sample.topics} | scores
        export_drawer.csv("Sample scores, CSV", table_of_sample, name="simulated_ap")
        st.markdown("Or with topics in groups: simulated turns of conversations.")
        export_drawer.csv("Conversations, CSV", data.conversations(), name="simulated_conversations")

with result:
    data.show_data_in_use(linked=False)
    needed.check("scores")
    pooled, groups = data.variances(), data.by_measure()
    intervals = {measure: pooled_interval(group) for measure, group in groups.items()}
    first = pooled[0]
    whose = "the simulated" if data.is_sample() else "your"
    frame.headline(f"Within-system variance of {whose} scores: :primary[σ² = {first.value:.4g}]")
    # Of the sample design pages plan for a similar task, but this link is about the scores that are shown.
    planned_with = first.measure if data.is_sample() else chosen_scores()
    n_topics = question.topics_now(blocked_anova.DESIGN, planned_with)
    ranking, request, n_best = rank_resolution.ANSWERS, rank_resolution.request_now(), 0
    with suppress(InputError):
        if ranking.question.seconds(data.matrices()[0], request) < _LONGEST_RANKING:
            n_best = len(ranking.best(data.matrices()[0], request).answer.resolution.candidates(1))

    loaded = data.own()
    st.session_state[frame.ON_SAMPLE] = not loaded  # from here on each matrix is shown, in the pool or not
    uploaded_matrices.draw_scores(matrix, upload)
    frame.caution(few_topics(sum(used.n_topics for used in groups[first.measure])))
    data.warn([variance.measure for variance in pooled])
    with st.container(horizontal=True, gap="small"):
        page, label = "pages/topics_as_blocks.py", f"How many topics? {n_topics}".strip()
        if data.is_sample():
            frame.go_to(page, label, lambda: st.session_state.update({SCORES: planned_with}))
        else:
            frame.link_to(page, label)
        frame.link_to(
            "pages/rank_resolution.py", f"Which ranks are real?{f' {n_best:,} may be best' if n_best else ''}"
        )
        frame.link_to("pages/error_rate.py", "Will other topics agree?")

    labels = ["Variance", "Run means"]
    labels += ["Rounds"] if any(len(group) > 1 for group in groups.values()) else []
    labels += ["Prepare", "Groups", "Edit"] if upload else []
    labels += ["Files and pool"] if loaded else []
    tabs = dict(zip(labels, frame.tabs(*labels), strict=True))
    with tabs["Variance"]:
        with st.container(key="answer"):
            st.markdown(
                f"The variance of one system's scores from topic to topic is {first.value:.4g} "
                f"({frame.plain(first.source)}); {intervals[first.measure].sentence}. The standard deviation is "
                f"{first.standard_deviation:.3g} {frame.plain(first.measure)}."
            )
        matrices = [upload.matrix for upload in loaded] or list(data.matrices())
        figure.show(variance_by_measure(matrices))
        table = variances_table([variances_of(matrix) for matrix in matrices])
        if not all(upload.in_pool for upload in loaded):
            table["in the pool"] = ["yes" if upload.in_pool else "no" for upload in loaded]
        if any(upload.notes for upload in loaded):
            table["changed here"] = ["; ".join(upload.notes) for upload in loaded]
        export_drawer.csv("Variances, CSV", table, name="variances")
        frame.table(table, ".5g", alt="Within-system variances of each matrix")
        st.markdown("**Pooled, for the designs**")
        frame.table(
            {
                "measure": [variance.measure for variance in pooled],
                "σ² pooled": [variance.value for variance in pooled],
                "90 % interval": [in_short(intervals[variance.measure]) for variance in pooled],
                "from": [variance.source for variance in pooled],
            },
            ".5g",
            alt="Pooled within-system variance of each measure",
        )
    if frame.is_drawn(tabs["Run means"]):
        with tabs["Run means"]:
            uploaded_matrices.draw_means(matrix)
    if "Rounds" in tabs and tabs["Rounds"].open:
        with tabs["Rounds"]:
            uploaded_matrices.draw_rounds()
    if upload:
        uploaded_matrices.draw_changes(upload, tabs["Prepare"], tabs["Edit"])
        if tabs["Groups"].open:
            with tabs["Groups"]:
                topic_groups.draw(upload)
    if loaded:
        with tabs["Files and pool"]:
            uploaded_matrices.draw_list()
    frame.explain("score_matrices")
