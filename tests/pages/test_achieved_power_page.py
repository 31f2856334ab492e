"""The page that checks a test on scores: values of a design page, a job that ends early, cancelling."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pages.parts import achieved_power as check
from pages.parts.job import Known
from tests.pages.app import (
    as_it_reads,
    big_number,
    errors,
    finished,
    go,
    healthy,
    is_offered,
    linked,
    open_app,
    open_page,
    planned,
    press,
    text_of,
    typed,
    until,
    wait_for_work,
)
from tests.pages.uploading import SMALL, with_scores
from tests.words import numbers_in
from topicset_core.analyses.achieved_power import Request, achieved_power
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/achieved_power.py", "check-scores"
AP = simulated_task()[0]
SLOW = {"test": "randomised-tukey", "n_systems": "5", "n_pairs": "8", "n_topics": "40", "n_trials": "600"}


def test_values_of_a_design_page_are_passed_on_at_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check.ANSWERS, "preview_seconds", 0.01)
    app = planned(open_app("pages/topics_as_blocks.py"), min_d=0.07, n_systems=4, alpha=0.02)
    n = big_number(app)
    app = go(app, PAGE)
    link = linked(app)
    assert link["test"] == ["two-way-f"]
    assert [link[name] for name in ("min_d", "n_systems", "alpha")] == [["0.07"], ["4"], ["0.02"]]
    assert float(link["n_topics"][0]) == n
    app = typed(app, KEY, n_topics=55)
    app = go(go(app, "pages/topics_as_blocks.py"), PAGE)
    assert linked(app)["n_topics"] == ["55"]  # the design is the same, so typed values stay
    app = go(planned(go(app, "pages/topics_as_blocks.py"), min_d=0.09), PAGE)
    assert linked(app)["min_d"] == ["0.09"]
    assert linked(app)["n_topics"] != ["55"]


def test_a_job_that_ends_while_the_page_is_drawn_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """All trials are done between the reading of the answer and the check of the job."""
    monkeypatch.setattr(check.ANSWERS, "preview_seconds", 0.01)
    app = open_page(PAGE, **SLOW)
    read = check.ANSWERS.best

    def outdated(*asked: Any) -> Known[Any, Any]:
        return replace(read(*asked), is_whole=False) if next(outdated_reads, False) else read(*asked)

    outdated_reads = iter([True])
    monkeypatch.setattr(check.ANSWERS, "best", outdated)
    with monkeypatch.context() as patched:
        wait_for_work(patched)
        press(app, f"{KEY}/run")
    assert next(outdated_reads, False) is False
    assert text_of(app, "preview") == ""
    request = Request(test="randomised-tukey", n_systems=5, n_pairs=8, n_topics=40, n_trials=600)
    assert big_number(app) == round(100 * achieved_power(AP, request).power.value, 1)


def test_cancelled_work_leaves_its_partial_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check.ANSWERS, "preview_seconds", 0.01)
    app = open_page(PAGE, **(SLOW | {"n_trials": "200000"}))
    preview = text_of(app, "preview")
    seen: list[int] = []
    monkeypatch.setattr("pages.parts.job._watch", lambda _, __, n_shown: seen.append(n_shown))
    app = press(app, f"{KEY}/run")
    app = until(app, lambda now: text_of(now, "preview") != preview)
    assert seen == sorted(seen)  # the page is run again as soon as there are more
    assert seen
    app = finished(press(app, f"{KEY}/job-cancel"))
    assert 200 <= numbers_in(text_of(app, "preview"))[0] < 200_000
    assert is_offered(app, f"{KEY}/run")


RIGHT = "topic,a,b,c\n" + "".join(
    f"q{topic},{int(topic % 2 == 0)},{int(topic % 3 != 0)},{int(topic % 6 < 3)}\n" for topic in range(30)
)


def test_mcnemar_is_offered_for_scores_of_0_and_1_and_taken_from_its_plan() -> None:
    app = with_scores("pages/right_or_wrong.py", RIGHT)
    assert errors(app) == []
    app = planned(app, min_d=0.3)
    n = big_number(app)
    app = go(app, PAGE)
    link = linked(app)
    assert (link["test"], link["min_d"], link["n_topics"]) == (["mcnemar"], ["0.3"], [f"{n:.0f}"])
    assert "McNemar's exact test" in text_of(app, "answer")
    assert not {"null", "shift"} & set(link)  # there is one way for these scores
    assert not [one for one in app.selectbox if one.key in (f"{KEY}/null", f"{KEY}/shift")]
    assert "Wilcoxon signed rank test" not in app.selectbox(key=f"{KEY}/test").options
    app = healthy(app.selectbox(key=f"{KEY}/test").set_value("mcnemar-mid-p").run())
    assert "McNemar's mid-p test" in text_of(app, "answer")


def test_two_skewed_systems_have_one_power_on_the_page_of_the_plan_and_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check.ANSWERS, "preview_seconds", 10.0)
    rng = np.random.default_rng(8)
    base, gain = rng.uniform(0.2, 0.5, 50), rng.gamma(0.6, 0.15, 50) - 0.04
    rows = [f"q{topic},{a:.4f},{a + d:.4f}\n" for topic, (a, d) in enumerate(zip(base, gain, strict=True))]
    app = planned(with_scores("pages/paired_t.py", "topic,A,B\n" + "".join(rows)), min_d=0.05)
    n, said = big_number(app), text_of(app, "answer")
    app = go(app, PAGE)
    assert linked(app)["n_topics"] == [f"{n:.0f}"]
    app = typed(app, KEY, n_trials=20_000)
    here = text_of(app, "answer")
    stated = r"power[a-z ]*(?: of 0\.05 is)? ([\d.]+) % \(standard error ([\d.]+) points"
    wanted = [stated, r"Type I error [^.]*?([\d.]+) %", r"([\d.]+) % if B is better and ([\d.]+) % if A is"]
    for pattern in wanted:
        first, second = (re.search(pattern, as_it_reads(text)) for text in (said, here))
        assert first is not None
        assert second is not None
        # 4 standard errors of two simulations of 20,000 trials; .3 points for one direction is the largest.
        each = zip(first.groups(), second.groups(), strict=True)
        assert all(abs(float(one) - float(other)) < 4 * 0.3 * 2**0.5 for one, other in each)
        assert first.groups()[0] != "100"
    for text in (said, here):
        assert "equal means" in text
        assert "of pairs have" not in text
        assert "reached for" not in text
    assert [one.label for one in app.metric] == ["Type I error", "topics"]


def test_mcnemar_is_not_offered_for_other_scores_and_refused_by_a_link() -> None:
    app = open_page(PAGE)
    offered = app.selectbox(key=f"{KEY}/test").options
    assert "Wilcoxon signed rank test" in offered
    assert not any("McNemar" in one for one in offered)
    app = open_page(PAGE, test="mcnemar")
    assert "must all be 0 or 1 for McNemar's exact test" in as_it_reads(errors(app)[0])
    app = with_scores("pages/right_or_wrong.py", SMALL["first_ap"])
    assert "planned-test" not in app.session_state  # there is no link to the check
