"""Does any set of c topics have a correlation beyond a target? As a question about a quadratic form.

With C, b and T as in `kernels.pearson_search`, a set with indicator w has Q = w'Cw, s = b'w and the correlation
r = s / sqrt(Q T). For a target correlation t let v = t^2 T.

- Best, r > t > 0: s > 0 and s^2 > v Q, that is F(w) = w'(C - bb'/v)w < 0. As the mean of s over all sets of c
  topics is c T / n > 0, some set has a positive correlation, and so has the best.
- Worst, where every s is positive: r < t is F(w) = w'(bb'/v - C)w < 0. Every s is positive where the sum of the c
  smallest b is; no set then has a correlation below 0.
- Worst with t < 0: r < t is s < 0 and s^2 > v Q. F as for the best set would be below 0 at all sets of high
  positive correlation, too. So with u = -s from u_low to u_high over the completions of a node, where
  u_low^2 = v times a lower bound of Q, s^2 is replaced by its chord (McCormick 1976)::

      F(w) = Q - ((u_low + u_high) u - u_low u_high) / v < 0

  and nodes without a completion of u > 0 are closed.

F is divided by the Q of the set known, so that at sets like it Q is 1.

C_ij and b_i are dot products, off by some 2^-53 of |z_i| |z_j| and |z_i| |full| for the rows z of centred scores
and their sum. So with L the sum of the c largest |z_i|, Q is off by that share of L^2 at most, s of L |full| and
s^2 / v of L^2 / t^2, however much cancels: `f_size` and `s_size`.

References
----------
G. P. McCormick. Computability of global solutions to factorable nonconvex programs: Part I. Mathematical
Programming 10, 147-175 (1976). doi:10.1007/BF01580665
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.judge import Floats, Topics

_LEAST_TARGET = 1e-6  # below, terms of F are so large that rounding decides
_SHARP = 0.05  # of the mean diagonal: nearly the largest trace, and still far from singular


@dataclass(frozen=True, eq=False)
class Question:
    """A question in the order of branching.

    Parameters
    ----------
    order : ndarray of int, shape (n_topics,)
        Topics as they are fixed: those whose diagonal the bound covers worst come first, identical ones together.
    a : ndarray of float64, shape (n_topics, n_topics)
        Matrix of F.
    b : ndarray of float64, shape (n_topics,)
        Linear form that must be positive at sets beyond the target; zeros where that is so throughout.
    top : ndarray of float64, shape (n_topics + 1, n_topics + 1)
        Largest sum of b over m of the topics from a depth on.
    free_sums : ndarray of float64, shape (n_topics + 1,)
        Sum of b over the topics from a depth on.
    f_size, s_size : float
        Sizes of what F and s are computed from, which rounding is a share of.
    same : ndarray of bool, shape (n_topics,)
        Whether a topic has the same scores as the one before it, but for a constant.
    limit : float
        Sets whose r |r| T, times the sign, is above this are beyond the target.
    chord : float
        v where s^2 is replaced by its chord, else 0.
    sharp : ndarray of float64, shape (n_topics,)
        Diagonal of nearly the largest trace.
    """

    order: Topics
    a: Floats
    b: Floats
    top: Floats
    free_sums: Floats
    f_size: float
    s_size: float
    same: NDArray[np.bool_]
    limit: float
    chord: float
    sharp: Floats


def question_of(
    judge: CorrelationJudge, cardinality: int, sign: int, target: float, known: Topics
) -> Question | Literal["none", "open"]:
    """Return the question whether sets of a cardinality are beyond a target.

    ``"none"`` where none can be, ``"open"`` where the question has no form that is known to be right.

    Parameters
    ----------
    judge : CorrelationJudge
        Of the matrix.
    cardinality, sign : int
        Size of the sets; 1 for above the target, -1 for below.
    target : float
        Correlation.
    known : ndarray of int
        A set of that size with a correlation.
    """
    from topicset_core.analyses.topic_subsets.kernels import convexification

    # From the scores and not from C, whose rows may all but cancel.
    cov, full = judge.cov, judge.centred.sum(axis=0)
    b, total = judge.centred @ full, float(full @ full)
    least = float(np.sort(b)[:cardinality].sum())
    if sign < 0 and target <= 0 and least >= 0:
        return "none"
    if abs(target) < _LEAST_TARGET:
        return "open"
    square = target * target * total
    scale = float(cov[np.ix_(known, known)].sum())
    chord, form = 0.0, np.zeros_like(b)
    largest = float(np.sort(np.linalg.norm(judge.centred, axis=1))[-cardinality:].sum())
    f_size = largest * largest / scale * (1 + 1 / (target * target))
    if sign > 0:
        if target <= 0:
            return "open"
        a, form = (cov - np.outer(b, b) / square) / scale, b
    elif target > 0:
        # A sum this small may be one below 0 but for rounding.
        if least <= 1e-13 * total:
            return "open"
        a = (np.outer(b, b) / square - cov) / scale
    else:
        a, form, chord, f_size = cov / scale, -b / np.sqrt(scale), square, largest * largest / scale
    sharp = convexification.diagonal(a, _SHARP * float(np.abs(np.diagonal(a)).mean()))
    order, same = _ordered(np.diagonal(a) - sharp, judge.centred)
    form = form[order]
    top = _largest_sums(form) if form.any() else np.ones((len(b) + 1, len(b) + 1))
    return Question(
        order=order,
        a=np.ascontiguousarray(a[np.ix_(order, order)]),
        b=form,
        top=top,
        free_sums=np.append(np.cumsum(form[::-1])[::-1], 0.0),
        f_size=f_size,
        s_size=largest * np.sqrt(total / scale),
        same=same,
        limit=sign * target * abs(target) * total,
        chord=chord,
        sharp=sharp[order],
    )


def _ordered(uncovered: Floats, centred: Floats) -> tuple[Topics, NDArray[np.bool_]]:
    """Return topics by falling `uncovered`, identical ones after their first, and which are such.

    Scores that differ by 2^-48 of the largest are the same: that is rounding of a mean over runs.
    """
    near = 2.0**-48 * float(np.abs(centred).max())
    alike: list[list[int]] = []
    for topic in np.argsort(-uncovered, kind="stable").tolist():
        for group in alike:
            if np.abs(centred[topic] - centred[group[0]]).max() <= near:
                group.append(topic)
                break
        else:
            alike.append([topic])
    order = [topic for group in alike for topic in group]
    same = [place > 0 for group in alike for place in range(len(group))]
    return np.array(order, dtype=np.int64), np.array(same)


def _largest_sums(b: Floats) -> Floats:
    n = len(b)
    top = np.zeros((n + 1, n + 1))
    for depth in range(n):
        top[depth, 1 : n - depth + 1] = np.cumsum(np.sort(b[depth:])[::-1])
    return top
