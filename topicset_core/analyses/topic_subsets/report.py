"""The exports of a curve: findings, tables, record and figures."""

import itertools
import math
from collections.abc import Iterator
from functools import partial

from topicset_core.analyses.topic_subsets import answer as answers
from topicset_core.analyses.topic_subsets.answer import OFTEN, SELDOM, Answer, TopicTable, stability
from topicset_core.analyses.topic_subsets.certificates import PROOF_TOLERANCE
from topicset_core.analyses.topic_subsets.charts import (
    MOST_NAMED,
    effects_on_halves,
    goodness_by_cardinality,
    known,
    ten_sets,
    topic_hardness,
)
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset, SubsetCurve, seconds_of
from topicset_core.analyses.topic_subsets.goodness import measure_of, number, reached
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, HeldOutPoint
from topicset_core.analyses.topic_subsets.held_out.null import ACHIEVED, ALPHA, NullComparison
from topicset_core.analyses.topic_subsets.held_out.report import (
    cited_works,
    how_counted,
    size_sentence,
    topics_in_words,
)
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_UNITS, HIGH, LOW
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.units import kept_together
from topicset_core.exports.citing import CITATION
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, texts, tile
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row
from topicset_core.question import Question
from topicset_core.references import BILLIONNET_2009, Reference
from topicset_core.version import __version__
from topicset_core.wording import counted, first_few, joined, number_or

WHICH_TOPICS, BY_CHANCE = "Which topics?", "Better than chance?"
"""Tabs of the page."""

_MOST_IN_A_CELL, _MOST_IN_A_LINE = 200, 12  # of topics, on screen and in a terminal; the export has all


def report(answer: Answer, *, held: HeldOutCurve | None = None, null: NullComparison | None = None) -> Report:
    """Return the answer with all its exports, next to its sets on other runs and to exchangeable topics."""
    matrix, curve, table = answer.matrix, answer.curve, answer.table
    of_curve = findings(matrix, curve, answer.target, held)
    of_null = [] if null is None else null_findings(null)
    tables = [
        ReportTable(
            "curve", lambda: curve_columns(curve).table(curve.points), "Curve", "topic-subsets-curve"
        ),
        ReportTable("sets", lambda: SETS.table(ranked_sets(curve)), "Sets", "topic-subsets-sets"),
        ReportTable(
            "topics", lambda: topic_columns(table).table(table.rows), "Topics", "topic-subsets-topics"
        ),
    ]
    if null is not None:
        tables += [
            ReportTable(
                "null", lambda: NUMBERS.table(null.numbers), "Lists and chance", "topic-subsets-null"
            ),
            ReportTable(
                "reliable topics",
                lambda: reliable_columns(null).table(null.topics),
                "Reliable topics",
                "topic-subsets-reliable",
            ),
        ]
    return Report(
        name="topic-subsets",
        title=f"Topic subsets: {matrix.measure}, {matrix.name}",
        findings=[*of_curve, *topic_findings(curve, table), *of_null],
        works=works_of(curve),
        tables=tables,
        results=lambda: [
            {
                "sentence": " ".join(texts(of_curve, "export")),
                **curve.record(answer.target),
                "stability": {"best": stability(curve, "best"), "worst": stability(curve, "worst")},
                "topics": table.rows,
                "topics_of_ten_sets_of": table.cardinality,
                "hardness_correlation": table.hardness_correlation,
                "held_out": held,
                "null": null and {"sentence": " ".join(texts(of_null, "export")), **null.record()},
            }
        ],
        figures=lambda: [
            curve_figure(answer),
            *topic_figures(answer),
            *([] if null is None else [null_figure(null)]),
        ],
        measure=matrix.measure,
        preparation=(),
        matrices=[matrix],
        request=answer.request.settings,
    )


def curve_figure(answer: Answer) -> Figure:
    """Draw the goodness of best, average and worst against cardinality."""
    matrix, curve = answer.matrix, answer.curve
    is_whole = curve.is_complete and answer.so_far is None
    said = (
        texts(findings(matrix, curve, answer.target), "export") if is_whole else [how_evaluated(answer.known)]
    )
    return goodness_by_cardinality(
        curve,
        target=answer.target,
        of_what=f"{matrix.measure}, {matrix.name}",
        alt=f"{curve.measure.label} against subset size. {' '.join(said)}",
    )


def topic_figures(answer: Answer) -> list[Figure]:
    """Draw a map of ten sets, and the hardness of topics."""
    curve, table = answer.curve, answer.table
    hardness = topic_hardness(table, measure=curve.measure, scores=answer.matrix.measure)
    return [ten_sets(curve, table), hardness]


def null_figure(null: NullComparison) -> Figure:
    """Draw the effects of topics on halves of the runs."""
    return effects_on_halves(null, " ".join(texts(null_findings(null), "export")))


def curve_columns(curve: SubsetCurve) -> Columns[CurvePoint]:
    """Return the columns of a curve, a row per cardinality."""
    has_bounds = any(
        subset and subset.bound for point in curve.points for subset in (point.best, point.worst)
    )
    levels = sorted({level for point in curve.points for level in point.percentiles})
    bound = "fs" if has_bounds else "f"
    return Columns(
        Column("topics", "cardinality"),
        Column("best", "best.value", form=".6f"),
        Column("best, status", "best.status", on="f"),
        Column("upper bound of best", "best.bound", form=".6f", on=bound),
        Column("average", "mean", form=".6f"),
        Column("standard error", "mean_standard_error", form=".1e"),
        Column("worst", "worst.value", form=".6f"),
        Column("worst, status", "worst.status", on="f"),
        Column("lower bound of worst", "worst.bound", form=".6f", on=bound),
        Column("best is", lambda point: known(point.best), on="s"),
        Column("worst is", lambda point: known(point.worst), on="s"),
        Column("status", _statuses, on="t"),
        Column("Kendall's τ of best", "agreement.kendall", on="f"),
        Column("reversed pairs of best", "agreement.n_reversed", on="f"),
        Column("tied pairs of best", "agreement.n_tied", on="f"),
        Column("pairs of runs", "agreement.n_pairs", on="f"),
        *(Column(f"percentile {level}", partial(_percentile, level), on="f") for level in levels),
        Column("subsets averaged", "n_averaged", on="f"),
        Column("undefined correlation", "n_undefined", on="fs"),
        Column("best topics", lambda point: first_topics(point.best, _MOST_IN_A_CELL), on="s"),
        Column("worst topics", lambda point: first_topics(point.worst, _MOST_IN_A_CELL), on="s"),
        Column("best topics", lambda point: first_topics(point.best, _MOST_IN_A_LINE), on="t"),
    )


def _percentile(level: int, point: CurvePoint) -> float | None:
    return point.percentiles.get(level)


def _statuses(point: CurvePoint) -> str:
    """Return how well best and worst are known, for a gap with its other end."""
    if point.best is None:
        return f"no subset has a correlation ({point.n_undefined:,} evaluated)"
    both = [subset for subset in (point.best, point.worst) if subset is not None]
    statuses = (
        subset.status if subset.bound is None else f"{subset.status} to {subset.bound:.6f}" for subset in both
    )
    return "/".join(dict.fromkeys(statuses))


def first_topics(subset: Subset | None, most: int) -> str:
    """Return the topics of a subset, of a large one the first; the export has all."""
    return "" if subset is None else first_few(subset.topics, most, " ")


SETS: Columns[Row] = Columns(
    Column("topics"),
    Column("side"),
    Column("rank"),
    Column("value", "subset.value"),
    Column("status", "subset.status"),
    Column("topic ids", lambda row: " ".join(row["subset"].topics)),
)


def ranked_sets(curve: SubsetCurve) -> list[Row]:
    """Return the ten best and ten worst sets of each cardinality."""
    return [
        {"topics": point.cardinality, "side": side, "rank": rank, "subset": subset}
        for point in curve.points
        for side, sets in (("best", point.ten_best), ("worst", point.ten_worst))
        for rank, subset in enumerate(sets, start=1)
    ]


def topic_columns(table: TopicTable) -> Columns[Row]:
    """Return the columns of topics, a row each."""
    size = table.cardinality
    ten, worst = f"of the {table.n_best} best subsets of {size}", f"of the {table.n_worst} worst"
    return Columns(
        Column("topic"),
        Column("in best subsets (sizes)", "in_best"),
        Column("in worst subsets (sizes)", "in_worst"),
        Column(f"in how many {ten}", "in_ten_best"),
        Column(f"in how many {worst}", "in_ten_worst"),
        Column("agreement alone", "alone", form=".4f"),
        Column("mean score", form=".4f"),
        Column("advice"),
    )


NUMBERS: Columns[Row] = Columns(
    Column("number", "key"),
    Column("observed"),
    Column("exchangeable topics, mean", "mean"),
    Column("exchangeable topics, 5th percentile", "low"),
    Column("exchangeable topics, 95th percentile", "high"),
    Column("random lists"),
    Column("p", "p_value"),
)
"""Numbers next to those of matrices of exchangeable topics."""


def reliable_columns(null: NullComparison) -> Columns[Row]:
    """Return the columns of topics: in how many splits both halves of the runs keep or exclude each."""
    return Columns(
        Column("topic"),
        Column("keep"),
        Column("exclude"),
        Column("splits, kept by both halves", "kept"),
        Column("splits, excluded by both halves", "excluded"),
        Column("splits", lambda _: null.request.n_splits),
        Column("gain"),
        Column("harm"),
        Column("p of gain", "p_gain"),
        Column("p of harm", "p_harm"),
        Column("verdict"),
    )


def findings(
    matrix: ScoreMatrix, curve: SubsetCurve, target: float, held: HeldOutCurve | None = None
) -> list[Finding]:
    """Return how few topics reach the target, on these runs and on others, and how that is known."""
    measure, size = curve.measure, curve.crossings(target).best
    goal, others = _goal(curve, target), "with" if measure.higher_is_better else "against"
    origin = Finding(
        f"Subsets of the {curve.n_topics:,} topics were evaluated {CITATION} (Topicset {__version__}) by "
        f"{measure.of_run_means} {others} those over all topics, on the {matrix.measure} scores of "
        f"{curve.n_systems:,} runs ({matrix.name}).",
        "paper",
    )
    method = Finding(
        f"{how_evaluated(curve)} In-sample values are of subsets that were chosen on the runs that evaluate them.",
        "paper",
    )
    point = None if size is None else curve.at(size)
    if point is None or point.best is None:
        sizes = counted(len(curve.points), "size")
        return [
            headline("", "No subset", f" that was searched reaches {goal}"),
            origin,
            Finding(f"No subset reaches {goal} with all topics, among {sizes} that were searched."),
            method,
        ]
    other = None if held is None else held.at(point.cardinality)
    here, after, on_others = f"{reached(point.best.value, measure)} here", "", []
    if other is not None and other.chosen.best is not None:
        here += f", {number(other.chosen.best.mean, measure)} on other runs"
    elif curve.n_units < FEWEST_UNITS:
        after = "; too few different runs to tell about others"
    if held is not None:
        on_others = [Finding(size_sentence(held)), Finding(how_counted(held), "terminal paper")]
    elif curve.n_units < FEWEST_UNITS:
        alike = curve.n_units == curve.n_systems
        units = "" if alike else f" in {counted(curve.n_units, 'unit')} of similar runs"
        few = f"{curve.n_systems:,} runs{units} are too few to choose topics on half of them."
        on_others = [Finding(few)]
    return [
        headline(f"Best {topics_in_words(point.cardinality)}: ", here, after),
        *_tiles(curve, target, point, other),
        origin,
        Finding(_in_sample(curve, point, point.best)),
        Finding(certainty_sentence(curve, point.cardinality, target), "page export terminal"),
        *on_others,
        Finding(
            f"For {goal}, random subsets need {_needed(curve, curve.crossings(target).mean)} on average and the "
            f"worst subset {_needed(curve, curve.crossings(target).worst)}.{'' if held else measure.ties}"
        ),
        method,
    ]


def _tiles(
    curve: SubsetCurve, target: float, point: CurvePoint, held: HeldOutPoint | None
) -> Iterator[Finding]:
    """Yield the numbers beside the headline."""
    if held is not None and held.chosen.best is not None:
        spread = held.chosen.best
        low, high = (number(end, curve.measure) for end in (spread.low, spread.high))
        how = f"On other runs: chosen on one half, evaluated on the other, {spread.n_splits:,} random splits"
        yield tile("90 % of splits", f"{low} to {high}", f"{how}; {LOW}th to {HIGH}th percentile.")
        if held.chosen.average is not None:
            random, text = number(held.chosen.average.mean, curve.measure), ""
            if not held.is_better_than_random:
                random, text = f"{random} (not resolved)", " Chosen ones are not reliably better."
            yield tile("random subsets", random, f"{how}; mean of random subsets of this size.{text}")
    if point.agreement is not None:
        agreement = point.agreement
        note = f"{agreement.n_reversed:,} of {counted(agreement.n_pairs, 'pair')}, by the best subset."
        if agreement.n_tied:
            note += f" {agreement.n_tied:,} tie and count by half."
        yield tile("run pairs reversed", f"{100 * agreement.share_reversed:.1f} %", note)
    _, *sizes = curve.crossings(target).by_side.values()
    random, worst = (number_or("more than searched", size) for size in sizes)
    goal = _goal(curve, target)
    yield tile(f"topics for {goal}", f"{random} random, {worst} worst", "On average, and for any subset.")


def _in_sample(curve: SubsetCurve, point: CurvePoint, best: Subset) -> str:
    """Return how few topics reach a target on these runs, and how they rank them."""
    measure, size, agreement = curve.measure, point.cardinality, point.agreement
    said = (
        f"In-sample, the best {'topic reaches' if size == 1 else f'{_needed(curve, size)} reach'} "
        f"{reached(best.value, measure)} {'with' if measure.higher_is_better else 'against'} all "
        f"{curve.n_topics:,} topics"
    )
    if curve.fewest(size) != size:
        said += f" (at {size:,})"
    if agreement is not None and agreement.is_perfect:
        said += f" and {'ranks' if size == 1 else 'rank'} the {curve.n_systems:,} runs exactly as all do"
    elif agreement is not None:
        has_tau = agreement.kendall is not None and measure.key != "kendall"
        said += f"; τ = {agreement.kendall:.3f}, and " if has_tau else "; "
        said += agreement.in_words
    return f"{said}."


def _goal(curve: SubsetCurve, target: float) -> str:
    return curve.measure.equal_to(f"{target:.6g}")


def _needed(curve: SubsetCurve, size: int | None) -> str:
    """Return a number of topics, or between which numbers it is."""
    if size is None:
        return "more topics than were searched"
    fewest = curve.fewest(size)
    return counted(size, "topic") if fewest == size else f"between {fewest:,} and {size:,} topics"


_FROM_WEAK: tuple[Status, ...] = ("heuristic", "gap", "proved", "exhaustive")


def certainty_sentence(curve: SubsetCurve, cardinality: int, target: float) -> str:
    """Return whether other topics may do better than the best set of a size, or even fewer reach the target."""
    point = curve.at(cardinality)
    if point is None or point.best is None:
        return ""
    best, size = point.best, counted(cardinality, "topic")
    fewer = _fewer_are_not_enough(curve, cardinality, target)
    if best.status == "heuristic":
        even = "" if fewer else ", so even fewer may be enough"
        return f"Found by local search; another subset of {cardinality:,} may be better{even}.{fewer}"
    if best.status == "exhaustive":
        n = math.comb(curve.n_topics, cardinality)
        return f"All {n:,} subsets of {size} were evaluated: no other is better.{fewer}"
    if best.status == "proved":
        are = "is" if cardinality == 1 else "are"
        return f"Proved by branch and bound: no {size} {are} better.{fewer}"
    # Five digits distinguish a bound from values next to it.
    bound = "" if best.bound is None else f": no subset exceeds {best.bound:.5f}"
    return f"The proof was not finished{bound}.{fewer}"


def _fewer_are_not_enough(curve: SubsetCurve, cardinality: int, target: float) -> str:
    """Return so where each smaller size was evaluated and certainly does not reach the target."""
    smaller = [curve.at(size) for size in range(1, cardinality)]
    fall_short = all(point is not None and _falls_short(curve, point.best, target) for point in smaller)
    return " No smaller subset reaches the target." if smaller and fall_short else ""


def _falls_short(curve: SubsetCurve, best: Subset | None, target: float) -> bool:
    if best is None or best.status == "heuristic":
        return False
    most = best.value if best.bound is None else best.bound
    if best.status == "proved":  # of Pearson's correlation only
        most += PROOF_TOLERANCE
    return not curve.measure.meets(most, target)


def how_evaluated(curve: SubsetCurve) -> str:
    """Return which sizes were enumerated, proved and searched, and how many random subsets averages are over."""
    sizes, parts = sizes_by_status(curve), []
    done = "" if curve.is_complete else f"{len(curve.points):,} of {len(curve.cardinalities):,} sizes: "
    if len(sizes["exhaustive"]) == curve.n_topics:
        parts.append("all subsets were evaluated")
    elif sizes["exhaustive"]:
        parts.append(f"all subsets of {_ranges(sizes['exhaustive'])} topics were evaluated")
    if sizes["proved"]:
        parts.append(
            f"of {_ranges(sizes['proved'])} topics the best and the worst subset were proved by branch and bound "
            "over convexified quadratic forms"
        )
    if sizes["gap"]:
        parts.append(
            f"of {_ranges(sizes['gap'])} topics they are known up to a bound, as proofs were not finished"
        )
    if sizes["heuristic"]:
        which = "subsets of other sizes" if parts else "best and worst subsets"
        parts.append(f"{which} were found by local search, so better and worse ones may exist")
    errors = [point.mean_standard_error for point in curve.points if point.mean_standard_error > 0]
    if errors:
        parts.append(
            f"averages are over {curve.n_trials:,} random subsets (seed {curve.seed}; standard errors up to "
            f"{max(errors):.2g})"
        )
    said = f"{done}{'; '.join(parts)}."
    return " ".join(filter(None, (said[0].upper() + said[1:], curve.sizes_in_words)))


def sizes_by_status(curve: SubsetCurve) -> dict[Status, list[int]]:
    """Return the sizes by the weaker status of best and worst."""
    sizes: dict[Status, list[int]] = {status: [] for status in _FROM_WEAK}
    for point in curve.points:
        both = {subset.status for subset in (point.best, point.worst) if subset is not None}
        if both:
            sizes[next(status for status in _FROM_WEAK if status in both)].append(point.cardinality)
    return sizes


def _ranges(numbers: list[int]) -> str:
    """Write ascending numbers as ranges: 1-8 and 42-50."""
    groups = itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ranges = [[number for _, number in group] for _, group in groups]
    return joined([f"{run[0]:,}" if len(run) == 1 else f"{run[0]:,} to {run[-1]:,}" for run in ranges])


def works_of(curve: SubsetCurve) -> list[Reference]:
    """Return the papers of the question, its measure, and of proofs where there are any."""
    sizes = sizes_by_status(curve)
    return [*cited_works(curve.measure), *([BILLIONNET_2009] if sizes["proved"] or sizes["gap"] else [])]


def topic_findings(curve: SubsetCurve, table: TopicTable) -> list[Finding]:
    """Return which topics are in good and bad sets, and how much sets of neighbouring sizes share."""
    good, bad = (
        first_few([row["topic"] for row in table.rows if row["advice"] == advice], MOST_NAMED) or "none"
        for advice in ("keep", "exclude")
    )
    said = [
        f"In most good subsets of {table.cardinality} (at least {100 * OFTEN:g} % of the {table.n_best} best, at "
        f"most {100 * SELDOM:g} % of the {table.n_worst} worst): {good}. In most bad subsets: {bad}. Selection "
        "alone produces lists like these; a comparison with exchangeable topics tests that."
    ]
    best, worst = (stability(curve, side) for side in ("best", "worst"))
    if best is not None and worst is not None:
        said.append(
            f"Best subsets of consecutive sizes share {100 * best:.0f} % of their topics, worst subsets "
            f"{100 * worst:.0f} %."
        )
    point = curve.at(table.cardinality)
    shown = (
        [] if point is None or point.best is None else [_tile_of_size(curve, point.cardinality, point.best)]
    )
    return [*shown, *(Finding(sentence, "page export terminal", tab=WHICH_TOPICS) for sentence in said)]


def _tile_of_size(curve: SubsetCurve, size: int, best: Subset) -> Finding:
    """Return how good the best subset of the size to choose is."""
    note = f"In-sample: chosen on these runs. The tab “{WHICH_TOPICS}” lists them."
    return tile(f"best {topics_in_words(size)}", f"{number(best.value, curve.measure)} here", note)


def null_findings(null: NullComparison) -> list[Finding]:
    """Return which topics are reliably good and bad, how the lists compare with exchangeable topics, and how."""
    request = null.request
    verdicts = [
        f"Reliably {word}: {first_few(topics, MOST_NAMED)}." if topics else f"No topic is reliably {word}."
        for word, topics in (("good", null.reliably_good), ("bad", null.reliably_bad))
    ]
    if null.reliably_good or null.reliably_bad:
        verdicts.append(
            f"Where no topic is better than another, such a list appears in {ACHIEVED[0]} to {ACHIEVED[1]} % of "
            f"simulated collections (nominal {100 * ALPHA:g} %)."
        )
    keep, exclude = null.by("keep"), null.by("exclude")
    both, bad_both = null.by("keep_of_both_halves"), null.by("exclude_of_both_halves")
    lists = (
        f"With all runs, {keep['observed']:.0f} of {null.n_topics:,} topics are in most good subsets of "
        f"{request.cardinality:,} and {exclude['observed']:.0f} in most bad ones; exchangeable topics give "
        f"{keep['low']:.0f} to {keep['high']:.0f} and {exclude['low']:.0f} to {exclude['high']:.0f}. "
        f"Two halves of the runs agree on {both['observed']:.1f} good topics on average (exchangeable topics "
        f"{both['low']:.1f} to {both['high']:.1f}, random lists {both['random_lists']:.1f}) and on "
        f"{bad_both['observed']:.1f} bad ones ({bad_both['low']:.1f} to {bad_both['high']:.1f}, at random "
        f"{bad_both['random_lists']:.1f})."
    )
    units = kept_together(null.n_units, null.n_systems)
    method = (
        f"Exchangeable topics: {request.n_replicates:,} matrices with the run means and the variance of the "
        f"data; residuals were shuffled over topics for each run{units}; all searches were repeated on each. "
        "Ranges are their 5th to 95th percentiles. A topic is reliably good (bad) if random subsets of "
        f"{request.cardinality:,} with it are better (worse) than those without it on both of two random halves of "
        f"the runs, by more than any topic of {100 * (1 - ALPHA):.0f} % of these matrices: by more than "
        f"{null.gain_limit:.2g} ({null.harm_limit:.2g}) in {measure_of(request.goodness).symbol} on the half where "
        f"it is less, on average over {request.n_splits:,} splits (seed {request.seed})."
    )
    return [
        Finding(" ".join(verdicts), tab=BY_CHANCE),
        Finding(lists, tab=BY_CHANCE),
        Finding(method, "page terminal paper", tab=BY_CHANCE),
    ]


def text(answer: Answer) -> list[str]:
    """Return the curve as lines of a terminal."""
    curve = answer.curve
    return [
        "",
        f"{curve.measure.label} with the means over all {curve.n_topics:,} topics, {answer.matrix.measure} of "
        f"{answer.matrix.name}:",
        *curve_columns(curve).text(curve.points),
        *filter(None, [curve.sizes_in_words]),
        "",
    ]


QUESTION = Question(
    slug="subsets",
    description="Agreement of subsets of topics with all topics in ranking the runs (Guiver, Mizzaro and Robertson "
    "2009): the best, the worst and the average subset of each cardinality. For GMAP give AP and --log.",
    takes="matrix",
    request=Request,
    complete=answers.complete,
    compute=answers.compute,
    finish=Answer.read_at,
    seconds=seconds_of,
    preview=answers.preview,
    laid_over=Answer.laid_over,
    is_whole=Answer.answers,
    shows_partial=True,
    noun=lambda request: counted(len(request.cardinalities or ()), "size"),
    report=report,
    text=text,
)
