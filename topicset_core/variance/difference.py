"""From the within-system variance to the variance of a difference of two systems."""


def conservative_difference_variance(within_system_variance: float) -> float:
    """Return sigma_t^2 = 2 sigma^2, the paper's choice where only past scores are known.

    It takes both systems to have the same variance and ignores that they share their topics, so on
    TREC data it is one and a half to four times the variance of real paired differences. The paper prefers
    to err on that side (Sakai 2016, section 3.4).

    Parameters
    ----------
    within_system_variance : float
        sigma^2, in squared units of the measure.
    """
    return 2 * within_system_variance
