"""Runs and judgments that belong together: each collection of judgments with the runs on its topics."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from topicset_core.collection import Qrels, Run, Selected, select
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.selection import Which
from topicset_core.errors import InputError, ParseError, TopicsetError
from topicset_core.parsing.archives import Files, size_of
from topicset_core.parsing.names import lookalikes, shown
from topicset_core.parsing.trec.intents import BEGIN, IntentProbabilities, weighted
from topicset_core.parsing.trec.lines import repeated_rows
from topicset_core.parsing.trec.qrels import ReadCollections, ReadQrels, read_collections
from topicset_core.parsing.trec.runs import Precision, ReadRun, ReadRuns, read_runs
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, listed, quoted

_SHARE_OF_JOINING = 0.2  # of the time that import and joining take


@dataclass(frozen=True, kw_only=True, eq=False)
class Track:
    """All runs and judgments that were read, and what belongs to what.

    Parameters
    ----------
    runs : tuple of ReadRun
        In the order of import.
    qrels : tuple of ReadQrels
        One per collection.
    judged : tuple of JudgedRuns
        For each collection that some run has topics of, these runs joined with it.
    notes : tuple of str
        Notes on omitted files of archives and on files that fit nothing.
    errors : tuple of ParseError
        One for each file that could not be read at the last import.
    probabilities : tuple of IntentProbabilities
        Probabilities of intents, from files that contain them, whether or not judgments need them.
    """

    runs: tuple[ReadRun, ...] = ()
    qrels: tuple[ReadQrels, ...] = ()
    judged: tuple[JudgedRuns, ...] = ()
    notes: tuple[str, ...] = ()
    errors: tuple[TopicsetError, ...] = field(default=())
    probabilities: tuple[IntentProbabilities, ...] = ()

    def select(
        self,
        topics: Which | None = None,
        systems: Which | None = None,
        names: tuple[str, str] = ("topics", "systems"),
    ) -> tuple["Track", Selected]:
        """Take some topics and some runs of what belongs together."""
        every = _Ids(
            tuple(dict.fromkeys(topic for one in self.judged for topic in one.topics)),
            tuple(one.run.tag for one in self.runs),
        )
        if topics is not None and not self.judged:
            raise InputError(names[0], topics, "must be left out where no run has judged topics")
        kept, record = select(every, topics, systems, names)
        if not record.notes:
            return self, record
        own_topics, own_systems = set(kept.topics), set(kept.systems)
        judged = []
        for one in self.judged:
            rows = [place for place, topic in enumerate(one.topics) if topic in own_topics]
            columns = [place for place, system in enumerate(one.systems) if system in own_systems]
            if rows and columns:
                judged.append(one.taken(rows, columns))
        if self.judged and not judged:
            raise InputError(names[0], topics, "must leave a topic that a chosen run has")
        runs = tuple(one for one in self.runs if one.run.tag in own_systems)
        return replace(self, runs=runs, judged=tuple(judged), notes=(*self.notes, *record.notes)), record


def rejoined(track: Track) -> Track:
    """Check runs and judgments that came from a file of saved work, and join them again."""
    for one in track.runs:
        check_repeated(one.run)
    for other in track.qrels:
        check_repeated(other.qrels)
    return replace(track, judged=_joined(track.runs, track.qrels, silently)[0])


def check_repeated(one: Run | Qrels) -> None:
    """Refuse a run, or judgments, in which a document is repeated within a topic."""
    topic_of = np.repeat(np.arange(len(one.topics), dtype=np.int32), np.diff(one.starts))
    repeated = repeated_rows(topic_of, one.documents)
    if repeated.size:
        topic = one.topics[topic_of[repeated[0, 0]]]
        raise InputError("documents", topic, "must occur once per topic")


class _Ids(NamedTuple):
    """Topics and runs of several collections."""

    topics: tuple[str, ...]
    systems: tuple[str, ...]

    def taken(self, topics: Sequence[int], systems: Sequence[int]) -> "_Ids":
        """Return some of them, by their places."""
        return _Ids(tuple(self.topics[one] for one in topics), tuple(self.systems[one] for one in systems))


def read_track(
    runs: Files,
    qrels: Files,
    before: Track | None = None,
    report: ReportProgress = silently,
    *,
    keep_scores: bool = False,
    precision: Precision = "double",
) -> Track:
    """Read files of runs and of judgments, next to those read before, and join what belongs together.

    Parameters
    ----------
    runs, qrels : sequence of (str, bytes or Path)
        Name and content of each file, text or archives. Among the qrels may be files of probabilities of
        intents; they concern all judgments of their topics.
    before : Track, optional
        What there is already. It stays, even if the new files are refused.
    report : ReportProgress, optional
        Takes the fraction done.
    keep_scores : bool
        Whether the runs read now keep their scores, 8 bytes per document; measures need the order alone.
    precision : {"double", "single"}
        In which scores of runs are compared: double as in trec_eval 10, or single as in trec_eval 9.

    Returns
    -------
    Track
        The earlier and the new files, with an error for each file that could not be read.
    """
    return joined_track(
        *read_both(runs, qrels, report, keep_scores=keep_scores, precision=precision), before, report
    )


def read_both(
    runs: Files,
    qrels: Files,
    report: ReportProgress = silently,
    *,
    keep_scores: bool = False,
    precision: Precision = "double",
) -> tuple[ReadRuns, ReadCollections]:
    """Read files of runs and of judgments, without joining them."""
    n_bytes = [sum(size_of(content) for _, content in files) for files in (runs, qrels)]
    share_of_runs = (1 - _SHARE_OF_JOINING) * n_bytes[0] / max(sum(n_bytes), 1)
    read = read_runs(
        runs, lambda share: report(share * share_of_runs), keep_scores=keep_scores, precision=precision
    )
    collections = read_collections(
        qrels, lambda share: report(share_of_runs + share * (1 - _SHARE_OF_JOINING - share_of_runs))
    )
    return read, collections


def joined_track(
    read: ReadRuns,
    collections: ReadCollections,
    before: Track | None = None,
    report: ReportProgress = silently,
) -> Track:
    """Join what was read with what there was before; a file that does not go with it is an error."""
    before = before or Track()
    errors: list[TopicsetError] = [*read.errors, *collections.errors]
    all_runs, all_qrels = list(before.runs), list(before.qrels)
    files = {shown(one.run.tag): one.file for one in all_runs}
    for one in read.items:
        if shown(one.run.tag) in files:
            duplicate = f"{quoted(one.run.tag)}, the tag of {files[shown(one.run.tag)]} too"
            expected = f"expected a tag that no run loaded before has, found {duplicate}"
            errors.append(ParseError(one.file, None, expected))
        else:
            all_runs.append(one)
    names = {one.qrels.name for one in all_qrels}
    for item in collections.items:
        if item.qrels.name in names:
            expected = f"expected another name: {quoted(item.qrels.name)} is loaded already, of another file"
            errors.append(ParseError(item.file, None, expected))
        else:
            all_qrels.append(item)
    # A file that is uploaded again, perhaps corrected, replaces the earlier version.
    fresh = collections.probabilities
    again = {given.file for given in fresh}
    known = tuple(given for given in before.probabilities if given.file not in again)
    likely, unused = _weighted(all_qrels, len(before.qrels), known, fresh, errors)
    judged, notes = _joined(all_runs, likely, report)
    return Track(
        runs=tuple(all_runs),
        qrels=tuple(likely),
        judged=judged,
        notes=(*read.notes, *collections.notes, *unused, *notes),
        errors=tuple(errors),
        probabilities=(*known, *fresh),
    )


def _weighted(
    qrels: Sequence[ReadQrels],
    n_before: int,
    known: Sequence[IntentProbabilities],
    fresh: Sequence[IntentProbabilities],
    errors: list[TopicsetError],
) -> tuple[list[ReadQrels], list[str]]:
    """Give intents their probabilities, the last file for a topic counting; name files that fit nothing."""
    result, unused = list(qrels), []
    for given in (*known, *fresh):
        fit = [
            place
            for place, one in enumerate(result)
            if not given.by_topic.keys().isdisjoint(one.qrels.topics)
        ]
        if result and not fit:
            unused.append(f"{given.file}: probabilities of intents ignored; their topics are in no qrels.")
        known_by_intent = [place for place in fit if result[place].qrels.intents is not None]
        may_be = [place for place in fit if result[place].by_intent is not None]
        fit = known_by_intent or may_be or fit
        for place in fit if given in fresh else (place for place in fit if place >= n_before):
            try:
                result[place] = with_probabilities(result[place], given)
            except ParseError as error:
                errors.append(error)
    return result, unused


def with_probabilities(one: ReadQrels, given: IntentProbabilities) -> ReadQrels:
    """Return judgments, by intent if they leave it open, with the probabilities of a file and a note on them."""
    if one.by_intent is not None:
        called = replace(one.by_intent.qrels, name=one.qrels.name)
        one = replace(one.by_intent, qrels=called)
    qrels = weighted(one.qrels, given)
    before, after = (result.intents.notes if result.intents else "" for result in (one.qrels, qrels))
    notes = tuple(after if text == before else text for text in one.notes if not text.startswith(BEGIN))
    return replace(one, qrels=qrels, notes=(*notes, given.sentences_next_to(qrels)))


def _joined(
    runs: Sequence[ReadRun], qrels: Sequence[ReadQrels], report: ReportProgress
) -> tuple[tuple[JudgedRuns, ...], list[str]]:
    """Join each collection with the runs that have a topic of it, and name the other runs."""
    judged, notes = [], []
    used: set[str] = set()
    for place, collection in enumerate(qrels):
        report(1 - _SHARE_OF_JOINING * (1 - place / len(qrels)))
        topics = set(collection.qrels.topics)
        notes += _shared(collection, qrels[:place])
        own = [one.run for one in runs if not topics.isdisjoint(one.run.topics)]
        used |= {run.tag for run in own}
        notes += _equal_ids(collection, runs)
        if own:
            judged.append(join(own, collection.qrels))
        elif runs:
            some = ", ".join(collection.qrels.topics[:3])
            notes.append(f"{collection.qrels.name}: no run has one of its topics, such as {some}.")
    alone = [one.run.tag for one in runs if one.run.tag not in used]
    if alone and qrels:
        notes.append(f"{counted(len(alone), 'run')} without a topic of any of the qrels: {listed(alone)}.")
    return tuple(judged), notes


def _equal_ids(collection: ReadQrels, runs: Sequence[ReadRun]) -> list[str]:
    """Return notes where runs and judgments may mean one topic by two ids."""
    judged = set(collection.qrels.topics)
    of_runs = dict.fromkeys(topic for one in runs for topic in one.run.topics if topic not in judged)
    pairs = lookalikes(of_runs, collection.qrels.topics) if of_runs else []
    if not pairs:
        return []
    named = f"{quoted(pairs[0][0])} of runs and {quoted(pairs[0][1])} of {collection.qrels.name}"
    return [
        f"{counted(len(pairs), 'topic')} not matched, because ids differ only in zeros ({named}): if they are "
        "the same topics, write them in the same way in runs and judgments."
    ]


def _shared(collection: ReadQrels, before: Sequence[ReadQrels]) -> list[str]:
    """Name collections with judgments of the same topics, as where a file and a part of it are loaded."""
    shared = [(one, len(set(one.qrels.topics) & set(collection.qrels.topics))) for one in before]
    return [
        f"{one.qrels.name} and {collection.qrels.name} both judge {counted(count, 'topic')}: runs are scored by "
        "each, and these topics count twice in pooled variances."
        for one, count in shared
        if count
    ]
