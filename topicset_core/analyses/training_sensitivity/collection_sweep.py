"""A sweep made here: a small collection searched with every value of a parameter (input b)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topicset_core.collection import Run
from topicset_core.collection.settings import Settings
from topicset_core.collection.text_collection import TextCollection
from topicset_core.collection.topic import TopicFields
from topicset_core.errors import InputError
from topicset_core.progress import Report, silently
from topicset_core.retrieval import (
    BM25,
    MODELS,
    SWEEP_OF_B,
    SWEEP_OF_C,
    SWEEP_OF_EXPAND_DOCUMENTS,
    SWEEP_OF_EXPAND_TERMS,
    Expansion,
    Model,
    Search,
    build_index,
    build_queries,
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
    settings: Settings
    n_documents: int


def model_named(name: str) -> type[Model]:
    """Return BM25 or PL2.

    Raises
    ------
    InputError
        If the name is that of neither.
    """
    known: dict[str, type[Model]] = {model().name: model for model in MODELS}
    if name not in known:
        raise InputError("model", name, f"must be {' or '.join(known)}")
    return known[name]


def sweep_collection(
    collection: TextCollection,
    model: str,
    *,
    values: Sequence[float] | None = None,
    expansions: Sequence[Expansion] = (),
    fields: TopicFields = "title",
    report: Report = silently,
) -> CollectionSweep:
    """Search a collection with every setting; 1,000 documents a topic.

    Parameters
    ----------
    collection : TextCollection
        Documents and topics.
    model : {"bm25", "pl2"}
        Weighting model.
    values : sequence of float, optional
        Of b or c; by default `SWEEP_OF_B` or `SWEEP_OF_C`, and with expansions the model's default alone.
    expansions : sequence of Expansion, optional
        Query expansions to sweep besides, such as `EXPANSIONS`.
    fields : {"title", "full"}
        What of a topic is searched with.
    report : callable
        Takes the fraction done, after each run.

    Raises
    ------
    InputError
        If the model is unknown, a value is out of its range, or there are fewer than 2 settings.
    """
    kind = model_named(model)
    name = kind.parameter
    if values is not None:
        swept = tuple(values)
    elif expansions:
        swept = (float(getattr(kind(), name)),)
    else:
        swept = SWEEP_OF_B if kind is BM25 else SWEEP_OF_C
    if len(swept) * max(len(expansions), 1) < 2:
        raise InputError("values", swept, "must be at least 2 settings to choose between")
    models = [kind(**{name: value}) for value in swept]
    index = build_index(collection.documents)
    search = Search(index, build_queries(collection.topics, index, fields))
    asked: list[tuple[Model, Expansion | None]] = [
        (one, expansion) for one in models for expansion in (expansions or (None,))
    ]
    runs = []
    for done, (one, expansion) in enumerate(asked, start=1):
        runs.append(search.run(one, expansion))
        report(done / len(asked))
    columns: dict[str, list[float]] = {name: [float(getattr(one, name)) for one, _ in asked]}
    if expansions:
        columns["exp_doc"] = [float(expansion.documents) for _, expansion in asked if expansion]
        columns["exp_term"] = [float(expansion.terms) for _, expansion in asked if expansion]
    varying = [parameter for parameter, column in columns.items() if len(set(column)) > 1]
    settings = Settings(
        parameters=tuple(varying),
        systems=tuple(run.tag for run in runs),
        values=np.array([columns[parameter] for parameter in varying]).T,
    )
    return CollectionSweep(runs=tuple(runs), settings=settings, n_documents=len(collection.documents))
