"""The scores a user works on: their own where they brought some, the simulated sample otherwise.

Held in this user's session and nowhere else.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import frame
from pages.parts.caching import sample_matrices
from topicset_core.collection import ScoreMatrix
from topicset_core.samples.simulated import DEFAULT_SEED
from topicset_core.variance import ONE_WAY, Estimate, Weights, pooled

_LOADED = "loaded_scores"
_COUNTER = "loaded_scores/counter"
_NAMED_AT_MOST = 3


@dataclass(frozen=True)
class Loaded:
    """A matrix, what the parser recognised about it, and what the user did to it since.

    Parameters
    ----------
    matrix : ScoreMatrix
        As it is now.
    recognised : tuple of str
        Sentences of the parser.
    done : tuple of str
        Sentences on each change made here.
    notes : tuple of str
        The same in a few words, to stand beside the name.
    original : ScoreMatrix or None
        As it was read, where it was changed.
    rescaled : bool
        Whether a score means something else than as read.
    in_pool : bool
        Whether the designs use it.
    number : int
        Tells it from all others of this session; given by `add`.
    origin : str
        What made it here, where it was not read from a file of scores: see `replace_from`.
    """

    matrix: ScoreMatrix
    recognised: tuple[str, ...]
    done: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    original: ScoreMatrix | None = None
    rescaled: bool = False
    in_pool: bool = True
    number: int = 0
    origin: str = ""

    @property
    def label(self) -> str:
        """Name and measure."""
        return f"{self.matrix.name} ({self.matrix.measure})"


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


def size_of(matrix: ScoreMatrix) -> str:
    """Return the size of a matrix in words."""
    return f"{matrix.n_topics} topics × {matrix.n_systems} {'run' if matrix.n_systems == 1 else 'runs'}"


def own() -> list[Loaded]:
    """Return what this user has loaded, in the order of loading."""
    loaded: list[Loaded] = st.session_state.setdefault(_LOADED, [])
    return loaded


def add(found: Loaded) -> bool:
    """Keep a matrix beside those already there; False if it is there already, as read or changed since."""
    there = [matrix for kept in own() for matrix in (kept.matrix, kept.original) if matrix is not None]
    if any((found.matrix.name, found.matrix.digest) == (matrix.name, matrix.digest) for matrix in there):
        return False
    st.session_state[_COUNTER] = st.session_state.get(_COUNTER, 0) + 1
    own().append(replace(found, number=st.session_state[_COUNTER]))
    return True


def replace_from(origin: str, found: Sequence[Loaded]) -> None:
    """Put matrices in the place of all that were made the same way before, such as by an evaluation."""
    st.session_state[_LOADED] = [kept for kept in own() if kept.origin != origin]
    for loaded in found:
        add(replace(loaded, origin=origin))


def find(number: int) -> Loaded | None:
    """Return the matrix of that number; None where it was removed."""
    return next((loaded for loaded in own() if loaded.number == number), None)


def _put(changed: Loaded) -> None:
    st.session_state[_LOADED] = [changed if kept.number == changed.number else kept for kept in own()]


def change(loaded: Loaded, matrix: ScoreMatrix, said: tuple[str, ...], note: str, *, rescaled: bool) -> None:
    """Put a changed matrix in the place of a loaded one; the one that was read is kept."""
    _put(
        replace(
            loaded,
            matrix=matrix,
            done=(*loaded.done, *said),
            notes=(*loaded.notes, note),
            original=loaded.original or loaded.matrix,
            rescaled=loaded.rescaled or rescaled,
        )
    )


def restore(number: int) -> None:
    """Undo all changes of a matrix."""
    loaded = find(number)
    if loaded is not None and loaded.original is not None:
        as_read = replace(loaded, matrix=loaded.original, done=(), notes=(), original=None, rescaled=False)
        _put(as_read)


def rename(number: int, name: str, measure: str) -> None:
    """Give a matrix another name and measure, also as it was read where it has the same measure there.

    Raises
    ------
    InputError
        If a name is empty.
    """
    loaded = find(number)
    if loaded is None:
        return
    renamed = replace(loaded.matrix, name=name, measure=measure)
    original = loaded.original
    if original is not None:
        same = original.measure == loaded.matrix.measure
        original = replace(original, name=name, measure=measure if same else original.measure)
    _put(replace(loaded, matrix=renamed, original=original))


def pool(number: int, in_pool: bool) -> None:
    """Let the designs use a matrix, or not."""
    loaded = find(number)
    if loaded is not None:
        _put(replace(loaded, in_pool=in_pool))


def remove(number: int) -> None:
    """Forget one matrix."""
    st.session_state[_LOADED] = [kept for kept in own() if kept.number != number]


def forget_all() -> None:
    """Go back to the sample."""
    st.session_state[_LOADED] = []


def in_pool() -> list[Loaded]:
    """Return the loaded matrices that the designs use."""
    return [loaded for loaded in own() if loaded.in_pool]


def is_sample() -> bool:
    """Return whether the simulated sample stands in, as no matrix of the user's is in the pool."""
    return not in_pool()


def matrices() -> tuple[ScoreMatrix, ...]:
    """Return the matrices in use."""
    return sample_matrices() if is_sample() else tuple(loaded.matrix for loaded in in_pool())


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
    notes = [", ".join(loaded.notes) for loaded in in_pool() if loaded.matrix.measure == measure]
    if len(group) == 1:
        only = group[0]
        size = f"{only.name}, {measure}, {size_of(only)}"
        return f"{size} ({notes[0]})" if notes[0] else size
    if len(group) > _NAMED_AT_MOST:
        changed = sum(1 for note in notes if note)
        return (
            f"{measure}, pooled over {len(group)} matrices{f', {changed} of them changed' if changed else ''}"
        )
    names = [
        f"{matrix.name} ({note})" if note else matrix.name for matrix, note in zip(group, notes, strict=True)
    ]
    return f"{measure}, pooled over {', '.join(names)}"


def say_what_is_in_use(*, linked: bool = True) -> None:
    """Write one quiet line: whose scores these are, and (where linked) how to bring other ones."""
    with st.container(key="data-in-use", horizontal=True, vertical_alignment="center"):
        st.markdown(_what_is_in_use(), width="content")
        if linked:
            invitation = "Change them" if own() else "Bring your own scores"
            frame.link_to("pages/score_matrices.py", invitation)


def _what_is_in_use() -> str:
    loaded, used = len(own()), len(in_pool())
    if loaded == 0:
        return "These are **simulated** scores, so that you see an answer at once."
    if used == 0:
        none = "Your matrix is not" if loaded == 1 else f"None of your {loaded} matrices is"
        return f"{none} in the pool, so these are **simulated** scores."
    count = f"{used} {'matrix' if used == 1 else 'matrices'}"
    rest = "" if used == loaded else f" ({loaded - used} more not in the pool)"
    return f"Planning with your own scores: {count}{rest}."
