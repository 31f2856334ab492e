"""Error rates over differences and topics, as the map shows them."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.error_rate.pairs import Floats
from topicset_core.analyses.error_rate.prediction import Predictor

_DIFFERENCES, _SIZES = 40, 28


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface:
    """Error rates of a grid.

    Parameters
    ----------
    sizes : ndarray of float64, shape (n_sizes,)
        Numbers of topics, ascending, evenly spaced on a log scale.
    differences : ndarray of float64, shape (n_differences,)
        Observed differences, ascending, evenly spaced.
    rates : ndarray of float64, shape (n_differences, n_sizes)
        Error rate of each, 0 to .5.
    """

    sizes: Floats
    differences: Floats
    rates: Floats


def surface(predictor: Predictor, *, n_topics: int, difference: float) -> Surface:
    """Return the error rates around a question.

    Parameters
    ----------
    predictor : Predictor
        Of the matrix.
    n_topics, difference : int, float
        The question. Topics go to twice it, and to four times those of the matrix; differences to twice
        it, and to .2.
    """
    most = max(4 * predictor.matrix.n_topics, 2 * n_topics)
    widest = max(0.2, 2 * difference)
    sizes = np.unique(np.rint(np.geomspace(1, most, _SIZES)))
    differences = widest * (np.arange(_DIFFERENCES) + 0.5) / _DIFFERENCES
    rates = np.array([predictor.errors(differences, float(size)) for size in sizes]).T
    return Surface(sizes=sizes, differences=differences, rates=rates)
