"""What the topic subsets page asks: which scores, what goodness, how much of it, by which method; and its views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.elements.lib.mutable_tab_container import TabContainer

from pages.parts import link
from pages.parts.form import SCORES, WORST, WORST_QUARTER, Choice, Form, Number, Switch, prepared
from topicset_core.analyses.topic_subsets.goodness import MEASURES, GoodnessMeasure, measure_of
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM, N_SPLITS, N_STARTS, HoldOut
from topicset_core.analyses.topic_subsets.request import (
    CARDINALITY,
    MOST_PROVED,
    NODES,
    PARAMETERS,
    TARGET,
    Method,
    size_below,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.preparation import GMAP_FLOOR, Steps

PAGE = "topic-subsets"
SPLIT_TRIALS = replace(N_RANDOM, name="n_trials_of_a_split")
JUDGED_MEASURE, TOPIC, LEFT_OUT = "judged_measure", "topic", "left_out_run"

VIEWS = {"topics": "Which topics", "held-out": "On other runs or topics", "audit": "Your own set"}
"""The tabs of the page, by how links name them."""

SAME = "same"
"""Choose by the goodness that judges."""

_METHODS: dict[Method, str] = {
    "auto": "All subsets where quick, else swaps",
    "exact": "Proved best and worst",
    "exhaustive": "All subsets",
    "local": "Swaps",
    "guiver": "The paper's heuristic",
}
_HALVES: dict[HoldOut, str] = {"runs": "Half of the runs", "topics": "Half of the topics"}
_KEYS = [measure.key for measure in MEASURES]


def _usual_target() -> float:
    return measure_of(st.session_state[f"{PAGE}/goodness"]).target


def _take_its_target() -> None:
    """Another measure has another scale: start from what is usual for it."""
    st.session_state[f"{PAGE}/{TARGET.name}"] = _usual_target()
    FORM.clear_complaints()


_GOODNESS = Choice(
    "goodness",
    "Goodness",
    _KEYS,
    lambda key: measure_of(key).label,
    look="radio",
    then=_take_its_target,
)
_METHOD = Choice("method", "Method", _METHODS, look="radio")
_VIEW = Choice("view", "", VIEWS)
HOLD_OUT = Choice("hold_out", "Hold out", _HALVES, look="row")
CHOOSE_BY = Choice(
    "choose_by",
    "Choose by",
    [SAME, *_KEYS],
    help="The measure of goodness by which best and worst sets are looked for.",
)
_WORST = Switch(WORST, "Drop the worst quarter", "Of the runs, by mean score, as in the paper.")
_LOG = Switch(
    "log",
    "Logarithms",
    f"Geometric means, as GMAP: each score is replaced by its logarithm, from {GMAP_FLOOR:g} on.",
)
TEAMS = Switch("teams", "Keep teams together", "In random halves; guessed from the names of the runs.")
FORM = Form(
    PAGE,
    (
        Number(TARGET, usual=_usual_target),
        *map(Number, (CARDINALITY, *PARAMETERS, N_SPLITS, N_STARTS, SPLIT_TRIALS)),
        *(_GOODNESS, _METHOD, _VIEW, HOLD_OUT, CHOOSE_BY, _WORST, _LOG, TEAMS, SCORES),
    ),
    texts=(JUDGED_MEASURE, TOPIC, LEFT_OUT),
)


@dataclass(frozen=True)
class Asked:
    """A valid question.

    Parameters
    ----------
    matrix, loaded : ScoreMatrix
        The scores in question, prepared and as they were loaded.
    said : tuple of str
        What was done to them.
    measure : GoodnessMeasure
        How subsets are judged.
    method : {"auto", "exact", "exhaustive", "local", "guiver"}
        How they are looked for.
    values : dict
        Number by parameter name, valid all.
    written : dict
        All of it as links have it.
    """

    matrix: ScoreMatrix
    loaded: ScoreMatrix
    said: tuple[str, ...]
    measure: GoodnessMeasure
    method: Method
    values: dict[str, float]
    written: dict[str, link.Value]

    @property
    def target(self) -> float:
        """Goodness at which curves are read across."""
        return self.values[TARGET.name]

    @property
    def cardinality(self) -> int:
        """Size of the ten best and worst sets."""
        return self.size_below(self.matrix.n_topics)

    def size_below(self, limit: int) -> int:
        """Return the size asked for, or half of the limit where it is not below: of all there is but one set."""
        return size_below(limit, int(self.values[CARDINALITY.name]))

    def say_size(self, size: int) -> None:
        """Say so where another size than the one asked for is shown."""
        asked = int(self.values[CARDINALITY.name])
        if size != asked:
            with st.container(key="other-size"):
                st.markdown(
                    f":small[:gray[Sets of {asked:,} are all that these {self.matrix.n_topics:,} topics have, or "
                    f"more: sets of {size:,} are shown.]]"
                )

    def url(self, view: str, more: Mapping[str, link.Value] | None = None) -> str:
        """Return the full link of a view; it carries the question, not the scores."""
        return link.write({_VIEW.name: view, **self.written, **(more or {})})


def ask() -> Asked:
    """Draw the form; it answers as one types, and keeps the last valid values for what breaks a rule."""
    if FORM.start():
        st.session_state[f"{PAGE}/tab"] = VIEWS[st.session_state[f"{PAGE}/{_VIEW.name}"]]
    loaded = FORM.draw(SCORES)
    goodness = FORM.draw(_GOODNESS)
    place = st.container(gap="xxsmall")
    place.markdown(":small[:gray[How the run means over a subset agree with those over all topics.]]")
    FORM.number(TARGET)
    without_worst = FORM.draw(_WORST)
    log = FORM.draw(_LOG)
    with st.expander("How subsets are looked for"):
        method = FORM.draw(_METHOD)
        st.markdown(
            ":small[:gray[Where all subsets were evaluated, nothing better exists. Swaps exchange one topic for "
            "another while that gains, from many starts. The paper's heuristic changes the best set of one size "
            "into that of the next. Proofs go on from swaps: branch and bound shows that no subset is better, or "
            "what none exceeds.]]"
        )
        FORM.number(*(one for one in PARAMETERS if one is not NODES or method == "exact"))
    values = FORM.values()
    steps = Steps(
        worst_fraction=WORST_QUARTER if without_worst else None, log_floor=GMAP_FLOOR if log else None
    )
    matrix, said = prepared(loaded, steps)
    why_not = _no_proofs(goodness, matrix.n_topics) if method == "exact" else ""
    if why_not:
        st.warning(f"{why_not} All subsets are evaluated where that is quick, and swaps are used elsewhere.")
    chosen: Method = "auto" if why_not else method
    written = FORM.written(_GOODNESS) | {_METHOD.name: chosen} | values | FORM.written(_WORST, _LOG, SCORES)
    return Asked(matrix, loaded, said, measure_of(goodness), chosen, values, written)


def views() -> Sequence[TabContainer]:
    """Draw the tabs; only the open one is worth filling."""
    tab, kept = f"{PAGE}/tab", f"{PAGE}/tab-kept"
    if tab not in st.session_state and kept in st.session_state:  # one comes back from another page
        st.session_state[tab] = st.session_state[kept]
    drawn = st.tabs(list(VIEWS.values()), key=tab, on_change="rerun")
    st.session_state[kept] = next(
        (name for name, view in zip(VIEWS.values(), drawn, strict=True) if view.open), VIEWS["topics"]
    )
    return drawn


def open_view(view: str, cardinality: int | None = None) -> None:
    """Open a view, for sets of a size; called by buttons."""
    st.session_state[f"{PAGE}/tab"] = VIEWS[view]
    if cardinality is not None:
        st.session_state[f"{PAGE}/{CARDINALITY.name}"] = cardinality
        FORM.clear_complaints()


def no_answer(error: InputError) -> str:
    """Return why these scores have no subsets to compare, in a sentence."""
    return f"These scores cannot be compared over subsets of topics: {rule_of(error)}."


def rule_of(error: InputError) -> str:
    """Return which rule scores break: "there must be at least 6 runs to be split in halves, and there are 2"."""
    if error.rule.startswith("must be at least ") and isinstance(error.value, int):
        there = "is 1" if error.value == 1 else f"are {error.value:,}"
        return f"there {error.rule}, and there {there}"
    return f"{error.parameter} {error.rule}"


def _no_proofs(goodness: str, n_topics: int) -> str:
    """Return why there are no proofs, "" where there are."""
    if goodness != "pearson":
        return f"Proofs are for Pearson's correlation: no bound is known for {measure_of(goodness).label}."
    if n_topics > MOST_PROVED:
        return f"Proofs are for up to {MOST_PROVED} topics, and these are {n_topics:,}."
    return ""
