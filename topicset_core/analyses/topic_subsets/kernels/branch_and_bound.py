"""Compiled branch and bound over subsets of c topics: does any have a correlation beyond a target?

Topics are fixed in one order, in the set or out of it, so that matrices depend on the depth alone. A node
has fixed the topics before `depth`; m of the f free ones are still to come in. Sets beyond the target have::

    F(w) = w'Aw + s-terms < 0

(see `certificates.question`). With z the free part of w, lin = 2 A_free,fixed w_fixed and const = the fixed part,
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
  times `f_size`, and s by up to ROUNDING times `s_size`, however much cancels: see `certificates.question`;
- P is the inverse of a matrix that differs from M by about ROUNDING times the sum of |M_ij|, so that z'Mz does by
  that times |z - m/f|^2: m (1 - m/f) at sets of m topics, and what is added up in `moved` for z*;
- h'Ph is off by ROUNDING (sum of |h_i|)^2 max P_ii at most, as P is positive semidefinite.

Where topics cancel, full sets have a Q so small that F says little. So these are judged by their scores.

All compiled code of the search stands in this file: the cache does not see a change in another one.
"""

import numba as nb
import numpy as np

RUNNING, DONE, FOUND = 0, 1, 2

DEPTH, NODES = 0, 1
"""Places in `counters`: where the search is, and how many nodes it has looked at."""

ROUNDING = 2e-14
"""f 2^-53 for f = 180: more than there are topics."""


@nb.njit(cache=True, nogil=True, fastmath=True)
def node_bound(depth, m, const, lin, b, reach, s_fixed, s_free, tables, target, f_size, s_size, h, z):  # type: ignore[no-untyped-def]
    """Return a lower bound of F over all ways to complete a node with m of its free topics.

    Parameters: `lin`, `b` (n,), their free parts used; `reach` the largest s of a completion, with `s_fixed` the
    fixed part of s and `s_free` the sum of b over the free topics; `target` 0 where F has no chord; `f_size` and
    `s_size` the sizes of what F and s were computed from; `h`, `z` (n,) are overwritten.
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
        # target Q < s^2 for s from `least` to `reach`; s^2 is below its chord there, which is linear in s.
        least = np.sqrt(target * max(low - ROUNDING * (sizes + size * size * totals[depth, 2]), 0.0))
        if least > reach:
            return 1.0
        slope = (least + reach) / target
        cross = 0.0
        size = 0.0
        for i in range(f):
            cross += h[i] * along[depth, i]
            moved += 0.25 * slope * slope * along[depth, i] * along[depth, i]
            z[i] += 0.5 * slope * along[depth, i]
            size += abs(h[i]) + slope * abs(b[depth + i])
        low += slope * (least * reach / (least + reach) - s_fixed - r * s_free + 0.5 * cross)
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


@nb.njit(cache=True, nogil=True)
def _is_beyond(centred, full, chosen, limit, sign, tolerance, x):  # type: ignore[no-untyped-def]
    """Return whether a set, chosen (n,) of 0 and 1, has a correlation with sign r |r| T above the limit.

    `x` (n_systems,) is overwritten by its sums of scores.
    """
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


@nb.njit(cache=True, nogil=True)
def search(a, b, top, free_sums, same, f_size, s_size, centred, full, limit, sign, tolerance, target, c,  # type: ignore[no-untyped-def]
           least_free, tables, lin, const, s_fixed, n_chosen, tried, chosen, counters, quota):  # fmt: skip
    """Go on with a search for up to `quota` nodes; return RUNNING, DONE, or FOUND with the set in `chosen`.

    Parameters
    ----------
    a, b : the forms of F, in the order of branching; `top` (n + 1, n + 1) the largest sum of b over m of the
        topics from depth on, `free_sums` (n + 1,) their sum; `same` (n,) whether a topic scores as the one before.
    centred, full, limit, sign, tolerance : judge a full set by its scores (n, n_systems) and those of all topics
        (n_systems,); sets with sign r |r| T above the limit are found.
    f_size, s_size, target, c, least_free, tables : see `node_bound`; nodes whose bound is above 0 are closed.
    lin (n + 1, n), const, s_fixed, n_chosen, tried (n + 1,), chosen (n,), counters (2,) : the state. `tried`
        counts the values a depth has had: 1 for in, 2 for out.
    """
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
            reach = s_fixed[depth] + top[depth, m]
            if m == 0 or m == f:
                chosen[depth:] = 1 if m > 0 else 0
                if _is_beyond(centred, full, chosen, limit, sign, tolerance, x):
                    return FOUND
                closed = True
            elif reach <= 0:
                closed = True
            elif f >= least_free and not np.isnan(tables[6][depth, 0]):
                closed = (
                    node_bound(
                        depth, m, const[depth], lin[depth], b, reach, s_fixed[depth], free_sums[depth], tables,
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
        # Of topics that score alike the first come in first; and as many as are needed must be left.
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
