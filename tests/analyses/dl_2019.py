"""Some runs of the TREC 2019 Deep Learning track's passage task, read by plain code."""

from functools import cache
from pathlib import Path

from tests.measures.plain_reader import judgments_of, qrels_of, ranked, run_of, scores_of
from tests.reference_data import reference_file
from topicset_core.collection.judged_runs import JudgedRuns, join

EVERY = 4
"""Ten of 37 runs: plain code takes its time, and every run is read and scored in the same way."""


def qrels_path() -> Path:
    """Skips the calling test where the data are absent."""
    return reference_file("trec", "dl2019-passage", "qrels.txt")


def run_paths() -> list[Path]:
    """The files of every fourth run."""
    return sorted((qrels_path().parent / "runs").glob("*.gz"))[::EVERY]


@cache
def judged_runs() -> JudgedRuns:
    """Their documents, joined with the judgments."""
    runs = (run_of(ranked(scores_of(path)), path.name.removesuffix(".gz")) for path in run_paths())
    return join(runs, qrels_of(judgments_of(qrels_path()), "dl2019-passage"))
