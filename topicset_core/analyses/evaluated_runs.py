"""What to know of each run beside its scores: topics missing, ties, documents not judged."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.wording import counted, shown

DEPTH = 10
"""First documents of a run of which the share that is not judged is shown."""

_NAMED = 5  # runs named in a sentence; a table has them all


@dataclass(frozen=True, kw_only=True)
class EvaluatedRun:
    """One run beside one collection of judgments.

    Parameters
    ----------
    system : str
        Tag of the run.
    n_topics : int
        Judged topics that it returns documents for.
    n_retrieved : int
        Documents that it returns for these.
    missing_topics : tuple of str
        Judged topics for which it returns nothing.
    unused_topics : tuple of str
        Its topics that are not judged, and make no difference.
    n_tied : int
        Its documents, over all its topics, whose score is that of another one of the same topic.
    unjudged_at_10 : float
        Share of its first 10 documents a topic that are not judged.
    """

    system: str
    n_topics: int
    n_retrieved: int
    missing_topics: tuple[str, ...]
    unused_topics: tuple[str, ...]
    n_tied: int
    unjudged_at_10: float

    def record(self) -> dict[str, Any]:
        """Return the facts as plain values for JSON."""
        return asdict(self)


def evaluated_runs(judged_runs: JudgedRuns) -> tuple[EvaluatedRun, ...]:
    """Return what is to know of each run, in their order."""
    shares = judged_runs.unjudged_shares(DEPTH).tolist()
    missing = judged_runs.missing_topics
    documents = judged_runs.n_retrieved.sum(axis=0).tolist()
    return tuple(
        EvaluatedRun(
            system=system,
            n_topics=judged_runs.n_topics - len(missing[place]),
            n_retrieved=documents[place],
            missing_topics=missing[place],
            unused_topics=judged_runs.unused_topics[place],
            n_tied=judged_runs.n_tied[place],
            unjudged_at_10=shares[place],
        )
        for place, system in enumerate(judged_runs.systems)
    )


def missed(runs: Sequence[EvaluatedRun]) -> tuple[int, int]:
    """Return how many judged topics some run misses, and how many every run does."""
    topics = [set(run.missing_topics) for run in runs]
    return len(set.union(*topics)), len(set.intersection(*topics))


def odd_runs(runs: Sequence[EvaluatedRun], n_judged_topics: int, missing: str) -> list[str]:
    """Return a sentence on each kind of oddity that some run has.

    Parameters
    ----------
    runs : sequence of EvaluatedRun
        At least one.
    n_judged_topics : int
        Topics of the qrels.
    missing : {"zero", "drop"}
        What became of topics that a run misses.
    """
    said = []
    without = {run.system: len(run.missing_topics) for run in runs if run.missing_topics}
    if without:
        done = {"zero": "scores there are 0", "drop": "these topics are left out for all runs"}[missing]
        said.append(
            f"Nothing returned for some of the {n_judged_topics:,} judged topics by {_some(without)}; {done}."
        )
    unused = {run.system: len(run.unused_topics) for run in runs if run.unused_topics}
    if unused:
        said.append(f"Topics that the qrels have not, in {_some(unused)}, make no difference.")
    tied = {run.system: run.n_tied for run in runs if run.n_tied}
    if tied:
        said.append(
            f"Documents with the score of another one of the same topic, in {_some(tied)}, stand in descending "
            "order of their ids, as in trec_eval."
        )
    worst = max(runs, key=lambda run: run.unjudged_at_10)
    mean = sum(run.unjudged_at_10 for run in runs) / len(runs)
    at_most = f", at most {worst.unjudged_at_10:.1%} ({shown(worst.system)})" if worst.unjudged_at_10 else ""
    said.append(f"Not judged among the first {DEPTH} documents a topic: {mean:.1%}, mean over runs{at_most}.")
    return said


def _some(counts: dict[str, int]) -> str:
    """Return the runs with the largest counts: "3 runs ('a' 12, 'b' 7, 'c' 1)"."""
    largest = sorted(counts.items(), key=lambda item: -item[1])
    named = ", ".join(f"{shown(system)} {count:,}" for system, count in largest[:_NAMED])
    more = f" and {len(largest) - _NAMED:,} more" if len(largest) > _NAMED else ""
    return f"{counted(len(largest), 'run')} ({named}{more})"
