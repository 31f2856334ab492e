"""Exports: findings, tables, record and figure about achieved power."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from topicset_core.analyses.achieved_power.answer import (
    AchievedPower,
    Rate,
    Request,
    achieved_power,
    affordable,
    complete,
    estimated_seconds,
)
from topicset_core.analyses.achieved_power.over_pairs import RankTestTopics, rank_test_topics
from topicset_core.analyses.achieved_power.significance_tests import NULLS, SHIFT
from topicset_core.charts.chart import Chart
from topicset_core.designs.search import Floats
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.preparation.whole_groups import size_in_words
from topicset_core.question import Question
from topicset_core.references import CARTERETTE_2012, FAGERLAND_2013, MCNEMAR_1947, SAKAI_2016, URBANO_2019
from topicset_core.version import __version__
from topicset_core.wording import counted, in_units

_QUANTILES = (0.05, 0.5, 0.95)
_PERCENTILES = ("5th percentile", "median", "95th percentile")
_MOST_RANKED = 200  # pairs whose rank tests are sized: some milliseconds each with thousands of topics
_MOST_POINTS = 400  # of a line that is drawn
_FEWEST_RANKED = 25  # topics from which on Noether's formulas are meant: at 50 they are 7 % high


def report(result: AchievedPower) -> Report:
    """Return the answer with all its exports."""
    request, matrix = result.request, result.matrix
    own = {"randomised-tukey": CARTERETTE_2012, "mcnemar": MCNEMAR_1947, "mcnemar-mid-p": FAGERLAND_2013}
    return Report(
        name="achieved-power",
        title=f"Achieved power: {in_units(request.chosen.label, matrix.unit)}, {matrix.measure}, {matrix.name}",
        findings=findings(result),
        works=[SAKAI_2016, URBANO_2019, *(own[name] for name in own if name == request.test)],
        tables=[
            ReportTable("rates", lambda: RATES.table(rates(result)), "Rates", "achieved-power"),
            ReportTable("pairs", lambda: pair_table(result), "Pairs of runs", "achieved-power-pairs"),
        ],
        results=lambda: [record(result)],
        figures=lambda: [figure(result)],
        measure=matrix.measure,
        preparation=(),
        matrices=[matrix],
        request=request.settings,
    )


def findings(result: AchievedPower) -> list[Finding]:
    """Return power and type I error next to the stated ones, pairs that reach the power, and limits."""
    request, power, type_one = result.request, result.power, result.type_one
    by_topic, planned = result.type_one_by_topic, f"planned: {_per_cent(result.stated_power)}"
    test = request.chosen.in_words
    difference = (
        f"a difference of {request.min_d:g}"
        if request.effect == "min-d"
        else "the difference that each pair's own variance makes detectable"
    )
    said = [
        headline("Power ", _per_cent(power.value), f" ({planned})"),
        *_tiles(result),
        Finding(_origin(result), "paper"),
        Finding(
            f"{test[0].upper()}{test[1:]} with {counted(result.n_topics, result.matrix.unit)} and {difference}: "
            f"power {_per_cent(power.value)} ({_error(power)}; {planned}){_either(result)}."
        ),
        Finding(
            f"Type I error {_per_cent(type_one.value)} with {NULLS[type_one.null]} (nominal "
            f"{_per_cent(request.alpha)}; {_error(type_one)})."
        ),
    ]
    if result.directions is not None and result.directions.matters:
        said.insert(-1, Finding(result.directions.sentence))
    if by_topic is not None:
        by = f"a Type I error of {_per_cent(by_topic.value)} ({_error(by_topic)})"
        said.append(
            Finding(f"On the topics of these groups, as if they were independent, the same test has {by}.")
        )
    if request.effect == "min-d" and not result.is_one_pair:
        said.append(Finding(_reached(result)))
    return [*said, *(Finding(text, "page export terminal") for text in _limits(result))]


def _tiles(result: AchievedPower) -> Iterator[Finding]:
    """Yield the numbers beside the headline."""
    request, type_one, by_topic = result.request, result.type_one, result.type_one_by_topic
    if request.effect == "min-d" and not result.is_one_pair:
        label = f"{_noun(request)} with {_per_cent(1 - request.beta)} power"
        yield tile(label, f"{100 * result.share_with_power:.0f} %")
    value = f"{_per_cent(type_one.value)} (nominal {_per_cent(request.alpha)})"
    yield tile("Type I error", value, _error(type_one))
    if by_topic is not None:
        yield tile("Type I error by topic", _per_cent(by_topic.value), _error(by_topic))
    yield tile(f"{result.matrix.unit}s", f"{result.n_topics:,}")


def how_simulated(result: AchievedPower) -> str:
    """Return the basis of the rates, in a sentence."""
    request = result.request
    permutations = f", {request.n_permutations:,} permutations each" if request.chosen.is_randomised else ""
    return f"{counted(result.n_trials, 'trial')} on {_sets(result)}{permutations}."


def _either(result: AchievedPower) -> str:
    return ", on average over which run is better" if result.is_of_either else ""


def _noun(request: Request) -> str:
    return "pairs of runs" if request.m == 2 else f"sets of {request.m} runs"


def _sets(result: AchievedPower) -> str:
    n, m = len(result.members), result.request.m
    return f"{counted(n, 'pair')} of runs" if m == 2 else f"{counted(n, 'set')} of {m} runs"


def _origin(result: AchievedPower) -> str:
    """Return which scores were resampled, and how."""
    request, matrix = result.request, result.matrix
    is_centred = result.type_one.null == "centred"
    topics = "" if request.topics_are == "shared" else " for each system separately"
    equal = "subtracting each run's mean" if is_centred else f"swapping scores within {matrix.unit}s"
    permutations = (
        f", {request.n_permutations:,} permutations per test" if request.chosen.is_randomised else ""
    )
    return (
        f"Type I error and power of {request.chosen.in_words} {CITATION} were checked by resampling the "
        f"{size_in_words(matrix)} of the {matrix.measure} scores of {matrix.n_systems} runs ({matrix.name}): "
        f"{counted(result.n_topics, matrix.unit)} drawn with replacement{topics} in {result.n_trials:,} trials, "
        f"{_sets(result)}{permutations}, seed {request.seed} (Topicset {__version__}). Equal systems were made by "
        f"{equal}, the difference by {in_units(SHIFT.options[request.shift_is], matrix.unit)}"
        f"{' in both directions' * result.is_of_either}."
    )


def _reached(result: AchievedPower) -> str:
    """Return for which share of the pairs the wanted power holds."""
    target, share = _per_cent(1 - result.request.beta), f"{100 * result.share_with_power:.0f} %"
    over, unit = result.over_pairs, result.matrix.unit
    if over is None:
        return f"{share} of {_sets(result)} reach {target} power."
    text = (
        f"{target} power is reached for {share} of {counted(over.n_pairs, 'pair')} of runs, each with its own "
        f"variance (computed, not simulated); the median power is {_per_cent(over.quantile(0.5))}, the 5 % "
        f"quantile {_per_cent(over.quantile(0.05))}."
    )
    if over.careful_topics is not None and over.careful_topics > result.n_topics:
        text += f" By the 95th percentile of the variances it takes {counted(over.careful_topics, unit)}."
    return text


def _limits(result: AchievedPower) -> Iterator[str]:
    """Yield nulls that do not fit, limits of the scores, and what was left out."""
    request, matrix, unit = result.request, result.matrix, result.matrix.unit
    other, ranks = result.other_type_one, rank_tests(result)
    if request.test == "wilcoxon" and other is not None:
        centred = result.type_one if result.type_one.null == "centred" else other
        yield (
            f"With equal means but skewed differences it is significant in {_per_cent(centred.value)}: its null "
            "hypothesis is not about means."
        )
    if ranks is not None:
        yield (
            f"If systems differed by a pure shift of symmetric differences, Wilcoxon's signed-rank test would need "
            f"about {ranks.wilcoxon:,.0f} {unit}s and the sign test {ranks.sign:,.0f} where the t test needs "
            f"{result.n_topics:,} (medians over pairs, by Noether's formulas)."
        )
    if request.test == "one-way-f" and request.topics_are == "shared":
        yield (
            f"One-way ANOVA leaves {unit} difficulty in its error, so on shared {unit}s it reports almost no "
            f"difference between equal systems and, with many systems, loses power: analyse with {unit}s as blocks."
        )
    if request.test == "randomised-tukey":
        yield f"It is sized by the design of Tukey's HSD on shared {unit}s; add one {unit}."
    if request.test == "bonferroni":
        yield "Holm's procedure has the same error here, and at least this power."
    if result.n_topics > matrix.n_topics:
        yield (
            f"n is more than the {matrix.n_topics:,} {unit}s of the scores: {unit}s repeat, and rare scores "
            f"that these {unit}s lack cannot be drawn."
        )
    else:
        yield f"The results are for these {counted(matrix.n_topics, unit)}, not for the whole task."
    if result.n_left_out:
        yield f"{counted(result.n_left_out, 'pair')} of nearly identical runs left out."
    if len(result.members) < request.n_pairs and not result.power.is_all_pairs:
        yield f"{len(result.members):,} of {request.n_pairs:,}: the others have means below the difference."


def rank_tests(result: AchievedPower) -> RankTestTopics | None:
    """Return the topics of rank tests on the pairs of a paired test; None for others, and for few topics."""
    request = result.request
    if request.test not in ("paired-t", "wilcoxon") or result.n_topics < _FEWEST_RANKED:
        return None
    ranks = rank_test_topics(
        result.matrix, result.members[:_MOST_RANKED], result.n_topics, alpha=request.alpha, beta=request.beta
    )
    return ranks if np.isfinite(ranks).all() else None


def _error(rate: Rate) -> str:
    return f"standard error {100 * rate.standard_error:.2g} points"


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %" if round(1000 * share) % 10 else f"{100 * share:.0f} %"


def rates(result: AchievedPower) -> list[dict[str, object]]:
    """Return stated and achieved rates, from 0 to 1, of systems that are equal and of systems that differ."""
    alpha, by_topic = result.request.alpha, result.type_one_by_topic
    both = [rate for rate in (result.type_one, result.other_type_one) if rate is not None]
    states = [(f"Type I error, {NULLS[rate.null]}", alpha, rate) for rate in both]
    if by_topic is not None:
        name = f"Type I error, {NULLS[by_topic.null]}, topics as independent"
        states.append((name, alpha, by_topic))
    return [
        {"rate": name, "stated": stated, "achieved": rate.value, "standard_error": rate.standard_error}
        | {name: rate.quantile(share) for name, share in zip(_PERCENTILES, _QUANTILES, strict=True)}
        for name, stated, rate in [*states, ("power", result.stated_power, result.power)]
    ]


RATES = Columns[Mapping[str, object]](
    Column("rate"),
    *(Column(name, form=".4f") for name in ("stated", "achieved", "standard error")),
    *(Column(name, name, form=".4f") for name in _PERCENTILES),
)


def pair_table(result: AchievedPower) -> Table:
    """Return one row per pair or set of runs: its runs, the share of significant trials; the first two differ."""
    both = [rate for rate in (result.type_one, result.other_type_one) if rate is not None]
    columns: list[tuple[str, Rate | None]] = [(f"type I error, {NULLS[rate.null]}", rate) for rate in both]
    columns += [("type I error, topics as independent", result.type_one_by_topic), ("power", result.power)]
    shares = {name: rate.by_pair.tolist() for name, rate in columns if rate is not None}
    return {"runs": [" ".join(runs) for runs in result.members], **shares}


def record(result: AchievedPower) -> dict[str, Any]:
    """Return the record of the result."""
    request, over, by_topic = result.request, result.over_pairs, result.type_one_by_topic
    by_min_d = request.effect == "min-d"
    return {
        "analysis": "achieved_power",
        "min_d": request.min_d if by_min_d else None,
        "n_systems": request.m,
        "topics": request.topics_are,
        "null": result.type_one.null,
        "n_pairs": len(result.members),
        **attributes(result, "n_topics variance stated_power n_left_out n_trials"),
        "n_permutations": request.n_permutations if request.chosen.is_randomised else None,
        "type_one": _rate(result.type_one),
        "other_type_one": result.other_type_one and _rate(result.other_type_one),
        **({} if by_topic is None else {"type_one_by_topic": _rate(by_topic)}),
        "power": _rate(result.power),
        "rank_test_topics": (ranks := rank_tests(result)) and ranks._asdict(),
        "share_with_power": result.share_with_power if by_min_d and not result.is_one_pair else None,
        "power_over_pairs": over
        and {
            **attributes(over, "n_pairs share"),
            "quantiles": {f"{share:g}": over.quantile(share) for share in _QUANTILES},
            "relative_variance": {f"{share:g}": over.relative_variance(share) for share in _QUANTILES},
            "careful_topics": over.careful_topics,
        },
    }


def _rate(rate: Rate) -> dict[str, Any]:
    quantiles = {f"{share:g}": rate.quantile(share) for share in _QUANTILES}
    return {
        "null": rate.null,
        "rate": rate.value,
        "standard_error": rate.standard_error,
        "quantiles": quantiles,
    }


def figure(result: AchievedPower) -> Figure:
    """Draw power and type I error of each pair, both ascending, against the share of pairs."""
    request = result.request
    noun = _noun(request)
    each = f"{'this' if result.is_one_pair else 'each'} {'pair' if request.m == 2 else 'set'}"
    chart = Chart(
        f"{100 * result.share_with_power:.0f} % of {noun} have {_per_cent(1 - request.beta)} power"
        if request.effect == "min-d" and not result.is_one_pair
        else f"Power and Type I error of {each}, n = {result.n_topics:,}",
        f"{noun} in ascending order (%)",
        "share of significant trials (%)",
    )
    if result.over_pairs is not None:
        mode = "markers" if result.is_one_pair else "lines"
        _ascending(chart, result.over_pairs.powers, "power, all pairs, computed", QUIET, mode=mode)
    _ascending(chart, result.power.by_pair, f"power, {len(result.members):,} simulated", ACCENT)
    _ascending(chart, result.type_one.by_pair, "Type I error, simulated", SERIES[0])
    if result.type_one_by_topic is not None:
        _ascending(chart, result.type_one_by_topic.by_pair, "Type I error by topic, simulated", SERIES[1])
    for level, text in ((1 - request.beta, "1 − β"), (request.alpha, "α")):
        chart.rule(100 * level, width=1.2)
        place: dict[str, Any] = {"xref": "x domain", "xanchor": "left", "yanchor": "bottom"}
        chart.note(text, 0, 100 * level, colour=TEXT, **place)
    chart.axis("x", range=[-2, 102])
    chart.axis("y", range=[-3, 106], tickvals=[0, 20, 40, 60, 80, 100])
    chart.legend()
    return chart.figure(
        "power",
        f"Share of significant trials per pair, ascending: power around {_per_cent(result.power.value)}, Type I "
        f"error around {_per_cent(result.type_one.value)}.",
    )


def _ascending(chart: Chart, values: Floats, name: str, colour: str, mode: str = "markers") -> None:
    shares = (np.arange(values.size) + 0.5) / values.size
    ascending = np.sort(values)
    if values.size > _MOST_POINTS:
        shares = np.linspace(0.5 / values.size, 1 - 0.5 / values.size, _MOST_POINTS)
        ascending = np.quantile(values, shares)
    hover = f"{name}: %{{y:.1f}} % at %{{x:.0f}} % of pairs"
    chart.line(100 * shares, 100 * ascending, name, hover, colour=colour, size=6, mode=mode)


QUESTION = Question(
    slug="check",
    description="Draws n topics with replacement from one score matrix, runs the test on equal systems and on "
    "systems that differ by minD, and prints the share of significant trials with its standard error, next to the "
    "Type I error and the power that the design states.",
    takes="matrix by group",
    request=Request,
    complete=complete,
    compute=achieved_power,
    report=report,
    text=lambda result: ["", *RATES.text(rates(result)), ""],
    noun=lambda request: f"{request.n_trials:,} trials",
    seconds=estimated_seconds,
    preview=affordable,
    is_whole=lambda result, request: result.request == request and result.n_trials == request.n_trials,
    shows_partial=True,
)
