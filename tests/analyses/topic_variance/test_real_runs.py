"""Robust 2003 and Deep Learning 2019 as tests read them, and the raw share of Yang, Zhang and Song (2018).

Their runs are not public, so findings are compared and not figures: docs/reproductions/yang_2018.md. Robust 2003
drawn document by document in NumPy (200 trials, bst) had a KRCC of .943 (standard error .002) and a mean rejection
rate of .726 (.002); .9405 and .7283 there.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.reference_data import reference_file, reference_matrix
from topicset_core.analyses.topic_variance import (
    conclusions,
)
from topicset_core.analyses.topic_variance.kernels import means_and_deviations
from topicset_core.analyses.topic_variance.simulation import critical_value
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.run import Run
from topicset_core.parsing.trec.qrels import read_collections
from topicset_core.parsing.trec.runs import read_runs

pytestmark = [pytest.mark.reference_data, pytest.mark.slow]

TRACKS = {"robust2003": 1, "dl2019-passage": 2}


def judgments(name: str) -> Path:
    return reference_file("trec", name, "qrels.txt.gz" if name == "robust2003" else "qrels.txt")


@cache
def judged(name: str) -> JudgedRuns:
    return join(runs_of(name), read_collections([("qrels", judgments(name))]).items[0].qrels)


@cache
def runs_of(name: str) -> tuple[Run, ...]:
    paths = sorted((judgments(name).parent / "runs").glob("*.gz"))
    return read_runs([(path.name, path) for path in paths], keep_scores=True).runs


@pytest.mark.parametrize(
    ("matrix", "share"),
    # 4885 of 5995 pairs is the .8148 of the paper; TREC-8: formulas-and-expected-values.md 9.4.
    [("robust2004_ap", 4885 / 5995), ("trec8_adhoc_ap", 5981 / 8256)],
)
def test_raw_significant_share_against_yang_2018(matrix: str, share: float) -> None:
    scores = np.ascontiguousarray(reference_matrix(matrix).scores)
    n_topics = len(scores)
    means, deviations = means_and_deviations(scores, np.ones(n_topics, dtype=np.int64))
    t = conclusions.t_statistics(conclusions.differences(means), deviations, n_topics)
    assert (np.abs(t) > critical_value(n_topics, 0.05)).mean() == share
