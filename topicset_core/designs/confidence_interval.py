"""How many topics for a narrow confidence interval of a paired difference?

Two systems are run on the same n topics. The design finds the smallest n with which the
100 (1 - alpha) % confidence interval of the mean difference is at most delta wide. The width
2 MOE is itself random, so the requirement is on its expectation: about half of all realised
intervals are still wider.

Model: that of the paired t test; E(2 MOE) from [1], Eqs. 30 to 33.

============ ========================= ==========================================================
paper        here                      meaning
============ ========================= ==========================================================
alpha        alpha                     1 minus the confidence level, 0 to 1
delta        max_width                 whole width allowed, in units of the measure
sigma_t^2    difference_variance       variance of the per-topic difference
n            required_topics           number of topics
============ ========================= ==========================================================

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 3.3.
   https://doi.org/10.1007/s10791-015-9273-z
"""

from dataclasses import dataclass
from typing import ClassVar

from topicset_core.designs.design import Design
from topicset_core.designs.interval_width import Interval, IntervalRequirements
from topicset_core.designs.results import Method, WidthResult
from topicset_core.parameters import ALPHA, DIFFERENCE_VARIANCE, MAX_WIDTH, Parameter
from topicset_core.references import SAKAI_2016

NAME = "Confidence interval, paired"
_INTERVAL = Interval(NAME, 1, DIFFERENCE_VARIANCE)


@dataclass(frozen=True, kw_only=True)
class Requirements(IntervalRequirements):
    """How narrow the interval must be.

    Parameters
    ----------
    alpha : float
        1 minus the confidence level, 0 to 1.
    max_width : float
        Widest interval allowed, in units of the measure.
    difference_variance : float
        sigma_t^2.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """

    difference_variance: float

    variance_parameter: ClassVar[Parameter] = DIFFERENCE_VARIANCE


def required_topics(requirements: Requirements, *, method: Method = "exact") -> WidthResult:
    """Return the smallest number of topics with E(2 MOE) <= max_width.

    Parameters
    ----------
    requirements : Requirements
        How narrow the interval must be.
    method : {"exact", "published"}
        The Gamma ratio of [1], Eq. 33, or the 2018 sheet's 1 - 1/(4 phi) for it.

    Raises
    ------
    NoSolution
        If more than ten million topics would be needed.

    Examples
    --------
    >>> wanted = Requirements(alpha=0.05, max_width=0.10, difference_variance=0.0942)
    >>> required_topics(wanted).required_topics
    147
    """
    return _INTERVAL.required_topics(requirements, method)


required_topics_grid = _INTERVAL.topics_grid
width = _INTERVAL.width

DESIGN = Design(
    slug="ci",
    name=NAME,
    label="paired interval",
    kind="width",
    parameters=(ALPHA, MAX_WIDTH),
    variance=DIFFERENCE_VARIANCE,
    requirements=Requirements,
    required_topics=required_topics,
    topics=_INTERVAL.topics_grid,
    difference=_INTERVAL.width,
    claim="the {confidence:.10g} % confidence interval of a paired difference of two systems in {measure} is "
    "expected to be at most δ = {max_width:g} wide",
    works=(SAKAI_2016,),
)
