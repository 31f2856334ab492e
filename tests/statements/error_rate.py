"""Intervals of the error rate and of the topics for a tolerated one, of close systems and of spread-out ones."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tests.statements.shapes import Scores, matrix_of, real, sample, simulated, strongest
from tests.statements.statement import Cell, Statement
from tests.statements.topic_subsets import cells_of
from topicset_core.analyses.error_rate import prediction, two_runs
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.error_rate.prediction import LEVEL, Predictor, interval_note
from topicset_core.analyses.error_rate.theory import pairs_of
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.designs.distributions import normal_cdf
from topicset_core.errors import NoSolution
from topicset_core.parameters import ALPHA
from topicset_core.wording import TIES

DIFFERENCE = 0.05
_SETS = 3000  # pairs of topic sets behind a true rate
_GROUP = 3  # topics per group


class _Truth(NamedTuple):
    scores: Scores
    n_topics: int
    value: float


def _rate(population: Scores, n_topics: int) -> float:
    """Return how often other topics reverse two systems found .04 to .06 apart; a tie is half an error."""
    rng = np.random.default_rng(1)
    first, second = np.triu_indices(population.shape[1], k=1)
    wrong = seen = 0.0
    for _ in range(_SETS):
        one, other = (sample(population, n_topics, rng).mean(axis=0) for _ in range(2))
        found, again = one[first] - one[second], other[first] - other[second]
        near = np.abs(np.abs(found) - DIFFERENCE) < 0.0101  # .04 and .06 are near, also of 0/1 scores
        wrong += float(np.sum(np.where(again == 0, 0.5, found * again < 0)[near]))
        seen += int(near.sum())
    return min(wrong / seen, 0.5)  # by simulation slightly above, too


def _with_rate(scores: Callable[[], Scores], n_topics: int) -> _Truth:
    return _Truth(scores(), n_topics, _rate(scores(), n_topics))


_MAX_ERROR = 0.10
_SIZES = np.unique(np.rint(np.geomspace(4, 250, 22))).astype(int)


def _with_topics(scores: Callable[[], Scores], n_topics: int) -> _Truth:
    """Return the number of topics at which the true rate, by simulation, falls to 10 %."""
    rates = np.array([_rate(scores(), int(size)) for size in _SIZES])
    at = int(np.argmax(rates <= _MAX_ERROR))
    low, high = np.log(_SIZES[[at - 1, at]])
    part = (rates[at - 1] - _MAX_ERROR) / (rates[at - 1] - rates[at])
    return _Truth(scores(), n_topics, float(np.exp(low + part * (high - low))))


def _covers_rate(truth: _Truth, rng: np.random.Generator) -> float:
    matrix = matrix_of(sample(truth.scores, truth.n_topics, rng))
    interval = Predictor(matrix).error_interval(DIFFERENCE, truth.n_topics)
    return float("nan") if interval is None else float(interval.low <= truth.value <= interval.high + 1e-9)


def _covers_topics(truth: _Truth, rng: np.random.Generator) -> float:
    predictor = Predictor(matrix_of(sample(truth.scores, truth.n_topics, rng)))
    try:
        needed = predictor.required_topics(DIFFERENCE, _MAX_ERROR)
    except NoSolution:
        return float("nan")
    found = predictor.topics_interval(DIFFERENCE, _MAX_ERROR, needed)
    if found is None:
        return float("nan")
    # A number of topics is whole: the one that the true rate asks for is the next.
    return float(found.low <= np.ceil(truth.value) and (found.high is None or truth.value <= found.high))


def _covers_of_named(of: str, truth: _Truth, rng: np.random.Generator) -> float:
    """Return whether the interval for two random runs contains the value by all topics, the difference held."""
    matrix = matrix_of(sample(truth.scores, truth.n_topics, rng))
    one, other = rng.choice(matrix.n_systems, 2, replace=False)
    result = two_runs.two_runs(Predictor(matrix), matrix.systems[one], matrix.systems[other])
    variance = float(np.var(truth.scores[:, one] - truth.scores[:, other]))
    if of == "power":
        if result.power_interval is None:
            return float("nan")
        effect = result.difference / np.sqrt(variance)
        power = float(paired_t.power(truth.n_topics, effect, alpha=ALPHA.default))
        return float(result.power_interval[0] <= power <= result.power_interval[1])
    if result.interval is None or variance == 0:
        return float("nan")
    delta = pairs_of(matrix_of(truth.scores)).differences
    delta, spread = np.r_[delta, -delta], np.sqrt(variance / truth.n_topics)
    weights = np.exp(-(((result.difference - delta) / spread) ** 2) / 2)
    rate = float(weights @ normal_cdf(-delta / spread) / weights.sum())
    return float(result.interval.low <= rate <= result.interval.high + 1e-9)


def _groups(n_systems: int, spread: float) -> Scores:
    """Return sums over groups of three topics, as the analysis takes them: topics share half of what is theirs."""
    topics = simulated("beta", n_systems, spread, 3 * 20_000).reshape(-1, _GROUP, n_systems)
    shared = topics[:, :1] - topics.mean(axis=(0, 1))
    scores = (topics + shared).reshape(-1, n_systems)
    groups = tuple(f"g{at // _GROUP}" for at in range(len(scores)))
    known = matrix_of(scores)
    named = ScoreMatrix(
        scores=scores, topics=known.topics, systems=known.systems, measure="AP", name="groups", groups=groups
    )
    return named.by_group(centred=True).scores


def _of_the_best(file: str, measure: str, n_systems: int) -> Scores:
    return strongest(real(file, measure), 20)[:, np.random.default_rng(0).permutation(20)[:n_systems]]


_REAL = (
    ("Web 2012, ERR@20", "web2012_err20", "ERR@20"),
    ("DL 2019, nDCG@10", "dl2019_passage_ndcg10", "nDCG@10"),
    ("TREC-8, AP", "trec8_adhoc_ap", "AP"),
    ("TREC-8, RR", "trec8_adhoc_rr", "RR"),
)
_TIED = (("TREC-8, P@10", "trec8_adhoc_p10", "P@10"), ("DL 2019, P@10", "dl2019_passage_p10", "P@10"))
_Truths = Callable[[Callable[[], Scores], int], _Truth]


def _close(truth: _Truths, shape: str, n_topics: int, small: bool = False) -> Cell:
    name = f"{shape}, 6 systems within .04, {n_topics} topics"
    return Cell(
        name=name, population=partial(truth, partial(simulated, shape, 6, 0.04), n_topics), small=small
    )


def _best(truth: _Truths, data: tuple[str, str, str], n_topics: int, n_systems: int = 6) -> Cell:
    name = f"{data[0]}, {n_systems} of the best 20 runs, {n_topics} topics"
    scores = partial(_of_the_best, *data[1:], n_systems)
    return Cell(name=name, population=partial(truth, scores, n_topics))


def _any(truth: _Truths, data: tuple[str, str, str], n_topics: int, small: bool = False) -> Cell:
    """Return a setting with 30 runs of all strengths: their best ones are no subject."""

    def runs() -> Scores:
        scores = real(*data[1:])
        return scores[:, np.random.default_rng(0).permutation(scores.shape[1])[:30]]

    return Cell(
        name=f"{data[0]}, 30 runs, {n_topics} topics", population=partial(truth, runs, n_topics), small=small
    )


def _wide(truth: _Truths, shape: str, n_topics: int, small: bool = False) -> Cell:
    name = f"{shape}, 10 systems within .2, {n_topics} topics"
    return Cell(
        name=name, population=partial(truth, partial(simulated, shape, 10, 0.2), n_topics), small=small
    )


def _without_value(scores: Callable[[], Scores], n_topics: int) -> _Truth:
    return _Truth(scores(), n_topics, float("nan"))


_WHERE = "Error rate", "topicset error-rate"

_SETS_OF = (1, 2, 3, 5, 10)


def _falls(scores: Callable[[int, np.random.Generator], Scores], rng: np.random.Generator) -> float:
    """Return the share of steps to more topics at which the experiment has fewer errors over all bins."""
    matrix = matrix_of(scores(50, rng))
    counted = error_rates(matrix, cardinalities=_SETS_OF, n_trials=1000, seed=int(rng.integers(2**31)))
    return float(np.mean(np.diff(counted.overall) < 0))


STATEMENTS = (
    Statement(
        key="ties-in-the-experiment",
        title="Ties in the experiment of Voorhees and Buckley",
        text=TIES,
        where=("Error rate", "topicset error-rate"),
        test=(
            "A trial draws topics and, of public runs, systems. It compares the error rates over all bins of pairs "
            f"of sets of {', '.join(map(str, _SETS_OF))} topics. The means of simulated systems are far apart: of "
            "close systems, two halves of the same topics contradict each other whatever their size."
        ),
        quantity="share of steps to more topics that lower the rate",
        stated=(1.0, 1.0),  # more topics are more evidence
        cells=cells_of(0.4),
        trial=_falls,
        trials=100,
        few=4,
    ),
    Statement(
        key="error-rate-interval",
        title="Interval of the error rate",
        text=interval_note(),
        where=_WHERE,
        test=(
            "A trial draws topics from the population and predicts the error rate of two systems .05 apart. The "
            f"true rate is that of pairs of systems found .04 to .06 apart, from {_SETS:,} pairs of topic sets."
        ),
        quantity="coverage",
        stated=prediction.INTERVAL_COVERS,
        nominal=LEVEL,
        cells=(
            *(
                _close(_with_rate, shape, n, small=(shape, n) == ("30 % zeros", 25))
                for shape in ("beta", "30 % zeros", "skewed")
                for n in (10, 25, 50)
            ),
            *(
                _close(_with_rate, shape, 25)
                for shape in ("heterogeneous", "near-duplicate triples", "tied (tenths)", "0/1")
            ),
            *(
                Cell(
                    name=f"beta in groups of {_GROUP}, 6 systems within .04, {n} groups",
                    population=partial(_with_rate, partial(_groups, 6, 0.04), n),
                )
                for n in (10, 25)
            ),
            *(_best(_with_rate, data, n) for data in _REAL for n in (10, 25, 50)),
        ),
        trial=_covers_rate,
        trials=300,
        few=60,
    ),
    Statement(
        key="error-rate-topics",
        title="Interval of the topics for a tolerated error rate",
        text=interval_note(),
        where=_WHERE,
        test=(
            "A trial draws topics from the population and computes the topics that have an error rate of 10 % for "
            f"two systems found .05 apart. The true number is where the simulated rate, from {_SETS:,} pairs of "
            "topic sets for each of 22 sizes, falls to 10 %."
        ),
        quantity="coverage",
        stated=prediction.TOPICS_COVERS,
        nominal=LEVEL,
        cells=(
            *(
                _wide(_with_topics, shape, n)
                for shape in ("beta", "30 % zeros", "skewed", "tied (tenths)")
                for n in (10, 25, 50)
            ),
            *(_best(_with_topics, data, n, 12) for data in _REAL[1:3] for n in (10, 25, 50)),
            *(
                _any(_with_topics, data, n, small=(data, n) == (_TIED[1], 10))
                for data in _TIED
                for n in (10, 25, 50)
            ),
        ),
        trial=_covers_topics,
        trials=200,
        few=20,
    ),
    *(
        Statement(
            key=f"error-rate-two-runs-{key}",
            title=f"Two named runs: interval of the {title}",
            text=two_runs.intervals_held(),
            where=_WHERE,
            test=(
                "A trial draws topics from the population and names two random runs. The true value is the formula "
                "with the differences and the variance by all topics, the observed difference held."
            ),
            quantity="coverage",
            stated=stated,
            nominal=LEVEL,
            cells=(
                *(
                    _wide(_without_value, shape, n, small=(shape, n) == ("beta", 25))
                    for shape in ("beta", "30 % zeros", "skewed", "tied (tenths)", "near-duplicate triples")
                    for n in (10, 25, 50)
                ),
                *(_best(_without_value, data, n, 12) for data in _REAL for n in (10, 25, 50)),
            ),
            trial=partial(_covers_of_named, key),
            trials=1000,
            few=60,
        )
        for key, title, stated in (
            ("rate", "probability of a reversal", two_runs.RATE_COVERS),
            ("power", "power", two_runs.POWER_COVERS),
        )
    ),
)
