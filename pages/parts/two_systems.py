"""The form of the page of two systems: the scores, which two systems, and the datasets they are compared on."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.parts import data, link
from pages.parts.form import ERROR_PROBABILITIES, SCORES, Choice, Form, fields_of
from topicset_core.analyses.two_systems.comparison import PAIR, Request
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import LOWER_IS_BETTER, MARGIN
from topicset_core.preparation import MEAN, join_topics, mean_of
from topicset_core.wording import first_few

PAGE = "two-systems"
_BLANK = ""
_PAIR = tuple(
    Choice(name, label, data.systems, shown=lambda system: system or "Choose a system")
    for name, label in (("baseline", "Baseline"), ("new", "New system"))
)
_ONE, _ALL = "one", "all"
_DATASETS = Choice("datasets", "Datasets", (_BLANK, _ONE, _ALL), look="radio")
_FORM = Form(PAGE, (*fields_of(Request), SCORES, *_PAIR, _DATASETS), together=ERROR_PROBABILITIES)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The values of the form."""

    matrix: ScoreMatrix = field(repr=False)  # the scores, perhaps of several datasets
    request: Request | None  # None until two systems are chosen
    missing: str = ""  # what is to be chosen, in a sentence
    notes: tuple[str, ...] = ()  # what was joined, and why topics have no groups
    parts: tuple[ScoreMatrix, ...] = field(default=(), repr=False)  # the datasets, where there are several
    others: tuple[ScoreMatrix, ...] = field(default=(), repr=False)  # by which the two are compared as well
    url: str = ""
    commands: tuple[str, ...] = ()


def ask() -> Settings:
    """Draw the form and return its values."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    if matrix.n_systems < 2:
        rule = f"has one system, {matrix.systems[0]}: upload the scores of both systems, on the same topics"
        raise InputError(matrix.name, None, rule)
    unknown = _unknown(matrix)
    is_open = bool(unknown) or (matrix.n_systems > 2 and not data.is_sample())
    first = [_BLANK] if is_open else []
    baseline = _FORM.draw(replace(_PAIR[0], options=[*first, *matrix.systems]))
    new = _FORM.draw(
        replace(_PAIR[1], options=[*first, *(name for name in matrix.systems if name != baseline)])
    )
    parts = (matrix,) if _BLANK in (baseline, new) else _ask_datasets(matrix, (baseline, new))
    _FORM.ask(MARGIN, LOWER_IS_BETTER)
    joined, notes = join_topics(parts) if len(parts) > 1 else (matrix, data.notes_on_groups(matrix))
    if joined.groups is not None:
        _FORM.ask(MEAN)
    with st.expander("The test"):
        _FORM.ask_rest(Request, MARGIN, LOWER_IS_BETTER, MEAN, PAIR)
    values = _FORM.values()
    if _BLANK in (baseline, new):
        return Settings(matrix=matrix, request=None, missing=_missing(matrix, unknown))
    no_mean = {"mean": None} if joined.groups is None else {}
    request = _FORM.request(Request, values, pair=(baseline, new), **no_mean)
    mean = None if joined.groups is None else mean_of(joined, request.mean)
    datasets = _ALL if len(parts) > 1 else _ONE if _others(matrix, (baseline, new)) else None
    return Settings(
        matrix=joined,
        request=request,
        notes=notes,
        parts=parts if len(parts) > 1 else (),
        others=_by_measure(parts),
        url=_FORM.url(values, baseline=baseline, new=new, mean=mean, datasets=datasets),
        commands=_commands(parts, joined, request),
    )


def join_everywhere(settings: Settings) -> None:
    """Let all pages use the datasets as one matrix whose groups they are."""
    uploads = [upload for upload in data.own() if any(upload.matrix is part for part in settings.parts)]
    data.join(uploads, settings.matrix, settings.notes, uploads[0].number)


def _unknown(matrix: ScoreMatrix) -> list[str]:
    """Return the systems that a link names, and the scores do not have, until others are chosen."""
    state, query = st.session_state, st.query_params
    named = [(query.get(one.name, _BLANK), state.get(f"{PAGE}/{one.name}", _BLANK)) for one in _PAIR]
    return [
        linked
        for linked, chosen in named
        if chosen in (_BLANK, linked) and linked not in ("", *matrix.systems)
    ]


def _missing(matrix: ScoreMatrix, unknown: Sequence[str]) -> str:
    """Return what the user is to choose."""
    if unknown:
        names = first_few([link.shortened(name) for name in unknown], 2)
        return f"{matrix.name} has no system {names}, which the link names: choose the baseline and the new system."
    return f"{matrix.name} has {matrix.n_systems:,} systems: choose the baseline and the new system."


def _others(matrix: ScoreMatrix, pair: Sequence[str]) -> list[ScoreMatrix]:
    """Return the other datasets with scores of these systems: of the same measure, on other topics.

    The same topics once more are another round of the same systems, and no dataset.
    """
    result: list[ScoreMatrix] = []
    for other in () if matrix.groups is not None or data.is_sample() else data.matrices():
        alike = [matrix, *result]
        if (
            (other.measure, other.groups) == (matrix.measure, None)
            and {*pair} <= {*other.systems}
            and all(other.name != one.name and {*other.topics} != {*one.topics} for one in alike)
        ):
            result.append(other)
    return result


def _ask_datasets(matrix: ScoreMatrix, pair: Sequence[str]) -> tuple[ScoreMatrix, ...]:
    """Return the datasets that are compared: all of an upload, unless the user takes one alone."""
    others = _others(matrix, pair)
    if not others:
        return (matrix,)
    together = {data.origin_of(one) for one in (matrix, *others)}
    options = {_ALL: f"all {len(others) + 1}, each a group", _ONE: f"{matrix.name} alone"}
    help_text = "Scores of both systems on other topics, as the datasets of a benchmark."
    # Of two files, fewer topics of the other one may be those that people labelled.
    sets = [{*one.topics} for one in (matrix, *others)]
    is_nested = len(sets) == 2 and (sets[0] < sets[1] or sets[1] < sets[0])
    usual = _ALL if len(together) == 1 and not is_nested else _ONE
    chosen = _FORM.draw(replace(_DATASETS, options=options, usual=usual, help=help_text))
    return (matrix, *others) if chosen == _ALL else (matrix,)


def _by_measure(parts: Sequence[ScoreMatrix]) -> tuple[ScoreMatrix, ...]:
    """Return the scores of all measures: of several datasets each measure that all of them have, joined."""
    if len(parts) == 1:
        return data.matrices()
    names = [part.name for part in parts]
    measures = dict.fromkeys(matrix.measure for matrix in data.matrices())
    of_each = [
        [matrix for matrix in data.matrices() if matrix.measure == measure and matrix.name in names]
        for measure in measures
    ]
    return tuple(join_topics(these)[0] for these in of_each if [one.name for one in these] == names)


def _commands(parts: Iterable[ScoreMatrix], matrix: ScoreMatrix, request: Request) -> tuple[str, ...]:
    """Return the line for a terminal and the call in Python; none where files alone do not give these scores."""
    sources = [data.source_files(part) for part in parts]
    files = [name for source in sources if source for name in source.files]
    if not all(sources):
        return ()
    values = {name: getattr(request, name) for name in ("margin", "alpha", "beta", "lower_is_better")}
    values = {name: value for name, value in values.items() if value != getattr(Request(), name)}
    more: dict[str, Any] = {"join": True} if matrix.is_joined else {}
    more |= {"measure": matrix.measure} if any(source and source.names_measure for source in sources) else {}
    more |= {"pair": list(request.pair or ())} | values
    if matrix.groups is not None:
        more["mean"] = mean_of(matrix, request.mean)
    words = ["topicset", "compare-two", *files]
    for name, value in more.items():
        given = value if isinstance(value, list) else [] if value is True else [value]
        words += [f"--{name.replace('_', '-')}", *map(str, given)]
    scores = repr(files[0]) if len(files) == 1 else repr(files)
    arguments = ", ".join([scores, *(f"{name}={value!r}" for name, value in more.items())])
    return shlex.join(words), f"import topicset_core as topicset\n\ntopicset.compare_two({arguments})"
