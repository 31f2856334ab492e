"""Formats of judgments, and the matrix of two drawn runs."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tests.parsing.formats_drawn import QRELS, RUNS, SEED, TOPICS, Files, qrels_lines, rel, run_lines
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.collection import ScoreMatrix
from topicset_core.parsing.trec.track import Track, read_track


class Judgments(NamedTuple):
    """A format: its name, files, the measure that is shown, and grades by intent."""

    name: str
    files: Files
    measure: str
    by_intent: Mapping[str, Mapping[str, Mapping[str, int]]] | None = None


def _by_intent() -> tuple[dict[str, dict[str, dict[str, int]]], dict[str, dict[str, float]]]:
    """Grades by topic, intent and document, the highest of each being that in QRELS; and likely intents."""
    rng = np.random.default_rng(SEED)
    judged: dict[str, dict[str, dict[str, int]]] = {}
    likely: dict[str, dict[str, float]] = {}
    for topic, grades in QRELS.items():
        judged[topic] = {"1": {}, "2": {}}
        for document, grade in grades.items():
            main, other = rng.permutation(["1", "2"]).tolist()
            judged[topic][main][document] = grade
            judged[topic][other][document] = int(rng.integers(0, grade + 1))
        first = round(float(rng.uniform(0.5, 0.8)), 2)
        likely[topic] = {"1": first, "2": round(1 - first, 2)}
    return judged, likely


BY_INTENT, LIKELY = _by_intent()


def _intent_lines(level: str = "") -> str:
    return "".join(
        f"{topic} {intent} {document} {level}{grade}\n"
        for topic, intents in BY_INTENT.items()
        for document in QRELS[topic]
        for intent, grade in ((intent, grades[document]) for intent, grades in intents.items())
    )


def _for_one_intent() -> dict[str, dict[str, dict[str, int]]]:
    """Each document judged only for the intent that it has the highest grade for."""
    judged: dict[str, dict[str, dict[str, int]]] = {topic: {"1": {}, "2": {}} for topic in TOPICS}
    for topic, grades in QRELS.items():
        for document, grade in grades.items():
            by_intent = {intent: BY_INTENT[topic][intent][document] for intent in judged[topic]}
            judged[topic][max(by_intent, key=by_intent.__getitem__)][document] = grade
    return judged


FOR_ONE_INTENT = _for_one_intent()
HEADER = "topic intent probability"


def _one_intent_lines() -> str:
    return "".join(
        f"{topic} {intent} {document} {grade}\n"
        for topic, intents in FOR_ONE_INTENT.items()
        for intent, grades in intents.items()
        for document, grade in grades.items()
    )


def _likely_lines(kinds: Mapping[str, str] | None = None) -> str:
    return "".join(
        f"{topic} {intent} {value:g}{f' {kinds[intent]}' if kinds else ''}\n"
        for topic, intents in LIKELY.items()
        for intent, value in intents.items()
    )


def _with_topics() -> str:
    return "".join(f"{topic} {line}\n" for topic in TOPICS for line in rel(topic).splitlines())


JUDGMENTS = (
    Judgments("TREC qrels", (("web.qrels", qrels_lines()),), "nDCG@5"),
    Judgments(
        "NTCIR rel files, one per topic", tuple((f"{topic}.rel", rel(topic)) for topic in TOPICS), "nDCG@5"
    ),
    Judgments("NTCIR qrels", (("www.qrels", _with_topics()),), "nDCG@5"),
    Judgments("TREC qrels by subtopic (diversity)", (("diversity.qrels", _intent_lines()),), "alpha-nDCG@5"),
    Judgments(
        "TREC qrels by subtopic, with probabilities",
        (("diversity.qrels", _intent_lines()), ("probabilities.txt", _likely_lines())),
        "D#-nDCG@5",
    ),
    Judgments(
        "TREC qrels by subtopic, each document for one of them, with probabilities",
        (("facets.qrels", _one_intent_lines()), ("facets.txt", f"{HEADER}\n{_likely_lines()}")),
        "D#-nDCG@5",
        FOR_ONE_INTENT,
    ),
    Judgments(
        "NTCIR Dqrels and Iprob (diversity)",
        (("test.Dqrels", _intent_lines("L")), ("test.Iprob", _likely_lines({"1": "inf", "2": "nav"}))),
        "D#-nDCG@5",
    ),
)


def read(one: Judgments) -> Track:
    """Read the files of a format with the drawn runs."""
    runs = [(f"{run}.run", run_lines(run).encode()) for run in RUNS]
    track = read_track(runs, [(file, content.encode()) for file, content in one.files])
    assert not track.errors
    return track


def matrix(one: Judgments, track: Track) -> ScoreMatrix:
    """The scores of the drawn runs."""
    (judged,) = track.judged
    return evaluate(judged, Request(measures=[one.measure])).matrices[0]
