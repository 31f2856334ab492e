"""The scores a user works on: their own if uploaded, the simulated sample otherwise.

Held in this user's session, and for the same browser by `kept_work`; no other user can reach them.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import streamlit as st

from pages.parts import frame
from pages.parts.link import DATA, MEASURE, Stamp, check
from topicset_core.analyses.planning.source import size_of
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.tables import Table
from topicset_core.parameters import MAX_WIDTH, MIN_D
from topicset_core.preparation import divide
from topicset_core.samples.simulated import DEFAULT_SEED, simulated_task
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import pooled, scale_question
from topicset_core.variance.pooling import PER_CENT, looks_like_per_cent, pool_of

UPLOADS = "loaded_scores"
_COUNTER, _LEADING = "loaded_scores/counter", "loaded_scores/leading"
_POOLED, _POOLS = "loaded_scores/pooled-anyway", "frame/pools"
_LONGEST_LIST = 120
_MOST_BUTTONS = 4

PLANNING = "planning"
"""Prefix of the keys of the form of all design pages; numbers in units of a measure have its name before theirs."""

_CHOSEN_MATRIX = "/matrix"
"""Ends the names of the choice of a matrix on each page."""

CLOSER = "score_matrices/closer"
"""Name of the number of the matrix that the page of scores shows."""

_CHOSEN_MEASURES = tuple(f"{PLANNING}/scores{of}" for of in ("", "-of-0-and-1"))

SIMILAR = "no scores: a similar task"
"""The source of the variance where there are no scores yet."""


@st.cache_resource
def sample_matrices() -> tuple[ScoreMatrix, ...]:
    """Return the built-in simulated sample, made once a server."""
    return simulated_task()


@st.cache_resource
def conversations() -> Table:
    """Return the simulated scores of conversations as a file has them, one score per row."""
    matrix = simulated_conversations()
    topics = [(group, topic) for group, topic in zip(matrix.groups or (), matrix.topics, strict=True)]
    rows = [(*topic, system, matrix.measure) for topic in topics for system in matrix.systems]
    columns = zip(*rows, strict=True)
    names = ("conversation", "topic", "system", "measure")
    return {**dict(zip(names, columns, strict=True)), "score": matrix.scores.ravel().tolist()}


@dataclass(frozen=True)
class Upload:
    """A matrix, the notes of the parser, and the changes by the user."""

    matrix: ScoreMatrix
    recognised: tuple[str, ...]  # sentences of the parser
    done: tuple[str, ...] = ()  # sentences on each change made here
    notes: tuple[str, ...] = ()  # the same in a few words, to be shown next to the name
    original: ScoreMatrix | None = None  # as it was read, where it was changed
    rescaled: bool = False  # whether a score means something else than as read
    in_pool: bool = True  # whether the designs use it
    number: int = 0  # identifies it in this session
    origin: str = ""  # what made it here, where it was not read from a file of scores: see `replace_from`
    joined: tuple["Upload", ...] = ()  # whose topics it has, in the place of which it is
    files: tuple[str, ...] = ()  # that alone give it as it was read, without any choice; () where not known

    @property
    def label(self) -> str:
        """Name and measure."""
        return f"{self.matrix.name} ({self.matrix.measure})"


@dataclass(frozen=True)
class MeasureVariance:
    """The pooled variance of one measure, and its source."""

    measure: str
    value: float
    source: str

    @property
    def standard_deviation(self) -> float:
        """The root of the variance, in units of the measure."""
        return math.sqrt(self.value)


def ask_selection(key: str) -> None:
    """Draw the two boxes that choose topics and runs; their text is at `key` with /topics and /systems behind."""
    for place, (kind, label, example) in zip(
        st.columns(2, vertical_alignment="bottom"),
        (("topics", *SELECTIONS[0]), ("systems", *SELECTIONS[1])),
        strict=True,
    ):
        place.text_input(
            label,
            key=f"{key}/{kind}",
            placeholder=f"all, or {example}",
            help="Ids, ranges and patterns, with commas or spaces between; ! before one leaves it out.",
        )


SELECTIONS = (("Only these topics", "601-650"), ("Only these runs", "uogTr*"))
"""Labels of the boxes that choose topics and runs, and their options."""


def n_units(matrix: ScoreMatrix) -> int:
    """Return how many topics are drawn: of topics in groups, how many groups."""
    return len(matrix.group_sizes) or matrix.n_topics


def own() -> list[Upload]:
    """Return what this user has loaded, in the order of loading."""
    uploads: list[Upload] = st.session_state.setdefault(UPLOADS, [])
    return uploads


def added_since(before: Mapping[str, Any]) -> list[Upload]:
    """Return what was loaded since the values of this session were these."""
    known = {upload.number for upload in before.get(UPLOADS, ())}
    return [upload for upload in own() if upload.number not in known]


def add(result: Upload) -> bool:
    """Keep a matrix next to those already there; False if it is there already, as read or changed since."""
    frame.note_accepted()
    return _add(result)


def _add(result: Upload) -> bool:
    """Keep a matrix; the first one of an upload is shown in the place of what was shown before."""
    state, measures = st.session_state, {matrix.measure for matrix in matrices()}
    number = append(result)
    if number and state.get(frame.ADDED):
        state[_LEADING] = [*state[_LEADING], number]
    elif number:
        state[_LEADING] = [number]
        for name in [str(one) for one in state]:
            if name.endswith(_CHOSEN_MATRIX):
                state[name] = 0
            elif name in _CHOSEN_MEASURES and state[name] in measures:
                state[name] = result.matrix.measure
        if len(own()) > 1:
            state[CLOSER] = number
    state[frame.ADDED] = state.get(frame.ADDED) or bool(number)
    return bool(number)


def append(result: Upload) -> int:
    """Keep a matrix and return its number, 0 if it is there already."""
    state, known = st.session_state, [one for kept in own() for one in (kept, *kept.joined)]
    loaded = [matrix for kept in known for matrix in (kept.matrix, kept.original) if matrix is not None]
    if any((result.matrix.name, result.matrix.digest) == (matrix.name, matrix.digest) for matrix in loaded):
        return 0
    if not own() and state.get(f"{PLANNING}/scores") == SIMILAR:
        del state[f"{PLANNING}/scores"]  # plans are with these scores from now on
    number: int = state.get(_COUNTER, 0) + 1
    state[_COUNTER] = number
    state[UPLOADS] = [*own(), replace(result, number=number)]
    return number


def replace_from(origin: str, result: Sequence[Upload]) -> None:
    """Put matrices in the place of all that were made the same way before, such as by an evaluation."""
    state, before = st.session_state, [kept.number for kept in own() if kept.origin == origin]
    state[UPLOADS] = [kept for kept in own() if kept.origin != origin]
    for upload in result:
        made = replace(upload, origin=origin)
        if not before:
            _add(made)
        elif (number := append(made)) and set(before) & set(state.get(_LEADING, ())):
            state[_LEADING] = [*state[_LEADING], number]


def find(number: int) -> Upload | None:
    """Return the matrix of that number; None where it was removed."""
    return next((upload for upload in own() if upload.number == number), None)


def _put(changed: Upload) -> None:
    st.session_state[UPLOADS] = [changed if kept.number == changed.number else kept for kept in own()]


def change(upload: Upload, matrix: ScoreMatrix, done: tuple[str, ...], note: str, *, rescaled: bool) -> None:
    """Put a changed matrix in the place of a loaded one; the one that was read is kept."""
    _put(
        replace(
            upload,
            matrix=matrix,
            done=(*upload.done, *done),
            notes=(*upload.notes, note),
            original=upload.original or upload.matrix,
            rescaled=upload.rescaled or rescaled,
        )
    )


def join(
    uploads: Sequence[Upload], matrix: ScoreMatrix, done: tuple[str, ...], shown: int, note: str = ""
) -> None:
    """Put a matrix in the place of loaded ones whose topics it has: of the one that is shown, where it is one."""
    first = next((upload for upload in uploads if upload.number == shown), uploads[0])
    joined_files = tuple(file for one in uploads for file in one.files)
    _put(
        replace(
            first,
            matrix=matrix,
            recognised=(),
            done=done,
            notes=(note or f"topics of {len(uploads)} matrices",),
            original=None,
            rescaled=any(upload.rescaled for upload in uploads),
            joined=tuple(uploads),
            files=() if any(not one.files or one.original for one in uploads) else joined_files,
        )
    )
    gone = {upload.number for upload in uploads} - {first.number}
    st.session_state[UPLOADS] = [upload for upload in own() if upload.number not in gone]


def restore(number: int) -> None:
    """Undo all changes of a matrix; one of joined topics gives its place back."""
    upload = find(number)
    if upload is not None and upload.joined:
        kept = [*(one for one in own() if one is not upload), *upload.joined]
        st.session_state[UPLOADS] = sorted(kept, key=lambda one: one.number)
    elif upload is not None and upload.original is not None:
        _put(replace(upload, matrix=upload.original, done=(), notes=(), original=None, rescaled=False))


def rename(number: int, name: str, measure: str) -> None:
    """Give a matrix another name and measure, also as it was read where it has the same measure there."""
    upload = find(number)
    if upload is None:
        return
    renamed = replace(upload.matrix, name=name, measure=measure)
    original = upload.original
    if original is not None:
        same = original.measure == upload.matrix.measure
        original = replace(original, name=name, measure=measure if same else original.measure)
    _put(replace(upload, matrix=renamed, original=original))


def pool(number: int, in_pool: bool) -> None:
    """Let the designs use a matrix, or not."""
    upload = find(number)
    if upload is not None:
        _put(replace(upload, in_pool=in_pool))


def remove(number: int) -> None:
    """Forget one matrix."""
    st.session_state[UPLOADS] = [kept for kept in own() if kept.number != number]


def forget_all() -> None:
    """Go back to the sample."""
    frame.note_accepted()
    st.session_state[UPLOADS] = []


def in_pool() -> list[Upload]:
    """Return the loaded matrices that the designs use, those of the newest upload first."""
    return used(own(), st.session_state.get(_LEADING, ()))


def used(uploads: Iterable[Upload], leading: Collection[int]) -> list[Upload]:
    """Return those of uploads that the designs use, the leading ones first."""
    return sorted((upload for upload in uploads if upload.in_pool), key=lambda one: one.number not in leading)


def plan_with(measure: str) -> None:
    """Let the designs use scores of this measure, of the first one where it is "", and no typed variance."""
    st.session_state[f"{PLANNING}/scores"] = measure


def is_sample() -> bool:
    """Return whether the simulated sample is in use, as no matrix of the user's is in the pool."""
    return not in_pool()


def matrices() -> tuple[ScoreMatrix, ...]:
    """Return the matrices in use."""
    return sample_matrices() if is_sample() else tuple(upload.matrix for upload in in_pool())


def systems() -> list[str]:
    """Return the runs of all matrices in use, behind "" for none."""
    return list(dict.fromkeys(["", *(name for matrix in matrices() for name in matrix.systems)]))


def by_measure() -> dict[str, list[ScoreMatrix]]:
    """Return the matrices pooled for each measure, with those that differ clearly only if the user wants it."""
    if is_sample():
        return _grouped(sample_matrices())
    return {
        measure: list(group) if _is_asked_for(group) else _pool_of(group)[0]
        for measure, group in _grouped(matrices()).items()
    }


def _grouped(scores: Sequence[ScoreMatrix]) -> dict[str, list[ScoreMatrix]]:
    groups: dict[str, list[ScoreMatrix]] = {}
    for matrix in scores:
        groups.setdefault(matrix.measure, []).append(matrix)
    return groups


def _is_asked_for(group: Sequence[ScoreMatrix]) -> bool:
    """Return whether the user wants just these matrices pooled, whatever their variances."""
    return [matrix.digest for matrix in group] in st.session_state.get(_POOLED, [])


def _pool_anyway(group: Sequence[ScoreMatrix]) -> None:
    st.session_state[_POOLED] = [
        *st.session_state.get(_POOLED, []),
        [matrix.digest for matrix in group],
    ]


def _pool_of(group: Sequence[ScoreMatrix]) -> tuple[list[ScoreMatrix], list[str]]:
    """Return what is pooled of these matrices, and why others are not; computed once in a session."""
    known: dict[Any, tuple[list[int], list[str]]] = st.session_state.setdefault(_POOLS, {})
    key = tuple((matrix.digest, matrix.name) for matrix in group)
    if key not in known:
        kept, reasons = pool_of(group)
        places = [at for at, matrix in enumerate(group) if any(matrix is one for one in kept)]
        known[key] = places, [reason.sentence for reason in reasons]
    places, why = known[key]
    return [group[at] for at in places], why


def variances() -> list[MeasureVariance]:
    """Return the pooled variance of each measure in use, in order of appearance."""
    return [
        MeasureVariance(measure, pooled(group), source_of(measure, group))
        for measure, group in by_measure().items()
    ]


def source_of(measure: str, group: Sequence[ScoreMatrix]) -> str:
    """Return the source of the pooled variance of a measure, in words."""
    if is_sample():
        return f"simulated sample of seed {DEFAULT_SEED}, {measure}, pooled over {len(group)} rounds"
    used = {matrix.digest for matrix in group}
    notes = [
        ", ".join(upload.notes)
        for upload in in_pool()
        if upload.matrix.measure == measure and upload.matrix.digest in used
    ]
    if len(group) == 1:
        only = group[0]
        size = f"{only.name}, {measure}, {size_of(only)}"
        return f"{size} ({notes[0]})" if notes[0] else size
    names = [
        f"{matrix.name} ({note})" if note else matrix.name for matrix, note in zip(group, notes, strict=True)
    ]
    listed = ", ".join(names)
    if len(listed) > _LONGEST_LIST:
        listed = f"{len(names)} matrices from {names[0]} to {names[-1]}"
    return f"{measure}, pooled over {listed}"


def warn(measures: Collection[str], difference: tuple[str, float] | None = None) -> None:
    """Warn in one box of scores that do not go together or have another unit, with the ways out."""
    warnings: list[tuple[str, Callable[[], object]]] = []
    for measure in measures:
        used = [upload for upload in in_pool() if upload.matrix.measure == measure]
        if used:
            warnings += _other_scale(measure, used, difference)
            warnings += _other_tasks(measure, used)
    if warnings:
        with st.container(key="warning", gap="xsmall"):
            st.warning("\n\n".join(text for text, _ in warnings))
            with st.container(horizontal=True, gap="xsmall"):
                for _, offer in warnings:
                    offer()


def _other_scale(
    measure: str, used: Sequence[Upload], difference: tuple[str, float] | None
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Ask about scores that look like per cent; next to a plan, only if its difference is below one point."""
    planned = {matrix.digest for matrix in by_measure()[measure]}
    high = [
        upload for upload in used if upload.matrix.digest in planned and looks_like_per_cent(upload.matrix)
    ]
    if not high:
        return
    largest = max(float(one.matrix.scores.max()) for one in high)
    question = f"Scores run up to {largest:g}: is their scale 0 to 100?"
    if difference is not None:
        question = scale_question([one.matrix for one in high], *difference)
    label = f"Divide {frame.plain(measure)} by 100"
    if question:
        yield (
            f"{frame.plain(measure)}: {question}",
            lambda: st.button(label, key=f"scale/{measure}", on_click=_divide, args=(measure, high)),
        )


def _divide(measure: str, result: Sequence[Upload]) -> None:
    for upload in result:
        divided, done = divide(upload.matrix, PER_CENT), ("Scores were divided by 100.",)
        change(upload, divided, done, "divided by 100", rescaled=True)
    state = st.session_state
    kept: dict[str, float] = state.get(f"{PLANNING}/valid", {})
    for one in (MIN_D, MAX_WIDTH):  # a value typed in that unit means the same in the new one
        name = f"{measure}/{one.name}"
        if kept.get(name, one.default) != one.default:
            kept = kept | {name: kept[name] / PER_CENT}
            state[f"{PLANNING}/valid"], state[f"{PLANNING}/{name}"] = kept, kept[name]


def _other_tasks(measure: str, used: Sequence[Upload]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Name the collections that are left out of the pool, or that are pooled although they differ."""
    group = [upload.matrix for upload in used]
    kept, reasons = _pool_of(group)
    if not reasons:
        return
    is_asked_for = _is_asked_for(group)
    left_out = [upload for upload in used if all(upload.matrix is not matrix for matrix in kept)]
    names = ", ".join(frame.plain(upload.matrix.name) for upload in left_out)
    why = ". ".join(dict.fromkeys(frame.plain(reason) for reason in reasons))
    done = "Pooled although they differ" if is_asked_for else f"Left out of the plan: {names}"

    def offer() -> None:
        for upload in (used if is_asked_for else left_out)[:_MOST_BUTTONS]:
            st.button(
                f"Plan with {frame.plain(upload.matrix.name)} alone",
                key=f"pool/alone-{upload.number}",
                on_click=_use_alone,
                args=(upload, used),
            )
        if not is_asked_for:
            st.button("Pool them anyway", key=f"pool/anyway-{measure}", on_click=_pool_anyway, args=(group,))

    yield f"{frame.plain(measure)}: {done}. {why}.", offer


def _use_alone(chosen: Upload, used: Sequence[Upload]) -> None:
    for upload in used:
        pool(upload.number, upload.number == chosen.number)
        st.session_state.pop(f"score_matrices/pool-{upload.number}", None)  # its box shows what holds now


class SourceFiles(NamedTuple):
    """Files that give a matrix, and whether they have several measures, of which its is to be named."""

    files: tuple[str, ...]
    names_measure: bool


def source_files(matrix: ScoreMatrix) -> SourceFiles | None:
    """Return the files that alone give a matrix; None where it was changed here, or they give several like it."""
    upload = next((one for one in own() if one.matrix is matrix and one.original is None), None)
    if upload is None or not upload.files:
        return None
    others = [one for one in own() if one is not upload and {*one.files} & {*upload.files}]
    if any(one.matrix.measure == matrix.measure for one in others):
        return None
    return SourceFiles(upload.files, bool(others))


def origin_of(matrix: ScoreMatrix) -> str:
    """Return the upload that a matrix came with; "" of the sample."""
    return next((one.origin for one in own() if one.matrix is matrix), "")


def notes_on_groups(matrix: ScoreMatrix) -> tuple[str, ...]:
    """Return why the topics of a matrix have no groups, where its file names some."""
    notes = [note for one in own() if one.matrix is matrix for note in (*one.recognised, *one.done)]
    return tuple(note for note in notes if "topics have no groups" in note)


def stamp(matrix: ScoreMatrix) -> Stamp:
    """Return how links name a matrix."""
    return Stamp(matrix.digest, f"{matrix.n_topics}x{matrix.n_systems}", f"{matrix.name}, {matrix.measure}")


def named_in_links(matrix: ScoreMatrix) -> dict[str, str]:
    """Return what links have of a matrix."""
    return {MEASURE: matrix.measure, DATA: str(stamp(matrix))}


def show_data_in_use(*, linked: bool = True, pooled: bool = False) -> None:
    """Write whose scores these are, of a plan those in its pool, and how to upload others.

    A link opened without its scores ends here.
    """
    st.session_state[frame.ON_SAMPLE] = is_sample()
    check({matrix.digest for matrix in matrices()}, "pages/score_matrices.py", is_sample=is_sample())
    with frame.head("data"):
        st.markdown(_what_is_in_use(pooled=pooled), width="content")
        if linked:
            invitation = "Change them" if own() else "Upload yours"
            frame.link_to("pages/score_matrices.py", invitation)


def _what_is_in_use(*, pooled: bool) -> str:
    n_uploads, n_used = len(own()), len(in_pool())
    if n_uploads == 0:
        return "**Sample data**, simulated."
    if n_used == 0:
        return f"**Simulated** scores; yours: 0 of {n_uploads} in use."
    n_used = sum(map(len, by_measure().values())) if pooled else n_used
    count = f"{n_used} of {n_uploads}" if n_used < n_uploads else f"{n_used}"
    return f"Your scores: {count} {'matrix' if n_uploads == 1 else 'matrices'}."
