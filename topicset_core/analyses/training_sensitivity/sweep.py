"""A parameter sweep, ready to be trained on: runs, their parameter values, and judgments.

The runs are the user's, or are made here: a small collection searched with every value of a parameter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from topicset_core.analyses.training_sensitivity.request import ASSUMED_POOL, AssumedPool
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Settings
from topicset_core.collection.text_collection import TextCollection, TopicFields
from topicset_core.errors import InputError
from topicset_core.progress import ReportProgress, silently
from topicset_core.retrieval import (
    MODELS,
    SWEEP_OF_EXPAND_DOCUMENTS,
    SWEEP_OF_EXPAND_TERMS,
    Expansion,
    Search,
    build_index,
    build_queries,
)
from topicset_core.wording import counted

ASSUMED_DEPTH = 100
"""Depth of the pool that is assumed, as of TREC's."""

FEW_NOT_RELEVANT = 10.0
"""Judged non-relevant documents per topic below which a pool is assumed.

Buckley and Voorhees (SIGIR 2004) kept at least 10 per topic when they sampled, as bpref needs them.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """Runs of one system under many settings.

    Parameters
    ----------
    runs : JudgedRuns
        Joined with the judgments.
    settings : Settings
        In the order of the runs.
    assumed_depth : int or None
        Depth of the pool whose unlisted documents count as judged not relevant; None where the
        judgments do not change.
    notes : tuple of str
        The assumptions, in sentences.
    """

    runs: JudgedRuns
    settings: Settings
    assumed_depth: int | None
    notes: tuple[str, ...]


def sweep_of(
    runs: Sequence[Run],
    qrels: Qrels,
    settings: Settings,
    *,
    relevance_level: int = 1,
    assumed_pool: AssumedPool = "auto",
) -> Sweep:
    """Join the runs of a sweep with judgments.

    Collections such as NPL and Cranfield list relevant documents and hardly any other. To remove
    judgments from them, and for bpref, the first `ASSUMED_DEPTH` documents of every run are then taken
    for a pool, and unlisted documents of it for judged not relevant.

    Parameters
    ----------
    runs : sequence of Run
        At least 2.
    qrels : Qrels
        All judgments.
    settings : Settings
        Of at least these runs.
    relevance_level : int
        Lowest relevant grade.
    assumed_pool : {"auto", "never", "always"}
        Whether to assume a pool; auto does so where fewer than `FEW_NOT_RELEVANT` documents per topic are
        judged not relevant.

    Raises
    ------
    InputError
        If there are fewer than 2 runs, one has no settings or no topic of the judgments, or
        `assumed_pool` is unknown.
    """
    ASSUMED_POOL.check(assumed_pool)
    if len(runs) < 2:
        raise InputError("runs", len(runs), "must be at least 2, to choose between")
    not_relevant = int(((qrels.grades >= 0) & (qrels.grades < relevance_level)).sum())
    few = not_relevant < FEW_NOT_RELEVANT * qrels.n_topics
    notes: tuple[str, ...] = ()
    depth = None
    if assumed_pool == "always" or (assumed_pool == "auto" and few):
        pooled = with_assumed_pool(runs, qrels, ASSUMED_DEPTH)
        added = pooled.grades.size - qrels.grades.size
        if added:  # else all of it is listed, and nothing is assumed
            depth = ASSUMED_DEPTH
            notes = (
                f"{qrels.name} lists {counted(not_relevant, 'document')} as judged not relevant for "
                f"{counted(qrels.n_topics, 'topic')}. A pool is assumed: the first {depth} of each of the "
                f"{len(runs)} runs; {added:,} of its documents are not listed and count as judged not relevant.",
            )
            qrels = pooled
    judged = join(runs, qrels)
    return Sweep(runs=judged, settings=settings.of(judged.systems), assumed_depth=depth, notes=notes)


def with_assumed_pool(runs: Sequence[Run], qrels: Qrels, depth: int) -> Qrels:
    """Return the judgments with a grade of 0 for every unlisted document among the first of some run."""
    width = max(qrels.documents.dtype.itemsize, *(run.documents.dtype.itemsize for run in runs))
    rows = [{topic: row for row, topic in enumerate(run.topics)} for run in runs]
    documents, grades, starts = [], [], [0]
    for place, topic in enumerate(qrels.topics):
        listed = qrels.documents[qrels.starts[place] : qrels.starts[place + 1]]
        tops = [
            run.documents[run.starts[row] : min(run.starts[row] + depth, run.starts[row + 1])]
            for run, of_run in zip(runs, rows, strict=True)
            if (row := of_run.get(topic)) is not None
        ]
        pool = np.setdiff1d(np.concatenate(tops), listed) if tops else listed[:0]
        documents.append(np.concatenate([listed, pool]).astype(f"S{width}"))
        own = qrels.grades[qrels.starts[place] : qrels.starts[place + 1]]
        grades.append(np.concatenate([own, np.zeros(pool.size, dtype=own.dtype)]))
        starts.append(starts[-1] + documents[-1].size)
    begins = np.array(starts, dtype=np.int64)
    intents = qrels.intents
    if intents is not None:  # the documents that were listed are first in their topics, in their order
        moved = (begins - qrels.starts)[qrels.topic_of[intents.judgments]]
        intents = replace(intents, judgments=(intents.judgments + moved).astype(np.int32))
    return Qrels(
        name=qrels.name,
        topics=qrels.topics,
        starts=begins,
        documents=np.concatenate(documents),
        grades=np.concatenate(grades),
        intents=intents,
    )


EXPANSIONS = tuple(
    Expansion(documents=documents, terms=terms)
    for documents in SWEEP_OF_EXPAND_DOCUMENTS
    for terms in SWEEP_OF_EXPAND_TERMS
)
"""The paper's two-dimensional sweep, 8 x 19 settings."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CollectionSweep:
    """Runs of a sweep with their settings, and the size of the collection."""

    runs: tuple[Run, ...]
    settings: Settings  # the parameter values of each run
    n_documents: int


def sweep_collection(
    collection: TextCollection,
    model: str,
    *,
    expansions: Sequence[Expansion] = (),
    fields: TopicFields = "title",
    report_progress: ReportProgress = silently,
) -> CollectionSweep:
    """Search a collection with every setting; 1,000 documents per topic."""
    known = {kind.name: kind for kind in MODELS}
    if model not in known:
        raise InputError("model", model, f"must be {' or '.join(known)}")
    kind = known[model]
    name = kind.parameter.name
    models = [kind()] if expansions else [kind(**{name: value}) for value in kind.swept]
    index = build_index(collection.documents)
    search = Search(index, build_queries(collection.topics, index, fields))
    requested = list(product(models, expansions or (None,)))
    runs = []
    for done, (swept, expansion) in enumerate(requested, start=1):
        runs.append(search.run(swept, expansion))
        report_progress(done / len(requested))
    columns: dict[str, list[float]] = {name: [swept.trained for swept, _ in requested]}
    if expansions:
        columns["exp_doc"] = [float(expansion.documents) for _, expansion in requested if expansion]
        columns["exp_term"] = [float(expansion.terms) for _, expansion in requested if expansion]
    varying = [parameter for parameter, column in columns.items() if len(set(column)) > 1]
    settings = Settings(
        parameters=tuple(varying),
        systems=tuple(run.tag for run in runs),
        values=np.array([columns[parameter] for parameter in varying]).T,
    )
    return CollectionSweep(runs=tuple(runs), settings=settings, n_documents=len(collection.documents))
