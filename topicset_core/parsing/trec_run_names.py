"""Runs that share a tag: told apart by the names of their files, unless they are the same run."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from topicset_core.collection import Run
from topicset_core.parsing.naming import source_of


def is_same_run(one: Run, other: Run) -> bool:
    """Say whether two runs have the same documents in the same order for the same topics."""
    # Nearly all runs differ in their first documents.
    return (
        one.topics == other.topics
        and np.array_equal(one.starts, other.starts)
        and np.array_equal(one.documents[:1000], other.documents[:1000])
        and np.array_equal(one.documents, other.documents)
    )


def names_apart(tags: Sequence[str], files: Sequence[str]) -> list[str]:
    """Name each run by its tag; those that share one, as Pyserini writes them, by their files.

    Parameters
    ----------
    tags, files : sequence of str
        The tag of each run, and the file it was in.

    Returns
    -------
    list of str
        Different names; files of the same name are numbered, "bm25" and "bm25 (2)".
    """
    uses = Counter(tags)
    taken = {tag for tag, count in uses.items() if count == 1}
    names = []
    for tag, file in zip(tags, files, strict=True):
        name = tag
        if uses[tag] > 1:
            name = stem = source_of(file).run
            number = 1
            while name in taken:
                number += 1
                name = f"{stem} ({number})"
            taken.add(name)
        names.append(name)
    return names
