"""The first view of the topic subsets page: best, average and worst subsets, and their topics.

A preview comes first; the full search runs in the background. The cache is keyed by scalars and the
digest of the scores, and kept for the session only.
"""

from collections.abc import Sequence

import streamlit as st

from pages.parts import export_drawer, figure, frame
from pages.parts.computation import Computation, expected_time
from pages.parts.form import offer_link, show_preparation
from pages.parts.topic_subsets import audit
from pages.parts.topic_subsets.form import (
    FORM,
    GUIVER,
    HEADLINE,
    KENDALL,
    PAGE,
    SEARCH,
    Settings,
    complete_preview,
    key_of,
    no_answer,
    open_view,
    preview,
    seconds_of_search,
    start,
    table_of,
)
from topicset_core.analyses.topic_subsets.charts import MOST_NAMED, effects_on_halves, known
from topicset_core.analyses.topic_subsets.curve import Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import reached, without_leading_zero
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, headline_curve, headline_request
from topicset_core.analyses.topic_subsets.held_out.null import (
    NullComparison,
    NullRequest,
    compare_with_null,
    seconds_of,
)
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_UNITS
from topicset_core.analyses.topic_subsets.report import (
    answer_sentence,
    certainty_sentence,
    curve_figure,
    headline,
    null_headline,
    null_method,
    null_sentence,
    null_table,
    report,
    statuses_sentence,
    topic_figures,
)
from topicset_core.analyses.topic_subsets.request import CARDINALITY
from topicset_core.analyses.topic_subsets.topic_counts import OFTEN, SELDOM, TopicTable, stability
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.figures import Figure
from topicset_core.parameters import SEED
from topicset_core.wording import counted, first_few

NULL: Computation[NullComparison] = Computation(f"{PAGE}-null")
_POLL_SECONDS = 1.0
_MOST_ROWS, _MOST_IN_A_CELL = 1000, 200  # of topics, in tables on screen


def show(settings: Settings) -> None:
    """Show the answer, the curve, the topics, the numbers."""
    SEARCH.follow()
    try:
        whole = SEARCH.result(key_of(settings))
        quick = None if whole else preview(settings)
    except InputError as error:
        frame.refuse(frame.plain(no_answer(error)))
        return
    whole = whole or complete_preview(settings, quick)
    curve = whole or quick
    held = None if curve is None else _held_out(settings, curve)
    if curve is None:
        with st.container(key="waiting"):
            st.markdown(
                f"The search takes about a minute for {settings.matrix.n_topics:,} topics and "
                f"{settings.matrix.n_systems:,} runs with this measure. Press the button to start it."
            )
    else:
        _show_sentences(settings, curve, held, is_preview=whole is None)
    show_preparation(settings.notes)
    _show_curve(settings, curve, whole)
    if curve is not None:
        _show_topics(settings, curve, held)


def _show_curve(settings: Settings, curve: SubsetCurve | None, whole: SubsetCurve | None) -> None:
    running = SEARCH.is_about(key_of(settings))
    with st.container(horizontal=True, vertical_alignment="center"):
        if curve is not None:
            preview_ = "" if whole is not None else "Preview, by local search: "
            frame.show_basis(preview_ + statuses_sentence(curve), is_preview=whole is None)
        if whole is None and not running:
            st.button(
                f"Run full search{expected_time(seconds_of_search(settings))}",
                key=f"{PAGE}/run",
                on_click=start,
                args=(settings,),
                icon=":material/play_arrow:",
            )
        offer_link(settings.url("topics"))
    partial = None if whole is not None else SEARCH.partial(key_of(settings))
    if running:
        _growing(settings, curve)
    elif partial is not None:
        _show_curve_so_far(settings, partial, curve, "Result so far, stopped")
    elif curve is not None:
        _draw_curve(settings, curve)


def _show_topics(settings: Settings, curve: SubsetCurve, held: HeldOutCurve | None) -> None:
    table = table_of(settings, curve)
    drawn = topic_figures(settings.matrix, curve, table)
    exports = st.container()
    with frame.folded("Which topics?", _most_in_words(table), key=f"{PAGE}/which"):
        _write_topics(settings, curve, table, drawn)
    known_null = _known_null(settings, table.cardinality)
    result = "compare with chance" if known_null is None else frame.plain(null_headline(known_null))
    with frame.folded("Are some topics reliably good?", result, key=f"{PAGE}/reliable"):
        null = _compare_with_null(settings, table.cardinality, curve.n_units)
    with frame.folded(
        "Numbers", f"{counted(len(curve.points), 'size')}, {counted(len(table.rows), 'topic')}"
    ):
        _point_table(curve)
        _topic_rows(table)
    with exports:
        export_drawer.draw(
            report(
                settings.matrix,
                curve,
                table,
                target=settings.target,
                method=settings.method,
                held=held,
                null=null,
                preparation=settings.notes,
                link=settings.url("topics"),
            )
        )
    frame.explain("topic_subsets", guiver=GUIVER, kendall=KENDALL, billionnet=_BILLIONNET)


def _held_out(settings: Settings, curve: SubsetCurve) -> HeldOutCurve | None:
    """Return the agreement of subsets of the answer's size on other runs; start its computation if it is new."""
    request = headline_request(curve, settings.target)
    if request is None:
        return None
    key, begun = (settings.matrix.digest, request), f"{HEADLINE.name}/begun"
    result = HEADLINE.result(key)
    # Once automatically: it may have been cancelled.
    if result is None and st.session_state.get(begun) != key:
        matrix, target = settings.matrix, settings.target
        HEADLINE.start(
            key,
            f"Sets of {request.sizes(matrix.n_topics)[0]:,} on other runs",
            lambda job: headline_curve(
                matrix, curve, target, report_progress=job.report_progress, executor=job.executor
            ),
        )
        st.session_state[begun] = key
    return HEADLINE.result(key)


def _show_sentences(
    settings: Settings, curve: SubsetCurve, held: HeldOutCurve | None, *, is_preview: bool
) -> None:
    """Write the answer, its sentence, what is known about it, and the topics."""
    before, answer, after = map(frame.plain, headline(curve, settings.target, held))
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"{before}:primary[{answer}]{after}", is_preview=is_preview)
        st.markdown(frame.plain(answer_sentence(curve, settings.target, held)))
    HEADLINE.follow()
    best = curve.crossings(settings.target).best
    point = None if best is None else curve.at(best)
    if point is None or point.best is None:
        return
    with st.container(key="uncertainty"):
        st.markdown(certainty_sentence(curve, point.cardinality, settings.target))
    _offer_set(settings, point.best, "answer-set")


def _offer_set(settings: Settings, subset: Subset, key: str) -> None:
    """Show the topics of a subset, with buttons that audit it and hold out subsets of its size."""
    with st.container(key=key, gap="xsmall"):
        st.code(", ".join(subset.topics), language=None, wrap_lines=True)
        size = len(subset.topics)
        if size == settings.matrix.n_topics:
            return
        these = "this topic" if size == 1 else f"these {size:,}"
        with st.container(horizontal=True):
            st.button(
                f"Evaluate {these}",
                key=f"{PAGE}/{key}/audit",
                on_click=_audit,
                args=("\n".join(subset.topics),),
            )
            st.button(
                f"Test {size:,} topics on other runs",
                key=f"{PAGE}/{key}/hold-out",
                on_click=open_view,
                args=("held-out", size),
            )


def _audit(topics: str) -> None:
    audit.take(topics)
    open_view("audit")


@st.fragment(run_every=_POLL_SECONDS)
def _growing(settings: Settings, preview_: SubsetCurve | None) -> None:
    """Draw the partial result of the running search repeatedly; the preview until there is one."""
    if not SEARCH.is_running():
        st.rerun()
    curve = SEARCH.partial(key_of(settings))
    if curve is not None:
        _show_curve_so_far(settings, curve, preview_, "Result so far")
    elif preview_ is not None:
        _draw_curve(settings, preview_)


def _show_curve_so_far(
    settings: Settings, curve: SubsetCurve, preview_: SubsetCurve | None, text: str
) -> None:
    """Draw an incomplete curve over the preview, if there is one."""
    with st.container(key="so-far"):
        st.markdown(f"{text}: {statuses_sentence(curve)}")
    _draw_curve(settings, curve if preview_ is None else curve.laid_over(preview_))


def _draw_curve(settings: Settings, curve: SubsetCurve) -> None:
    """Draw a curve."""
    figure.show(curve_figure(settings.matrix, curve, settings.target), of="topic-subsets")


def _write_topics(settings: Settings, curve: SubsetCurve, table: TopicTable, drawn: Sequence[Figure]) -> None:
    """Show the topics of good and bad subsets."""
    left, right = st.columns([3, 1])
    with right:
        FORM.ask(CARDINALITY)
    with left:
        _choose_set(settings, curve, table.cardinality)
    settings.show_size(settings.cardinality)
    if settings.cardinality != table.cardinality:
        st.markdown(
            f"Subsets of {settings.cardinality} topics were not searched yet; {table.cardinality} are shown."
        )
    st.markdown(_advice(table))
    st.markdown(_stable(curve))
    figure.show(*drawn, of="topic-subsets")


def _choose_set(settings: Settings, curve: SubsetCurve, cardinality: int) -> None:
    """List the best subsets of a size, with the buttons of the chosen one."""
    point = curve.at(cardinality)
    if point is None or not point.ten_best:
        return
    places = range(len(point.ten_best))
    key = f"{PAGE}/set"
    if st.session_state.get(key, 0) not in places:
        st.session_state[key] = 0
    place = st.selectbox(
        f"Best subsets of {counted(cardinality, 'topic')}",
        places,
        format_func=lambda at: (
            f"{at + 1}: {reached(point.ten_best[at].value, curve.measure)} ({known(point.ten_best[at])})"
        ),
        key=key,
        help="Chosen in-sample, on these runs.",
    )
    _offer_set(settings, point.ten_best[place], "chosen-set")


def _point_table(curve: SubsetCurve) -> None:
    """Show the numbers of the curve."""
    rows = [point for point in curve.points]
    st.dataframe(
        {
            "topics": [point.cardinality for point in rows],
            "best": [None if point.best is None else point.best.value for point in rows],
            "average": [point.mean for point in rows],
            "standard error": [point.mean_standard_error for point in rows],
            "worst": [None if point.worst is None else point.worst.value for point in rows],
            "best is": [known(point.best) for point in rows],
            "worst is": [known(point.worst) for point in rows],
            **_bounds(curve),
            "undefined correlation": [point.n_undefined for point in rows],
            "best topics": [_first_topics(point.best) for point in rows],
            "worst topics": [_first_topics(point.worst) for point in rows],
        },
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.5f")
            for name in (
                "best",
                "average",
                "standard error",
                "worst",
                "upper bound of best",
                "lower bound of worst",
            )
        },
        alt="Agreement by subset size",
    )


def _first_topics(subset: Subset | None) -> str:
    """Return the topics of a subset, of a large one the first; the export has all."""
    return first_few(() if subset is None else subset.topics, _MOST_IN_A_CELL, " ")


def _bounds(curve: SubsetCurve) -> dict[str, list[float | None]]:
    """Return the columns of bounds, if there are any."""
    sides = {
        "upper bound of best": [point.best.bound if point.best else None for point in curve.points],
        "lower bound of worst": [point.worst.bound if point.worst else None for point in curve.points],
    }
    return sides if any(bound is not None for bounds in sides.values() for bound in bounds) else {}


def _topic_rows(table: TopicTable) -> None:
    """Show one row per topic, of many topics those that are in most subsets."""
    rows = table.rows
    if len(rows) > _MOST_ROWS:
        used = sorted(
            rows, key=lambda row: -(row.in_best + row.in_worst + row.in_ten_best + row.in_ten_worst)
        )
        rows = tuple(used[:_MOST_ROWS])
        st.markdown(
            f"The {_MOST_ROWS:,} topics that are in most subsets; the export has all {len(table.rows):,}."
        )
    ten = f"of the {table.n_best} best subsets of {table.cardinality}"
    st.dataframe(
        {
            "topic": [row.topic for row in rows],
            f"in how many {ten}": [row.in_ten_best for row in rows],
            f"in how many of the {table.n_worst} worst": [row.in_ten_worst for row in rows],
            "in best subsets (sizes)": [row.in_best for row in rows],
            "in worst subsets (sizes)": [row.in_worst for row in rows],
            "agreement alone": [row.alone for row in rows],
            "mean score": [row.mean_score for row in rows],
            "advice": [row.advice for row in rows],
        },
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.4f") for name in ("agreement alone", "mean score")
        },
        alt="Topics in good and bad subsets",
    )


def _advice(table: TopicTable) -> str:
    keep = [row.topic for row in table.rows if row.advice == "keep"]
    exclude = [row.topic for row in table.rows if row.advice == "exclude"]
    text = (
        f"**In most good subsets of {table.cardinality}** (at least {100 * OFTEN:g} % of the {table.n_best} "
        f"best, at most {100 * SELDOM:g} % of the {table.n_worst} worst): {_listed(keep) or 'none'}. **In most "
        f"bad subsets**: {_listed(exclude) or 'none'}. Selection alone produces lists like these; the next section "
        "tests that."
    )
    if table.hardness_correlation is not None:
        text += (
            " The agreement of a single topic and its mean score correlate with r = "
            f"{without_leading_zero(round(table.hardness_correlation, 2))}."
        )
    return text


def _most_in_words(table: TopicTable) -> str:
    """Return how many topics are in most good and in most bad subsets."""
    keep, exclude = (sum(row.advice == advice for row in table.rows) for advice in ("keep", "exclude"))
    return (
        f"{counted(keep, 'topic')} in most good subsets of {table.cardinality}, {exclude:,} in most bad ones"
    )


def _listed(names: list[str]) -> str:
    return frame.plain(first_few(names, MOST_NAMED))


def _stable(curve: SubsetCurve) -> str:
    best, worst = stability(curve, "best"), stability(curve, "worst")
    if best is None or worst is None:
        return ""
    return (
        f"Best subsets of consecutive sizes share {100 * best:.0f} % of their topics, worst subsets "
        f"{100 * worst:.0f} %."
    )


def _known_null(settings: Settings, cardinality: int) -> NullComparison | None:
    """Return the comparison if it was made; None before."""
    return NULL.result(_null_key(settings, cardinality))


def _null_key(settings: Settings, cardinality: int) -> tuple[str, NullRequest]:
    """Return the question whether topics are reliably good."""
    request = NullRequest(
        goodness=settings.measure.key,
        cardinality=cardinality,
        seed=int(settings.values[SEED.name]),
    )
    return settings.matrix.digest, request


def _compare_with_null(settings: Settings, cardinality: int, n_units: int) -> NullComparison | None:
    """Offer the comparison with exchangeable topics, and show its result."""
    NULL.follow()
    key = _null_key(settings, cardinality)
    request = key[1]
    result = NULL.result(key)
    if result is None:
        if n_units < FEWEST_UNITS or cardinality >= settings.matrix.n_topics:
            st.markdown("There are too few different runs or topics to compare two halves of the runs.")
            return None
        st.markdown(
            "Selection alone puts some topics into most of the good subsets. Do two halves of the runs agree on "
            "these topics more often than on exchangeable topics?"
        )
        if not NULL.is_about(key):
            st.button(
                f"Compare with exchangeable topics{expected_time(seconds_of(settings.matrix, request))}",
                key=f"{NULL.name}/run",
                on_click=_start_null,
                args=(settings.matrix, request),
                icon=":material/play_arrow:",
            )
        return None
    with st.container(key="null", gap="xxsmall"):
        st.markdown(f"**{frame.plain(null_headline(result))}**")
        st.markdown(frame.plain(null_sentence(result).removeprefix(f"{null_headline(result)}. ")))
    figure.show(effects_on_halves(result, null_sentence(result)), of="topic-subsets")
    st.dataframe(null_table(result), hide_index=True, alt="Lists of topics, and lists of exchangeable topics")
    st.markdown(f":small[{frame.plain(null_method(result))}]")
    return result


def _start_null(matrix: ScoreMatrix, request: NullRequest) -> None:
    NULL.start(
        (matrix.digest, request),
        f"{request.n_replicates:,} matrices of exchangeable topics",
        lambda job: compare_with_null(
            matrix, request, report_progress=job.report_progress, executor=job.executor
        ),
    )


_BILLIONNET = """
A. Billionnet, S. Elloumi, M.-C. Plateau. Improving the performance of standard solvers for quadratic 0-1
programs by a tight convex reformulation: The QCR method. *Discrete Applied Mathematics* 157(6), 1185–1197
(2009).
[doi:10.1016/j.dam.2007.12.007](https://doi.org/10.1016/j.dam.2007.12.007)
"""
