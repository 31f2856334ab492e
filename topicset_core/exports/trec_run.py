"""A run as TREC writes it: topic, Q0, document, rank, score and tag on each line."""

import numpy as np

from topicset_core.collection.run import Run
from topicset_core.errors import InputError


def trec_run(run: Run) -> bytes:
    """Write a run so that it reads back in the same order."""
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
