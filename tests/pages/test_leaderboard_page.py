"""The leaderboard page: the top k, few flips and all of them."""

import pytest

from pages.parts import rank_resolution as parts
from tests.pages.app import (
    emphasised,
    errors,
    finished,
    linked,
    open_page,
    press,
    text_of,
)
from tests.words import numbers_in
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/rank_resolution.py", "leaderboard"
AP = simulated_task()[0]


def test_the_top_k_is_shown_to_those_who_chose_it_and_never_in_the_headline() -> None:
    plain, old = open_page(PAGE), open_page(PAGE, k="1")
    assert "Another test, valid" not in " ".join(one.value for one in plain.markdown)
    assert "top_k" not in linked(plain)
    assert any("Unknown link parameter k was ignored" in error for error in errors(old))
    chosen = open_page(PAGE, top_k="1")
    assert text_of(chosen, "answer") == text_of(plain, "answer") == text_of(old, "answer")
    assert any("Another test, valid for k = 1" in one.value for one in chosen.markdown)


def test_few_flips_at_once_and_all_flips_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.ANSWERS, "preview_seconds", 0.0)
    app = open_page(PAGE, n_trials="30000", seed="2")
    assert numbers_in(text_of(app, "preview"))[0] == 1000
    app = finished(press(app, f"{KEY}/run"))
    result = resolve(AP, Request(n_trials=30_000, seed=2))
    assert text_of(app, "preview") == ""
    assert numbers_in(emphasised(app)[0]) == [result.n_resolved, 190]
