"""The page *Right or wrong*: it begins with shares, and takes scores where all of them are 0 or 1."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.cli.running import record
from tests.pages.app import (
    big_number,
    errors,
    go,
    healthy,
    linked,
    open_app,
    open_page,
    planned,
    press,
    texts,
)
from tests.pages.test_saved_work import _opened, _saved
from tests.pages.uploading import PAGE as SCORES
from tests.pages.uploading import SMALL, upload
from topicset_core.designs import design_named, mcnemar

PAGE, COMPARE = "pages/right_or_wrong.py", "pages/compare_designs.py"


def _sources(app: AppTest) -> tuple[str, list[str]]:
    (choice,) = [one for one in app.selectbox if one.label == "Scores to plan with"]
    return str(choice.value), choice.options


def test_it_begins_with_shares_and_links_and_other_pages_keep_them() -> None:
    app = open_app(PAGE)
    # .15/.05: 168 topics, .20/.05: 92 by enumeration in R (test_mcnemar)
    assert (big_number(app), errors(app)) == (168, [])
    planned(app, only_a=0.20)
    assert big_number(app) == 92
    link = linked(app)
    assert (link["only_a"], link["only_b"], "min_d" in link) == (["0.2"], ["0.05"], False)
    again = open_page(PAGE, **{name: text for name, (text,) in link.items()})
    assert (big_number(again), linked(again)) == (92, link)
    assert _sources(go(app, "pages/paired_t.py"))[0] == "AP"
    assert big_number(go(app, PAGE)) == 92
    assert big_number(press(app, "planning/reset")) == 168


@pytest.mark.parametrize(
    ("aim", "design"), [("as-good", "non-inferior-shares"), ("equal", "equivalent-shares")]
)
def test_margins_begin_with_systems_that_are_equal(aim: str, design: str) -> None:
    given: dict[str, Any] = design_named(design).of_shares((0.05, 0.05))
    plan = design_named(design).plan(alpha=0.05, beta=0.2, margin=0.05, **given)
    assert errors(app := open_page(PAGE, aim=aim)) == []
    assert big_number(app) == plan.topics()


def test_one_system_begins_with_its_widest_interval() -> None:
    """Wilson's interval of n / 2 of n topics is z / sqrt(n + z^2) wide; the mean width is a little less."""
    assert big_number(open_page(PAGE, aim="one")) == round((1.959964 / 0.1) ** 2 - 1.959964**2) == 380
    assert "interval (Clopper-Pearson, exact)" in texts(
        open_page(PAGE, aim="one", interval="clopper-pearson")
    )


def test_shares_of_a_link_that_do_not_go_together_are_refused() -> None:
    app = open_page(PAGE, only_a="0.7", only_b="0.5")
    assert errors(app) == [
        "The values in this link were not used: shares = [0.7, 0.5]: must not sum to more than 1."
    ]
    assert big_number(app) == 168


def test_scores_are_offered_where_all_are_0_or_1() -> None:
    rng = np.random.default_rng(1)
    rows = [f"q{topic},{','.join(map(str, rng.integers(0, 2, 3)))}\n" for topic in range(40)]
    app = upload(open_app(SCORES), first_ap=SMALL["first_ap"], **{"b_P@1": "topic,A,B,C\n" + "".join(rows)})
    chosen, offered = _sources(go(app, PAGE))
    assert chosen == offered[0] == "P@1"
    assert all(one.startswith("no scores") for one in offered[1:])


@pytest.mark.slow  # three pages and two commands
def test_comparison_page_and_commands_have_the_same_numbers_of_the_same_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(7)
    rows = [f"q{topic},{','.join(map(str, rng.integers(0, 2, 3)))}\n" for topic in range(40)]
    right = "topic,A,B,C\n" + "".join(rows)
    app = upload(open_app(SCORES), first_ap=SMALL["first_ap"], **{"b_P@1": right})
    own = big_number(go(app, PAGE))
    compared = go(app, COMPARE).dataframe[0].value
    on_page = compared.set_index("method")["topics, P@1"].to_dict()
    assert on_page["McNemar's test, exact"] == own > on_page["paired t test"]
    assert compared["topics, AP"].isna().tolist() == [
        "McNemar" in one or "share" in one for one in compared["method"]
    ]
    again = open_page(COMPARE, **linked(app))
    assert again.dataframe[0].value.equals(compared)
    assert linked(again) == linked(app)
    file = tmp_path / "b_P@1.csv"
    file.write_text(right)
    capsys.readouterr()  # what pages logged
    # The page plans for as many systems as the scores that were uploaded last have.
    printed = record(capsys, "compare", str(file), "--levels", ".05,.2", "--systems", "3")["tables"]
    planned = {one["method_label"]: one.get("planned", {}).get("P@1", {}) for one in printed}
    assert {name: planned[name]["required_topics"] for name in on_page} == on_page
    size = "size", "mcnemar", "--scores", str(file), "--alpha", ".05", "--beta", ".2", "--min-d", ".1"
    assert record(capsys, *size)["required_topics"] == own


@pytest.mark.parametrize("source", ["shares of topics", "the numbers below"])
def test_saved_work_keeps_shares_and_where_they_are_from(source: str) -> None:
    app = planned(open_app(PAGE), only_a=0.20)
    healthy(app.selectbox(key="planning/scores-of-0-and-1").set_value(f"no scores: {source}").run())
    again = go(_opened(open_app(SCORES), _saved(app)), PAGE)
    assert (_sources(again)[0], linked(again)) == (_sources(app)[0], linked(app))
    assert big_number(again) == big_number(app)


def test_the_curve_keeps_the_smaller_share() -> None:
    """At another difference it has the topics of the shares with that difference, and the same p01."""
    shares = [(0.15, 0.05), (0.08, 0.05), (0.25, 0.05), (0.45, 0.05)]
    given: list[dict[str, Any]] = [mcnemar.DESIGN.of_shares(one) for one in shares]
    plan, *others = (mcnemar.DESIGN.plan(alpha=0.05, beta=0.2, **one) for one in given)
    wanted = [one.required_topics().required_topics for one in others]
    assert plan.topics([one.difference for one in others]).tolist() == wanted
    assert plan.detected(168) <= 0.1 < plan.detected(167)
