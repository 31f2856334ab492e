"""Shared by tests of import: one plain table, and a reader of tables that contain one matrix."""

from topicset_core.collection import ScoreMatrix
from topicset_core.parsing import read_scores

PLAIN = "topic,A,B\nt1,0.5,0.25\nt2,1,0\n"


def read_one(content: bytes | str, file: str = "table.csv", measure: str | None = None) -> ScoreMatrix:
    (matrix,) = read_scores(content, file, measure).matrices
    return matrix
