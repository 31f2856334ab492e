"""The form of the error rate page: scores, difference, topics and tolerated rate."""

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, link
from pages.parts.form import SCORES, WORST, WORST_QUARTER, Choice, Form, Number, Switch, prepared
from topicset_core.analyses.error_rate.experiment import N_TRIALS
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.error_rate import SET_SIZE
from topicset_core.errors import InputError
from topicset_core.parameters import MAX_ERROR, MIN_D, SEED
from topicset_core.preparation import Steps

PAGE = "error-rate"
DIFFERENCE = replace(
    MIN_D,
    label="Observed difference between two runs",
    help="The observed difference of their mean scores, in units of the measure.",
    default=0.05,
)
TOPICS = replace(
    SET_SIZE,
    label="n, topics on which it was observed",
    help="Checked against an equally large new topic set. May exceed the topics you uploaded.",
)
_WORST = Switch(
    WORST,
    "Drop the worst quarter",
    "Leaves out the runs with the lowest mean scores, as in the literature: their differences from the other "
    "runs are too large to be in doubt.",
)
_BOOTSTRAP = Switch(
    "bootstrap",
    "Bootstrap",
    "Draws each topic set with replacement (Sakai 2006), so sets can be larger than half of the topics. "
    "Topics repeat within and between the sets, so error rates tend to be lower than on new topics.",
)


def _runs() -> list[str]:
    return list(dict.fromkeys(["", *(name for matrix in data.matrices() for name in matrix.systems)]))


_RUN_A = Choice("run_a", "First run", _runs, lambda name: name or "none")
_RUN_B = Choice("run_b", "Second run", _runs, lambda name: name or "none")
_FORM = Form(
    PAGE,
    (
        Number(DIFFERENCE),
        Number(TOPICS, usual=lambda: data.matrices()[0].n_topics),
        *map(Number, (MAX_ERROR, N_TRIALS, SEED)),
        *(_WORST, _BOOTSTRAP, SCORES, _RUN_A, _RUN_B),
    ),
)


@dataclass(frozen=True)
class Settings:
    """A valid question."""

    # The scores in question, without the worst quarter of the runs where that was requested
    matrix: ScoreMatrix
    notes: tuple[str, ...]
    values: dict[str, float]  # number by parameter name, valid all
    bootstrap: bool  # whether topics are drawn with replacement
    pair: tuple[str, str] | None  # two runs that are compared by name
    url: str  # the full link

    @property
    def n_trials(self) -> int:
        """Trials of the whole experiment."""
        return int(self.values[N_TRIALS.name])


def ask() -> Settings:
    """Draw the form and return its values; where a number breaks its rule, its last valid value."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    without_worst = _FORM.draw(_WORST)
    _FORM.number(DIFFERENCE, TOPICS, MAX_ERROR)
    with st.expander("The experiment"):
        bootstrap = _FORM.draw(_BOOTSTRAP)
        _FORM.number(N_TRIALS, SEED)
    values = _FORM.values()
    matrix, notes = prepared(matrix, Steps(worst_fraction=WORST_QUARTER if without_worst else None))
    written = values | _FORM.written(_WORST, _BOOTSTRAP, SCORES)
    with st.expander("Two runs by name", expanded=True):
        names = [_FORM.draw(replace(one, options=("", *matrix.systems))) for one in (_RUN_A, _RUN_B)]
    pair = (names[0], names[1]) if all(names) and names[0] != names[1] else None
    chosen = {one.name: name for one, name in zip((_RUN_A, _RUN_B), names, strict=True) if name}
    return Settings(matrix, notes, values, bootstrap, pair, link.write(written | chosen))


def no_answer(error: InputError) -> str:
    """Return why error rates are undefined for these scores, in a sentence."""
    return f"Error rates are undefined for these scores: {error.parameter} {error.rule}."
