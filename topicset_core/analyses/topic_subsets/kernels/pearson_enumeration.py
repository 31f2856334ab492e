"""Compiled loops over subsets of topics, judged by Pearson's correlation.

With C the covariances of topics over runs (sums of products of centred scores), b = C 1 and T = 1'C1,
the correlation of the run means over subset S with those over all topics is::

    r(S) = b(S) / sqrt(Q(S) T),   b(S) = sum of b over S,   Q(S) = sum of C over S x S

and that of its complement follows without another sum: b(S^c) = T - b(S), Q(S^c) = Q(S) + T - 2 b(S).
Here C comes scaled so that T is from 1 to 4, and subsets are compared by ``r |r| T = b |b| / Q``, which
needs neither root nor division: b |b| > threshold * Q. A subset with Q of at most `tolerance` has run
means that are all the same, and no correlation.

All compiled code of this measure stands in this file: the cache does not see a change in another one.
"""

import numba as nb
import numpy as np

_U = nb.uint64  # unsigned indices need no test for wrapping around, so that loops vectorise


@nb.njit(cache=True, nogil=True)
def inner_tables(cov, b, g, m, binom):  # type: ignore[no-untyped-def]
    """Return offsets, b, Q and mask of all subsets of up to m of the first g topics, in colex order."""
    offsets = np.zeros(m + 2, np.int64)
    for size in range(m + 1):
        offsets[size + 1] = offsets[size] + binom[g, size]
    sums = np.zeros(offsets[m + 1])
    squares = np.zeros(offsets[m + 1])
    masks = np.zeros(offsets[m + 1], np.int64)
    for size in range(1, m + 1):
        place = offsets[size]
        for j in range(size - 1, g):
            for i in range(binom[j, size - 1]):
                parent = offsets[size - 1] + i
                cross = 0.0
                for t in range(j):
                    if (masks[parent] >> t) & 1:
                        cross += cov[j, t]
                sums[place] = sums[parent] + b[j]
                squares[place] = squares[parent] + cov[j, j] + 2 * cross
                masks[place] = masks[parent] | (1 << j)
                place += 1
    return offsets, sums, squares, masks


@nb.njit(cache=True, nogil=True)
def _keep(values, members, side, value, outer, depth, mask, g):  # type: ignore[no-untyped-def]
    """Put a subset in its place among the kept ones of a side; of equal ones the earlier stays ahead."""
    kept = values.shape[1]
    place = kept - 1
    while place > 0 and value > values[side, place - 1]:
        values[side, place] = values[side, place - 1]
        members[side, place] = members[side, place - 1]
        place -= 1
    values[side, place] = value
    count = 0
    for t in range(g):
        if (mask >> t) & 1:
            members[side, place, count] = t
            count += 1
    for k in range(depth):
        members[side, place, count] = g + outer[k]
        count += 1


@nb.njit(cache=True, nogil=True, fastmath=True)
def _scan(b_sum, q_sum, total, r, m, g, binom, offsets, sums, squares, masks, cross, tolerance, both, mean, outer,  # type: ignore[no-untyped-def]
          depth, values, members, added, undefined):  # fmt: skip
    """Look at all m-subsets of the inner topics together with one set of outer topics.

    The cross terms of smaller subsets are built first; those of size m are used at once.
    """
    cross[0] = 0.0
    for size in range(1, m):
        p = _U(offsets[size])
        q = _U(offsets[size - 1])
        for j in range(size - 1, g):
            n_block = _U(binom[j, size - 1])
            for i in range(n_block):
                cross[p + _U(i)] = cross[q + _U(i)] + r[j]
            p += n_block
    kept = values.shape[1] - 1
    p = _U(offsets[m])
    q = _U(offsets[m - 1])
    for j in range(m - 1, g):
        base = r[j] + q_sum
        n_block = _U(binom[j, m - 1])
        t1 = values[0, kept]
        t2 = values[1, kept]
        t3 = values[2, kept]
        t4 = values[3, kept]
        # A sum of positive parts vectorises where a maximum does not; above 0 if any subset is to be kept.
        found = 0.0
        if both:
            for i in range(n_block):
                num = b_sum + sums[p + _U(i)]
                den = base + squares[p + _U(i)] + cross[q + _U(i)]
                s = num * abs(num)
                num2 = total - num
                den2 = den + total - 2 * num
                s2 = num2 * abs(num2)
                found += (max(s - t1 * den, 0.0) + max(-s - t2 * den, 0.0)
                          + max(s2 - t3 * den2, 0.0) + max(-s2 - t4 * den2, 0.0))  # fmt: skip
        else:
            for i in range(n_block):
                num = b_sum + sums[p + _U(i)]
                den = base + squares[p + _U(i)] + cross[q + _U(i)]
                s = num * abs(num)
                found += max(s - t1 * den, 0.0) + max(-s - t2 * den, 0.0)
        if mean:
            low = 0.0
            first = 0.0
            second = 0.0
            for i in range(n_block):
                num = b_sum + sums[p + _U(i)]
                den = base + squares[p + _U(i)] + cross[q + _U(i)]
                den2 = den + total - 2 * num
                first += num / np.sqrt(max(den, tolerance))
                second += (total - num) / np.sqrt(max(den2, tolerance))
                low += max(tolerance - den, 0.0) + max(tolerance - den2, 0.0)
            added[0] += first
            added[1] += second
            if low > 0:
                for i in range(n_block):
                    num = b_sum + sums[p + _U(i)]
                    den = base + squares[p + _U(i)] + cross[q + _U(i)]
                    den2 = den + total - 2 * num
                    if den <= tolerance:
                        undefined[0] += 1
                        added[0] -= num / np.sqrt(tolerance)
                    if den2 <= tolerance:
                        undefined[1] += 1
                        added[1] -= (total - num) / np.sqrt(tolerance)
        if found > 0:
            for i in range(n_block):
                num = b_sum + sums[p + _U(i)]
                den = base + squares[p + _U(i)] + cross[q + _U(i)]
                mask = masks[p + _U(i)]
                if den > tolerance:
                    v = num * abs(num) / den
                    if v > values[0, kept]:
                        _keep(values, members, 0, v, outer, depth, mask, g)
                    if -v > values[1, kept]:
                        _keep(values, members, 1, -v, outer, depth, mask, g)
                den2 = den + total - 2 * num
                if both and den2 > tolerance:
                    num2 = total - num
                    v = num2 * abs(num2) / den2
                    if v > values[2, kept]:
                        _keep(values, members, 2, v, outer, depth, mask, g)
                    if -v > values[3, kept]:
                        _keep(values, members, 3, -v, outer, depth, mask, g)
        p += n_block


@nb.njit(cache=True, nogil=True, fastmath=True)
def enumerate_subsets(cov, b, c, g, binom, tables, prefixes, lengths, extends, floors, tolerance, both, mean):  # type: ignore[no-untyped-def]
    """Look at all c-subsets whose outer topics (those from g on) begin with one of the given prefixes.

    Parameters: `prefixes` (k, longest) outer topics counted from 0, `lengths` of each, `extends` whether
    more outer topics may follow; `floors` (4,): only subsets above are kept, of the sides best c, worst c,
    best n - c, worst n - c, where the worst have their sign turned; `both`: keep complements too; `mean`:
    also add up. Returns kept values (4, kept), their c members, sums and undefined counts of c and n - c.
    """
    offsets, sums, squares, masks = tables
    n = b.shape[0]
    n_outer = n - g
    total = b.sum()
    kept = 10
    values = np.empty((4, kept))
    for side in range(4):
        values[side] = floors[side]
    members = np.full((4, kept, c), -1, np.int64)
    added = np.zeros(2)
    undefined = np.zeros(2, np.int64)
    cross = np.zeros(offsets[offsets.shape[0] - 1])
    rows = np.zeros((c + 1, n))  # twice the sum of C over the chosen outer topics
    q_sum = np.zeros(c + 1)
    b_sum = np.zeros(c + 1)
    outer = np.zeros(c + 1, np.int64)
    for item in range(prefixes.shape[0]):
        depth = 0
        for k in range(lengths[item]):
            t = g + prefixes[item, k]
            outer[depth] = prefixes[item, k]
            b_sum[depth + 1] = b_sum[depth] + b[t]
            q_sum[depth + 1] = q_sum[depth] + cov[t, t] + rows[depth, t]
            for u in range(n):
                rows[depth + 1, u] = rows[depth, u] + 2 * cov[t, u]
            depth += 1
        fixed = depth
        following = outer[depth - 1] + 1 if depth > 0 else 0
        while True:
            m = c - depth
            if m == 0:
                num = b_sum[depth]
                den = q_sum[depth]
                num2 = total - num
                den2 = den + total - 2 * num
                if den > tolerance:
                    v = num * abs(num) / den
                    added[0] += num / np.sqrt(den)
                    if v > values[0, kept - 1]:
                        _keep(values, members, 0, v, outer, depth, 0, g)
                    if -v > values[1, kept - 1]:
                        _keep(values, members, 1, -v, outer, depth, 0, g)
                else:
                    undefined[0] += 1
                if den2 > tolerance:
                    v = num2 * abs(num2) / den2
                    added[1] += num2 / np.sqrt(den2)
                    if both and v > values[2, kept - 1]:
                        _keep(values, members, 2, v, outer, depth, 0, g)
                    if both and -v > values[3, kept - 1]:
                        _keep(values, members, 3, -v, outer, depth, 0, g)
                else:
                    undefined[1] += 1
            elif m <= g:
                _scan(b_sum[depth], q_sum[depth], total, rows[depth], m, g, binom, offsets, sums, squares, masks,
                      cross, tolerance, both, mean, outer, depth, values, members, added, undefined)  # fmt: skip
            if not extends[item]:
                break
            # The next set of outer topics: one more if it can still come to c, else the last one moves on.
            while depth >= fixed:
                if depth < c and following < n_outer and c - depth <= n_outer - following + g:
                    break
                depth -= 1
                if depth >= fixed:
                    following = outer[depth] + 1
            if depth < fixed:
                break
            t = g + following
            outer[depth] = following
            b_sum[depth + 1] = b_sum[depth] + b[t]
            q_sum[depth + 1] = q_sum[depth] + cov[t, t] + rows[depth, t]
            if depth + 1 < c:  # a full set needs no cross terms
                for u in range(n):
                    rows[depth + 1, u] = rows[depth, u] + 2 * cov[t, u]
            depth += 1
            following += 1
    return values, members, added, undefined
