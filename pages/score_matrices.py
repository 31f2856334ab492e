"""Bring your scores: upload, paste, or look at the sample; what their variance is."""

import streamlit as st

from pages.parts import data, downloads, figure, frame
from topicset_core.charts.variance_by_measure import VarianceRow, variance_by_measure
from topicset_core.parsing import Choices, read_score_files
from topicset_core.variance import one_way, two_way

LARGEST_FILE_MB = 20
MISSING = ["refuse", "drop-topics", "drop-runs", "zero"]
REPEATS = ["refuse", "average"]


def _spoken(choice: str) -> str:
    """Write a choice as a person would."""
    return {
        "refuse": "refuse the file and list them",
        "drop-topics": "leave out the topics that have any",
        "drop-runs": "leave out the runs that have any",
        "zero": "count them as 0",
        "average": "average them, and say how far apart they were",
    }[choice]


frame.begin(
    "Score matrices",
    "How much do scores vary from topic to topic? Past scores of similar systems on a similar task tell.",
)


def take(files: list[tuple[str, bytes | str]]) -> None:
    """Read files or pasted text into the session; on an error the other files, and all before, stay."""
    missing = st.session_state.get("score_matrices/missing", MISSING[0])
    repeats = st.session_state.get("score_matrices/repeats", REPEATS[0])
    found = read_score_files(files, Choices(missing=missing, repeats=repeats))
    messages.extend(("error", str(error)) for error in found.errors)
    for matrix, said in zip(found.matrices, found.said, strict=True):
        if data.add(data.Loaded(matrix, said)):
            shape = f"{matrix.n_topics} topics × {matrix.n_systems} runs"
            messages.append(("success", f"{matrix.name}: {matrix.measure}, {shape}."))
        else:
            messages.append(("info", f"{matrix.name}: these {matrix.measure} scores are loaded already."))


def take_uploads() -> None:
    """Read every uploaded file, then empty the uploader: the list of matrices is what counts."""
    take([(upload.name, upload.getvalue()) for upload in st.session_state[uploader]])
    st.session_state["score_matrices/uploads"] = uploads + 1


def take_pasted() -> None:
    """Read the text area; keep the text if it could not be read."""
    before = len(messages)
    take([("pasted text", st.session_state["score_matrices/pasted"])])
    if all(kind != "error" for kind, _ in messages[before:]):
        st.session_state["score_matrices/pasted"] = ""


messages: list[tuple[str, str]] = st.session_state.setdefault("score_matrices/messages", [])
uploads = st.session_state.setdefault("score_matrices/uploads", 0)
uploader = f"score_matrices/uploader-{uploads}"

bring, result = st.columns([1, 2.2], gap="large")

with bring:
    st.file_uploader(
        "Upload tables of scores",
        type=["csv", "tsv", "txt", "json", "jsonl", "xlsx", "gz", "zip"],
        accept_multiple_files=True,
        max_upload_size=LARGEST_FILE_MB,
        key=uploader,
        on_change=take_uploads,
        help="Rows are topics and columns runs, or the other way round; three columns topic, system, score; "
        "trec_eval -q outputs, one file a run; tables whose columns are measures, one file a run; Excel sheets; "
        "zip or gz of any of these.",
    )
    with st.expander("What to do with missing and repeated scores"):
        st.selectbox("Missing scores", MISSING, key="score_matrices/missing", format_func=_spoken)
        st.selectbox("Repeated scores", REPEATS, key="score_matrices/repeats", format_func=_spoken)
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
