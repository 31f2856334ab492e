"""Type I error rates of tests of several equal systems: F, Tukey, Dunnett, Bonferroni, paired t with Holm."""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from tests.statements.shapes import SHAPES, Scores, centred, real, simulated
from tests.statements.statement import Cell, Statement
from topicset_core.designs import all_pairs, real_error_rates, studentised
from topicset_core.designs.blocked_anova import SPHERICITY_NOTE
from topicset_core.designs.distributions import critical_f, critical_t
from topicset_core.parameters import ALPHA

SAMPLES = 50
_LEAST_CONCENTRATION = 0.16  # (sum d^2)^2 / (n sum d^4) of a pair that is kept apart


class _Setting(NamedTuple):
    scores: Scores
    n_topics: int
    n_systems: int
    is_real: bool


class _Test(NamedTuple):
    statistic: str  # "F", "one variance" or "own variance"
    procedure: str  # of one variance: "one-step" (Tukey or Dunnett) or "by-number" (Bonferroni and Holm)
    family: str
    topics: str


@cache
def _critical(test: _Test, n: int, m: int) -> float:
    alpha, comparisons = ALPHA.default, m - 1 if test.family == "baseline" else m * (m - 1) // 2
    df = m * (n - 1) if test.topics == "separate" else (m - 1) * (n - 1)
    if test.statistic == "F":
        return float(critical_f(m - 1, df, alpha))
    if test.statistic == "own variance":  # Holm's procedure begins with Bonferroni's alpha
        return float(critical_t(n - 1, alpha / comparisons))
    if test.procedure == "by-number":
        return float(critical_t(df, alpha / comparisons))
    family: studentised.Family = "baseline" if test.family == "baseline" else "pairs"
    return float(studentised.critical_value(family, m, df, alpha))


def _are_apart(scores: Scores, chosen: list[int], new: int) -> bool:
    """Return whether a run differs from each chosen one on half of the topics, not on a few of them only."""
    differences = scores[:, chosen] - scores[:, [new]]
    deviations = differences - differences.mean(axis=0)
    squares, fourth = (np.sum(deviations**power, axis=0) for power in (2, 4))
    least = _LEAST_CONCENTRATION * len(scores)
    return bool(np.all(np.mean(differences == 0, axis=0) < 0.5) and np.all(squares**2 >= least * fourth))


def _drawn(setting: _Setting, rng: np.random.Generator, apart: bool) -> Scores | None:
    """Return the scores of m random runs; None where no m are apart from each other."""
    scores, m = setting.scores, setting.n_systems
    for _ in range(20):
        order = rng.permutation(scores.shape[1]).tolist()
        chosen: list[int] = []
        for new in order:
            if not apart or not chosen or _are_apart(scores, chosen, new):
                chosen.append(new)
            if len(chosen) == m:
                return scores[:, chosen]
    return None


def _rate(test: _Test, apart: bool, setting: _Setting, rng: np.random.Generator) -> float:
    """Return the share of samples of topics in which some difference of equal systems is significant."""
    drawn = _drawn(setting, rng, apart and setting.is_real)
    if drawn is None:
        return float("nan")
    n, m = setting.n_topics, setting.n_systems
    critical = _critical(test, n, m)
    picked = rng.integers(0, len(drawn), (SAMPLES, n) if test.topics == "shared" else (SAMPLES, n, m))
    if test.statistic == "own variance":
        return float(np.mean(_largest_own_t(drawn, picked, test.family, setting.is_real) >= critical))
    scores = centred(drawn) if setting.is_real else drawn  # true means of a simulated population are equal
    x = scores[picked] if test.topics == "shared" else scores[picked, np.arange(m)]
    means = x.mean(axis=1)
    residuals = x - means[:, np.newaxis]
    if test.topics == "shared":
        residuals = residuals - residuals.mean(axis=2, keepdims=True)
    systems = m if test.topics == "separate" else m - 1
    variance = np.sum(residuals**2, axis=(1, 2)) / (systems * (n - 1))
    if test.statistic == "F":
        return float(np.mean(n * means.var(axis=1, ddof=1) / variance >= critical))
    spread = np.ptp(means, axis=1) if test.family == "pairs" else np.abs(means - means[:, :1]).max(axis=1)
    return float(np.mean(spread / np.sqrt(2 * variance / n) >= critical))


def _largest_own_t(drawn: Scores, picked: np.ndarray, family: str, is_real: bool) -> Scores:
    """Return the largest |t| over pairs per sample, each with its own variance; 0 of equal scores."""
    first, second = np.triu_indices(drawn.shape[1], k=1)
    if family == "baseline":
        first, second = first[first == 0], second[first == 0]
    differences = drawn[:, first] - drawn[:, second]
    if is_real:  # equal means of each pair; runs that are equal on a topic stay equal on it
        differs = differences != 0
        shift = differences.sum(axis=0) / np.maximum(differs.sum(axis=0), 1)
        differences = np.where(differs, differences - shift, 0.0)
    times = np.zeros((len(picked), len(drawn)))  # how often a topic is in a sample
    np.add.at(times, (np.arange(len(picked))[:, np.newaxis], picked), 1)
    n = picked.shape[1]
    means = times @ differences / n
    variances = np.maximum(times @ differences**2 - n * means**2, 0.0) / (n - 1)
    varies = variances > 1e-12 * np.max(differences**2)
    t = np.abs(means) / np.sqrt(np.where(varies, variances, 1.0) / n)
    return np.asarray(np.max(np.where(varies, t, 0.0), axis=1))


_REAL = (
    ("Web 2012, AP", "web2012_ap", "AP"),
    ("Web 2012, ERR@20", "web2012_err20", "ERR@20"),
    ("Web 2011, AP", "web2011_ap", "AP"),
    ("DL 2019, AP", "dl2019_passage_ap", "AP"),
    ("TREC-8, AP", "trec8_adhoc_ap", "AP"),
    ("TREC-8, RR", "trec8_adhoc_rr", "RR"),
    ("Robust 2004, AP", "robust2004_ap", "AP"),
)
_WITH_20_APART = ("TREC-8, AP", "TREC-8, RR")  # the others have no 20 runs apart
_WITH_10_APART = (*_WITH_20_APART, "Web 2012, ERR@20", "Web 2011, AP", "DL 2019, AP", "Robust 2004, AP")
_APART = {20: _WITH_20_APART, 10: _WITH_10_APART}
_SIZES = ((5, 25), (10, 10), (10, 50), (20, 25))  # systems and topics


def _setting(of: Callable[[], Scores], n: int, m: int, is_real: bool) -> _Setting:
    return _Setting(of(), n, m, is_real)


def _cells(sizes: tuple[tuple[int, int], ...], small: tuple[str, int, int], apart: bool) -> tuple[Cell, ...]:
    cells = []
    for m, n in sizes:
        of_real = [
            (name, partial(real, file, measure), True)
            for name, file, measure in _REAL
            if not apart or m not in _APART or name in _APART[m]
        ]
        shapes = SHAPES[: -2 if apart else None] if (m, n) == sizes[-1] else ()  # triples, 0/1: nearly equal
        of_shapes = [(shape, partial(simulated, shape, m), False) for shape in shapes]
        for name, of, is_real in (*of_real, *of_shapes):
            cells.append(
                Cell(
                    name=f"{name}, {m} systems, {n} topics",
                    population=partial(_setting, of, n, m, is_real),
                    small=(name, m, n) == small,
                )
            )
    return tuple(cells)


_DRAWS = (
    "A trial draws a set of runs, makes their means equal, and counts in how many samples of topics, of "
    f"{SAMPLES}, a difference is significant"
)
_WORDS = {"pairs": "all pairs", "baseline": "a baseline"}


def _statement(
    key: str,
    title: str,
    text: str,
    stated: tuple[float, float],
    test: _Test,
    sizes: tuple[tuple[int, int], ...] = _SIZES,
    apart: bool = False,
) -> Statement:
    small = ("TREC-8, AP", *sizes[-1])
    return Statement(
        key=key,
        title=title,
        text=text,
        where=("design pages", "topicset size", "records"),
        test=_DRAWS + ("; no two runs are nearly equal." if apart else "."),
        quantity="familywise Type I error" if test.statistic != "F" else "Type I error",
        stated=stated,
        nominal=ALPHA.default,
        cells=_cells(sizes, small, apart),
        trial=partial(_rate, test, apart),
        trials=60,
        few=15,
    )


def _of_one_variance() -> list[Statement]:
    found = []
    for (family, topics), rates in real_error_rates.ONE_VARIANCE.items():
        for procedure, stated in zip(("one-step", "by-number"), rates, strict=True):
            one_step = "Tukey's HSD" if family == "pairs" else "Dunnett's test"
            name = one_step if procedure == "one-step" else "Bonferroni's and Holm's procedures, one variance"
            found.append(
                _statement(
                    f"{procedure}-{family}-{topics}",
                    f"{name}: {_WORDS[family]}, {topics} topics",
                    f"On real scores of 5 to 20 equal systems the familywise error rate was {stated.in_words} %",
                    stated,
                    _Test("one variance", procedure, family, topics),
                )
            )
    return found


def _note_of_pairs() -> str:
    wanted = all_pairs.Requirements(n_systems=10, alpha=0.05, beta=0.2, min_delta=0.5)
    return str(all_pairs.required_topics(wanted).notes[0])


STATEMENTS = (
    *(
        _statement(
            f"two-way-f-{m}",
            f"Two-way F test of {m} systems",
            SPHERICITY_NOTE,
            stated,
            _Test("F", "", "pairs", "shared"),
            ((m, 10), (m, 50), (m, 25)),
        )
        for m, stated in real_error_rates.F_TEST.items()
    ),
    *_of_one_variance(),
    *(
        _statement(
            f"paired-t-holm-{family}{'' if apart else '-nearly-equal'}",
            f"Paired t tests with Holm's correction, {_WORDS[family]}: "
            + ("no runs nearly equal" if apart else "any runs"),
            _note_of_pairs(),
            stated if apart else (stated.low, real_error_rates.NEARLY_EQUAL[family]),
            _Test("own variance", "", family, "shared"),
            apart=apart,
        )
        for family, stated in real_error_rates.OWN_VARIANCES.items()
        for apart in (True, False)
    ),
)
