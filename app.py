"""Topicset: the table of contents of the app, one line a page.

Every page's address differs from its file name: a cold visitor to ``/one_way_anova`` would otherwise
get the bare file without this frame, as Streamlit first looks for pages by their file names.
"""

import streamlit as st

from pages.parts.tidying import tidy_up

st.set_page_config(page_title="Topicset", page_icon="assets/icon.svg", layout="wide")

PAGES = {
    "": [
        st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
    ],
    "Your data": [
        st.Page("pages/score_matrices.py", title="Score matrices", url_path="score-matrices"),
        st.Page("pages/runs_and_qrels.py", title="Runs and judgments", url_path="runs-and-qrels"),
    ],
    "How many topics?": [
        st.Page("pages/one_way_anova.py", title="One-way ANOVA", url_path="one-way-anova"),
        st.Page("pages/paired_t.py", title="Paired t test", url_path="paired-t-test"),
        st.Page("pages/two_sample_t.py", title="Two-sample t test", url_path="two-sample-t-test"),
        st.Page("pages/confidence_interval.py", title="Confidence interval", url_path="confidence-interval"),
        st.Page("pages/compare_designs.py", title="Compare designs", url_path="compare-designs"),
        st.Page("pages/reported_result.py", title="Reported result", url_path="reported-result"),
    ],
    "How deep?": [
        st.Page("pages/pool_depth.py", title="Pool depth", url_path="pool-depth"),
    ],
    "How far to trust it?": [
        st.Page("pages/error_rate.py", title="Error rate", url_path="error-rate"),
        st.Page("pages/topic_subsets.py", title="Topic subsets", url_path="topic-subsets"),
        st.Page("pages/topic_variance.py", title="Topic variance", url_path="topic-variance"),
        st.Page(
            "pages/training_sensitivity.py", title="Training sensitivity", url_path="training-sensitivity"
        ),
    ],
}

tidy_up()
st.logo("assets/logo.svg", size="large")
st.navigation(PAGES).run()
