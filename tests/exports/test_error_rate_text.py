"""The paragraph about error rates."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core import __version__
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.reading import Reading, percent, read
from topicset_core.exports.citing import CITATION
from topicset_core.exports.error_rate_text import error_rate_text
from topicset_core.samples.simulated import simulated_task

MATRIX = simulated_task()[0]


@pytest.fixture(scope="module")
def reading() -> Reading:
    return read(MATRIX, n_topics=50, difference=0.05, max_error=0.05)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_the_paragraph_says_every_number_and_cites(
    bootstrap: bool, reading: Reading, golden: SnapshotAssertion
) -> None:
    counted = error_rates(MATRIX, cardinalities=[5, 20], n_trials=1200, seed=3, with_replacement=bootstrap)
    plain, latex = error_rate_text(reading, counted)
    assert reading.interval is not None
    for share in (reading.error, reading.interval.low, reading.interval.high):
        assert percent(share) in plain
    assert f" {reading.settled_difference:.3g}" in plain
    # Runs, topics and what it takes; trials, sizes and seed.
    assert {20, 50, reading.required_topics, 1200, 2, 5, 3} <= {*numbers_in(plain)}
    assert f"Topicset {__version__}" in plain
    assert "https://doi.org/10.1145/564376.564432" in plain
    assert ("sakai2006bootstrap" in latex) == bootstrap
    assert without_versions(f"{plain}\n\n{latex}") == golden
    assert r"\cite{voorhees2002effect,lin2005revisiting" in latex
    assert CITATION not in plain + latex
    # What is not known for certain is left out, not printed empty.
    entry = latex.partition("{lin2005revisiting,")[2].partition("\n}")[0]
    assert "year = {2005}" in entry
    assert "doi" not in entry
    assert "pages" not in entry
