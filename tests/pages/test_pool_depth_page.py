"""The page on pool depth: the design in a sentence, budget, links, runs without judgments."""

import time
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import pool_study
from pages.parts.pool_new_systems import named
from tests.pages.app import errors, go, healthy, open_app, open_page
from topicset_core.analyses.pool_depth import DepthStudy, study
from topicset_core.analyses.variance_topics import TopicsRule, one_way_anova_topics, paired_t_topics
from topicset_core.collection.judged_runs import join
from topicset_core.measures import AP
from topicset_core.progress import Cancelled
from topicset_core.samples.simulated_runs import simulated_track

PAGE = "pages/pool_depth.py"
_LONGEST_WAIT_SECONDS = 60  # against hanging
RUNS = "pages/runs_and_qrels.py"


def _settled(app: AppTest) -> AppTest:
    """Run the page until no job is under way."""
    waited = time.monotonic()
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())
    return app


def _opened(**query: str) -> AppTest:
    return _settled(open_page(PAGE, **query))


def _headline(app: AppTest) -> str:
    (found,) = [text.value for text in app.markdown if text.value.startswith("# ")]
    return found.removeprefix("# ").replace(":primary", "").replace("[", "").replace("]", "")


def _compute(app: AppTest) -> AppTest:
    (compute,) = [button for button in app.button if button.label == "Compute"]
    return _settled(healthy(compute.click().run()))


_ANOVA = one_way_anova_topics(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)


def _expected(depth: int, rule: TopicsRule = _ANOVA) -> str:
    """The design of the sample at a depth, from the core alone."""
    runs, qrels = simulated_track()
    (design,) = study([join(runs, qrels)], [AP()], rule, depths=[depth]).designs
    return f"Depth {depth}, {design.required_topics} topics, {design.total_judgments:,} judgments"


def test_the_cheapest_design_of_the_sample_is_there_at_once() -> None:
    app = _opened()
    assert _headline(app) == _expected(10)
    assert any("The judgments reach depth 50" in text.value for text in app.markdown)
    assert list(app.dataframe[0].value["pool depth"][:3]) == [10, 30, 50]


def test_a_budget_takes_the_dearest_design_within_it() -> None:
    app = _opened()
    by_ap = app.dataframe[0].value
    costs = dict(zip(by_ap["pool depth"][:3], by_ap["judgments"][:3], strict=True))
    app.number_input(key="pool/budget").set_value(float(costs[30]))
    assert _headline(_compute(app)) == _expected(30)
    said = next(text.value for text in app.markdown if "dearest design within the budget" in text.value)
    assert f"depth 10, {by_ap['topics'][0]} topics" in said.partition("The cheapest of all")[2]
    assert "The deepest within it:" not in said
    app.number_input(key="pool/budget").set_value(10.0)
    assert _headline(_compute(app)) == "No depth fits the budget"


def test_another_design_acts_at_once() -> None:
    app = _opened()
    healthy(app.selectbox(key="pool/design").set_value("Paired t test").run())
    rule = paired_t_topics(alpha=0.05, beta=0.20, min_d=0.10)
    assert _headline(_settled(app)) == _expected(10, rule)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("pool/alpha", 7.0, "alpha = 7.0: must be a number above 0 and below 1"),
        ("pool/beta", 0.99, "beta = 0.99: must be below 1 - alpha"),
        ("pool/budget", -5.0, "budget = -5.0: must be a number above 0"),
    ],
)
def test_wrong_numbers_are_named_and_the_last_answer_stays(key: str, value: float, said: str) -> None:
    app = _opened()
    before = _headline(app)
    app.number_input(key=key).set_value(value)
    _compute(app)
    assert said in errors(app)[0]
    assert _headline(app) == before


@pytest.mark.parametrize("typed", ["10, ten", "0", "10 -20", "123456"])
def test_wrong_depths_are_named(typed: str) -> None:
    app = _opened()
    app.text_input(key="pool/depths").set_value(typed)
    _compute(app)
    assert "must be whole numbers from 1 to 10,000, at most 50" in errors(app)[0]


def test_link_round_trip_asks_the_same() -> None:
    app = _opened(design="Paired t test", min_d="0.05", measure="nDCG@10", depths="20, 5", budget="100000")
    (url,) = [code.value for code in app.code if "design=" in code.value]
    query = dict(parse_qsl(urlsplit(url).query))
    assert (query["depths"], query["min_d"], query["measure"]) == ("5, 20", "0.05", "nDCG@10")
    assert _headline(_opened(**query)) == _headline(app)


def test_nonsense_in_a_link_is_said_and_not_used() -> None:
    app = _opened(alpha="nan", depths="-1", measure="<b>MAPP</b>", gains="none", budget="1e400", junk="x")
    said = " ".join(errors(app))
    for name in ("alpha=nan", "depths in this link", "MAPP", "gains=none", "budget=1e400", "junk"):
        assert name in said
    assert _headline(app) == _expected(10)


def test_an_unknown_measure_in_the_form_is_named() -> None:
    app = _opened()
    app.multiselect(key="pool/measures").set_value(["MAPP"])
    _compute(app)
    assert "measure = 'MAPP': must be one of" in errors(app)[0]


def test_runs_without_judgments_are_counted_and_the_variance_is_borrowed() -> None:
    app = open_app(RUNS)
    run = b"".join(b"%d Q0 d%d 0 %d one\n" % (topic, k, 99 - k) for topic in (1, 2) for k in range(30))
    app.file_uploader[0].upload("one.txt", run, "text/plain")
    (read,) = [button for button in app.button if button.label == "Read these files"]
    _settled(healthy(read.click().run()))
    go(app, PAGE)
    assert any("Your runs have no judgments yet" in text.value for text in app.markdown)
    assert list(app.dataframe[0].value["judged per topic"]) == [10.0, 30.0]
    assert _headline(app).startswith("Depth 10")


def test_teams_are_left_out_on_request() -> None:
    app = open_app(PAGE)
    _settled(app)
    app.session_state["pool/new-systems-open"] = True
    healthy(app.run())
    (button,) = [button for button in app.button if button.label == "Leave each team out"]
    _settled(healthy(button.click().run()))
    assert any("the run that loses most" in text.value for text in app.markdown)


def test_runs_without_a_team_are_teams_of_their_own() -> None:
    assert named(["one", "two", "three", "four"], ["A ", "", None, float("nan")]) == (
        "A",
        "two",
        "three",
        "four",
    )


def _bring(app: AppTest, runs: dict[str, bytes], qrels: dict[str, bytes]) -> AppTest:
    for uploader, files in zip(app.file_uploader, (runs, qrels), strict=True):
        for name, content in files.items():
            uploader.upload(name, content, "text/plain")
    (read,) = [button for button in app.button if button.label == "Read these files"]
    _settled(healthy(read.click().run()))
    return _settled(go(app, PAGE))


def _run(tag: str, *, topics: range = range(1, 5), n_documents: int = 20) -> bytes:
    """Rankings that differ by topic and tag."""
    return "".join(
        f"{topic} Q0 d{(rank * (topic + len(tag)) + topic) % 23} 0 {99 - rank} {tag}\n"
        for topic in topics
        for rank in range(n_documents)
    ).encode()


def _qrels(topics: range = range(1, 5)) -> bytes:
    return "".join(f"{topic} 0 d{k} {int(k % 3 == 0)}\n" for topic in topics for k in range(23)).encode()


def test_teams_of_each_collection_can_be_left_out() -> None:
    app = _bring(
        open_app(RUNS),
        {"a.txt": _run("A-1", topics=range(1, 9)), "b.txt": _run("long", topics=range(1, 9))},
        {"first.txt": _qrels(), "second.txt": _qrels(range(5, 9))},
    )
    app.session_state["pool/new-systems-open"] = True
    healthy(app.run())
    healthy(app.selectbox(key="pool/new-systems-collection").set_value(1).run())
    (button,) = [button for button in app.button if button.label == "Leave each team out"]
    _settled(healthy(button.click().run()))
    assert any("At depth" in text.value and "no run loses" not in text.value for text in app.markdown)


def test_judgments_of_hardly_any_document_answer_without_a_cost() -> None:
    app = open_app(RUNS)
    beir = "query-id\tcorpus-id\tscore\n" + "".join(f"{topic}\tr{topic}\t1\n" for topic in range(1, 5))
    found_by_topic_1_alone = "".join(
        f"{topic} Q0 {document} 0 {score} one\n"
        for topic in range(1, 5)
        for document, score in (("r1", 9), ("x", 8))
    )
    _bring(app, {"one.txt": found_by_topic_1_alone.encode()}, {"beir.tsv": beir.encode()})
    (warning,) = [found.value for found in app.warning]
    said = warning.replace("\\", "")
    assert "were not made from a pool of just these runs" in said
    assert "less than half a document a topic is judged" in said
    assert "0 judgments" in _headline(app)


def test_a_level_beyond_the_grades_is_named_and_can_be_corrected() -> None:
    app = _opened()
    before = _headline(app)
    app.number_input(key="pool/relevance_level").set_value(9)
    _compute(app)
    assert "must be at most 2, the largest grade" in errors(app)[0]
    assert any("still answers the question before" in warning.value for warning in app.warning)
    assert _headline(app) == before
    app.number_input(key="pool/relevance_level").set_value(1)
    _compute(app)
    assert not app.warning


def test_a_study_that_was_cancelled_can_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = _opened()
    before = _headline(app)
    stopped = iter([True])

    def cancelled_once(*arguments: Any, **choices: Any) -> DepthStudy:
        if next(stopped, False):
            raise Cancelled
        return study(*arguments, **choices)

    monkeypatch.setattr(pool_study, "study", cancelled_once)
    app.text_input(key="pool/depths").set_value("20")
    _compute(app)
    assert "Cancelled. What was there before is unchanged." in errors(app)[0]
    assert any("still answers the question before" in warning.value for warning in app.warning)
    assert _headline(app) == before
    _compute(app)
    assert not app.warning
    assert _headline(app) == _expected(20)
