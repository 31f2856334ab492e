"""Topics of several collections in one matrix, each a group; two files of one system each in one matrix."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.wording import counted, first_few, listed, quoted

_MOST_NAMED = 20


def join_topics(matrices: Sequence[ScoreMatrix]) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return the topics of several matrices in one, where each matrix is a group.

    Topics and runs keep their order. Runs that not all matrices have are left out. A topic id that several matrices
    have gets the name of its matrix before it, as ``DL19/1037798``.

    Parameters
    ----------
    matrices : sequence of ScoreMatrix
        At least 2, of one measure, with different names and without groups of their own.

    Returns
    -------
    tuple of (ScoreMatrix, tuple of str)
        The matrix, and what was joined, left out and renamed, in sentences.

    Raises
    ------
    InputError
        If a rule on the matrices is broken, or they have no run in common.
    """
    names = [matrix.name for matrix in matrices]
    if len(matrices) < 2:
        raise InputError(
            "matrices", first_few(names, 3), "must be at least 2 of one measure, whose topics to join"
        )
    measures = list(dict.fromkeys(matrix.measure for matrix in matrices))
    if len(measures) > 1:
        raise InputError(
            "measure", first_few(measures, 3), "must be the same for all matrices whose topics to join"
        )
    again = next((name for name, count in Counter(names).items() if count > 1), None)
    if again is not None:
        raise InputError("matrices", again, "must have different names, which become those of groups")
    in_groups = [matrix.name for matrix in matrices if matrix.groups is not None]
    if in_groups:
        rule = "must have no groups of topics, as each matrix becomes a group; remove them first"
        raise InputError("matrices", listed(in_groups), rule)
    every = list(dict.fromkeys(system for matrix in matrices for system in matrix.systems))
    of_each = [set(matrix.systems) for matrix in matrices]
    common = [system for system in every if all(system in names for names in of_each)]
    if not common:
        runs = "; ".join(f"{matrix.name} has {listed(matrix.systems, 3)}" for matrix in matrices[:5])
        raise InputError("matrices", first_few(names, 5), f"must have a run in common; {runs}")
    uses = Counter(topic for matrix in matrices for topic in matrix.topics)
    topics = [
        f"{matrix.name}/{topic}" if uses[topic] > 1 else topic
        for matrix in matrices
        for topic in matrix.topics
    ]
    joined = ScoreMatrix(
        scores=np.concatenate(
            [matrix.scores[:, [matrix.systems.index(system) for system in common]] for matrix in matrices]
        ),
        topics=tuple(topics),
        systems=tuple(common),
        measure=measures[0],
        name=first_few(names, 3),
        groups=tuple(matrix.name for matrix in matrices for _ in matrix.topics),
        is_joined=True,
    )
    sizes = first_few([f"{matrix.name} ({matrix.n_topics:,})" for matrix in matrices], _MOST_NAMED)
    notes = [
        f"{counted(joined.n_topics, 'topic')} of {len(names)} matrices were joined; each is a group: {sizes}."
    ]
    left_out = [system for system in every if system not in set(common)]
    if left_out:
        runs = counted(len(left_out), "run")
        notes.append(f"{runs} left out, as not all of these have them: {listed(left_out, _MOST_NAMED)}.")
    repeated = [topic for topic, count in uses.items() if count > 1]
    if repeated:
        example = next(f"{matrix.name}/{repeated[0]}" for matrix in matrices if repeated[0] in matrix.topics)
        ids = "1 topic id is" if len(repeated) == 1 else f"{len(repeated):,} topic ids are"
        notes.append(
            f"{ids} in several matrices; the name of the matrix was put before each, as {quoted(example)}."
        )
    return joined, tuple(notes)


def join_systems(matrices: Sequence[ScoreMatrix]) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return matrices of one system each as one, by the order of topics of the first.

    Where systems have one name, they get those of their matrices.

    Raises
    ------
    InputError
        If the matrices are of different measures or topics.
    """
    first, *others = matrices
    for other in others:
        for matrix, compared in ((first, other), (other, first)):
            known = set(compared.topics)
            lacking = [topic for topic in matrix.topics if topic not in known]
            if lacking:
                rule = f"must have a score for each topic of {matrix.name}; missing: {listed(lacking)}"
                raise InputError("FILE", compared.name, rule)
        if first.measure != other.measure:
            rule = "must be of one measure; --measure names it"
            raise InputError("FILE", f"{first.measure}, {other.measure}", rule)
    names = [matrix.systems[0] for matrix in matrices]
    if len({*names}) < len(names):
        names = [matrix.name for matrix in matrices]
    scores = np.column_stack(
        [matrix.scores[[matrix.topics.index(topic) for topic in first.topics], 0] for matrix in matrices]
    )
    files = f"{len(names)} files of one system each have the same topics"
    note = f"{files}: read as the systems {first_few(names, 5)}."
    name = first_few([matrix.name for matrix in matrices], 3)
    return replace(first, scores=scores, systems=tuple(names), name=name), (note,)
