"""Two matrices of the same runs on the same topics, brought together by id.

Choosing by one metric and judging by another takes the same rows and columns. Order is no matter of
meaning, so the second matrix is put in the order of the first, and a note says so; a run or topic that only
one of them has is refused, never left out.
"""

from collections.abc import Sequence

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.wording import listed


def matched(matrix: ScoreMatrix, other: ScoreMatrix) -> tuple[ScoreMatrix, str]:
    """Return the other matrix with its rows and columns in the order of the first, and what was done.

    Raises
    ------
    InputError
        If a run or topic is in one of them only.
    """
    _check_same("systems", "runs", matrix.systems, other.systems, other)
    _check_same("topics", "topics", matrix.topics, other.topics, other)
    note = f"{matrix.n_systems:,} runs and {matrix.n_topics:,} topics matched by id"
    reordered = [
        what
        for what, same in (
            ("runs", matrix.systems == other.systems),
            ("topics", matrix.topics == other.topics),
        )
        if not same
    ]
    if not reordered:
        return other, f"{note}, in the same order"
    rows = [other.topics.index(topic) for topic in matrix.topics]
    columns = [other.systems.index(system) for system in matrix.systems]
    ordered = ScoreMatrix(
        scores=other.scores[rows][:, columns],
        topics=matrix.topics,
        systems=matrix.systems,
        measure=other.measure,
        name=other.name,
    )
    return (
        ordered,
        f"{note}; {' and '.join(reordered)} of {other.measure} put in the order of {matrix.measure}",
    )


def _check_same(
    parameter: str, what: str, first: Sequence[str], second: Sequence[str], other: ScoreMatrix
) -> None:
    missing = [one for one in first if one not in set(second)]
    extra = [one for one in second if one not in set(first)]
    if not missing and not extra:
        return
    parts = [
        f"{how} {listed(names, at_most=3)}" for how, names in (("without", missing), ("with", extra)) if names
    ]
    raise InputError(
        parameter,
        f"{other.measure} of {other.name}",
        f"must have the same {what} as the other scores, but comes {' and '.join(parts)}",
    )


def same_runs_and_topics(matrix: ScoreMatrix, other: ScoreMatrix) -> bool:
    """Return whether two matrices have the same runs and topics, in whatever order."""
    return set(matrix.systems) == set(other.systems) and set(matrix.topics) == set(other.topics)


def select_runs(matrix: ScoreMatrix, runs: Sequence[str]) -> ScoreMatrix:
    """Return the columns of some runs, in the order given."""
    place_of = {system: place for place, system in enumerate(matrix.systems)}
    return ScoreMatrix(
        scores=matrix.scores[:, [place_of[run] for run in runs]],
        topics=matrix.topics,
        systems=tuple(runs),
        measure=matrix.measure,
        name=matrix.name,
    )
