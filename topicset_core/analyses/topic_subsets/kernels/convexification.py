"""Compiled set-up of branch and bound: diagonals that make a quadratic form convex on sets of equal size.

For binary w of a fixed sum and any diagonal D, w'Aw = w'(A - D)w + D'w, and where M = A - D is positive
definite on the hyperplane 1'z = 0 the right-hand side has a least value over all real w of that sum, which
bounds the left-hand side (Billionnet, Elloumi and Plateau 2009). D is taken on the central path of the
semidefinite programme that makes 1'D largest (Vandenberghe and Boyd 1996, section 4)::

    maximise  1'D + tau log det M  on the hyperplane

by Newton's method: with P the inverse of M on the hyperplane (zero along 1), the gradient is
1 - tau diag(P) and the Hessian -tau P o P, elementwise. So at the centre all P_ii are 1 / tau.

A reflection that takes 1 to the first axis leaves the other axes to the hyperplane; where the rest of the
reflected M has a Cholesky factor, M is positive definite there.

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
def _reflect(m, across):  # type: ignore[no-untyped-def]
    """Replace m by HmH, where H = I - 2uu'/u'u with u = 1 + sqrt(f) e_1 takes 1 to a multiple of e_1."""
    f = m.shape[0]
    root = np.sqrt(f)
    half_norm = f + root  # u'u / 2
    for i in range(f):
        across[i] = m[i].sum() + root * m[i, 0]
    middle = across.sum() + root * across[0]  # u'mu
    for i in range(f):
        u_i = 1 + root if i == 0 else 1.0
        for j in range(f):
            u_j = 1 + root if j == 0 else 1.0
            m[i, j] += (u_i * u_j * middle / half_norm - u_i * across[j] - across[i] * u_j) / half_norm


@nb.njit(cache=True, nogil=True)
def _invert(a, d, m, lower, work, p):  # type: ignore[no-untyped-def]
    """Fill p with the inverse of A - D on the hyperplane; return its log det, or -inf where it has none."""
    f = d.shape[0]
    across = np.empty(f)
    m[:] = a
    for i in range(f):
        m[i, i] -= d[i]
    _reflect(m, across)
    if not _factor(m[1:, 1:], lower, _LEAST_PIVOT):
        return -np.inf
    log_det = 0.0
    for i in range(f - 1):
        log_det += 2 * np.log(lower[i, i])
    for j in range(f - 1):  # work becomes the inverse of the factor, transposed
        work[j, j] = 1 / lower[j, j]
        for i in range(j + 1, f - 1):
            s = 0.0
            for k in range(j, i):
                s -= lower[i, k] * work[j, k]
            work[j, i] = s / lower[i, i]
    p[:] = 0.0
    for i in range(f - 1):
        for j in range(i + 1):
            s = 0.0
            for k in range(i, f - 1):
                s += work[i, k] * work[j, k]
            p[i + 1, j + 1] = s
            p[j + 1, i + 1] = s
    _reflect(p, across)
    return log_det


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
    height = _invert(a, d, m, lower, work, p) + d.sum() / tau
    if height == -np.inf:
        return False
    for _ in range(n_steps):
        decrement = _newton(p, tau, m, lower, step)
        if decrement < _NEAR:
            break
        # The whole step, or the longest half, quarter, ... of it that climbs by a tenth of what the slope promises.
        length = 1.0
        while length > 1e-4:
            for i in range(f):
                other[i] = d[i] + length * step[i]
            now = _invert(a, other, m, lower, work, next_p) + other.sum() / tau
            if now >= height + 0.1 * length * decrement:
                break
            length *= 0.5
        if length <= 1e-4:
            break
        d[:] = other
        p[:] = next_p
        height = now
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
    p (n, n, n), M1, D, 1 / diag P, the residual sharp - d, P b; and (n, 4) 1'M1, b'Pb, max P_ii, sum of |M_ij|.
    Depths without a bound have a 1'M1 of NaN.
    """
    n = a.shape[0]
    inverses = np.zeros((n, n, n))
    row_sums = np.zeros((n, n))
    diagonals = np.zeros((n, n))
    curvatures = np.zeros((n, n))
    residuals = np.zeros((n, n))
    along = np.zeros((n, n))
    totals = np.full((n, 4), np.nan)
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
            for j in range(f):
                size = max(size, abs(free[i, j] - (d[i] if i == j else 0.0)))
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
                totals[depth, 3] += abs(free[i, j] - (d[i] if i == j else 0.0))
            totals[depth, 0] += row_sums[depth, i]
            totals[depth, 1] += along[depth, i] * b[depth + i]
            totals[depth, 2] = max(totals[depth, 2], p[i, i])
    return inverses, row_sums, diagonals, curvatures, residuals, along, totals
