"""The parameter sweeps a user can train on: brought here, loaded on the page of runs, or simulated."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from pages.parts import job, runs_data
from topicset_core.analyses.training_sensitivity import AssumedPool, Sweep, sweep_of
from topicset_core.collection import Qrels, Run
from topicset_core.collection.settings import Settings, without_parameters
from topicset_core.errors import ParseError
from topicset_core.parsing.parameter_values import read_parameter_table, settings_from_names
from topicset_core.samples import simulated_sweep

PAGE = "training-sensitivity"
READING = f"{PAGE}/reading"
"""Prefix of the job that reads files and searches collections."""

_BROUGHT, _TAKEN, _LOADED = f"{PAGE}/brought", f"{PAGE}/taken", f"{PAGE}/loaded"


@dataclass(frozen=True, eq=False)
class Source:
    """Runs of a sweep before they are joined with judgments.

    Parameters
    ----------
    name : str
        What the page calls it.
    runs : tuple of Run
        At least 2.
    qrels : Qrels
        Of their topics.
    settings : Settings
        Of the runs.
    said : tuple of str
        What was found and decided when it was read.
    n_documents : int or None
        Of the collection, where known.
    is_sample : bool
        Whether it is simulated.
    sweeps : dict
        What was joined before, by relevance level and how a pool is assumed.
    """

    name: str
    runs: tuple[Run, ...] = field(repr=False)
    qrels: Qrels = field(repr=False)
    settings: Settings = field(repr=False)
    said: tuple[str, ...] = ()
    n_documents: int | None = None
    is_sample: bool = False
    sweeps: dict[tuple[int, AssumedPool], Sweep] = field(default_factory=dict, repr=False)

    def sweep(self, relevance_level: int = 1, assumed_pool: AssumedPool = "auto") -> Sweep:
        """Return the runs joined with the judgments.

        Raises
        ------
        InputError
            If they do not belong together.
        """
        key = relevance_level, assumed_pool
        if key not in self.sweeps:
            self.sweeps[key] = sweep_of(
                self.runs,
                self.qrels,
                self.settings,
                relevance_level=relevance_level,
                assumed_pool=assumed_pool,
            )
        return self.sweeps[key]


def sources() -> tuple[Source, ...]:
    """Return all sweeps there are: the one brought last first, the simulated one at the end."""
    brought: list[Source] = st.session_state.setdefault(_BROUGHT, [])
    return (*brought, *_loaded(), _sample())


def is_untaken() -> bool:
    """Return whether a sweep was read since `take`."""
    latest = job.latest(READING)
    return latest is not None and latest is not st.session_state.get(_TAKEN)


def take() -> None:
    """Put the sweep that was read last in use; before the choice of a sweep is drawn."""
    if is_untaken():
        latest: Source = job.latest(READING)
        st.session_state[_TAKEN] = latest
        brought = st.session_state.setdefault(_BROUGHT, [])
        kept = [one for one in brought if one.name != latest.name]
        brought[:] = [latest, *kept]
        st.session_state[f"{PAGE}/sweep"] = latest.name


def forget() -> None:
    """Remove what was brought here."""
    job.forget(READING)
    st.session_state[_BROUGHT] = []


def settings_of(systems: Sequence[str], table: tuple[str, bytes] | None) -> tuple[Settings, tuple[str, ...]]:
    """Return the parameter values of runs: from a table, else from their names, else none.

    Raises
    ------
    ParseError
        If the table is none, or does not fit the runs.
    """
    if table is not None:
        read = read_parameter_table(*table, systems)
        return read.settings, read.said
    try:
        read = settings_from_names(systems)
    except ParseError as error:
        said = f"Runs are taken for alternatives without numbers, as their names have no parameter values: {error}."
        return without_parameters(systems), (said,)
    return read.settings, read.said


def give_values(name: str, table: tuple[str, bytes]) -> None:
    """Give the runs of a sweep the parameter values of a table.

    Raises
    ------
    ParseError
        If the table is none, or does not fit the runs.
    """
    source = next(one for one in sources() if one.name == name)
    settings, said = settings_of([run.tag for run in source.runs], table)
    new = replace(source, settings=settings, said=(*source.said, *said), sweeps={})
    for kept in (st.session_state[_BROUGHT], st.session_state.get(_LOADED, [])):
        kept[:] = [new if one is source else one for one in kept]


def _loaded() -> list[Source]:
    """Return the runs loaded on their page, a sweep for each collection of judgments with two runs or more."""
    if runs_data.is_sample():
        return []
    known: list[Source] = st.session_state.setdefault(_LOADED, [])
    track = runs_data.in_use()
    found = []
    for judged in track.judged:
        kept = [one for one in known if one.qrels is judged.qrels and len(one.runs) == judged.n_systems]
        if kept:
            found += kept
        elif judged.n_systems > 1:
            own = set(judged.systems)
            runs = tuple(one.run for one in track.runs if one.run.tag in own)
            settings, said = settings_of([run.tag for run in runs], None)
            found.append(Source(f"{judged.qrels.name}, runs loaded", runs, judged.qrels, settings, said))
    known[:] = found
    return found


@st.cache_resource(show_spinner=False)
def _sample() -> Source:
    runs, qrels, settings = simulated_sweep.simulated_sweep()
    return Source(qrels.name, tuple(runs), qrels, settings, is_sample=True)
