"""ScoreMatrix against its contract: refused, kept and unchanged values."""

import hashlib
import pickle
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refused
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.selection import select
from topicset_core.preparation import divide, transpose
from topicset_core.preparation.runs import drop_runs
from topicset_core.preparation.scales import log_transform, standardise
from topicset_core.preparation.whole_groups import size_in_words, units_in_words
from topicset_core.wording import GROUPS_OF_ONE

SCORES = [[0.5, 0.25], [0.75, 0.125], [0.0, 1.0]]


def matrix(**changes: object) -> ScoreMatrix:
    parts = {"scores": SCORES, "topics": ("b", "a", "c"), "systems": ("y", "x"), "measure": "AP", "name": "t"}
    return ScoreMatrix(**{**parts, **changes})  # type: ignore[arg-type]


def test_keeps_scores_and_ids_in_their_order() -> None:
    new = matrix()
    assert new.scores.tolist() == SCORES
    assert new.scores.dtype == np.float64
    assert (new.topics, new.systems, new.measure, new.name) == (("b", "a", "c"), ("y", "x"), "AP", "t")
    assert (new.n_topics, new.n_systems) == (3, 2)
    fortran = np.asfortranarray([[1, 2], [3, 4], [5, 6]])  # and whole numbers
    assert matrix(scores=fortran).scores.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_is_a_copy_that_cannot_be_written_to() -> None:
    mine = np.array(SCORES)
    new = matrix(scores=mine)
    mine[0, 0] = 9.0
    assert new.scores[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        new.scores[0, 0] = 9.0


@pytest.mark.parametrize(
    ("changes", "parameter", "value"),
    [
        pytest.param({"scores": [0.5, 0.25]}, "scores", "list", id="a-row"),
        pytest.param({"scores": [[0.5], [0.25, 1.0]]}, "scores", "list", id="ragged"),
        pytest.param({"scores": [["a", "b"]] * 3}, "scores", "list", id="texts"),
        pytest.param({"scores": [[1j, 0]] * 3}, "scores", "list", id="complex"),
        pytest.param({"scores": np.transpose(SCORES)}, "scores", (2, 3), id="transposed"),
        pytest.param({"scores": [[0.5, 0.25], [0.75, np.nan], [0.0, 1.0]]}, "scores", "nan", id="nan"),
        pytest.param(
            {"scores": [[0.5, 0.25], [0.75, 0.5], [-np.inf, 1.0]]}, "scores", -np.inf, id="infinite"
        ),
        pytest.param({"scores": [[0.5, 0.25], [0.75, 0.5], [1e101, 1.0]]}, "scores", 1e101, id="too-large"),
        pytest.param({"topics": ("a", "b", "a")}, "topics", "a", id="topic-twice"),
        pytest.param({"topics": ("a", " ", "c")}, "topics", " ", id="blank-topic"),
        pytest.param({"topics": "abc"}, "topics", "abc", id="topics-in-a-text"),
        pytest.param({"topics": ("a", 2, "c")}, "topics", 2, id="number-as-topic"),
        pytest.param({"systems": ("x", "x")}, "systems", "x", id="system-twice"),
        pytest.param({"systems": ("x", "")}, "systems", "", id="blank-system"),
        pytest.param({"systems": 7}, "systems", 7, id="number-as-systems"),
        pytest.param({"scores": [[0.5, 0.25]], "topics": ("a",)}, "topics", 1, id="one-topic"),
        pytest.param({"scores": np.empty((3, 0)), "systems": ()}, "systems", 0, id="no-system"),
        pytest.param({"measure": ""}, "measure", "", id="no-measure"),
        pytest.param({"name": None}, "name", None, id="no-name"),
    ],
)
def test_refuses(
    changes: dict[str, object], parameter: str, value: object, golden: SnapshotAssertion
) -> None:
    error = refused(matrix, **changes)
    assert error.parameter == parameter
    assert str(error.value) == str(value)  # as text: nan is not itself
    assert str(error) == golden


def test_digest_against_its_definition() -> None:
    """Written out by hand, so that caches and records keep their keys when the code changes."""
    texts = b"2:AP1:b1:a1:c1:y1:x"
    expected = hashlib.sha256(b"3 2\n" + texts + np.array(SCORES, dtype="<f8").tobytes()).hexdigest()
    assert matrix().digest == expected


def test_digest_depends_on_everything_except_the_name() -> None:
    first = matrix()
    assert matrix(name="another").digest == first.digest
    swapped = [[row[1], row[0]] for row in SCORES]
    changes: list[dict[str, object]] = [
        {"measure": "RR"},
        {"topics": ("b", "a", "d")},
        {"topics": ("a", "b", "c")},
        {"systems": ("x", "y")},
        {"scores": swapped},
        {"topics": ("ab", "c", "d")},
        {"topics": ("a", "bc", "d")},  # joined the same text
    ]
    digests = {matrix(**change).digest for change in changes}
    assert len(digests) == len(changes)
    assert first.digest not in digests


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


def test_groups_go_with_their_topics() -> None:
    groups = {"a": "x", "b": "y", "c": "x", "d": "z"}
    grouped = matrix().grouped(groups)
    assert grouped.groups == ("y", "x", "x")
    assert grouped.group_sizes == {"y": 1, "x": 2}
    assert grouped.taken([2, 1, 0], [1]).groups == ("x", "x", "y")
    assert grouped.select("!b").groups == ("x", "x")
    assert transpose(grouped).groups is None
    for prepared in (divide(grouped), log_transform(grouped)[0], drop_runs(grouped, worst_count=1)[0]):
        assert prepared.groups == grouped.groups
    level = matrix(scores=[[0.5, 0.5], [0.75, 0.125], [0.0, 1.0]]).grouped(groups)
    assert standardise(level)[0].groups == ("x", "x")  # topic b is left out
    assert grouped.grouped(None) == matrix()
    assert grouped != matrix()
    assert grouped.digest not in (matrix().digest, replace(matrix(), groups=("x",) * 3).digest)


def test_groups_that_do_not_fit_are_refused() -> None:
    error = refused(matrix().grouped, {"a": "x"})
    assert (error.parameter, error.value) == ("groups", "'b', 'c'")
    assert error.rule.endswith("2 topics of t without one, found groups of 'a'")
    error = refused(matrix().grouped, dict.fromkeys("abc", "x"))
    assert (error.parameter, error.value, error.rule) == ("groups", 1, "must be at least 2")
    assert refused(matrix, groups=("x", "y")).rule == "must be 3, one per topic"
    assert refused(matrix, groups=("x", " ", "y")).value == " "


def test_groups_of_one_topic_each_are_no_groups() -> None:
    """Given, selected, or with whole groups as rows: all is as if topics had none."""
    alone = matrix(groups=("x", "y", "z"))
    assert alone == matrix().grouped(dict(zip("abc", "xyz", strict=True))) == matrix()
    assert (alone.digest, alone.to_csv()) == (matrix().digest, matrix().to_csv())
    assert alone.by_group() is alone
    two = matrix().grouped({"a": "x", "b": "y", "c": "x"})
    chosen, done = select(two, ["a", "b"])
    assert chosen == matrix().select(["a", "b"])
    assert done.notes[-1] == GROUPS_OF_ONE
    assert GROUPS_OF_ONE not in select(two, ["a", "c"])[1].notes
    assert GROUPS_OF_ONE not in select(matrix(), ["a", "b"])[1].notes
    topics = (*"abcd",)
    four = matrix(topics=topics, scores=np.arange(8.0).reshape(4, 2), groups=("x", "y", "z", "z"))
    rows = four.by_group().taken([0, 1], [0, 1])
    assert (rows.topics, rows.unit, rows.by_topic) == (("x", "y"), "topic", None)


def test_rows_of_whole_groups_know_what_they_are() -> None:
    topics = matrix().grouped({"a": "x", "b": "y", "c": "x"})
    rows = topics.by_group()
    assert (topics.unit, size_in_words(topics), units_in_words(topics)) == ("topic", "3 topics", "topics")
    assert (rows.unit, rows.by_topic) == ("group", topics)
    assert size_in_words(rows) == "3 topics in 2 groups"
    assert units_in_words(rows) == "groups of 1 to 2 topics"
    # Parts of them are of the topics of their groups, in the order of the rows.
    chosen = rows.taken([1, 0], [1])
    assert chosen.by_topic == topics.taken([1, 2, 0], [1])
    # They are not the scores of topics that have the same names and scores.
    alone = matrix(topics=("x", "y"), scores=rows.scores)
    assert rows != alone
    assert rows.digest != alone.digest
    assert refused(matrix, by_topic=topics).parameter == "by_topic"
