"""Reading of every public matrix against the csv module, and what reading costs."""

import re
import time

import pytest

from tests.parsing.plain_table import read_one
from tests.reference_data import reference_file, reference_matrix
from tests.words import numbers_in
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way, two_way

# Name, topics, runs, measure, and the remarks expected: how many scores lie outside 0 to 1, the lowest and the
# highest; and pairs of runs with the same scores. From docs/reference_data.md; equal runs that it
# does not mention were found by comparing columns with NumPy.
TREC8 = ("isa25t", "isa50t", "Mer8Adtd1", "Mer8Adtd2")
TREC8_P10 = ("run27", "run28", "run57", "run59", "run69", "run70")
WEB2011 = ("sys15", "sys45", "sys16", "sys47", "sys35", "sys60", "sys37", "sys61")
WEB2012 = ("sys5", "sys31", "sys6", "sys32")
WEB_MEASURES = (("ap", "AP"), ("p10", "P@10"), ("ndcg20", "nDCG@20"), ("err20", "ERR@20"))
MATRICES: list[tuple[str, int, int, str, list[float], tuple[str, ...]]] = [
    ("sakai_20x3", 20, 3, "score", [], ()),
    ("brennan_synthetic4", 12, 10, "score", [111, 0, 1, 1, 9], ()),
    ("trec3_adhoc_ap", 50, 40, "AP", [], ()),
    ("trec8_adhoc_ap", 50, 129, "AP", [], TREC8),
    ("trec8_adhoc_top96_ap", 50, 96, "AP", [], TREC8[2:]),
    ("trec8_adhoc_p10", 50, 129, "P@10", [], TREC8_P10),
    ("trec8_adhoc_rr", 50, 129, "RR", [], (*TREC8_P10, "run94", "run95")),
    ("robust2003_ap", 100, 78, "AP", [], ()),
    ("robust2004_ap", 249, 110, "AP", [], ("pircRB04d3", "pircRB04d5")),
    ("robust2004_p10", 249, 110, "P@10", [], ("sys67", "sys69")),
    ("robust2004_new_ndcg", 99, 110, "nDCG", [], ("run67", "run69")),
    *((f"web2011_{name}", 50, 62, measure, [], WEB2011) for name, measure in WEB_MEASURES),
    *((f"web2012_{name}", 50, 48, measure, [], WEB2012) for name, measure in WEB_MEASURES),
    ("mq2007_top26_statap", 1153, 26, "statAP", [73, 0, 1, 0, 1.69403], ()),
    ("dl2019_passage_ap", 43, 37, "AP", [], ()),
    ("dl2019_passage_p10", 43, 37, "P@10", [], ("TUA1-1", "test1")),
    ("dl2019_passage_ndcg10", 43, 37, "nDCG@10", [], ()),
]


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("name", "n_topics", "n_systems", "measure", "outside", "twins"),
    MATRICES,
    ids=[row[0] for row in MATRICES],
)
def test_reference_matrices_against_the_csv_module(
    name: str, n_topics: int, n_systems: int, measure: str, outside: list[float], twins: tuple[str, ...]
) -> None:
    read = read_scores(reference_file("matrices", f"{name}.csv").read_bytes(), f"{name}.csv")
    (matrix,) = read.matrices
    assert matrix.scores.shape == (n_topics, n_systems)
    assert matrix == reference_matrix(name, measure)  # ids, order and every score, exactly
    # Notes on every table: shape, topic ids, delimiter, measure.
    shape, _, _, of_measure, *remarks = read.recognised
    assert numbers_in(shape) == [n_topics, n_systems]
    assert (f"{name}.csv" in of_measure) == (measure != "score")
    if outside:
        assert numbers_in(remarks.pop(0)) == outside
    if twins:
        assert re.findall(r"'([^']+)'", remarks.pop(0)) == list(twins)
    assert remarks == []


@pytest.mark.reference_data
def test_every_reference_matrix_is_listed() -> None:
    folder = reference_file("matrices", "sakai_20x3.csv").parent
    assert sorted(path.stem for path in folder.glob("*.csv")) == sorted(row[0] for row in MATRICES)


# ------------------------------------------------------------------------------------------------ speed


@pytest.mark.reference_data
def test_reading_and_variances_of_a_large_matrix_take_little_time() -> None:
    content = reference_file("matrices", "robust2004_ap.csv").read_bytes()
    start = time.process_time()
    matrix = read_one(content, "robust2004_ap.csv")
    one_way(matrix)
    two_way(matrix)
    # About 0.03 s; the bound is against a catastrophe only, on a busy machine.
    assert time.process_time() - start < 5
