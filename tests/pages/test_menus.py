"""Menus and tabs draw what they hold once they are open."""

import pytest

from pages.parts import frame
from tests.pages.app import blocks, healthy, in_tab, open_page, unfolded

ANOVA = "pages/one_way_anova.py"


def test_closed_menus_and_tabs_hold_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "DRAWS_CLOSED", False)
    app = open_page(ANOVA)
    assert not [*app.code, *app.get("download_button"), *app.dataframe]
    assert not any((one.key or "").startswith("planning/preset-") for one in app.button)
    assert blocks(unfolded(app, "link"))["head-link"].code
    assert len(unfolded(app, "exports").get("download_button")) == 5  # two tables, and three whole reports
    assert in_tab(app, "Table").dataframe


def test_a_certainty_stays_while_its_menu_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(ANOVA)
    app.number_input(key="planning/certainty").set_value(0.9)
    said = next(
        one.value for one in healthy(app.run()).markdown if "90\N{NO-BREAK SPACE}% certainty" in one.value
    )
    monkeypatch.setattr(frame, "DRAWS_CLOSED", False)
    healthy(app.run())
    assert not any(one.key == "planning/certainty" for one in app.number_input)
    assert said in [one.value for one in healthy(app.run()).markdown]
