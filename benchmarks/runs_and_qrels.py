"""Reading runs and judgments, next to the parser of pytrec-eval-terrier, which sorts and checks nothing."""

import gzip
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytrec_eval

from benchmarks.data import public
from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.parsing import read_qrels, read_runs

N_RUNS, N_TOPICS, DEPTH = 78, 100, 1000
SHARE = 6
"""The peer reads this many of the 78 runs, since dictionaries of all of them would not fit everywhere."""


def ours(files: Sequence[Path]) -> int:
    """Read, check and order; return the number of documents."""
    read = read_runs([(path.name, path) for path in files])
    if read.errors:
        raise read.errors[0]
    return sum(run.documents.size for run in read.runs)


def theirs(files: Sequence[Path]) -> int:
    """Read into dictionaries, one run at a time; return the number of documents."""
    n_documents = 0
    for path in files:
        with gzip.open(path, "rt") as file:
            n_documents += sum(map(len, pytrec_eval.parse_run(file).values()))
    return n_documents


def their_judgments(content: bytes) -> int:
    """Read into dictionaries; return the number of judgments."""
    lines = gzip.decompress(content).decode().splitlines()
    return sum(map(len, pytrec_eval.parse_qrel(lines).values()))


def written_track(folder: Path) -> list[Path]:
    """Write 78 runs of 100 topics and 1,000 documents each; seed 0."""
    rng = np.random.default_rng(0)
    documents = np.array([f"FT9{number % 45:02d}-{number:05d}" for number in range(60_000)])
    files = []
    for run in range(N_RUNS):
        lines = []
        for topic in range(N_TOPICS):
            drawn = documents[rng.choice(documents.size, DEPTH, replace=False)].tolist()
            scores = np.sort(rng.gamma(2.0, 3.0, DEPTH))[::-1].tolist()
            lines += [
                f"{301 + topic} Q0 {document} {rank} {score:.6f} run{run:02d}\n"
                for rank, (document, score) in enumerate(zip(drawn, scores, strict=True))
            ]
        path = folder / f"run{run:02d}.gz"
        path.write_bytes(gzip.compress("".join(lines).encode(), 3))
        files.append(path)
    return files


def real_tracks() -> list[Comparison]:
    """Compare on real files, or on nothing where they are absent."""
    results = []
    for name in ("robust2003", "dl2019-passage"):
        folder = public("trec", name, "runs")
        if folder is None:
            continue
        files = sorted(folder.glob("*.gz"))
        same = ours(files) == theirs(files)
        results.append(
            Comparison(
                f"{len(files)} runs of {name}: read",
                cpu_seconds(lambda files=files: ours(files), repeats=5),  # type: ignore[misc]
                cpu_seconds(lambda files=files: theirs(files), repeats=5),  # type: ignore[misc]
                "pytrec_eval.parse_run",
                f"{'the same' if same else 'ANOTHER'} number of documents; ours also checks and sorts them",
            )
        )
    judgments = public("trec", "robust2003", "qrels.txt.gz")
    if judgments:
        content = judgments.read_bytes()
        results.append(
            Comparison(
                "128,796 judgments: read",
                cpu_seconds(lambda: read_qrels("qrels.txt.gz", content)),
                cpu_seconds(lambda: their_judgments(content)),
                "pytrec_eval.parse_qrel",
            )
        )
    return results


def large_track() -> Comparison:
    """Compare on 7.8 million lines."""
    with tempfile.TemporaryDirectory() as folder:
        files = written_track(Path(folder))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        our_time = cpu_seconds(lambda: ours(files), repeats=3)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        part = files[:SHARE]
        their_time = cpu_seconds(lambda: theirs(part), repeats=3) * N_RUNS / SHARE
    memory = f"memory grew to {after / 1024:,.0f} MB" if after > before else "memory did not grow"
    return Comparison(
        "78 runs, 7.8 million lines: read",
        our_time,
        their_time,
        "pytrec_eval.parse_run",
        f"theirs scaled up from {SHARE} runs; {memory}",
    )


def compare() -> list[Comparison]:
    """Return the comparisons."""
    return [*real_tracks(), large_track()]
