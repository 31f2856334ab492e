"""Compiled loops over subsets of topics, evaluated by pairs of runs: Kendall's tau-b and the error rate.

D holds, for each topic, the differences of scores of all pairs of runs as whole numbers, each pair signed
so that its difference over all topics is positive; pairs tied over all topics come last. Their sum over a
subset is exact, so its sign s in {-1, 0, 1} = clip(sum, -1, 1) is. With P untied pairs::

    tau-b = sum of s over the P pairs / sqrt(P * number of all pairs with s not 0)
    error = sum of weight * (1 - s) over the P pairs / (2 * sum of weight), a tie being half an error

Weights are whole numbers in two halves, high * 2^shift + low, so that either half adds up exactly.
A complement's sums are the sums of all topics less the sums of the subset.

In the search `sign` is 1 to look for the best, -1 for the worst; goodness is tau, or minus the error rate.
"""

import numba as nb
import numpy as np

from topicset_core.execution.compiling import kernel

_U = nb.uint64  # unsigned indices need no test for wrapping around, so that loops vectorise

NONE = -9.0
"""Stands for "no correlation": all runs tied on the subset. Below every goodness."""


@kernel(fastmath=True)
def _tau_sums(base, row, full, one, out, untied):  # type: ignore[no-untyped-def]
    """Write base + row to out; return sum of s and count of s not 0, of it and of the complement."""
    zero = one - one
    a = zero
    z = zero
    a2 = zero
    z2 = zero
    for p in range(untied):
        x = base[_U(p)] + row[_U(p)]
        out[_U(p)] = x
        y = max(-one, min(one, x))
        a += y
        z += abs(y)
        y = max(-one, min(one, full[_U(p)] - x))
        a2 += y
        z2 += abs(y)
    for p in range(untied, base.shape[0]):  # tied over all topics: only their ties in the subset count
        x = base[_U(p)] + row[_U(p)]
        out[_U(p)] = x
        z += min(one, abs(x))
        z2 += min(one, abs(x))
    return a, z, a2, z2


@kernel(fastmath=True)
def _error_sums(base, row, full, one, out, high, low, untied):  # type: ignore[no-untyped-def]
    """Write base + row to out; return both halves of the sum of weight * (1 - s), of it and of the complement."""
    zero = one - one
    two = one + one
    h = zero
    e = zero
    h2 = zero
    e2 = zero
    for p in range(untied):
        x = base[_U(p)] + row[_U(p)]
        out[_U(p)] = x
        y = max(zero, min(two, one - x))
        h += high[_U(p)] * y
        e += low[_U(p)] * y
        y = max(zero, min(two, one - (full[_U(p)] - x)))
        h2 += high[_U(p)] * y
        e2 += low[_U(p)] * y
    return h, e, h2, e2


@kernel()
def _keep(values, members, slot, side, value, stack, depth, complement, n):  # type: ignore[no-untyped-def]
    """Put a subset in its place among the kept ones; of equal ones the earlier stays ahead."""
    kept = values.shape[2]
    place = kept - 1
    while place > 0 and value > values[slot, side, place - 1]:
        values[slot, side, place] = values[slot, side, place - 1]
        members[slot, side, place] = members[slot, side, place - 1]
        place -= 1
    values[slot, side, place] = value
    if not complement:
        for k in range(depth):
            members[slot, side, place, k] = stack[k]
    else:
        at = 0
        k = 0
        for t in range(n):
            if k < depth and stack[k] == t:
                k += 1
            else:
                members[slot, side, place, at] = t
                at += 1


@kernel()
def _add(values, members, added, undefined, slot, value, stack, depth, complement, n):  # type: ignore[no-untyped-def]
    """Add a subset's goodness up, and keep it if it is one of the best or of the worst."""
    kept = values.shape[2]
    if value == NONE:
        undefined[slot] += 1
        return
    added[slot] += value
    if value > values[slot, 0, kept - 1]:
        _keep(values, members, slot, 0, value, stack, depth, complement, n)
    if -value > values[slot, 1, kept - 1]:
        _keep(values, members, slot, 1, -value, stack, depth, complement, n)


@kernel()
def enumerate_subsets(differences, full, high, low, shift, total, untied, one, deepest, slots,  # type: ignore[no-untyped-def]
                      n_slots, prefixes, lengths, extends, use_error):  # fmt: skip
    """Evaluate all subsets of up to `deepest` topics that begin with a given prefix, and their complements.

    `slots` (n + 1,) has where subsets of each cardinality are kept and added up, -1 for not. Returns by slot the
    kept values (n_slots, 2, kept), of the worst with their sign reversed, members, sums and undefined counts.
    """
    n, n_pairs = differences.shape
    kept = 10
    values = np.full((n_slots, 2, kept), NONE)
    members = np.full((n_slots, 2, kept, n), -1, np.int16)
    added = np.zeros(n_slots)
    undefined = np.zeros(n_slots, np.int64)
    base = np.zeros((deepest + 1, n_pairs), differences.dtype)
    stack = np.zeros(deepest + 1, np.int64)
    for item in range(prefixes.shape[0]):
        depth = lengths[item]
        fixed = depth
        for k in range(depth - 1):
            stack[k] = prefixes[item, k]
            for p in range(n_pairs):
                base[k + 1, p] = base[k, p] + differences[stack[k], p]
        stack[depth - 1] = prefixes[item, depth - 1]
        while True:
            t = stack[depth - 1]
            v = NONE
            v2 = NONE
            if use_error:
                h, e, h2, e2 = _error_sums(
                    base[depth - 1], differences[t], full, one, base[depth], high, low, untied
                )
                v = -(float(h) * shift + float(e)) / (2.0 * total)
                v2 = -(float(h2) * shift + float(e2)) / (2.0 * total)
            else:
                a, z, a2, z2 = _tau_sums(base[depth - 1], differences[t], full, one, base[depth], untied)
                if z > 0:
                    v = float(a) / np.sqrt(float(z) * float(untied))
                if z2 > 0:
                    v2 = float(a2) / np.sqrt(float(z2) * float(untied))
            if slots[depth] >= 0:
                _add(values, members, added, undefined, slots[depth], v, stack, depth, False, n)
            if n - depth > deepest and slots[n - depth] >= 0:
                _add(values, members, added, undefined, slots[n - depth], v2, stack, depth, True, n)
            if not extends[item]:
                break
            following = t + 1
            if depth < deepest and following < n:
                depth += 1
            else:
                while following >= n:
                    depth -= 1
                    if depth < fixed:
                        break
                    following = stack[depth - 1] + 1
                if depth <= fixed:
                    break
            stack[depth - 1] = following
    return values, members, added, undefined


@kernel(fastmath=True)
def _goodness(base, row, high, low, shift, total, untied, one, use_error):  # type: ignore[no-untyped-def]
    """Return the goodness of base + row."""
    zero = one - one
    first = zero
    second = zero
    if use_error:
        two = one + one
        for p in range(untied):
            y = max(zero, min(two, one - (base[_U(p)] + row[_U(p)])))
            first += high[_U(p)] * y
            second += low[_U(p)] * y
        return -(float(first) * shift + float(second)) / (2.0 * total)
    for p in range(untied):
        y = max(-one, min(one, base[_U(p)] + row[_U(p)]))
        first += y
        second += abs(y)
    for p in range(untied, base.shape[0]):  # tied over all topics: only their ties in the subset count
        second += min(one, abs(base[_U(p)] + row[_U(p)]))
    if second > zero:
        return float(first) / np.sqrt(float(second) * float(untied))
    return NONE


@kernel(fastmath=True)
def _goodness_of_sums(sums, reference, last_tied, total, untied, use_error):  # type: ignore[no-untyped-def]
    """Return the goodness of a set whose runs add up to `sums`."""
    n_runs = sums.shape[0]
    first = 0.0
    second = 0.0
    for i in range(n_runs - 1):
        if use_error:
            for j in range(i + 1, n_runs):
                y = max(0.0, min(2.0, 1.0 - (sums[_U(i)] - sums[_U(j)])))
                first += (reference[_U(i)] - reference[_U(j)]) * y
            continue
        for j in range(i + 1, last_tied[i] + 1):  # tied over all topics: only their ties in the subset count
            second += min(1.0, abs(sums[_U(i)] - sums[_U(j)]))
        for j in range(last_tied[i] + 1, n_runs):
            y = max(-1.0, min(1.0, sums[_U(i)] - sums[_U(j)]))
            first += y
            second += abs(y)
    if use_error:
        return -first / (2.0 * total)
    return first / np.sqrt(second * float(untied)) if second > 0.0 else NONE


@kernel()
def walk(whole, reference, last_tied, total, untied, use_error, orders, cardinalities):  # type: ignore[no-untyped-def]
    """Return the goodness of the first c topics of each order, (k, n_cardinalities), NONE where all runs tie.

    `whole` (n, runs), runs by descending `reference` (runs,), their sums over all topics; `last_tied` (runs,) the
    last run with the same reference; `total` the sum of all differences of references, `untied` how many are not 0.
    """
    n_orders = orders.shape[0]
    values = np.empty((n_orders, cardinalities.shape[0]))
    sums = np.empty(whole.shape[1])
    for k in range(n_orders):
        sums[:] = 0.0
        at = 0
        for place in range(cardinalities[-1]):
            row = whole[orders[k, place]]
            for run in range(sums.shape[0]):
                sums[_U(run)] += row[_U(run)]
            if place + 1 == cardinalities[at]:
                values[k, at] = _goodness_of_sums(sums, reference, last_tied, total, untied, use_error)
                at += 1
    return values


@kernel()
def local_search(differences, high, low, shift, total, untied, one, use_error, starts, c, sign):  # type: ignore[no-untyped-def]
    """Bring each start to c topics, one at a time, then exchange each topic in turn for the one that gains most."""
    n, n_pairs = differences.shape
    n_starts, start_size = starts.shape
    values = np.empty(n_starts)
    members = np.empty((n_starts, c), np.int64)
    order = np.empty(n, np.int64)  # the chosen topics first
    inside = np.empty(n, np.bool_)
    base = np.empty(n_pairs, differences.dtype)
    less = np.empty(n_pairs, differences.dtype)
    nothing = np.zeros(n_pairs, differences.dtype)
    for s in range(n_starts):
        inside[:] = False
        base[:] = one - one
        for k in range(start_size):
            order[k] = starts[s, k]
            inside[order[k]] = True
            for p in range(n_pairs):
                base[_U(p)] += differences[order[k], _U(p)]
        place = start_size
        for t in range(n):
            if not inside[t]:
                order[place] = t
                place += 1
        size = start_size
        while size != c:
            low_place, high_place = (size, n) if size < c else (0, size)
            best = 2 * NONE
            chosen = low_place
            for k in range(low_place, high_place):
                row = differences[order[k]]
                if size < c:
                    v = _goodness(base, row, high, low, shift, total, untied, one, use_error)
                else:
                    for p in range(n_pairs):
                        less[_U(p)] = base[_U(p)] - row[_U(p)]
                    v = _goodness(less, nothing, high, low, shift, total, untied, one, use_error)
                v = sign * v if v > NONE else NONE
                if v > best:
                    best = v
                    chosen = k
            t = order[chosen]
            edge = size if size < c else size - 1
            order[chosen] = order[edge]
            order[edge] = t
            for p in range(n_pairs):
                base[_U(p)] += differences[t, _U(p)] if size < c else -differences[t, _U(p)]
            size += 1 if size < c else -1
        v = _goodness(base, nothing, high, low, shift, total, untied, one, use_error)
        current = sign * v if v > NONE else NONE
        fruitless = 0
        k = 0
        while fruitless < c and c < n:
            leaving = order[k]
            for p in range(n_pairs):
                less[_U(p)] = base[_U(p)] - differences[leaving, _U(p)]
            comes = -1
            for j in range(c, n):
                v = _goodness(less, differences[order[j]], high, low, shift, total, untied, one, use_error)
                v = sign * v if v > NONE else NONE
                if v > current:
                    current = v
                    comes = j
            if comes >= 0:
                for p in range(n_pairs):
                    base[_U(p)] = less[_U(p)] + differences[order[comes], _U(p)]
                order[k] = order[comes]
                order[comes] = leaving
                fruitless = 0
            else:
                fruitless += 1
            k = k + 1 if k + 1 < c else 0
        values[s] = current
        members[s] = np.sort(order[:c])
    return values, members


_TOGETHER = 2048  # topics whose counts stay in the nearest cache


@kernel(fastmath=True)
def _count_signs(one_run, other_run, difference, one, signs, untied):  # type: ignore[no-untyped-def]
    """Add to each topic the sign of difference + one_run - other_run, and whether it is not 0."""
    for t in range(one_run.shape[0]):
        y = max(-one, min(one, difference + (one_run[_U(t)] - other_run[_U(t)])))
        signs[_U(t)] += y
        untied[_U(t)] += abs(y)


@kernel(fastmath=True)
def _count_errors(one_run, other_run, difference, one, weight, errors):  # type: ignore[no-untyped-def]
    """Add to each topic the weight with which the difference is 0, twice that with which it is below."""
    zero = one - one
    two = one + one
    for t in range(one_run.shape[0]):
        x = difference + (one_run[_U(t)] - other_run[_U(t)])
        errors[_U(t)] += weight * max(zero, min(two, one - x))


@kernel()
def with_one_changed(by_run, largest, reference, last_tied, total, untied, one, use_error, sums, leaves):  # type: ignore[no-untyped-def]
    """Return the goodness of the set of `sums` (runs,) with each topic more, or less; shape (n,).

    `largest` (runs, runs) is the largest difference of each pair on a topic: where the sums of a pair differ by
    more, no topic changes their order, so that most pairs of larger sets are counted once and not for each topic.
    """
    n_runs, n = by_run.shape
    first = np.zeros(n_runs * n_runs, np.int64)
    second = np.zeros(n_runs * n_runs, np.int64)
    n_open = 0
    same_signs = 0.0
    same_untied = 0.0
    same_errors = 0.0
    for i in range(n_runs):
        for j in range(i + 1, n_runs):
            difference = sums[i] - sums[j]
            if abs(difference) <= largest[i, j]:
                first[n_open] = i
                second[n_open] = j
                n_open += 1
                continue
            same_untied += 1.0
            if j > last_tied[i]:
                same_signs += 1.0 if difference > 0 else -1.0
                if difference < 0:
                    same_errors += 2.0 * (reference[i] - reference[j])
    values = np.empty(n)
    signs = np.empty(min(n, _TOGETHER), by_run.dtype)
    untied_of = np.empty(signs.shape[0], by_run.dtype)
    ignored = np.empty(signs.shape[0], by_run.dtype)
    errors = np.empty(signs.shape[0])
    narrow = np.empty(1, by_run.dtype)
    for start in range(0, n, _TOGETHER):
        end = min(n, start + _TOGETHER)
        signs[:] = 0
        untied_of[:] = 0
        errors[:] = 0.0
        for k in range(n_open):
            i, j = first[k], second[k]
            counts = j > last_tied[i]
            narrow[0] = sums[i] - sums[j]  # no larger than a score, so exact
            # A topic that leaves takes its difference away.
            plus = by_run[j if leaves else i, start:end]
            minus = by_run[i if leaves else j, start:end]
            if not use_error:
                into = signs if counts else ignored
                _count_signs(plus, minus, narrow[0], one, into, untied_of)
            elif counts:
                _count_errors(plus, minus, narrow[0], one, reference[i] - reference[j], errors)
        for t in range(end - start):
            if use_error:
                values[start + t] = -(same_errors + errors[t]) / (2.0 * total)
                continue
            there = same_untied + float(untied_of[t])
            values[start + t] = NONE
            if there > 0:
                values[start + t] = (same_signs + float(signs[t])) / np.sqrt(there * float(untied))
    return values


@kernel()
def neighbours(differences, high, low, shift, total, untied, one, use_error, members):  # type: ignore[no-untyped-def]
    """Return the goodness (c, n) of all sets that differ by one exchange: topic k of members out, topic q in."""
    n, n_pairs = differences.shape
    c = members.shape[0]
    values = np.full((c, n), NONE)
    inside = np.zeros(n, np.bool_)
    base = np.zeros(n_pairs, differences.dtype)
    less = np.empty(n_pairs, differences.dtype)
    for k in range(c):
        inside[members[k]] = True
        for p in range(n_pairs):
            base[_U(p)] += differences[members[k], _U(p)]
    for k in range(c):
        for p in range(n_pairs):
            less[_U(p)] = base[_U(p)] - differences[members[k], _U(p)]
        for q in range(n):
            if not inside[q]:
                values[k, q] = _goodness(
                    less, differences[q], high, low, shift, total, untied, one, use_error
                )
    return values


@kernel()
def extend(differences, high, low, shift, total, untied, one, use_error, members, removed, sign):  # type: ignore[no-untyped-def]
    """Return the value of the best set of one more topic, with its topics out (2) and in (3), -1 for none."""
    n, n_pairs = differences.shape
    c = members.shape[0]
    outside = np.ones(n, np.bool_)
    # All members; less the leaving ones; and one in; and two in.
    bases = np.zeros((4, n_pairs), differences.dtype)
    for k in range(c):
        outside[members[k]] = False
        for p in range(n_pairs):
            bases[0, _U(p)] += differences[members[k], _U(p)]
    out = np.nonzero(outside)[0]
    n_out = out.shape[0]
    best = 2 * NONE
    change = np.full(5, -1, np.int64)
    picks = np.zeros(3, np.int64)
    for k in range(removed.shape[0]):
        coming = 1
        bases[1] = bases[0]
        for g in range(2):
            if removed[k, g] >= 0:
                coming += 1
                bases[1] -= differences[members[removed[k, g]]]
        level = 0
        picks[0] = -1
        # A walk over all choices of `coming` topics; the last of them is added as it is evaluating.
        while level >= 0:
            picks[level] += 1
            if picks[level] > n_out - (coming - level):
                level -= 1
                continue
            row = differences[out[picks[level]]]
            if level < coming - 1:
                for p in range(n_pairs):
                    bases[level + 2, _U(p)] = bases[level + 1, _U(p)] + row[_U(p)]
                level += 1
                picks[level] = picks[level - 1]
                continue
            v = _goodness(bases[level + 1], row, high, low, shift, total, untied, one, use_error)
            v = sign * v if v > NONE else NONE
            if v > best:
                best = v
                for g in range(2):
                    change[g] = members[removed[k, g]] if removed[k, g] >= 0 else -1
                for g in range(3):
                    change[2 + g] = out[picks[g]] if g < coming else -1
    return best, change
