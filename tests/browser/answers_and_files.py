"""Answers of each page on real data, and its downloads: known numbers, and one result in all files.

Scores are TREC robust 2003 new and 2004 new, AP, as Sakai (2016) planned with them; TREC-8 ad hoc, its 96 best
runs; and the 17 runs of robust 2003 with their judgments. Tables and records of the sample are in the golden
record, and the rooms' tests compare them with plain code. A new page adds its own function to `CHECKS`, which first
sets what it changes: it may be a second try.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.browser.driving import (
    chart,
    charts_are_drawn,
    choose,
    fill,
    headline,
    keyed,
    nothing_runs,
    open_tab,
    press,
    shows,
    text_of,
    until,
)
from tests.browser.opened_files import Files
from tests.browser.running_app import wait_until_idle
from tests.reference_data import reference_data, reference_matrix
from tests.robust_new_topics import trec03new, trec04new
from tests.words import numbers_in
from topicset_core.analyses.achieved_power import Request as AchievedPowerRequest
from topicset_core.analyses.achieved_power import achieved_power
from topicset_core.analyses.error_rate.prediction import percent, predict
from topicset_core.analyses.rank_resolution import resolve
from topicset_core.analyses.sizing import reported_result
from topicset_core.analyses.topic_variance import Request as Resampling
from topicset_core.analyses.topic_variance import topic_variance
from topicset_core.analyses.topic_variance.sentences import headline as variance_headline
from topicset_core.analyses.training_sensitivity import (
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.run import without_parameters
from topicset_core.designs import non_inferiority
from topicset_core.parsing.trec.track import Track, read_track
from topicset_core.variance import one_way, pooled

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


def _of_the_planner() -> list[ScoreMatrix]:
    return [trec03new(), trec04new()]


def _first_result(files: Files, *matrices: ScoreMatrix) -> dict[str, Any]:
    """Return the first result of the record, which names the user's scores."""
    assert [one["sha256"] for one in files.record["scores"]] == [matrix.digest for matrix in matrices]
    return dict(files.record["results"][0])


def _start(page: Page, hand_over: HandOver) -> None:
    shows(page, 42)  # as on the page of the two-way ANOVA: next-designs.md, 1.6, column B
    assert numbers_in(text_of(page, "tiles"))[0] == 149  # as on the page of the one-way ANOVA
    assert _first_result(hand_over(4), *_of_the_planner())["required_topics"] == 42


def _score_matrices(page: Page, hand_over: HandOver) -> None:
    # Sakai 2016, section 6.1: .0479 and .0462, pooled .0471 (formulas-and-expected-values 8.1: .047977, .046205).
    shows(page, 0.0471)
    for key in ("heat-map", "variances"):
        chart(page, key)
    open_tab(page, "Rounds")
    chart(page, "rounds")
    table = hand_over(0).table("variances")
    assert table["scores"] == ["TREC03new_ap", "TREC04new_ap"]
    assert list(map(float, table["σ² one-way"])) == [one_way(matrix) for matrix in _of_the_planner()]
    assert [f"{float(value):.6f}" for value in table["σ² one-way"]] == ["0.047977", "0.046205"]


def _runs_and_judgments(page: Page, hand_over: HandOver) -> None:
    shows(page, 0.04039)
    files = hand_over(1)
    assert round(sum(map(float, files.table("scores-AP")["pircRBa1"])) / 100, 4) == ROBUST_2003_MAP
    assert files.sheets["judgments"]["grades"] == ["122,722 × 0, 5,667 × 1, 407 × 2"]
    assert round(files.record["results"][0]["means"]["AP"]["pircRBa1"], 4) == ROBUST_2003_MAP


def _take_twice_one_way(page: Page) -> None:
    """Choose Sakai's value 2 sigma^2, which the known numbers are of, where the page asks for differences."""
    estimate = keyed(page, "planning/estimate-difference_variance")
    if estimate.count():
        choose(page, "planning/estimate-difference_variance", 2)


def _design(
    known: int | None, figures: int = 3, *, published: int | None = None, topics: int | None = None
) -> Callable[[Page, HandOver], None]:
    """Return the check of a design page: its number by both methods, and the same number in record and table.

    `topics` is the place of the choice whether systems share them.
    """

    def check(page: Page, hand_over: HandOver) -> None:
        _take_twice_one_way(page)
        if topics is not None:
            choose(page, "planning/topics", topics)
        if known is not None:
            shows(page, known)
        if published is not None:
            assert numbers_in(text_of(page, "published"))[0] == published
            open_tab(page, "If σ² is wrong")
            chart(page, "equal-topics")
        files = hand_over(figures)
        result = _first_result(files, *_of_the_planner())
        assert headline(page)[0] == result["required_topics"]
        assert published is None or files.record["results"][1]["required_topics"] == published
        assert str(result["required_topics"]) in files.table("by-topics")["n_topics"]

    return check


def _at_least_as_good(page: Page, hand_over: HandOver) -> None:
    requirements = non_inferiority.Requirements(
        alpha=0.05, beta=0.2, margin=0.05, difference_variance=2 * pooled(_of_the_planner())
    )
    _design(non_inferiority.required_topics(requirements).required_topics)(page, hand_over)


def _looks(page: Page, hand_over: HandOver) -> None:
    files = hand_over(4)  # those of a design, and what |t| must reach
    result = _first_result(files, *_of_the_planner())
    shows(page, result["required_topics"])
    assert [int(n) for n in files.table("looks")["topics"]] == result["topics"]


def _compare_designs(page: Page, hand_over: HandOver) -> None:
    _take_twice_one_way(page)
    choose(page, "planning/topics", 1)
    # 75 topics: two-sample t test, formulas-and-expected-values 6, sigma^2 .0471, minD .10, exact.
    until(lambda: 75 in numbers_in(text_of(page, "answer")), lambda: text_of(page, "answer"))
    files = hand_over(2)
    result = _first_result(files, *_of_the_planner())
    assert result["within_system_variances"] == {"AP": pooled(_of_the_planner())}
    table = files.table("compare-designs")
    assert {"75", "149"} <= set(next(reversed(table.values())))
    assert 75 in files.sheets["two-sample t test"]["topics, AP"]


def _reported_result(page: Page, hand_over: HandOver) -> None:
    fill(page, "reported/paired-t", t="0.953", n_topics="28")
    shows(page, 0.35)  # the worked example: not significant
    fill(page, "reported/paired-t", t="2.116", n_topics="20")
    # Sakai's 20 topics, X - Y: t0 = 2.116, es .473, power .519, 38 topics (formulas-and-expected-values 8.3).
    audit = reported_result.from_paired_t(2.116, n_topics=20, alpha=0.05, beta=0.20)
    assert audit.topics is not None
    shows(page, audit.topics)
    assert numbers_in(text_of(page, "evidence")) == [38, 20, 52]
    (result,) = hand_over(1).record["results"]
    assert result.items() >= {"statistic": 2.116, "n_topics": [20], "alpha": 0.05, "beta": 0.2}.items()
    assert result["achieved_power"] == audit.achieved_power
    assert [result["topics"], result["if_exact"]["required_topics"]] == [audit.topics, 38]


def _check_on_my_scores(page: Page, hand_over: HandOver) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = achieved_power(matrix, AchievedPowerRequest())
    shows(page, round(100 * result.power.value, 1), round(100 * result.stated_power, 1))
    chart(page, "power")
    assert _first_result(hand_over(1), matrix)["share_with_power"] == result.share_with_power


def _pool_depth(page: Page, hand_over: HandOver) -> None:
    # The 17 runs at depth 10: 61 documents per topic; variance of AP .0657 (peers.md 6), so 207 topics, but nERR
    # needs more, and decides.
    design = keyed(page, "pool/design").locator("input")
    design.fill("One-way ANOVA")
    design.press("Enter")
    fill(page, "pool", budget="")
    shows(page, 22_143, 363, 10)
    fill(page, "pool", budget="60000")
    shows(page, 60_000, 370, 30)
    open_tab(page, "Leave a team out")
    charts_are_drawn(page)  # what is above a button moves it as it is drawn
    press(page, "pool/leave-out")
    chart(page, "left-out")
    files = hand_over(2)
    table = files.table("pool-depth")
    by_ap = [row for row, measure in enumerate(table["measure"]) if measure == "AP"]
    assert [table["judgments"][row] for row in by_ap[:2]] == ["12627", "25110"]
    (kept,) = files.record["results"]
    assert (kept["chosen"]["pool_depth"], kept["judged_depth"]["depth"]) == (30, 125)


def _error_rate(page: Page, hand_over: HandOver) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    reading = predict(matrix, n_topics=50, difference=0.05, max_error=0.05)
    assert reading.interval is not None
    low, high = (numbers_in(percent(end))[0] for end in (reading.interval.low, reading.interval.high))
    shows(page, 0.05, *numbers_in(percent(reading.error)))
    tile = page.get_by_test_id("stMetric").filter(has_text="90 % interval").get_by_test_id("stMetricValue")
    assert numbers_in(tile.inner_text()) == [low, high]
    # A line for each of the 21 bins, seven of theory.
    open_tab(page, "All differences")
    chart(page, "curves")
    assert keyed(page, "figure-curves").locator(".scatterlayer .trace").count() == 28
    open_tab(page, "By formula")
    chart(page, "factor")
    assert _first_result(hand_over(3), matrix)["error"] == reading.error


def _leaderboard(page: Page, hand_over: HandOver) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = resolve(matrix)
    shows(page, result.n_resolved, 4560)
    open_tab(page, "Ranks")
    chart(page, "ranks")
    # Rows of the table are 35 pixels high, below its head, with a box at their left.
    for place in (3, 5):
        table = page.locator(".st-key-main-chart canvas").first
        table.click(position={"x": 17, "y": 35 * place + 52}, force=True)  # it is below a layer that scrolls
        wait_until_idle(page)
    until(lambda: {result.systems[3], result.systems[5]} <= set(text_of(page, "two-systems").split()))
    files = hand_over(4)
    assert files.table("ranks")["system"] == list(result.systems)
    assert files.table("pairs")["resolved"].count("yes") == result.n_resolved
    assert _first_result(files, result.matrix)["critical_value"] == result.critical  # its systems in order


def _judges(page: Page, hand_over: HandOver) -> None:
    files = hand_over(1)  # the difference by each estimate
    first = files.record["results"][0]
    assert f"{first['combined']['difference']:+.4f}" in page.locator("h1").last.inner_text()
    assert files.table("judge-and-people")["first"][0] == first["first"]


def _topic_subsets(page: Page, hand_over: HandOver) -> None:
    # Section 3 of Guiver et al. (2009) has 6 topics. Their value on other runs is computed in the background.
    until(lambda: len(headline(page)) == 3)
    assert headline(page)[0] == 6
    kept = _first_result(hand_over(3), reference_matrix("trec8_adhoc_top96_ap"))
    assert kept["topics_for_target"]["best"] == 6
    assert kept["cardinalities"][1]["best"]["topics"] == ["424", "426"]


def _topic_variance(page: Page, hand_over: HandOver) -> None:
    files = hand_over(5)
    shared = files.record["results"][0]
    runs = [one.run for one in _robust_2003().runs]
    request = Resampling(model="shared", n_trials=shared["settings"]["n_trials"])
    result = topic_variance(_robust_2003().judged[0], request, runs)
    assert headline(page) == numbers_in(variance_headline(result))
    assert len(files.table("topic-variance-scores")["raw"]) == 17 * 100
    assert files.sheets["runs"]["run"][0] == result.best_system


def _training_sensitivity(page: Page, hand_over: HandOver) -> None:
    own = [one.run for one in _robust_2003().runs]
    sweep = sweep_of(own, _robust_2003().qrels[0].qrels, without_parameters([run.tag for run in own]))
    fill(page, "training-sensitivity", n_samples="3")
    result = training_sensitivity(sweep, split(usable_topics(sweep.runs), 0, 10), Request(n_samples=3))
    until(lambda: recommendation(result).sentence in text_of(page, "answer"), lambda: text_of(page, "answer"))
    nothing_runs(page, "training-sensitivity")
    chart(page, "gains")
    levels = hand_over(6).table("training-sensitivity-levels")
    assert [float(level) for level in levels["% of judgments"]] == [*result.levels, 100]


def _dossier(page: Page, hand_over: HandOver) -> None:
    keyed(page, "empty").wait_for()  # tests/browser/test_users.py keeps answers and opens the resulting files
    assert not hand_over(0).tables


def _guide(page: Page, hand_over: HandOver) -> None:
    assert page.get_by_role("tab").count() >= 3
    assert not hand_over(0).tables


# Known numbers: formulas-and-expected-values, section 6, rows sigma^2 = .0471 and .1, exact and published columns.
CHECKS: dict[str, Callable[[Page, HandOver], None]] = {
    "/": _start,
    "/score-matrices": _score_matrices,
    "/runs-and-qrels": _runs_and_judgments,
    "/one-way-anova": _design(149, 4, published=148),
    "/two-way-anova": _design(42, 4),  # next-designs.md, 1.6, column B
    "/multiple-comparisons": _design(None, 4),
    "/paired-t-test": _design(76, published=76),
    "/two-sample-t-test": _design(75, published=75),
    "/non-inferiority-and-equivalence": _at_least_as_good,
    "/confidence-interval": _design(146, published=146, topics=1),
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
