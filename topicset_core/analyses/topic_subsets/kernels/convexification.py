"""Compiled set-up of branch and bound: diagonals that make a quadratic form convex on sets of equal size.

For binary w of a fixed sum and any diagonal D, w'Aw = w'(A - D)w + D'w, and where M = A - D is positive
definite on the hyperplane 1'z = 0 the right-hand side has a least value over all real w of that sum, which
bounds the left-hand side (Billionnet, Elloumi and Plateau 2009). D is taken on the central path of the
semidefinite programme that makes 1'D largest (Vandenberghe and Boyd 1996, section 4)::

    maximise  1'D + tau log det M  on the hyperplane

by Newton's method: with P the inverse of M on the hyperplane (zero along 1), the gradient is
1 - tau diag(P) and the Hessian -tau P o P, elementwise. So at the centre all P_ii are 1 / tau.

P comes from M lifted along 1: with K > 0 and W = (M + K 11')^-1, P = W - W11'W / (1'W1) whatever K is, and
where that sum has a Cholesky factor, M is positive definite on the hyperplane.

All compiled code of the set-up stands in this file: the cache does not see a change in another one.
"""

import numba as nb
import numpy as np

_LEAST_PIVOT = 1e-12  # of the largest diagonal element; smaller ones may be rounding
_NEAR = 1e-4  # squared Newton decrement at which the centre is near enough: bounds change little from there


@nb.njit(cache=True, nogil=True)
def _factor(m, lower, least):  # type: ignore[no-untyped-def]
    """Fill the Cholesky factor of m; False where a pivot is not above `least` of the largest diagonal."""
    f = m.shape[0]
    top = 0.0
    for i in range(f):
        top = max(top, m[i, i])
    for i in range(f):
        for j in range(i + 1):
            s = m[i, j]
            for k in range(j):
                s -= lower[i, k] * lower[j, k]
            if i > j:
                lower[i, j] = s / lower[j, j]
            elif s > least * top:
                lower[i, i] = np.sqrt(s)
            else:
                return False
    return True


@nb.njit(cache=True, nogil=True)
def _invert(a, d, m, lower, work, p):  # type: ignore[no-untyped-def]
    """Fill p with the inverse of A - D on the hyperplane; False where that is not positive definite."""
    f = d.shape[0]
    lift = 0.0
    for i in range(f):
        lift = max(lift, abs(a[i, i] - d[i]))
    for i in range(f):
        for j in range(f):
            m[i, j] = a[i, j] + lift
        m[i, i] -= d[i]
    if not _factor(m, lower, _LEAST_PIVOT):
        return False
    for j in range(f):  # work becomes the inverse of the factor, transposed
        work[j, j] = 1 / lower[j, j]
        for i in range(j + 1, f):
            s = 0.0
            for k in range(j, i):
                s -= lower[i, k] * work[j, k]
            work[j, i] = s / lower[i, i]
    for i in range(f):
        for j in range(i + 1):
            s = 0.0
            for k in range(i, f):
                s += work[i, k] * work[j, k]
            p[i, j] = s
            p[j, i] = s
    total = 0.0
    for i in range(f):
        work[0, i] = p[i].sum()
        total += work[0, i]
    for i in range(f):
        for j in range(f):
            p[i, j] -= work[0, i] * work[0, j] / total
    return True


@nb.njit(cache=True, nogil=True)
def _newton(p, tau, m, lower, step):  # type: ignore[no-untyped-def]
    """Fill the Newton step of D and return its squared decrement; -1 where P o P has no factor."""
    f = p.shape[0]
    for i in range(f):
        for j in range(f):
            m[i, j] = p[i, j] * p[i, j]
    if not _factor(m, lower, 1e-14):
        return -1.0
    for i in range(f):
        s = 1 / tau - p[i, i]
        for k in range(i):
            s -= lower[i, k] * step[k]
        step[i] = s / lower[i, i]
    for i in range(f - 1, -1, -1):
        s = step[i]
        for k in range(i + 1, f):
            s -= lower[k, i] * step[k]
        step[i] = s / lower[i, i]
    decrement = 0.0
    for i in range(f):
        decrement += step[i] * (1 / tau - p[i, i])
    return decrement


@nb.njit(cache=True, nogil=True)
def centre(a, d, tau, n_steps, p):  # type: ignore[no-untyped-def]
    """Move d (f,) towards the centre for tau, at most so many steps; p (f, f) becomes its inverse.

    Returns False, with d as it was, where A - D is not positive definite to begin with. However it ends, d and
    p belong together.
    """
    f = d.shape[0]
    m = np.empty((f, f))
    lower = np.zeros((f, f))
    work = np.zeros((f, f))
    step = np.empty(f)
    other = np.empty(f)
    next_p = np.empty((f, f))
    if not _invert(a, d, m, lower, work, p):
        return False
    for _ in range(n_steps):
        decrement = _newton(p, tau, m, lower, step)
        if decrement < _NEAR:
            break
        # The damped step stays inside by theory (Nesterov and Nemirovskii 1994); rounding may want it shorter.
        length = 1.0 if decrement < 0.0625 else 1 / (1 + np.sqrt(decrement))
        while length > 1e-3:
            for i in range(f):
                other[i] = d[i] + length * step[i]
            if _invert(a, other, m, lower, work, next_p):
                break
            length *= 0.5
        if length <= 1e-3:
            break
        d[:] = other
        p[:] = next_p
    return True


@nb.njit(cache=True, nogil=True)
def diagonal(a, tau):  # type: ignore[no-untyped-def]
    """Return D (n,) near the centre for tau."""
    n = a.shape[0]
    size = 1e-300
    for i in range(n):
        size = max(size, np.abs(a[i]).sum())
    d = np.full(n, -1.1 * size)  # A + 1.1 size I is positive definite, by Gershgorin
    p = np.empty((n, n))
    now = size
    while True:
        centre(a, d, now, 20, p)
        if now <= tau:
            return d
        now = max(tau, now * 0.25)


@nb.njit(cache=True, nogil=True)
def set_up(a, b, d, sharp, tau, sharp_tau, least_free):  # type: ignore[no-untyped-def]
    """Return what bounds need at each depth, where the topics from `depth` on are free.

    Parameters: `a` (n, n); `b` (n,) the linear form whose chord is used, zeros for none; `d` and `sharp` (n,)
    near the centres for `tau` and the smaller `sharp_tau`. Without its first topic A - D stays positive
    definite, so each depth starts from the one before. Returns, row `depth` holding f = n - depth values:
    p (n, n, n), M1, D, 1 / diag P, the residual sharp - d, P b; and (n, 2) 1'M1, b'Pb. Depths without a bound
    have a 1'M1 of NaN.
    """
    n = a.shape[0]
    inverses = np.zeros((n, n, n))
    row_sums = np.zeros((n, n))
    diagonals = np.zeros((n, n))
    curvatures = np.zeros((n, n))
    residuals = np.zeros((n, n))
    along = np.zeros((n, n))
    totals = np.full((n, 2), np.nan)
    for depth in range(n - least_free + 1):
        f = n - depth
        free = a[depth:, depth:].copy()
        d = d[d.shape[0] - f :].copy()
        sharp = sharp[sharp.shape[0] - f :].copy()
        p = np.empty((f, f))
        has_sharp = centre(free, sharp, sharp_tau, 8, p)
        if not centre(free, d, tau, 8, p):
            continue
        trace = 0.0
        size = 0.0
        for i in range(f):
            trace += p[i, i]
            size = max(size, abs(free[i, i] - d[i]))
        # The least eigenvalue is at least 1 / trace; rounding of the factor is some f^2 2^-53 of the size.
        if trace * size * f * f * 2.0**-53 > 1e-6:
            continue
        totals[depth] = 0.0
        for i in range(f):
            inverses[depth, i, :f] = p[i]
            row_sums[depth, i] = free[i].sum() - d[i]
            diagonals[depth, i] = d[i]
            curvatures[depth, i] = 1 / p[i, i]
            residuals[depth, i] = sharp[i] - d[i] if has_sharp else 0.0
            for j in range(f):
                along[depth, i] += p[i, j] * b[depth + j]
            totals[depth, 0] += row_sums[depth, i]
            totals[depth, 1] += along[depth, i] * b[depth + i]
    return inverses, row_sums, diagonals, curvatures, residuals, along, totals
