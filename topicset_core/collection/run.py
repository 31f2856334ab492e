"""The documents that one system returned for each topic, best first, pools of several runs, settings of a sweep."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError


def check_layout(topics: Sequence[str], starts: NDArray[np.int64], documents: NDArray[np.bytes_]) -> None:
    """Refuse arrays that do not fit together; parsers refuse repeated documents, which costs as much as reading."""
    if not topics or len(set(topics)) != len(topics):
        raise InputError("topics", len(topics), "must be at least 1 topic, without repeats")
    if starts.shape != (len(topics) + 1,) or starts[0] != 0 or (np.diff(starts) < 1).any():
        raise InputError("starts", starts.shape, "must rise from 0, one more than topics")
    if documents.dtype.kind != "S" or documents.shape != (int(starts[-1]),):
        raise InputError("documents", documents.shape, "must be bytes, as many as the last of starts")


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """Ranked documents of one system.

    Documents are in trec_eval's order: score descending, then document id descending by bytes, whatever
    a rank column contains. `topicset_core.parsing.trec.runs` makes runs from files and defines how a score is
    there.

    Parameters
    ----------
    tag : str
        Name of the run, as its file gives it.
    topics : tuple of str
        Topics that the run returns documents for, unique, in the order of the file.
    starts : ndarray of int64, shape (n_topics + 1,)
        Documents of topic i are ``documents[starts[i]:starts[i + 1]]``; each topic has at least one.
    documents : ndarray of bytes, shape (n_documents,)
        Document ids in UTF-8, best first within a topic, unique there.
    n_tied : int
        Documents whose score is that of another document of the same topic: their order is that of
        their ids and not the system's.
    scores : ndarray of float64, shape (n_documents,), optional
        The score that the system gave each document, all finite; None where they were not kept, as only
        analyses of the scores themselves need them. If the run was read in single precision, scores that
        are equal there need not fall in double precision.

    Raises
    ------
    InputError
        If the tag is blank, or the arrays do not fit together, or a score is not finite.
    """

    tag: str
    topics: tuple[str, ...]
    starts: NDArray[np.int64]
    documents: NDArray[np.bytes_]
    n_tied: int = 0
    scores: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        if not self.tag.strip():
            raise InputError("tag", self.tag, "must be a name")
        check_layout(self.topics, self.starts, self.documents)
        if self.scores is not None:
            if self.scores.shape != self.documents.shape or self.scores.dtype != np.float64:
                raise InputError(
                    "scores", self.scores.shape, "must be numbers of 64 bits, as many as documents"
                )
            if not np.isfinite(self.scores).all():
                raise InputError("scores", self.tag, "must all be finite")

    @property
    def n_topics(self) -> int:
        """Number of topics that the run returns documents for."""
        return len(self.topics)

    @property
    def depths(self) -> NDArray[np.int64]:
        """Number of documents returned for each topic."""
        return np.diff(self.starts)


def trec_run(run: Run) -> bytes:
    """Write a run as TREC does (topic, Q0, document, rank, score, tag), so that it reads back in the same order."""
    if run.scores is None:
        raise InputError("scores", None, "must be kept when the run is read")
    for what, name in (("tag", run.tag), *(("topic", topic) for topic in run.topics)):
        if name.split() != [name]:
            raise InputError(what, name, "must be without white space, which separates columns")
    ranks = np.arange(run.documents.size) - np.repeat(run.starts[:-1], run.depths) + 1
    single = run.scores.astype(np.float32)
    rows = zip(
        np.repeat(np.array(run.topics, dtype=object), run.depths).tolist(),
        run.documents.tolist(),
        ranks.tolist(),
        (single if np.array_equal(single, run.scores) else run.scores).astype(str).tolist(),
        strict=True,
    )
    return "".join(
        f"{topic} Q0 {document.decode()} {rank} {score} {run.tag}\n" for topic, document, rank, score in rows
    ).encode()


@dataclass(frozen=True, kw_only=True, eq=False)
class Pool:
    """How many documents per pool of each depth has."""

    topics: tuple[str, ...]  # topics that some run has, in the order of the runs or of the request
    # (n_topics, deepest): documents of each topic in the pool of depth 1, 2, and so on
    sizes: NDArray[np.int64]

    @property
    def deepest(self) -> int:
        """Largest depth that was counted."""
        return int(self.sizes.shape[1])

    def documents_per_topic(self, depth: int) -> float:
        """Return the mean size of a pool of this depth."""
        if not 1 <= depth <= self.deepest:
            raise InputError("pool_depth", depth, f"must be from 1 to {self.deepest}")
        return float(self.sizes[:, depth - 1].mean())


def pooled_documents(runs: Sequence[Run], deepest: int, topics: Sequence[str] | None = None) -> Pool:
    """Count the documents that runs contribute to pools of every depth."""
    if not runs:
        raise InputError("runs", 0, "must be at least 1 run")
    if deepest < 1:
        raise InputError("pool_depth", deepest, "must be at least 1")
    returned = dict.fromkeys(topic for run in runs for topic in run.topics)
    counted = tuple(returned if topics is None else (topic for topic in topics if topic in returned))
    if not counted:
        raise InputError("topics", 0, "must be at least 1 topic that some run has")
    rows = [{topic: row for row, topic in enumerate(run.topics)} for run in runs]
    sizes = np.empty((len(counted), deepest), dtype=np.int64)
    for place, topic in enumerate(counted):
        tops = [
            run.documents[run.starts[row] : min(run.starts[row] + deepest, run.starts[row + 1])]
            for run, of_run in zip(runs, rows, strict=True)
            if (row := of_run.get(topic)) is not None
        ]
        ranks = np.concatenate([np.arange(top.size) for top in tops])
        # By rank, so that the first of each document is its best.
        order = np.argsort(ranks, kind="stable")
        _, first = np.unique(np.concatenate(tops)[order], return_index=True)
        sizes[place] = np.cumsum(np.bincount(ranks[order][first], minlength=deepest))
    return Pool(topics=counted, sizes=sizes)


@dataclass(frozen=True, kw_only=True, eq=False)
class Settings:
    """Values of parameters, one row per run."""

    parameters: tuple[str, ...]
    systems: tuple[str, ...]  # runs, unique
    values: NDArray[np.float64]  # (n_systems, n_parameters): all finite, no row twice

    def __post_init__(self) -> None:
        for parameter, ids in (("parameters", self.parameters), ("systems", self.systems)):
            if len(set(ids)) < len(ids) or not all(document.strip() for document in ids):
                raise InputError(parameter, ids, "must be names that are not blank and not repeated")
        expected = (len(self.systems), len(self.parameters))
        if self.values.shape != expected or not np.isfinite(self.values).all():
            raise InputError("values", self.values.shape, f"must be finite numbers, {expected}")
        seen: dict[tuple[float, ...], str] = {}
        for system, row in zip(self.systems, map(tuple, self.values.tolist()), strict=True):
            if self.parameters and row in seen:
                rule = f"must be a setting with unique values; {seen[row]!r} has the same values"
                raise InputError("run", system, rule)
            seen[row] = system

    def of(self, systems: Sequence[str]) -> "Settings":
        """Return the settings of these runs, in their order."""
        rows = {system: row for row, system in enumerate(self.systems)}
        for system in systems:
            if system not in rows:
                raise InputError("run", system, "must have values of the parameters")
        return Settings(
            parameters=self.parameters,
            systems=tuple(systems),
            values=self.values[[rows[system] for system in systems]],
        )

    def text(self, system: int) -> str:
        """Write one setting: "b = 0.75, k1 = 1.2", or the name of the run without parameters."""
        pairs = zip(self.parameters, self.values[system].tolist(), strict=True)
        return ", ".join(f"{name} = {value:g}" for name, value in pairs) or self.systems[system]


def without_parameters(systems: Sequence[str]) -> Settings:
    """Return runs as alternatives that have no numbers."""
    return Settings(parameters=(), systems=tuple(systems), values=np.zeros((len(systems), 0)))
