"""Scores are prepared on the page, with a note on the change, and can be restored."""

from collections.abc import Hashable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from syrupy.assertion import SnapshotAssertion

from tests.pages.app import big_number, errors, go, in_tab, press, text_of, texts
from tests.pages.uploading import ANOVA, PAGE, anova_topics, shows_variance, small_matrix, with_small
from topicset_core.preparation import Steps, prepare
from topicset_core.variance import one_way

PREPARE = "score_matrices/prepare"


def _fill(app: AppTest, **values: float | str | list[str] | None) -> AppTest:
    every = (*app.number_input, *app.selectbox, *app.multiselect, *app.text_input)
    fields = {field.key: field for field in every}
    for name, value in values.items():
        fields[f"{PREPARE}/{name}"].set_value(value)
    return press(app, f"{PREPARE}/apply")


def _all_of_the_measure(app: AppTest) -> AppTest:
    app.selectbox(key=f"{PREPARE}/target").select_index(1)
    return app


def _effects(app: AppTest) -> list[dict[Hashable, Any]]:
    (table,) = [frame.value for frame in app.dataframe if "n, now" in frame.value.columns]
    return table.to_dict("records")


def test_selected_topics_and_runs_are_reported_and_restored() -> None:
    raw = small_matrix("first_ap")
    first, last = raw.topics[0], raw.topics[3]
    chosen = raw.select([first, last, *raw.topics[5:9]], [f"!{raw.systems[0]}"])
    app = _fill(
        in_tab(with_small("first_ap"), "Prepare"),
        topics=", ".join([first, last, *raw.topics[5:9]]),
        systems=f"!{raw.systems[0]}",
    )
    assert shows_variance(app, chosen)
    (row,) = _effects(app)
    assert row["topics"] == f"{raw.n_topics} → 6"
    assert row["runs"] == f"{raw.n_systems} → {raw.n_systems - 1}"
    assert app.text_input(key=f"{PREPARE}/topics").value == ""
    _fill(app, topics="nothing like it")
    assert "nothing like it" in errors(app)[0]
    assert shows_variance(app, chosen)
    assert shows_variance(press(app, f"{PREPARE}/undo"), raw)


def test_dropping_runs_changes_variance_and_topics_with_a_note_and_undo() -> None:
    raw = small_matrix("first_ap")
    prepared = prepare(raw, Steps(max_zero_topics=1, worst_fraction=0.25))
    matrix = prepared.matrix
    assert matrix.n_systems < prepare(raw, Steps(worst_fraction=0.25)).matrix.n_systems  # both steps act
    app = _fill(in_tab(with_small("first_ap"), "Prepare"), zeros=1, percent=25.0)
    assert shows_variance(app, matrix)
    (row,) = _effects(app)
    assert (row["σ², read"], row["σ², now"]) == (one_way(raw), one_way(matrix))
    assert (row["n, read"], row["n, now"]) == (anova_topics(one_way(raw)), anova_topics(one_way(matrix)))
    assert row["runs"] == f"{raw.n_systems} → {matrix.n_systems}"
    assert all(sentence in texts(app) for sentence in prepared.notes)
    go(app, ANOVA)
    assert big_number(app) == anova_topics(one_way(matrix), matrix.n_systems)
    steps = Steps(max_zero_topics=1, worst_fraction=0.25)
    assert f"({steps.summary})" in text_of(app, "answer")  # the source names the steps
    go(app, PAGE)
    press(app, "score_matrices/restore-1")
    assert shows_variance(app, raw)
    assert not any(sentence in texts(app) for sentence in prepared.notes)


def test_the_fields_are_empty_after_apply(golden: SnapshotAssertion) -> None:
    app = _fill(in_tab(with_small("first_ap"), "Prepare"), count=3)
    before = big_number(app)
    press(app, f"{PREPARE}/apply")
    assert errors(app) == golden
    assert big_number(app) == before


@pytest.mark.parametrize(
    ("fields", "steps"),
    [
        ({"log": "take logarithms"}, Steps(log_floor=1e-5)),
        ({"log": "take logarithms", "floor": 0.01}, Steps(log_floor=0.01)),
        ({"standardise": "z"}, Steps(standardise="z")),
        (
            {"standardise": "std-AB", "reference": ["a1", "a2", "a3"]},
            Steps(standardise="std-AB", reference=("a1", "a2", "a3")),
        ),
    ],
    ids=["log", "log with a floor", "z", "std-AB by some runs"],
)
def test_other_scales_have_a_variance_but_no_topics_to_compare(
    fields: dict[str, float | str | list[str]], steps: Steps
) -> None:
    raw = small_matrix("first_ap")
    app = _fill(in_tab(with_small("first_ap"), "Prepare"), **fields)
    prepared = prepare(raw, steps).matrix
    assert shows_variance(app, prepared)
    assert f"first_ap, {prepared.measure}, " in text_of(app, "answer")
    (row,) = _effects(app)
    assert row["n, read"] == anova_topics(one_way(raw))
    assert row["n, now"] is None


def test_all_matrices_of_a_measure_are_prepared_together() -> None:
    names = ("first_ap", "second_ap")
    app = in_tab(with_small(*names, "second_err20"), "Prepare")
    _fill(_all_of_the_measure(app), percent=50.0)
    prepared = [prepare(small_matrix(name), Steps(worst_fraction=0.5)).matrix for name in names]
    assert shows_variance(app, *prepared)
    assert [row["matrix"] for row in _effects(app)] == ["first_ap (AP)", "second_ap (AP)"]
    press(app, f"{PREPARE}/undo")
    assert [row["matrix"] for row in _effects(app)] == ["second_ap (AP)"]


def test_if_one_matrix_is_refused_no_matrix_changes(golden: SnapshotAssertion) -> None:
    names = ("first_ap", "second_ap")  # of 9 and 6 runs
    app = _fill(_all_of_the_measure(in_tab(with_small(*names), "Prepare")), count=6)
    assert errors(app) == golden
    assert shows_variance(app, *(small_matrix(name) for name in names))
    assert app.number_input(key=f"{PREPARE}/count").value == 6


def test_contradictory_or_out_of_range_steps_are_refused(golden: SnapshotAssertion) -> None:
    app = in_tab(with_small("first_ap"), "Prepare")
    wrong: dict[str, Any]
    for wrong in (
        {"percent": 10.0, "count": 3, "reference": []},
        {"percent": None, "count": None, "reference": ["a1", "a2"]},
        {"percent": 100.0, "count": None, "reference": []},
    ):
        _fill(app, **wrong)
        assert errors(app) == golden
        assert shows_variance(app, small_matrix("first_ap"))


def test_logarithms_of_logarithms_are_refused(golden: SnapshotAssertion) -> None:
    app = _fill(in_tab(with_small("first_ap"), "Prepare"), log="take logarithms")
    assert not errors(app)
    _fill(app, log="take logarithms")
    assert errors(app) == golden
