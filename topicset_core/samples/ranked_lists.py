"""From simulated scores of documents to runs, the pool of their best documents, and its judgments."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.collection.intents import Intents
from topicset_core.errors import InputError

Places = NDArray[np.intp]


def generator(seed: int) -> np.random.Generator:
    """Return the generator of a seed.

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError("seed", seed, "must be a whole number of at least 0")
    return np.random.Generator(np.random.PCG64(int(seed)))


def ranked_runs(
    topics: tuple[str, ...],
    tags: Sequence[str],
    scores: Sequence[NDArray[np.float64]],
    *,
    depth: int,
    pool_depth: int,
    keep_scores: bool = True,
) -> tuple[list[Run], list[Places]]:
    """Return the runs and, for each topic, the documents that one of them has among its best.

    Parameters
    ----------
    topics : tuple of str
        Ids.
    tags : sequence of str
        Names of the runs.
    scores : sequence of ndarray of float64, shape (n_runs, n_documents)
        Of each topic.
    depth, pool_depth : int
        Documents in each list, and how many of them are pooled.
    keep_scores : bool
        Whether runs carry their scores.
    """
    best = np.stack([np.argsort(-one, axis=1)[:, :depth] for one in scores])  # (n_topics, n_runs, depth)
    names = _documents(topics, scores[0].shape[1])
    rows = np.arange(len(topics))[:, None]
    runs = [
        Run(
            tag=tag,
            topics=topics,
            starts=np.arange(len(topics) + 1, dtype=np.int64) * depth,
            documents=names[rows, best[:, place]].ravel(),
            scores=np.concatenate([one[place, best[row, place]] for row, one in enumerate(scores)])
            if keep_scores
            else None,
        )
        for place, tag in enumerate(tags)
    ]
    return runs, [np.unique(of_topic[:, :pool_depth]) for of_topic in best]


def pooled_judgments(
    name: str,
    topics: tuple[str, ...],
    pools: Sequence[Places],
    grades: Sequence[NDArray[np.int16]],
    intents: Intents | None = None,
) -> Qrels:
    """Return the judgments of pools; grades, (n_documents,) of each topic, of all its documents."""
    names = _documents(topics, grades[0].size)
    return Qrels(
        name=name,
        topics=topics,
        starts=np.cumsum([0, *(pool.size for pool in pools)], dtype=np.int64),
        documents=np.concatenate([names[row, pool] for row, pool in enumerate(pools)]),
        grades=np.concatenate([of_topic[pool] for of_topic, pool in zip(grades, pools, strict=True)]),
        intents=intents,
    )


def _documents(topics: tuple[str, ...], n_documents: int) -> NDArray[np.bytes_]:
    return np.array(
        [[f"{topic}-{number:03d}" for number in range(n_documents)] for topic in topics], dtype=np.bytes_
    )
