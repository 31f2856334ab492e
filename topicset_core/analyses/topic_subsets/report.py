"""The exports of a curve: sentences, tables, record, figures and a paragraph for a paper."""

import itertools
import math
from functools import partial
from typing import Any

from topicset_core.analyses.topic_subsets import answer as answers
from topicset_core.analyses.topic_subsets.answer import Answer, TopicTable, stability
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
from topicset_core.analyses.topic_subsets.held_out.null import (
    ACHIEVED,
    ALPHA,
    NullComparison,
)
from topicset_core.analyses.topic_subsets.held_out.report import cited_works, next_to_random, topics_in_words
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_UNITS, HIGH, LOW
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection.units import kept_together
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row
from topicset_core.question import Question
from topicset_core.references import BILLIONNET_2009
from topicset_core.version import __version__
from topicset_core.wording import counted, first_few, joined, number_or

_MOST_IN_A_CELL, _MOST_IN_A_LINE = 200, 12  # of topics, on screen and in a terminal; the export has all


def report(answer: Answer, *, held: HeldOutCurve | None = None, null: NullComparison | None = None) -> Report:
    """Return the answer with all its exports, next to its sets on other runs and to exchangeable topics."""
    matrix, curve, target = answer.matrix, answer.curve, answer.target
    tables = [
        ReportTable(
            "curve", lambda: curve_columns(curve).table(curve.points), "Curve", "topic-subsets-curve"
        ),
        ReportTable("sets", lambda: SETS.table(ranked_sets(curve)), "Sets", "topic-subsets-sets"),
        ReportTable(
            "topics",
            lambda: topic_columns(answer.table).table(answer.table.rows),
            "Topics",
            "topic-subsets-topics",
        ),
    ]
    plain, latex = paragraph(curve, target, held, scores=matrix.measure, name=matrix.name)
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
        plain, latex = (f"{text}\n\n{null_sentence(null)} {null_method(null)}" for text in (plain, latex))
    return Report(
        name="topic-subsets",
        title=f"Topic subsets: {matrix.measure}, {matrix.name}",
        sentence=answer_sentence(curve, target, held),
        tables=tables,
        results=lambda: [record(answer, held, null)],
        text=(plain, latex),
        figures=lambda: [
            curve_figure(answer),
            *topic_figures(answer),
            *([] if null is None else [effects_on_halves(null, null_sentence(null))]),
        ],
        measure=matrix.measure,
        preparation=(),
        matrices=[matrix],
        request=answer.request.settings,
    )


def record(answer: Answer, held: HeldOutCurve | None, null: NullComparison | None) -> dict[str, Any]:
    """Return the answer for JSON."""
    curve, table = answer.curve, answer.table
    return {
        "sentence": answer_sentence(curve, answer.target, held),
        **curve.record(answer.target),
        "stability": {"best": stability(curve, "best"), "worst": stability(curve, "worst")},
        "topics": table.rows,
        "topics_of_ten_sets_of": table.cardinality,
        "hardness_correlation": table.hardness_correlation,
        "held_out": held,
        "null": None if null is None else {"sentence": null_sentence(null), **null.record()},
    }


def curve_figure(answer: Answer) -> Figure:
    """Draw the goodness of best, average and worst against cardinality."""
    curve, scores = answer.curve, f"{answer.matrix.measure}, {answer.matrix.name}"
    is_whole = curve.is_complete and answer.so_far is None
    says = answer_sentence(curve, answer.target) if is_whole else statuses_sentence(answer.so_far or curve)
    alt = f"{curve.measure.label} against subset size. {says}"
    return goodness_by_cardinality(curve, target=answer.target, of_what=scores, alt=alt)


def topic_figures(answer: Answer) -> list[Figure]:
    """Draw a map of ten sets, and the hardness of topics."""
    curve, table = answer.curve, answer.table
    hardness = topic_hardness(table, measure=curve.measure, scores=answer.matrix.measure)
    return [ten_sets(curve, table), hardness]


def curve_columns(curve: SubsetCurve) -> Columns[CurvePoint]:
    """Return the columns of a curve, a row per cardinality."""
    has_bounds = any(one and one.bound for point in curve.points for one in (point.best, point.worst))
    levels = sorted({level for point in curve.points for level in point.percentiles})
    bound = "fs" if has_bounds else "f"
    return Columns(
        Column("topics", "cardinality"),
        Column("best", "best.value", form=".6f"),
        Column("best_status", "best.status", on="f"),
        Column("best_bound", "best.bound", "upper bound of best", ".6f", on=bound),
        Column("mean", heading="average", form=".6f"),
        Column("mean_standard_error", heading="standard error", form=".1e"),
        Column("worst", "worst.value", form=".6f"),
        Column("worst_status", "worst.status", on="f"),
        Column("worst_bound", "worst.bound", "lower bound of worst", ".6f", on=bound),
        Column("best_is", lambda point: known(point.best), on="s"),
        Column("worst_is", lambda point: known(point.worst), on="s"),
        Column("status", _statuses, on="t"),
        Column("best_kendall", "agreement.kendall", on="f"),
        Column("best_reversed_pairs", "agreement.n_reversed", on="f"),
        Column("best_tied_pairs", "agreement.n_tied", on="f"),
        Column("pairs", "agreement.n_pairs", on="f"),
        *(Column(f"percentile_{level}", partial(_percentile, level), on="f") for level in levels),
        Column("subsets_averaged", "n_averaged", on="f"),
        Column("subsets_without_correlation", "n_undefined", "undefined correlation", on="fs"),
        Column("best_topics", lambda point: first_topics(point.best, _MOST_IN_A_CELL), on="s"),
        Column("worst_topics", lambda point: first_topics(point.worst, _MOST_IN_A_CELL), on="s"),
        Column("best_topics", lambda point: first_topics(point.best, _MOST_IN_A_LINE), on="t"),
    )


def _percentile(level: int, point: CurvePoint) -> float | None:
    return point.percentiles.get(level)


def _statuses(point: CurvePoint) -> str:
    """Return how well best and worst are known, for a gap with its other end."""
    if point.best is None:
        return f"no subset has a correlation ({point.n_undefined:,} evaluated)"
    both = [one for one in (point.best, point.worst) if one is not None]
    statuses = (one.status if one.bound is None else f"{one.status} to {one.bound:.6f}" for one in both)
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
    Column("topic_ids", lambda row: " ".join(row["subset"].topics)),
)


def ranked_sets(curve: SubsetCurve) -> list[Row]:
    """Return the ten best and ten worst sets of each cardinality."""
    return [
        {"topics": point.cardinality, "side": side, "rank": rank, "subset": one}
        for point in curve.points
        for side, sets in (("best", point.ten_best), ("worst", point.ten_worst))
        for rank, one in enumerate(sets, start=1)
    ]


def topic_columns(table: TopicTable) -> Columns[Row]:
    """Return the columns of topics, a row each."""
    size = table.cardinality
    ten, worst = f"of the {table.n_best} best subsets of {size}", f"of the {table.n_worst} worst"
    return Columns(
        Column("topic"),
        Column("in_best_sets", "in_best", "in best subsets (sizes)"),
        Column("in_worst_sets", "in_worst", "in worst subsets (sizes)"),
        Column(f"in_ten_best_of_{size}", "in_ten_best", f"in how many {ten}"),
        Column(f"in_ten_worst_of_{size}", "in_ten_worst", f"in how many {worst}"),
        Column("goodness_alone", "alone", "agreement alone", ".4f"),
        Column("mean_score", form=".4f"),
        Column("advice"),
    )


NUMBERS: Columns[Row] = Columns(
    Column("number", "key"),
    Column("observed"),
    Column("exchangeable_mean", "mean"),
    Column("exchangeable_percentile_5", "low"),
    Column("exchangeable_percentile_95", "high"),
    Column("random_lists"),
    Column("p_value"),
)
"""Numbers next to those of matrices of exchangeable topics."""


def reliable_columns(null: NullComparison) -> Columns[Row]:
    """Return the columns of topics: in how many splits both halves of the runs keep or exclude each."""
    return Columns(
        Column("topic"),
        Column("keep"),
        Column("exclude"),
        Column("splits_kept_by_both", "kept"),
        Column("splits_excluded_by_both", "excluded"),
        Column("splits", lambda _: null.request.n_splits),
        *map(Column, ("gain", "harm", "p_gain", "p_harm", "verdict")),
    )


def null_headline(null: NullComparison) -> str:
    """Return whether any topic is reliably good, in one line."""
    good = null.reliably_good
    return f"Reliably good: {first_few(good, MOST_NAMED)}" if good else "No topic is reliably good"


def null_sentence(null: NullComparison) -> str:
    """Return which topics are reliably good and bad, and how the lists compare with exchangeable topics."""
    summary = [f"{null_headline(null)}."]
    bad = null.reliably_bad
    summary.append(f"Reliably bad: {first_few(bad, MOST_NAMED)}." if bad else "No topic is reliably bad.")
    if null.reliably_good or bad:
        summary.append(
            f"Where no topic is better than another, such a list appears in {ACHIEVED[0]} to {ACHIEVED[1]} % of "
            f"simulated collections (nominal {100 * ALPHA:g} %)."
        )
    keep, exclude = null.by("keep"), null.by("exclude")
    summary.append(
        f"With all runs, {keep['observed']:.0f} of {null.n_topics:,} topics are in most good subsets of "
        f"{null.request.cardinality:,} and {exclude['observed']:.0f} in most bad ones; exchangeable topics give "
        f"{keep['low']:.0f} to {keep['high']:.0f} and {exclude['low']:.0f} to {exclude['high']:.0f}."
    )
    both, bad_both = null.by("keep_of_both_halves"), null.by("exclude_of_both_halves")
    summary.append(
        f"Two halves of the runs agree on {both['observed']:.1f} good topics on average (exchangeable topics "
        f"{both['low']:.1f} to {both['high']:.1f}, random lists {both['random_lists']:.1f}) and on "
        f"{bad_both['observed']:.1f} bad ones ({bad_both['low']:.1f} to {bad_both['high']:.1f}, at random "
        f"{bad_both['random_lists']:.1f})."
    )
    return " ".join(summary)


def null_method(null: NullComparison) -> str:
    """Return how the comparison with exchangeable topics was made, in sentences for a paper."""
    request = null.request
    units = kept_together(null.n_units, null.n_systems)
    return (
        f"Exchangeable topics: {request.n_replicates:,} matrices with the run means and the variance of the "
        f"data; residuals were shuffled over topics for each run{units}; all searches were repeated on each. "
        "Ranges are their 5th to 95th percentiles. A topic is reliably good (bad) if random subsets of "
        f"{request.cardinality:,} with it are better (worse) than those without it on both of two random halves of "
        f"the runs, by more than any topic of {100 * (1 - ALPHA):.0f} % of these matrices: by more than "
        f"{null.gain_limit:.2g} ({null.harm_limit:.2g}) in {measure_of(request.goodness).symbol} on the half where "
        f"it is less, on average over {request.n_splits:,} splits (seed {request.seed})."
    )


def paragraph(
    curve: SubsetCurve, target: float, held: HeldOutCurve | None = None, *, scores: str, name: str
) -> tuple[str, str]:
    """Return the result of the curve, in plain text and in LaTeX."""
    means = [point for point in curve.points if point.mean_standard_error > 0]
    sampled = f"; averages are over {curve.n_trials:,} random subsets (seed {curve.seed})" if means else ""
    others = "with" if curve.measure.higher_is_better else "against"
    how, thinned = _how(curve), f"{curve.sizes_in_words} " if curve.sizes_in_words else ""
    text = (
        f"Subsets of the {curve.n_topics:,} topics were evaluated by {curve.measure.of_run_means} {others} those "
        f"over all topics {CITATION}, on the {scores} scores of {curve.n_systems:,} runs ({name}). "
        f"{answer_sentence(curve, target, held)} {how}{sampled}. {thinned}In-sample values are of subsets that "
        f"were chosen on the runs that evaluate them (Topicset {__version__})."
    )
    works, sizes = cited_works(curve.measure), _sizes(curve)
    if sizes["proved"] or sizes["gap"]:
        works.append(BILLIONNET_2009)
    return cite_plain(text, works), cite_latex(text, works)


def _how(curve: SubsetCurve) -> str:
    """Return which sizes were enumerated, proved and searched, in a sentence without its full stop."""
    sizes = _sizes(curve)
    if not sizes["proved"] and not sizes["gap"]:
        if not sizes["heuristic"]:
            return "All subsets were evaluated"
        if not sizes["exhaustive"]:
            return "Best and worst subsets were found by local search, so better and worse ones may exist"
    parts = []
    if sizes["exhaustive"]:
        parts.append(f"All subsets of {_ranges(sizes['exhaustive'])} topics were evaluated")
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
        parts.append("subsets of other sizes were found by local search, so better and worse ones may exist")
    summary = "; ".join(parts)
    return summary[0].upper() + summary[1:]


def _sizes(curve: SubsetCurve) -> dict[Status, list[int]]:
    """Return the sizes by the weaker status of best and worst."""
    sizes: dict[Status, list[int]] = {"heuristic": [], "gap": [], "proved": [], "exhaustive": []}
    for point in curve.points:
        if point.best is not None:
            sizes[weaker_status(point)].append(point.cardinality)
    return sizes


def _ranges(numbers: list[int]) -> str:
    """Write ascending numbers as ranges: 1-8 and 42-50."""
    groups = itertools.groupby(enumerate(numbers), lambda one: one[1] - one[0])
    runs = [[number for _, number in group] for _, group in groups]
    return joined([f"{run[0]:,}" if len(run) == 1 else f"{run[0]:,} to {run[-1]:,}" for run in runs])


def headline(curve: SubsetCurve, target: float, held: HeldOutCurve | None = None) -> tuple[str, str, str]:
    """Return the answer in one line: the best subset that reaches the target in-sample, and on other runs."""
    size, measure = curve.crossings(target).best, curve.measure
    if size is None:
        return "", "No subset", f" that was searched reaches {_target(curve, target)}"
    best = curve.at(size)
    assert best is not None and best.best is not None  # noqa: S101, PT018 - it has a crossing
    before, here = f"Best {topics_in_words(size)}: ", f"{reached(best.best.value, measure)} here"
    point = _held_out(curve, target, held)
    spread = None if point is None else point.chosen.best
    if spread is not None:
        return before, f"{here}, {number(spread.mean, measure)} on other runs", ""
    too_few = curve.n_units < FEWEST_UNITS
    return before, here, "; too few different runs to tell about others" if too_few else ""


def in_short(
    curve: SubsetCurve, target: float, held: HeldOutCurve | None = None
) -> list[tuple[str, str, str]]:
    """Return the numbers next to the headline: label, value, and what to know of it."""
    crossings, result = curve.crossings(target), []
    best = None if crossings.best is None else curve.at(crossings.best)
    if best is None:
        return []
    point = _held_out(curve, target, held)
    if point is not None and point.chosen.best is not None and held is not None:
        spread = point.chosen.best
        low, high = (number(one, curve.measure) for one in (spread.low, spread.high))
        how = f"On other runs: chosen on one half, evaluated on the other, {spread.n_splits:,} random splits"
        result.append(("90 % of splits", f"{low} to {high}", f"{how}; {LOW}th to {HIGH}th percentile."))
        if point.chosen.average is not None:
            random = number(point.chosen.average.mean, curve.measure)
            text = f"{how}; mean of random subsets of this size."
            if not point.is_better_than_random:
                random, text = f"{random} (not resolved)", f"{text} Chosen ones are not reliably better."
            result.append(("random subsets", random, text))
    if best.agreement is not None:
        agreement = best.agreement
        of_all = f"{agreement.n_reversed:,} of {counted(agreement.n_pairs, 'pair')}, by the best subset."
        if agreement.n_tied:
            of_all += f" {agreement.n_tied:,} tie and count by half."
        result.append(("run pairs reversed", f"{100 * agreement.share_reversed:.1f} %", of_all))
    sizes = [number_or("more than searched", one) for one in (crossings.mean, crossings.worst)]
    label = f"topics for {_target(curve, target)}"
    return [*result, (label, f"{sizes[0]} random, {sizes[1]} worst", "On average, and for any subset.")]


def answer_sentence(curve: SubsetCurve, target: float, held: HeldOutCurve | None = None) -> str:
    """Return how few topics reach a target in-sample, how they rank the runs, and their value on other runs."""
    crossings, measure = curve.crossings(target), curve.measure
    if crossings.best is None:
        sizes_text = counted(len(curve.points), "size")
        return f"No subset reaches {_target(curve, target)} with all topics, among {sizes_text} that were searched."
    best = curve.at(crossings.best)
    assert best is not None and best.best is not None  # noqa: S101, PT018 - it has a crossing
    size, agreement, fewest = crossings.best, best.agreement, crossings.fewest(crossings.best)
    others = "with" if measure.higher_is_better else "against"
    summary = (
        f"In-sample, the best {'topic' if size == 1 else _needed(fewest, size)} {_verb(size)} "
        f"{reached(best.best.value, measure)} {others} all {curve.n_topics:,} topics"
    )
    if fewest != size:
        summary = f"{summary} (at {size:,})"
    if agreement is not None and agreement.is_perfect:
        summary += f" and {'ranks' if size == 1 else 'rank'} the {curve.n_systems:,} runs exactly as all do"
    elif agreement is not None:
        tau = ""
        if agreement.kendall is not None and measure.key != "kendall":
            tau = f"τ = {agreement.kendall:.3f}, and "
        summary += f"; {tau}{agreement.in_words}"
    point = _held_out(curve, target, held)
    if point is not None and point.chosen.best is not None and held is not None:
        spread, units = point.chosen.best, kept_together(held.n_units, held.n_systems, "; {}")
        summary += (
            f". Chosen on half of the runs, the best {topics_in_words(size)} "
            f"{_verb(size)} {reached(spread.mean, measure)} on the other half ({LOW}th to {HIGH}th percentile "
            f"over {spread.n_splits:,} random splits, seed {held.request.seed}: "
            f"{number(spread.low, measure)} to {number(spread.high, measure)}{units})"
            f"{next_to_random(held, point)}"
        )
    elif curve.n_units < FEWEST_UNITS:
        units = (
            ""
            if curve.n_units == curve.n_systems
            else f" in {counted(curve.n_units, 'unit')} of similar runs"
        )
        summary += f". {curve.n_systems:,} runs{units} are too few to choose topics on half of them"
    return (
        f"{summary}. For {_target(curve, target)}, random subsets need "
        f"{_needed(crossings.fewest(crossings.mean), crossings.mean)} on average and the worst subset "
        f"{_needed(crossings.fewest(crossings.worst), crossings.worst)}.{measure.ties}"
    )


def _held_out(curve: SubsetCurve, target: float, held: HeldOutCurve | None) -> HeldOutPoint | None:
    """Return what sets of the size of the answer reach on other runs."""
    size = curve.crossings(target).best
    return None if held is None or size is None else held.at(size)


def _target(curve: SubsetCurve, target: float) -> str:
    return curve.measure.equal_to(f"{target:.6g}")


def _verb(n: int) -> str:
    return "reaches" if n == 1 else "reach"


def _needed(fewest: int | None, size: int | None) -> str:
    """Return a number of topics, or between which numbers it is."""
    if size is None:
        return "more topics than were searched"
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


def statuses_sentence(curve: SubsetCurve) -> str:
    """Return of how many sizes best and worst are certain, and why."""
    sizes = len(curve.points)
    kinds = [weaker_status(point) for point in curve.points]
    full, proved, gaps, searched = (
        kinds.count(kind) for kind in ("exhaustive", "proved", "gap", "heuristic")
    )
    grid = "" if curve.is_complete and sizes == curve.n_topics else f" of {curve.n_topics:,}"
    summary = f"{sizes:,}{grid} sizes, {full:,} of them enumerated"
    if proved:
        summary += f", {proved:,} with best and worst proved by branch and bound"
    if gaps:
        summary += f", {gaps:,} with an unfinished proof"
    if searched:
        summary += f", {searched:,} found by local search (better or worse ones may exist)"
    errors = [point.mean_standard_error for point in curve.points]
    if errors and max(errors) > 0:
        summary += f"; averages of {curve.n_trials:,} random subsets, standard errors up to {max(errors):.2g}"
    return f"{summary}."


def weaker_status(point: CurvePoint) -> Status:
    """Return the weaker status of the best and the worst set of a size."""
    both = {one.status for one in (point.best, point.worst) if one is not None}
    return next((status for status in _FROM_WEAK if status in both), "exhaustive")


def _fewer_are_not_enough(curve: SubsetCurve, cardinality: int, target: float) -> str:
    """Return so where each smaller size was evaluated and certainly does not reach the target."""
    smaller = [curve.at(size) for size in range(1, cardinality)]
    fall_short = all(point is not None and _falls_short(curve, point.best, target) for point in smaller)
    return " No smaller subset reaches the target." if smaller and fall_short else ""


def _falls_short(curve: SubsetCurve, best: Subset | None, target: float) -> bool:
    if best is None or best.status == "heuristic":
        return False
    reached = best.value if best.bound is None else best.bound
    if best.status == "proved":  # of Pearson's correlation only
        reached += PROOF_TOLERANCE
    return not curve.measure.meets(reached, target)


def text(answer: Answer) -> list[str]:
    """Return the curve as lines of a terminal."""
    curve, scores = answer.curve, f"{answer.matrix.measure} of {answer.matrix.name}"
    return [
        f"{curve.measure.label} with the means over all {curve.n_topics:,} topics, {scores}:",
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
