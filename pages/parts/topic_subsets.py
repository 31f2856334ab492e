"""The topic subsets page: its form, and the first of its views, best, average and worst subsets."""

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.parts import export_drawer, figure, frame, link
from pages.parts.form import (
    SCORES,
    WORST,
    WORST_QUARTER,
    Choice,
    Form,
    Number,
    Switch,
    fields_of,
    prepared,
    show_preparation,
)
from pages.parts.job import Answers, Known
from topicset_core.analyses.topic_subsets import charts, report
from topicset_core.analyses.topic_subsets.answer import Answer, TopicTable
from topicset_core.analyses.topic_subsets.curve import Subset
from topicset_core.analyses.topic_subsets.goodness import measure_of, reached
from topicset_core.analyses.topic_subsets.held_out import null as chance
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, headline_request
from topicset_core.analyses.topic_subsets.held_out.null import NullComparison
from topicset_core.analyses.topic_subsets.held_out.report import HEADLINE as HEADLINE_WORK
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_UNITS, BothScores
from topicset_core.analyses.topic_subsets.request import (
    AGREEMENT,
    CARDINALITY,
    CHOOSE_BY,
    HOLD_OUT,
    METHOD,
    MOST_PROVED,
    N_NULL_SPLITS,
    NODES,
    TARGET,
    HeldOutRequest,
    Method,
    NullRequest,
    Request,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.report import Report
from topicset_core.parameters import SEED
from topicset_core.preparation import GMAP_FLOOR, Steps
from topicset_core.wording import TIES, counted

PAGE = "topic-subsets"
TOPIC, LEFT_OUT = "topic", "left_out_run"

VIEWS = {
    "topics": "Best and worst subsets",
    "held-out": "On other runs or topics",
    "audit": "Your own subset",
}
"""The views of the page, by their names in links."""

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

_MOST_ROWS = 1000  # of topics, in a table on screen

ANSWERS: Answers[Request, Answer] = Answers(report.QUESTION, PAGE)
HEADLINE: Answers[HeldOutRequest, HeldOutCurve | None] = Answers(
    HEADLINE_WORK, f"{PAGE}-headline", unasked_seconds=math.inf
)
NULL: Answers[NullRequest, NullComparison] = Answers(chance.NULL, f"{PAGE}-null")


def _usual_target() -> float:
    return measure_of(st.session_state[f"{PAGE}/goodness"]).target


def _take_its_target() -> None:
    """Another measure has another scale: start from its usual target."""
    st.session_state[f"{PAGE}/{TARGET.name}"] = _usual_target()
    FORM.clear_complaints()


_GOODNESS = Choice(AGREEMENT.name, AGREEMENT.label, AGREEMENT.options, look="radio", then=_take_its_target)
_METHOD = Choice(
    METHOD.name,
    METHOD.label,
    {name: label for name, label in METHOD.options.items() if name != "guiver"},
    look="radio",
)
_VIEW = Choice("view", "Subsets", VIEWS, look="radio")
_HALVES = Choice(HOLD_OUT.name, HOLD_OUT.label, HOLD_OUT.options, look="row")
CHOOSING = Choice(CHOOSE_BY.name, CHOOSE_BY.label, {SAME: "", **CHOOSE_BY.options}, help=CHOOSE_BY.help)
EVALUATING: Choice[str] = Choice(
    "judged_measure",
    "Evaluate with the scores",
    help="Another metric of the same runs and topics, as loaded.",
)
_WORST = Switch(WORST, "Drop the worst quarter", "Of the runs, by mean score, as in Guiver et al.")
_LOG = Switch(
    "log",
    "Logarithms",
    f"Geometric means, as in GMAP: each score, at least {GMAP_FLOOR:g}, is replaced by its logarithm.",
)
_NULL_SPLITS = replace(N_NULL_SPLITS, name="n_splits_of_topics")  # apart from those of other views
_OWN = (_GOODNESS, _METHOD, Number(TARGET, usual=_usual_target), _HALVES, CHOOSING)
_REQUESTS = NullRequest, HeldOutRequest, Request  # whose fields take the place of those before of a name
_OF_REQUESTS = {field.name: field for asked in _REQUESTS for field in fields_of(asked, *_OWN)}
FORM = Form(
    PAGE,
    (*_OF_REQUESTS.values(), Number(_NULL_SPLITS), _VIEW, _WORST, _LOG, SCORES, EVALUATING),
    texts=(TOPIC, LEFT_OUT),
)


@dataclass(frozen=True, kw_only=True)
class SubsetsInput:
    """What the form asks, valid."""

    # The scores in question, prepared and as they were loaded
    matrix: ScoreMatrix
    upload: ScoreMatrix
    notes: tuple[str, ...]  # how they were prepared
    request: Request
    values: dict[str, float]  # valid numbers by parameter name
    view: str

    def show_size(self, size: int) -> None:
        """Write a note if another size than the requested one is shown."""
        value = self.request.cardinality
        if size != value:
            with st.container(key="other-size"):
                st.markdown(
                    f":small[:gray[{value:,} topics are too many for subsets of {self.matrix.n_topics:,} "
                    f"topics; subsets of {size:,} are shown.]]"
                )

    def show_waiting(self, time: str) -> None:
        """Write how long the answer takes, and how to start it."""
        with st.container(key="waiting"):
            st.markdown(
                f"{time} for {self.matrix.n_topics:,} topics and {self.matrix.n_systems:,} runs with this measure. "
                "Press the button to start it."
            )

    def url(self, **more: link.Value | None) -> str:
        """Return the full link of the view; it carries the question, not the scores."""
        others: dict[str, Any] = {HOLD_OUT.name: None, CHOOSE_BY.name: None, EVALUATING.name: None, **more}
        return FORM.url(self.values, **{METHOD.name: self.request.method, **others})


def ask() -> SubsetsInput:
    """Draw the form; results follow each change, and invalid values keep the last valid ones."""
    FORM.start()
    upload = FORM.draw(SCORES)
    view = FORM.draw(_VIEW)
    goodness = FORM.draw(_GOODNESS)
    place = st.container(gap="xxsmall")
    place.markdown(":small[:gray[Agreement of run means over a subset with those over all topics.]]")
    FORM.ask(TARGET)
    if view == "topics":
        FORM.ask(CARDINALITY)
    without_worst = FORM.draw(_WORST)
    log = FORM.draw(_LOG)
    with st.expander("Search options"):
        method: Any = FORM.draw(_METHOD)
        st.markdown(
            ":small[:gray[If all subsets are evaluated, the best one is certain. Local search exchanges "
            "topics until no exchange improves the subset, from many starts. A proof (branch and bound) shows that "
            "no subset is better, or gives a bound.]]"
        )
        unused = [] if method == "exact" else [NODES]
        FORM.ask_rest(Request, AGREEMENT, TARGET, CARDINALITY, METHOD, *unused)
    values = FORM.values()
    steps = Steps(
        worst_fraction=WORST_QUARTER if without_worst else None, log_floor=GMAP_FLOOR if log else None
    )
    matrix, notes = prepared(upload, steps)
    why_not = _no_proofs(goodness, matrix.n_topics) if method == "exact" else ""
    if why_not:
        st.warning(f"{why_not} All subsets are evaluated where that is fast; elsewhere local search is used.")
    chosen: Method = "auto" if why_not else method
    return SubsetsInput(
        matrix=matrix,
        upload=upload,
        notes=notes,
        request=FORM.request(Request, values, method=chosen),
        values=values,
        view=view,
    )


def open_view(view: str, cardinality: int | None = None) -> None:
    """Open a view, for subsets of a size; called by buttons."""
    st.session_state[f"{PAGE}/{_VIEW.name}"] = view
    frame.show_top()
    if cardinality is not None:
        st.session_state[f"{PAGE}/{CARDINALITY.name}"] = cardinality
        FORM.clear_complaints()


def take(text: str, name: str = "Your list") -> None:
    """Take a list of topics as the one to audit."""
    st.session_state[f"{PAGE}/audit/text"] = text
    # A list without any id is refused; no list at all is not.
    st.session_state[f"{PAGE}/audit/taken"] = (text or "\n", name)


def refusing(what: str) -> AbstractContextManager[None]:
    """Where scores break a rule, write "there must be at least 6 runs to be split in halves, and there are 2"."""

    def words(error: InputError) -> str:
        rule = f"{error.parameter} {error.rule}"
        if error.rule.startswith("must be at least ") and isinstance(error.value, int):
            count = "is 1" if error.value == 1 else f"are {error.value:,}"
            rule = f"there {error.rule}, and there {count}"
        return f"{what}: {rule}."

    return frame.refusing(words)


def _no_proofs(goodness: str, n_topics: int) -> str:
    """Return why there are no proofs; "" if there are."""
    if goodness != "pearson":
        return f"Proofs need Pearson's correlation; no bound is known for {measure_of(goodness).label}."
    if n_topics > MOST_PROVED:
        return f"Proofs are available for up to {MOST_PROVED} topics; these scores have {n_topics:,}."
    return ""


def show(asked: SubsetsInput) -> None:
    """Show the answer, the curve, the topics, the numbers."""
    with refusing("These scores cannot be compared over subsets of topics"):
        known = ANSWERS.look(asked.matrix, asked.request)
    answer = known.answer
    if answer is None:
        asked.show_waiting("The search takes about a minute")
        show_preparation(asked.notes)
        ANSWERS.bar(known, "", asked.url())
        return
    on_others = headline_request(answer.curve, answer.target)
    others = None if on_others is None else HEADLINE.look(BothScores(asked.matrix), on_others)
    null = NULL.look(
        answer.matrix,
        FORM.request(
            NullRequest,
            asked.values,
            goodness=answer.curve.measure.key,
            cardinality=answer.table.cardinality,
            n_splits=asked.values[_NULL_SPLITS.name],
        ),
    )
    exported = report.report(answer, held=None if others is None else others.answer, null=null.answer)
    figure.show(report.curve_figure(answer), of="topic-subsets")
    frame.show_answer(exported, is_preview=not known.is_whole)
    if others is not None:
        HEADLINE.follow(others)
    show_preparation(asked.notes)
    stage = "" if known.is_whole else f"{known.stage}. "
    ANSWERS.bar(known, stage + report.how_evaluated(answer.known), asked.url())
    export_drawer.draw(exported, preparation=asked.notes, link=asked.url())
    evidence, topics, chance_tab, numbers = frame.tabs(
        "Answer", report.WHICH_TOPICS, report.BY_CHANCE, "Numbers"
    )
    with evidence:
        frame.show_findings(exported)
        best = answer.curve.crossings(answer.target).best
        point = None if best is None else answer.curve.at(best)
        if point is not None and point.best is not None:
            _offer_set(answer, point.best, "answer-set")
    if frame.is_drawn(topics):
        with topics:
            _write_topics(asked, answer, exported)
    if frame.is_drawn(chance_tab):
        with chance_tab:
            _compare_with_null(answer, null, exported)
    if frame.is_drawn(numbers):
        with numbers:
            curve = answer.curve
            frame.table(*report.curve_columns(curve).screen(curve.points), alt="Agreement by subset size")
            _topic_rows(answer.table)
    frame.explain("topic_subsets", guiver=GUIVER, kendall=KENDALL, ties=TIES)


def _offer_set(answer: Answer, subset: Subset, key: str) -> None:
    """Show the topics of a subset, with buttons that audit it and hold out subsets of its size."""
    with st.container(key=key, gap="xsmall"):
        st.code(", ".join(subset.topics), language=None, wrap_lines=True)
        size = len(subset.topics)
        if size == answer.matrix.n_topics:
            return
        these = "this topic" if size == 1 else f"these {size:,}"
        with st.container(horizontal=True):
            st.button(
                f"Evaluate {these}",
                key=f"{PAGE}/{key}/audit",
                on_click=_evaluate,
                args=(subset,),
            )
            st.button(
                f"Test {size:,} topics on other runs",
                key=f"{PAGE}/{key}/hold-out",
                on_click=open_view,
                args=("held-out", size),
            )


def _evaluate(subset: Subset) -> None:
    take("\n".join(subset.topics))
    open_view("audit")


def _write_topics(asked: SubsetsInput, answer: Answer, exported: Report) -> None:
    """Show the topics of good and bad subsets."""
    table, size = answer.table, answer.size
    _choose_set(answer)
    asked.show_size(size)
    if size != table.cardinality:
        st.markdown(f"Subsets of {size} topics were not searched yet; {table.cardinality} are shown.")
    frame.show_findings(exported, report.WHICH_TOPICS, key="which-topics")
    figure.show(*report.topic_figures(answer), of="topic-subsets")


def _choose_set(answer: Answer) -> None:
    """List the best subsets of a size, with the buttons of the chosen one."""
    curve, cardinality = answer.curve, answer.table.cardinality
    point = curve.at(cardinality)
    if point is None or not point.ten_best:
        return
    places = range(len(point.ten_best))
    key = f"{PAGE}/set"
    if st.session_state.get(key, 0) not in places:
        st.session_state[key] = 0

    def label(at: int) -> str:
        subset = point.ten_best[at]
        return f"{at + 1}: {reached(subset.value, curve.measure)} ({charts.known(subset)})"

    place = st.selectbox(
        f"Best subsets of {counted(cardinality, 'topic')}",
        places,
        format_func=frame.labelled(key, places, label),
        key=key,
        help="Chosen in-sample, on these runs.",
    )
    _offer_set(answer, point.ten_best[place], "chosen-set")


def _topic_rows(table: TopicTable) -> None:
    """Show one row per topic, of many topics those that are in most subsets."""
    rows = table.rows
    if len(rows) > _MOST_ROWS:
        used = sorted(
            rows,
            key=lambda row: -(row["in_best"] + row["in_worst"] + row["in_ten_best"] + row["in_ten_worst"]),
        )
        rows = tuple(used[:_MOST_ROWS])
        st.markdown(
            f"The {_MOST_ROWS:,} topics that are in most subsets; the export has all {len(table.rows):,}."
        )
    frame.table(*report.topic_columns(table).screen(rows), alt="Topics in good and bad subsets")


def _compare_with_null(
    answer: Answer, known: Known[NullRequest, NullComparison | None], exported: Report
) -> None:
    """Offer the comparison with exchangeable topics, and show its result."""
    NULL.follow(known)
    result = known.answer
    if answer.curve.n_units < FEWEST_UNITS or known.request.cardinality >= answer.matrix.n_topics:
        st.markdown("There are too few different runs or topics to compare two halves of the runs.")
        return
    with st.expander("Options of the comparison"):
        FORM.ask_rest(NullRequest, AGREEMENT, CARDINALITY, SEED, N_NULL_SPLITS)
        FORM.ask(_NULL_SPLITS)
    if result is None:
        st.markdown(
            "Selection alone puts some topics into most of the good subsets. Do two halves of the runs agree on "
            "these topics more often than on exchangeable topics?"
        )
        NULL.offer(known, "Compare with exchangeable topics")
        return
    frame.show_findings(exported, report.BY_CHANCE, key="null")
    figure.show(report.null_figure(result), of="topic-subsets")
    frame.table(
        *report.NUMBERS.screen(result.numbers), alt="Lists of topics, and lists of exchangeable topics"
    )
