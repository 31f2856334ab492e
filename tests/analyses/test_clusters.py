"""Heavy work on a cluster: Dask's executor, two processes on this machine, the same result bit for bit."""

import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.request import HeldOutRequest, Request
from topicset_core.errors import InputError
from topicset_core.progress import Cancelled

pytestmark = pytest.mark.cluster
MATRIX = random_matrix(40, 60, seed=31, decimals=4)  # 19 kB, so that it travels on its own


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    from dask.distributed import LocalCluster

    # Port 0: any that is free, as another worker of the tests may have a cluster of its own.
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def dask(scheduler: str) -> Iterator[Executor]:
    from dask.distributed import Client

    with Client(scheduler) as client:
        yield client.get_executor(pure=False)


def test_the_example_of_the_documentation(scheduler: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
    example, whole = re.findall(r"```python\n(from dask.*?)```", text, flags=re.DOTALL)
    named: dict[str, object] = {"scores": random_matrix(8, 10, seed=1, decimals=4)}
    exec(compile(example.replace("tcp://scheduler:8786", scheduler), "command-line.md", "exec"), named)
    alone = held_out_curve(named["scores"], HeldOutRequest(hold_out="runs", goodness="pearson"))  # type: ignore[arg-type]
    assert named["curve"] == alone
    # The whole program starts a cluster of its own and takes minutes: here only its imports.
    exec(compile(whole, "command-line.md", "exec"), {"__name__": "imported"})


@pytest.fixture(scope="module")
def executors(dask: Executor) -> Iterator[tuple[Executor, ...]]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        yield dask, process


def test_held_out_experiments(executors: tuple[Executor, ...]) -> None:
    runs = HeldOutRequest(
        hold_out="runs", goodness="pearson", n_splits=8, cardinalities=(3, 10, 31), n_trials=20
    )
    topics = replace(runs, hold_out="topics", goodness="kendall", cardinalities=(3, 10), n_splits=3)
    alone = held_out_curve(MATRIX, runs), held_out_curve(MATRIX, topics)
    for executor in executors:
        assert held_out_curve(MATRIX, runs, executor=executor) == alone[0]
        assert held_out_curve(MATRIX, topics, executor=executor) == alone[1]


def test_trials_of_the_error_rate_experiment(executors: tuple[Executor, ...]) -> None:
    alone = error_rates(MATRIX, cardinalities=[5, 20], n_trials=2000, seed=3)
    for executor in executors:
        result = error_rates(MATRIX, cardinalities=[5, 20], n_trials=2000, seed=3, executor=executor)
        assert np.array_equal(result.counts, alone.counts)


@pytest.mark.parametrize("goodness", ["pearson", "error-rate"])
def test_restarts_and_cardinalities_of_subsets(dask: Executor, goodness: str) -> None:
    request = Request(
        goodness=goodness,  # type: ignore[arg-type]
        cardinalities=(2, 3, 12, 25, 38),
        method="local",
        n_trials=200,
        effort=0.5,
    )
    assert subset_curve(MATRIX, request, executor=dask) == subset_curve(MATRIX, request)


def test_proofs_and_open_sizes(executors: tuple[Executor, ...]) -> None:
    # 14 of 40 are too many to enumerate; 60,000 nodes prove the worst set and leave a bound of the best.
    request = Request(
        goodness="pearson", cardinalities=(14,), method="exact", n_trials=50, effort=0.1, nodes=60_000
    )
    alone = subset_curve(MATRIX, request)
    assert alone.points[0].best is not None
    assert alone.points[0].worst is not None
    assert [alone.points[0].best.status, alone.points[0].worst.status] == ["gap", "proved"]
    for executor in executors:
        assert subset_curve(MATRIX, request, executor=executor) == alone


def test_errors_are_returned_and_work_can_be_cancelled(dask: Executor) -> None:
    flat = replace(MATRIX, scores=np.tile(MATRIX.scores[:, :1], 60))
    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=20, cardinalities=(3,))
    with pytest.raises(InputError) as caught:
        held_out_curve(flat, request, executor=dask)
    assert caught.value.parameter == "systems"  # one unit of equal runs cannot be split

    def stop(fraction: float) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        held_out_curve(MATRIX, request, report_progress=stop, executor=dask)
    assert held_out_curve(MATRIX, request, executor=dask).points  # the cluster goes on


def test_a_worker_that_is_killed_changes_nothing(scheduler: str) -> None:
    from dask.distributed import Client

    request = HeldOutRequest(hold_out="runs", goodness="pearson", n_splits=60, cardinalities=(3, 10))
    with Client(scheduler) as client:
        of_workers = list(client.run(os.getpid).values())

        def kill(fraction: float) -> None:
            if fraction > 0 and len(of_workers) == 2:  # the first of many batches: both workers have some
                os.kill(of_workers.pop(), signal.SIGKILL)

        executor = client.get_executor(pure=False)
        result = held_out_curve(MATRIX, request, report_progress=kill, executor=executor)
    assert len(of_workers) == 1
    assert result == held_out_curve(MATRIX, request)
