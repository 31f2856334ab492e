"""D-nDCG against NTCIREVAL's nDCG (its Python port), which is handed global gains as those of levels.

So NTCIREVAL's own scripts do: they write the global gain of each document into a file of gains, and nDCG is
computed from these.
"""

import numpy as np
import pytest

from tests.measures.plain_intents import joined_by_intent
from tests.measures.test_diversity_against_pyndeval import generated
from topicset_core.measures import measure_named

# Theirs multiply and add in another order: a few units in the last place of 1.
LAST_DIGITS = 1e-13


def global_gains(judged: dict[str, dict[str, int]], likely: dict[str, float]) -> dict[str, float]:
    """The sum over intents of P(i|q) (2^x - 1), of every judged document."""
    gains: dict[str, float] = {}
    for intent, grades in judged.items():
        for document, grade in grades.items():
            gains[document] = gains.get(document, 0.0) + likely.get(intent, 0.0) * (2**grade - 1)
    return gains


@pytest.mark.parametrize("depth", [1, 5, 10, 100])
@pytest.mark.parametrize("seed", range(3))
def test_generated_collections(seed: int, depth: int) -> None:
    from pyNTCIREVAL import Labeler, metrics

    rankings, judged = generated(seed)
    rng = np.random.default_rng(seed)
    likely: dict[str, dict[str, float]] = {}
    for topic, intents in judged.items():
        known = [intent for intent, grades in intents.items() if max(grades.values(), default=0) > 0]
        likely[topic] = (
            dict(zip(known, rng.dirichlet(np.ones(len(known))).tolist(), strict=True)) if known else {}
        )
    ours = measure_named(f"D-nDCG@{depth}").scores(joined_by_intent(rankings, judged, likely))
    compared = 0
    for row, (topic, intents) in enumerate(judged.items()):
        gains = global_gains(intents, likely[topic])  # type: ignore[arg-type]
        levels = sorted({gain for gain in gains.values() if gain > 0})
        level_of = {0.0: 0} | {gain: place for place, gain in enumerate(levels, start=1)}
        labeler = Labeler({document: level_of[gain] for document, gain in gains.items()})
        counts = labeler.compute_per_level_doc_num(len(levels) + 1)
        for column, ranking in enumerate(rankings):
            if not levels:
                assert ours[row, column] == 0
                continue
            labelled = labeler.label(ranking[topic][:depth])
            theirs = metrics.MSnDCG(counts, levels, depth).compute(labelled)
            assert ours[row, column] == pytest.approx(theirs, abs=LAST_DIGITS)
            compared += theirs > 0
    assert compared > 10
