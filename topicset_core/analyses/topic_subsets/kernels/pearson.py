"""Compiled loops over subsets of topics, evaluated by Pearson's correlation: enumeration, search, random subsets.

With C the covariances of topics over runs (sums of products of centred scores), b = C 1 and T = 1'C1,
the correlation of the run means over subset S with those over all topics is::

    r(S) = b(S) / sqrt(Q(S) T),   b(S) = sum of b over S,   Q(S) = sum of C over S x S

and that of its complement follows without another sum: b(S^c) = T - b(S), Q(S^c) = Q(S) + T - 2 b(S).
Here C comes scaled so that T is from 1 to 4, and subsets are compared by ``r |r| T = b |b| / Q``, which
needs neither root nor division: b |b| > threshold * Q. A subset with Q of at most `tolerance` has run
means that are all the same, and no correlation.

In the search `sign` is 1 to look for the best, -1 for the worst.
"""

import numba as nb
import numpy as np

from topicset_core.execution.compiling import kernel

_U = nb.uint64  # unsigned indices need no test for wrapping around, so that loops vectorise

NONE = -8.0
"""Stands for "no correlation"; below every r |r| T."""

_MOST_EXCHANGES = 4
"""Per topic. Differences that cancel round by more than the least gain; those of two runs went round for ever."""
_LEAST_GAIN = 1e-12  # an exchange must gain more than rounding, or the search could go round in circles


@kernel()
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


@kernel()
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


@kernel(fastmath=True)
def _scan(b_sum, q_sum, total, r, m, g, binom, offsets, sums, squares, masks, cross, tolerance, both, mean, outer,  # type: ignore[no-untyped-def]
          depth, values, members, added, undefined):  # fmt: skip
    """Evaluate all m-subsets of the inner topics together with one set of outer topics."""
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
        result = 0.0
        if both:
            for i in range(n_block):
                num = b_sum + sums[p + _U(i)]
                den = base + squares[p + _U(i)] + cross[q + _U(i)]
                s = num * abs(num)
                num2 = total - num
                den2 = den + total - 2 * num
                s2 = num2 * abs(num2)
                result += (max(s - t1 * den, 0.0) + max(-s - t2 * den, 0.0)
                          + max(s2 - t3 * den2, 0.0) + max(-s2 - t4 * den2, 0.0))  # fmt: skip
        else:
            for i in range(n_block):
                num = b_sum + sums[p + _U(i)]
                den = base + squares[p + _U(i)] + cross[q + _U(i)]
                s = num * abs(num)
                result += max(s - t1 * den, 0.0) + max(-s - t2 * den, 0.0)
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
        if (
            result > 0
        ):  # the four comparisons stand here: as a function they make the loops above half as fast
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


@kernel(fastmath=True)
def enumerate_subsets(cov, b, c, g, binom, tables, prefixes, lengths, extends, tolerance, both, mean):  # type: ignore[no-untyped-def]
    """Evaluate all c-subsets whose outer topics (those from g on, counted from 0) begin with a given prefix.

    Returns kept values (4, kept) of best c, worst c, best n - c, worst n - c, the worst with their sign reversed,
    their c members, and sums and undefined counts of c and n - c.
    """
    offsets, sums, squares, masks = tables
    n = b.shape[0]
    n_outer = n - g
    total = b.sum()
    kept = 10
    values = np.full((4, kept), NONE)
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


@kernel()
def walk(centred, full, orders, cardinalities, tolerance):  # type: ignore[no-untyped-def]
    """Return r T^.5 of the first c topics of each order, (k, n_cardinalities), NONE where all run means tie."""
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


@kernel()
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


@kernel()
def local_search(cov, b, tolerance, starts, c, sign):  # type: ignore[no-untyped-def]
    """Bring each start to c topics, one at a time, then make the best of all exchanges while that gains."""
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
        for _ in range(_MOST_EXCHANGES * n):
            for u in range(n):
                extra[u] = 2 * r[u] + cov[u, u]
            best = current + _LEAST_GAIN
            leaves = -1
            comes = -1
            for k in range(c):
                p = order[k]
                b_less = b_sum - b[p]
                q_less = q_sum - 2 * r[p] + cov[p, p]
                result = 0.0
                for q in range(n):
                    num = sign * (b_less + b[q])
                    den = q_less + extra[q] - 2 * cov[p, q]
                    result += max(num * abs(num) - best * den, 0.0) * outside[q]
                if result > 0:
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
            b_sum, q_sum = _sums(cov, b, order, c, r)  # again, so that rounding does not gather
            num = sign * b_sum
            current = num * abs(num) / q_sum
        values[s] = current
        members[s] = np.sort(order[:c])
    return values, members


@kernel()
def neighbours(cov, b, tolerance, members):  # type: ignore[no-untyped-def]
    """Return r |r| T, shape (c, n), of all sets that differ by one exchange: topic k of members out, topic q in."""
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


@kernel()
def _try(sign, num, den, tolerance, best):  # type: ignore[no-untyped-def]
    """Return the value of a candidate if it is above the best so far, else the best."""
    num = sign * num
    if den > tolerance and num * abs(num) > best * den:
        return num * abs(num) / den
    return best


@kernel()
def extend(cov, b, tolerance, members, removed, sign):  # type: ignore[no-untyped-def]
    """Return the value of the best set of one more topic, with its topics out (2) and in (3), -1 for none."""
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
