"""After how many splits what they came to is shown, while others are still to come."""

FIRST = 5
"""Splits; nine in ten of fewer say nothing."""

_QUARTER, _PARTS = 4, 20


def looks(n_splits: int) -> tuple[int, ...]:
    """Return numbers of splits, ascending and each below `n_splits`.

    From one to the next there is a quarter more at most, so that early results, which change most, are shown
    often; and a twentieth of all at most, so that there is something new to see until the end.
    """
    found, done = [], FIRST
    while done < n_splits:
        found.append(done)
        done += max(1, min(done // _QUARTER, n_splits // _PARTS))
    return tuple(found)
