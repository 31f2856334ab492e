"""Measures of diversity on the pages: the simulated task, own judgments by intent, what is offered when."""

import json
import time

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.pages.uploading import press, texts
from topicset_core.analyses.evaluation import evaluate
from topicset_core.analyses.pool_depth import study
from topicset_core.analyses.variance_topics import one_way_anova_topics
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.measures import measure_named
from topicset_core.parsing.trec_track import read_track
from topicset_core.samples import simulated_diversity_track
from topicset_core.variance import one_way

RUNS, POOL, COMPARE = "pages/runs_and_qrels.py", "pages/pool_depth.py", "pages/compare_designs.py"
VARIANCE = "pages/topic_variance.py"
DEFAULT = ["alpha-nDCG@10", "nERR-IA@10", "D-nDCG@10", "I-rec@10", "D#-nDCG@10"]
_LONGEST_WAIT_SECONDS = 60  # against hanging
_ANOVA = one_way_anova_topics(alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)

RUN = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n2 Q0 b 1 9 t\n2 Q0 a 2 8 t\n3 Q0 c 1 9 t\n"
WEB = b"1 1 a 1\n1 2 a 0\n1 1 b 0\n1 2 b 3\n2 1 a 1\n2 2 a 1\n3 1 a 2\n3 2 b 1\n"
LIKELY = b"1 1 0.9\n1 2 0.1\n2 1 0.5\n2 2 0.5\n3 1 0.2\n3 2 0.8\n"
PLAIN = b"1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 a 1\n"


def sample() -> JudgedRuns:
    return join(*simulated_diversity_track())


def settled(app: AppTest) -> AppTest:
    """Run the page until no job is under way."""
    waited = time.monotonic()
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())
    return app


def upload(app: AppTest, *qrels: tuple[str, bytes], runs: bytes = RUN) -> AppTest:
    app.file_uploader[0].upload("t.run", runs, "text/plain")
    for name, content in qrels:
        app.file_uploader[1].upload(name, content, "text/plain")
    settled(press(app, "Read these files"))
    return settled(healthy(app.run()))


def measures(app: AppTest) -> list[str]:
    """The measures chosen in the form."""
    (chosen,) = app.multiselect
    return list(chosen.value)


def offered(app: AppTest) -> list[str]:
    (chosen,) = app.multiselect
    return list(chosen.options)


def test_the_simulated_task_is_scored_by_measures_of_diversity() -> None:
    app = open_page(RUNS)
    assert "alpha-nDCG@10" not in offered(app)
    press(app, "See a simulated diversity task")
    (matrix,) = evaluate(sample(), ["alpha-nDCG@10"]).matrices
    assert big_number(app) == f"σ² = {one_way(matrix):.4g}"
    assert measures(app) == DEFAULT
    assert {"graded-nERR-IA@10", "AP"} < set(offered(app))
    assert "These are **simulated** runs of a diversity task" in texts(app)
    # Each measure with its definition and source, and what is known of intents.
    assert "D#-nDCG@10: 0.5 I-rec@10 + 0.5 D-nDCG@10" in texts(app)
    assert texts(app).count("(Sakai and Song, SIGIR 2011)") >= 2
    assert "as likely as the simulation says" in texts(app)
    assert list(app.dataframe[0].value["measure"]) == DEFAULT
    assert json.loads(app.dataframe[0].proto.columns)["measure"]["width"] == 130  # none is cut off
    press(app, "See a simulated ad hoc task")
    assert measures(app) == ["AP", "nDCG@10", "P@10", "RR"]
    assert "AP" in app.dataframe[0].value["measure"][0]


def test_own_judgments_by_intent_are_recognised_scored_and_planned_with() -> None:
    app = open_app(RUNS)
    upload(app, ("web.txt", WEB))
    assert not errors(app)
    assert measures(app) == DEFAULT
    assert "Judged by intent: some documents have several lines for one topic" in texts(app)
    (matrix,) = evaluate(read_track([("r", RUN)], [("q", WEB)]).judged[0], ["alpha-nDCG@10"]).matrices
    assert big_number(app) == f"σ² = {one_way(matrix):.4g}"
    go(app, "pages/one_way_anova.py")
    assert "Planning with your own scores: 5 matrices." in texts(app)


def test_probabilities_of_intents_change_global_gains() -> None:
    app = open_page(RUNS)
    upload(app, ("web.txt", WEB))
    before = list(app.dataframe[0].value["mean score"])
    app.file_uploader[1].upload("likely.txt", LIKELY, "text/plain")
    settled(press(app, "Read these files"))
    settled(healthy(app.run()))
    assert not errors(app)
    after = list(app.dataframe[0].value["mean score"])
    changed = [name for name, one, other in zip(DEFAULT, before, after, strict=True) if one != other]
    assert changed == ["D-nDCG@10", "D#-nDCG@10"]
    assert "as likely as likely.txt says" in texts(app)


@pytest.mark.parametrize(
    ("likely", "said"),
    [
        (b"1 1 0.9\n1 2 0.2\n", "likely.txt, line 2: expected probabilities that add up to 1 within 0.01"),
        (b"1 1 1.0\n2 1 1\n3 1 1\n", "likely.txt: expected a probability for each intent that has a relevant"),
    ],
)  # fmt: skip
def test_bad_probabilities_are_named_and_the_judgments_stay(likely: bytes, said: str) -> None:
    app = open_page(RUNS)
    upload(app, ("web.txt", WEB), ("likely.txt", likely))
    (error,) = errors(app)
    assert error.startswith(said)
    assert "all of a topic equally likely" in texts(app)


def test_topic_variance_says_how_judgments_by_intent_count() -> None:
    app = open_app(RUNS)
    said = "Documents were judged by intent: each counts with the highest grade"
    assert said not in texts(go(app, VARIANCE))
    press(app, "See a simulated diversity task")
    assert said in texts(app)


def test_judgments_without_intents_are_offered_no_measure_of_diversity() -> None:
    app = open_page(RUNS)
    upload(app, ("plain.txt", PLAIN))
    assert measures(app) == ["AP", "nDCG@10", "P@10", "RR"]
    assert "D#-nDCG@10" not in offered(app)
    before = big_number(app)
    app.multiselect[0].set_value(["AP", "D#-nDCG@10"])
    settled(press(app, "Score the runs"))
    assert errors(app)[0].startswith(
        "measure = 'D#-nDCG@10': must have judgments by intent, and 'plain' are not"
    )
    assert big_number(app) == before


def test_pool_depth_takes_what_the_judgments_are() -> None:
    app = open_app(RUNS)
    press(app, "See a simulated diversity task")
    settled(go(app, POOL))
    assert measures(app) == DEFAULT
    designs = study([sample()], [measure_named("alpha-nDCG@10")], _ANOVA).designs
    cheapest = min(designs, key=lambda design: design.total_judgments or 0)
    (headline,) = [text.value for text in app.markdown if text.value.startswith("# ")]
    assert f"{cheapest.required_topics} topics" in headline
    assert "Documents are relevant from grade 1, the gain of grade x in nDCG and Q is x" in texts(
        app
    ) + "".join(code.value for code in app.code)
    settled(press(app, "See a simulated ad hoc task"))
    settled(healthy(app.run()))
    assert measures(app) == ["AP", "nDCG", "Q", "nERR"]
    assert not errors(app)


def test_a_question_of_ones_own_stays_on_the_page_of_pool_depth() -> None:
    """The four measures that ad hoc judgments start from are a choice like any other for a diversity task."""
    app = open_app(RUNS)
    press(app, "See a simulated diversity task")
    settled(go(app, POOL))
    app.multiselect[0].set_value(["AP", "nDCG", "Q", "nERR"])
    settled(press(app, "Compute"))
    settled(healthy(app.run()))
    assert measures(app) == ["AP", "nDCG", "Q", "nERR"]
    assert "σ² of AP" in texts(app) or "by AP" in texts(app)


def test_measures_of_one_task_need_very_different_numbers_of_topics() -> None:
    app = open_page(COMPARE)
    press(app, "Compare the measures of a simulated diversity task")
    assert "These are **simulated** scores of a diversity task" in texts(app)
    found = {matrix.measure: one_way(matrix) for matrix in evaluate(sample(), DEFAULT).matrices}
    topics = dict(zip(found, _ANOVA.topics(list(found.values())), strict=True))
    assert (
        f"D-nDCG@10 asks for **{topics['D-nDCG@10']}** topics and I-rec@10 for **{topics['I-rec@10']}**"
        in texts(app)
    )
    assert topics["nERR-IA@10"] > 2 * topics["D-nDCG@10"]
    press(app, "Compare the simulated scores instead")
    assert "These are **simulated** scores, so that you see an answer at once." in texts(app)
