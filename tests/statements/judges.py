"""Two rankings from finite topics, and intervals of a difference from many scores of a judge and few labels.

The judge of these tests has a known bias and noise: on each topic its score is that of people, with noise as large
as their residuals, and a bias per system. The noise has mean 0 over the population of topics, so that without bias
the judge ranks systems as people do there.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from tests.analyses.dl_2019 import qrels_path
from tests.statements.shapes import Scores, centred, real, simulated
from tests.statements.statement import Cell, Statement
from topicset_core.analyses.judge_study import two_sets
from topicset_core.analyses.judge_study.ranking_report import EQUAL_SYSTEMS, TAU_LIMITS_NOTE
from topicset_core.analyses.judge_study.rankings import (
    EQUAL_SYSTEMS_ORDERED,
    TAU_COVERS,
    TAU_LIMITS_COVER,
    TAU_NOTE,
    agreement_of,
    conclusions,
)
from topicset_core.analyses.judge_study.report import (
    COVERAGE,
    PPI_SKEWED_COVERS,
    PPI_SYMMETRIC_COVERS,
    SKEWED_COVERS,
    SYMMETRIC_COVERS,
)
from topicset_core.analyses.judge_study.study import Combined, Estimate, combined_difference
from topicset_core.analyses.pool_depth.study import kendall_tau, tau_ap
from topicset_core.analyses.run_evaluation import Request
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs

WHERE = ("Judges and repeats", "topicset judge")


class _Judged(NamedTuple):
    """A population of topics with scores by people and by the judge, and the sizes of samples."""

    human: Scores
    judge: Scores
    n_labels: int
    n_topics: int  # judged topics, the labelled ones among them


def _judged(scores: Callable[[], Scores], bias: float, n_labels: int, n_topics: int) -> _Judged:
    """Return a judge whose biases of systems have a standard deviation of so many times that of their means."""
    human, rng = np.asarray(scores()), np.random.default_rng(5)
    residuals = human - human.mean(axis=1, keepdims=True) - human.mean(axis=0) + human.mean()
    noise = rng.normal(0, residuals.std(), human.shape)
    biases = rng.normal(0, bias * human.mean(axis=0).std(), human.shape[1])
    return _Judged(human, human + noise - noise.mean(axis=0) + biases, n_labels, n_topics)


def _labels(judged: _Judged, rng: np.random.Generator) -> PairedLabels:
    drawn = rng.integers(0, len(judged.human), judged.n_topics)
    human = judged.human[drawn].copy()
    human[judged.n_labels :] = np.nan
    topics, systems = (
        tuple(f"{kind}{at}" for at in range(n)) for kind, n in zip("ts", human.shape, strict=True)
    )
    return PairedLabels(
        judge=judged.judge[drawn][:, :, np.newaxis],
        human=human,
        topics=topics,
        systems=systems,
        name="judged",
    )


def _predicted(name: str, judged: _Judged, rng: np.random.Generator) -> float:
    """Return whether an interval contains the correlation of as many other topics; NaN where it is undefined."""
    found = agreement_of(_labels(judged, rng), seed=int(rng.integers(2**31)))
    others = rng.integers(0, len(judged.human), judged.n_labels)
    human, judge = judged.human[others].mean(axis=0), judged.judge[others].mean(axis=0)
    value = kendall_tau(human, judge) if name == "kendall_tau_of_means" else tau_ap(judge, human)
    if value is None or name not in found.on_other_topics:
        return float("nan")
    low, high = found.on_other_topics[name]
    return float(low - 1e-9 <= value <= high + 1e-9)


def _true_tau(judged: _Judged) -> float | None:
    return kendall_tau(*(np.round(one.mean(axis=0), 9) for one in (judged.human, judged.judge)))


def _limits_contain(judged: _Judged, rng: np.random.Generator) -> float:
    low, high = conclusions(_labels(judged, rng), seed=int(rng.integers(2**31))).tau_limits
    true = _true_tau(judged)
    return float("nan") if true is None else float(low - 1e-9 <= true <= high + 1e-9)


def _resolves_equal_systems(judged: _Judged, rng: np.random.Generator) -> float:
    found = conclusions(_labels(judged, rng), seed=int(rng.integers(2**31)))
    return float(found.n_by_judge + found.n_by_both > 0)


def _some(scores: Callable[[], Scores], n_systems: int) -> Scores:
    """Return some systems, drawn once."""
    return scores()[:, np.random.default_rng(3).permutation(scores().shape[1])[:n_systems]]


def _equal(scores: Callable[[], Scores]) -> Scores:
    return centred(scores())


_BIAS = {0.0: "judge without bias", 0.5: "biased judge", 1.5: "very biased judge"}


def _cell(
    name: str, scores: Callable[[], Scores], bias: float, sizes: tuple[int, ...], small: bool = False
) -> Cell:
    """Return a cell with labels of all judged topics, or with both numbers."""
    n_labels, n_topics = sizes[0], sizes[-1]
    of = f"{n_labels} topics" if n_topics == n_labels else f"{n_labels} labels of {n_topics} topics"
    population = partial(_judged, scores, bias, n_labels, n_topics)
    return Cell(name=f"{name}, {_BIAS[bias]}, {of}", population=population, small=small)


def _shape(shape: str, n_systems: int, bias: float, *sizes: int, small: bool = False) -> Cell:
    scores = partial(simulated, shape, n_systems, 0.3)
    return _cell(f"{shape}, {n_systems} systems", scores, bias, sizes, small=small)


_REAL = {
    "DL 2019, nDCG@10": ("dl2019_passage_ndcg10", "nDCG@10"),
    "TREC-8, AP": ("trec8_adhoc_ap", "AP"),
    "TREC-8, RR": ("trec8_adhoc_rr", "RR"),
    "Web 2012, ERR@20": ("web2012_err20", "ERR@20"),
    "Robust 2004, AP": ("robust2004_ap", "AP"),
}


def _matrix(name: str, n_systems: int, bias: float, *sizes: int) -> Cell:
    scores = partial(_some, partial(real, *_REAL[name]), n_systems)
    return _cell(f"{name}, {n_systems} runs", scores, bias, sizes)


RANKINGS = (
    *(
        _shape("beta", m, bias, n, small=(m, bias) == (12, 0.0))
        for m, n in ((12, 22), (40, 30), (40, 100))
        for bias in _BIAS
    ),
    *(_shape("skewed", m, bias, n) for m, n in ((12, 22), (40, 30)) for bias in _BIAS),
    *(_shape("beta", m, 0.5, n) for m, n in ((3, 8), (5, 8), (12, 4), (12, 8), (83, 119))),
    *(
        _shape(shape, 12, 0.5, 22)
        for shape in ("30 % zeros", "tied (tenths)", "heterogeneous", "near-duplicate triples", "0/1")
    ),
    *(_matrix(name, 12, bias, 22) for name in _REAL for bias in (0.0, 0.5)),
    *(_matrix("TREC-8, AP", m, bias, n) for m, n in ((40, 30), (83, 119)) for bias in (0.0, 1.5)),
)
"""The sizes of the issue and small ones: systems and topics (12, 22), (40, 30), (40, 100) and (83, 119)."""

EQUAL = tuple(
    _cell(f"{name}, 12 equal systems", partial(_equal, scores), 0.0, (n, of), small=small)
    for name, scores, small in (
        ("beta", partial(simulated, "beta", 12), False),
        ("skewed", partial(simulated, "skewed", 12), False),
        ("0/1", partial(simulated, "0/1", 12), True),
        *((name, partial(_some, partial(real, *_REAL[name]), 12), False) for name in _REAL),
    )
    for n, of in ((10, 10), (22, 66))
)


@cache
def _of_assessors() -> tuple[Scores, Scores]:
    """Return nDCG@10 of 37 runs of DL 2019 by the judgments of NIST, and by those of new assessors."""
    folder = qrels_path().parent
    runs = [
        one.run
        for one in read_runs([(path.name, path) for path in sorted((folder / "runs").glob("*.gz"))]).items
    ]
    people, others = (
        read_qrels(name, (folder / name).read_bytes()).qrels for name in ("qrels.txt", "qrels_assessor_a.txt")
    )
    labels = two_sets(runs, people, others, Request(measures=("nDCG@10",))).labels
    return labels.human, labels.judge.mean(axis=2)


def _assessed(n_topics: int) -> _Judged:
    return _Judged(*_of_assessors(), n_topics, n_topics)


ASSESSORS = tuple(
    Cell(
        name=f"DL 2019, nDCG@10, 37 runs by NIST and by new assessors, {n} topics",
        population=partial(_assessed, n),
    )
    for n in (22, 43)
)
RANKED = (*RANKINGS, *ASSESSORS)


class _Differences(NamedTuple):
    """How differences by people and by the judge are drawn, with their true mean, and labels of a sample."""

    draw: Callable[[np.random.Generator, int], tuple[Scores, Scores]]
    true: float
    n_labels: int


def _normal(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    judge = rng.normal(size=n)
    return 0.8 * judge + 0.6 * rng.normal(size=n), judge


def _heavy_tails(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    human = rng.standard_t(3, n)
    return human, 0.7 * human + rng.normal(size=n)


def _heteroscedastic(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    judge = rng.normal(size=n)
    return judge + np.abs(judge) * rng.normal(size=n), judge


def _saturating(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    human = rng.normal(size=n)
    return human + 0.5 * rng.normal(size=n), np.tanh(human)


def _right_or_wrong(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    """Differences of 0 and 1: 20 % each of -1 and 1; the judge guesses on a fifth of the topics."""
    human = rng.choice([-1.0, 0.0, 1.0], n, p=[0.2, 0.6, 0.2])
    return human, np.where(rng.random(n) < 0.8, human, rng.choice([-1.0, 0.0, 1.0], n))


def _mostly_zero(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    human = np.where(rng.random(n) < 0.7, 0.0, rng.normal(size=n))
    return human, human + 0.5 * rng.normal(size=n)


def _exponential(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    human = rng.exponential(size=n)
    return human, human + 0.8 * rng.normal(size=n)


def _lognormal(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    human = np.exp(rng.normal(size=n))
    return human, human + rng.normal(size=n)


def _skewed_zeros(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    human = np.where(rng.random(n) < 0.6, 0.0, rng.exponential(size=n))
    return human, human + 0.5 * rng.normal(size=n)


SYMMETRIC = {
    "normal": (_normal, 0.0),
    "t(3)": (_heavy_tails, 0.0),
    "heteroscedastic": (_heteroscedastic, 0.0),
    "saturating judge": (_saturating, 0.0),
    "0/1 scores": (_right_or_wrong, 0.0),
    "70 % zeros": (_mostly_zero, 0.0),
}
SKEWED = {
    "exponential": (_exponential, 1.0),
    "lognormal": (_lognormal, np.exp(0.5)),
    "60 % zeros, else exponential": (_skewed_zeros, 0.4),
}


def _regression(found: Combined) -> Estimate:
    return found


def _ppi(found: Combined) -> Estimate | None:
    return found.ppi


def _covers(of: Callable[[Combined], Estimate | None], data: _Differences, rng: np.random.Generator) -> float:
    """Return whether an interval contains the true mean, from four times as many judged topics as labels."""
    human, judge = data.draw(rng, 4 * data.n_labels)
    labelled = human[: data.n_labels], judge[: data.n_labels]
    if not all(np.ptp(one) for one in labelled):
        return float("nan")  # refused: no variance
    found = of(combined_difference(*labelled, judge))
    return float("nan") if found is None else float(abs(found.difference - data.true) <= found.half_width)


def _pairs_of_runs(name: str, n_labels: int) -> _Differences:
    """Return differences of pairs of runs, another one in each trial, less their true mean; biased judge."""
    judged = _judged(partial(real, *_REAL[name]), 0.5, n_labels, 4 * n_labels)

    def draw(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
        one, other = rng.permutation(judged.human.shape[1])[:2]
        human, judge = (scores[:, one] - scores[:, other] for scores in (judged.human, judged.judge))
        drawn = rng.integers(0, len(human), n)
        return human[drawn] - human.mean(), judge[drawn]

    return _Differences(draw, 0.0, n_labels)


def _differences(
    shapes: dict[str, tuple[Callable[..., tuple[Scores, Scores]], float]], small: str
) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            name=f"{name}, {n} labels",
            population=partial(_Differences, draw, float(true), n),
            small=(name, n) == (small, 15),
        )
        for name, (draw, true) in shapes.items()
        for n in (8, 15, 50)
    )


_OF_RUNS = tuple(
    Cell(name=f"pairs of runs of {name}, {n} labels", population=partial(_pairs_of_runs, name, n))
    for name in ("DL 2019, nDCG@10", "TREC-8, AP", "Robust 2004, AP")
    for n in (8, 15, 50)
)
_SYMMETRIC = (*_differences(SYMMETRIC, "normal"), *_OF_RUNS)
_SKEWED = _differences(SKEWED, "exponential")

_PREDICTED = (
    "A trial draws topics from the population, computes the interval, draws as many other topics, and counts "
    "whether {} on these is in it. The judge's score on a topic is that of people with noise and, where it is "
    "biased, with a bias per system."
)
_REGRESSION = (
    "A trial draws judged topics, of which a quarter have labels, and counts whether the interval contains the "
    "true difference."
)


def _prediction(name: str, title: str, key: str) -> Statement:
    return Statement(
        key=key,
        title=f"{title} of the judge's and the people's rankings on other topics",
        text=TAU_NOTE,
        where=WHERE,
        test=_PREDICTED.format(title),
        quantity="coverage",
        stated=TAU_COVERS,
        nominal=0.95,
        cells=RANKED,
        trial=partial(_predicted, name),
        trials=300,
        few=60,
    )


def _interval(
    key: str, title: str, text: str, stated: tuple[float, float], cells: tuple[Cell, ...], is_ppi: bool
) -> Statement:
    return Statement(
        key=key,
        title=title,
        text=text,
        where=WHERE,
        test=_REGRESSION,
        quantity="coverage",
        stated=stated,
        nominal=0.95,
        cells=cells,
        trial=partial(_covers, _ppi if is_ppi else _regression),
        trials=2000,
        few=400,
    )


STATEMENTS = (
    _prediction("kendall_tau_of_means", "Kendall's tau", "judge-tau-on-other-topics"),
    _prediction("tau_ap_of_means", "tau AP", "judge-tau-ap-on-other-topics"),
    Statement(
        key="judge-tau-limits",
        title="Limits of Kendall's tau of the judge's and the people's rankings over all topics",
        text=TAU_LIMITS_NOTE,
        where=WHERE,
        test="A trial draws topics from the population and counts whether its tau is within the limits.",
        quantity="coverage",
        stated=TAU_LIMITS_COVER,
        nominal=0.95,
        cells=(
            *RANKINGS,
            *(_shape("beta", m, 0.5, n, of) for m, n, of in ((12, 22, 66), (40, 30, 90))),
            *(_matrix(name, 12, 0.5, 22, 66) for name in _REAL),
            *ASSESSORS,
        ),
        trial=_limits_contain,
        trials=100,
        few=20,
    ),
    Statement(
        key="judge-equal-systems",
        title="Orders of exactly equal systems, by judge and people",
        text=EQUAL_SYSTEMS,
        where=WHERE,
        test=(
            "A trial draws topics from a population in which all systems have the same mean by people, and the "
            "same by the judge, and counts whether the order of some pair is resolved in either ranking."
        ),
        quantity="familywise Type I error",
        stated=EQUAL_SYSTEMS_ORDERED,
        nominal=0.05,
        cells=EQUAL,
        trial=_resolves_equal_systems,
        trials=300,
        few=60,
    ),
    _interval(
        "judge-interval-symmetric",
        "Interval of a difference by judge and people, symmetric differences",
        COVERAGE,
        SYMMETRIC_COVERS,
        _SYMMETRIC,
        is_ppi=False,
    ),
    _interval(
        "judge-interval-skewed",
        "Interval of a difference by judge and people, skewed differences",
        COVERAGE,
        SKEWED_COVERS,
        _SKEWED,
        is_ppi=False,
    ),
    _interval(
        "judge-ppi-symmetric",
        "Interval of PPI++, symmetric differences",
        COVERAGE,
        PPI_SYMMETRIC_COVERS,
        _SYMMETRIC,
        is_ppi=True,
    ),
    _interval(
        "judge-ppi-skewed",
        "Interval of PPI++, skewed differences",
        COVERAGE,
        PPI_SKEWED_COVERS,
        _SKEWED,
        is_ppi=True,
    ),
)
