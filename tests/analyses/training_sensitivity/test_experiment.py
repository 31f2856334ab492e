"""The experiment: complete judgments, a known optimum, seeds, workers, partial results, refusals."""

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from tests.analyses.training_sensitivity.sweeps import (
    LEVELS,
    qrels_of,
    run_of,
    simulated,
    tiny_sweep,
    trained,
    up_to,
)
from topicset_core.analyses import run_evaluation
from topicset_core.analyses.training_sensitivity import (
    Request,
    Task,
    TrainingSensitivity,
    exchanged,
    level_facts,
    recommendation,
    shallow_trainings,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.optimisers import best_settings
from topicset_core.analyses.training_sensitivity.tables import complete_comparisons, curves
from topicset_core.collection.settings import without_parameters
from topicset_core.errors import InputError
from topicset_core.progress import Cancelled
from topicset_core.samples.simulated_sweep import OPTIMUM


def _same(one: TrainingSensitivity, other: TrainingSensitivity) -> None:
    for name, value in vars(one.trained).items():
        np.testing.assert_array_equal(value, getattr(other.trained, name), err_msg=name)


def test_complete_judgments_reproduce_the_full_evaluation() -> None:
    result = trained()
    matrices = run_evaluation.evaluate(
        simulated().runs, run_evaluation.Request(measures=result.measures)
    ).matrices
    for row, matrix in enumerate(matrices):
        assert matrix.topics == result.topics
        np.testing.assert_allclose(result.scores[row], matrix.scores, rtol=0, atol=1e-14)  # log2 tables
    at_100 = result.trained.means[LEVELS.index(100.0)]
    for sample in at_100:
        np.testing.assert_array_equal(sample, result.complete.means[0, 0])
    assert (result.trained.n_lost[-1] == 0).all()
    assert result.trained.n_judged[-1].tolist() == [result.n_judged.sum()] * 5
    for point in curves(result):
        if point.level == 100 and point.task:
            (cell,) = [
                one
                for one in complete_comparisons(result)
                if (one.task, one.evaluated_by, one.trained_by)
                == (point.task, point.evaluated_by, point.trained_by)
            ]
            assert point.mean == pytest.approx(cell.score, abs=1e-15)


def test_a_known_optimum_is_found() -> None:
    # 400 topics, so that the best of 0, 0.05, ..., 1 is within a step of the optimum: two steps away AP falls
    # by .02, and the difference of two settings has a standard error of .005 over 400 topics.
    from topicset_core.samples.simulated_sweep import simulated_sweep

    sweep = sweep_of(*simulated_sweep(1, n_topics=400))
    result = training_sensitivity(
        sweep, split(usable_topics(sweep.runs), 0), Request(levels=(50.0,), n_samples=2)
    )
    chosen = result.settings.values[result.complete.chosen, 0]
    assert np.abs(chosen - OPTIMUM).max() <= 0.05 + 1e-9
    assert np.abs(result.settings.values[result.trained.chosen, 0] - OPTIMUM).max() <= 0.1 + 1e-9


def _small(executor: Executor | None) -> TrainingSensitivity:
    sweep = tiny_sweep()
    request = Request(levels=(5.0, 50.0), n_samples=7, seed=2, measures=("bpref", "P@5"))
    return training_sensitivity(sweep, split(usable_topics(sweep.runs), 4), request, executor=executor)


def test_threads_give_the_same_result() -> None:
    with ThreadPoolExecutor(3) as threads:
        _same(_small(None), _small(threads))


@pytest.mark.cluster
def test_another_process_gives_the_same_result() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        _same(_small(None), _small(process))


def test_a_sample_depends_only_on_its_level_and_number() -> None:
    sweep = tiny_sweep()
    tasks = split(usable_topics(sweep.runs), 4)
    more = training_sensitivity(sweep, tasks, Request(levels=(5.0, 20.0, 50.0), n_samples=6, seed=2))
    fewer = training_sensitivity(sweep, tasks, Request(levels=(20.0,), n_samples=3, seed=2))
    np.testing.assert_array_equal(fewer.trained.means[0], more.trained.means[1, :3])
    np.testing.assert_array_equal(fewer.trained.chosen[0], more.trained.chosen[1, :3])
    other = training_sensitivity(sweep, tasks, Request(levels=(20.0,), n_samples=3, seed=3))
    assert (other.trained.means != fewer.trained.means).any()


def test_levels_are_reported_in_turn_and_work_can_be_cancelled() -> None:
    sweep = tiny_sweep()
    tasks = split(usable_topics(sweep.runs), 4)
    request = Request(levels=(5.0, 20.0, 50.0), n_samples=3)
    seen: list[TrainingSensitivity] = []
    fractions: list[float] = []
    whole = training_sensitivity(
        sweep, tasks, request, report_progress=fractions.append, show_partial=seen.append
    )
    assert [one.levels for one in seen] == [(5.0,), (5.0, 20.0)]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    for one in seen:
        _same(one, up_to(whole, one.levels[-1]))
        assert set(recommendation(one).measures) <= set(whole.measures)

    def stop(fraction: float) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        training_sensitivity(sweep, tasks, request, report_progress=stop)


def test_ties_are_broken_equally_for_all_measures_and_counted() -> None:
    means = np.array([[[0.0, 0.0, 0.0, 0.0], [0.1, 0.3, 0.3 * (1 - 1e-15), 0.2], [0.0, 0.0, 0.0, 0.0]]])
    chosen, n_tied = best_settings(means, np.array([0.6]))
    assert n_tied.tolist() == [[4, 2, 4]]
    assert chosen.tolist() == [[2, 2, 2]]  # 0.6 x 4 is 2, the third; 0.6 x 2 is 1, the second of 1 and 2
    many, _ = best_settings(np.zeros((4000, 1, 4)), np.random.default_rng(1).random(4000))
    shares = np.bincount(many[:, 0], minlength=4) / 4000
    assert np.abs(shares - 0.25).max() < 0.03  # over four standard errors of .0068


def test_facts_of_levels() -> None:
    result = trained()
    facts = level_facts(result)
    assert [one.level for one in facts] == [*LEVELS]
    assert facts[0].lost_topics > facts[1].lost_topics > facts[2].lost_topics >= facts[3].lost_topics == 0
    # Lost topics score 0 by every measure.
    scores = result.trained.mean_scores
    share_kept = 1 - result.trained.n_lost[:, :, None] / len(result.topics)
    np.testing.assert_allclose(scores[..., 0], scores[..., 1] * share_kept, rtol=1e-12)
    assert facts[-1].scores == pytest.approx(result.scores.mean(axis=(1, 2)).tolist(), rel=1e-12)


def test_shallow_pools_down_to_all_judgments() -> None:
    result = trained()
    trainings = shallow_trainings(simulated(), result, (1, 50))
    assert len(trainings) == 2 * 2 * 4
    deep = [one for one in trainings if one.pool_depth == 50]
    assert {one.level for one in deep} == {100.0}  # the sample is judged to depth 50
    assert [one.chosen for one in deep] == result.complete.chosen[0, 0].ravel().tolist()
    assert {one.n_lost for one in deep} == {0}
    assert all(one.level < 10 for one in trainings if one.pool_depth == 1)


def test_splits_are_halves_and_differ() -> None:
    topics = tuple(f"t{number}" for number in range(9))
    tasks = split(topics, 0, n_splits=3)
    assert len(tasks) == 6
    for one, other in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.training, one.test) == (other.test, other.training)
        assert sorted(one.training + one.test) == list(topics)
        assert {len(one.training), len(one.test)} == {4, 5}
    assert len({task.test for task in tasks}) == 6
    assert split(topics, 0, n_splits=2) != split(topics, 1, n_splits=2)


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: Request(levels=(0.0, 5.0)), "levels"),
        (lambda: Request(levels=(5.0, 5.0)), "levels"),
        (lambda: Request(levels=()), "levels"),
        (lambda: Request(n_samples=1), "n_samples"),
        (lambda: Request(measures=()), "measures"),
        (lambda: Request(measures=("AP",)), "measures"),
        (lambda: Request(measures=("banana",)), "measure"),
        (lambda: Task(name="t", training=("a",), test=("a", "b")), "test_topics"),
        (lambda: Task(name="t", training=(), test=("a", "b")), "training_topics"),
        (lambda: split(("a",), 0), "topics"),
        (lambda: training_sensitivity(tiny_sweep(), ()), "tasks"),
        (lambda: training_sensitivity(tiny_sweep(), exchanged(["t0"], ["t9"], ("a", "b"))), "topics"),
        (
            lambda: sweep_of(
                [run_of("r", {"t": ["a"]})], qrels_of({"t": {"a": 1}}), without_parameters(["r"])
            ),
            "runs",
        ),
        (lambda: shallow_trainings(simulated(), trained(), ()), "depths"),
    ],
)
def test_refusals(make: Callable[[], object], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.parameter == parameter
