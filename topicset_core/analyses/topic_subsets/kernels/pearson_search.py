"""Compiled search for subsets of high or low correlation, and the correlations of random subsets.

Symbols as in `pearson_enumeration`: C scaled so that T is from 1 to 4, subsets compared by r |r| T, a
subset with Q of at most `tolerance` has no correlation. `sign` is 1 to look for the best, -1 for the worst.
"""

import numba as nb
import numpy as np

NONE = -8.0
"""Stands for "no correlation"; below every r |r| T."""

_LEAST_GAIN = 1e-12  # a swap must gain more than rounding, or the search could go round in circles


@nb.njit(cache=True, nogil=True)
def walk(centred, full, orders, cardinalities, tolerance):  # type: ignore[no-untyped-def]
    """Return r T^.5 of the first c topics of each order for each of the ascending cardinalities.

    `centred` (n, m) centred scores, `full` (m,) their sum over topics, `orders` (k, n). Shape (k, n_cardinalities),
    NONE where the run means are all the same.
    """
    n_orders = orders.shape[0]
    n_runs = centred.shape[1]
    values = np.empty((n_orders, cardinalities.shape[0]))
    x = np.empty(n_runs)
    for k in range(n_orders):
        x[:] = 0.0
        at = 0
        for place in range(cardinalities[-1]):
            topic = orders[k, place]
            for i in range(n_runs):
                x[i] += centred[topic, i]
            if place + 1 == cardinalities[at]:
                num = 0.0
                den = 0.0
                for i in range(n_runs):
                    num += x[i] * full[i]
                    den += x[i] * x[i]
                values[k, at] = num / np.sqrt(den) if den > tolerance else NONE
                at += 1
    return values


@nb.njit(cache=True, nogil=True)
def _sums(cov, b, order, size, r):  # type: ignore[no-untyped-def]
    """Fill r with the sums of C over the chosen topics; return b and Q of these."""
    r[:] = 0.0
    for k in range(size):
        for u in range(r.shape[0]):
            r[u] += cov[order[k], u]
    b_sum = 0.0
    q_sum = 0.0
    for k in range(size):
        b_sum += b[order[k]]
        q_sum += r[order[k]]
    return b_sum, q_sum


@nb.njit(cache=True, nogil=True)
def settle(cov, b, starts, c, sign, tolerance):  # type: ignore[no-untyped-def]
    """Bring each start to c topics, one best topic at a time, then swap topics while that gains.

    `starts` (k, size) topics. Each swap is the best of all. Returns values (k,), sign r |r| T, and members
    (k, c) ascending.
    """
    n = b.shape[0]
    n_starts, start_size = starts.shape
    values = np.empty(n_starts)
    members = np.empty((n_starts, c), np.int64)
    order = np.empty(n, np.int64)  # the chosen topics first
    outside = np.empty(n)  # 1 where a topic may come in
    r = np.empty(n)
    extra = np.empty(n)
    for s in range(n_starts):
        outside[:] = 1.0
        for k in range(start_size):
            order[k] = starts[s, k]
            outside[order[k]] = 0.0
        place = start_size
        for t in range(n):
            if outside[t] > 0:
                order[place] = t
                place += 1
        size = start_size
        b_sum, q_sum = _sums(cov, b, order, size, r)
        while size != c:
            step = 1.0 if size < c else -1.0  # come in or go out
            low, high = (size, n) if size < c else (0, size)
            best = 2 * NONE
            chosen = low
            for k in range(low, high):
                t = order[k]
                num = sign * (b_sum + step * b[t])
                den = q_sum + step * 2 * r[t] + cov[t, t]
                v = num * abs(num) / den if den > tolerance else NONE
                if v > best:
                    best = v
                    chosen = k
            t = order[chosen]
            edge = size if size < c else size - 1
            order[chosen] = order[edge]
            order[edge] = t
            size += 1 if size < c else -1
            outside[t] = 0.0 if step > 0 else 1.0
            b_sum, q_sum = _sums(cov, b, order, size, r)
        num = sign * b_sum
        current = num * abs(num) / q_sum if tolerance < q_sum else NONE
        while True:
            for u in range(n):
                extra[u] = 2 * r[u] + cov[u, u]
            best = current + _LEAST_GAIN
            leaves = -1
            comes = -1
            for k in range(c):
                p = order[k]
                b_less = b_sum - b[p]
                q_less = q_sum - 2 * r[p] + cov[p, p]
                found = 0.0
                for q in range(n):
                    num = sign * (b_less + b[q])
                    den = q_less + extra[q] - 2 * cov[p, q]
                    found += max(num * abs(num) - best * den, 0.0) * outside[q]
                if found > 0:
                    for q in range(n):
                        num = sign * (b_less + b[q])
                        den = q_less + extra[q] - 2 * cov[p, q]
                        if outside[q] > 0 and den > tolerance and num * abs(num) > best * den:
                            best = num * abs(num) / den
                            leaves = k
                            comes = q
            if leaves < 0:
                break
            p = order[leaves]
            order[leaves] = comes
            outside[p] = 1.0
            outside[comes] = 0.0
            b_sum, q_sum = _sums(cov, b, order, c, r)  # anew, so that rounding does not gather
            num = sign * b_sum
            current = num * abs(num) / q_sum
        values[s] = current
        members[s] = np.sort(order[:c])
    return values, members


@nb.njit(cache=True, nogil=True)
def neighbours(cov, b, members, tolerance):  # type: ignore[no-untyped-def]
    """Return r |r| T, shape (c, n), of all sets that differ by one swap: topic k of members out, topic q in."""
    n = b.shape[0]
    c = members.shape[0]
    r = np.empty(n)
    b_sum, q_sum = _sums(cov, b, members, c, r)
    values = np.full((c, n), NONE)
    inside = np.zeros(n, np.bool_)
    for k in range(c):
        inside[members[k]] = True
    for k in range(c):
        p = members[k]
        for q in range(n):
            if not inside[q]:
                num = b_sum - b[p] + b[q]
                den = q_sum - 2 * r[p] + cov[p, p] + 2 * (r[q] - cov[p, q]) + cov[q, q]
                if den > tolerance:
                    values[k, q] = num * abs(num) / den
    return values


@nb.njit(cache=True, nogil=True)
def _try(sign, num, den, tolerance, best):  # type: ignore[no-untyped-def]
    """Return the value of a candidate if it is above the best so far, else the best."""
    num = sign * num
    if den > tolerance and num * abs(num) > best * den:
        return num * abs(num) / den
    return best


@nb.njit(cache=True, nogil=True)
def extend(cov, b, members, removed, sign, tolerance):  # type: ignore[no-untyped-def]
    """Return the best set of one more topic that has at most 3 topics not in `members`.

    `removed` (k, 2): the places of the topics that go, -1 for none: none lets one topic come in, one two,
    two three. Returns its value and the topics out (2) and in (3), -1 for none.
    """
    n = b.shape[0]
    c = members.shape[0]
    r = np.empty(n)
    b_sum, q_sum = _sums(cov, b, members, c, r)
    outside = np.ones(n, np.bool_)
    for k in range(c):
        outside[members[k]] = False
    out = np.nonzero(outside)[0]
    n_out = out.shape[0]
    best = 2 * NONE
    change = np.full(5, -1, np.int64)
    gain = np.empty(n)
    for k in range(removed.shape[0]):
        first = members[removed[k, 0]] if removed[k, 0] >= 0 else -1
        second = members[removed[k, 1]] if removed[k, 1] >= 0 else -1
        b_kept = b_sum
        q_kept = q_sum
        for t in range(n):
            gain[t] = 2 * r[t] + cov[t, t]
        if first >= 0:
            b_kept -= b[first]
            q_kept += cov[first, first] - 2 * r[first]
            for t in range(n):
                gain[t] -= 2 * cov[first, t]
        if second >= 0:
            b_kept -= b[second]
            q_kept += cov[second, second] - 2 * r[second] + 2 * cov[first, second]
            for t in range(n):
                gain[t] -= 2 * cov[second, t]
        for i in range(n_out):
            x = out[i]
            b_x = b_kept + b[x]
            q_x = q_kept + gain[x]
            if first < 0:
                v = _try(sign, b_x, q_x, tolerance, best)
                if v > best:
                    best = v
                    change[:] = np.array([-1, -1, x, -1, -1])
                continue
            for j in range(i + 1, n_out):
                y = out[j]
                b_y = b_x + b[y]
                q_y = q_x + gain[y] + 2 * cov[x, y]
                if second < 0:
                    v = _try(sign, b_y, q_y, tolerance, best)
                    if v > best:
                        best = v
                        change[:] = np.array([first, -1, x, y, -1])
                    continue
                for h in range(j + 1, n_out):
                    z = out[h]
                    v = _try(sign, b_y + b[z], q_y + gain[z] + 2 * (cov[x, z] + cov[y, z]), tolerance, best)
                    if v > best:
                        best = v
                        change[:] = np.array([first, second, x, y, z])
    return best, change
