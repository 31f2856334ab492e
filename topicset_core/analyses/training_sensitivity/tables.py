"""Tables 1 to 5 and figures 1 to 3 of He, Macdonald and Ounis (2008): all that is counted from an experiment.

Table 1 is how complete judgments are, also at each level. Tables 2 and 3 and the curves give how good the settings
are that each measure chose.

Tables 4 and 5 show how stable trainings on few judgments are, by 1/sigma_opt and 1/sigma_diff and sign tests.
sigma_opt is the standard deviation, over the samples of a level, of the value that a measure chose for a
parameter (table 4 of the paper). sigma_diff(X) is that of |X(M) - X(reference)|, the difference in test
effectiveness between the settings that the two measures chose (table 5).

Both are compared as standard deviations: a smaller one is a larger inverse, and one of 0 is smaller than
any other, though its inverse is no number. Two that are equal, among them two of 0, tie. A deviation is
exactly 0 where all samples have one value; computed, it may be 1e-17, and its inverse absurd.

Table 5 compares sigma_diff(M), on the scale of M, with sigma_diff(MAP), on that of MAP; a measure whose
scores spread less wins for that alone. The scale-free version divides each by the standard deviation of X
over all settings of the sweep on the same test topics: by what there was to be won or lost.

`paper_tables` makes tables 2 (BM25) and 3 (PL2) with all their settings. Each has a block per kind of query
(titles; all three fields, where topics have them) without and with query expansion. Without expansion b or c is
trained; with it, the numbers of documents and terms of Bo1, at the default b or c. The paper tested TREC 6, 7, 9
and 10; here two halves of the topics are tested.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import (
    Floats,
    Ints,
    Trained,
    TrainingSensitivity,
    trained_on_all,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.request import COMPLETE, LOW, Request, Task
from topicset_core.analyses.training_sensitivity.significance import (
    SIGNIFICANT,
    doubled_ranks,
    sign_test,
    signed_rank,
)
from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, sweep_collection, sweep_of
from topicset_core.collection.run import Settings
from topicset_core.collection.text_collection import TextCollection, TopicFields
from topicset_core.errors import InputError
from topicset_core.exports.tables import Row
from topicset_core.retrieval import MODELS


def collection_facts(sensitivity: TrainingSensitivity, n_documents: int | None = None) -> Row:
    """Return the row of table 1: how complete the judgments are to begin with."""
    most = int(sensitivity.n_judged.max())
    if n_documents is not None and n_documents < most:
        rule = f"must be at least {most:,}, the documents judged for one topic"
        raise InputError("n_documents", n_documents, rule)
    relevant = float(sensitivity.n_relevant.mean())
    return {
        "collection": sensitivity.collection,
        "n_topics": len(sensitivity.topics),  # that are trained or tested on
        "n_documents": n_documents,
        "relevant_per_topic": relevant,
        "judged_per_topic": float(sensitivity.n_judged.mean()),
        # Over documents of the collection: the last column of table 1
        "relevant_share": None if n_documents is None else relevant / n_documents,
    }


def level_facts(sensitivity: TrainingSensitivity) -> tuple[Row, ...]:
    """Return the state at each level, and with all judgments last, as means over samples."""
    facts = {
        level: _facts(sensitivity, level, sensitivity.trained, place)
        for place, level in enumerate(sensitivity.levels)
    }
    facts.setdefault(COMPLETE, _facts(sensitivity, COMPLETE, sensitivity.complete, 0))
    return tuple(facts.values())


def _facts(sensitivity: TrainingSensitivity, level: float, trained: Trained, place: int) -> Row:
    n_topics = len(sensitivity.topics)
    lost = float(trained.n_lost[place].mean())
    scores = trained.mean_scores[place]
    some_left = scores[trained.n_lost[place] < n_topics, :, 1:]
    kept = some_left.mean(axis=0) if some_left.size else np.zeros(some_left.shape[1:])
    return {
        "level": level,  # percent of the judgments
        # Documents that stay judged, and relevant ones among them
        "judged_per_topic": float(trained.n_judged[place].mean()) / n_topics,
        "relevant_per_topic": float(trained.n_relevant[place].mean()) / n_topics,
        "lost_topics": lost,  # topics left without a relevant document
        "lost_share": lost / n_topics,
        # By each measure, mean over all runs and all topics, over topics with a relevant document left, and over
        # these by all judgments
        "scores": tuple(scores[..., 0].mean(axis=0).tolist()),
        "scores_kept": tuple(kept[:, 0].tolist()),
        "scores_complete": tuple(kept[:, 1].tolist()),
        # Trainings, over samples and tasks, in which several settings shared the best score, by measure
        "n_tied": tuple((trained.n_tied[place] > 1).sum(axis=(0, 1)).tolist()),
    }


CONFIDENCE = 0.95


def complete_comparisons(sensitivity: TrainingSensitivity) -> tuple[Row, ...]:
    """Return tables 2 and 3: every X(Y) with X the reference or Y itself, by task; for the reference p is 1."""
    cells = []
    for place, task in enumerate(sensitivity.tasks):
        rows = sensitivity.test_rows[place]
        chosen = sensitivity.complete.chosen[0, 0, place]
        for x, y in _pairs(len(sensitivity.measures)):
            scores = sensitivity.scores[x][rows]
            own, reference = scores[:, chosen[y]], scores[:, chosen[0]]
            n_topics, p_value = signed_rank(own - reference)
            cells.append(
                {
                    "task": task.name,  # the test topics
                    "evaluated_by": sensitivity.measures[x],
                    "trained_by": sensitivity.measures[y],
                    "score": float(own.mean()),
                    "reference_score": float(reference.mean()),
                    "n_topics": n_topics,  # test topics on which the two settings differ
                    "p_value": p_value,
                    "setting": sensitivity.settings.text(int(chosen[y])),
                    # Settings that shared the best training score
                    "n_tied": int(sensitivity.complete.n_tied[0, 0, place, y]),
                    "mark": ">" if p_value <= SIGNIFICANT else "",  # as in the paper
                }
            )
    return tuple(cells)


def curves(sensitivity: TrainingSensitivity) -> tuple[Row, ...]:
    """Return figure 2, every X(Y) with X the reference or M, Y the reference or the same M: means, then by task.

    Intervals are t intervals over the samples of a level: of drawing judgments, not topics.
    """
    effectiveness = sensitivity.effectiveness
    tasks: list[tuple[str, Floats]] = [("", effectiveness.mean(axis=2))]
    if len(sensitivity.tasks) > 1:
        tasks += [(task.name, effectiveness[:, :, place]) for place, task in enumerate(sensitivity.tasks)]
    points = []
    for name, of_task in tasks:
        for x, y in _pairs(len(sensitivity.measures)):
            for place, level in enumerate(sensitivity.levels):
                own = of_task[place, :, x, y]
                differences = own - of_task[place, :, x, 0]
                points.append(
                    {
                        "level": level,  # percent of the judgments
                        "task": name,  # the test topics
                        "evaluated_by": sensitivity.measures[x],
                        "trained_by": sensitivity.measures[y],
                        **_interval(own, "mean", "low", "high"),
                        # Of X(Y) - X(reference), sample by sample
                        **_interval(differences, "difference", "difference_low", "difference_high"),
                        "p_value": signed_rank(differences)[1],
                    }
                )
    return tuple(points)


def _interval(values: Floats, *names: str) -> Row:
    """Return the mean of samples, and the ends of its interval, under three names."""
    from scipy.special import stdtrit

    half = float(stdtrit(values.size - 1, (1 + CONFIDENCE) / 2) * values.std(ddof=1) / np.sqrt(values.size))
    mean = float(values.mean())
    return dict(zip(names, (mean, mean - half, mean + half), strict=True))


def _pairs(n_measures: int) -> list[tuple[int, int]]:
    """X and Y as places: MAP(MAP); then for each M MAP(M), M(M) and M(MAP)."""
    pairs = [(0, 0)]
    for m in range(1, n_measures):
        pairs += [(0, m), (m, m), (m, 0)]
    return pairs


Block = Literal["all", "low", "high"]
"""All levels; up to `LOW` percent; above."""

_EQUAL = 1e-9  # relative: standard deviations of the same values in another order
_ROUNDING = 1e-12  # of differences of means between 0 and 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Stability:
    """Standard deviations over the samples of each level."""

    of_parameters: Floats  # (n_levels, n_tasks, n_measures, n_parameters): sigma_opt of each parameter
    # (n_levels, n_tasks, n_measures): probability that two samples choose different settings: stability of
    # the choice itself, also where settings have no numbers
    disagreement: Floats
    # (n_levels, n_tasks, n_alternatives, 2): sigma_diff of each alternative M: by M itself, and by the
    # reference
    of_differences: Floats
    scale_free: Floats  # the same over the spread of the settings


def stability(sensitivity: TrainingSensitivity) -> Stability:
    """Return the standard deviations over samples."""
    chosen, effectiveness = sensitivity.trained.chosen, sensitivity.effectiveness
    n_samples = chosen.shape[1]
    same = (chosen[:, :, None] == chosen[:, None]).sum(axis=(1, 2)) - n_samples
    differences = _deviations(np.abs(effectiveness - effectiveness[..., :1]), _ROUNDING)
    spreads = sensitivity.test_means.std(axis=2, ddof=1)  # tasks, measures
    # Without spread no choice makes a difference, and the deviation is 0 too.
    scale_free = differences / np.where(spreads > 0, spreads, 1.0)[..., None]
    m = np.arange(1, len(sensitivity.measures))
    return Stability(
        of_parameters=_deviations(sensitivity.settings.values[chosen], 0.0),
        disagreement=1 - same / (n_samples * (n_samples - 1)),
        of_differences=np.stack([differences[..., m, m], differences[..., 0, m]], axis=-1),
        scale_free=np.stack([scale_free[..., m, m], scale_free[..., 0, m]], axis=-1),
    )


def comparisons(sensitivity: TrainingSensitivity, spreads: Stability | None = None) -> tuple[Row, ...]:
    """Return tables 4 and 5: each with all levels, the low and the high ones."""
    deviations = spreads or stability(sensitivity)
    own = {
        f"sigma_opt of {name}": deviations.of_parameters[..., number]
        for number, name in enumerate(sensitivity.settings.parameters)
    } | {"choice": deviations.disagreement}
    compared = {
        what: np.stack(np.broadcast_arrays(values[..., 1:], values[..., :1]), axis=-1)
        for what, values in own.items()
    } | {"sigma_diff": deviations.of_differences, "sigma_diff, scale-free": deviations.scale_free}
    return tuple(
        {"what": what, "block": block, "measure": measure}
        | _compared(block, both[:, :, place], sensitivity.levels)
        for what, both in compared.items()
        for place, measure in enumerate(sensitivity.alternatives)
        for block in get_args(Block)
    )


def _compared(block: Block, both: Floats, levels: tuple[float, ...]) -> Row:
    """Compare deviations of a measure with those of the reference, the last axis, in pairs of level and task."""
    inside = [block == "all" or (level <= LOW) == (block == "low") for level in levels]
    own, others = np.moveaxis(both[inside], -1, 0)
    equal = np.isclose(own, others, rtol=_EQUAL, atol=0.0)
    more, less = int(((own < others) & ~equal).sum()), int(((own > others) & ~equal).sum())
    p_value, mark = sign_test(more, less)
    return {
        # Pairs in which the measure is more, less, equally stable
        "test": {"more": more, "less": less, "tied": int(equal.sum())},
        "n_zero": int(((own == 0) | (others == 0)).sum()),  # pairs with a standard deviation of 0
        "p_value": p_value,
        "mark": mark,
    }


def _deviations(values: Floats, negligible: float) -> Floats:
    """Return standard deviations over samples, the second axis; 0 where values differ by rounding at most."""
    deviations: Floats = values.std(axis=1, ddof=1)
    deviations[np.ptp(values, axis=1) <= negligible] = 0.0
    return deviations


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface:
    """One measure over the settings of a sweep, on the training topics of one task."""

    # The measure, and the test topics
    measure: str
    task: str
    settings: Settings  # in the order of the arrays
    complete: Floats  # (n_systems,): mean score by all judgments
    chosen: int  # the setting chosen by all judgments
    level: float  # percent of the judgments for the rest
    sample: Floats  # (n_systems,): mean score in the first sample of the level
    times_chosen: Ints  # (n_systems,): in how many samples each setting is chosen


def surface(sensitivity: TrainingSensitivity, task: str, measure: str, level: float) -> Surface:
    """Return the training surface of a task by a measure, and the setting chosen at a level."""
    at = [one.name for one in sensitivity.tasks].index(task)
    by, place = sensitivity.measures.index(measure), sensitivity.levels.index(level)
    return Surface(
        measure=measure,
        task=task,
        settings=sensitivity.settings,
        complete=sensitivity.complete.means[0, 0, at, by],
        chosen=int(sensitivity.complete.chosen[0, 0, at, by]),
        level=level,
        sample=sensitivity.trained.means[place, 0, at, by],
        times_chosen=np.bincount(
            sensitivity.trained.chosen[place, :, at, by], minlength=len(sensitivity.settings.systems)
        ),
    )


def spearman(first: Floats, second: Floats) -> float | None:
    """Return Spearman's rho, tied values sharing their mean rank; None where either is constant."""
    ranks = [doubled_ranks(values).astype(np.float64) for values in (first, second)]
    a, b = (values - values.mean() for values in ranks)
    squares = float((a * a).sum() * (b * b).sum())
    return None if squares == 0 else float((a * b).sum() / np.sqrt(squares))


def agreements(sensitivity: TrainingSensitivity) -> tuple[Row, ...]:
    """Return figure 3: rho of each alternative with the reference at each level, and with all judgments."""
    surfaces = dict(zip(sensitivity.levels, sensitivity.trained.means, strict=True)) | {
        COMPLETE: sensitivity.complete.means[0]
    }
    points = []
    for place, measure in enumerate(sensitivity.alternatives, start=1):
        for level, means in surfaces.items():
            trainings = means.reshape(-1, *means.shape[-2:])  # samples and tasks together
            rhos = [spearman(training[0], training[place]) for training in trainings]
            known = [rho for rho in rhos if rho is not None]
            points.append(
                {
                    "level": level,
                    "measure": measure,
                    # Over samples and tasks: mean, range, and in how many a measure scores all settings the same
                    "rho": float(np.mean(known)) if known else None,
                    "lowest": min(known, default=None),
                    "highest": max(known, default=None),
                    "n_undefined": len(rhos) - len(known),
                }
            )
    return tuple(points)


def paper_tables(
    collection: TextCollection,
    tasks_of: Callable[[Sequence[str]], Sequence[Task]],  # from the topics that can be used
    request: Request,
) -> tuple[Row, ...]:
    """Search a collection with every setting of tables 2 and 3, and train on all judgments: a row per block."""
    if collection.qrels is None:
        raise InputError("qrels", None, "must be there: tables 2 and 3 are trained on judgments")
    has_fields = any(topic.has_fields for topic in collection.topics)
    kinds: list[TopicFields] = ["title", "full"] if has_fields else ["title"]
    blocks = []
    level = request.relevance_level
    for model, fields, expansion in product([model.name for model in MODELS], kinds, [False, True]):
        new = sweep_collection(collection, model, expansions=EXPANSIONS if expansion else (), fields=fields)
        sweep = sweep_of(
            new.runs,
            collection.qrels,
            new.settings,
            relevance_level=level,
            assumed_pool=request.assumed_pool,
        )
        result = trained_on_all(sweep, tasks_of(usable_topics(sweep.runs, level)), request)
        queries = "title-only queries" if fields == "title" else "full queries"
        blocks.append(
            {
                "model": model,  # "bm25" (table 2) or "pl2" (table 3)
                "fields": fields,
                "expansion": expansion,  # whether query expansion is trained, instead of b or c
                "n_settings": len(new.settings.systems),
                "measures": result.measures,  # the reference first
                "cells": complete_comparisons(result),
                "title": f"{model.upper()}, {queries}, {'' if expansion else 'no '}query expansion",
            }
        )
    return tuple(blocks)
