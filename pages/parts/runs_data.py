"""The runs and judgments a user works on: their own if uploaded, the simulated sample otherwise.

Held in this user's session, and for the same browser by `kept_work`; no other user can reach them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from pages.parts import data, frame, link
from pages.parts.computation import Computation, Job
from pages.parts.limits import OF_RUNS
from pages.parts.link import Stamp, check
from pages.parts.parsing import parsed
from topicset_core.collection import Selected
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.errors import InputError
from topicset_core.measures.conventions import level_in_words
from topicset_core.measures.registry import offered_names
from topicset_core.parameters import RELEVANCE_LEVEL
from topicset_core.parsing.archives import Files
from topicset_core.parsing.trec.qrels import ReadQrels
from topicset_core.parsing.trec.runs import ReadRun
from topicset_core.parsing.trec.track import Track, joined_track, read_both
from topicset_core.samples import simulated_diversity, simulated_runs
from topicset_core.wording import counted

Task = Literal["ad hoc", "diversity"]
"""Of a diversity task documents are judged for each intent of a topic."""

SEEDS: dict[Task, int] = {
    "ad hoc": simulated_runs.DEFAULT_SEED,
    "diversity": simulated_diversity.DEFAULT_SEED,
}


@st.cache_resource(show_spinner=False)
def sample_track(task: Task) -> Track:
    """Return the simulated runs and judgments of a task."""
    if task == "diversity":
        runs, qrels = simulated_diversity.simulated_diversity_track()
    else:
        runs, qrels = simulated_runs.simulated_track()
    notes = (f"Simulated, with seed {SEEDS[task]}.", *([qrels.intents.notes] if qrels.intents else []))
    return Track(
        runs=tuple(ReadRun(run=run, file="simulated", notes=notes[:1]) for run in runs),
        qrels=(ReadQrels(qrels=qrels, file="simulated", notes=notes),),
        judged=(join(runs, qrels),),
    )


READING: Computation[Track] = Computation("runs/reading")
"""Files that are read; one answer is kept, all that was read by now."""

ORIGIN = "runs and judgments"
"""What made the scores of these runs, next to scores that were uploaded."""

_SAMPLE = "runs/sample"
_CHOSEN = "runs/chosen"
_LEVEL, _LEVEL_SHOWN = "runs/level", "runs/level-now"
_MOST_BUTTONS = 5  # grades that are offered as buttons


def own() -> Track | None:
    """Return what this user has loaded; None where that is nothing."""
    result = READING.latest()
    return result if result is not None and (result.runs or result.qrels) else None


def in_use() -> Track:
    """Return the runs and judgments in use: the user's own as soon as there are any that fit together."""
    track = own()
    if track is None or not track.judged:
        return sample_track(_task())
    chosen = _chosen(track)
    return track if chosen is None else chosen[1]


def _chosen(track: Track) -> tuple[Track, Track, Selected] | None:
    """Return the selection from this track; None if that is all, or if it was made from another track."""
    tracks: tuple[Track, Track, Selected] | None = st.session_state.get(_CHOSEN)
    return tracks if tracks is not None and tracks[0] is track else None


def selected() -> Selected | None:
    """Return which topics and runs of the user's own were chosen; None where all are in use."""
    track = own()
    result = _chosen(track) if track is not None else None
    return None if result is None else result[2]


def choose(topics: str, systems: str) -> None:
    """Use some topics and runs of the user's own, named by the texts; all if the texts are empty."""
    track = own()
    if track is not None:
        names = data.SELECTIONS[0][0], data.SELECTIONS[1][0]
        kept, record = track.select(topics.strip() or None, systems.strip() or None, names)
        st.session_state[_CHOSEN] = (track, kept, record) if record.notes else None


def _task() -> Task:
    """Return the simulated task in use; the user's choice."""
    task: Task = st.session_state.get(_SAMPLE, "ad hoc")
    return task


def _take_sample(task: Task) -> None:
    link.leave()
    st.session_state[_SAMPLE] = task


def judged() -> tuple[JudgedRuns, ...]:
    """Return the collections in use, each with its runs."""
    return in_use().judged


def is_sample() -> bool:
    """Return whether the simulated sample is in use."""
    return in_use() is sample_track(_task())


def stamp() -> Stamp:
    """Return how links name the runs and judgments in use."""
    used = judged()
    digest = hashlib.sha256(" ".join(collection.digest for collection in used).encode()).hexdigest()
    n_topics = sum(collection.n_topics for collection in used)
    n_systems = len({system for collection in used for system in collection.systems})
    return Stamp(digest, f"{n_topics}x{n_systems}", ", ".join(collection.qrels.name for collection in used))


def relevance_level() -> int:
    """Return from which grade documents are relevant: one setting for all pages that score the runs in use."""
    level: int = st.session_state.get(_LEVEL, RELEVANCE_LEVEL.default)
    return level if 1 <= level <= _largest_grade() else int(RELEVANCE_LEVEL.default)


def set_relevance_level(level: int) -> None:
    """Let all pages score the runs in use by this level."""
    st.session_state[_LEVEL] = level


def _largest_grade() -> int:
    """Return the largest grade that every collection in use has."""
    return min(int(collection.qrels.grades.max()) for collection in judged())


@dataclass(frozen=True)
class Level:
    """The relevance level as a field of a form: links carry it, and `show_data_in_use` draws it."""

    name: str = RELEVANCE_LEVEL.name

    def read(self) -> tuple[None, Sequence[link.Complaint]]:
        """Set the level to that of the link; it is used once there are judgments with that grade."""
        if self.name not in st.query_params or (link.is_saved() and _LEVEL in st.session_state):
            return None, ()  # saved work has the level of all pages
        text = st.query_params[self.name]
        try:
            set_relevance_level(int(link.number(RELEVANCE_LEVEL, text)))
            if relevance_level() != st.session_state[_LEVEL]:
                rule = f"must be at most {_largest_grade()}, the largest grade in the qrels"
                raise InputError(self.name, text, rule)
        except InputError as error:
            return None, [link.not_used(self.name, text, f"it {error.rule}")]
        return None, ()

    def draw(self, key: str, **_: Any) -> int:
        """Draw the control from which grade documents are relevant, which changes it for all pages."""
        level, largest = relevance_level(), _largest_grade()
        text = level_in_words(level, largest)
        if not text:
            return level
        st.session_state[key] = level
        options, label = range(1, largest + 1), "Relevant from grade"
        more: dict[str, Any] = {
            "key": key,
            "on_change": lambda: set_relevance_level(st.session_state[key]),
            "label_visibility": "collapsed",
        }
        look: dict[str, Any] = {"width": "content", "vertical_alignment": "center", "gap": "xsmall"}
        with st.container(key="relevance-level", horizontal=True, **look):
            st.markdown(":small[grade ≥]", width="content", help=frame.plain(text))
            if largest <= _MOST_BUTTONS:
                st.segmented_control(label, options, required=True, **more)
            else:
                st.selectbox(label, options, width=90, **more)
        return level


LEVEL = Level()


def forget() -> None:
    """Go back to the sample, and forget the scores that were made of the runs."""
    READING.forget()
    st.session_state.pop(_LEVEL, None)
    data.replace_from(ORIGIN, [])


def read(runs: Files, qrels: Files) -> None:
    """Start to read files next to those loaded before. Call it from a callback."""
    before = own()

    def work(job: Job) -> Track:
        # Topic variance draws from the scores; they make runs in memory half as large again.
        read = parsed(
            [name for name, _ in (*runs, *qrels)],
            read_both,
            runs,
            qrels,
            bounds=OF_RUNS,
            user=job.user,
            report=job.report_progress,
            keep_scores=True,
        )
        return joined_track(*read, before, job.report_progress)

    READING.start("files", "Reading runs and judgments", work)


def show_data_in_use(*, linked: bool = True) -> None:
    """Write the owner of these runs, (where linked) how to upload other ones, and the relevance level."""
    st.session_state[frame.ON_SAMPLE] = is_sample()
    check({stamp().digest}, "pages/runs_and_qrels.py", is_sample=is_sample())
    with frame.head("data"):
        if is_sample():
            text, invitation = "**Sample data**", "Upload yours"
        else:
            n_runs = len({system for collection in judged() for system in collection.systems})
            topics = counted(sum(collection.n_topics for collection in judged()), "topic")
            chosen = selected()
            of = f" (chosen: {chosen.summary})" if chosen else ""
            text = f"Your {counted(n_runs, 'run')} on {topics}{of}"
            invitation = "Change them"
        st.markdown(text, width="content")
        if linked:
            frame.link_to("pages/runs_and_qrels.py", invitation)
        if is_sample():
            other: Task = "ad hoc" if _task() == "diversity" else "diversity"
            st.button(
                "Ad hoc task" if other == "ad hoc" else "Diversity task",
                key="runs/other-sample",
                type="tertiary",
                on_click=_take_sample,
                args=(other,),
            )
        LEVEL.draw(_LEVEL_SHOWN)


AD_HOC = offered_names(by_intent=False)
AD_HOC_AT_FIRST = offered_names(by_intent=False, at_first=True)
BY_INTENT = offered_names(by_intent=True, at_first=True)
"""The default measures of a diversity task."""

HELP_BY_INTENT = (
    "alpha-nDCG and nERR-IA follow ndeval -traditional, which ignores grades; their graded forms use grades and "
    "the probabilities of intents, as D-nDCG and D#-nDCG always do."
)


def are_by_intent(collections: Sequence[JudgedRuns]) -> bool:
    """Return whether all judgments are by intent, so that measures of diversity can be offered."""
    return bool(collections) and all(collection.qrels.intents is not None for collection in collections)


def offered(collections: Sequence[JudgedRuns]) -> tuple[str, ...]:
    """Return the measures to choose from."""
    return (*offered_names(by_intent=True), *AD_HOC) if are_by_intent(collections) else AD_HOC
