"""The public scores that rows of the atlas are computed from, as far as they are among the reference data."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.reference_data import reference_file, reference_matrix
from topicset_core.collection.judged_runs import join
from topicset_core.measures.conventions import Conventions
from topicset_core.measures.graded_runs import GradedRuns
from topicset_core.measures.registry import measure_named
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_run
from topicset_core.variance.atlas import TaskVariance, atlas

Floats = NDArray[np.float64]

MATRICES = {
    ("TREC-3 ad hoc", "AP"): ("trec3_adhoc_ap", 0),
    ("TREC-8 ad hoc", "AP"): ("trec8_adhoc_ap", 0),
    ("TREC-8 ad hoc", "P@10"): ("trec8_adhoc_p10", 0),
    ("TREC-8 ad hoc", "RR"): ("trec8_adhoc_rr", 0),
    ("Robust 2003, topics 601-650", "AP"): ("robust2003_ap", -50),
    ("Robust 2004, topics 651-700", "AP"): ("robust2004_ap", -49),
    ("Robust 2004, topics 651-700", "P@10"): ("robust2004_p10", -49),
    ("Million Query 2007, 26 best runs", "statAP"): ("mq2007_top26_statap", 0),
} | {
    (f"Web {year}", measure): (f"web{year}_{file}", 0)
    for year in (2011, 2012)
    for measure, file in (("AP", "ap"), ("P@10", "p10"), ("nDCG@20", "ndcg20"))
}
"""Matrices by collection and measure, with their first rows."""

_FROM_RUNS = "Parry-Parry/sigir25-annotation"


def rows_with_scores(*, from_runs: bool = True) -> list[TaskVariance]:
    """Return the rows whose scores are there: matrices, and those of DL 2019 that runs and judgments give."""
    return [
        row
        for row in atlas()
        if (row.task, row.measure) in MATRICES or (from_runs and row.source == _FROM_RUNS)
    ]


@cache
def atlas_scores(row: TaskVariance) -> Floats:
    """Return the scores of a row."""
    if row.source == _FROM_RUNS:
        level = int(row.conventions[-1]) if row.conventions.startswith("relevant") else 1
        return measure_named(row.measure, Conventions(relevance_level=level)).scores_of(_deep_learning_2019())
    name, first = MATRICES[row.task, row.measure]
    return reference_matrix(name).scores[first:]


@cache
def _deep_learning_2019() -> GradedRuns:
    folder = reference_file("trec", "dl2019-passage", "qrels.txt").parent
    qrels = read_qrels("qrels.txt", (folder / "qrels.txt").read_bytes()).qrels
    runs = [read_run(path.name, path.read_bytes()).run for path in sorted((folder / "runs").iterdir())]
    return GradedRuns(join(runs, qrels))
