"""The certificates of many cardinalities side by side."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor

from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.certificates.proof import Proof
from topicset_core.analyses.topic_subsets.judge import Valued
from topicset_core.execution.chains import in_chains
from topicset_core.progress import Report

_HARDEST = {1: 0.35, -1: 0.45}  # share of the topics at which proofs took longest on nine real matrices


def certify(
    judge: CorrelationJudge,
    known: Mapping[tuple[int, int], Valued],
    budget: int,
    report: Report,
    executor: Executor | None,
) -> Iterator[Proof]:
    """Yield the proof of each set, or how far it came, as they end.

    Parameters
    ----------
    judge : CorrelationJudge
        Of the matrix.
    known : mapping of (int, int) to Valued
        The best set known by cardinality and 1, the worst by cardinality and -1.
    budget : int
        Nodes for each.
    report, executor : callable, Executor or None
        As for `in_chains`.
    """

    def distance(key: tuple[int, int]) -> float:
        cardinality, sign = key
        return abs(cardinality / judge.n_topics - _HARDEST[sign])

    # Proofs of the best take longer than those of the worst.
    keys = sorted(known, key=lambda key: (-key[1], distance(key), key))
    proofs = [Proof(judge, cardinality, sign, known[cardinality, sign], budget) for cardinality, sign in keys]
    for _, proof in in_chains(proofs, report, executor):
        yield proof


def seconds_of_proofs(n_topics: int, n_proofs: int) -> float:
    """Return about how long proofs take, in CPU seconds, where they are not hard; the set-up grows as n^4."""
    return 0.1 * n_proofs * (n_topics / 50) ** 4
