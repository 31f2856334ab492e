"""The paragraph about error rates."""

import pytest

from topicset_core import __version__
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.reading import percent, read
from topicset_core.exports.citing import CITATION
from topicset_core.exports.error_rate_text import error_rate_text
from topicset_core.samples.simulated import simulated_task

MATRIX = simulated_task()[0]
READING = read(MATRIX, n_topics=50, difference=0.05, max_error=0.05)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_the_paragraph_says_every_number_and_cites(bootstrap: bool) -> None:
    counted = error_rates(MATRIX, cardinalities=[5, 20], n_trials=1200, seed=3, with_replacement=bootstrap)
    plain, latex = error_rate_text(READING, counted)
    assert READING.interval is not None
    for said in (
        "AP scores of 20 runs on 50 topics (Simulated task, round 1)",
        f"in {percent(READING.error)} of the cases",
        f"{percent(READING.interval.low)} to {percent(READING.interval.high)}",
        f"{READING.required_topics} topics, or a difference of {READING.settled_difference:.3g}",
        "1,200 pairs of topic sets for each of 2 sizes from 5 to 20",
        "seed 3",
        f"Topicset {__version__}",
        "https://doi.org/10.1145/564376.564432",
        "Lin, Wei-Hao and Hauptmann, Alexander",
    ):
        assert said in plain
    assert ("with replacement" in plain) == bootstrap
    assert ("sakai2006bootstrap" in latex) == bootstrap
    assert r"\cite{voorhees2002effect,lin2005revisiting" in latex
    assert CITATION not in plain + latex
    # What is not known for certain is left out, not printed empty.
    entry = latex.partition("{lin2005revisiting,")[2].partition("\n}")[0]
    assert "year = {2005}" in entry
    assert "doi" not in entry
    assert "pages" not in entry
    assert "Proceedings of SIGIR 2005 (2005)." in plain
