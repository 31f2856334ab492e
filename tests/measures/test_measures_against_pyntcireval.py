"""Q, nERR, nDCG and AP as NTCIREVAL has them, against its Python port."""

from typing import TYPE_CHECKING

import pytest

from tests.measures.plain_reader import Judgments, collection, judged, ranked
from topicset_core.measures import SAKAI, measure_named

if TYPE_CHECKING:
    from pyNTCIREVAL import Labeler

pytestmark = [pytest.mark.reference_data, pytest.mark.slow]

# Theirs multiply and add in another order: a few units in the last place of 1.
LAST_DIGITS = 1e-13


def levels(judgments: Judgments, topic: str) -> "Labeler":
    """Grades as L-levels; -1 has no level, as NTCIREVAL leaves out unjudged documents."""
    from pyNTCIREVAL import Labeler

    return Labeler({document: grade for document, grade in judgments[topic].items() if grade >= 0})


@pytest.mark.parametrize(
    ("depth", "every"), [(10, (8, 4)), (100, (16, 4)), (1000, (25, 16))], ids=["10", "100", "1000"]
)
@pytest.mark.parametrize(("name", "gains"), [("robust2003", [1, 3]), ("dl2019-passage", [1, 3, 7])])
def test_sakai_2016_conventions(name: str, gains: list[int], depth: int, every: tuple[int, int]) -> None:
    from pyNTCIREVAL import metrics

    runs, judgments = collection(name)
    together = judged(name)
    # Some topics of some runs: theirs takes a quarter of a second for a list of 1000 documents.
    rows, columns = range(0, together.n_topics, every[0]), range(0, together.n_systems, every[1])
    names = {metrics.AP: "AP", metrics.QMeasure: "Q", metrics.MSnDCG: "nDCG", metrics.nERR: "nERR"}
    scores = {name: measure_named(f"{name}@{depth}", SAKAI).scores(together) for name in names.values()}
    compared = 0
    for column in columns:
        run = runs[together.systems[column]]
        rankings = ranked({together.topics[row]: run[together.topics[row]] for row in rows})
        for row in rows:
            labeler = levels(judgments, together.topics[row])
            labelled = labeler.label(rankings[together.topics[row]][:depth])
            counts = labeler.compute_per_level_doc_num(len(gains) + 1)
            for metric, ours in names.items():
                blend = (1.0,) if metric is metrics.QMeasure else ()
                theirs = metric(counts, gains, *blend, depth).compute(labelled)
                assert scores[ours][row, column] == pytest.approx(theirs, abs=LAST_DIGITS)
                compared += theirs > 0
    assert compared > 20
