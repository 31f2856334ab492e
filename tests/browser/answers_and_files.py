"""Answers of each page on real data, and the contents of its downloads: by the core, by papers.

Scores are TREC robust 2003 new and 2004 new, AP, as Sakai (2016) planned with them; TREC-8 ad hoc, its 96 best
runs; and the 17 runs of robust 2003 with their judgments. A new page adds its own function to `CHECKS`, which first
sets what it changes: it may be a second try.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args

import pytest

from tests.browser.driving import (
    chart,
    charts_are_drawn,
    choose,
    fill,
    headline,
    keyed,
    nothing_runs,
    open_expanders,
    press,
    shows,
    text_of,
    until,
)
from tests.browser.opened_files import Files, same_numbers
from tests.reference_data import reference_data, reference_matrix
from tests.robust_new_topics import trec03new, trec04new
from tests.words import numbers_in
from topicset_core.analyses.achieved_power import Request as AchievedPowerRequest
from topicset_core.analyses.achieved_power import achieved_power
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.prediction import percent, predict
from topicset_core.analyses.rank_resolution import resolve
from topicset_core.analyses.sizing import compare_designs, reported_result
from topicset_core.analyses.topic_variance import Settings, topic_variance
from topicset_core.analyses.topic_variance.sentences import headline as variance_headline
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.analyses.training_sensitivity import (
    Answer,
    comparisons,
    gains_by_level,
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.report import record as training_record
from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.tables import curves
from topicset_core.collection.settings import without_parameters
from topicset_core.designs import (
    all_pairs,
    blocked_anova,
    non_inferiority,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
)
from topicset_core.designs.results import WidthResult
from topicset_core.parsing.trec.track import Track, read_track
from topicset_core.variance import (
    ONE_WAY,
    TWO_WAY,
    conservative_difference_variance,
    one_way,
    pooled,
    two_way,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

HandOver = Callable[[int], Files]
"""Takes the number of charts of the HTML page; presses every button, opens every file."""

ROBUST_2003_MAP = 0.3101  # NIST's, of pircRBa1: docs/reference_data.md


@cache
def _robust_2003() -> Track:
    """The files that the organiser uploaded, as the core reads them."""
    folder = reference_data() / "trec" / "robust2003"
    runs = [(path.name, path) for path in sorted((folder / "runs").iterdir())]
    return read_track(runs, [("qrels.txt.gz", folder / "qrels.txt.gz")], keep_scores=True)


def _start(page: Page, hand_over: HandOver) -> None:
    shows(page, 42)  # as on the page of the two-way ANOVA: next-designs.md, 1.6, column B
    assert numbers_in(text_of(page, "other-topics"))[0] == 149  # as on the page of the one-way ANOVA
    assert not hand_over(0).tables


def _score_matrices(page: Page, hand_over: HandOver) -> None:
    matrices = trec03new(), trec04new()
    # Sakai 2016, section 6.1: .0479 and .0462, pooled .0471 (formulas-and-expected-values 8.1: .047977, .046205).
    shows(page, 0.0471)
    for key in ("variances", "rounds", "heat-map", "run-means"):
        chart(page, key)
    files = hand_over(0)
    assert list(files.tables) == ["variances.csv"]
    table = files.table("variances")
    assert table["scores"] == ["TREC03new_ap", "TREC04new_ap"]
    assert (table["topics"], table["runs"]) == (["50", "49"], ["78", "78"])
    assert list(map(float, table["σ² one-way"])) == [one_way(matrix) for matrix in matrices]
    assert list(map(float, table["σ² two-way"])) == [two_way(matrix) for matrix in matrices]
    assert [f"{float(value):.6f}" for value in table["σ² one-way"]] == ["0.047977", "0.046205"]


def _runs_and_judgments(page: Page, hand_over: HandOver) -> None:
    shows(page, 0.04039)
    files = hand_over(1)
    scores = files.table("scores-AP")
    assert len(scores["topic"]) == 100
    assert round(sum(map(float, scores["pircRBa1"])) / 100, 4) == ROBUST_2003_MAP
    assert same_numbers(scores["pircRBa1"], files.sheets["AP"]["pircRBa1"])
    assert files.sheets["judgments"]["grades"] == ["122,722 × 0, 5,667 × 1, 407 × 2"]
    (kept,) = files.record["results"]
    assert round(kept["means"]["AP"]["pircRBa1"], 4) == ROBUST_2003_MAP


@dataclass(frozen=True)
class _Design:
    """A design with the defaults of its page, and its known number."""

    module: ModuleType
    requested: dict[str, float]
    is_paired: bool
    known: int
    column: str

    def requirements(self) -> Any:
        """The requirements of the page, on the scores of the planner."""
        variance = pooled([trec03new(), trec04new()])
        name = "difference_variance" if self.is_paired else "within_system_variance"
        value = conservative_difference_variance(variance) if self.is_paired else variance
        request = {"alpha": 0.05, name: value} | self.requested
        if self.module is one_way_anova:  # for notes on shared topics
            request["residual_variance"] = pooled([trec03new(), trec04new()], TWO_WAY)
        return self.module.Requirements(**request)


# Known numbers: formulas-and-expected-values, section 6, rows sigma^2 = .0471 and .1, exact columns.
_ANOVA = _Design(one_way_anova, {"min_d": 0.1, "beta": 0.2, "n_systems": 10}, False, 149, "m = 10")
_PAIRED = _Design(paired_t, {"min_d": 0.1, "beta": 0.2}, True, 76, "paired t test")
_TWO = _Design(two_sample_t, {"min_d": 0.1, "beta": 0.2}, False, 75, "two-sample t test")
_WIDTH = _Design(two_sample_confidence_interval, {"max_width": 0.1}, False, 146, "two-sample interval")
_PAIRED_WIDTH_TOPICS = 147
_FIGURES_WITH_SYSTEMS = 4  # one of them against the number of systems


def _one_way_anova(page: Page, hand_over: HandOver) -> None:
    _check_design(_ANOVA, page, hand_over)


def _two_way_anova(page: Page, hand_over: HandOver) -> None:
    residual = pooled([trec03new(), trec04new()], TWO_WAY)
    requirements = blocked_anova.Requirements(
        alpha=0.05, beta=0.2, min_d=0.1, n_systems=10, residual_variance=residual
    )
    _check_shared(blocked_anova.required_topics(requirements).required_topics, page, hand_over)


def _every_pair(page: Page, hand_over: HandOver) -> None:
    variances = {"within_system_variance": ONE_WAY, "residual_variance": TWO_WAY}
    requested = _check_shared(None, page, hand_over)
    name = next(one for one in variances if requested.get(one) is not None)
    assert requested[name] == pooled([trec03new(), trec04new()], variances[name])
    known = {field.name for field in fields(all_pairs.Requirements)}
    requirements = all_pairs.Requirements(**{key: value for key, value in requested.items() if key in known})
    shows(page, all_pairs.required_topics(requirements).required_topics)


def _looks(page: Page, hand_over: HandOver) -> None:
    files = hand_over(4)  # those of a design, and what |t| must reach
    (result,) = files.record["results"]
    shows(page, result["required_topics"])
    assert [int(n) for n in files.table("looks")["topics"]] == result["topics"]


def _judges(page: Page, hand_over: HandOver) -> None:
    files = hand_over(1)  # the difference by each estimate
    first = files.record["results"][0]
    assert f"{first['combined']['difference']:+.4f}" in page.locator("h1").last.inner_text()
    assert files.table("judge-and-people")["first"][0] == first["first"]


def _check_shared(
    known: int | None, page: Page, hand_over: HandOver, figures: int = _FIGURES_WITH_SYSTEMS
) -> dict[str, Any]:
    """Compare page, record and table of a design that the Excel tools do not have; return the requirements."""
    files = hand_over(figures)
    (result,) = files.record["results"]
    if known is not None:
        assert result["required_topics"] == known
    shows(page, result["required_topics"])
    sizes = files.table("by-topics")
    power = dict(zip(map(int, sizes["n_topics"]), map(float, sizes["power_exact"]), strict=True))
    # Arrays and single values take different paths through SciPy; 1e-9 is far below the digits of a page.
    assert power[result["required_topics"]] == pytest.approx(result["attained_power"], rel=1e-9)
    assert result["attained_power"] >= 1 - result["requirements"]["beta"]
    return dict(result["requirements"])


def _take_twice_one_way(page: Page) -> None:
    """Choose Sakai's value 2 sigma^2, which the known numbers are of."""
    choose(page, "planning/estimate-difference_variance", 2)


def _paired_t(page: Page, hand_over: HandOver) -> None:
    _take_twice_one_way(page)
    shows(page, _PAIRED.known)
    _check_design(_PAIRED, page, hand_over)


def _two_sample_t(page: Page, hand_over: HandOver) -> None:
    _check_design(_TWO, page, hand_over)


def _at_least_as_good(page: Page, hand_over: HandOver) -> None:
    requirements = non_inferiority.Requirements(
        alpha=0.05, beta=0.2, margin=0.05, difference_variance=2 * pooled([trec03new(), trec04new()])
    )
    needed = non_inferiority.required_topics(requirements).required_topics
    _take_twice_one_way(page)
    shows(page, needed)
    _check_shared(needed, page, hand_over, figures=3)


def _confidence_interval(page: Page, hand_over: HandOver) -> None:
    _take_twice_one_way(page)
    shows(page, _PAIRED_WIDTH_TOPICS)
    choose(page, "planning/topics", 1)  # separate topics
    _check_design(_WIDTH, page, hand_over)


def _check_design(case: _Design, page: Page, hand_over: HandOver) -> None:
    requirements = case.requirements()
    exact, published = (
        case.module.required_topics(requirements, method=how) for how in ("exact", "published")
    )
    assert exact.required_topics == case.known
    shows(page, case.known)
    assert numbers_in(text_of(page, "published"))[0] == published.required_topics
    chart(page, "equal-topics")

    files = hand_over(_FIGURES_WITH_SYSTEMS if case.module is one_way_anova else 3)
    assert set(files.tables) >= {"topics-by-difference.csv", "by-topics.csv"}
    topics, sizes = files.table("topics-by-difference"), files.table("by-topics")
    is_width = isinstance(exact, WidthResult)
    for row in range(0, len(topics["difference"]), 15):
        difference = float(topics["difference"][row])
        other = replace(requirements, **{"max_width" if is_width else "min_d": difference})
        answer = case.module.required_topics(other).required_topics
        assert int(topics[f"topics, {case.column}"][row]) == answer
    for result, column in ((exact, "exact"), (published, "excel_tool")):
        attained = result.attained_width if is_width else result.attained_power
        fewer = result.width_one_topic_fewer if is_width else result.power_one_topic_fewer
        values = sizes[f"{'expected_width' if is_width else 'power'}_{column}"]
        at = dict(zip(map(int, sizes["n_topics"]), values, strict=True))
        n = result.required_topics
        if n in at:  # the curve is drawn at about 240 sizes, the exact answer's always among them
            # Arrays and single values take different paths through SciPy; 1e-12 is some thousand roundings.
            assert float(at[n]) == pytest.approx(attained, rel=1e-12)
        if n - 1 in at:
            assert float(at[n - 1]) == pytest.approx(fewer, rel=1e-12)
    assert exact.required_topics in map(int, sizes["n_topics"])
    for sheet, table in (("topics by difference", topics), ("by topics", sizes)):
        assert list(files.sheets[sheet]) == list(table)
        for column, cells in files.sheets[sheet].items():
            assert same_numbers(table[column], cells)
    first, second = files.record["results"]
    assert (first["required_topics"], second["required_topics"]) == (case.known, published.required_topics)
    assert first["requirements"] == exact.record()["requirements"]
    digests = [matrix.digest for matrix in (trec03new(), trec04new())]
    assert [value["sha256"] for value in files.record["scores"]] == digests


def _compare_designs(page: Page, hand_over: HandOver) -> None:
    variance = pooled([trec03new(), trec04new()])
    tables = {table.method_label: table for table in compare_designs({"AP": variance}, alpha=0.05, beta=0.20)}
    _take_twice_one_way(page)
    choose(page, "planning/topics", 1)
    # 75 topics: two-sample t test, formulas-and-expected-values 6, sigma^2 .0471, minD .10, exact.
    until(lambda: 75 in numbers_in(text_of(page, "answer")), lambda: text_of(page, "answer"))
    files = hand_over(2)
    # The designs of the paper; the others are compared with their own pages in tests/pages.
    read: dict[str, dict[tuple[float, str], int]] = {method: {} for method in tables}
    for method, _, _, difference, measure, topics in zip(
        *files.table("compare-designs").values(), strict=True
    ):
        if method in tables:
            read[method][float(difference), measure] = int(topics)
    for method, table in tables.items():
        expected = {
            (row, "AP"): n for row, n in zip(table.differences, table.topics[:, 0].tolist(), strict=True)
        }
        assert read[method] == expected
    of_sheets = {title.replace("CI", "confidence interval"): sheet for title, sheet in files.sheets.items()}
    for method, table in tables.items():
        assert of_sheets[method]["difference"] == list(table.differences)
        assert of_sheets[method]["topics, AP"] == table.topics[:, 0].tolist()
    (result,) = files.record["results"]
    assert result["within_system_variances"] == {"AP": variance}
    rows = [answer["required_topics"]["AP"] for answer in result["tables"]]
    assert all(table.topics[:, 0].tolist() in rows for table in tables.values())
    assert len(files.record["scores"]) == 2


def _reported_result(page: Page, hand_over: HandOver) -> None:
    fill(page, "reported/paired-t", t="0.953", n_topics="28")
    shows(page, 0.35)  # the worked example: not significant
    fill(page, "reported/paired-t", t="2.116", n_topics="20")
    # Sakai's 20 topics, X - Y: t0 = 2.116, es .473, power .519, 38 topics (formulas-and-expected-values 8.3).
    audit = reported_result.from_paired_t(2.116, n_topics=20, alpha=0.05, beta=0.20)
    assert audit.topics is not None
    shows(page, audit.topics)
    assert numbers_in(text_of(page, "evidence")) == [38, 20, 52]
    files = hand_over(1)
    table, powers = files.table("reported-result"), files.table("power-of-replication")
    written = {name: float(value) for name, value in zip(*table.values(), strict=True) if value}
    assert (
        written.items()
        >= {
            "statistic": 2.116,
            "p value": audit.p_value,
            "effect size": audit.effect_size,
            "achieved power": audit.achieved_power,
            "topics for a replication": audit.topics,
            "topics if the published effect is exact": 38,
        }.items()
    )
    for n, power in zip(powers["n_topics"], powers["power_if_effect_is_exact"], strict=True):
        exact = paired_t.power(int(n), audit.effect_size, alpha=0.05)
        # One value at a time and a whole array take different paths through SciPy.
        assert float(power) == pytest.approx(float(exact), rel=1e-12)
    assert same_numbers(table["value"], files.sheets["audit"]["value"])
    assert same_numbers(powers["significant_again"], files.sheets["power by topics"]["significant_again"])
    (result,) = files.record["results"]
    assert result.items() >= {"statistic": 2.116, "n_topics": [20], "alpha": 0.05, "beta": 0.2}.items()
    assert result["achieved_power"] == audit.achieved_power
    assert [result["topics"], result["if_exact"]["required_topics"]] == [audit.topics, 38]


def _pool_depth(page: Page, hand_over: HandOver) -> None:
    # The 17 runs at depth 10: 61 documents per topic; variance of AP .0657 (peers.md 6), so 207 topics, but nERR
    # needs more, and decides.
    fill(page, "pool", budget="")
    shows(page, 10, 125, 22_143, 219_600)
    fill(page, "pool", budget="60000")
    shows(page, 30, 361, 58_482)
    stated = text_of(page, "answer")
    open_expanders(page)  # after another study they are closed
    charts_are_drawn(page)  # what is above a button moves it as it is drawn
    press(page, "pool/leave-out")
    chart(page, "left-out")
    files = hand_over(3)
    table = files.table("pool-depth")
    by_ap = [row for row, measure in enumerate(table["measure"]) if measure == "AP"]
    assert [table["judgments"][row] for row in by_ap[:2]] == ["12627", "25110"]
    rows = zip(table["pool depth"], table["measure"], table["τ"], strict=True)
    lowest, measure = min((float(tau), measure) for depth, measure, tau in rows if depth == "30")
    assert f"{lowest:.3f} ({measure})" in stated  # AP, although nERR decides
    assert same_numbers(table["σ²"], files.sheets["every depth"]["σ²"])
    (kept,) = files.record["results"]
    assert kept["chosen"]["pool_depth"] == 30
    assert kept["judged_depth"]["depth"] == 125


def _error_rate(page: Page, hand_over: HandOver) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    reading = predict(matrix, n_topics=50, difference=0.05, max_error=0.05)
    assert reading.interval is not None
    low, high = (numbers_in(percent(end))[0] for end in (reading.interval.low, reading.interval.high))
    shows(page, 0.05, *numbers_in(percent(reading.error)), 90, low, high)
    # A line for each of the 21 bins, seven of theory.
    chart(page, "curves")
    assert keyed(page, "figure-curves").locator(".scatterlayer .trace").count() == 28
    chart(page, "factor")
    files = hand_over(3)
    (kept,) = files.record["results"]
    counted = error_rates(matrix, n_trials=kept["n_trials"], seed=files.record["seed"])
    table = files.table("error-rates")
    assert len(table["error_rate"]) == 25 * 21
    largest = [place for place, topics in enumerate(table["topics"]) if topics == "25"]
    assert [float(table["error_rate"][place]) for place in largest] == counted.error_rates[24].tolist()
    assert same_numbers(table["error_rate"], files.sheets["error rates"]["error_rate"])
    assert kept["reversals"] == counted.reversals.tolist()
    assert kept["error"] == reading.error
    assert files.record["scores"][0]["sha256"] == matrix.digest


def _leaderboard(page: Page, hand_over: HandOver) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = resolve(matrix)
    shows(page, result.n_resolved, 4560)
    chart(page, "ranks")
    files = hand_over(4)
    ranks = files.table("ranks")
    assert ranks["system"] == list(result.systems)
    assert list(map(int, ranks["upper"])) == result.upper.tolist()
    assert same_numbers(ranks["mean"], files.sheets["ranks"]["mean"])
    assert files.table("pairs")["resolved"].count("yes") == result.n_resolved
    assert len(files.table("ranks-for-a-paper")["Rank"]) == 96
    (kept,) = files.record["results"]
    assert kept["critical_value"] == result.critical
    assert files.record["scores"][0]["sha256"] == result.matrix.digest


def _topic_subsets(page: Page, hand_over: HandOver) -> None:
    # Section 3 of Guiver et al. (2009) has 6 topics. Their value on other runs is computed in the background.
    until(lambda: len(headline(page)) == 6)
    assert headline(page)[0] == 6
    files = hand_over(4)
    curve = files.table("topic-subsets-curve")
    assert curve["topics"] == [str(size) for size in range(1, 51)]
    assert float(curve["best"][0]) == pytest.approx(0.80735, abs=6e-6)  # formulas-and-expected-values.md 9.2
    assert same_numbers(curve["best"], files.sheets["curve"]["best"])
    (kept,) = files.record["results"]
    assert kept["topics_for_target"]["best"] == 6
    assert kept["cardinalities"][1]["best"]["topics"] == ["424", "426"]
    assert files.record["scores"][0]["sha256"] == reference_matrix("trec8_adhoc_top96_ap").digest


def _topic_variance(page: Page, hand_over: HandOver) -> None:
    files = hand_over(5)
    judged = _robust_2003().judged[0]
    runs = [one.run for one in _robust_2003().runs]
    shared, bst, kde = (
        topic_variance(judged, Settings(model=model, n_trials=kept["settings"]["n_trials"]), runs)
        for model, kept in zip(get_args(Model), files.record["results"], strict=True)
    )
    assert headline(page) == numbers_in(variance_headline(shared))
    # Through JSON and back, as the file was: tuples become lists.
    assert files.record["results"] == json.loads(json.dumps([shared.record(), bst.record(), kde.record()]))
    assert files.record["seed"] == 0
    shown = files.table("topic-variance-comparisons")
    for column in ("raw", "shared", "bst", "kde"):
        assert same_numbers(shown[column], files.sheets["comparisons"][column])
    shares = bst.raw_significant_share, bst.almost_never_significant_share, kde.almost_never_significant_share
    rows = zip(shown["raw"], shown["bst"], shown["kde"], strict=True)
    assert [str(share.value) for share in shares] in map(list, rows)
    rates = files.table("topic-variance-error-rates")
    assert same_numbers(rates["kde_error_rate"], [rate.value for rate in kde.error_rates])
    pairs = files.table("topic-variance-pairs")
    assert pairs["better"] == [pair.better for pair in shared.reversed_pairs]
    assert len(files.table("topic-variance-scores")["raw"]) == 17 * 100
    assert files.sheets["runs"]["run"][0] == shared.best_system


def _training_sensitivity(page: Page, hand_over: HandOver) -> None:
    own = [one.run for one in _robust_2003().runs]
    sweep = sweep_of(own, _robust_2003().qrels[0].qrels, without_parameters([run.tag for run in own]))
    fill(page, "training-sensitivity", n_samples="3")
    result = training_sensitivity(sweep, split(usable_topics(sweep.runs), 0, 10), Request(n_samples=3))
    answer = Answer(sensitivity=result)
    until(lambda: recommendation(result).sentence in text_of(page, "answer"), lambda: text_of(page, "answer"))
    nothing_runs(page, "training-sensitivity")
    chart(page, "gains")
    files = hand_over(6)
    gains = [one for rows in gains_by_level(result, "AP").values() for _, one in rows]
    assert same_numbers(files.table("training-sensitivity-gains")["gain"], [one.difference for one in gains])
    points = curves(answer.paper)
    effectiveness = files.table("training-sensitivity-effectiveness")
    assert same_numbers(effectiveness["mean"], [one.mean for one in points])
    assert same_numbers(effectiveness["p over samples"], [one.p_value for one in points])
    marks = [one.test.mark for one in comparisons(answer.paper)]
    assert files.table("training-sensitivity-sign-tests")["mark"] == marks
    assert {"≫", ""} <= set(marks)
    levels = files.table("training-sensitivity-levels")
    assert [float(level) for level in levels["% of judgments"]] == [*result.levels, 100]
    assert len(files.table("training-sensitivity-chosen")["run"]) == answer.paper.trained.chosen.size
    assert same_numbers(effectiveness["mean"], files.sheets["effectiveness"]["mean"])
    assert set(files.sheets["shallower pools"]["trained by"]) == set(result.measures)
    assert files.record["results"] == [json.loads(json.dumps(training_record(answer)))]  # tuples as lists
    assert files.record["seed"] == 0


def _dossier(page: Page, hand_over: HandOver) -> None:
    keyed(page, "empty").wait_for()  # tests/browser/test_users.py keeps answers and opens the resulting files
    assert not hand_over(0).tables


def _guide(page: Page, hand_over: HandOver) -> None:
    assert page.get_by_role("tab").count() >= 3
    assert not hand_over(0).tables


def _check_on_my_scores(page: Page, hand_over: HandOver) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = achieved_power(matrix, AchievedPowerRequest())
    shows(page, round(100 * result.power.value, 1), round(100 * result.stated_power, 1))
    chart(page, "power")
    files = hand_over(1)
    rates = files.table("achieved-power")
    assert [float(one) for one in rates["achieved"]][-1] == result.power.value
    assert same_numbers(rates["standard_error"], files.sheets["rates"]["standard_error"])
    assert len(files.table("achieved-power-pairs")["runs"]) == 40
    (kept,) = files.record["results"]
    assert kept["share_with_power"] == result.share_with_power
    assert files.record["scores"][0]["sha256"] == matrix.digest


CHECKS: dict[str, Callable[[Page, HandOver], None]] = {
    "/": _start,
    "/score-matrices": _score_matrices,
    "/runs-and-qrels": _runs_and_judgments,
    "/one-way-anova": _one_way_anova,
    "/two-way-anova": _two_way_anova,
    "/multiple-comparisons": _every_pair,
    "/paired-t-test": _paired_t,
    "/two-sample-t-test": _two_sample_t,
    "/non-inferiority-and-equivalence": _at_least_as_good,
    "/confidence-interval": _confidence_interval,
    "/looks-and-top-up": _looks,
    "/compare-designs": _compare_designs,
    "/reported-result": _reported_result,
    "/check-on-my-scores": _check_on_my_scores,
    "/pool-depth": _pool_depth,
    "/error-rate": _error_rate,
    "/leaderboard": _leaderboard,
    "/judges-and-repeats": _judges,
    "/topic-subsets": _topic_subsets,
    "/topic-variance": _topic_variance,
    "/training-sensitivity": _training_sensitivity,
    "/task-dossier": _dossier,
    "/guide": _guide,
}
"""By address: checks the answer, acts, has the files handed over and compares them."""
