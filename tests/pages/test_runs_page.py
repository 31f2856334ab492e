"""The page on runs and judgments: from files to scores that other pages plan with."""

import time

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from tests.reference_data import reference_data, reference_file
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.judged_runs import join
from topicset_core.exports.evaluation_tables import wide_table
from topicset_core.measures import AP
from topicset_core.samples.simulated_runs import simulated_track

PAGE = "pages/runs_and_qrels.py"
_LONGEST_WAIT_SECONDS = 60  # against hanging

RUN = b"".join(
    b"%d Q0 d%d 0 %d one\n" % (topic, (k + topic) % 5, 9 - k) for topic in (1, 2, 3) for k in range(5)
)
QRELS = b"".join(b"%d 0 d%d %d\n" % (topic, k, k % 2) for topic in (1, 2, 3) for k in range(5))


def _upload(app: AppTest, runs: list[tuple[str, bytes]], qrels: list[tuple[str, bytes]]) -> AppTest:
    for uploader, files in zip(app.file_uploader, (runs, qrels), strict=True):
        for name, content in files:
            uploader.upload(name, content, "text/plain")
    (read,) = [button for button in app.button if button.label == "Read these files"]
    return _settled(healthy(read.click().run()))


def _settled(app: AppTest) -> AppTest:
    """Run the page until no job is under way."""
    waited = time.monotonic()
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() - waited < _LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())
    return healthy(app.run())


def _variance(app: AppTest) -> str:
    return big_number(app).removeprefix("σ² = ")


def test_the_sample_is_scored_at_once() -> None:
    runs, qrels = simulated_track()
    expected = AP().scores(join(runs, qrels)).var(axis=0, ddof=1).mean()
    app = open_page(PAGE)
    assert _variance(app) == f"{expected:.4g}"
    assert any("simulated" in text.value for text in app.markdown)
    assert app.dataframe[1].value["grades"][0].endswith("× 2")


def test_robust_2003_is_read_scored_and_planned_with_against_nist() -> None:
    folder = reference_data() / "trec" / "robust2003"
    reference_file("trec", "robust2003", "qrels.txt.gz")
    runs = [(path.name, path.read_bytes()) for path in sorted((folder / "runs").iterdir())]
    app = open_app(PAGE)
    _upload(app, runs, [("qrels.txt.gz", (folder / "qrels.txt.gz").read_bytes())])
    assert not errors(app)
    table = app.dataframe[0].value
    # NIST's MAP of the best of these runs, data/README.md.
    assert (table["best run"][0], round(table["its mean"][0], 4)) == ("pircRBa1", 0.3101)
    assert app.dataframe[1].value["grades"][0] == "122,722 × 0, 5,667 × 1, 407 × 2"  # data/README.md
    go(app, "pages/one_way_anova.py")
    assert any("Planning with your own scores: 4 matrices." in text.value for text in app.markdown)
    assert big_number(app) == "128 topics"  # of the 17 runs' own variance, .04039 by AP


def test_a_bad_file_is_named_and_the_others_stay() -> None:
    app = open_page(PAGE)
    _upload(app, [("one.txt", RUN), ("bad.txt", b"1 Q0 d1 1\n")], [("q.txt", QRELS)])
    (error,) = errors(app)
    assert error.startswith("bad.txt, line 1: expected a run")
    assert any("Working with your 1 run on 3 judged topics" in text.value for text in app.markdown)
    before = _variance(app)
    _upload(app, [("again.txt", RUN)], [])
    assert "expected a tag that no run loaded before has, found 'one'" in errors(app)[0]
    assert _variance(app) == before


def test_swapped_files_are_said_and_the_sample_stays() -> None:
    app = open_page(PAGE)
    before = _variance(app)
    _upload(app, [("q.txt", QRELS)], [("one.txt", RUN)])
    assert len(errors(app)) == 2
    assert _variance(app) == before


def test_runs_without_judgments_wait_for_them() -> None:
    app = open_page(PAGE)
    _upload(app, [("one.txt", RUN)], [])
    assert any("Now add the judgments" in info.value for info in app.info)
    _upload(app, [], [("q.txt", QRELS)])
    assert any("Working with your 1 run on" in text.value for text in app.markdown)


def test_files_that_come_after_the_button_was_pressed_are_read_when_they_come() -> None:
    app = _upload(open_app(PAGE), [], [])
    (waiting,) = [text.value for text in app.info]
    assert "as soon as they are here" in waiting
    app.file_uploader[1].upload("mine.qrels", QRELS, "text/plain")
    app = _settled(healthy(app.run()))
    assert "1 qrels read. Now add the runs." in [text.value for text in app.info]
    app.file_uploader[0].upload("one.run", RUN, "text/plain")
    app = _settled(healthy(app.run()))
    assert app.dataframe[1].value["judgments"].tolist() == ["mine"]
    # Both boxes were read: what comes next waits for the button again.
    app.file_uploader[0].upload("two.run", RUN.replace(b"one", b"two"), "text/plain")
    app = _settled(healthy(app.run()))
    assert app.dataframe[2].value["run"].tolist() == ["one"]


def test_conventions_change_the_scores_and_are_said() -> None:
    app = open_page(PAGE)
    before = _variance(app)
    app.number_input(key="runs/level").set_value(2)
    (score,) = [button for button in app.button if button.label == "Score the runs"]
    _settled(healthy(score.click().run()))
    assert _variance(app) != before
    assert any("relevant from grade 2" in text.value for text in app.markdown)


def test_an_unknown_measure_is_named_and_the_scores_stay() -> None:
    app = open_page(PAGE)
    before = _variance(app)
    app.multiselect(key="runs/measure-names").set_value(["AP", "MAPP"])
    (score,) = [button for button in app.button if button.label == "Score the runs"]
    _settled(healthy(score.click().run()))
    assert _variance(app) == before


def test_removing_the_runs_removes_their_scores() -> None:
    app = open_app(PAGE)
    _upload(app, [("one.txt", RUN)], [("q.txt", QRELS)])
    (forget,) = [button for button in app.button if button.key == "runs/forget"]
    healthy(forget.click().run())
    assert any("simulated" in text.value for text in app.markdown)
    go(app, "pages/one_way_anova.py")
    assert any("These are **simulated** scores" in text.value for text in app.markdown)


def test_corrected_files_of_the_same_names_are_scored_anew() -> None:
    app = open_app(PAGE)
    _upload(app, [("one.txt", RUN)], [("q.txt", QRELS)])
    before = _variance(app)
    (forget,) = [button for button in app.button if button.key == "runs/forget"]
    healthy(forget.click().run())
    corrected = QRELS.replace(b"1 0 d1 1\n", b"1 0 d1 0\n")
    _upload(app, [("one.txt", RUN)], [("q.txt", corrected)])
    assert _variance(app) != before
    go(app, "pages/one_way_anova.py")
    assert any("Planning with your own scores: 4 matrices." in text.value for text in app.markdown)


def test_names_that_look_like_markup_or_columns_are_shown_as_they_are() -> None:
    app = open_page(PAGE)
    tags = [b"<b>x</b>", b"$a$", b"*", b"topic", b"=1+1"]
    _upload(
        app,
        [(f"{place}.txt", RUN.replace(b"one", tag)) for place, tag in enumerate(tags)],
        [("<i>q*.txt", QRELS), ("$i$q_.txt", QRELS)],
    )
    assert not errors(app)
    assert sorted(app.dataframe[2].value["run"].unique()) == sorted(tag.decode() for tag in tags)
    assert list(app.dataframe[1].value["judgments"]) == ["<i>q*", "$i$q_"]


def test_topics_without_relevant_documents_are_counted_at_the_level_in_use() -> None:
    app = open_page(PAGE)
    graded = b"1 0 d1 2\n1 0 d2 1\n2 0 d1 1\n3 0 d1 1\n"
    _upload(app, [("one.txt", RUN)], [("q.txt", graded)])
    assert app.dataframe[1].value["topics without relevant"][0] == 0
    app.number_input(key="runs/level").set_value(2)
    (score,) = [button for button in app.button if button.label == "Score the runs"]
    _settled(healthy(score.click().run()))
    assert app.dataframe[1].value["topics without relevant"][0] == 2


def test_topics_that_runs_miss_are_said_beside_the_scores() -> None:
    app = open_page(PAGE)
    more = QRELS + b"4 0 d1 1\n5 0 d1 1\n"
    _upload(
        app,
        [("one.txt", RUN), ("two.txt", RUN.replace(b"one", b"two") + b"4 Q0 d1 0 9 two\n")],
        [("q.txt", more)],
    )
    (warning,) = [found.value.replace("\\", "") for found in app.warning]
    assert warning.startswith("q: 2 topics of 5 missed by some run, 1 of them by every run.")
    app.selectbox(key="runs/missing").set_value("drop")
    (score,) = [button for button in app.button if button.label == "Score the runs"]
    _settled(healthy(score.click().run()))
    assert not app.warning


def test_a_run_called_like_the_first_column_keeps_its_scores() -> None:
    matrix = ScoreMatrix(
        scores=np.array([[0.1, 0.2], [0.3, 0.4]]),
        topics=("1", "2"),
        systems=("topic", "topic_id"),
        measure="AP",
        name="q",
    )
    assert wide_table(matrix) == {"topic_id_id": ["1", "2"], "topic": [0.1, 0.3], "topic_id": [0.2, 0.4]}
