"""The paragraph about simulated collections, and the notes on the paper's algorithms."""

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_track
from tests.exports.paragraphs import in_a_row
from tests.golden.files import without_versions
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


def test_the_paragraph_says_every_number_and_cites(golden: SnapshotAssertion) -> None:
    one = found(measure="P", depth=10, alpha=0.1)
    plain, latex = topic_variance_text(one)
    tau, shifted = one.estimate("krcc"), one.estimate("estimated_difference_shifted")
    turned = one.estimate("overall_error_rate")
    assert turned.value is not None
    assert turned.standard_error is not None
    for said in (
        "(made)",
        f"{100 * turned.value:.1f} % ({100 * turned.standard_error:.2g})",
        f"{tau.value:.3f} (",
        f"{100 * (one.estimate('raw_significant_share').value or 0):.1f} %",
        "α = 0.1",
        f"{shifted.value:.3f} (",
        f"Topicset {__version__}",
        "https://doi.org/10.1145/3209978.3210122",
        "https://doi.org/10.1145/2348283.2348402",
        "https://doi.org/10.1145/1148170.1148261",
    ):
        assert said in plain
    assert in_a_row([10, 4, 6], plain)  # depth of the measure, runs, topics
    assert in_a_row([40, 3], plain)  # trials and seed
    assert r"\cite{yang2018pertopic,robertson2012pertopic,sakai2006bootstrap}" in latex
    assert CITATION not in plain + latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "bst"},
        {"model": "kde"},
        {"model": "kde", "bandwidth": "silverman"},
        {"denominator": "drawn"},
        {"denominator": "fixed"},
    ],
    ids=["bst", "kde", "silverman", "drawn", "fixed"],
)
def test_the_paragraph_says_every_choice(settings: dict[str, object], golden: SnapshotAssertion) -> None:
    plain, _ = topic_variance_text(found(**settings))
    assert without_versions(plain.partition("\n\n")[0]) == golden


def test_a_single_trial_has_no_standard_errors_to_write(golden: SnapshotAssertion) -> None:
    plain, _ = topic_variance_text(found(n_trials=1))
    assert "None" not in plain
    assert without_versions(plain.partition("\n\n")[0]) == golden


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
