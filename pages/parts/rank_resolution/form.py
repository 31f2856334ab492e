"""The form of the leaderboard page: scores, error rate, two systems by name, a k chosen beforehand."""

from dataclasses import dataclass, field, replace

import streamlit as st

from pages.parts import data, link
from pages.parts.form import SCORES, Choice, Form, Number, Switch
from topicset_core.analyses.rank_resolution import Request
from topicset_core.analyses.rank_resolution.answer import TOP_K
from topicset_core.analyses.rank_resolution.resolution import FLOOR, N_TRIALS
from topicset_core.analyses.sizing.replication import N_AGAIN
from topicset_core.analyses.stability.result import STABILITY
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, SEED

PAGE = "leaderboard"
_FAMILYWISE = replace(
    ALPHA,
    label="α, familywise error rate",
    help="Probability of any wrong order among all pairs of systems.",
)
_TOP_K = Number(TOP_K, empty="none chosen")
_LOWER = Switch(
    "lower_is_better", "Lower is better", "For errors, times and costs: the lowest mean has rank 1."
)


def _systems() -> list[str]:
    return list(dict.fromkeys(["", *(name for matrix in data.matrices() for name in matrix.systems)]))


_FIRST = Choice("system_a", "First system", _systems, lambda name: name or "the best")
_SECOND = Choice("system_b", "Second system", _systems, lambda name: name or "the second best")
_AMONG_WORDS = {"all": "of all systems", "half": "of the best half", "quarter": "of the best quarter"}
_SHARES = {"all": 1.0, "half": 0.5, "quarter": 0.25}
_AMONG = Choice(
    "among",
    "They are typical",
    _AMONG_WORDS,
    help="Expected differences shrink to those among these systems: good systems are closer to each other.",
)
_FORM = Form(
    PAGE,
    (
        *map(Number, (_FAMILYWISE, N_TRIALS, FLOOR, SEED, STABILITY)),
        Number(N_AGAIN, usual=lambda: data.matrices()[0].n_topics),
        *(_TOP_K, _LOWER, SCORES, _FIRST, _SECOND, _AMONG),
    ),
)


@dataclass(frozen=True)
class Settings:
    """A valid question."""

    matrix: ScoreMatrix = field(repr=False)  # the scores in question
    request: Request  # how ranks are resolved
    top_k: int | None  # systems at the top, if their number was chosen before the scores were known
    pair: tuple[str, str]  # two systems
    n_again: int  # topics of a replication
    among: float  # share of the best systems that the two resemble
    stability: float  # coefficient that is wanted
    url: str = field(repr=False)  # the full link


def ask() -> Settings:
    """Draw the form and return its values; where a number breaks its rule, its last valid value."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    _FORM.draw(_LOWER)
    _FORM.number(_FAMILYWISE)
    with st.expander("Two systems"):
        names = [_FORM.draw(replace(one, options=("", *matrix.systems))) for one in (_FIRST, _SECOND)]
        among = _FORM.draw(_AMONG)
        _FORM.number(N_AGAIN)
    with st.expander("Top k chosen beforehand"):
        _FORM.draw(_TOP_K)
    with st.expander("The test"):
        _FORM.number(N_TRIALS, FLOOR, SEED)
    with st.expander("Stability"):
        _FORM.number(STABILITY)
    values = _FORM.values()
    top_k = values.pop(TOP_K.name)
    written = values | ({} if top_k is None else {TOP_K.name: top_k}) | _FORM.written(_LOWER, _AMONG, SCORES)
    chosen = {one.name: name for one, name in zip((_FIRST, _SECOND), names, strict=True) if name}
    request = Request(
        alpha=values[ALPHA.name],
        n_trials=int(values[N_TRIALS.name]),
        seed=int(values[SEED.name]),
        floor=values[FLOOR.name],
        lower_is_better=bool(st.session_state[f"{PAGE}/{_LOWER.name}"]),
    )
    return Settings(
        matrix,
        request,
        None if top_k is None else int(top_k),
        (names[0], names[1]),
        int(values[N_AGAIN.name]),
        _SHARES[among],
        values[STABILITY.name],
        link.write(written | chosen),
    )


def no_answer(error: InputError) -> str:
    """Return why there is no ranking, in a sentence."""
    return f"These scores cannot be ranked: {error.parameter} {error.rule}."
