"""From a file of scores to its two variances, next to plain code with pandas."""

import io
import itertools

import pandas as pd

from benchmarks.data import public
from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way, two_way

FILE = "robust2004_ap.csv"


def ours(content: bytes) -> tuple[float, float]:
    """Read and check the file, then both estimates."""
    matrix = read_scores(content, FILE).matrices[0]
    return one_way(matrix), two_way(matrix)


def plain_pandas(content: bytes) -> tuple[float, float]:
    """Read without checks; mean variance of the columns, and of their differences, halved."""
    table = pd.read_csv(io.BytesIO(content), index_col=0)
    within = sum(table[run].var() for run in table.columns) / table.shape[1]
    pairs = list(itertools.combinations(table.columns, 2))
    differences = sum((table[first] - table[second]).var() for first, second in pairs) / len(pairs)
    return float(within), float(differences / 2)


def read_only(content: bytes) -> object:
    """Read without checks and without an estimate: the least that any program must do."""
    return pd.read_csv(io.BytesIO(content), index_col=0)


def compare() -> list[Comparison]:
    """Return the comparisons, or nothing where the file is absent."""
    path = public("matrices", FILE)
    if path is None:
        return []
    content = path.read_bytes()
    (one, two), (pandas_one, pandas_two) = ours(content), plain_pandas(content)
    agree = max(abs(one / pandas_one - 1), abs(two / pandas_two - 1))
    our_time = cpu_seconds(lambda: ours(content))
    return [
        Comparison(
            "249 x 110 scores: read, both variances",
            our_time,
            cpu_seconds(lambda: plain_pandas(content), repeats=3),
            "pandas, loop over pairs",
            f"variances agree to {agree:.0e}; ours also checks every cell",
        ),
        Comparison(
            "the same, beside pandas.read_csv alone",
            our_time,
            cpu_seconds(lambda: read_only(content)),
            "pandas.read_csv",
            "theirs without checks and without variances",
        ),
    ]
