"""Compiled loops over subsets of topics, judged by pairs of runs: Kendall's tau-b and the error rate.

D holds, for each topic, the differences of scores of all pairs of runs as whole numbers, each pair turned
so that its difference over all topics is positive; pairs tied over all topics come last. Their sum over a
subset is exact, so its sign s in {-1, 0, 1} = clip(sum, -1, 1) is. With P untied pairs::

    tau-b = sum of s over the P pairs / sqrt(P * number of all pairs with s not 0)
    error = sum of weight over pairs with s = -1 / sum of weight

Weights are whole numbers in two halves, high * 2^shift + low, so that either half adds up exactly.
A complement's sums are those of all topics less those of the subset.

All compiled code of this enumeration stands in this file: the cache does not see a change in another one.
"""

import numba as nb
import numpy as np

_U = nb.uint64  # unsigned indices need no test for wrapping around, so that loops vectorise


@nb.njit(cache=True, nogil=True, fastmath=True)
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


@nb.njit(cache=True, nogil=True, fastmath=True)
def _error_sums(base, row, full, one, out, high, low, untied):  # type: ignore[no-untyped-def]
    """Write base + row to out; return both halves of the weight in error, of it and of the complement."""
    zero = one - one
    h = zero
    e = zero
    h2 = zero
    e2 = zero
    for p in range(untied):
        x = base[_U(p)] + row[_U(p)]
        out[_U(p)] = x
        y = max(zero, min(one, -x))
        h += high[_U(p)] * y
        e += low[_U(p)] * y
        y = max(zero, min(one, x - full[_U(p)]))
        h2 += high[_U(p)] * y
        e2 += low[_U(p)] * y
    return h, e, h2, e2


@nb.njit(cache=True, nogil=True)
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


@nb.njit(cache=True, nogil=True)
def enumerate_subsets(differences, full, high, low, shift, total, untied, one, deepest, slots,  # type: ignore[no-untyped-def]
                      n_slots, prefixes, lengths, extends, use_error):  # fmt: skip
    """Look at all subsets of up to `deepest` topics that begin with a given prefix, and their complements.

    Parameters: `differences` (n, pairs) and `full` (pairs,); `high`, `low` (pairs,) halves of the weights, that add
    up to `total`; `one`: 1 in the type of D; `slots` (n + 1,): where subsets of each cardinality are kept
    and added up, -1 for not; `prefixes` (k, longest) ascending topics, their `lengths`, and whether more
    may follow. Goodness is tau, or minus the error rate. Returns by slot the kept values (n_slots, 2,
    kept), of the worst with their sign turned, members (n_slots, 2, kept, n), sums and undefined counts.
    """
    n, n_pairs = differences.shape
    kept = 10
    values = np.full((n_slots, 2, kept), -9.0)
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
            v = 0.0
            v2 = 0.0
            if use_error:
                h, e, h2, e2 = _error_sums(
                    base[depth - 1], differences[t], full, one, base[depth], high, low, untied
                )
                v = -(float(h) * shift + float(e)) / total
                v2 = -(float(h2) * shift + float(e2)) / total
                defined = True
                defined2 = True
            else:
                a, z, a2, z2 = _tau_sums(base[depth - 1], differences[t], full, one, base[depth], untied)
                defined = z > 0
                defined2 = z2 > 0
                if defined:
                    v = float(a) / np.sqrt(float(z) * float(untied))
                if defined2:
                    v2 = float(a2) / np.sqrt(float(z2) * float(untied))
            at = slots[depth]
            if at >= 0:
                if defined:
                    added[at] += v
                    if v > values[at, 0, kept - 1]:
                        _keep(values, members, at, 0, v, stack, depth, False, n)
                    if -v > values[at, 1, kept - 1]:
                        _keep(values, members, at, 1, -v, stack, depth, False, n)
                else:
                    undefined[at] += 1
            at = slots[n - depth] if n - depth > deepest else -1
            if at >= 0:
                if defined2:
                    added[at] += v2
                    if v2 > values[at, 0, kept - 1]:
                        _keep(values, members, at, 0, v2, stack, depth, True, n)
                    if -v2 > values[at, 1, kept - 1]:
                        _keep(values, members, at, 1, -v2, stack, depth, True, n)
                else:
                    undefined[at] += 1
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
