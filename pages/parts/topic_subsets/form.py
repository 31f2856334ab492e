"""The form of the topic subsets page, its views, and the search that its settings ask for, with a preview."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.elements.lib.mutable_tab_container import TabContainer

from pages.parts import link
from pages.parts.computation import Computation, kept, threads
from pages.parts.form import SCORES, WORST, WORST_QUARTER, Choice, Form, Number, Switch, prepared
from topicset_core.analyses.topic_subsets import sampling
from topicset_core.analyses.topic_subsets.curve import SubsetCurve, criterion_for, seconds_of, subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, GoodnessMeasure, measure_of
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM, N_SPLITS, N_STARTS, HoldOut
from topicset_core.analyses.topic_subsets.request import (
    CARDINALITY,
    MOST_PROVED,
    NODES,
    PARAMETERS,
    PREVIEW_SECONDS,
    TARGET,
    Method,
    Request,
    default_cardinalities,
    preview_cardinalities,
    size_below,
)
from topicset_core.analyses.topic_subsets.searches import MOST_SWAPPED
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable, topic_table
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.sizes import log_spaced
from topicset_core.parameters import SEED
from topicset_core.preparation import GMAP_FLOOR, Steps

PAGE = "topic-subsets"
SPLIT_TRIALS = replace(N_RANDOM, name="n_trials_of_a_split")
EVALUATING_MEASURE, TOPIC, LEFT_OUT = "judged_measure", "topic", "left_out_run"

VIEWS = {
    "topics": "Best and worst subsets",
    "held-out": "On other runs or topics",
    "audit": "Your own subset",
}
"""The tabs of the page, by their names in links."""

GUIVER = """
J. Guiver, S. Mizzaro, S. Robertson. A few good topics: Experiments in topic set reduction for retrieval
evaluation. *ACM TOIS* 27(4), 21 (2009). [doi:10.1145/1629096.1629099](https://doi.org/10.1145/1629096.1629099)
"""

KENDALL = """
M. G. Kendall. The treatment of ties in ranking problems. *Biometrika* 33(3), 239–251 (1945).
[doi:10.1093/biomet/33.3.239](https://doi.org/10.1093/biomet/33.3.239)
"""

SAME = "same"
"""Choose by the measure that evaluates."""

_METHODS: dict[Method, str] = {
    "auto": "All subsets if fast, else local search",
    "exact": "Local search and proof",
    "exhaustive": "All subsets",
    "local": "Local search",
}
_HALVES: dict[HoldOut, str] = {"runs": "Half of the runs", "topics": "Half of the topics"}
_KEYS = [measure.key for measure in MEASURES]


def _usual_target() -> float:
    return measure_of(st.session_state[f"{PAGE}/goodness"]).target


def _take_its_target() -> None:
    """Another measure has another scale: start from its usual target."""
    st.session_state[f"{PAGE}/{TARGET.name}"] = _usual_target()
    FORM.clear_complaints()


_GOODNESS = Choice(
    "goodness",
    "Measure of agreement",
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
    help="The measure of agreement by which best and worst subsets are chosen.",
)
_WORST = Switch(WORST, "Drop the worst quarter", "Of the runs, by mean score, as in Guiver et al.")
_LOG = Switch(
    "log",
    "Logarithms",
    f"Geometric means, as in GMAP: each score, at least {GMAP_FLOOR:g}, is replaced by its logarithm.",
)
FORM = Form(
    PAGE,
    (
        Number(TARGET, usual=_usual_target),
        *map(Number, (CARDINALITY, *PARAMETERS, N_SPLITS, N_STARTS, SPLIT_TRIALS)),
        *(_GOODNESS, _METHOD, _VIEW, HOLD_OUT, CHOOSE_BY, _WORST, _LOG, SCORES),
    ),
    texts=(EVALUATING_MEASURE, TOPIC, LEFT_OUT),
)


@dataclass(frozen=True)
class Settings:
    """A valid question."""

    # The scores in question, prepared and as they were loaded
    matrix: ScoreMatrix
    upload: ScoreMatrix
    notes: tuple[str, ...]  # how they were prepared
    measure: GoodnessMeasure  # how subsets are evaluated
    method: Method  # how they are searched
    values: dict[str, float]  # valid numbers by parameter name
    written: dict[str, link.Value]

    @property
    def target(self) -> float:
        """Agreement at which the curves are read."""
        return self.values[TARGET.name]

    @property
    def cardinality(self) -> int:
        """Size of the ten best and worst subsets."""
        return self.size_below(self.matrix.n_topics)

    def size_below(self, limit: int) -> int:
        """Return the requested size, or half of the limit if it is not below: there is one subset of all topics."""
        return size_below(limit, int(self.values[CARDINALITY.name]))

    def show_size(self, size: int) -> None:
        """Write a note if another size than the requested one is shown."""
        value = int(self.values[CARDINALITY.name])
        if size != value:
            with st.container(key="other-size"):
                st.markdown(
                    f":small[:gray[{value:,} topics are too many for subsets of {self.matrix.n_topics:,} "
                    f"topics; subsets of {size:,} are shown.]]"
                )

    def url(self, view: str, more: Mapping[str, link.Value] | None = None) -> str:
        """Return the full link of a view; it carries the question, not the scores."""
        return link.write({_VIEW.name: view, **self.written, **(more or {})})


def ask() -> Settings:
    """Draw the form; results follow each change, and invalid values keep the last valid ones."""
    if FORM.start():
        st.session_state[f"{PAGE}/tab"] = VIEWS[st.session_state[f"{PAGE}/{_VIEW.name}"]]
    upload = FORM.draw(SCORES)
    goodness = FORM.draw(_GOODNESS)
    place = st.container(gap="xxsmall")
    place.markdown(":small[:gray[Agreement of run means over a subset with those over all topics.]]")
    FORM.ask(TARGET)
    without_worst = FORM.draw(_WORST)
    log = FORM.draw(_LOG)
    with st.expander("Search options"):
        method = FORM.draw(_METHOD)
        st.markdown(
            ":small[:gray[If all subsets are evaluated, the best one is certain. Local search exchanges "
            "topics until no exchange improves the subset, from many starts. A proof (branch and bound) shows that "
            "no subset is better, or gives a bound.]]"
        )
        FORM.ask(*(one for one in PARAMETERS if one is not NODES or method == "exact"))
    values = FORM.values()
    steps = Steps(
        worst_fraction=WORST_QUARTER if without_worst else None, log_floor=GMAP_FLOOR if log else None
    )
    matrix, notes = prepared(upload, steps)
    why_not = _no_proofs(goodness, matrix.n_topics) if method == "exact" else ""
    if why_not:
        st.warning(f"{why_not} All subsets are evaluated where that is fast; elsewhere local search is used.")
    chosen: Method = "auto" if why_not else method
    written = FORM.written(_GOODNESS) | {_METHOD.name: chosen} | values | FORM.written(_WORST, _LOG, SCORES)
    return Settings(matrix, upload, notes, measure_of(goodness), chosen, values, written)


def views() -> Sequence[TabContainer]:
    """Draw the tabs; only the open one is filled."""
    tab, kept = f"{PAGE}/tab", f"{PAGE}/tab-kept"
    if tab not in st.session_state and kept in st.session_state:  # the user returns from another page
        st.session_state[tab] = st.session_state[kept]
    drawn = st.tabs(list(VIEWS.values()), key=tab, on_change="rerun")
    st.session_state[kept] = next(
        (name for name, view in zip(VIEWS.values(), drawn, strict=True) if view.open), VIEWS["topics"]
    )
    return drawn


def open_view(view: str, cardinality: int | None = None) -> None:
    """Open a view, for subsets of a size; called by buttons."""
    st.session_state[f"{PAGE}/tab"] = VIEWS[view]
    if cardinality is not None:
        st.session_state[f"{PAGE}/{CARDINALITY.name}"] = cardinality
        FORM.clear_complaints()


def no_answer(error: InputError) -> str:
    """Return why these scores have no subsets to compare, as a sentence."""
    return f"These scores cannot be compared over subsets of topics: {rule_of(error)}."


def rule_of(error: InputError) -> str:
    """Return the rule that scores break: "there must be at least 6 runs to be split in halves, and there are 2"."""
    if error.rule.startswith("must be at least ") and isinstance(error.value, int):
        there = "is 1" if error.value == 1 else f"are {error.value:,}"
        return f"there {error.rule}, and there {there}"
    return f"{error.parameter} {error.rule}"


def _no_proofs(goodness: str, n_topics: int) -> str:
    """Return why there are no proofs; "" if there are."""
    if goodness != "pearson":
        return f"Proofs need Pearson's correlation; no bound is known for {measure_of(goodness).label}."
    if n_topics > MOST_PROVED:
        return f"Proofs are available for up to {MOST_PROVED} topics; these scores have {n_topics:,}."
    return ""


_QUICK_TRIALS = 300
_MOST_PREVIEWED = 1_000_000  # scores
_STARTS = 6  # of a size in a preview, about: from either end, and random ones, for the best and the worst

Key = tuple[str, Request]
SEARCH: Computation[SubsetCurve] = Computation(PAGE)
HEADLINE: Computation[HeldOutCurve | None] = Computation(f"{PAGE}-headline")


def request_of(settings: Settings) -> Request:
    """Return the whole question."""
    numbers: dict[str, Any] = {parameter.name: settings.values[parameter.name] for parameter in PARAMETERS}
    return Request(
        goodness=settings.measure.key,
        cardinalities=default_cardinalities(settings.matrix.n_topics, always=(settings.cardinality,)),
        method=settings.method,
        **numbers,
    )


def preview(settings: Settings) -> SubsetCurve | None:
    """Return a preview that takes a few tenths of a second; None if even that takes too long."""
    sizes = _preview_sizes(key_of(settings), settings.cardinality, _matrix=settings.matrix)
    if sizes is None and _is_large_but_quick(settings):
        sizes = tuple(sorted({*log_spaced(settings.matrix.n_topics, 2.0), settings.cardinality}))
    if sizes is None:
        return None
    request = Request(
        goodness=settings.measure.key,
        cardinalities=sizes,
        method="local",
        n_trials=_QUICK_TRIALS,
        seed=int(settings.values[SEED.name]),
        effort=PREVIEW_SECONDS / 4,
    )
    return _quick((settings.matrix.digest, request), settings.matrix.name, _matrix=settings.matrix)


@kept(20)
def _preview_sizes(key: Key, cardinality: int, *, _matrix: ScoreMatrix) -> tuple[int, ...] | None:
    criterion = criterion_for(_matrix, key[1].goodness)
    return preview_cardinalities(
        lambda size: _STARTS * criterion.seconds_per_start(size), _matrix.n_topics, cardinality
    )


def seconds_of_search(settings: Settings) -> float:
    """Return about how many CPU seconds the whole search takes."""
    return _seconds_of(key_of(settings), _matrix=settings.matrix)


@kept(20)
def _seconds_of(key: Key, *, _matrix: ScoreMatrix) -> float:
    return seconds_of(_matrix, key[1])


def _is_large_but_quick(settings: Settings) -> bool:
    """Return whether sizes share the steps of a search, as with many topics: 7,000 x 100 take 2 CPU seconds."""
    n_scores = settings.matrix.n_topics * settings.matrix.n_systems
    is_stepwise = settings.matrix.n_topics > MOST_SWAPPED and settings.measure.key == "pearson"
    return is_stepwise and n_scores <= _MOST_PREVIEWED


def start(settings: Settings) -> None:
    """Begin the whole analysis; called by its button."""
    matrix, key = settings.matrix, key_of(settings)
    SEARCH.start(
        key,
        f"Subsets of {len(key[1].cardinalities):,} sizes",
        lambda job: subset_curve(
            matrix,
            key[1],
            report_progress=job.report_progress,
            executor=job.executor,
            show_partial=job.show_partial,
        ),
    )


def key_of(settings: Settings) -> Key:
    """Return the key of a question."""
    return settings.matrix.digest, request_of(settings)


def complete_preview(settings: Settings, first: SubsetCurve | None) -> SubsetCurve | None:
    """Return the preview as the full result if nothing in it was searched for or drawn at random."""
    if first is None or settings.method not in ("auto", "exact", "exhaustive"):
        return None
    request, n = request_of(settings), settings.matrix.n_topics
    certain = request.cardinalities == first.cardinalities and all(
        sampling.are_few(n, point.cardinality, _QUICK_TRIALS)
        and all(one is None or one.status == "exhaustive" for one in (point.best, point.worst))
        for point in first.points
    )
    return replace(first, n_trials=request.n_trials) if certain else None


def table_of(settings: Settings, curve: SubsetCurve) -> TopicTable:
    """Return how often topics are in good and bad subsets of the nearest size that was evaluated."""
    size = curve.nearest(settings.cardinality).cardinality
    # A preview and a full search of the same sizes differ in their sets.
    sets = hash(tuple(one.topics for point in curve.points for one in (*point.ten_best, *point.ten_worst)))
    name = settings.matrix.name
    return _table(key_of(settings), sets, size, name, _matrix=settings.matrix, _curve=curve)


@kept(20)
def _table(
    key: Key,  # noqa: ARG001 - the key
    sets: int,  # noqa: ARG001
    size: int,
    name: str,  # noqa: ARG001 - in the key, as digests leave names out
    *,
    _matrix: ScoreMatrix,
    _curve: SubsetCurve,
) -> TopicTable:
    return topic_table(_matrix, _curve, size)


@kept(20, spinner="Searching subsets (the first time: compiling)")
def _quick(key: Key, name: str, *, _matrix: ScoreMatrix) -> SubsetCurve:  # noqa: ARG001 - the key
    with threads() as executor:
        return subset_curve(_matrix, key[1], executor=executor)
