"""Does the test keep alpha, and has it the power it was sized for, on topics resampled from these scores?

One trial draws n topics with replacement from the topics of the scores, and runs the test on equal systems
and on systems that differ by D. The share of significant trials is the achieved type I error and power
(`resampling` says how equal systems and a difference are made). D is minD for every pair, or what n topics
detect given each pair's own variance: the first asks whether one variance serves all pairs, the second
whether the test suits the scores.

All pairs see the same topics in a trial. Therefore the standard error of a mean over pairs counts trials, and
where pairs are a sample of all pairs, pairs as well.

The results are about the topics of the pool: scores that it lacks cannot be drawn.
"""

import math
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from topicset_core.analyses.achieved_power.decide import BLOCK_DRAWS, Condition, Setting, Task, decided
from topicset_core.analyses.achieved_power.directions import Directions, directions
from topicset_core.analyses.achieved_power.over_pairs import (
    CLOSED_FORMS,
    PowerOverPairs,
    power_over_pairs,
)
from topicset_core.analyses.achieved_power.resampling import (
    NO_DIFFERENCE,
    Pool,
    Sets,
    bounded_difference,
    choose_sets,
    equal_systems,
    topics_of_groups,
    with_equal_means,
)
from topicset_core.analyses.achieved_power.significance_tests import (
    NULL,
    SHIFT,
    TEST,
    TESTS,
    SignificanceTest,
    test_named,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan
from topicset_core.designs.grouped import average_size, counted_size, variation_of_sizes
from topicset_core.designs.search import Floats
from topicset_core.designs.shared_topics import shared_topics
from topicset_core.designs.shares import check_shares
from topicset_core.designs.studentised import n_comparisons
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import (
    ALPHA,
    BETA,
    MIN_D,
    N_SYSTEMS,
    N_TOPICS,
    SEED,
    TOPICS,
    ChoiceParameter,
    Parameter,
    check_error_probabilities,
    number_of_trials,
)
from topicset_core.progress import ReportProgress, silently
from topicset_core.samples import simulated_task
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, ONE_WAY, TWO_WAY, Estimate
from topicset_core.variance.estimates import require_two_systems
from topicset_core.variance.group_components import of_group_means

N_PAIRS = Parameter(
    name="n_pairs",
    command_name="pairs",
    label="Pairs or sets of runs",
    help="How many pairs of runs, or sets of m runs, are tested; drawn from all runs.",
    lower=1,
    upper=20_000,
    default=40,
    step=10,
    integer=True,
)

N_TRIALS = number_of_trials("How often n topics are drawn; all pairs are tested on each draw.", lower=2)

N_PERMUTATIONS = Parameter(
    name="n_permutations",
    command_name="permutations",
    symbol="B",
    label="B, permutations per test",
    help="Of randomised tests: sign flips, or permutations within topics.",
    lower=19,
    upper=100_000,
    default=499,
    step=100,
    integer=True,
)

MOST_RUN_TOPICS = 20_000
"""Topics that a trial may have; more would hold too much memory."""

EFFECT = ChoiceParameter(
    name="effect",
    label="True difference",
    help="minD shows for which pairs one variance is right; each pair's own difference shows whether the test "
    "suits the scores.",
    options={"min-d": "minD for every pair", "own": "what n topics detect, by pair"},
    default="min-d",
)

_SECOND_BETTER = "power, the second better"
_BY_TOPIC = "by topic"  # equal systems, tested on the topics of groups as if these were independent
_TASK_SECONDS = 0.15
_FEWEST_TRIALS = 50  # of a preview
_PRODUCT_SECONDS, _DRAWN_SECONDS, _CELL_SECONDS = 1e-10, 4e-9, 4e-9  # on a core of 2026; only sizes tasks
_PERMUTED_SECONDS, _FLIPPED_SECONDS = 2e-10, 6e-11  # per permutation
_TURNED_SECONDS = 5e-9


CHECKED_TOPICS = replace(N_TOPICS, command_name="topics", upper=MOST_RUN_TOPICS)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """What is checked."""

    test: str = given(TEST)
    effect: str = given(EFFECT)
    topics: str | None = given(TOPICS, unless="as is usual for the test")
    null: str | None = given(NULL, unless="as is usual for the test")
    shift: str | None = given(SHIFT, unless="as is usual for the test")
    n_topics: int | None = given(
        CHECKED_TOPICS, unless="as the design requires with the variance of these scores"
    )
    alpha: float = given(ALPHA)
    beta: float = given(BETA)
    min_d: float = given(MIN_D)
    n_systems: int | None = given(N_SYSTEMS, unless=f"{N_SYSTEMS.default:g}, or as many as the scores have")
    n_pairs: int = given(N_PAIRS)
    n_trials: int = given(N_TRIALS)
    n_permutations: int = given(N_PERMUTATIONS)
    seed: int = given(SEED)

    def check_together(self) -> None:
        """Check the error probabilities, and what suits the test."""
        check_error_probabilities(self.alpha, self.beta)
        chosen = test_named(self.test)
        if self.topics is not None and self.topics not in chosen.topics:
            raise InputError(TOPICS.name, self.topics, f"must be {chosen.topics[0]} for {chosen.in_words}")
        for parameter, value, usual in (
            (NULL, self.null, chosen.null),
            (SHIFT, self.shift, chosen.shift),
        ):
            if chosen.is_of_shares and value not in (None, usual):
                rule = f"must be {usual} for {chosen.in_words}: scores are to stay 0 or 1"
                raise InputError(parameter.name, value, rule)
        if self.shift == "turned" and not chosen.is_of_shares:
            raise InputError(SHIFT.name, self.shift, f"must be additive or bounded for {chosen.in_words}")
        if chosen.is_of_shares:
            check_shares(self.min_d, 0.0)
        if self.null == "swapped" and self.topics_are == "separate":
            raise InputError(NULL.name, self.null, "needs topics that the systems share")
        if chosen.is_randomised and self.alpha * (self.n_permutations + 1) < 1:
            rule = f"must be at least {math.ceil(1 / self.alpha) - 1:,}: fewer cannot be significant at alpha"
            raise InputError(N_PERMUTATIONS.name, self.n_permutations, rule)

    @property
    def chosen(self) -> SignificanceTest:
        """The test."""
        return test_named(self.test)

    @property
    def m(self) -> int:
        """Systems per set."""
        return 2 if self.chosen.compares == "pairs" else self.n_systems or int(N_SYSTEMS.default)

    @property
    def topics_are(self) -> str:
        """Whether topics are shared or separate."""
        return self.topics or self.chosen.topics[0]

    @property
    def null_is(self) -> str:
        """How equal systems are made."""
        return self.null or ("centred" if self.topics_are == "separate" else self.chosen.null)

    @property
    def shift_is(self) -> str:
        """How a difference is made."""
        return self.shift or self.chosen.shift

    @property
    def plan(self) -> Plan:
        """The design that sizes the test."""
        return self.chosen.plan(self.alpha, self.beta, self.m, self.topics_are)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rate:
    """How often the test was significant in one state of the systems."""

    null: str  # how the scores were made
    by_pair: Floats = field(repr=False)  # (n_pairs,): share of significant trials of each pair or set of runs
    by_trial: Floats = field(repr=False)  # (n_trials,): share of significant pairs in each trial
    is_all_pairs: bool = False  # whether these are all pairs that there are

    @property
    def value(self) -> float:
        """Mean over pairs, 0 to 1."""
        return float(self.by_pair.mean())

    @property
    def standard_error(self) -> float:
        """Standard error of the mean: over trials, and over pairs where these are a sample."""
        variance = _variance_of_mean(self.by_trial)
        if not self.is_all_pairs:
            variance += _variance_of_mean(self.by_pair)
        return math.sqrt(variance)

    def quantile(self, probability: float) -> float:
        """Return a quantile over pairs."""
        return float(np.quantile(self.by_pair, probability))


def _variance_of_mean(values: Floats) -> float:
    return float(np.var(values, ddof=1)) / values.size if values.size > 1 else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class AchievedPower:
    """Result of one test on one matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores.
    request : Request
        The requested check.
    n_topics : int
        n.
    variance : float
        That the design takes of these scores, as its page does.
    stated_power : float
        Power stated by the design for n, minD and that variance; 1 - beta where each pair has its own
        difference.
    members : tuple of tuple of str
        Pairs or sets of runs.
    n_left_out : int
        Pairs that were left out, as their difference hardly varies.
    n_trials : int
        Trials done.
    type_one, power : Rate
        Of equal systems, and of systems that differ: of two with equal means, the mean over which is better.
    other_type_one : Rate or None
        Type I error with equal systems made by the other method; None where topics are separate, and for
        McNemar's test.
    type_one_by_topic : Rate or None
        Type I error of the same test on the topics of the drawn groups, taken as independent; None where topics
        have no groups, systems have separate topics, a trial would have too many, or scores must be 0 or 1.
    over_pairs : PowerOverPairs or None
        Power of all pairs in closed form, for t tests and McNemar's test at minD.
    directions : Directions or None
        Power of one pair by which run is better; None for several pairs, and where both directions are alike.
    is_of_either : bool
        Whether the power is the mean over which of two runs is better.
    """

    matrix: ScoreMatrix
    request: Request
    n_topics: int
    variance: float
    stated_power: float
    members: tuple[tuple[str, ...], ...] = field(repr=False)
    n_left_out: int
    n_trials: int
    type_one: Rate
    power: Rate
    other_type_one: Rate | None
    type_one_by_topic: Rate | None
    over_pairs: PowerOverPairs | None
    directions: Directions | None = None
    is_of_either: bool = False

    @property
    def is_one_pair(self) -> bool:
        """Whether there is only one pair or set of runs, of which no share has a meaning."""
        return (len(self.members) if self.over_pairs is None else self.over_pairs.n_pairs) == 1

    @property
    def share_with_power(self) -> float:
        """Share of pairs or sets that have the wanted power: in closed form where there is one, else simulated."""
        if self.over_pairs is not None:
            return self.over_pairs.share
        return float(np.mean(self.power.by_pair >= 1 - self.request.beta))


def complete(matrix: ScoreMatrix, request: Request) -> Request:
    """Return the request with the number of systems that follows from the scores, and the usual difference."""
    most = max(int(N_SYSTEMS.lower), min(int(N_SYSTEMS.default), matrix.n_systems))
    return replace(request, n_systems=request.n_systems or most, shift=request.shift_is)


def achieved_power(
    matrix: ScoreMatrix,
    request: Request,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
    show_partial: Callable[[AchievedPower], None] | None = None,
) -> AchievedPower:
    """Run a test on topics resampled from a matrix of scores.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least as many runs as the test compares, and 2 topics.
    request : Request
        The requested check.
    report_progress : callable
        Takes the fraction done, between tasks of some tenths of a second; raises to stop the work.
    executor : Executor, optional
        Where tasks run; by default this thread. The result is the same on any.
    show_partial : callable, optional
        Takes the answer from the trials done so far.

    Raises
    ------
    InputError
        If there are too few runs, or their differences do not vary, or the difference cannot be made.
    NoSolution
        If n was not given and more than ten million topics would be needed.
    """
    request = complete(matrix, request)
    prepared = _prepare(matrix, request)
    tasks = _tasks(prepared, request)
    costs = [_seconds(prepared, request, task.after - task.first) * task.n_trials for task in tasks]
    setting, n_sets = prepared.setting, len(prepared.sets.members)
    by_pair = np.zeros((len(setting.conditions), n_sets))
    by_trial = np.zeros((len(setting.conditions), request.n_trials))
    for task, result in in_batches(partial(_counted, setting), tasks, costs, report_progress, executor):
        of_pairs, of_trials = result
        by_pair[:, task.first : task.after] += of_pairs
        start = task.block * BLOCK_DRAWS
        by_trial[:, start : start + task.n_trials] += of_trials
        done = start + task.n_trials
        if task.after == n_sets and done < request.n_trials and show_partial is not None:
            show_partial(_answer(matrix, request, prepared, by_pair, by_trial, done))
    return _answer(matrix, request, prepared, by_pair, by_trial, request.n_trials)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Prepared:
    setting: Setting
    sets: Sets
    variance: float
    stated_power: float
    over_pairs: PowerOverPairs | None


def _prepare(matrix: ScoreMatrix, request: Request) -> _Prepared:
    require_two_systems(matrix)
    if matrix.n_topics < 2:
        raise InputError("scores", matrix.name, "must have at least 2 topics")
    test, plan = request.chosen, request.plan
    if test.is_of_shares and not matrix.is_binary:
        topic, system = np.argwhere(~np.isin(matrix.scores, (0, 1)))[0]
        other = f"{matrix.systems[system]} has {matrix.scores[topic, system]:g} on {matrix.topics[topic]}"
        rule = f"must all be 0 or 1 for {test.in_words}; {other}"
        raise InputError("scores", matrix.name, rule)
    if not test.suits(is_binary=matrix.is_binary):  # an added difference would break the ties
        rule = (
            "must be mcnemar where all scores are 0 or 1: all ranks are tied, so Wilcoxon's test is McNemar's"
        )
        raise InputError(TEST.name, test.name, rule)
    sets = choose_sets(matrix, request.m, request.n_pairs, request.seed)
    variance, size_cv = _planned(matrix, request)
    as_planned = replace(plan, size_cv=size_cv)
    n = request.n_topics if request.n_topics is not None else int(as_planned.topics(request.min_d, variance))
    if n > MOST_RUN_TOPICS:
        raise InputError(N_TOPICS.name, n, f"must be at most {MOST_RUN_TOPICS:,} here")
    stated = 1 - request.beta
    differences = np.full(len(sets.members), request.min_d)
    if request.effect == "own":
        differences = plan.detected(n, _own_variances(matrix, request, sets))
    else:  # all tests have designs by power
        stated = float(as_planned.power(n, request.min_d, variance))
        if request.test == "one-way-f" and request.topics_are == "shared":
            stated = shared_topics(
                n,
                request.min_d,
                alpha=request.alpha,
                n_systems=request.m,
                within_system_variance=variance,
                residual_variance=_estimated(matrix, TWO_WAY)[0],
                size_cv=size_cv,
            ).power_of_one_way_f
    conditions: list[Condition] = []
    pools: dict[str, Pool] = {}
    power_pool, shift, has_blocks = request.null_is, differences, test.has_blocks(request.topics_are)
    if request.shift == "bounded":
        power_pool = "scaled"
        pools["scaled"], sets = bounded_difference(matrix, sets, differences, has_blocks=has_blocks)
        shift = np.zeros(len(sets.members))
    nulls = [request.null_is]
    if request.topics_are == "shared" and not test.is_of_shares:
        nulls.append("swapped" if request.null_is == "centred" else "centred")
    for name, null in zip(("null", "other null"), nulls, strict=False):
        pools[null] = equal_systems(matrix, sets, null, has_blocks=has_blocks)
        conditions.append(Condition(name=name, pool=null, shift=np.zeros(len(sets.members))))
    if _is_by_topic(matrix, request, n):
        # Only for pairs are scores exchanged in whole groups, by the sign of their difference.
        null = request.null_is if request.m == 2 else "centred"
        name = f"{null}, {_BY_TOPIC}"
        pools[name] = topics_of_groups(matrix.by_topic or matrix, sets, null, has_blocks=has_blocks)
        conditions.append(Condition(name=_BY_TOPIC, pool=name, shift=np.zeros(len(sets.members))))
    conditions.append(Condition(name="power", pool=power_pool, shift=shift, is_power=True))
    if request.m == 2 and power_pool == "centred":
        conditions.append(Condition(name=_SECOND_BETTER, pool=power_pool, shift=-shift, is_power=True))
    setting = Setting(
        test=test,
        n_topics=n,
        alpha=request.alpha,
        topics=request.topics_are,
        pools=pools,
        conditions=tuple(conditions),
        n_permutations=request.n_permutations,
        seed=request.seed,
    )
    over_pairs = None
    # Shared topics leave their difficulty in the variance of one system: the closed form is for separate ones.
    if request.test in CLOSED_FORMS and request.effect == "min-d" and request.topics_are == test.topics[0]:
        over_pairs = power_over_pairs(
            matrix,
            min_d=request.min_d,
            n_topics=n,
            alpha=request.alpha,
            beta=request.beta,
            test=request.test,
        )
    return _Prepared(
        setting=setting, sets=sets, variance=variance, stated_power=stated, over_pairs=over_pairs
    )


def _is_by_topic(matrix: ScoreMatrix, request: Request, n_groups: int) -> bool:
    """Return whether equal systems are tested by topic, too."""
    if matrix.by_topic is None or request.topics_are == "separate" or request.chosen.is_of_shares:
        return False
    return n_groups * max(matrix.by_topic.group_sizes.values()) <= MOST_RUN_TOPICS


def _kind(request: Request) -> str:
    return "within" if request.topics_are == "separate" else request.chosen.variance


def _planned(matrix: ScoreMatrix, request: Request) -> tuple[float, float]:
    """Return the variance that the design of the test takes of these scores, and the CV of sizes of groups."""
    kind = _kind(request)
    estimate = {"within": ONE_WAY, "residual": TWO_WAY, "difference": MEAN_PAIR_DIFFERENCE}[kind]
    variance, size_cv = _estimated(matrix, estimate)
    if variance <= 0:
        raise InputError("scores", matrix.name, NO_DIFFERENCE)
    return variance, size_cv


def _estimated(matrix: ScoreMatrix, estimate: Estimate) -> tuple[float, float]:
    """Return a variance of topics and 0; of groups that of means, by one correlation of all pairs, and their CV."""
    by_topic = matrix.by_topic
    if by_topic is not None:
        size = average_size([by_topic])
        cv = variation_of_sizes([by_topic]) if size > 1 else 0.0
        with suppress(InputError):  # without components its page does not plan in groups
            return of_group_means(estimate, counted_size(size, cv))(by_topic), cv
    return estimate(matrix), 0.0


def _own_variances(matrix: ScoreMatrix, request: Request, sets: Sets) -> Floats:
    """Return each set's variance in the population drawn from, of swapped scores with the true difference in it."""
    is_swapped = request.null_is == "swapped" and request.shift_is == "additive"
    scores, kind = matrix.scores if is_swapped else with_equal_means(matrix), _kind(request)
    result = np.empty(len(sets.members))
    for place, members in enumerate(sets.members):
        rows = scores[:, members[:2]] if kind == "difference" else scores[:, members]
        if kind == "within":
            result[place] = np.var(rows)
            continue
        rows = rows - rows.mean(axis=1, keepdims=True)
        residual = np.mean(np.sum(rows * rows, axis=1)) / (rows.shape[1] - 1)
        result[place] = 2 * residual if kind == "difference" else residual
    return result


def _tasks(prepared: _Prepared, request: Request) -> list[Task]:
    """Cut the work into blocks of trials, and these into some sets at a time, on any machine."""
    n_sets = len(prepared.sets.members)
    per_set = _seconds(prepared, request, 1) * BLOCK_DRAWS
    many = max(1, min(n_sets, int(_TASK_SECONDS / per_set)))
    return [
        Task(
            block=block,
            n_trials=min(BLOCK_DRAWS, request.n_trials - start),
            first=first,
            after=min(first + many, n_sets),
        )
        for block, start in enumerate(range(0, request.n_trials, BLOCK_DRAWS))
        for first in range(0, n_sets, many)
    ]


def _seconds(prepared: _Prepared, request: Request, n_sets: int) -> float:
    """Return the approximate seconds per trial, to cut work by."""
    setting = prepared.setting
    n, m = setting.n_topics, request.m
    pool = next(iter(setting.pools.values()))
    # Tests by topic take as much longer as there are more topics than groups.
    n_topics = [float(setting.pools[state.pool].columns.shape[1]) for state in setting.conditions]
    states = sum(n_topics) / n_topics[0]
    if request.chosen.is_randomised:
        seconds = (
            n * m * _PERMUTED_SECONDS if request.test == "randomised-tukey" else (n + 24) * _FLIPPED_SECONDS
        )
        return n_sets * states * seconds * request.n_permutations
    if request.chosen.is_of_shares:
        return n_sets * n * _TURNED_SECONDS
    if request.topics_are == "separate":
        return states * len(pool.columns) * n * _DRAWN_SECONDS
    pairs = n_comparisons("pairs", m) if request.test == "bonferroni" else 1
    summed = n_sets * pairs * pool.columns.shape[1] * _PRODUCT_SECONDS
    swapped = n_sets * n * m * _DRAWN_SECONDS * 3 if m > 2 else 0.0
    return float(states * (summed + n_sets * pairs * _CELL_SECONDS) + swapped)


def estimated_seconds(matrix: ScoreMatrix, request: Request) -> float:
    """Return about how many CPU seconds a request takes; raises as `achieved_power` does."""
    prepared = _prepare(matrix, request)
    return _seconds(prepared, request, len(prepared.sets.members)) * request.n_trials


def affordable(matrix: ScoreMatrix, request: Request, seconds: float) -> Request:
    """Return the request with the trials, then the pairs, reduced to what takes about `seconds` of CPU time."""
    prepared = _prepare(matrix, request)
    n_sets = len(prepared.sets.members)
    per_trial = _seconds(prepared, request, n_sets)
    if per_trial * request.n_trials <= 2 * seconds:  # a preview of nearly all trials would save no time
        return request
    trials = max(min(request.n_trials, int(seconds / per_trial)), min(request.n_trials, _FEWEST_TRIALS))
    pairs = request.n_pairs
    if per_trial * trials > 2 * seconds:
        pairs = max(1, int(n_sets * seconds / (per_trial * trials)))
    return replace(request, n_trials=trials, n_pairs=pairs)


def _counted(setting: Setting, task: Task) -> tuple[Floats, Floats]:
    """Return significant trials per set, and significant sets per trial, for each condition."""
    result = decided(setting, task)
    return result.sum(axis=2).astype(np.float64), result.sum(axis=1).astype(np.float64)


def _answer(
    matrix: ScoreMatrix,
    request: Request,
    prepared: _Prepared,
    by_pair: Floats,
    by_trial: Floats,
    n_trials: int,
) -> AchievedPower:
    setting, sets = prepared.setting, prepared.sets
    rates = {
        condition.name: Rate(
            null=condition.pool.partition(", ")[0],
            by_pair=by_pair[place] / n_trials,
            by_trial=by_trial[place, :n_trials] / len(sets.members),
            is_all_pairs=sets.is_all,
        )
        for place, condition in enumerate(setting.conditions)
    }
    members = tuple(tuple(matrix.systems[run] for run in members) for members in sets.members.tolist())
    power, by_direction = rates["power"], None
    if _SECOND_BETTER in rates:
        first, second = power, rates[_SECOND_BETTER]
        power = replace(
            first,
            by_pair=(first.by_pair + second.by_pair) / 2,
            by_trial=(first.by_trial + second.by_trial) / 2,
        )
        if len(members) == 1:
            only_one = float(np.mean(first.by_trial != second.by_trial))
            of_both = first.value, second.value
            by_direction = directions((members[0][0], members[0][1]), of_both, only_one, n_trials)
    return AchievedPower(
        matrix=matrix,
        request=request,
        n_topics=setting.n_topics,
        variance=prepared.variance,
        stated_power=prepared.stated_power,
        members=members,
        n_left_out=sets.n_left_out,
        n_trials=n_trials,
        type_one=rates["null"],
        power=power,
        other_type_one=rates.get("other null"),
        type_one_by_topic=rates.get(_BY_TOPIC),
        over_pairs=prepared.over_pairs,
        directions=by_direction,
        is_of_either=_SECOND_BETTER in rates,
    )


def warm_up() -> None:
    """Compile the kernels by small questions."""
    matrix = simulated_task()[0]
    for test in (test for test in TESTS if not test.is_of_shares):  # that has no kernels of its own
        for topics in test.topics:
            request: dict[str, Any] = {"n_topics": 4, "n_systems": 3, "n_pairs": 2, "n_trials": 2}
            achieved_power(matrix, Request(test=test.name, topics=topics, n_permutations=19, **request))
