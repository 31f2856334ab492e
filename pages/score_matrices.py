"""Bring your scores: upload, paste, or look at the sample; what their variance is."""

import streamlit as st

from pages.parts import data, downloads, figure, frame
from topicset_core.charts.variance_by_measure import VarianceRow, variance_by_measure
from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way, two_way

LARGEST_FILE_MB = 20

frame.begin(
    "Score matrices",
    "How much do scores vary from topic to topic? Past scores of similar systems on a similar task tell.",
)


def take(content: bytes | str, name: str) -> None:
    """Read one file or pasted text into the session; on an error, what was loaded stays."""
    try:
        found = read_scores(content, name)
    except ParseError as error:
        messages.append(("error", str(error)))
        return
    for matrix in found.matrices:
        if data.add(data.Loaded(matrix, found.recognised)):
            shape = f"{matrix.n_topics} topics × {matrix.n_systems} runs"
            messages.append(("success", f"{matrix.name}: {matrix.measure}, {shape}."))
        else:
            messages.append(("info", f"{matrix.name}: these {matrix.measure} scores are loaded already."))


def take_uploads() -> None:
    """Read every uploaded file, then empty the uploader: the list of matrices is what counts."""
    for upload in st.session_state[uploader]:
        take(upload.getvalue(), upload.name)
    st.session_state["score_matrices/uploads"] = uploads + 1


def take_pasted() -> None:
    """Read the text area; keep the text if it could not be read."""
    before = len(messages)
    take(st.session_state["score_matrices/pasted"], "pasted text")
    if all(kind != "error" for kind, _ in messages[before:]):
        st.session_state["score_matrices/pasted"] = ""


messages: list[tuple[str, str]] = st.session_state.setdefault("score_matrices/messages", [])
uploads = st.session_state.setdefault("score_matrices/uploads", 0)
uploader = f"score_matrices/uploader-{uploads}"

bring, result = st.columns([1, 2.2], gap="large")

with bring:
    st.file_uploader(
        "Upload tables of scores",
        type=["csv", "tsv", "txt"],
        accept_multiple_files=True,
        max_upload_size=LARGEST_FILE_MB,
        key=uploader,
        on_change=take_uploads,
        help="Rows are topics and columns are runs, or three columns topic, system, score. Comma, tab, "
        "semicolon or spaces between cells.",
    )
    with st.form("score_matrices/paste", border=False):
        st.text_area(
            "or paste one",
            key="score_matrices/pasted",
            height=140,
            placeholder="topic,run1,run2\n401,0.31,0.28\n402,0.12,0.20",
        )
        st.form_submit_button("Read pasted scores", on_click=take_pasted)
    for kind, message in messages:
        {"error": st.error, "success": st.success, "info": st.info}[kind](frame.plain(message))
    messages.clear()
    st.markdown(
        ":small[Your scores stay in this browser session: nobody else sees them, nothing is sent elsewhere, and "
        "they are gone two minutes after the connection ends.]"
    )

with result:
    data.say_what_is_in_use(linked=False)
    first = data.variances()[0]
    with st.container(gap="xxsmall"):
        whose = "The simulated scores" if data.is_sample() else "Your scores"
        st.markdown(f"# {whose} vary by :primary[σ² = {first.value:.4g}]")
        st.markdown(
            f"within a system, from topic to topic ({frame.plain(first.source)}). That is a standard deviation "
            f"of {first.standard_deviation:.3g} {frame.plain(first.measure)}."
        )
    frame.link_to("pages/one_way_anova.py", "How many topics does that ask for?")

    matrices = data.matrices()
    both = [
        (matrix, one_way(matrix), two_way(matrix) if matrix.n_systems > 1 else None) for matrix in matrices
    ]
    rows = [
        VarianceRow(f"{matrix.measure}, {matrix.name}", single, double) for matrix, single, double in both
    ]
    figure.print_style_switch()
    figure.show(
        variance_by_measure(rows, mode=frame.chart_mode()),
        key="variances",
        name="variances",
        alt="Within-system variance of each score matrix, one-way and two-way.",
    )
    table = {
        "scores": [matrix.name for matrix in matrices],
        "measure": [matrix.measure for matrix in matrices],
        "topics": [matrix.n_topics for matrix in matrices],
        "runs": [matrix.n_systems for matrix in matrices],
        "σ² one-way": [single for _, single, _ in both],
        "σ² two-way": [double for _, _, double in both],
    }
    precise = st.column_config.NumberColumn(format="%.5g")
    st.dataframe(
        table,
        hide_index=True,
        column_config={"σ² one-way": precise, "σ² two-way": precise},
        alt="Within-system variances of each matrix",
    )
    downloads.csv("Variances, CSV", lambda: table, name="variances", key="csv-variances")

    st.subheader("Pooled by measure, as the designs use it", anchor=False)
    st.dataframe(
        {
            "measure": [found.measure for found in data.variances()],
            "σ² pooled": [found.value for found in data.variances()],
            "from": [found.source for found in data.variances()],
        },
        hide_index=True,
        column_config={"σ² pooled": precise},
        alt="Pooled within-system variance of each measure",
    )

    if not data.is_sample():
        st.subheader("What was recognised", anchor=False)
        for index, loaded in enumerate(data.own()):
            with st.container(border=True):
                said, action = st.columns([5, 1], vertical_alignment="center")
                name, measure = frame.plain(loaded.matrix.name), frame.plain(loaded.matrix.measure)
                said.markdown(f"**{name}** ({measure}): {frame.plain(' '.join(loaded.recognised))}")
                action.button(
                    "Remove", key=f"score_matrices/remove-{index}", on_click=data.remove, args=(index,)
                )
        st.button("Remove all and use the sample", on_click=data.forget_all)

    with st.expander("How this is computed"):
        st.markdown(
            r"""
**One-way** (Sakai 2016, Eq. 36), which the designs use: the mean over systems of the unbiased variance of their
scores over topics. Differences in difficulty between topics count as noise, which errs on the side of more
topics. **Two-way** (Eq. 37) takes topic difficulty out, and is half the mean variance of the difference of two
systems. Matrices of one measure are **pooled** with weights $n_C - 1$ (Eq. 38).

T. Sakai. Topic set size design. *Information Retrieval Journal* 19, 256–283 (2016).
[doi:10.1007/s10791-015-9273-z](https://doi.org/10.1007/s10791-015-9273-z)
"""
        )
