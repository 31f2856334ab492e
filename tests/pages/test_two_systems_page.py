"""The page of two systems: the verdict of the command, its fields, and what leads there."""

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.pages.app import (
    blocks,
    errors,
    go,
    heading,
    healthy,
    linked,
    open_app,
    open_page,
    text_of,
    tile,
    uploaders,
)
from tests.pages.uploading import upload
from tests.reference_data import reference_file
from topicset_core import compare_two
from topicset_core.analyses.rank_resolution.report import QUESTION
from topicset_core.analyses.two_systems import Request
from topicset_core.analyses.two_systems import compare_two as compared
from topicset_core.analyses.two_systems.measures import by_measure, by_topic
from topicset_core.cli import main
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parsing import read_score_files
from topicset_core.preparation import join_systems, join_topics
from topicset_core.samples.simulated import simulated_task
from topicset_core.variance.estimates import Floats

PAGE = "pages/two_systems.py"
_GENERATOR = np.random.default_rng(5)
_EASE = _GENERATOR.uniform(0.2, 0.8, 40).round(4)
OF_EACH = {"old": _EASE, "new": (_EASE + _GENERATOR.normal(0.06, 0.1, 40)).round(4)}
AP = simulated_task()[0]


def of_one(system: str) -> ScoreMatrix:
    topics = tuple(f"t{place}" for place in range(40))
    return scored(OF_EACH[system][:, None], topics, (system,), f"{system}_ap")


def scored(
    scores: Floats, topics: tuple[str, ...], systems: tuple[str, ...], name: str, measure: str = "AP"
) -> ScoreMatrix:
    return ScoreMatrix(scores=scores, topics=topics, systems=systems, measure=measure, name=name)


def csv_of(*systems: str) -> str:
    rows = zip(*(OF_EACH[system] for system in systems), strict=True)
    lines = [",".join([f"t{place}", *(f"{score:.4f}" for score in row)]) for place, row in enumerate(rows)]
    return "\n".join([",".join(["topic", *systems]), *lines])


def test_two_files_on_the_start_page_lead_to_the_verdict_of_a_paired_t_test() -> None:
    app = open_app("pages/start.py")
    for system in ("old", "new"):
        uploaders(app)[0].upload(f"{system}_ap.csv", csv_of(system).encode(), "text/csv")
    app = healthy(app.run())
    # SciPy's paired t test is the outside tool; four digits are shown.
    test = stats.ttest_rel(OF_EACH["new"], OF_EACH["old"])
    low, high = test.confidence_interval()
    difference = float((OF_EACH["new"] - OF_EACH["old"]).mean())
    assert f"{difference:+.3g}" in heading(app)
    assert f"({low:+.3g} to {high:+.3g}), p = {test.pvalue:.2g}" in heading(app).replace("\\", "")
    assert "read as the systems old, new" in " ".join(join_systems([of_one("old"), of_one("new")])[1])


def test_the_page_says_what_the_command_says() -> None:
    pair = AP.systems[0], AP.systems[1]
    app = open_page(PAGE, margin="0.02", baseline=pair[0], new=pair[1])
    answer = compare_two(AP, margin=0.02, pair=list(pair))
    assert answer.report is not None
    told = text_of(app, "answer").replace("\\", "")
    first, second = answer.text.splitlines()[:2]
    assert first in told
    assert second in told
    assert tile(app, "topics to show “not worse”") == compared(AP, Request(margin=0.02, pair=pair)).topics
    assert linked(app)["baseline"] == [pair[0]]
    assert linked(app)["margin"] == ["0.02"]


def test_a_system_is_never_compared_with_itself() -> None:
    name = AP.systems[3]
    app = open_page(PAGE, baseline=name, new=name)
    assert linked(app)["baseline"] == [name]
    assert linked(app)["new"] != [name]


def test_scores_of_one_system_are_refused_with_the_way_out() -> None:
    app = go(upload(open_app("pages/score_matrices.py"), old_ap=csv_of("old")), PAGE)
    assert any("upload the scores of both systems" in text for text in errors(app))


def test_files_that_come_one_after_the_other_are_joined_and_rounds_of_one_system_are_not() -> None:
    app = upload(open_app("pages/score_matrices.py"), old_ap=csv_of("old"), new_ap=csv_of("new"))
    assert "new is better than old" in heading(go(app, PAGE))
    rounds = upload(
        open_app("pages/score_matrices.py"),
        first_ap=csv_of("old"),
        second_ap=csv_of("new").replace("new", "old"),
    )
    assert any("upload the scores of both systems" in text for text in errors(go(rounds, PAGE)))


def test_systems_of_two_files_are_joined_by_topic() -> None:
    old, new = of_one("old"), of_one("new")
    turned = scored(new.scores[::-1], new.topics[::-1], new.systems, "new_ap")
    joined, notes = join_systems([old, turned])
    assert joined.systems == ("old", "new")
    assert np.array_equal(joined.scores, np.column_stack([old.scores, new.scores]))
    assert len(notes) == 1
    again = scored(new.scores, new.topics, ("old",), "again")
    assert join_systems([old, again])[0].systems == ("old_ap", "again")


@pytest.mark.parametrize(
    ("topics", "measure", "rule"),
    [
        (39, "AP", "must have a score for each topic of old_ap; missing: 't39'"),
        (40, "RR", "must be of one measure; --measure names it"),
    ],
)
def test_files_of_other_topics_or_measures_are_not_joined(topics: int, measure: str, rule: str) -> None:
    new = of_one("new").taken(range(topics), [0])
    other = scored(new.scores, new.topics, new.systems, "new_ap", measure)
    with pytest.raises(InputError) as error:
        join_systems([of_one("old"), other])
    assert error.value.rule == rule


def test_p_values_of_several_measures_are_adjusted_by_holm() -> None:
    """By hand: the smallest of two p values counts twice, the other one at least as much."""
    matrices = simulated_task()[:2]
    pair = AP.systems[0], AP.systems[1]
    answer = compared(AP, Request(pair=pair))
    rows = by_measure(answer, [*matrices, of_one("old")])
    p = sorted(compared(matrix, Request(pair=pair)).p_value for matrix in matrices)
    assert sorted(row["p"] for row in rows) == pytest.approx(p)
    assert sorted(row["adjusted_p"] for row in rows) == pytest.approx([min(2 * p[0], 1), max(2 * p[0], p[1])])


def test_topics_are_in_the_order_of_their_difference_with_the_mean_of_the_others() -> None:
    scores = np.array([[0.1, 0.2], [0.5, 0.9], [0.4, 0.2], [0.3, 0.3]])
    answer = compared(scored(scores, ("a", "b", "c", "d"), ("s", "t"), "four"))
    rows = by_topic(answer)
    assert [row["topic"] for row in rows] == ["b", "c", "a", "d"]
    # Differences .1, .4, -.2, 0: without b their mean is -.1 / 3.
    assert rows[0]["mean_without_it"] == pytest.approx(-0.1 / 3)


@pytest.mark.parametrize(
    ("name", "places", "margin"),
    [
        ("web2011_ap", (0, 1), None),
        ("web2012_err20", (3, 40), 0.05),
        ("robust2003_ap", (10, 11), None),
        ("trec8_adhoc_rr", (20, 60), None),
        ("dl2019_passage_ndcg10", (5, 6), 0.02),
        ("trec3_adhoc_ap", (2, 30), None),
    ],
)
def test_page_command_leaderboard_and_python_agree_on_real_pairs(
    capsys: pytest.CaptureFixture[str], name: str, places: tuple[int, int], margin: float | None
) -> None:
    path = reference_file(f"matrices/{name}.csv")
    (matrix,) = read_score_files([(path.name, path.read_bytes())]).matrices
    pair = matrix.systems[places[0]], matrix.systems[places[1]]
    answer = compared(matrix, Request(pair=pair, margin=margin))
    interval = f"({answer.low:+.3g} to {answer.high:+.3g}), p = {answer.p_value:.2g}"

    more = [] if margin is None else ["--margin", str(margin)]
    assert main(["compare-two", str(path), "--pair", *pair, *more]) == answer.status
    printed = capsys.readouterr().out
    assert f"interval: {answer.low:+.3g} to {answer.high:+.3g}; p = {answer.p_value:.2g})" in printed
    called = compare_two(str(path), pair=list(pair), margin=margin)
    assert called.record["verdict"] == answer.verdict

    app = upload(open_app("pages/score_matrices.py"), **{path.stem: path.read_text()})
    app = go(app, PAGE)
    for key, system in zip(("baseline", "new"), pair, strict=True):
        app = healthy(app.selectbox(key=f"two-systems/{key}").set_value(system).run())
    if margin is not None:
        app = healthy(app.number_input(key="two-systems/margin").set_value(margin).run())
    assert interval in heading(app).replace("\\", "")
    assert printed.splitlines()[0] in text_of(app, "answer").replace("\\", "")

    # The leaderboard has the leader first; its interval and p are of the same paired t test.
    leaderboard = QUESTION.answer(matrix, QUESTION.request(pair=pair, n_trials=1000))
    two = leaderboard.two
    assert two is not None
    assert abs(two.difference) == pytest.approx(abs(answer.difference), rel=1e-12)
    assert two.p_by_t == pytest.approx(answer.p_value, rel=1e-9)
    assert two.topics_again == answer.topics_again
    if two.topics_again is not None:
        assert f"On {two.topics_again:,} new topics the difference would" in text_of(app, "more-topics")


@pytest.mark.parametrize("kind", ["0 and 1", "groups"])
def test_page_and_python_agree_on_scores_of_0_and_1_and_on_groups(tmp_path: Path, kind: str) -> None:
    if kind == "groups":
        header, *lines = csv_of("old", "new").splitlines()
        text = "\n".join([f"group,{header}", *(f"g{place % 8},{line}" for place, line in enumerate(lines))])
    else:
        of_both = [(place < 22, place % 3 > 0 or place < 8) for place in range(40)]
        rows = [f"t{place},{old:d},{new:d}" for place, (old, new) in enumerate(of_both)]
        text = "\n".join(["topic,old,new", *rows])
    file = tmp_path / "mine_ap.csv"
    file.write_text(text)
    record = compare_two(str(file)).record
    assert ("discordant" in record) == (kind == "0 and 1")
    app = go(upload(open_app("pages/score_matrices.py"), mine_ap=text), PAGE)
    interval = f"({record['low']:+.3g} to {record['high']:+.3g}), p = {record['p_value']:.2g}"
    assert interval in heading(app).replace("\\", "")
    assert ("groups of topics" in [one.label for one in app.metric]) == (kind == "groups")


def _datasets(*names: str) -> list[tuple[str, bytes]]:
    """Two systems on datasets of unequal size: on the smallest one the second is worse."""
    rng = np.random.default_rng(8)
    files = []
    for place, name in enumerate(names):
        first = rng.uniform(0.2, 0.7, 30 - 8 * place).round(4)
        second = (first + rng.normal(0.05 if place < 2 else -0.2, 0.05, len(first))).round(4)
        lines = [f"q{topic},{a:.4f},{b:.4f}" for topic, (a, b) in enumerate(zip(first, second, strict=True))]
        files.append((f"{name}_ap.csv", "\n".join(["topic,A,B", *lines]).encode()))
    return files


def test_datasets_of_one_upload_are_groups_on_every_page_once_they_are_joined(tmp_path: Path) -> None:
    files = _datasets("fiqa", "scifact", "touche")
    for name, content in files:
        (tmp_path / name).write_bytes(content)
    answer = compare_two([str(tmp_path / name) for name, _ in files], join=True)
    record = answer.record
    assert record["n_groups"] == 3

    app = open_app("pages/start.py")
    for name, content in files:
        uploaders(app)[0].upload(name, content, "text/csv")
    app = healthy(app.run())
    interval = f"({record['low']:+.3g} to {record['high']:+.3g}), p = {record['p_value']:.2g}"
    assert interval in heading(app).replace("\\", "")
    assert all(line in text_of(app, "answer").replace("\\", "") for line in answer.text.splitlines()[:4])
    assert "66 topics of 3 matrices were joined; each is a group" in text_of(app, "preparation")
    assert linked(app)["datasets"] == ["all"]
    assert linked(app)["mean"] == ["groups"]

    # Joined by hand, the leaderboard has the same interval and p.
    (joined, _) = join_topics([matrix for file in files for matrix in read_score_files([file]).matrices])
    two = QUESTION.answer(joined, QUESTION.request(pair=("A", "B"), n_trials=1000)).two
    assert two is not None
    assert two.p_by_t == pytest.approx(record["p_value"], rel=1e-9)
    assert two.topics_again == record["topics_again"]

    # All pages use them as groups once the user plans with them; the verdict stays.
    (button,) = (button for button in go(app, PAGE).button if button.label.startswith("Join the datasets"))
    planned = go(healthy(button.click().run()), "pages/paired_t.py")
    assert any("intraclass correlation ρ in the form: it must be given" in text for text in errors(planned))
    app = go(planned, PAGE)
    assert interval in heading(app).replace("\\", "")
    assert not [radio for radio in app.radio if radio.key == "two-systems/datasets"]
    assert "--join" in app.container(key="head-command").code[0].value


def test_one_dataset_of_an_upload_is_compared_alone(tmp_path: Path) -> None:
    files = _datasets("fiqa", "scifact", "touche")
    (tmp_path / files[0][0]).write_bytes(files[0][1])
    app = open_app("pages/start.py")
    for name, content in files:
        uploaders(app)[0].upload(name, content, "text/csv")
    app = healthy(app.run())
    app = healthy(go(app, PAGE).radio(key="two-systems/datasets").set_value("one").run())
    alone = compare_two(str(tmp_path / files[0][0])).record
    assert f"({alone['low']:+.3g} to {alone['high']:+.3g})" in heading(app).replace("\\", "")


def test_rounds_on_the_same_topics_and_files_that_came_apart_are_not_joined_unasked() -> None:
    both = csv_of("old", "new")
    app = open_app("pages/score_matrices.py")
    for name, text in (("first_ap", both), ("second_ap", both.replace("0.4", "0.5"))):
        uploaders(app)[0].upload(f"{name}.csv", text.encode(), "text/csv")
    app = go(healthy(app.run()), PAGE)
    assert not [radio for radio in app.radio if radio.key == "two-systems/datasets"]
    apart = upload(open_app("pages/score_matrices.py"), first_ap=both, other_ap=both.replace("t3", "u3"))
    apart = go(apart, PAGE)
    assert apart.radio(key="two-systems/datasets").value == "one"


def test_of_many_systems_none_are_compared_until_two_are_chosen() -> None:
    text = _three_systems()
    app = go(upload(open_app("pages/score_matrices.py"), mine_ap=text), PAGE)
    assert "mine_ap has 3 systems: choose the baseline and the new system." in text_of(app, "prompt")
    assert "headline-row" not in blocks(app)
    app = healthy(app.selectbox(key="two-systems/baseline").set_value("third").run())
    assert "choose the baseline" in text_of(app, "prompt")
    app = healthy(app.selectbox(key="two-systems/new").set_value("old").run())
    assert "than third" in heading(app)
    # The system that becomes the baseline cannot stay the new one: another is asked for.
    app = healthy(app.selectbox(key="two-systems/baseline").set_value("old").run())
    assert "choose the baseline" in text_of(app, "prompt")


def _three_systems() -> str:
    """Scores of old, new and third."""
    header, *lines = csv_of("old", "new").splitlines()
    third = [f"{line},{0.1 + place / 100:.2f}" for place, line in enumerate(lines)]
    return "\n".join([f"{header},third", *third])


@pytest.mark.parametrize("text", [csv_of("old", "new"), _three_systems()], ids=["two", "three"])
def test_a_link_to_systems_that_are_not_there_is_refused_until_others_are_chosen(text: str) -> None:
    app = upload(open_app("pages/score_matrices.py"), mine_ap=text)
    app.query_params["baseline"], app.query_params["new"] = "old", "bm25"
    app = go(app, PAGE)
    if "prompt" not in blocks(app):  # AppTest takes the address away when it goes to another page
        app.query_params["baseline"], app.query_params["new"] = "old", "bm25"
        for key in ("valid", "baseline", "new"):
            del app.session_state[f"two-systems/{key}"]
        app = healthy(app.run())
    assert "mine_ap has no system bm25, which the link names" in text_of(app, "prompt")
    assert "headline-row" not in blocks(app)
    app = healthy(app.selectbox(key="two-systems/new").set_value("new").run())
    assert "than old" in heading(app)


def test_one_group_of_topics_is_told() -> None:
    header, *lines = csv_of("old", "new").splitlines()
    text = "\n".join([f"group,{header}", *(f"g,{line}" for line in lines)])
    app = go(upload(open_app("pages/score_matrices.py"), mine_ap=text), PAGE)
    assert "The column 'group' has one value, so topics have no groups." in text_of(app, "preparation")


def test_a_margin_beyond_the_range_of_the_measure_is_refused() -> None:
    app = go(upload(open_app("pages/score_matrices.py"), mine_ap=csv_of("old", "new")), PAGE)
    app = healthy(app.number_input(key="two-systems/margin").set_value(1.5).run())
    assert any("must be at most 1, as AP ranges from 0 to 1" in text for text in errors(app))


@pytest.mark.parametrize("kind", ["one file", "two files", "datasets", "groups", "measures"])
def test_the_command_and_the_call_give_the_answer_of_the_page(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "one file": [("it's mine_ap.csv", _three_systems().encode())],
        "two files": [(f"{system}_ap.csv", csv_of(system).encode()) for system in ("old", "new")],
        "datasets": _datasets("fiqa", "scifact", "touche"),
        "groups": [],
        "measures": [],
    }[kind]
    header, *lines = csv_of("old", "new").splitlines()
    if kind == "groups":
        of = [f"group,{header}", *(f"g{place % 8},{line}" for place, line in enumerate(lines))]
        files = [("mine_ap.csv", "\n".join(of).encode())]
    if kind == "measures":
        cells = [(line.split(",")[0], line.split(",")[1:]) for line in lines]
        long = [
            f"{topic},{system},{measure},{score}"
            for topic, scores in cells
            for measure, of_measure in (("AP", scores), ("P@10", scores[::-1]))
            for system, score in zip(("old", "new"), of_measure, strict=True)
        ]
        files = [("both.csv", "\n".join(["topic,run,measure,score", *long]).encode())]
    app = open_app("pages/start.py")
    for name, content in files:
        (tmp_path / name).write_bytes(content)
        uploaders(app)[0].upload(name, content, "text/csv")
    app = healthy(app.run())
    app = go(app, PAGE)
    if kind == "one file":
        for key, system in (("baseline", "third"), ("new", "new")):
            app = healthy(app.selectbox(key=f"two-systems/{key}").set_value(system).run())
    app = healthy(app.number_input(key="two-systems/margin").set_value(0.02).run())
    shell, python = (code.value for code in app.container(key="head-command").code)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(shell)[1:]) in (0, 1, 3)
    first, second = capsys.readouterr().out.splitlines()[:2]
    told = text_of(app, "answer").replace("\\", "")
    assert first in told
    assert second in told
    given: dict[str, Any] = {}
    exec(python.replace("topicset.compare_two", "answer = topicset.compare_two"), given)
    assert given["answer"].text.splitlines()[0] == first


def test_the_sample_has_no_command() -> None:
    assert not open_page(PAGE).container(key="head-command").code
