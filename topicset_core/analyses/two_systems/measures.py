"""The same two systems by several measures, and each topic's part in their difference."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from topicset_core.analyses.two_systems.comparison import Answer, compare_two
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.holm import adjusted
from topicset_core.errors import InputError
from topicset_core.exports.columns import Column, Columns

Row = dict[str, Any]

MEASURES = Columns[Row](
    Column("measure"),
    Column("scores"),
    Column("topics"),
    Column("difference", form="+.4f"),
    Column("low", form="+.4f"),
    Column("high", form="+.4f"),
    Column("p", form=".3g"),
    Column("p (Holm)", "adjusted_p", form=".3g"),
    Column("shown"),
)
"""The difference by each measure."""


def topic_columns(answer: Answer) -> Columns[Row]:
    """Return the columns of the table of topics, those first that have the largest differences."""
    return Columns[Row](
        Column("topic"),
        *([Column("group")] if answer.groups else []),
        Column("baseline", heading=f"{answer.baseline} (baseline)", form=".4f"),
        Column("new", heading=f"{answer.new} (new)", form=".4f"),
        Column("difference", form="+.4f"),
        Column("mean without it", form="+.4f"),
    )


def by_measure(answer: Answer, matrices: Iterable[ScoreMatrix]) -> list[Row]:
    """Return the comparison by each matrix that has both systems, with p values adjusted for all (Holm 1979).

    Without a margin, whose unit is that of one measure. A matrix on which the comparison is refused is left out.
    """
    pair, asked = (answer.baseline, answer.new), answer.request
    rows: list[Row] = []
    for matrix in matrices:
        if not {*pair} <= {*matrix.systems}:
            continue
        mean = asked.mean if matrix.groups is not None else None
        with suppress(InputError):
            compared = compare_two(matrix, replace(asked, pair=pair, margin=None, mean=mean))
            rows.append(
                {
                    "measure": matrix.measure,
                    "scores": matrix.name,
                    "topics": compared.n_topics,
                    "difference": compared.difference,
                    "low": compared.low,
                    "high": compared.high,
                    "p": compared.p_value,
                }
            )
    for row, p in zip(rows, adjusted([row["p"] for row in rows]), strict=True):
        is_shown = p is not None and p <= asked.alpha
        row["adjusted_p"] = p
        row["shown"] = ("better" if row["difference"] > 0 else "worse") if is_shown else "not shown"
    return rows


def by_topic(answer: Answer) -> list[Row]:
    """Return the topics by the size of their difference, with the mean over the other topics.

    Of group means the mean over the other topics is left open, as a group of one topic would go with it.
    """
    difference = answer.differences.scores[:, 0]
    n = answer.n_topics
    baseline, new = answer.matrix.scores.T.tolist()
    groups: Sequence[str | None] = answer.matrix.groups or [None] * n
    is_over_topics = answer.request.mean != "groups" and n > 1
    return [
        {
            "topic": answer.matrix.topics[place],
            "group": groups[place],
            "baseline": baseline[place],
            "new": new[place],
            "difference": float(difference[place]),
            "mean_without_it": float((n * answer.difference - difference[place]) / (n - 1))
            if is_over_topics
            else None,
        }
        for place in np.argsort(-np.abs(difference), kind="stable")
    ]
