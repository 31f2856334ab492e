"""The scores a user works on: their own where they brought some, the simulated sample otherwise.

Held in this user's session and nowhere else.
"""

import math
from dataclasses import dataclass

import streamlit as st

from pages.parts import frame
from pages.parts.caching import sample_matrices
from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import DEFAULT_SEED
from topicset_core.variance import ONE_WAY, Estimate, Weights, pooled

_LOADED = "loaded_scores"
_NAMED_AT_MOST = 3


@dataclass(frozen=True)
class Loaded:
    """A matrix and what the parser recognised about it, in sentences."""

    matrix: ScoreMatrix
    recognised: tuple[str, ...]


@dataclass(frozen=True)
class MeasureVariance:
    """The pooled variance of one measure, and where it comes from."""

    measure: str
    value: float
    source: str

    @property
    def standard_deviation(self) -> float:
        """The root of the variance, in units of the measure."""
        return math.sqrt(self.value)


def own() -> list[Loaded]:
    """Return what this user has loaded, in the order of loading."""
    loaded: list[Loaded] = st.session_state.setdefault(_LOADED, [])
    return loaded


def add(found: Loaded) -> bool:
    """Keep a matrix beside those already there; False if the same one is there already."""
    known = {(kept.matrix.name, kept.matrix.digest) for kept in own()}
    if (found.matrix.name, found.matrix.digest) in known:
        return False
    own().append(found)
    return True


def remove(index: int) -> None:
    """Forget one matrix."""
    del own()[index]


def forget_all() -> None:
    """Go back to the sample."""
    st.session_state[_LOADED] = []


def is_sample() -> bool:
    """Return whether nothing was loaded and the simulated sample stands in."""
    return not own()


def matrices() -> tuple[ScoreMatrix, ...]:
    """Return the matrices in use."""
    return sample_matrices() if is_sample() else tuple(loaded.matrix for loaded in own())


def by_measure() -> dict[str, list[ScoreMatrix]]:
    """Return the matrices in use by measure, in order of appearance."""
    groups: dict[str, list[ScoreMatrix]] = {}
    for matrix in matrices():
        groups.setdefault(matrix.measure, []).append(matrix)
    return groups


def variances(estimate: Estimate = ONE_WAY, weights: Weights = "topics") -> list[MeasureVariance]:
    """Return the pooled variance of each measure in use, in order of appearance.

    Raises
    ------
    InputError
        If the estimate cannot be taken from one of the matrices.
    """
    return [
        MeasureVariance(measure, pooled(group, estimate, weights), _source(measure, group))
        for measure, group in by_measure().items()
    ]


def _source(measure: str, group: list[ScoreMatrix]) -> str:
    if is_sample():
        return f"simulated sample of seed {DEFAULT_SEED}, {measure}, pooled over {len(group)} rounds"
    if len(group) == 1:
        only = group[0]
        return f"{only.name}, {measure}, {only.n_topics} topics × {only.n_systems} runs"
    names = ", ".join(matrix.name for matrix in group)
    return f"{measure}, pooled over {names if len(group) <= _NAMED_AT_MOST else f'{len(group)} matrices'}"


def say_what_is_in_use(*, linked: bool = True) -> None:
    """Write one quiet line: whose scores these are, and (where linked) how to bring other ones."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if is_sample():
            said = "These are **simulated** scores, so that you see an answer at once."
            invitation = "Bring your own scores"
        else:
            count = len(own())
            said = f"Planning with your own scores: {count} {'matrix' if count == 1 else 'matrices'}."
            invitation = "Change them"
        st.markdown(said, width="content")
        if linked:
            frame.link_to("pages/score_matrices.py", invitation)
