"""Compiled branch and bound over subsets of c topics, and its set-up: does any have a correlation beyond a target?

Topics are fixed in one order, in the set or out of it, so that matrices depend on the depth alone. A node
has fixed the topics before `depth`; m of the f free ones are still to come in. Sets beyond the target have::

    F(w) = w'Aw + s-terms < 0

(see `certificates`). With z the free part of w, lin = 2 A_free,fixed w_fixed and const = the fixed part,
F = const + lin'z + z'A z = const + (lin + D)'z + z'Mz, for binary z. Its least value over real z with 1'z = m
is at z* = m/f - P h / 2, h = lin + D + 2 (m/f) M1, and is lb = const + (m/f)^2 1'M1 + (m/f) 1'(lin + D) - h'Ph / 4.

From there F = lb + (z - z*)'M(z - z*) exactly, and a binary z is at a distance from z* in every coordinate:

- look-ahead by one topic: (z - z*)'M(z - z*) >= (z_i - z*_i)^2 / P_ii for each i;
- residual: M - R is positive semidefinite on the hyperplane for the diagonal R = sharp - d, so that
  (z - z*)'M(z - z*) >= sum of R_i (z_i - z*_i)^2.

Either is least where z_i is the nearer (for R_i < 0 the farther) of 0 and 1.

From the bound comes off what rounding may have added, ROUNDING times the sizes that went into it. A dot product of
f numbers is off by f 2^-53 of the sum of their sizes at most:

- A, const and lin are those of another form than F, which differs from it at sets of c topics by up to ROUNDING
  times `f_size`, and s by up to ROUNDING times `s_size`, however much cancels: see `certificates`;
- P is the inverse of a matrix that differs from M by about ROUNDING times the sum of |M_ij|, so that z'Mz does by
  that times |z - m/f|^2: m (1 - m/f) at sets of m topics, and what is added up in `moved` for z*;
- h'Ph is off by ROUNDING (sum of |h_i|)^2 max P_ii at most, as P is positive semidefinite.

Where topics cancel, full sets have a Q so small that F is no evidence. Therefore these are evaluated by their
scores.

The set-up finds diagonals that make a quadratic form convex on sets of equal size. For binary w of a fixed sum
and any diagonal D, w'Aw = w'(A - D)w + D'w, and where M = A - D is positive definite on the hyperplane 1'z = 0 the
right-hand side has a least value over all real w of that sum, which bounds the left-hand side (Billionnet, Elloumi
and Plateau 2009). D is taken on the central path of the semidefinite programme that makes 1'D largest (Vandenberghe
and Boyd 1996, section 4)::

    maximise  1'D + tau log det M  on the hyperplane

by Newton's method: with P the inverse of M on the hyperplane (zero along 1), the gradient is
1 - tau diag(P) and the Hessian -tau P o P, elementwise. So at the centre all P_ii are 1 / tau.

A reflection that takes 1 to the first axis leaves the other axes to the hyperplane; where the rest of the
reflected M has a Cholesky factor, M is positive definite there.
"""

import numpy as np

from topicset_core.execution.compiling import kernel

RUNNING, DONE, IMPROVED = 0, 1, 2

DEPTH, NODES = 0, 1
"""Places in `counters`: where the search is, and how many nodes it has evaluated."""

ROUNDING = 2e-14
"""f 2^-53 for f = 180: more than there are topics."""


@kernel(fastmath=True)
def node_bound(depth, m, const, lin, b, largest_s, s_fixed, s_free, tables, target, f_size, s_size, h, z):  # type: ignore[no-untyped-def]
    """Return a lower bound of F over all ways to complete a node with m of its free topics.

    `largest_s` is of a completion, `s_fixed` and `s_free` the parts of s of the fixed topics and all free ones;
    `target` is 0 where F has no chord; `h`, `z` (n,) are overwritten.
    """
    inverses, row_sums, diagonals, curvatures, residuals, along, totals = tables
    f = lin.shape[0] - depth
    r = m / f
    p = inverses[depth]
    total = 0.0
    gross = 0.0
    mean = 0.0
    for i in range(f):
        g = lin[depth + i] + diagonals[depth, i]
        total += g
        gross += abs(g)
        h[i] = g + 2 * r * row_sums[depth, i]
        mean += h[i]
    mean /= f
    square = 0.0
    size = 0.0
    moved = m * (1 - r)
    for i in range(f):
        h[i] -= mean  # P does not see it, as P 1 = 0
        size += abs(h[i])
    for i in range(f):
        s = 0.0
        for j in range(f):
            s += p[i, j] * h[j]
        square += s * h[i]
        z[i] = r - 0.5 * s
        moved += 0.25 * s * s
    low = const + r * r * totals[depth, 0] + r * total - 0.25 * square
    sizes = f_size + abs(const) + (r * r + moved) * totals[depth, 3] + (r + np.sqrt(moved)) * gross
    if target > 0:
        # target Q < s^2 for s from `least` to `largest_s`; s^2 is below its chord there, which is linear in s.
        least = np.sqrt(target * max(low - ROUNDING * (sizes + size * size * totals[depth, 2]), 0.0))
        if least > largest_s:
            return 1.0
        slope = (least + largest_s) / target
        cross = 0.0
        size = 0.0
        for i in range(f):
            cross += h[i] * along[depth, i]
            moved += 0.25 * slope * slope * along[depth, i] * along[depth, i]
            z[i] += 0.5 * slope * along[depth, i]
            size += abs(h[i]) + slope * abs(b[depth + i])
        low += slope * (least * largest_s / (least + largest_s) - s_fixed - r * s_free + 0.5 * cross)
        low -= 0.25 * slope * slope * totals[depth, 1]
        sizes += slope * (least + s_size) + 2 * moved * totals[depth, 3]
    ahead = 0.0
    rest = 0.0
    for i in range(f):
        near = z[i] * z[i]
        far = (1 - z[i]) * (1 - z[i])
        ahead = max(ahead, min(near, far) * curvatures[depth, i])
        rest += min(residuals[depth, i] * near, residuals[depth, i] * far)
    sizes += size * size * totals[depth, 2]
    return low + max(ahead, rest) - ROUNDING * sizes


@kernel()
def _is_beyond(centred, full, chosen, limit, sign, tolerance, x):  # type: ignore[no-untyped-def]
    """Return whether a set, chosen (n,) of 0 and 1, has sign r |r| T above the limit; `x` becomes its sums."""
    x[:] = 0.0
    for i in range(centred.shape[0]):
        if chosen[i] > 0:
            for k in range(x.shape[0]):
                x[k] += centred[i, k]
    num = 0.0
    den = 0.0
    for k in range(x.shape[0]):
        num += x[k] * full[k]
        den += x[k] * x[k]
    return den > tolerance and sign * num * abs(num) > limit * den


@kernel()
def search(a, b, top, free_sums, same, f_size, s_size, centred, full, limit, sign, tolerance, target, c,  # type: ignore[no-untyped-def]
           least_free, tables, lin, const, s_fixed, n_chosen, tried, chosen, counters, quota):  # fmt: skip
    """Go on with a search for up to `quota` nodes; return RUNNING, DONE, or IMPROVED with the set in `chosen`."""
    n = b.shape[0]
    h = np.empty(n)
    z = np.empty(n)
    x = np.empty(full.shape[0])
    depth = counters[DEPTH]
    coming = True  # a new node, not one to return to
    left = quota
    while depth >= 0:
        if coming:
            if left == 0:
                counters[DEPTH] = depth
                return RUNNING
            left -= 1
            counters[NODES] += 1
            m = c - n_chosen[depth]
            f = n - depth
            closed = False
            largest_s = s_fixed[depth] + top[depth, m]
            if m == 0 or m == f:
                chosen[depth:] = 1 if m > 0 else 0
                if _is_beyond(centred, full, chosen, limit, sign, tolerance, x):
                    return IMPROVED
                closed = True
            elif largest_s <= 0:
                closed = True
            elif f >= least_free and not np.isnan(tables[6][depth, 0]):
                closed = (
                    node_bound(
                        depth, m, const[depth], lin[depth], b, largest_s, s_fixed[depth], free_sums[depth], tables,
                        target, f_size, s_size, h, z,
                    )
                    > 0
                )  # fmt: skip
            tried[depth] = 2 if closed else 0
        if tried[depth] == 2:
            depth -= 1
            coming = False
            continue
        tried[depth] += 1
        is_in = tried[depth] == 1
        m = c - n_chosen[depth]
        coming = False
        # Of topics with equal scores the first are taken first, and enough topics must be left.
        if is_in and same[depth] and chosen[depth - 1] == 0:
            continue
        if not is_in and m > n - depth - 1:
            continue
        following = depth + 1
        if is_in:
            chosen[depth] = 1
            n_chosen[following] = n_chosen[depth] + 1
            s_fixed[following] = s_fixed[depth] + b[depth]
            const[following] = const[depth] + lin[depth, depth] + a[depth, depth]
            for i in range(following, n):
                lin[following, i] = lin[depth, i] + 2 * a[depth, i]
        else:
            chosen[depth] = 0
            n_chosen[following] = n_chosen[depth]
            s_fixed[following] = s_fixed[depth]
            const[following] = const[depth]
            for i in range(following, n):
                lin[following, i] = lin[depth, i]
        depth = following
        coming = True
    counters[DEPTH] = -1
    return DONE


_LEAST_PIVOT = 1e-12  # of the largest diagonal element; smaller ones may be rounding
_NEAR = 1e-4  # squared Newton decrement at which the centre is near enough: bounds change little from there


@kernel()
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


@kernel()
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


@kernel()
def _invert(a, d, m, lower, work, p):  # type: ignore[no-untyped-def]
    """Fill p with the inverse of A - D on the hyperplane; return its log det, or -inf if it is not invertible."""
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


@kernel()
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


@kernel()
def centre(a, d, tau, n_steps, p):  # type: ignore[no-untyped-def]
    """Move d (f,) towards the centre for tau, p (f, f) its inverse; False if A - D is not positive definite."""
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
        # The whole step, or the longest half, quarter, ... of it that climbs by a tenth of the slope's prediction.
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


@kernel()
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


@kernel()
def set_up(a, b, d, sharp, tau, sharp_tau, least_free):  # type: ignore[no-untyped-def]
    """Return what bounds need at each depth, where the topics from `depth` on are free.

    Row `depth` holds f = n - depth values of p (n, n, n), M1, D, 1 / diag P, the residual sharp - d, P b; and of
    (n, 4) 1'M1, b'Pb, max P_ii, sum of |M_ij|. Depths without a bound have a 1'M1 of NaN.
    """
    n = a.shape[0]
    inverses = np.zeros((n, n, n))
    row_sums = np.zeros((n, n))
    diagonals = np.zeros((n, n))
    curvatures = np.zeros((n, n))
    residuals = np.zeros((n, n))
    along = np.zeros((n, n))
    totals = np.full((n, 4), np.nan)
    # Without its first topic A - D stays positive definite, so each depth starts from the one before.
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
