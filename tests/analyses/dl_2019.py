"""Some runs of the TREC 2019 Deep Learning track's passage task."""

from pathlib import Path

from tests.reference_data import reference_file

EVERY = 4
"""Ten of 37 runs: every run is read and scored in the same way."""


def qrels_path() -> Path:
    """Skips the calling test where the data are absent."""
    return reference_file("trec", "dl2019-passage", "qrels.txt")


def run_paths() -> list[Path]:
    """The files of every fourth run."""
    return sorted((qrels_path().parent / "runs").glob("*.gz"))[::EVERY]
