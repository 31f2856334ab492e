"""Topics by runs: the scores of one measure, the input of every estimate of a variance."""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.selection import Which, select
from topicset_core.errors import InputError
from topicset_core.wording import counted, display_control, first_few, listed

if TYPE_CHECKING:
    from pandas import DataFrame

LARGEST_SCORE = 1e100
"""Largest absolute score; beyond it the squares in a variance overflow."""

UNKNOWN_MEASURE = "score"
"""The measure of scores that do not name theirs; sentences leave it out."""


def digest_of(texts: Iterable[str], scores: NDArray[np.float64], *further: NDArray[np.float64]) -> str:
    """Return SHA-256 of the shape of scores, of texts and of all arrays, as 64 hexadecimal digits."""
    # Every part states its own length, so that ids ("a", "bc") and ("ab", "c") differ.
    state = hashlib.sha256(f"{' '.join(map(str, scores.shape))}\n".encode())
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        state.update(f"{len(encoded)}:".encode() + encoded)
    for array in (scores, *further):
        # Adding zero makes 0.0 of -0.0: equal scores have equal digests.
        state.update((array + 0.0).astype("<f8").tobytes())
    return state.hexdigest()


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreMatrix:
    """Scores of one measure, one row per topic and one column per system.

    Rows and columns keep the order in which they were given. Two matrices are equal when scores,
    ids, groups, measure and name are.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_topics, n_systems)
        Kept as a copy that cannot be written to.
    topics : tuple of str
        Topic ids, unique, one per row.
    systems : tuple of str
        Run names, unique, one per column.
    measure : str
        Name of the measure, for example "AP"; "score" where it is unknown.
    name : str
        Name of the matrix, for example the file or the collection.
    groups : tuple of str, optional
        The group of each topic, as its conversation, passage or dataset; None where topics are independent. Groups
        of one topic each are no groups: they become None.
    by_topic : ScoreMatrix, optional
        Where a row is a whole group of topics, as of `by_group`, the scores by topic.
    is_joined : bool
        Whether each group is a matrix whose topics were joined, as the datasets of a benchmark; systems are then
        usually compared by the mean of group means. It is no part of equality and digest.

    Raises
    ------
    InputError
        If shapes disagree, a score is not finite, an id is empty or repeated, there are fewer than 2 topics
        or no system, or groups are not one name per topic.
    """

    scores: NDArray[np.float64]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    measure: str
    name: str
    groups: tuple[str, ...] | None = None
    by_topic: "ScoreMatrix | None" = field(default=None, repr=False)
    is_joined: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", _checked_scores(self.scores))
        object.__setattr__(self, "topics", _checked_ids("topics", self.topics))
        object.__setattr__(self, "systems", _checked_ids("systems", self.systems))
        for parameter, text in (("measure", self.measure), ("name", self.name)):
            if not isinstance(text, str) or not text.strip():
                raise InputError(parameter, text, "must be a name")
            _refuse_display_controls(parameter, text)
        if len(self.topics) < 2:
            raise InputError(
                "topics", len(self.topics), "must be at least 2 topics: a single topic has no variance"
            )
        if not self.systems:
            raise InputError("systems", 0, "must be at least 1 system")
        if self.groups is not None:
            object.__setattr__(self, "groups", _checked_ids("groups", self.groups, are_unique=False))
            if len(self.groups or ()) != len(self.topics):
                raise InputError(
                    "groups", len(self.groups or ()), f"must be {len(self.topics)}, one per topic"
                )
            if len(set(self.groups or ())) == len(self.topics):  # else answers would depend on their names
                object.__setattr__(self, "groups", None)
        object.__setattr__(self, "is_joined", self.is_joined and self.groups is not None)
        if self.by_topic is not None:
            there = (tuple(self.by_topic.group_sizes), self.by_topic.systems)
            if there != (self.topics, self.systems):
                raise InputError(
                    "by_topic", self.by_topic.name, "must have these rows as groups, and these systems"
                )
        expected = (len(self.topics), len(self.systems))
        if self.scores.shape != expected:
            raise InputError("scores", self.scores.shape, f"must have the shape {expected}, topics x systems")
        self._refuse_unusable_scores()

    @property
    def n_topics(self) -> int:
        """Number of rows."""
        return len(self.topics)

    @property
    def n_systems(self) -> int:
        """Number of columns."""
        return len(self.systems)

    @cached_property
    def is_binary(self) -> bool:
        """Whether all scores are 0 or 1."""
        return bool(np.isin(self.scores, (0, 1)).all())

    @cached_property
    def group_sizes(self) -> Mapping[str, int]:
        """Topics of each group, in the order in which groups come first; empty without groups."""
        return Counter(self.groups or ())

    @property
    def unit(self) -> str:
        """What a row is, and therefore what an analysis of the rows counts: "topic" or "group"."""
        return "topic" if self.by_topic is None else "group"

    def grouped(self, groups: Mapping[str, str] | None) -> "ScoreMatrix":
        """Return the scores with the group of each topic; without groups where each has one topic.

        Parameters
        ----------
        groups : mapping of str to str, or None
            Group by topic id; other ids in it do not count. None takes groups away.

        Raises
        ------
        InputError
            If a topic has no group, or there is one group.
        """
        if groups is None:
            return replace(self, groups=None)
        missing = [topic for topic in self.topics if topic not in groups]
        if missing:
            without = f"{counted(len(missing), 'topic')} of {self.name} without one"
            rule = f"must name a group of each topic; {without}, found groups of {listed(list(groups))}"
            raise InputError("groups", listed(missing), rule)
        result = replace(self, groups=tuple(groups[topic] for topic in self.topics), is_joined=False)
        if len(result.group_sizes) == 1:
            raise InputError("groups", 1, "must be at least 2")
        return result

    def by_group(self, *, centred: bool = False) -> "ScoreMatrix":
        """Return one row per group, the sum of its topics over the mean size of groups; itself without groups.

        Means over rows are those over topics. Whoever draws these rows, or flips their signs, does so with whole
        groups.

        Parameters
        ----------
        centred : bool
            Whether sums are of deviations from the means of systems, to which these are added: rows then vary as
            means over groups of these sizes do, and not because sizes differ. Of equal sizes it is the same.

        Raises
        ------
        InputError
            If all topics are in one group.
        """
        if self.groups is None:
            return self
        means = self.scores.mean(axis=0) if centred else 0.0
        sums = self._sums_over_groups(self.scores - means)
        scores = means + sums * (len(sums) / self.n_topics)
        return replace(self, scores=scores, topics=tuple(self.group_sizes), groups=None, by_topic=self)

    def group_means(self) -> "ScoreMatrix":
        """Return one row per group, the mean of its topics; itself without groups.

        Means over rows are means of group means: each group counts the same.

        Raises
        ------
        InputError
            If all topics are in one group.
        """
        if self.groups is None:
            return self
        sizes = np.array([*self.group_sizes.values()], dtype=np.float64)
        scores = self._sums_over_groups(self.scores) / sizes[:, np.newaxis]
        return replace(self, scores=scores, topics=tuple(self.group_sizes), groups=None, by_topic=self)

    def _sums_over_groups(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums of rows over each group, (n_groups, n_systems); refuse a single group."""
        places = {name: place for place, name in enumerate(self.group_sizes)}
        if len(places) < 2:
            raise InputError(
                "groups", len(places), "must be at least 2: one group has nothing to compare with"
            )
        sums = np.zeros((len(places), self.n_systems))
        np.add.at(sums, [places[group] for group in self.groups or ()], scores)
        return sums

    def select(self, topics: Which | None = None, systems: Which | None = None) -> "ScoreMatrix":
        """Return the scores of some topics and runs.

        Parameters
        ----------
        topics, systems : str, Path or sequence of str, optional
            Ids, ranges such as ``601-650``, patterns such as ``uogTr*``, and with ``!`` before them what to
            leave out; or the file of a list. By default all.

        Raises
        ------
        InputError
            If something fits no id, or fewer than 2 topics or no run are left.
        OSError
            If a file cannot be read.
        """
        return select(self, topics, systems)[0]

    def taken(self, topics: Sequence[int], systems: Sequence[int]) -> "ScoreMatrix":
        """Return the scores of some topics and runs, by their places."""
        by_topic = self.by_topic
        if by_topic is not None:
            places: dict[str, list[int]] = {}
            for place, group in enumerate(by_topic.groups or ()):
                places.setdefault(group, []).append(place)
            by_topic = by_topic.taken(
                [place for row in topics for place in places[self.topics[row]]], systems
            )
            by_topic = None if by_topic.groups is None else by_topic  # rows of one topic each are topics
        return replace(
            self,
            by_topic=by_topic,
            scores=self.scores[np.ix_(topics, systems)],
            topics=tuple(self.topics[place] for place in topics),
            systems=tuple(self.systems[place] for place in systems),
            groups=self.groups and tuple(self.groups[place] for place in topics),
        )

    def to_csv(self) -> str:
        """Return the scores as the text of a file that is read as this matrix: perhaps group, topic, systems."""
        groups = () if self.groups is None else (self.groups,)
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow([*("group" for _ in groups), "topic", *self.systems])
        for *ids, scores in zip(*groups, self.topics, self.scores.tolist(), strict=True):
            writer.writerow([*ids, *scores])
        return text.getvalue()

    def to_frame(self) -> "DataFrame":
        """Return the scores as a frame of pandas: topics in the index, a column per system.

        Groups of topics are the first of two levels of the index, "group" and "topic".
        :func:`topicset_core.parsing.read_frame` reads the frame as this matrix.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            from pandas import DataFrame, Index, MultiIndex
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas") from None
        columns = Index(self.systems, name=self.measure)
        index = Index(self.topics, name="topic")
        if self.groups is not None:
            index = MultiIndex.from_arrays([self.groups, self.topics], names=["group", "topic"])
        return DataFrame(self.scores, index=index, columns=columns)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of scores, ids, groups and measure, not of the name: 64 hexadecimal digits on every machine."""
        by_topic = () if self.by_topic is None else (self.by_topic.digest,)
        texts = (self.measure, *self.topics, *self.systems, *(self.groups or ()), *by_topic)
        return digest_of(texts, self.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreMatrix):
            return NotImplemented
        own = (self.topics, self.systems, self.groups, self.by_topic, self.measure, self.name)
        of_other = (other.topics, other.systems, other.groups, other.by_topic, other.measure, other.name)
        return own == of_other and np.array_equal(self.scores, other.scores)

    def __hash__(self) -> int:
        return hash((self.digest, self.name))

    def _refuse_unusable_scores(self) -> None:
        unusable = ~(np.abs(self.scores) <= LARGEST_SCORE)  # NaN compares false
        if unusable.any():
            topic, system = (int(index) for index in np.argwhere(unusable)[0])
            raise InputError(
                "scores",
                float(self.scores[topic, system]),
                f"must be finite and within {LARGEST_SCORE:g}, at topic {self.topics[topic]!r}, "
                f"system {self.systems[system]!r}",
            )


def pair_of(systems: tuple[str, ...], first: str, second: str, named: str = "pair") -> tuple[int, int]:
    """Return the places of the two systems of a parameter of this name."""
    for name in (first, second):
        if name not in systems:
            raise InputError(named, name, f"must be one of {first_few(systems, 10)}")
    if first == second:
        raise InputError(named, first, "must be two systems")
    return systems.index(first), systems.index(second)


def _checked_scores(scores: object) -> NDArray[np.float64]:
    """Copy to a read-only two-dimensional float64 array."""
    try:
        given = np.asarray(scores)
    except ValueError:  # nested lists of unequal length
        _refuse_scores(scores)
    if given.dtype.kind not in "biuf" or given.ndim != 2:
        _refuse_scores(scores)
    copy = np.array(given, dtype=np.float64, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def _refuse_scores(scores: object) -> NoReturn:
    raise InputError("scores", type(scores).__name__, "must be a table of numbers, topics x systems")


def _checked_ids(parameter: str, ids: Iterable[str], *, are_unique: bool = True) -> tuple[str, ...]:
    """Return the ids as a tuple, after a check that they are names and unique."""
    # A single string would pass for a sequence of one-letter ids.
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise InputError(parameter, ids, "must be a sequence of ids")
    result = tuple(ids)
    seen = set()
    for name in result:
        if not isinstance(name, str) or not name.strip():
            raise InputError(parameter, name, "must be texts that are not empty")
        if are_unique and name in seen:
            raise InputError(parameter, name, "must be unique; this id is repeated")
        _refuse_display_controls(parameter, name)
        seen.add(name)
    return result


def _refuse_display_controls(parameter: str, name: str) -> None:
    stray = display_control(name)
    if stray:
        raise InputError(parameter, name, f"must not contain {stray}, which controls how text is displayed")
