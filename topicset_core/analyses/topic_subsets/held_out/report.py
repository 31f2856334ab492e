"""The exports of a held-out experiment: findings, table, record and figure."""

from dataclasses import replace
from operator import attrgetter

from topicset_core.analyses.topic_subsets.charts import draw_target
from topicset_core.analyses.topic_subsets.goodness import (
    GoodnessMeasure,
    named,
    number,
    reached,
)
from topicset_core.analyses.topic_subsets.held_out.curve import (
    HeldOutCurve,
    HeldOutPoint,
    headline_curve,
    held_out_curve,
    preview_request,
)
from topicset_core.analyses.topic_subsets.held_out.splits import (
    HIGH,
    LOW,
    MEANING,
    Spread,
    in_words,
    seconds_of_curve,
    sizes_in_halves,
)
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.charts.chart import Chart
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.units import kept_together
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, texts
from topicset_core.exports.report import Report, ReportTable
from topicset_core.question import Question, Work
from topicset_core.references import GUIVER_2009, KENDALL_1945, Reference
from topicset_core.version import __version__
from topicset_core.wording import counted, number_or

_FEW_SIZES = 10  # that a sentence names
_WITH_BANDS = "chosen.best", "chosen.worst"

Line = tuple[str, str, str, str]
"""Name, the attribute of points that it draws, colour, dash."""

_LABEL = 18  # pixels, for the label of the ringed size
_EDGE = 0.2  # of the axis, where a label in the middle would not fit


def report(curve: HeldOutCurve) -> Report:
    """Return a held-out curve with all its exports."""
    matrix, said = curve.both.chosen, findings(curve)
    units = dict(zip(matrix.systems, curve.units, strict=False))
    return Report(
        name="topic-subsets-held-out",
        title=f"Topic subsets, held out: {scores_in_title(curve)}",
        findings=said,
        works=cited_works(curve.evaluated_by, curve.choose_by),
        tables=[
            ReportTable("held out", lambda: POINTS.table(curve.points), "Curve", "topic-subsets-held-out")
        ],
        results=lambda: [{"sentence": " ".join(texts(said, "export")), **curve.record(), "units": units}],
        figures=lambda: [held_out_goodness(curve)],
        measure=matrix.measure,
        preparation=(),
        matrices=curve.both.matrices,
        counts_groups=True,
        request=curve.request.settings,
    )


def held_out_goodness(curve: HeldOutCurve) -> Figure:
    """Draw best, average and worst, chosen on the other half and on the half they are evaluated on."""
    measure, held, splits = curve.evaluated_by, curve.request.hold_out, curve.request.n_splits
    by = "" if curve.choose_by == measure else f", chosen by {named(curve.choose_by)}"
    over = f"mean and {LOW}th to {HIGH}th percentile over {splits:,} splits" if splits > 1 else "given split"
    chart = Chart(
        f"{measure.label} on held-out {held}{by}: {scores_in_title(curve)}",
        "topics in the subset",
        f"{measure.short}, {over}",
        height=500,
    )
    lines = [(name, _spreads(curve, of), of, colour, dash) for name, of, colour, dash in lines_of(curve)]
    for name, spreads, of, colour, _ in lines:
        if of in _WITH_BANDS and splits > 1:
            chart.band(
                [point.cardinality for point, _ in spreads],
                [spread.high for _, spread in spreads],
                [spread.low for _, spread in spreads],
                f"{LOW}th to {HIGH}th percentile over splits, {name}",
                fillcolor=colour,
                opacity=0.16,
                showlegend=False,
            )
    for place, (name, spreads, _, colour, dash) in enumerate(lines):
        chart.line(
            [point.cardinality for point, _ in spreads],
            [spread.mean for _, spread in spreads],
            name,
            f"{name}<br>%{{x}} topics: %{{y:.4f}}<br>%{{text}}",
            colour=colour,
            width=2.4 if dash == "solid" else 1.6,
            dash=dash,
            size=4,
            text=[_hover(spread, None if place else point.reversed_pairs) for point, spread in spreads],
        )
    draw_target(chart, curve.target)
    point = curve.shown
    if point.chosen.best is not None:
        _mark(chart, point.cardinality, point.chosen.best.mean, curve)
    chart.axis("x", range=[0, curve.points[-1].cardinality * 1.02])
    chart.room(top=_LABEL)
    chart.legend()
    return chart.figure("held-out", size_sentence(curve))


def _mark(chart: Chart, cardinality: int, value: float, curve: HeldOutCurve) -> None:
    """Ring a point of the best, and label it above the lines: next to it, the label would cover them."""
    sentence = number(value, curve.evaluated_by)
    chart.add_vline(x=cardinality, line={"color": ACCENT, "width": 1, "dash": "dot"}, layer="below")
    hover = f"best {cardinality:,} on the held-out half: {sentence}"
    chart.yours(cardinality, value, "", hover, showlegend=False)
    share = cardinality / curve.points[-1].cardinality
    side = "left" if share < _EDGE else "right" if share > 1 - _EDGE else "center"
    text = f"<b>{counted(cardinality, 'topic')}: {sentence}</b>"
    chart.note(text, cardinality, 1, colour=ACCENT, size=14, yref="paper", xanchor=side, yanchor="bottom")


def lines_of(curve: HeldOutCurve) -> tuple[Line, ...]:
    """Return the lines, two by two as the legend has room for: chosen elsewhere and chosen here."""
    (best, worst), held_out = SERIES[:2], curve.request.hold_out
    average = "average" if held_out == "runs" else "average, of the other half"
    of_these: Line = ("average, of these topics", "own.average", TEXT, "dash")
    return (
        ("best, chosen on the other half", "chosen.best", best, "solid"),
        (f"best for these {held_out} themselves", "own.best", best, "dash"),
        ("worst, chosen on the other half", "chosen.worst", worst, "solid"),
        (f"worst for these {held_out} themselves", "own.worst", worst, "dash"),
        (average, "chosen.average", TEXT, "solid"),
        *(() if held_out == "runs" else (of_these,)),
    )


def _spreads(curve: HeldOutCurve, of: str) -> list[tuple[HeldOutPoint, Spread]]:
    """Return the points that have a number over splits, with it."""
    return [(point, spread) for point in curve.points if (spread := attrgetter(of)(point)) is not None]


def _hover(spread: Spread, reversed_pairs: Spread | None) -> str:
    parts = []
    if spread.n_splits > 1:
        parts.append(
            f"nine splits in ten {spread.low:.4f} to {spread.high:.4f}, standard error of the mean "
            f"{spread.standard_error:.1g}"
        )
    if reversed_pairs is not None:
        parts.append(f"reversed pairs {100 * reversed_pairs.mean:.1f} %")
    return "<br>".join(parts)


def _spread(name: str, of: str) -> list[Column[HeldOutPoint]]:
    """Return the columns of a number over splits, of which a terminal has the mean, and of the best all."""
    errors = {
        "standard error": "standard_error",
        f"{LOW}th percentile": "low",
        f"{HIGH}th percentile": "high",
    }
    on = "fst" if name == "chosen best" else "fs"
    return [
        Column(name, f"{of}.mean", form=".5f"),
        *(Column(f"{name} {error}", f"{of}.{at}", form=".5f", on=on) for error, at in errors.items()),
    ]


POINTS: Columns[HeldOutPoint] = Columns(
    Column("topics", "cardinality"),
    *(
        column
        for half in ("chosen", "own")
        for side in ("best", "average", "worst")
        for column in _spread(f"{half} {side}", f"{half}.{side}")
    ),
    *_spread("gain", "gain.difference"),
    Column("share better", "gain.share_better", form=".2f"),
    Column("reversed pairs", "reversed_pairs.mean", form=".3f"),
)
"""A held-out curve: each number with its error and interval over splits."""


def findings(curve: HeldOutCurve) -> list[Finding]:
    """Return what subsets reach that were chosen on one half and evaluated on the other."""
    request, measure, point = curve.request, curve.evaluated_by, curve.shown
    best, size = point.chosen.best, point.cardinality
    reaches = (
        f"On other {request.hold_out}, the best {counted(size, 'topic')} reach{'es' if size == 1 else ''} "
    )
    reference = (
        "the ranking of the other half over all topics"
        if request.hold_out == "runs"
        else "the ranking of all runs over all topics of the other half"
    )
    how = "" if curve.choose_by == measure else f", chosen by {curve.choose_by.label}"
    origin = (
        f"Subsets of the {curve.n_topics:,} topics were chosen on one half of the {request.hold_out} and evaluated "
        f"on the other {CITATION} (Topicset {__version__}) by {measure.of_run_means}{how}; the reference ranking "
        f"is {reference}, on the {scores_and_name(curve.both.chosen, curve.both.evaluating)} of "
        f"{curve.n_systems:,} runs."
    )
    said = [
        headline(reaches, "no agreement" if best is None else reached(best.mean, measure)),
        Finding(origin, "paper"),
        Finding(size_sentence(curve)),
        Finding(target_sentence(curve)),
        Finding(how_counted(curve), "terminal paper"),
        Finding(MEANING if request.chosen_on is None else "On other splits numbers differ.", "page terminal"),
    ]
    if curve.both.note:
        chosen, evaluating = in_words(curve.both.chosen), in_words(curve.both.evaluating)
        note = f"Chosen by {chosen}, evaluated by {evaluating}: {curve.both.note}."
        said.append(Finding(note, "page export terminal"))
    return said


def cited_works(*measures: GoodnessMeasure) -> list[Reference]:
    """Return the papers of the question and its measures."""
    return (
        [GUIVER_2009, KENDALL_1945] if "kendall" in {measure.key for measure in measures} else [GUIVER_2009]
    )


def size_sentence(curve: HeldOutCurve) -> str:
    """Return the goodness of the best topics of the size in question, chosen on one half, on the other."""
    point, measure = curve.shown, curve.evaluated_by
    size = point.cardinality
    if point.chosen.best is None:
        return (
            f"The correlation of the chosen subset of {topics_in_words(size)} is undefined on the other half."
        )
    what = curve.request.hold_out
    spread = "" if curve.request.n_splits == 1 else f" ({interval(point.chosen.best, measure)})"
    parts = [
        f"On {what} not used to choose them, the best {topics_in_words(size)} "
        f"{'reaches' if size == 1 else 'reach'} {reached(point.chosen.best.mean, measure)} "
        f"{curve.request.over_splits}{spread}{_next_to_random(curve, point)}"
    ]
    if what == "runs":
        others = [(point.own.best, "the best chosen on the same runs")]
    else:
        others = [
            (point.own.average, f"{size:,} random topics of the reference half"),
            (point.own.best, "the best topics of the reference half"),
        ]
    for other, of_what in others:
        if other is not None:
            parts.append(f"{of_what} {number(other.mean, measure)}")
    return "; ".join(parts) + f".{measure.ties}"


def _next_to_random(curve: HeldOutCurve, point: HeldOutPoint) -> str:
    """Return how random subsets of the same topics do, and whether chosen ones are reliably better."""
    if point.chosen.average is None:
        return ""
    random = "random topics"
    if curve.request.hold_out == "topics":
        random += " of the half they were chosen from"
    value, gain = number(point.chosen.average.mean, curve.evaluated_by), point.gain
    if curve.request.n_splits == 1 or gain is None:
        return f"; {random} {value}"
    share = f"better in {100 * gain.share_better:.0f} % of the splits"
    if point.is_better_than_random:
        return f"; {random} {value} (chosen ones are {share})"
    return f", not reliably better than {random} ({value}; {share})"


def how_counted(curve: HeldOutCurve) -> str:
    """Return how many splits, sizes and starts there were, and how large halves are, in a sentence."""
    request = curve.request
    choosing, evaluating = span(*curve.half_sizes[:2]), span(*curve.half_sizes[2:])
    sizes = f"{len(curve.points):,} sizes"
    if len(curve.points) == 1:
        sizes = f"subsets of {counted(curve.points[0].cardinality, 'topic')}"
    units, groups = kept_together(curve.n_units, curve.n_systems), curve.both.chosen.group_sizes
    if groups and request.hold_out == "topics" and request.chosen_on is None:
        units = f" ({len(groups):,} groups of topics kept together)"
    starts = "" if request.n_starts == 0 else f"{counted(request.n_starts, 'random start')}, from "
    splits = "The given split" if request.chosen_on is not None else f"{request.n_splits:,} random splits"
    return (
        f"{splits} into {choosing} {request.hold_out} to choose and {evaluating} to evaluate{units}; "
        f"{sizes} searched from {starts}the empty and from the full set, so better "
        f"and worse subsets may exist; averages are over {request.n_trials:,} random subsets of each size "
        f"and split (seed {request.seed})."
    )


def interval(spread: Spread, measure: GoodnessMeasure) -> str:
    """Return an interval over splits in words."""
    return f"{LOW}th to {HIGH}th percentile: {number(spread.low, measure)} to {number(spread.high, measure)}"


def span(low: int, high: int) -> str:
    """Return the fewest and the most as a range."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def topics_in_words(n: int) -> str:
    """Return "topic" or "5 topics"."""
    return "topic" if n == 1 else f"{n:,} topics"


def target_sentence(curve: HeldOutCurve) -> str:
    """Return how many topics it takes when they are chosen on one half and evaluated on the other."""
    measure, target = curve.evaluated_by, curve.target
    chosen, own, average = (
        measure.first_to_meet(
            ((point.cardinality, spread.mean) for point, spread in _spreads(curve, of)), target
        )
        for of in ("chosen.best", "own.best", "chosen.average")
    )
    reach = measure.equal_to(f"{target:.6g}")
    runs = curve.request.hold_out == "runs"
    evaluated = _sizes_evaluated(curve)
    topics = f"none of {evaluated}" if evaluated else "no number of topics"
    if chosen is not None:
        topics = f"{counted(chosen, 'topic')}{f', of {evaluated},' if evaluated else ''}"
    agree = "agrees" if chosen in (None, 1) else "agree"
    what = (
        f"all {curve.n_topics:,} on the other half"
        if runs
        else f"the other half, on {curve.n_systems:,} runs,"
    )
    return (
        f"Chosen on one half of the {curve.request.hold_out}, {topics} {agree} with {what} to {reach}, "
        f"{curve.request.over_splits}; {number_or('none', own)} if chosen on the other half "
        f"itself, {number_or('none', average)} if drawn at random."
    )


def scores_in_title(curve: HeldOutCurve) -> str:
    """Return the scores for the evaluation, for a title, and the scores for the choice if they are others."""
    chosen, evaluating = curve.both.chosen, curve.both.evaluating
    by = "" if curve.both.other is None else f", chosen by {chosen.measure}"
    return f"{evaluating.measure}, {evaluating.name}{by}"


def scores_and_name(chosen: ScoreMatrix, evaluating: ScoreMatrix) -> str:
    """Return "AP scores (x)", and both if choice and evaluation use different ones."""
    by = "" if in_words(chosen) == in_words(evaluating) else f", chosen by {in_words(chosen)},"
    return f"{evaluating.measure} scores ({evaluating.name}){by}"


def _sizes_evaluated(curve: HeldOutCurve) -> str:
    """Return "the sizes evaluated (3, 5)"; "" where all sizes were."""
    sizes = [point.cardinality for point in curve.points]
    if len(sizes) == curve.request.largest(curve.n_topics):
        return ""
    if len(sizes) > _FEW_SIZES:
        return f"the {len(sizes):,} sizes evaluated"
    return f"the sizes evaluated ({', '.join(f'{size:,}' for size in sizes)})"


def text(curve: HeldOutCurve) -> list[str]:
    """Return a held-out curve as lines of a terminal."""
    return [
        "",
        f"{curve.evaluated_by.label} on the held-out half, {in_words(curve.both.evaluating)}, of subsets chosen "
        "on the other half and on its own:",
        *POINTS.text(curve.points),
        "",
    ]


QUESTION: Question[HeldOutRequest, HeldOutCurve] = Question(
    slug="subsets-held-out",
    description="Best subsets chosen on one half of the runs or topics and evaluated on the other (Guiver, Mizzaro "
    "and Robertson 2009, section 5.6).",
    takes="two metrics",
    request=HeldOutRequest,
    complete=lambda both, request: replace(
        request, cardinalities=sizes_in_halves(both, request), target=request.target_value
    ),
    compute=lambda both, request, **how: held_out_curve(both.chosen, request, evaluating=both.other, **how),
    finish=HeldOutCurve.read_at,
    seconds=seconds_of_curve,
    preview=preview_request,
    is_whole=lambda curve, request: curve.request == request,
    shows_partial=True,
    noun=lambda request: f"{request.n_splits:,} random splits",
    report=report,
    text=text,
)

HEADLINE: Work[HeldOutRequest, HeldOutCurve | None] = Work(
    slug="subsets-headline",
    request=HeldOutRequest,
    compute=headline_curve,
    preview=lambda *_: None,
    noun=lambda request: f"Sets of {(request.cardinalities or (0,))[0]:,} on other runs",
)
"""What sets of as many topics as reach a target do on runs that they were not chosen by."""
