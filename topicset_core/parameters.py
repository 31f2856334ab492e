"""The inputs of designs, and of what builds on designs, each described once.

The text and the bounds of a parameter stand here and nowhere else. An analysis with inputs of its own
describes them in the same way beside itself.
"""

import math

from topicset_core.errors import InputError
from topicset_core.parameter import Parameter

MOST_TOPICS = 10_000_000
"""Largest topic set size that is searched; beyond it a design has no solution."""

LARGEST_EFFECT = 1000.0
"""Largest standardised difference, in standard deviations.

Beyond it the noncentral distributions lose digits (their noncentrality passes 1e6), and a
difference of a thousand standard deviations is a slip of units, not a requirement.
"""


ALPHA = Parameter(
    name="alpha",
    symbol="α",
    label="α, Type I error probability",
    help="How often a test may find a difference that is not there.",
    lower=0.0,
    upper=1.0,
    upper_included=False,
    default=0.05,
    step=0.01,
    computable_from=1e-100,  # critical values overflow from 1e-150 on
)

BETA = Parameter(
    name="beta",
    symbol="β",
    label="β, Type II error probability",
    help="How often a real difference of the size below may be missed; power is 1 − β.",
    lower=0.0,
    upper=1.0,
    upper_included=False,
    default=0.20,
    step=0.05,
    computable_from=1e-9,  # the power 1 - beta is held to 1e-16, so n to 1e-16 / beta
)

MAX_ERROR = Parameter(
    name="max_error",
    symbol="ε",
    label="ε, error rate that is tolerated",
    help="How often two experiments with different topics may disagree about which of two systems is better.",
    lower=0.0,
    upper=0.5,
    upper_included=False,
    default=0.05,
    step=0.01,
    computable_from=1e-300,
)

MIN_DELTA = Parameter(
    name="min_delta",
    symbol="minΔ",
    label="minΔ, smallest effect size worth detecting",
    help="The difference in standard deviations; in one-way ANOVA minD² / 2σ².",
    lower=0.0,
    upper=math.inf,
    default=0.5,
    step=0.1,
)

MIN_D = Parameter(
    name="min_d",
    symbol="minD",
    label="minD, smallest difference worth detecting",
    help="In units of the measure: a true difference this large must not be missed.",
    lower=0.0,
    upper=math.inf,
    default=0.10,
    step=0.01,
)

MAX_WIDTH = Parameter(
    name="max_width",
    symbol="δ",
    label="δ, widest confidence interval allowed",
    help="Whole width of the interval for a difference, in units of the measure.",
    lower=0.0,
    upper=math.inf,
    default=0.10,
    step=0.01,
)

WITHIN_SYSTEM_VARIANCE = Parameter(
    name="within_system_variance",
    command_name="variance",
    symbol="σ²",
    label="σ², within-system variance",
    help="How much one system's scores vary from topic to topic, squared; from past scores.",
    lower=0.0,
    upper=math.inf,
    default=0.05,
    step=0.005,
)

DIFFERENCE_VARIANCE = Parameter(
    name="difference_variance",
    symbol="σₜ²",
    label="σₜ², variance of the difference of two systems",
    help="How much the difference of two systems' scores varies from topic to topic, squared.",
    lower=0.0,
    upper=math.inf,
    default=0.10,
    step=0.01,
)

N_SYSTEMS = Parameter(
    name="n_systems",
    command_name="systems",
    symbol="m",
    label="m, number of systems",
    help="How many systems will be compared at the same time.",
    lower=2,
    upper=1000,
    lower_included=True,
    default=10,
    step=1,
    integer=True,
)

N_TOPICS = Parameter(
    name="n_topics",
    symbol="n",
    label="n, number of topics",
    help="How many topics each system is run on.",
    lower=2,
    upper=MOST_TOPICS,
    lower_included=True,
    default=50,
    step=1,
    integer=True,
)

T_STATISTIC = Parameter(
    name="t",
    symbol="t₀",
    label="t₀, reported t statistic",
    help="As printed in the paper; its sign does not matter.",
    lower=-math.inf,
    upper=math.inf,
    default=2.0,
    step=0.1,
)

F_STATISTIC = Parameter(
    name="f",
    symbol="F₀",
    label="F₀, reported F statistic",
    help="As printed in the paper.",
    lower=0.0,
    upper=math.inf,
    default=3.0,
    step=0.1,
)

BUDGET = Parameter(
    name="budget",
    symbol="B",
    label="B, budget",
    help="Relevance judgments that can be made in all.",
    lower=0.0,
    upper=math.inf,
    default=20_000,
    step=1_000,
)

RELEVANCE_LEVEL = Parameter(
    name="relevance_level",
    symbol="l",
    label="l, relevance level",
    help="Lowest grade that counts as relevant, for measures that know only relevant or not.",
    lower=1,
    upper=1000,
    lower_included=True,
    default=1,
    step=1,
    integer=True,
)


def check_error_probabilities(alpha: float, beta: float) -> None:
    """Validate the pair: 0 < alpha < 1 and 0 < beta < 1 - alpha.

    A test that rejects at random has power alpha, so less power than that is no requirement.

    Raises
    ------
    InputError
        If either is outside its bounds, or beta is not below 1 - alpha.
    """
    ALPHA.check(alpha)
    BETA.check(beta)
    if not beta < 1 - alpha:
        rule = f"must be below 1 - alpha = {1 - alpha:g}, or the power would be below alpha"
        raise InputError(BETA.name, beta, rule)
