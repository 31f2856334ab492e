"""How many topics for a paired t test?

Two systems are run on the same n topics, and their mean difference is tested two-sided. The design
finds the smallest n with which a true difference of minD or more is missed with probability beta
at most.

Model: the per-topic differences d_j are independent and normal with mean mu_X - mu_Y and variance
sigma_t^2. Under the alternative, t0 = dbar / sqrt(V/n) has a noncentral t distribution with
phi = n - 1 degrees of freedom and noncentrality lambda_t = sqrt(n) Delta_t.

============ ========================= ==========================================================
paper        here                      meaning
============ ========================= ==========================================================
alpha        alpha                     Type I error probability, 0 to 1
beta         beta                      Type II error probability, 0 to 1 - alpha
minDelta_t   min_delta                 smallest effect size |mu_X - mu_Y| / sigma_t to detect
minD_t       min_d                     smallest difference to detect, in units of the measure
sigma_t^2    difference_variance       variance of d_j over topics
n            required_topics           number of topics
============ ========================= ==========================================================

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 3.1.
   https://doi.org/10.1007/s10791-015-9273-z
"""

from dataclasses import dataclass
from typing import ClassVar

from topicset_core.designs.design import detects
from topicset_core.designs.results import Method, PowerResult
from topicset_core.designs.t_test import TTestRequirements, min_d_of, min_delta_of, t_design
from topicset_core.parameters import ALPHA, BETA, DIFFERENCE_VARIANCE, MIN_D, Parameter
from topicset_core.references import SAKAI_2016

__all__ = [
    "DESIGN",
    "NAME",
    "Requirements",
    "detectable_delta",
    "min_d_of",
    "min_delta_of",
    "power",
    "required_topics",
    "required_topics_grid",
]

NAME = "Paired t test"
_TEST = t_design(NAME, groups=1)


@dataclass(frozen=True, kw_only=True)
class Requirements(TTestRequirements):
    """Requirements of the paired t test.

    Parameters
    ----------
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
    min_delta : float, optional
        Smallest effect size to detect, in standard deviations of the difference.
    min_d, difference_variance : float, optional
        Instead of `min_delta`: the difference in units of the measure, and sigma_t^2; Eq. 10 of [1].

    Raises
    ------
    InputError
        If a value breaks its rule, or the difference is not given exactly once.
    """

    difference_variance: float | None = None

    variance_parameter: ClassVar[Parameter] = DIFFERENCE_VARIANCE


def required_topics(requirements: Requirements, *, method: Method = "exact") -> PowerResult:
    """Return the smallest number of topics that meets the requirements.

    Parameters
    ----------
    requirements : Requirements
        Requirements of the test.
    method : {"exact", "published"}
        Noncentral t, both tails, or its normal approximation, [1], Eq. 6.

    Raises
    ------
    NoSolution
        If more than ten million topics would be needed.

    Examples
    --------
    >>> required_topics(Requirements(alpha=0.05, beta=0.20, min_delta=0.5)).required_topics
    34
    """
    return PowerResult(**_TEST.answered(requirements, method))


required_topics_grid = _TEST.required_topics_grid
power = _TEST.power
detectable_delta = _TEST.detectable_delta

DESIGN = _TEST.design(
    slug="paired-t",
    label="paired t test",
    parameters=(ALPHA, BETA, MIN_D),
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    required_topics=required_topics,
    claim=detects("a two-sided paired t test", "a difference of minD = {min_d:g} in {measure}"),
    works=(SAKAI_2016,),
)
