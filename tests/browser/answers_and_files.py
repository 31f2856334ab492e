"""Answers of each page on real data: known numbers, and one result in all files where these are handed over.

One page of each kind hands its files over: all pages have them by the same few lines, and the golden record has the
files of each.

Scores are TREC robust 2003 new and 2004 new, AP, as Sakai (2016) planned with them; TREC-8 ad hoc, its 96 best
runs; and the 17 runs of robust 2003 with their judgments. Tables and records of the sample are in the golden
record, and the rooms' tests compare them with plain code. A new page adds its own function to `ANSWERS`,
which first sets what it changes: it may be a second try.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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
from tests.reference_data import reference_matrix
from tests.robust_new_topics import trec03new, trec04new
from tests.words import numbers_in
from topicset_core.analyses.achieved_power import Request as AchievedPowerRequest
from topicset_core.analyses.achieved_power import achieved_power
from topicset_core.analyses.error_rate.prediction import percent, predict
from topicset_core.analyses.rank_resolution import resolve
from topicset_core.analyses.sizing import reported_result
from topicset_core.analyses.two_systems import Request as TwoSystemsRequest
from topicset_core.analyses.two_systems import compare_two
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import mcnemar, non_inferiority
from topicset_core.variance import one_way, pooled

if TYPE_CHECKING:
    from playwright.sync_api import Page

HandOver = Callable[[int], Files]
"""Takes the number of charts of the HTML page; presses every button, opens every file."""
Check = Callable[["Page"], None]
CheckFiles = Callable[["Page", HandOver], None]

ROBUST_2003_MAP = 0.3101  # NIST's, of pircRBa1: docs/reference_data.md


def _of_the_planner() -> list[ScoreMatrix]:
    return [trec03new(), trec04new()]


def _first_result(files: Files, *matrices: ScoreMatrix) -> dict[str, Any]:
    """Return the first result of the record, which names the user's scores."""
    assert [one["sha256"] for one in files.record["scores"]] == [matrix.digest for matrix in matrices]
    return dict(files.record["results"][0])


def _start(page: Page, hand_over: HandOver) -> None:
    shows(page, 42)  # as on the page of the two-way ANOVA: next-designs.md, 1.6, column B
    assert 149 in numbers_in(text_of(page, "tiles"))  # as on the page of the one-way ANOVA
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
        estimate.get_by_role("combobox").click()
        page.get_by_role("option").nth(2).click()


def _one_way_anova(page: Page, hand_over: HandOver) -> None:
    _design(149, published=148)(page)
    open_tab(page, "If σ² is wrong")
    chart(page, "equal-topics")
    files = hand_over(4)
    result = _first_result(files, *_of_the_planner())
    assert result["required_topics"] == 149
    assert files.record["results"][1]["required_topics"] == 148
    assert "149" in files.table("by-topics")["topics"]


def _design(known: int, *, published: int | None = None, topics: int | None = None) -> Check:
    """Return the check of a design page: its number by both methods.

    `topics` is the place of the choice whether systems share them.
    """

    def check(page: Page) -> None:
        _take_twice_one_way(page)
        if topics is not None:
            choose(page, "planning/topics", topics)
        shows(page, known)
        if published is not None:
            assert re.search(rf"Excel tool (also )?gives {published:,}\b", text_of(page, "answer"))

    return check


def _answers(page: Page) -> None:
    """Check that there is an answer: tests/pages/test_one_voice.py has its numbers on real scores."""
    until(lambda: bool(headline(page)))


def _at_least_as_good(page: Page) -> None:
    requirements = non_inferiority.Requirements(
        alpha=0.05, beta=0.2, margin=0.05, difference_variance=2 * pooled(_of_the_planner())
    )
    _design(non_inferiority.required_topics(requirements).required_topics)(page)


def _right_or_wrong(page: Page) -> None:
    shares: dict[str, Any] = mcnemar.DESIGN.of_shares((0.15, 0.05))
    _design(mcnemar.required_topics(mcnemar.Requirements(alpha=0.05, beta=0.2, **shares)).required_topics)(
        page
    )


def _compare_designs(page: Page) -> None:
    _take_twice_one_way(page)
    choose(page, "planning/topics", 1)
    # 75 topics: two-sample t test, formulas-and-expected-values 6, sigma^2 .0471, minD .10, exact.
    until(lambda: 75 in headline(page), lambda: str(headline(page)))


def _reported_result(page: Page) -> None:
    fill(page, "reported/paired-t", t="0.953", n_topics="28")
    shows(page, 0.35)  # the worked example: not significant
    fill(page, "reported/paired-t", t="2.116", n_topics="20")
    # Sakai's 20 topics, X - Y: t0 = 2.116, es .473, power .519, 38 topics (formulas-and-expected-values 8.3).
    audit = reported_result.from_paired_t(2.116, n_topics=20, alpha=0.05, beta=0.20)
    assert audit.topics is not None
    shows(page, audit.topics)
    assert {38, 20, 52} <= set(numbers_in(text_of(page, "answer")))


def _check_on_my_scores(page: Page) -> None:
    matrix = reference_matrix("trec8_adhoc_top96_ap")
    result = achieved_power(matrix, AchievedPowerRequest())
    shows(page, round(100 * result.power.value, 1), round(100 * result.stated_power, 1))
    chart(page, "power")


def _pool_depth(page: Page) -> None:
    # The 17 runs at depth 10: 61 documents per topic; variance of AP .0657 (peers.md 6), so 207 topics, but nERR
    # needs more, and decides.
    design = keyed(page, "pool/design").locator("input")
    design.fill("One-way ANOVA")
    design.press("Enter")
    fill(page, "pool", budget="")
    shows(page, 0.1, 22_143)  # the least of all depths: 363 topics at depth 10
    fill(page, "pool", budget="60000")
    # Half of the known relevant documents are found from depth 90 on, whose pools have 448 documents.
    shows(page, 0.1, 60_000, 133, 90)
    open_tab(page, "Leave a team out")
    charts_are_drawn(page)  # what is above a button moves it as it is drawn
    press(page, "pool/leave-out")
    chart(page, "left-out")


def choose_two_systems(page: Page) -> None:
    """Choose the first two systems, as the page takes none of many by itself."""
    for key, system in zip(("baseline", "new"), _of_the_planner()[0].systems[:2], strict=True):
        field = keyed(page, f"two-systems/{key}").locator("input")
        field.fill(system)
        field.press("Enter")


def _two_systems(page: Page) -> None:
    matrix = _of_the_planner()[0]
    pair = matrix.systems[0], matrix.systems[1]
    answer = compare_two(matrix, TwoSystemsRequest(pair=pair))
    numbers = f"{answer.difference:+.3g} ({answer.low:+.3g} to {answer.high:+.3g}), p = {answer.p_value:.2g}"
    until(lambda: numbers in text_of(page, "headline-row"), lambda: text_of(page, "headline-row"))
    fill(page, "two-systems", margin="0.9")  # more than any difference of two means of AP can be
    assert compare_two(matrix, TwoSystemsRequest(pair=pair, margin=0.9)).status == 0
    until(lambda: page.get_by_test_id("stMetric").filter(has_text="topics to show").count() == 1)
    open_tab(page, "Topics")
    until(lambda: page.get_by_test_id("stDataFrame").filter(visible=True).count() == 1)


def _error_rate(page: Page) -> None:
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


def _topic_subsets(page: Page) -> None:
    # Section 3 of Guiver et al. (2009) has 6 topics. Their value on other runs is computed in the background.
    until(lambda: len(headline(page)) == 3)
    assert headline(page)[0] == 6


def _topic_variance(page: Page) -> None:
    until(lambda: bool(headline(page)))
    assert numbers_in(text_of(page, "data-in-use"))[:2] == [17, 100]  # runs, topics


def _training_sensitivity(page: Page) -> None:
    nothing_runs(page, "training-sensitivity")
    chart(page, "gains")


def _dossier(page: Page) -> None:
    keyed(page, "empty").wait_for()  # tests/browser/test_users.py keeps answers and opens the resulting files


def _guide(page: Page) -> None:
    assert page.get_by_role("tab").count() >= 3


# Known numbers: formulas-and-expected-values, section 6, rows sigma^2 = .0471 and .1, exact and published columns.
ANSWERS: dict[str, Check] = {
    "/two-way-anova": _design(42),  # next-designs.md, 1.6, column B
    "/multiple-comparisons": _answers,
    "/paired-t-test": _design(76, published=76),
    "/two-sample-t-test": _design(75, published=75),
    "/non-inferiority-and-equivalence": _at_least_as_good,
    "/scores-of-0-and-1": _right_or_wrong,
    "/confidence-interval": _design(146, published=146, topics=1),
    "/looks-and-top-up": _answers,
    "/compare-designs": _compare_designs,
    "/reported-result": _reported_result,
    "/check-on-my-scores": _check_on_my_scores,
    "/pool-depth": _pool_depth,
    "/two-systems": _two_systems,
    "/error-rate": _error_rate,
    "/judges-and-repeats": _answers,
    "/topic-subsets": _topic_subsets,
    "/topic-variance": _topic_variance,
    "/training-sensitivity": _training_sensitivity,
    "/task-dossier": _dossier,
    "/guide": _guide,
}
"""By address: checks the answer, and acts."""

WITH_FILES: dict[str, CheckFiles] = {
    "/": _start,
    "/score-matrices": _score_matrices,
    "/runs-and-qrels": _runs_and_judgments,
    "/one-way-anova": _one_way_anova,
    "/leaderboard": _leaderboard,
}
"""By address: checks the answer, acts, has the files handed over and compares them."""
