"""ScoreMatrix against its contract: what it refuses, keeps and never changes."""

import hashlib
import pickle

import numpy as np
import pytest

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

SCORES = [[0.5, 0.25], [0.75, 0.125], [0.0, 1.0]]


def matrix(**changes: object) -> ScoreMatrix:
    parts = {"scores": SCORES, "topics": ("b", "a", "c"), "systems": ("y", "x"), "measure": "AP", "name": "t"}
    return ScoreMatrix(**{**parts, **changes})  # type: ignore[arg-type]


def test_keeps_what_it_is_given_in_the_order_given() -> None:
    made = matrix()
    assert made.scores.tolist() == SCORES
    assert made.scores.dtype == np.float64
    assert (made.topics, made.systems, made.measure, made.name) == (("b", "a", "c"), ("y", "x"), "AP", "t")
    assert (made.n_topics, made.n_systems) == (3, 2)


def test_is_a_copy_that_cannot_be_written_to() -> None:
    mine = np.array(SCORES)
    made = matrix(scores=mine)
    mine[0, 0] = 9.0
    assert made.scores[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        made.scores[0, 0] = 9.0


def test_takes_whole_numbers_and_columns_in_fortran_order() -> None:
    assert matrix(scores=np.asfortranarray([[1, 2], [3, 4], [5, 6]])).scores.tolist() == [
        [1, 2],
        [3, 4],
        [5, 6],
    ]


@pytest.mark.parametrize(
    ("changes", "parameter", "text"),
    [
        ({"scores": [0.5, 0.25]}, "scores", "must be a table of numbers, topics x systems"),
        ({"scores": [[0.5], [0.25, 1.0]]}, "scores", "must be a table of numbers, topics x systems"),
        ({"scores": [["a", "b"]] * 3}, "scores", "must be a table of numbers, topics x systems"),
        ({"scores": [[1j, 0]] * 3}, "scores", "must be a table of numbers, topics x systems"),
        ({"scores": np.transpose(SCORES)}, "scores", r"scores = \(2, 3\): must have the shape \(3, 2\)"),
        (
            {"scores": [[0.5, 0.25], [0.75, np.nan], [0.0, 1.0]]},
            "scores",
            "scores = nan: must be finite and within 1e\\+100, at topic 'a', system 'x'",
        ),
        ({"scores": [[0.5, 0.25], [0.75, 0.5], [-np.inf, 1.0]]}, "scores", "-inf: .* topic 'c', system 'y'"),
        (
            {"scores": [[0.5, 0.25], [0.75, 0.5], [1e101, 1.0]]},
            "scores",
            "1e\\+101: .* topic 'c', system 'y'",
        ),
        ({"topics": ("a", "b", "a")}, "topics", "topics = 'a': must be unique"),
        ({"topics": ("a", " ", "c")}, "topics", "topics = ' ': must be texts, none of them empty"),
        ({"topics": "abc"}, "topics", "must be a sequence of ids"),
        ({"topics": ("a", 2, "c")}, "topics", "topics = 2: must be texts"),
        ({"systems": ("x", "x")}, "systems", "systems = 'x': must be unique"),
        ({"systems": ("x", "")}, "systems", "systems = '': must be texts"),
        ({"systems": 7}, "systems", "must be a sequence of ids"),
        ({"scores": [[0.5, 0.25]], "topics": ("a",)}, "topics", "topics = 1: must be at least 2 topics"),
        ({"scores": np.empty((3, 0)), "systems": ()}, "systems", "systems = 0: must be at least 1 system"),
        ({"measure": ""}, "measure", "must be a name"),
        ({"name": None}, "name", "must be a name"),
    ],
)
def test_refuses(changes: dict[str, object], parameter: str, text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        matrix(**changes)
    assert caught.value.parameter == parameter


def test_digest_against_its_definition() -> None:
    """Written out by hand, so that caches and records keep their keys when the code changes."""
    texts = b"2:AP1:b1:a1:c1:y1:x"
    expected = hashlib.sha256(b"3 2\n" + texts + np.array(SCORES, dtype="<f8").tobytes()).hexdigest()
    assert matrix().digest == expected


def test_digest_depends_on_all_but_the_name() -> None:
    first = matrix()
    assert matrix(name="another").digest == first.digest
    swapped = [[row[1], row[0]] for row in SCORES]
    changes: list[dict[str, object]] = [
        {"measure": "RR"},
        {"topics": ("b", "a", "d")},
        {"topics": ("a", "b", "c")},
        {"systems": ("x", "y")},
        {"scores": swapped},
    ]
    digests = {matrix(**change).digest for change in changes}
    assert len(digests) == len(changes)
    assert first.digest not in digests


def test_digest_of_ids_that_join_to_the_same_text_differs() -> None:
    assert matrix(topics=("ab", "c", "d")).digest != matrix(topics=("a", "bc", "d")).digest


def test_negative_zero_is_zero() -> None:
    plus, minus = (matrix(scores=[[0.5, 0.25], [0.75, 0.5], [zero, 1.0]]) for zero in (0.0, -0.0))
    assert plus == minus
    assert plus.digest == minus.digest
    assert hash(plus) == hash(minus)


def test_equality_hash_and_pickle() -> None:
    assert matrix() == matrix()
    assert hash(matrix()) == hash(matrix())
    assert matrix() != matrix(name="another")
    assert matrix() != matrix(scores=np.array(SCORES) + 1)
    assert matrix() != "matrix"
    assert pickle.loads(pickle.dumps(matrix())) == matrix()
