"""Choosing the setting that scores best in training, and what is done where several do."""

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-12
"""Relative difference of means up to which settings tie: sums of the same numbers in another order."""


def best_settings(
    means: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the best setting of each training, and how many share its score.

    Where settings tie nobody who trains can tell them apart, so one of them is drawn: taking the first
    would make a measure that cannot decide look stable. All measures of one sample and task use
    one draw, so that measures with the same tie choose the same setting.

    Parameters
    ----------
    means : ndarray of float64, shape (..., n_measures, n_systems)
        Training scores, at least 0.
    draws : ndarray of float64, shape (...)
        Uniform on [0, 1), one for each sample and task.

    Returns
    -------
    chosen : ndarray of int64, shape (..., n_measures)
        Index of the setting.
    n_tied : ndarray of int64, shape (..., n_measures)
        Settings with the best score; 1 where the choice is clear.
    """
    best = means.max(axis=-1, keepdims=True)
    tied = means >= best * (1 - TOLERANCE)
    n_tied = tied.sum(axis=-1)
    wanted = np.minimum((draws[..., None] * n_tied).astype(np.int64), n_tied - 1)
    chosen = (tied.cumsum(axis=-1) <= wanted[..., None]).sum(axis=-1)
    return chosen.astype(np.int64), n_tied.astype(np.int64)
