"""How many trials a page can wait for, from the layout alone, so that the number is the same on any machine."""

from topicset_core.analyses.topic_variance.cells import Cells
from topicset_core.analyses.topic_variance.settings import Model

_SECONDS = 0.2
_FEWEST, _MOST = 20, 200
_LONGEST_SECONDS = 1.2  # for the fewest, and getting ready

_CELL = 0.1e-6
_OF_CELL = {"bst": 0.05e-6, "kde": 0.12e-6}  # a relevant document, in each trial
_PAIR = 3e-9  # a pair and topic, in each trial
_DENSITY = 120e-6  # a cell, once


def first_look_trials(cells: Cells, model: Model) -> int | None:
    """Return a number of trials that takes a few tenths of a second on one core; None if none does."""
    n_pairs = cells.n_systems * (cells.n_systems - 1) // 2
    found = cells.ranks.size
    trial = cells.depths.size * _CELL + found * _OF_CELL[model] + n_pairs * cells.n_topics * _PAIR
    ready = cells.depths.size * _DENSITY if model == "kde" else 0.0
    if ready + _FEWEST * trial > _LONGEST_SECONDS:
        return None
    return max(min(int(_SECONDS / trial) // 10 * 10, _MOST), _FEWEST)
