"""The paragraph about simulated collections, and the notes on the paper's algorithms."""

import json

import pytest

from tests.analyses.topic_variance.plain_simulation import random_track
from topicset_core import __version__
from topicset_core.analyses.topic_variance.findings import Findings, findings
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.study import topic_variance
from topicset_core.exports import topic_variance_notes as notes
from topicset_core.exports.citing import CITATION
from topicset_core.exports.record import json_record
from topicset_core.exports.topic_variance_text import topic_variance_text

RUNS, JUDGED = random_track(1, 4, 6)


def found(**settings: object) -> Findings:
    asked = Settings(**{"n_trials": 40, "seed": 3} | settings)  # type: ignore[arg-type]
    return findings(topic_variance(JUDGED, asked, RUNS))


def test_the_paragraph_says_every_number_and_cites() -> None:
    one = found(measure="P", depth=10, alpha=0.1)
    plain, latex = topic_variance_text(one)
    tau, shifted = one.estimate("krcc"), one.estimate("estimated_difference_shifted")
    turned = one.estimate("overall_error_rate")
    assert turned.value is not None
    assert turned.standard_error is not None
    for said in (
        "P@10 scores of 4 runs on 6 topics (made)",
        "in 40 trials (seed 3)",
        "relevant from grade 1",
        f"{100 * turned.value:.1f} % ({100 * turned.standard_error:.2g}) stand in the other order",
        f"rankings is {tau.value:.3f} (",
        f"{100 * (one.estimate('raw_significant_share').value or 0):.1f} % of the pairs differ significantly",
        "α = 0.1",
        "level below 0.1,",
        f"difference needed is {shifted.value:.3f} (",
        f"Topicset {__version__}",
        "https://doi.org/10.1145/3209978.3210122",
        "https://doi.org/10.1145/2348283.2348402",
        "https://doi.org/10.1145/1148170.1148261",
    ):
        assert said in plain
    assert r"\cite{yang2018pertopic,robertson2012pertopic,sakai2006bootstrap}" in latex
    assert CITATION not in plain + latex


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model": "bst"}, "drawn with replacement from the run's own"),
        ({"model": "kde"}, "from Gaussian kernel densities of the run's own (Scott's bandwidth"),
        ({"model": "kde", "bandwidth": "silverman"}, "(Silverman's bandwidth"),
        ({"denominator": "drawn"}, "has R − r + s relevant documents in a trial"),
        ({"denominator": "fixed"}, "keeps R, however many are drawn"),
    ],
)
def test_the_paragraph_says_every_choice(settings: dict[str, object], said: str) -> None:
    assert said in topic_variance_text(found(**settings))[0]


def test_a_single_trial_has_no_standard_errors_to_write() -> None:
    plain, _ = topic_variance_text(found(n_trials=1))
    assert "None" not in plain
    assert "in 1 trial (seed 3)" in plain


def test_the_record_takes_the_answers() -> None:
    one = found()
    written = json_record([one], measure="AP", variance_source="simulated collections", seed=3)
    record = json.loads(written)["results"][0]
    assert record["analysis"] == "topic variance"
    assert record["krcc"] == one.plain["krcc"]


@pytest.mark.parametrize(
    "note",
    [
        notes.ORDER,
        notes.SIGNIFICANCE,
        notes.DIFFERENCE,
        notes.INDEPENDENCE,
        notes.DENSITIES,
        notes.PAPER,
    ],
)
def test_notes_are_two_sentences(note: str) -> None:
    assert note.replace("< .05", "").count(". ") == 1
    assert note.endswith(".")
