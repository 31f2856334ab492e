"""What goes into the pool: matrices left out stay loaded, and designs do not use them."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, go, healthy, open_app
from tests.pages.uploading import ANOVA, PAGE, choose, opened, press, texts, with_public
from tests.reference_data import reference_matrix
from topicset_core.designs import one_way_anova
from topicset_core.variance import one_way, pooled

pytestmark = pytest.mark.reference_data


def _pool(app: AppTest, number: int, *, used: bool) -> AppTest:
    return healthy(app.checkbox(key=f"score_matrices/pool-{number}").set_value(used).run())


def _topics(variance: float) -> str:
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=variance, n_systems=10
    )
    return f"{one_way_anova.required_topics(wanted).required_topics} topics"


def test_designs_use_only_what_is_in_the_pool_and_say_so() -> None:
    first, second = reference_matrix("web2011_ap"), reference_matrix("web2012_ap")
    app = with_public("web2011_ap", "web2012_ap")
    assert big_number(app) == f"σ² = {pooled([first, second]):.4g}"
    _pool(app, 1, used=False)
    assert big_number(app) == f"σ² = {one_way(second):.4g}"
    said = "Planning with your own scores: 1 matrix (1 more not in the pool)."
    assert said in texts(app)
    go(app, ANOVA)
    assert big_number(app) == _topics(one_way(second))
    assert said in texts(app)
    go(app, PAGE)
    assert [box.value for box in app.checkbox] == [False, True]
    _pool(app, 1, used=True)
    assert big_number(app) == f"σ² = {pooled([first, second]):.4g}"
    assert "Planning with your own scores: 2 matrices." in texts(app)


def test_with_nothing_in_the_pool_the_sample_stands_in_and_that_is_said() -> None:
    sample = big_number(open_app(PAGE))
    app = _pool(with_public("web2011_ap"), 1, used=False)
    assert big_number(app) == sample
    assert "# The simulated scores vary by" in texts(app)
    said = "Your matrix is not in the pool, so these are **simulated** scores."
    assert said in texts(app)
    go(app, ANOVA)
    assert said in texts(app)
    go(app, PAGE)
    assert [frame.value["scores"].tolist() for frame in app.dataframe if "scores" in frame.value.columns] == [
        ["web2011_ap"]
    ]


def test_removing_one_leaves_the_choices_of_the_others() -> None:
    app = _pool(with_public("web2011_ap", "web2012_ap", "web2012_err20"), 2, used=False)
    healthy(app.button(key="score_matrices/remove-1").click().run())
    assert [box.value for box in app.checkbox] == [False, True]
    assert big_number(app) == f"σ² = {one_way(reference_matrix('web2012_err20')):.4g}"
    press(app, "Remove all and use the sample")
    assert "These are **simulated** scores" in texts(app)


def test_many_matrices_are_counted_at_first_and_shown_on_demand() -> None:
    app = open_app(PAGE)
    for number in range(13):
        text = f"topic,x\n1,0.1\n2,0.{number + 11}\n"
        app.file_uploader[0].upload(f"round{number}_ap.csv", text.encode(), "text/csv")
    healthy(app.run())
    assert app.success[0].value == r"round0\_ap\: AP, 2 topics × 1 run."
    assert len(app.success) == 5
    assert "8 more of this kind" in [expander.label for expander in app.expander]
    assert len(app.checkbox) == 0
    assert "AP, pooled over 13 matrices" in texts(app)
    assert len(opened(app, "cards").checkbox) == 13
    _pool(app, 13, used=False)
    assert "AP, pooled over 12 matrices" in texts(app)


def test_removing_the_matrix_that_is_looked_at_shows_another() -> None:
    app = opened(with_public("web2011_ap", "web2012_ap"), "closer-means")
    choose(app, "closer", 2)
    healthy(app.button(key="score_matrices/remove-2").click().run())
    assert app.selectbox(key="score_matrices/closer").value == 1
