"""How many pairs of systems a measure distinguishes: Tukey HSD, and its randomised form; with its exports.

Randomised Tukey HSD (Carterette 2012; Sakai 2012) permutes the scores of every topic, or whole group, over the
systems. The achieved significance level (ASL) of a pair is the share of permutations whose range of system means is
at least the pair's difference. Discriminative power (Sakai 2006) is the share of pairs with an ASL below alpha.

Permuting puts the true differences between systems into the noise: the 95 % point is that of Tukey's HSD times
sqrt((V_E + s) / V_E), s the variance component of systems. Therefore adding poor systems to a table makes good
ones less different. It rewards stability, not validity.

Seeds: block b of permutations draws from ``SeedSequence(seed, spawn_key=(2, b))``.
"""

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.studentised import critical_value
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import series
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import ALPHA, SEED, number_of_trials
from topicset_core.preparation.means import MEAN, USUAL_MEAN, estimand, mean_of, rows_of, system_means
from topicset_core.preparation.whole_groups import size_in_words
from topicset_core.progress import ReportProgress, part, silently
from topicset_core.question import Question
from topicset_core.references import CARTERETTE_2012, SAKAI_2006
from topicset_core.variance.components import Components
from topicset_core.variance.estimates import require_two_systems
from topicset_core.variance.sums_of_squares import mean_squares
from topicset_core.version import __version__
from topicset_core.wording import counted, joined, percent

BLOCK_PERMUTATIONS = 250
"""Permutations that share a stream of random numbers."""

PERMUTATIONS = number_of_trials("Permutations of the scores of each topic.", symbol="B", label="Permutations")

_SCORE_SECONDS = 2e-9  # per permuted score, on a core of 2026; only sizes previews
_ROUNDING = 1e-12
"""Ranges that miss a difference by less reach it; times the largest absolute score."""


@dataclass(frozen=True, kw_only=True)
class PowerRequest(Inputs):
    """What is asked of matrices of the same systems and topics."""

    alpha: float = given(ALPHA)
    n_trials: int = given(PERMUTATIONS)
    seed: int = given(SEED)
    mean: str | None = given(MEAN, unless=USUAL_MEAN)


@dataclass(frozen=True, kw_only=True, eq=False)
class Powers:
    """Discriminative power of one measure."""

    matrix: ScoreMatrix = field(repr=False)
    request: PowerRequest
    difference: Floats = field(repr=False)  # (n_pairs,): absolute differences of means, ascending
    asl: Floats = field(repr=False)  # (n_pairs,): ASL of each pair, in the same order: descending
    smallest_significant: float  # the 1 - alpha point of the ranges: only larger differences are significant
    # Tukey's HSD, q sqrt(V_E / n), with the two-way V_E; None where scores leave no residual
    tukey: float | None
    # Tukey's HSD times sqrt((V_E + s) / V_E): the theoretical value of the randomised point
    predicted: float | None

    @property
    def n_pairs(self) -> int:
        """Pairs of systems."""
        return self.difference.size

    @property
    def n_significant(self) -> int:
        """Pairs with an ASL below alpha."""
        return int((self.asl < self.request.alpha).sum())

    @property
    def share(self) -> float:
        """Discriminative power: the share of pairs with an ASL below alpha, 0 to 1."""
        return self.n_significant / self.n_pairs

    @property
    def mean_asl(self) -> float:
        """Mean ASL over pairs."""
        return float(self.asl.mean())

    @property
    def n_by_tukey(self) -> int | None:
        """Pairs with a difference above Tukey's HSD."""
        return None if self.tukey is None else int((self.difference > self.tukey).sum())


def randomised_ranges(
    matrix: ScoreMatrix,
    request: PowerRequest,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Floats:
    """Return the range of system means in each permutation, (n_trials,)."""
    require_two_systems(matrix)
    matrix = rows_of(matrix, mean_of(matrix, request.mean))
    n_trials = request.n_trials
    starts = range(0, n_trials, BLOCK_PERMUTATIONS)
    tasks = [(block, min(BLOCK_PERMUTATIONS, n_trials - start)) for block, start in enumerate(starts)]
    work = partial(_ranges, matrix.scores, request.seed)
    costs = [float(n) for _, n in tasks]
    return np.concatenate([result for _, result in in_batches(work, tasks, costs, report_progress, executor)])


def _ranges(scores: Floats, seed: int, task: tuple[int, int]) -> Floats:
    from topicset_core.analyses.rank_resolution.kernels import ranges_of_permutations

    block, n_trials = task
    stream = np.random.SeedSequence(seed, spawn_key=(2, block)).generate_state(1, np.uint64)[0]
    result: Floats = ranges_of_permutations(scores.copy(), n_trials, stream)
    return result


def powers_of(
    matrices: Sequence[ScoreMatrix],
    request: PowerRequest,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> list[Powers]:
    """Return the discriminative power of measures on the same systems and topics, the highest first."""
    # Shares of different pairs cannot be compared.
    first = matrices[0]
    for other in matrices[1:]:
        for noun in ("systems", "topics"):
            if set(getattr(first, noun)) != set(getattr(other, noun)):
                named = " and ".join(f"{matrix.measure} of {matrix.name}" for matrix in (first, other))
                raise InputError("FILE", named, f"must have the same {noun} in all measures")
    parts = [part(report_progress, n / len(matrices), 1 / len(matrices)) for n in range(len(matrices))]
    powers = [
        discriminative_power(matrix, request, report_progress=report_part, executor=executor)
        for matrix, report_part in zip(matrices, parts, strict=True)
    ]
    return by_power(powers)


def seconds_of_permutations(matrices: Sequence[ScoreMatrix], request: PowerRequest) -> float:
    """Return about how many CPU seconds the permutations of all measures take."""
    return _SCORE_SECONDS * request.n_trials * sum(matrix.scores.size for matrix in matrices)


def affordable(matrices: Sequence[ScoreMatrix], request: PowerRequest, seconds: float) -> PowerRequest:
    """Return the request with as many permutations as `seconds` allow, of at least two blocks."""
    most = request.n_trials * seconds / seconds_of_permutations(matrices, request)
    return replace(request, n_trials=min(request.n_trials, max(2 * BLOCK_PERMUTATIONS, int(most))))


def by_power(powers: Sequence[Powers]) -> list[Powers]:
    """Return the measures, the most discriminative first."""
    return sorted(powers, key=lambda power: -power.share)


def discriminative_power(
    matrix: ScoreMatrix,
    request: PowerRequest,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Powers:
    """Return the discriminative power of one measure; compare measures on the same systems and topics only."""
    request = replace(request, mean=mean_of(matrix, request.mean))
    ranges = np.sort(randomised_ranges(matrix, request, report_progress=report_progress, executor=executor))
    alpha, n_trials = request.alpha, request.n_trials
    means = system_means(matrix, request.mean)
    first, second = np.triu_indices(matrix.n_systems, 1)
    difference = np.sort(np.abs(means[first] - means[second]))
    slack = _ROUNDING * max(float(np.abs(matrix.scores).max()), 1e-300)
    # As a quotient of whole numbers: 1 - .93 is below .07, but 7 / 100 is not.
    asl = (n_trials - np.searchsorted(ranges, difference - slack, side="left")) / n_trials
    rows = matrix.group_means() if request.mean == "groups" else matrix.by_group(centred=True)
    squares = mean_squares(rows)
    residual, df = squares.residual_mean_square, squares.residual_df
    tukey = predicted = None
    if residual > 0:
        critical = float(critical_value("pairs", matrix.n_systems, df, alpha))
        tukey = critical * math.sqrt(2 * residual / rows.n_topics)
        system = max(Components.from_mean_squares(squares).system, 0.0)
        predicted = tukey * math.sqrt((residual + system) / residual)
    # Ranges that may reach a difference which is still significant
    allowed = int((np.arange(n_trials) / n_trials < alpha).sum()) - 1
    return Powers(
        matrix=matrix,
        request=request,
        difference=difference,
        asl=asl,
        smallest_significant=float(ranges[::-1][allowed]),
        tukey=tukey,
        predicted=predicted,
    )


def curve_of(powers: Powers, most: float = 0.1) -> tuple[Floats, Floats]:
    """Return the ASL curve: pairs sorted by descending ASL, as a share of all pairs, and their ASL up to `most`."""
    is_shown = powers.asl <= most
    place = np.arange(1, powers.n_pairs + 1) / powers.n_pairs
    return place[is_shown], powers.asl[is_shown]


POWERS = Columns[Powers](
    Column("measure", "matrix.measure"),
    Column("scores", "matrix.name"),
    Column("pairs", "n_pairs"),
    Column("randomised Tukey HSD", "n_significant"),
    Column("share", form=".4g"),
    Column("smallest significant difference", "smallest_significant", form=".4g"),
    Column("mean ASL", "mean_asl", form=".4g"),
    Column("Tukey HSD", "n_by_tukey"),
    Column("HSD", "tukey", form=".4g"),
)
"""A row per measure."""

_RECORDED = "n_pairs n_significant share smallest_significant mean_asl n_by_tukey predicted"


def report(powers: Sequence[Powers]) -> Report:
    """Return the discriminative power of measures ready for export, without a leaderboard."""
    powers = by_power(powers)
    return Report(
        name="discriminative-power",
        title="Discriminative power",
        findings=findings(powers),
        works=[SAKAI_2006, CARTERETTE_2012],
        tables=[
            ReportTable(
                "discriminative power", lambda: POWERS.table(powers), "Measures", "discriminative-power"
            )
        ],
        results=lambda: [
            attributes(power.matrix, "measure name")
            | attributes(power, _RECORDED)
            | {"tukey_hsd": power.tukey}
            for power in powers
        ],
        figures=lambda: [asl_curves(powers)],
        measure=joined([power.matrix.measure for power in powers]),
        matrices=[power.matrix.by_group() for power in powers],
        request=powers[0].request.settings,
    )


def findings(powers: Sequence[Powers]) -> list[Finding]:
    """Return the findings: the share of pairs of each measure, and what it does not tell."""
    matrix, request, best = powers[0].matrix, powers[0].request, powers[0]
    by = f", by the {estimand(matrix, request.mean)}" if matrix.groups else f" on {size_in_words(matrix)}"
    first = (
        f"{best.matrix.measure} distinguishes {best.n_significant:,} of {counted(best.n_pairs, 'pair')} of "
        f"{matrix.n_systems:,} systems ({percent(best.share)})"
    )
    others = [
        f"{power.matrix.measure} {power.n_significant:,} ({percent(power.share)})" for power in powers[1:]
    ]
    return [
        Finding(
            f"Discriminative power {CITATION} is the share of pairs of systems with significantly different means "
            f"(Topicset {__version__}).",
            "paper",
        ),
        Finding(
            f"By a randomised Tukey HSD test at level {request.alpha:g} ({request.n_trials:,} permutations, seed "
            f"{request.seed}){by}, {joined([first, *others])}."
        ),
        Finding(
            f"Permuting scores within {matrix.by_group().unit}s counts true differences between systems as noise, "
            "so poor systems in a table reduce the power for good ones. Discriminative power rewards stability, "
            "not validity.",
            "page export terminal",
        ),
    ]


def asl_curves(powers: Sequence[Powers]) -> Figure:
    """Draw the sorted achieved significance levels of pairs, one line per measure: the lower, the better."""
    alpha = powers[0].request.alpha
    top = max(0.1, 2 * alpha)
    chart = Chart(
        "Achieved significance level by randomised Tukey HSD",
        "pairs of systems, by significance level (%)",
        "achieved significance level",
        height=400,
    )
    for place, power in enumerate(powers):
        measure, (share, asl) = literal(power.matrix.measure), curve_of(power, top)
        chart.line(
            100 * share,
            asl,
            measure,
            f"{measure}: %{{x:.1f}} %, ASL %{{y:.4f}}",
            colour=series(place),
            width=2.4,
            mode="lines+markers" if asl.size < 3 else "lines",
            marker={"color": series(place)},
        )
    chart.rule(alpha, f"α = {alpha:g}", width=1.2, at_left=True)
    chart.axis("y", range=[-0.02 * top, top])
    chart.axis("x", range=[0, 101])
    chart.legend()
    alt = "Sorted significance levels of pairs by randomised Tukey HSD, one line per measure."
    return chart.figure("significance-levels", alt)


POWER_QUESTION = Question(
    slug="discriminative-power",
    description="The share of pairs of systems that differ significantly by a randomised Tukey HSD test (Sakai "
    "2006, Carterette 2012), one row per measure; all measures on the same systems and topics.",
    takes="matrices",
    request=PowerRequest,
    compute=powers_of,
    report=report,
    text=lambda powers: ["", *POWERS.text(powers), ""],
    noun=lambda request: f"{request.n_trials:,} permutations",
    seconds=seconds_of_permutations,
    preview=affordable,
    is_whole=lambda powers, request: powers[0].request.n_trials == request.n_trials,
)
