"""The page "Judges and repeats": it shows the numbers of the guide, and accepts or refuses files."""

import json

import pytest

from pages.parts.guide import EXAMPLES
from tests.golden.page_scenarios import JUDGED, LABELS, SEEDS, SWEEP
from tests.pages.app import (
    blocks,
    errors,
    go,
    heading,
    healthy,
    in_tab,
    linked,
    open_app,
    open_page,
    press,
    texts,
    uploaders,
)
from tests.parsing.format_example_logs import promptfoo_export
from topicset_core.analyses.judge_study import agreement, study, two_sets
from topicset_core.analyses.repeats import Request, answer
from topicset_core.analyses.run_evaluation import Request as Evaluating
from topicset_core.parsing.scores.replicated import read_labels, read_replicated
from topicset_core.samples.simulated_runs import simulated_two_sets

PAGE = "pages/judges.py"


def test_the_worked_example_of_a_rag_team() -> None:
    """The numbers of the guide, from the page with the costs that the guide gives."""
    (example,) = [one for one in EXAMPLES if one.page == "judges"]
    judged = open_page(PAGE, budget="100", cost_label="2", cost_topic="0.1", cost_call="0.05")
    seeds = open_page(PAGE, about="repeats", cost_topic="0.1", cost_seed="5", cost_cell="0.02")
    assert "42 human labels among 106 judged topics with 1 judge call each, standard error 0.0232" in texts(
        judged
    )
    assert "people alone (47 topics) have 0.0243" in texts(judged).replace("\\", "")
    assert "69 topics with 2 seeds per system, cost 45.18" in texts(seeds)
    for number in (
        "42 human labels",
        "106 judged",
        "0.0232",
        "47 questions",
        "0.0243",
        "69 questions",
        "45 units",
    ):
        assert number in example.look_for


@pytest.mark.slow
def test_own_files() -> None:
    app = open_app(PAGE)
    sample = heading(app)
    app.file_uploader(key="judges/files-judge-0").upload("labels.csv", LABELS, "text/csv")
    healthy(app.run())
    result = study(read_labels("labels.csv", LABELS), "b", "a")
    assert f"{result.combined.difference:+.4f}" in heading(app)
    healthy(go(go(app, "pages/start.py"), PAGE))  # where Streamlit forgets what is in the uploader
    assert f"{result.combined.difference:+.4f}" in heading(app)
    assert "not read" not in texts(app)
    assert heading(press(app, "judges/remove-judge")) == sample
    uploader = app.file_uploader(key="judges/files-judge-1")
    grouped = LABELS.strip().replace(b"\n", b",c1\n").replace(b"human,c1", b"human,conversation") + b",c1\n"
    uploader.upload("labels.csv", grouped, "text/csv")
    assert "that were not read: 'conversation'. Groups of topics are not" in texts(healthy(app.run()))
    assert "Sample data" not in heading(healthy(app.run()))
    own = heading(app)
    app.file_uploader(key="judges/files-judge-1").upload("seeds.csv", SEEDS, "text/csv")
    app.run()
    assert errors(app)
    assert heading(app) == own  # refused files change nothing
    app.file_uploader(key="judges/files-judge-1").set_value([])
    assert "Sample data" in heading(healthy(app.run()))
    app = open_page(PAGE)
    uploaders(app)[0].upload("seeds.csv", SEEDS, "text/csv")
    app.run()
    assert "expected columns for topic, system, judge and human" in errors(app)[0]
    app = open_page(PAGE, about="repeats")
    uploaders(app)[0].upload("seeds.csv", SEEDS, "text/csv")
    healthy(app.run())
    target = answer(read_replicated([("seeds.csv", SEEDS)]), Request(kind="seeds"))
    assert target.optimum is not None
    assert f"{target.optimum.best.n_topics:,} topics" in heading(app)


def test_runs_that_people_and_a_model_judged() -> None:
    """The numbers of the core, from the sample; marked runs; a link opens with them."""
    runs, people, model = simulated_two_sets()
    sets = two_sets(runs, people, model, Evaluating(measures=("nDCG@10",)))
    tau = agreement(sets.human, sets.model).kendall_tau_of_means
    app = open_page(PAGE, about="runs", marked="simA*")
    assert f"τ = {tau:.2f}" in heading(app).replace(":primary[", "")
    assert "Bias for 4 marked systems" in texts(app)
    assert f"{sets.documents.n_both:,} by both" in texts(app)
    again = open_page(PAGE, **linked(app))
    assert heading(again) == heading(app)
    assert "Bias for 4 marked systems" in texts(again)
    assert "must" in " ".join(errors(open_page(PAGE, about="runs", marked="nothing")))


@pytest.mark.parametrize(("about", "other"), [("judge", "repeats"), ("repeats", "judge")])
def test_the_address_of_an_answer_is_no_link_to_missing_data_once_scores_are_changed(
    about: str, other: str
) -> None:
    """The address bar follows the answer, so it names the scores that were in use before."""
    app = open_page(PAGE, **linked(open_page(PAGE, about=about)))
    app.radio(key="judges/about").set_value(other)
    assert "answer" in blocks(healthy(app.run()))
    app.radio(key="judges/about").set_value(about)
    uploader = healthy(app.run()).file_uploader(key=f"judges/files-{about}-0")
    uploader.upload("own.csv", LABELS if about == "judge" else SEEDS, "text/csv")
    assert not {"other-data", "data-needed"} & set(blocks(healthy(app.run())))
    own = open_page(PAGE, **linked(app))  # as a person without these scores
    assert "data-needed" in blocks(own)
    app.query_params["data"] = linked(app)["data"]
    assert not {"other-data", "data-needed"} & set(blocks(press(app, f"judges/remove-{about}")))


def test_labels_that_were_chosen_have_no_interval() -> None:
    app = open_page(PAGE, labels_are="chosen")
    assert "labelled topics are no random sample" in heading(app)
    assert linked(app)["labels_are"] == ["chosen"]


def test_own_runs_with_two_sets_of_judgments() -> None:
    """Chosen topics only; the set that is left is the model's."""
    other = JUDGED.replace(b"d3 1", b"d3 0").replace(b"d8 0", b"d8 1")
    app = open_app("pages/runs_and_qrels.py")
    uploaders(app)[0].set_value([(name, content, "text/plain") for name, content in SWEEP])
    uploaders(app)[1].set_value([("people.txt", JUDGED, "text/plain"), ("model.txt", other, "text/plain")])
    press(app, "runs/read")
    app = go(app, PAGE)
    app.radio(key="judges/about").set_value("runs")
    healthy(app.run())
    assert "3 systems on 6 common topics" in texts(app)
    assert "Sample data" not in heading(app)
    app.selectbox(key="judges/people").set_value("model")
    assert app.selectbox(key="judges/model").value == "model"
    assert healthy(app.run()).selectbox(key="judges/model").value == "people"


def test_a_log_with_several_measures_asks_for_one() -> None:
    app = open_page(PAGE, about="repeats")
    uploaders(app)[0].upload("log.json", json.dumps(promptfoo_export(repeats=2)).encode(), "application/json")
    app.run()
    assert "expected one measure, found 'polite', 'score', 'pass'; choose a measure" in errors(app)[0]
    (choice,) = [one for one in app.selectbox if one.label == "Measure of the logs"]
    healthy(choice.select("polite").run())
    assert "log, 3 topics" in texts(app)
    assert not errors(app)
    uploaders(app)[0].set_value([])
    uploaders(app)[0].upload("seeds.csv", SEEDS, "text/csv")
    healthy(app.run())
    assert not [one for one in app.selectbox if one.label == "Measure of the logs"]
    assert "seeds, " in texts(app)


def test_passing_in_all_tries_is_a_tab_where_answers_are_right_or_wrong() -> None:
    """Three tries of two systems on four topics: a passes on two topics in all, b on none."""
    tries = {"a": ("111", "111", "101", "000"), "b": ("110", "001", "101", "000")}
    rows = [
        f"q{topic},{system},{repeat},{score}\n"
        for system, topics in tries.items()
        for topic, answers in enumerate(topics)
        for repeat, score in enumerate(answers)
    ]
    app = open_page(PAGE, about="repeats", kind="repeats")
    assert "All of k tries" not in {one.label for one in app.tabs}
    uploaders(app)[0].upload(
        "tries.csv", "".join(["topic,system,repeat,score\n", *rows]).encode(), "text/csv"
    )
    app = in_tab(app, "All of k tries")
    (table,) = [frame.value for frame in app.dataframe if "tries" in frame.value.columns]
    shares = dict(zip(zip(table["system"], table["tries"], strict=True), table["share"], strict=True))
    # Of three answers, two right: one of three choices of two tries is right in both.
    assert [shares["a", k] for k in (1, 2, 3)] == pytest.approx([(3 + 3 + 2) / 12, (1 + 1 + 1 / 3) / 4, 0.5])
    assert [shares["b", k] for k in (1, 2, 3)] == pytest.approx([(2 + 1 + 2) / 12, (1 / 3 + 1 / 3) / 4, 0.0])
