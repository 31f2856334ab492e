"""Where the variance of a design comes from."""

from tests.pages.app import big_number, healthy, open_page
from topicset_core.designs import one_way_anova
from topicset_core.samples.simulated import simulated_task
from topicset_core.variance import largest_by_measure


def test_the_largest_variance_among_the_measures_is_planned_with_as_sakai_2016_advises() -> None:
    largest = largest_by_measure(simulated_task())
    assert largest.measure != simulated_task()[0].measure  # the choice changes something
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=largest.variance, n_systems=10
    )
    app = open_page("pages/one_way_anova.py")
    healthy(app.selectbox(key="anova/scores").set_value("the largest of these measures").run())
    assert big_number(app) == f"{one_way_anova.required_topics(wanted).required_topics} topics"
    assert any("variance_from=" in code.value and "largest+among" in code.value for code in app.code)
