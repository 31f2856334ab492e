"""Simulated runs and judgments against their documentation and against real tracks."""

from collections.abc import Callable

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.collection import Qrels, Run, ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.samples import simulated_diversity_track, simulated_task, simulated_track
from topicset_core.variance import one_way, two_way

Track = Callable[..., tuple[list[Run], Qrels]]


@pytest.fixture(scope="module")
def sample() -> tuple[list[Run], Qrels]:
    return simulated_track()


def average_precision(runs: list[Run], qrels: Qrels) -> ScoreMatrix:
    """AP by its definition, document by document."""
    scores = np.zeros((qrels.n_topics, len(runs)))
    for index in range(qrels.n_topics):
        judged = slice(qrels.starts[index], qrels.starts[index + 1])
        relevant = set(qrels.documents[judged][qrels.grades[judged] > 0].tolist())
        for column, run in enumerate(runs):
            documents = run.documents[run.starts[index] : run.starts[index + 1]].tolist()
            ranks = [rank for rank, document in enumerate(documents, start=1) if document in relevant]
            scores[index, column] = sum(result / rank for result, rank in enumerate(ranks, start=1)) / len(
                relevant
            )
    return ScoreMatrix(
        scores=scores,
        topics=qrels.topics,
        systems=tuple(run.tag for run in runs),
        measure="AP",
        name="simulated",
    )


@pytest.mark.parametrize(
    ("simulated", "name", "grades"),
    [
        (simulated_track, "Simulated judgments", {0, 1, 2}),
        (simulated_diversity_track, "Simulated diversity", {0, 1, 2, 3}),
    ],
)
def test_both_tasks_are_as_documented(simulated: Track, name: str, grades: set[int]) -> None:
    """20 runs of 8 teams, 50 topics, scores that fall within a topic; judged is the pool of depth 50."""
    runs, qrels = simulated()
    assert [run.tag for run in runs][:5] == ["simA-1", "simA-2", "simA-3", "simA-4", "simB-1"]
    assert (len(runs), len({run.tag.split("-")[0] for run in runs})) == (20, 8)
    assert qrels.name == name
    assert qrels.topics == tuple(f"{number:02d}" for number in range(1, 51))
    assert set(np.unique(qrels.grades).tolist()) == grades
    pools: list[set[bytes]] = [set() for _ in range(50)]
    for run in runs:
        assert run.topics == qrels.topics
        assert run.depths.tolist() == [100] * 50
        assert run.n_tied == 0
        assert run.scores is not None
        assert (np.diff(run.scores.reshape(50, 100), axis=1) < 0).all()
        for index, documents in enumerate(run.documents.reshape(50, 100)):
            assert np.unique(documents).size == 100
            assert all(document.startswith(qrels.topics[index].encode()) for document in documents.tolist())
            pools[index] |= set(documents[:50].tolist())
    for index, pool in enumerate(pools):
        judged = qrels.documents[qrels.starts[index] : qrels.starts[index + 1]].tolist()
        assert len(judged) == len(pool)
        assert set(judged) == pool


def test_default_sample_is_pinned(sample: tuple[list[Run], Qrels]) -> None:
    """From the generator itself, since pages print them; a variance moves less than 1e-4 if two scores of
    documents change places because a platform's exp differs in the last bit."""
    runs, qrels = sample
    matrix = average_precision(runs, qrels)
    assert one_way(matrix) == pytest.approx(0.04387, abs=1e-4)
    assert two_way(matrix) == pytest.approx(0.01413, abs=1e-4)
    assert matrix.scores.mean() == pytest.approx(0.2651, abs=1e-3)
    assert qrels.documents.size == 10_255


def test_runs_of_a_team_share_more_documents(sample: tuple[list[Run], Qrels]) -> None:
    runs, _ = sample
    results = [set(run.documents.tolist()) for run in runs]
    team = [run.tag.split("-")[0] for run in runs]
    same: list[float] = []
    other: list[float] = []
    for first in range(20):
        for second in range(first):
            shared = len(results[first] & results[second]) / 5000
            (same if team[first] == team[second] else other).append(shared)
    assert np.mean(same) > np.mean(other) + 0.05


@pytest.mark.parametrize("simulated", [simulated_track, simulated_diversity_track])
def test_the_seed_determines_the_sample(simulated: Track) -> None:
    runs, qrels = simulated(7)
    again, same = simulated(7)
    assert all((a.documents == b.documents).all() for a, b in zip(runs, again, strict=True))
    assert np.array_equal(qrels.grades, same.grades)
    other, others = simulated(8)
    assert any((a.documents != b.documents).any() for a, b in zip(runs, other, strict=True))
    assert not np.array_equal(qrels.documents, others.documents)


@pytest.mark.parametrize("simulated", [simulated_task, simulated_track, simulated_diversity_track])
@pytest.mark.parametrize("seed", [-1, 1.5, True, None, "16"])
def test_refuses_invalid_seeds(simulated: Track, seed: object, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        simulated(seed)
    assert (caught.value.parameter, caught.value.value) == ("seed", seed)
    assert str(caught.value) == golden
