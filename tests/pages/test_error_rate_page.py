"""The error rate page: the whole experiment in the background, and the design of a collection."""

import base64

import numpy as np
import pytest

from tests.pages.app import (
    charts,
    finished,
    healthy,
    in_tab,
    is_offered,
    open_page,
    press,
    sentence,
    text_of,
    typed,
)
from tests.words import numbers_in
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.samples.simulated import simulated_task

PAGE, KEY = "pages/error_rate.py", "error-rate"
AP = simulated_task()[0]


def _count(text: str) -> tuple[float, ...]:
    """Trials, sizes and seed of the sentence on the experiment."""
    return tuple(numbers_in(text)[:3])


def test_extrapolation_beyond_half_of_the_topics_is_told() -> None:
    app = open_page(PAGE, n_topics="25")
    for n_topics, is_told in ((25, False), (26, True)):
        typed(app, KEY, n_topics=n_topics)
        (interval,) = (one for one in app.metric if one.label == "90 % interval")
        assert interval.help.startswith("Extrapolated from sets of 25 topics. ") is is_told
        assert ("Extrapolated from sets of 25 topics." in sentence(app)) is is_told


@pytest.mark.slow
def test_the_whole_experiment_runs_in_the_background_and_is_drawn() -> None:
    app = open_page(PAGE, n_trials="3000", seed="4")
    assert _count(text_of(app, "preview")) == (2_000, 25, 4)
    press(app, f"{KEY}/run")
    finished(app)
    assert not text_of(app, "preview")
    assert not is_offered(app, f"{KEY}/run")
    expected = error_rates(AP, n_trials=3_000, seed=4)
    in_tab(app, "All differences")
    traces = {trace["name"]: trace for trace in charts(app)["curves"]["data"]}
    drawn = np.frombuffer(base64.b64decode(traces[".04–.05"]["y"]["bdata"]))  # as Plotly sends arrays
    assert drawn == pytest.approx(100 * expected.error_rates[:, 4])
    typed(app, KEY, seed=5)  # another question: the quick look again
    assert _count(text_of(app, "preview")) == (2_000, 25, 5)


def test_the_formula_designs_a_collection() -> None:
    app = in_tab(open_page(PAGE), "By formula")
    first = charts(app)["factor"]["layout"]["xaxis"]["title"]["text"]
    healthy(app.segmented_control(key=f"{KEY}/factor").set_value("variance").run())
    second = charts(app)["factor"]["layout"]["xaxis"]["title"]["text"]
    assert "topic" in first
    assert "variance" in second
