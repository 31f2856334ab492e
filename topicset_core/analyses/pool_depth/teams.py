"""Which team made which run, where nobody says: a guess from the names, to be looked at and corrected."""

import re
from collections.abc import Sequence

_SEPARATOR = re.compile(r"[-_.:/ ]")
_LETTERS_IN_COMMON = 3


def guessed_teams(systems: Sequence[str]) -> tuple[str, ...]:
    """Guess the team of each run from its name.

    The part before the first separator, as in NTCIR's TEAM-E-E-1, where at least two runs share it;
    otherwise the first three characters, case ignored. A run that shares neither is a team of its own.

    Parameters
    ----------
    systems : sequence of str
        Names of the runs.

    Returns
    -------
    tuple of str
        A team for each run, in order.
    """
    heads = [_SEPARATOR.split(system, maxsplit=1)[0] for system in systems]
    starts = [head[:_LETTERS_IN_COMMON].lower() for head in heads]
    teams = []
    for head, start, system in zip(heads, starts, systems, strict=True):
        if head != system and heads.count(head) > 1:
            teams.append(head)
        elif starts.count(start) > 1:
            teams.append(_common_start([h for h, s in zip(heads, starts, strict=True) if s == start]))
        else:
            teams.append(system)
    return tuple(teams)


def _common_start(names: Sequence[str]) -> str:
    """Return what all names begin with, case ignored, in the spelling of the first."""
    length = 0
    for letters in zip(*(name.lower() for name in names), strict=False):
        if len(set(letters)) > 1:
            break
        length += 1
    return names[0][:length]
