"""Files that leave a choice open are asked about, and read again as the user answers."""

import numpy as np
import pytest

from tests.pages.app import big_number, errors, healthy, is_offered, open_app, press, uploaders
from tests.pages.uploading import PAGE, SMALL, choose, opened, upload
from tests.words import numbers_in

GAPS = "topic,A,B\n1,0.1,0.3\n2,0.2,\n3,0.6,0.4\n"
TWICE = "topic,run,AP\n1,A,0.1\n1,A,0.3\n2,A,0.4\n"
GOOD = "topic,x,y\n401,0.10,0.20\n402,0.30,0.35\n"
READ, LEAVE = "score_matrices/read-1", "score_matrices/leave-1"


def _variance(*runs: list[float]) -> object:
    """The mean variance of these runs, as the headline has it: to four digits."""
    return pytest.approx(np.mean([np.var(run, ddof=1) for run in runs]), rel=1e-3)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("drop-topics", _variance([0.1, 0.6], [0.3, 0.4])),
        ("drop-runs", _variance([0.1, 0.2, 0.6])),
        ("zero", _variance([0.1, 0.2, 0.6], [0.3, 0.0, 0.4])),
    ],
)
def test_missing_scores_are_named_and_imported_as_chosen(choice: str, expected: object) -> None:
    app = upload(open_app(PAGE), gaps_ap=GAPS)
    (error,) = errors(app)
    assert error.startswith("gaps_ap.csv, line 3: ")  # the golden record has all of it
    healthy(app.run())
    assert errors(app) == [error]  # it stays until answered
    choose(app, "answer-1", choice)
    press(app, READ)
    assert errors(app) == []
    assert big_number(app) == expected


def test_all_missing_scores_of_a_table_are_listed() -> None:
    gone = [(row, column) for row in (3, 7, 10) for column in (1, 5)]
    cells = [row.split(",") for row in SMALL["first_ap"].splitlines()]
    for row, column in gone:
        cells[row][column] = ""
    app = upload(open_app(PAGE), first_ap="\n".join(map(",".join, cells)))
    assert len(gone) in numbers_in(errors(app)[0])
    opened(app, "cells-1-0")
    table = next(frame.value for frame in app.dataframe if list(frame.value.columns) == ["topic", "run"])
    assert table.to_numpy().tolist() == [[cells[row][0], cells[0][column]] for row, column in gone]


def test_repeated_scores_are_averaged_on_request() -> None:
    app = upload(open_app(PAGE), twice=TWICE)
    assert len(errors(app)) == 1
    press(app, READ)
    assert errors(app) == []
    assert big_number(app) == _variance([0.2, 0.4])


def test_the_other_files_of_an_upload_are_read_once() -> None:
    app = open_app(PAGE)
    for name, text in (("good_ap", GOOD), ("gaps_ap", GAPS)):
        uploaders(app)[0].upload(f"{name}.csv", text.encode(), "text/csv")
    healthy(app.run())
    assert ["good" in success.value for success in app.success] == [True]
    press(app, "score_matrices/remove-1")
    choose(app, "answer-1", "zero")
    press(app, READ)
    # The first file was removed since, and does not come back.
    assert ["gaps" in success.value for success in app.success] == [True]
    assert not app.info


def test_a_choice_that_does_not_help_keeps_the_question() -> None:
    # Each topic lacks a score, so that none is left.
    app = upload(open_app(PAGE), gaps_ap="topic,A,B\n1,,0.3\n2,0.2,\n")
    (first,) = errors(app)
    choose(app, "answer-1", "drop-topics")
    press(app, READ)
    assert len(errors(app)) == 2
    assert first in errors(app)
    choose(app, "answer-1", "zero")
    press(app, READ)
    assert errors(app) == []
    assert big_number(app) == _variance([0.0, 0.2], [0.3, 0.0])


@pytest.mark.parametrize("answer", [READ, LEAVE], ids=["read", "leave"])
def test_files_are_kept_only_until_answered(answer: str) -> None:
    app = upload(open_app(PAGE), gaps_ap=GAPS)
    (question,) = app.session_state["score_matrices/questions"]
    assert question.files == (("gaps_ap.csv", GAPS.encode()),)
    press(app, answer)
    assert app.session_state["score_matrices/questions"] == ()
    assert errors(app) == []
    assert is_offered(app, "score_matrices/remove-1") == (answer == READ)


def test_a_question_after_the_answer_to_another() -> None:
    # Averaging the repeats leaves run B without a score on topic 1.
    app = upload(open_app(PAGE), both=TWICE + "2,B,0.8\n3,A,0.1\n3,B,0.5\n")
    press(app, READ)
    (error,) = errors(app)
    assert "'1'" in error
    assert "'B'" in error
    choose(app, "answer-1", "drop-runs")
    press(app, READ)
    assert big_number(app) == _variance([0.2, 0.4, 0.1])


def test_pasted_text_is_cleared_after_its_import() -> None:
    app = open_app(PAGE)
    app.text_area[0].set_value(GAPS)
    press(app, "score_matrices/read-pasted")
    assert app.text_area[0].value == GAPS
    choose(app, "answer-1", "zero")
    press(app, READ)
    assert app.text_area[0].value == ""
    assert big_number(app) == _variance([0.1, 0.2, 0.6], [0.3, 0.0, 0.4])
