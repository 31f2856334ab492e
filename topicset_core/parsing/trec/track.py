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
            tuple(dict.fromkeys(topic for collection in self.judged for topic in collection.topics)),
            tuple(run.run.tag for run in self.runs),
        )
        if topics is not None and not self.judged:
            raise InputError(names[0], topics, "must be left out where no run has judged topics")
        kept, record = select(every, topics, systems, names)
        if not record.notes:
            return self, record
        own_topics, own_systems = set(kept.topics), set(kept.systems)
        judged = []
        for collection in self.judged:
            rows = [place for place, topic in enumerate(collection.topics) if topic in own_topics]
            columns = [place for place, system in enumerate(collection.systems) if system in own_systems]
            if rows and columns:
                judged.append(collection.taken(rows, columns))
        if self.judged and not judged:
            raise InputError(names[0], topics, "must leave a topic that a chosen run has")
        runs = tuple(run for run in self.runs if run.run.tag in own_systems)
        return replace(self, runs=runs, judged=tuple(judged), notes=(*self.notes, *record.notes)), record


def rejoined(track: Track) -> Track:
    """Check runs and judgments that came from a file of saved work, and join them again."""
    for run in track.runs:
        check_repeated(run.run)
    for other in track.qrels:
        check_repeated(other.qrels)
    return replace(track, judged=_joined(track.runs, track.qrels, silently)[0])


def check_repeated(data: Run | Qrels) -> None:
    """Refuse a run, or judgments, in which a document is repeated within a topic."""
    topic_of = np.repeat(np.arange(len(data.topics), dtype=np.int32), np.diff(data.starts))
    repeated = repeated_rows(topic_of, data.documents)
    if repeated.size:
        topic = data.topics[topic_of[repeated[0, 0]]]
        raise InputError("documents", topic, "must occur once per topic")


class _Ids(NamedTuple):
    """Topics and runs of several collections."""

    topics: tuple[str, ...]
    systems: tuple[str, ...]

    def taken(self, topics: Sequence[int], systems: Sequence[int]) -> "_Ids":
        """Return some of them, by their places."""
        return _Ids(
            tuple(self.topics[topic] for topic in topics), tuple(self.systems[system] for system in systems)
        )


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
    files = {shown(run.run.tag): run.file for run in all_runs}
    for run in read.items:
        if shown(run.run.tag) in files:
            duplicate = f"{quoted(run.run.tag)}, the tag of {files[shown(run.run.tag)]} too"
            expected = f"expected a tag that no run loaded before has, found {duplicate}"
            errors.append(ParseError(run.file, None, expected))
        else:
            all_runs.append(run)
    names = {judgments.qrels.name for judgments in all_qrels}
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
            for place, item in enumerate(result)
            if not given.by_topic.keys().isdisjoint(item.qrels.topics)
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


def with_probabilities(judged: ReadQrels, given: IntentProbabilities) -> ReadQrels:
    """Return judgments, by intent if they leave it open, with the probabilities of a file and a note on them."""
    if judged.by_intent is not None:
        called = replace(judged.by_intent.qrels, name=judged.qrels.name)
        judged = replace(judged.by_intent, qrels=called)
    qrels = weighted(judged.qrels, given)
    before, after = (result.intents.notes if result.intents else "" for result in (judged.qrels, qrels))
    notes = tuple(after if text == before else text for text in judged.notes if not text.startswith(BEGIN))
    return replace(judged, qrels=qrels, notes=(*notes, given.sentences_next_to(qrels)))


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
        own = [run.run for run in runs if not topics.isdisjoint(run.run.topics)]
        used |= {run.tag for run in own}
        notes += _equal_ids(collection, runs)
        if own:
            judged.append(join(own, collection.qrels))
        elif runs:
            some = ", ".join(collection.qrels.topics[:3])
            notes.append(f"{collection.qrels.name}: no run has one of its topics, such as {some}.")
    alone = [run.run.tag for run in runs if run.run.tag not in used]
    if alone and qrels:
        notes.append(f"{counted(len(alone), 'run')} without a topic of any of the qrels: {listed(alone)}.")
    return tuple(judged), notes


def _equal_ids(collection: ReadQrels, runs: Sequence[ReadRun]) -> list[str]:
    """Return notes where runs and judgments may mean one topic by two ids."""
    judged = set(collection.qrels.topics)
    of_runs = dict.fromkeys(topic for run in runs for topic in run.run.topics if topic not in judged)
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
    shared = [(earlier, len(set(earlier.qrels.topics) & set(collection.qrels.topics))) for earlier in before]
    return [
        f"{earlier.qrels.name} and {collection.qrels.name} both judge {counted(count, 'topic')}: runs are scored "
        "by each, and these topics count twice in pooled variances."
        for earlier, count in shared
        if count
    ]
