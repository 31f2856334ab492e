"""The runs and judgments a user works on: their own where they brought some, the simulated sample otherwise.

Held in this user's session and nowhere else.
"""

import streamlit as st

from pages.parts import data, frame
from pages.parts.computation import Computation, Run
from pages.parts.sample_tracks import Task, sample_track
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.parsing.trec.track import Files, Track, read_track
from topicset_core.wording import counted

READING: Computation[Track] = Computation("runs/reading")
"""Files that are read; one answer is kept, all that was read by now."""

ORIGIN = "runs and judgments"
"""What made the scores of these runs, beside scores that were uploaded."""

_SAMPLE = "runs/sample"


def own() -> Track | None:
    """Return what this user has loaded; None where that is nothing."""
    found = READING.latest()
    return found if found is not None and (found.runs or found.qrels) else None


def in_use() -> Track:
    """Return the runs and judgments in use: the user's own as soon as there are any that fit together."""
    track = own()
    return track if track is not None and track.judged else sample_track(_task())


def _task() -> Task:
    """Return the simulated task that stands in; the user's choice."""
    task: Task = st.session_state.get(_SAMPLE, "ad hoc")
    return task


def judged() -> tuple[JudgedRuns, ...]:
    """Return the collections in use, each with its runs."""
    return in_use().judged


def is_sample() -> bool:
    """Return whether the simulated sample stands in."""
    return in_use() is sample_track(_task())


def forget() -> None:
    """Go back to the sample, and forget the scores that were made of the runs."""
    READING.forget()
    data.replace_from(ORIGIN, [])


def read(runs: Files, qrels: Files) -> None:
    """Start to read files beside those loaded before. Call it from a callback."""
    before = own()

    def work(run: Run) -> Track:
        # Topic variance draws from the scores; they make runs in memory half as large again.
        return read_track(runs, qrels, before, run.report_progress, keep_scores=True)

    READING.start("files", "Reading runs and judgments", work)


def say_what_is_in_use(*, linked: bool = True) -> None:
    """Write one quiet line: whose runs these are, and (where linked) how to bring other ones."""
    with st.container(key="data-in-use", horizontal=True, vertical_alignment="center"):
        if is_sample():
            said = "These are **simulated** runs and judgments, so that you see an answer at once."
            if _task() == "diversity":
                said = "These are **simulated** runs of a diversity task, judged for each intent of a topic."
            invitation = "Bring your own runs and judgments"
        else:
            n_runs = len({system for one in judged() for system in one.systems})
            topics = counted(sum(one.n_topics for one in judged()), "judged topic")
            said = f"Working with your {counted(n_runs, 'run')} on {topics}."
            invitation = "Change them"
        st.markdown(said, width="content")
        if linked:
            frame.link_to("pages/runs_and_qrels.py", invitation)
        if is_sample():
            other: Task = "ad hoc" if _task() == "diversity" else "diversity"
            st.button(
                f"See a simulated {other} task",
                key="runs/other-sample",
                type="tertiary",
                on_click=lambda: st.session_state.update({_SAMPLE: other}),
            )
