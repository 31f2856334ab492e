"""Relevant documents of every cell: one topic in one run, with how deep the run goes there.

A cell is numbered ``topic * n_systems + system``. Documents that are not judged count as not relevant,
as they do in AP. The order of documents is the run's, so that tied scores are in trec_eval's order
(document id, descending) in every simulated list as they do in the real one. Topics that no run has are
left out: there is nothing to draw, and rows of zeros would make every difference smaller.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_variance.request import Request
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.run import Run
from topicset_core.errors import InputError
from topicset_core.measures.graded_runs import GradedRuns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Cells:
    """Where the relevant documents are."""

    # Rows and columns of every table
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    collection: str
    # (n_cells + 1,): relevant documents of a cell are `ranks[starts[cell]:starts[cell + 1]]`
    starts: Ints = field(repr=False)
    ranks: Ints = field(repr=False)  # (n_relevant_retrieved,): from 1, ascending within a cell
    depths: Ints = field(repr=False)  # (n_topics, n_systems): documents that the run returned
    n_relevant: Ints = field(repr=False)  # (n_topics,): relevant documents of the topic, R
    n_unjudged: int  # documents of all lists that are not judged, and count as not relevant
    # For each run, documents with the score of another one of the same topic, whose order is that of their
    # ids
    n_tied: tuple[int, ...]
    left_out: tuple[str, ...] = ()  # judged topics that no run has

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return len(self.topics)

    @property
    def n_systems(self) -> int:
        """Number of runs."""
        return len(self.systems)

    @property
    def n_found(self) -> Ints:
        """Relevant documents that each run returned, r, shape (n_topics, n_systems)."""
        return np.diff(self.starts).reshape(self.depths.shape)


@dataclass(frozen=True, eq=False)
class JudgedDocuments:
    """Judged runs of one collection, and the same runs with their documents and scores."""

    judged: JudgedRuns
    runs: Sequence[Run] = ()
    _cells: dict[int, Cells] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Name of the judgments."""
        return self.judged.qrels.name

    @cached_property
    def digest(self) -> str:
        """SHA-256 of judgments, documents and scores."""
        state = hashlib.sha256(self.judged.digest.encode())
        for run in self.runs:
            for array in (run.starts, run.documents, *([] if run.scores is None else [run.scores])):
                state.update(np.ascontiguousarray(array).tobytes())
        return state.hexdigest()

    def cells(self, relevance_level: int) -> Cells:
        """Return the relevant documents from a grade on; found once."""
        if relevance_level not in self._cells:
            self._cells[relevance_level] = cells_of(self.judged, relevance_level)
        return self._cells[relevance_level]


def cells_of(judged_runs: JudgedRuns, relevance_level: int) -> Cells:
    """Return the cells of judged runs."""
    if judged_runs.n_systems < 2:
        raise InputError("runs", judged_runs.n_systems, "must be at least 2 runs to compare")
    returned = judged_runs.n_retrieved.max(axis=1) > 0
    if returned.sum() < 2:
        rule = "must be at least 2 topics that some run has, for a t test"
        raise InputError("topics", int(returned.sum()), rule)
    largest = int(judged_runs.qrels.grades.max())
    if relevance_level > largest:
        rule = f"must be at most {largest}, the largest grade in the qrels"
        raise InputError("relevance_level", relevance_level, rule)
    graded = GradedRuns(judged_runs)
    relevant = graded.relevant(relevance_level)
    n_found = np.diff(relevant.starts).reshape(judged_runs.n_retrieved.shape)[returned]
    cells = Cells(
        topics=tuple(compress(judged_runs.topics, returned)),
        systems=judged_runs.systems,
        collection=judged_runs.qrels.name,
        starts=np.concatenate([[0], np.cumsum(n_found)]).astype(np.int64),
        ranks=relevant.ranks,
        depths=judged_runs.n_retrieved[returned].astype(np.int64),
        n_relevant=graded.n_relevant(relevance_level)[returned].astype(np.int64),
        n_unjudged=int(judged_runs.n_retrieved.sum() - np.count_nonzero(graded.at >= 0)),
        n_tied=judged_runs.n_tied,
        left_out=tuple(compress(judged_runs.topics, ~returned)),
    )
    barren = np.flatnonzero(cells.n_found.sum(axis=0) == 0)
    if barren.size:
        tag = cells.systems[int(barren[0])]
        rule = (
            f"must have a relevant document (grade {relevance_level} or above) on some topic; no relevant "
            "document was found on "
            f"any of the {cells.n_topics:,} judged topics, so there are no scores to draw from"
        )
        raise InputError("runs", tag, rule)
    return cells


def raw_scores(cells: Cells, request: Request) -> Floats:
    """Return the original scores of the runs, (n_topics, n_systems); 0 if no document was returned."""
    cutoff = np.iinfo(np.int64).max if request.depth is None else request.depth
    cell_of = np.repeat(np.arange(cells.depths.size), np.diff(cells.starts))
    nth = np.arange(cells.ranks.size) - cells.starts[cell_of] + 1
    terms: Floats = np.ones(cells.ranks.size)
    divisors = cells.n_relevant.astype(np.float64)
    if request.kind == "AP":
        terms = nth / cells.ranks
    elif request.kind == "P":
        divisors = np.full(cells.n_topics, float(cutoff))
    elif request.kind == "RR":
        terms, divisors = (nth == 1) / cells.ranks, np.ones(cells.n_topics)
    elif request.kind == "nDCG":
        terms = 1.0 / np.log2(cells.ranks + 1.0)
        ideal = np.cumsum(1.0 / np.log2(np.arange(cells.n_relevant.max()) + 2.0))
        divisors = np.append(0.0, ideal)[np.minimum(cells.n_relevant, cutoff)]
    seen = cells.ranks <= cutoff
    totals = np.bincount(cell_of[seen], terms[seen], cells.depths.size).reshape(cells.depths.shape)
    scores: Floats = np.zeros(totals.shape)
    return np.divide(totals, divisors[:, None], out=scores, where=divisors[:, None] > 0)
