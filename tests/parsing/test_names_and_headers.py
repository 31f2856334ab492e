"""Names of runs that share a tag; headers and topic ids that identify score files."""

import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.parsing import read_score_files
from topicset_core.parsing.trec.runs import names_apart


def test_a_name_equal_to_another_tag_is_not_used() -> None:
    assert names_apart(["t", "t", "x"], ["x.txt", "y.txt", "z.txt"]) == ["x (2)", "y", "x"]
    assert names_apart(["t", "t"], ["a/x.txt", "b/x.txt"]) == ["x", "x (2)"]
    assert names_apart(["t", "x"], ["x.txt", "y.txt"]) == ["t", "x"]


def test_an_extra_column_of_ndeval_is_an_extra_measure(golden: SnapshotAssertion) -> None:
    found = read_score_files(
        [("a.csv", b"runid,topic,alpha-nDCG@5,mine\nA,1,.5,.1\nA,2,.25,.2\nA,amean,.375,.15\n")]
    )
    assert not found.errors
    assert {one.measure: one.scores[:, 0].tolist() for one in found.matrices} == {
        "alpha-nDCG@5": [0.5, 0.25],
        "mine": [0.1, 0.2],
    }
    assert "\n".join(found.recognised) == golden


@pytest.mark.parametrize(
    "content", [b"t1 0.5\nt2 0.25\nt3 0.1\n", b"topic-1,0.5\ntopic-2,0.25\n"], ids=["spaces", "commas"]
)
def test_two_columns_with_topic_ids_are_not_means(content: bytes, golden: SnapshotAssertion) -> None:
    (error,) = read_score_files([("a.txt", content)]).errors
    assert (error.file, error.line) == ("a.txt", 1)
    assert str(error) == golden
