"""Work that was saved as a file comes back in another browser; other files change nothing."""

import io
import json
import pickle
import re
import zipfile
from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.testing.v1 import AppTest

from pages.parts import kept_work, saved_work
from tests.golden.page_scenarios import LABELS, SEEDS
from tests.pages.app import (
    as_on_a_new_server,
    big_number,
    blocks,
    complained_of,
    finished,
    go,
    heading,
    healthy,
    is_offered,
    link_of,
    linked,
    open_app,
    open_page,
    press,
    text_of,
)
from tests.pages.uploading import ANOVA, PAGE, SMALL, with_small
from tests.words import numbers_in
from topicset_core.collection import Qrels
from topicset_core.collection.run import Run, without_parameters
from topicset_core.errors import ParseError
from topicset_core.execution.confined import Bounds
from topicset_core.exports.dossier import NOT_COMPUTED
from topicset_core.parsing.saved import opened, saved
from topicset_core.parsing.trec.sweep import ReadSettings

DOSSIER, JUDGES = "pages/dossier.py", "pages/judges.py"


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    as_on_a_new_server()
    yield
    as_on_a_new_server()


def _saved(app: AppTest, *, with_runs: bool = True) -> bytes:
    """The file of the button."""
    state = app.session_state
    return saved_work.written(state["kept_work/snapshot"], state["frame/reports"], with_runs=with_runs)


def _opened(app: AppTest, content: bytes, place: int = 0) -> AppTest:
    app.file_uploader(key=f"saved_work/file-{place}").upload("work.zip", content, "application/zip")
    return healthy(app.run())


def _changed(content: bytes, change: object = None, choices: str | None = None) -> bytes:
    """Return the file with its values changed by a function, or with other choices."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members["work.json"])
    if change is not None:
        change(document)  # type: ignore[operator]
    if choices is not None:
        members["choices.txt"] = choices.encode()
    members["work.json"] = json.dumps(document).encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return written.getvalue()


@pytest.fixture(scope="module")
def work() -> tuple[bytes, float | None, str]:
    """A plan on own scores as a file, with its number and link."""
    app = go(with_small("first_ap", "second_ap"), ANOVA)
    app.number_input(key="planning/AP/min_d").set_value(0.07)
    healthy(app.run())
    return _saved(app), big_number(app), link_of(app)


def test_a_saved_plan_opens_elsewhere_with_data_choices_and_answer(
    work: tuple[bytes, float | None, str],
) -> None:
    content, number, link = work
    app = go(_opened(open_app(PAGE), content), ANOVA)
    assert [one.matrix.name for one in app.session_state["loaded_scores"]] == ["first_ap", "second_ap"]
    assert app.number_input(key="planning/AP/min_d").value == 0.07
    assert (big_number(app), link_of(app)) == (number, link)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        *_, answer = json.loads(archive.read("answers.json"))
    assert answer["results"][0]["required_topics"] == number


def test_opening_replaces_current_work_and_can_be_undone(
    work: tuple[bytes, float | None, str],
) -> None:
    app = _opened(with_small("second_err20"), work[0])
    assert len(app.session_state["loaded_scores"]) == 2
    press(app, "saved_work/undo")
    assert [one.matrix.measure for one in app.session_state["loaded_scores"]] == ["ERR@20"]
    assert "opened-work" not in blocks(app)


def test_a_reload_shows_what_was_opened(
    monkeypatch: pytest.MonkeyPatch, work: tuple[bytes, float | None, str]
) -> None:
    monkeypatch.setattr(kept_work, "browser", lambda: "alice")
    _opened(with_small("second_err20"), work[0])
    again = open_app(PAGE)
    assert [one.matrix.name for one in again.session_state["loaded_scores"]] == ["first_ap", "second_ap"]
    monkeypatch.setattr(kept_work, "browser", lambda: "bob")
    assert not open_app(PAGE).session_state["loaded_scores"]


def test_data_are_in_files_that_other_programs_read(work: tuple[bytes, float | None, str]) -> None:
    with zipfile.ZipFile(io.BytesIO(work[0])) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    (scores,) = (one for name, one in members.items() if name.startswith("scores/first_ap-"))
    table, uploaded = (pd.read_csv(io.StringIO(one), index_col=0) for one in (scores, SMALL["first_ap"]))
    pd.testing.assert_frame_equal(table, uploaded, check_exact=True)
    assert work[2] in members["answers.txt"]


def _run(documents: list[bytes], scores: list[float] | None, tag: str = "a run") -> Run:
    return Run(
        tag=tag,
        topics=("2", "1"),
        starts=np.array([0, 1, len(documents)]),
        documents=np.array(documents),
        n_tied=2,
        scores=None if scores is None else np.array(scores),
    )


QRELS = Qrels(
    name="q",
    topics=("2", "1"),
    starts=np.array([0, 1, 3]),
    documents=np.array(["é".encode(), b"b", b"a"]),
    grades=np.array([2, 0, -1], dtype=np.int16),
)


@pytest.mark.parametrize(
    ("value", "path", "text"),
    [
        (
            # Equal scores in single precision, in the order of the ids, and a score that needs all its digits
            _run([b"x", b"z", b"y"], [0.1 + 0.2, 1.0, 1.00000000001]),
            "runs/a-run-0.txt",
            "2 Q0 x 1 0.30000000000000004 a-run\n1 Q0 z 1 1.0 a-run\n1 Q0 y 2 1.00000000001 a-run\n",
        ),
        (
            _run([b"x", b"z", b"y"], None),
            "runs/a-run-0.txt",
            "2 Q0 x 1 1 a-run\n1 Q0 z 1 2 a-run\n1 Q0 y 2 1 a-run\n",
        ),
        (
            _run([b"x y", b"z", b"y"], [3.0, 2.0, 1.0]),
            None,
            "",
        ),  # no format of TREC takes a space in a document
        (QRELS, "judgments/q-0.txt", "2 0 é 2\n1 0 b 0\n1 0 a -1\n"),
    ],
)
def test_runs_and_judgments_come_back_from_files_of_trec(
    value: Run | Qrels, path: str | None, text: str
) -> None:
    content = saved({"one": value}, {})
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert path is None or archive.read(path).decode() == text
    back = opened(content, "work.zip", {"one": type(value)}.get).data["one"]
    for one in fields(value):
        first, second = getattr(value, one.name), getattr(back, one.name)
        if isinstance(first, np.ndarray):
            assert first.dtype == second.dtype
            np.testing.assert_array_equal(first, second)
        else:
            assert first == second


def _written_before(document: dict) -> None:
    """Give a class and a field the names in files of an earlier version."""
    for one in document["data"]["objects"]:
        if one.get("class") == "pages.parts.data:Upload":
            one["class"] = "pages.parts.data:Loaded"
        elif one.get("class") == "topicset_core.collection.run:Settings":
            one["class"] = "topicset_core.collection.settings:Settings"
        elif one.get("class", "").endswith(":ReadSettings"):
            one["fields"]["said"] = one["fields"].pop("notes")


def test_files_of_an_earlier_version_open(work: tuple[bytes, float | None, str]) -> None:
    before = _changed(work[0], _written_before)
    assert before != work[0]
    result = opened(before, "work.zip", saved_work._kind).data["loaded_scores"]
    assert [one.matrix.name for one in result] == ["first_ap", "second_ap"]
    read = ReadSettings(settings=without_parameters(["a", "b"]), notes=("one", "two"))
    content = _changed(saved({"read": read}, {}), _written_before)
    assert b"collection.settings:Settings" in zipfile.ZipFile(io.BytesIO(content)).read("work.json")
    assert opened(content, "work.zip", {"read": ReadSettings}.get).data["read"].notes == ("one", "two")


def _other_class(document: dict) -> None:
    document["data"]["objects"][0]["class"] = "os:system"


def _own_function(document: dict) -> None:
    document["data"]["objects"][0]["class"] = "topicset_core.parsing.saved:opened"


def _no_scores(document: dict) -> None:
    document["data"]["values"]["loaded_scores"] = ["no scores"]


def _scores_as(document: dict, **array: object) -> None:
    objects = document["data"]["objects"]
    (first, *_) = (one for one in objects if "file" in one)
    first["fields"]["scores"] = {"object": len(objects)}
    objects.append({"array": first["file"], "type": "|u1", "shape": [-1]} | array)


def _score_of_text(document: dict) -> None:
    _scores_as(document, type="|O8")


def _larger_than_it_is(document: dict) -> None:
    _scores_as(document, shape=[10**9, 10**9])


def _no_file(document: dict) -> None:
    for one in document["data"]["objects"]:
        if "file" in one:
            one["file"] = "scores/other.csv"


def _file_of_others(document: dict) -> None:
    for one in document["data"]["objects"]:
        if "file" in one:
            one["file"] = "answers.txt"


def _file_of_no_class(document: dict) -> None:
    document["data"]["objects"][0]["file"] = "answers.txt"


def _in_itself(document: dict) -> None:
    document["data"]["objects"][0]["fields"]["matrix"] = {"object": 0}


def _deep(document: dict) -> None:
    nested: list = []
    for _ in range(200):
        nested = [nested]
    document["data"]["values"]["looks/differences"] = nested


def _unknown_data(document: dict) -> None:
    document["data"]["values"]["pool/study/results"] = {"dict": []}


def _newer(document: dict) -> None:
    document["schema"] = 4


def _many(document: dict) -> None:
    document["data"]["values"]["looks/differences"] = [[]] * 200_000


@pytest.mark.parametrize(
    "change",
    [
        *(_other_class, _own_function, _no_scores, _score_of_text, _larger_than_it_is, _in_itself, _deep),
        *(_no_file, _file_of_others, _file_of_no_class, _unknown_data, _many, _newer),
    ],
    ids=lambda one: one.__name__.strip("_"),
)
def test_hostile_files_are_refused(change: object, work: tuple[bytes, float | None, str]) -> None:
    content = _changed(work[0], change)
    with pytest.raises(ParseError, match=re.escape("work.zip: expected ")):
        opened(content, "work.zip", saved_work._kind)


def test_other_and_damaged_files_are_refused_and_nothing_changes(
    work: tuple[bytes, float | None, str],
) -> None:
    app = with_small("second_err20")
    bad = (b"", b"PK\x03\x04", pickle.dumps({"a": 1}), work[0][:-50], SMALL["first_ap"].encode())
    for place, content in enumerate(bad):
        _opened(app, content, place)
        assert blocks(app)["opened-work"].error
        assert [one.matrix.measure for one in app.session_state["loaded_scores"]] == ["ERR@20"]


# Excerpts of the choices in a file of Topicset 0.2.0 of layout 2, with names that a hostile file may have
_NUMBERS = {
    "planning/valid": {"alpha": 0.01, "AP/min_d": 0.07},
    "error-rate/valid": {"min_d": 0.11, "n_topics": 6},
    "reported/valid": {"paired-t/t": 2.5, "paired-t/n_topics": 28},
}
_EARLIER = {name: {"dict": [list(one) for one in value.items()]} for name, value in _NUMBERS.items()} | {
    "planning/scores": "AP",
    "planning/AP/min_d": 0.07,
    "error-rate/bootstrap": True,
    "error-rate/matrix": 1,
    "reported/test": "paired-t",
}


def _as_earlier(content: bytes, **choices: object) -> bytes:
    """Return the file as earlier versions wrote it, with these choices."""

    def change(document: dict) -> None:
        document |= {"schema": 2, "choices": {"values": choices, "objects": []}}

    return _changed(content, change, choices="")


def _forged(*values: object) -> dict:
    return {"dict": [[str(place), one] for place, one in enumerate(values)]}


@pytest.mark.slow  # three pages
def test_choices_of_earlier_files_open(work: tuple[bytes, float | None, str]) -> None:
    app = _opened(open_app(PAGE), _as_earlier(work[0], **_EARLIER))
    link = linked(go(app, "pages/error_rate.py"))
    assert [link[name] for name in ("min_d", "n_topics", "bootstrap")] == [["0.11"], ["6"], ["yes"]]
    assert link["data"][0].endswith("10x6.second_ap, AP")
    link = linked(go(app, "pages/reported_result.py"))
    assert (link["t"], link["n_topics"]) == (["2.5"], ["28"])
    assert (linked(go(app, ANOVA))["min_d"], linked(app)["alpha"]) == (["0.07"], ["0.01"])


def test_links_of_earlier_files_need_no_session(work: tuple[bytes, float | None, str]) -> None:
    values = saved_work.read(_as_earlier(work[0], **_EARLIER), "work.zip")[1]
    assert "data=" in values["links/pages"]["error_rate"]
    assert "min_d=0.11&n_topics=6&bootstrap=yes" in values["links/pages"]["error_rate"]
    assert values["planning/AP/min_d-waits"] == "0.07"


def test_a_file_brings_no_results(work: tuple[bytes, float | None, str]) -> None:
    names = [
        *(f"topic-subsets{name}/results" for name in ("", "-headline", "-null", "-held-out")),
        *(f"{name}/results" for name in ("error-rate", "leaderboard", "pool/study", "runs/scoring")),
        *("topic-variance/data", "planning/valid", "kept_work/seen", "$$ID-x", "planning/reset", ""),
    ]
    before = _opened(open_app("pages/user_guide.py"), work[0])
    app = _opened(open_app("pages/user_guide.py"), _as_earlier(work[0], **dict.fromkeys(names, _forged(1.0))))
    for name in names:
        assert (name in app.session_state) == (name in before.session_state), name
        with pytest.raises(ParseError, match="unexpected value"):  # among data it is refused
            opened(
                _changed(work[0], lambda document, name=name: document["data"]["values"].update({name: 1})),
                "work.zip",
                saved_work._kind,
            )
    assert len(app.session_state["loaded_scores"]) == 2


def test_unfit_choices_are_refused_as_those_of_a_link(
    monkeypatch: pytest.MonkeyPatch, work: tuple[bytes, float | None, str]
) -> None:
    monkeypatch.setattr(kept_work, "browser", lambda: "alice")
    lines = "/planning?alpha=2&AP/min_d=text&scores=none&looks=3\n/error-rate?min_d=-1&seed=7&colour=red\n"
    lines += "/no-page?a=1\n"
    app = go(_opened(open_app("pages/user_guide.py"), _changed(work[0], choices=lines)), ANOVA)
    assert "no-page" in app.success[0].value
    assert {"alpha", "min_d"} <= complained_of(app)
    assert is_offered(app, "saved_work/undo")
    assert linked(app)["min_d"] == ["0.1"]  # where the page starts
    go(app, "pages/error_rate.py")
    assert "min_d" in complained_of(app)
    assert linked(app)["seed"] == ["7"]
    again = open_app(ANOVA)
    assert len(again.session_state["loaded_scores"]) == 2


def test_a_file_that_needs_too_much_is_refused_and_nothing_changes(
    monkeypatch: pytest.MonkeyPatch, work: tuple[bytes, float | None, str]
) -> None:
    monkeypatch.setattr(saved_work, "OF_RUNS", Bounds(megabytes=0, cpu_seconds=10))
    content = io.BytesIO(work[0])
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("more", bytes(30_000_000))
    app = _opened(with_small("second_err20"), content.getvalue())
    assert "work.zip: expected less to read at a time" in text_of(app, "opened-work")
    assert [one.matrix.measure for one in app.session_state["loaded_scores"]] == ["ERR@20"]


def test_what_a_file_will_not_have_is_named() -> None:
    app = open_app(PAGE)
    app.session_state["dossier/title"] = 5
    healthy(healthy(app.run()).run())  # a menu has the work as it was at the end of the last run
    assert "dossier/title" in app.warning[-1].value


@pytest.mark.parametrize("line", ["nonsense", "http://a/b?c=d", "/?a=b"])
def test_a_line_that_is_no_link_is_refused(line: str, work: tuple[bytes, float | None, str]) -> None:
    with pytest.raises(ParseError, match=r"choices\.txt, line 1: expected a page"):
        opened(_changed(work[0], choices=line), "work.zip", saved_work._kind)


def test_what_a_page_changed_before_it_raised_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    monkeypatch.setattr(kept_work, "keep", lambda: runs.append("kept"))
    with pytest.raises(KeyError), kept_work.Keeping():
        raise KeyError
    assert not runs
    with pytest.raises(StopException), kept_work.Keeping():
        raise StopException
    assert runs == ["kept"]


@pytest.mark.slow  # six pages, twice
def test_choices_are_a_link_per_page_and_pages_have_it_again() -> None:
    app, links = with_small("first_ap", "second_err20"), {}
    fields = {
        "one_way_anova": "planning/AP/min_d",
        "looks": "planning/looks",
        "error_rate": "error-rate/min_d",
        "rank_resolution": "leaderboard/alpha",
        "reported_result": "reported/paired-t/t",
        "judges": "judges/budget",
    }
    press(go(app, "pages/judges.py"), "example/show")
    for page, key in fields.items():
        field = go(app, f"pages/{page}.py").number_input(key=key)
        field.set_value((field.value or 0) + (field.step or 0))
        finished(healthy(app.run()))
    for page in fields:
        links[page] = link_of(finished(go(app, f"pages/{page}.py")))
    content = _saved(app)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        lines = dict(one.split("?") for one in archive.read("choices.txt").decode().splitlines())
    for page in ("error_rate", "rank_resolution"):
        assert lines[page] == links[page].partition("?")[2].partition("&shown=")[0]
    other = _opened(open_app(PAGE), content)
    press(go(other, "pages/judges.py"), "example/show")
    for page in reversed(fields):
        assert link_of(finished(go(other, f"pages/{page}.py"))) == links[page]


def test_a_dossier_opens_elsewhere_and_is_private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_work, "browser", lambda: "alice")
    app = press(go(with_small("first_ap"), ANOVA), "dossier-topic-set-size")
    assert not any(one.key == "dossier-topic-set-size" for one in app.button)  # it is in the dossier
    number = big_number(app)
    app.session_state["dossier/title"] = "a\u202eb"
    healthy(app.run())
    again = open_app(DOSSIER)  # another tab of the same browser
    assert number in numbers_in(text_of(again, "answer-0"))
    assert NOT_COMPUTED not in text_of(again, "answer-0")
    content = _saved(again)
    monkeypatch.setattr(kept_work, "browser", lambda: "bob")
    other = open_app(DOSSIER)
    assert "empty" in blocks(other)
    assert number in numbers_in(text_of(_opened(other, content), "answer-0"))
    assert NOT_COMPUTED in text_of(other, "answer-0")
    assert other.text_input(key="dossier/title").value == r"a\u202eb"  # as in JSON, no override of direction


@pytest.mark.slow
def test_answers_of_a_dossier_are_moved_and_removed() -> None:
    app = press(go(with_small("first_ap"), ANOVA), "dossier-topic-set-size")
    app = press(go(app, "pages/paired_t.py"), "dossier-topic-set-size")
    app = go(app, DOSSIER)

    def titles() -> list[str]:
        return [one.title.partition(":")[0] for one in app.session_state["dossier/kept"]]

    def button(label: str, place: int) -> str:
        return [one.key for one in app.button if one.key and one.key.startswith(f"dossier/{label}-")][place]

    assert titles() == ["One-way ANOVA", "Paired t test"]
    press(app, button("Up", 1))
    assert titles() == ["Paired t test", "One-way ANOVA"]
    press(app, button("remove", 0))
    assert titles() == ["One-way ANOVA"]


@pytest.mark.slow
def test_stored_work_of_many_browsers_is_bounded_including_dossiers() -> None:
    app = press(go(with_small("first_ap"), ANOVA), "dossier-topic-set-size")
    (one,) = app.session_state["dossier/kept"]
    size = kept_work.n_bytes(one)
    store = kept_work.WorkStore(most_bytes=10 * size)
    for user in range(100):
        store.put(f"user {user}", {"dossier/kept": (replace(one, sentence=str(user)),)}, "")
        assert store.n_bytes <= 10 * size
    assert store.find("user 0") is None
    assert store.was_dropped("user 0")


@pytest.mark.parametrize(("about", "content"), [("judge", LABELS), ("repeats", SEEDS)])
def test_scores_with_a_judge_or_repeats_come_back_and_a_link_names_them(about: str, content: bytes) -> None:
    app = open_app(JUDGES)
    app.radio(key="judges/about").set_value(about)
    healthy(app.run())
    sample = heading(app)
    app.file_uploader(key=f"judges/files-{about}-0").upload("own.csv", content, "text/csv")
    answer, link = heading(healthy(app.run())), linked(app)
    other = go(_opened(open_app(PAGE), _saved(app)), JUDGES)
    assert (heading(other), linked(other)) == (answer, link)
    # Opened where files of this page are still in the uploader: the opened scores are the ones in use.
    third = open_app(JUDGES)
    file = (LABELS if about == "judge" else SEEDS).replace(b",a,", b",other,")
    third.radio(key="judges/about").set_value(about)
    healthy(third.run()).file_uploader(key=f"judges/files-{about}-0").upload("other.csv", file, "text/csv")
    assert "other" in str(healthy(third.run()).session_state[f"judges/own-{about}"].systems)
    assert linked(_opened(third, _saved(app)))["data"] == link["data"]
    assert "Sample data" in heading(press(go(third, JUDGES), f"judges/remove-{about}"))
    assert "Sample data" in heading(go(_opened(open_app(PAGE), _saved(third)), JUDGES))
    friend = open_page(JUDGES, **link)
    assert "own" in text_of(friend, "data-needed")
    assert "answer" not in blocks(friend)
    assert answer not in (sample, heading(press(friend, "data-needed/dismiss")))
