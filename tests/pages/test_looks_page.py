"""The page "Interim tests and pilots": its number, its panel for scores so far, and its links."""

from tests.pages.app import big_number, errors, healthy, open_page, text_of
from topicset_core.designs import group_sequential

PAGE = "pages/looks.py"
REQUESTS = {"alpha": "0.05", "beta": "0.2", "min_d": "0.05", "difference_variance": "0.01"}


def test_looks_and_the_scores_so_far() -> None:
    app = open_page(PAGE, **REQUESTS, looks="2", spending="pocock")
    target = group_sequential.Requirements(
        alpha=0.05, beta=0.2, min_d=0.05, difference_variance=0.01, looks=2, spending="pocock"
    )
    plan = group_sequential.required_topics(target)
    assert big_number(app) == plan.required_topics
    (box,) = app.text_area
    healthy(box.set_value("0.1\n0.2\n0.1").run())
    assert text_of(app, "standing").startswith("**Continue: 3 topics so far")
    (box,) = app.text_area
    healthy(box.set_value("\n".join(["0.1", "0.12"] * plan.topics[0])).run())
    assert text_of(app, "standing").startswith(f"**Stop: at look 1 ({plan.topics[0]} topics)")
    (box,) = app.text_area
    box.set_value("0.1\nwhat").run()
    assert errors(app) == ["pasted text, line 2: expected a number, found 'what'"]
