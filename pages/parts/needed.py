"""The sample's answer is for those who have loaded nothing: with other data a page says what it needs instead."""

import streamlit as st

from pages.parts import data, frame, judges, runs_data
from pages.parts.contents import page_named

_NEEDS: dict[str, tuple[str, str]] = {
    "scores": ("one score per topic and system", "score_matrices"),
    "runs": ("runs with relevance judgments", "runs_and_qrels"),
    "judge": ("scores by a judge, and labels by people on some topics", "judges"),
    "repeats": ("several scores per topic and system, as of seeds", "judges"),
    "two judges": ("runs with two files of judgments on the same topics", "runs_and_qrels"),
    "sweep": ("runs of one system with several settings, and judgments", "training_sensitivity"),
}
"""What a page needs, and where it is uploaded."""

_EXAMPLES = "frame/examples"
"""Name in the session: the pages on which the user wants to see the example."""


def _kinds() -> list[str]:
    """Return what the user has loaded, in words."""
    track, own = runs_data.own(), [upload.matrix for upload in data.own()]
    of_runs = [upload for upload in data.own() if upload.origin == runs_data.ORIGIN]
    kinds = []
    if len(own) > len(of_runs):
        kinds.append("scores of systems")
    if track is not None:
        kinds.append(
            " and ".join([*(["runs"] if track.runs else []), *(["judgments"] if track.qrels else [])])
        )
    kinds += [
        words
        for about, words in (("judge", "scores by a judge"), ("repeats", "repeated scores"))
        if st.session_state.get(f"{judges.OWN}{about}") is not None
    ]
    return kinds


def check(kind: str) -> None:
    """End a page that would show the sample to a user with other data, unless they ask for the example."""
    kinds, page, state = _kinds(), frame.current(), st.session_state
    shown: set[str] = state.get(_EXAMPLES, set())
    is_told = kind == "scores" and data.own()  # the page says that none of them is in the pool
    if not frame.on_sample() or not kinds or is_told or f"{page.name}/{kind}" in shown:
        return

    def show() -> None:
        state[_EXAMPLES] = {*shown, f"{page.name}/{kind}"}

    needed, place = _NEEDS[kind]
    prompt = frame.prompt(f"This page needs {needed}. You have loaded {' and '.join(kinds)}.")
    st.html(
        "<style>.st-key-data-in-use { display: none; }</style>"
    )  # it names the sample, which is not in use
    with prompt, st.container(horizontal=True, vertical_alignment="center"):
        if place != page.name:
            frame.link_to(page_named(place).file, "Upload data")
        st.button("Show an example with simulated data", key="example/show", on_click=show)
    st.stop()
