"""What the page on judges and repeats asks: scores, what is repeated or which pair, and costs."""

from typing import Any

import streamlit as st

from pages.parts import frame
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number
from pages.parts.linked_data import Stamp
from topicset_core.collection.paired_labels import PairedLabels
from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.judge_budget import BUDGET, COST_CALL, COST_LABEL
from topicset_core.designs.replicated import COST_CELL, COST_SEED, COST_TOPIC
from topicset_core.errors import InputError, ParseError
from topicset_core.parameters import ALPHA, BETA, MIN_D, Parameter
from topicset_core.parsing.scores.labels import read_labels
from topicset_core.parsing.scores.replicated import read_replicated
from topicset_core.samples import simulated_judge

PAGE = "judges"
ABOUT = Choice(
    "about",
    "The scores have",
    {"judge": "a judge, and some human labels", "repeats": "several seeds or repeats per system"},
    look="radio",
)
KIND = Choice(
    "kind",
    "Repeats are",
    {
        "seeds": "seeds of a system, each over all topics",
        "repeats": "answers or judge calls within a topic",
        "query-variations": "formulations of a topic, for all systems",
    },
)
FIRST: Choice[str] = Choice("first", "First system")
SECOND: Choice[str] = Choice("second", "Second system")
_NUMBERS = [
    Number(one)
    for one in (ALPHA, BETA, MIN_D, COST_TOPIC, COST_SEED, COST_CELL, BUDGET, COST_LABEL, COST_CALL)
]
FORM = Form(PAGE, (ABOUT, KIND, FIRST, SECOND, *_NUMBERS), together=ERROR_PROBABILITIES)
_HELP = {
    "judge": "One table with columns topic, system, judge and human. Leave human empty without a label; further "
    "rows of a topic and system are further judge calls.",
    "repeats": "A long table with columns topic, system, score and seed (or repeat, variant), or one score file "
    "per seed.",
}


OWN = f"{PAGE}/own-"
"""Begins the names of the user's scores in the session; saved work has them, too."""

_READ = "frame/judges-read-"


def scores(about: str) -> ReplicatedScores | PairedLabels:
    """Draw the upload and return the scores in use: the user's, or the simulated sample."""
    state, kept, read = st.session_state, f"{OWN}{about}", f"{_READ}{about}"
    files = st.file_uploader(
        "Upload your own", accept_multiple_files=True, key=f"{PAGE}/files-{about}", help=_HELP[about]
    )
    # Files are read once: saved work that is opened later takes their place.
    which = [file.file_id for file in files]
    if files and state.get(read) != which:
        contents = [(file.name, file.getvalue()) for file in files]
        try:
            if about == "repeats":
                state[kept] = read_replicated(contents)
            else:
                state[kept] = read_labels(*contents[0], contents[1] if len(contents) > 1 else None)
            state[read] = which
        except (ParseError, InputError) as error:
            frame.refuse(frame.plain(str(error)))
    own: ReplicatedScores | PairedLabels | None = state.get(kept)
    state[frame.ON_SAMPLE] = own is None
    if own is not None:
        st.markdown(f":small[Your scores: {frame.plain(own.name)}, {len(own.topics):,} topics.]")
        return own
    st.markdown(":small[These are simulated scores of three RAG systems.]")
    repeated, labels = simulated_judge()
    return repeated if about == "repeats" else labels


def stamp(scores: ReplicatedScores | PairedLabels) -> Stamp:
    """Return how links name the scores in use."""
    return Stamp(scores.digest, f"{len(scores.topics)}x{len(scores.systems)}", scores.name)


def numbers(about: str) -> dict[str, Any]:
    """Draw the numbers that this question takes and return all of them."""
    _draw(ALPHA, BETA, MIN_D)
    with st.expander("Costs", expanded=True):
        repeated = about == "repeats"
        _draw(
            *((COST_TOPIC, COST_SEED, COST_CELL) if repeated else (BUDGET, COST_LABEL, COST_TOPIC, COST_CALL))
        )
    return FORM.values()


def _draw(*parameters: Parameter) -> None:
    for one in parameters:
        FORM.draw(Number(one, is_short=True))
