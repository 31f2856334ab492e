"""Judgments by intent and probabilities of intents: accepted files, and refusals with reasons."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.parsing.trec.test_qrels import BLOCK
from tests.refusals import notes, refusals, unread
from tests.words import numbers_in
from topicset_core.collection import Qrels
from topicset_core.parsing.trec import lines as trec_lines
from topicset_core.parsing.trec.intents import read_probabilities, weighted
from topicset_core.parsing.trec.qrels import read_collections, read_qrels

# As in TREC's web tracks: subtopic 1 is that of the description; spam is -2 for all subtopics.
WEB = b"1 1 a 1\n1 2 a 2\n1 1 b 0\n1 2 b 1\n1 1 s -2\n1 2 s -2\n2 1 a 3\n2 2 a 0\n"
BY_INTENT = {"1": {"1": {"a": 1}, "2": {"a": 2, "b": 1}}, "2": {"1": {"a": 3}}}
LIKELY = b"1 1 0.75\n1 2 0.25\n2 1 1\n"


def by_intent(qrels: Qrels) -> dict[str, dict[str, dict[str, int]]]:
    """Grades above 0 by topic, intent and document."""
    intents = qrels.intents
    assert intents is not None
    result: dict[str, dict[str, dict[str, int]]] = {
        topic: {name: {} for name in intents.of_topic(row)} for row, topic in enumerate(qrels.topics)
    }
    for judgment, intent, grade in zip(
        intents.judgments.tolist(), intents.intents.tolist(), intents.grades.tolist(), strict=True
    ):
        topic = qrels.topics[qrels.topic_of[judgment]]
        result[topic][intents.names[intent]][qrels.documents[judgment].decode()] = grade
    return result


def highest(qrels: Qrels) -> dict[tuple[str, str], int]:
    documents = [document.decode() for document in qrels.documents.tolist()]
    topics = [qrels.topics[row] for row in qrels.topic_of.tolist()]
    return dict(zip(zip(topics, documents, strict=True), qrels.grades.tolist(), strict=True))


GOOD: dict[str, tuple[bytes, dict[str, dict[str, dict[str, int]]]]] = {
    "web": (WEB, BY_INTENT),
    "gz-tabs": (gzip.compress(WEB.replace(b"\n", b"\r\n").replace(b" ", b"\t")), BY_INTENT),
    "comment": (b"# by intent\n\n" + WEB, BY_INTENT),
    # NTCIR's Dqrels have levels; intents of any name; in the order of numbers, and of names behind them.
    "levels": (
        b"1 10 a L1\n1 9 a L2\n1 x a L3\n1 b a L0\n",
        {"1": {"9": {"a": 2}, "10": {"a": 1}, "x": {"a": 3}}},
    ),
    # Then no document need have several lines.
    "levels-of-one-line-each": (b"1 1 a L1\n1 2 b L2\n", {"1": {"1": {"a": 1}, "2": {"b": 2}}}),
    "leading-zeros": (b"1 01 a 1\n1 2 a 1\n1 1 b 1\n", {"1": {"1": {"a": 1, "b": 1}, "2": {"a": 1}}}),
    "repeated": (b"1 1 a 1\n1 2 a 1\n1 2 a 01\n1 02 a +1\n", {"1": {"1": {"a": 1}, "2": {"a": 1}}}),
    # Lines of a document and of a topic need not be contiguous.
    "scattered": (
        b"2 1 z 1\n1 1 a 1\n1 1 b 2\n2 1 y 0\n1 2 a 1\n2 2 z 3\n",
        {"2": {"1": {"z": 1}, "2": {"z": 3}}, "1": {"1": {"a": 1, "b": 2}, "2": {"a": 1}}},
    ),
    "nothing-relevant": (b"1 1 a 0\n1 2 a 0\n", {"1": {}}),
}
BAD: dict[str, tuple[bytes, int | None]] = {
    "two-grades": (WEB + b"1 2 a 1\n", 9),
    "two-grades-leading-zero": (b"\n" + WEB + b"# x\n1 02 b 2\n", 11),
    "no-number": (WEB + b"1 3 a x\n", 9),
    "cell-short": (WEB + b"1 3 a\n", 9),
}
BAD_PROBABILITIES: dict[str, tuple[bytes, int | None]] = {
    "below-1-together": (b"1 1 0.5\n1 2 0.4\n2 1 1\n", 2),
    "above-1-together": (b"1 1 0.5\n2 1 1\n1 2 0.52\n", 3),
    "above-1": (LIKELY + b"3 1 1.5\n", 4),
    "below-0": (LIKELY + b"3 1 -.5\n", 4),
    "nan": (LIKELY + b"3 1 nan\n", 4),
    "intent-twice": (LIKELY + b"1 01 0.75\n", 4),
    "cell-short": (LIKELY + b"3 1\n", 4),
    "other-word": (LIKELY + b"3 1 1 new\n", 4),
    "no-utf-8": (LIKELY + b"3 1 \xe9\n", 4),
    "comment-alone": (b"# x\n", None),
}


@pytest.mark.parametrize(("content", "expected"), GOOD.values(), ids=GOOD)
def test_good_judgments(content: bytes, expected: dict[str, dict[str, dict[str, int]]]) -> None:
    read = read_qrels("q", content)
    assert by_intent(read.qrels) == expected
    assert [list(result) for result in by_intent(read.qrels).values()] == [list(e) for e in expected.values()]
    assert list(read.qrels.topics) == list(expected)


def test_notes_on_good_judgments(golden: SnapshotAssertion) -> None:
    assert notes({name: read_qrels("q", content).notes for name, (content, _) in GOOD.items()}) == golden


def test_documents_have_their_highest_grade() -> None:
    assert highest(read_qrels("q", WEB).qrels) == {
        ("1", "a"): 2,
        ("1", "b"): 1,
        ("1", "s"): -2,
        ("2", "a"): 3,
    }


def test_assessors_are_not_taken_for_intents() -> None:
    """trec_eval's qrels_jg: topic, judgment group, document and grade."""
    assert "'ben', 'anna'; if these are assessors (qrels_jg of trec_eval)" in str(
        unread(read_qrels, "q", b"1 anna a 1\n1 ben a 0\n1 anna b 1\n")
    )
    numbered = read_qrels("q", b"1 1 a 1\n1 2 a 0\n").notes  # nothing tells these from intents
    assert any("give each a file of its own" in note for note in numbered)


def test_bad_judgments_are_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_qrels("q", content), BAD, "q") == golden


def test_plain_judgments_have_no_intents() -> None:
    """Also where the second column differs, as rounds do in TREC-COVID, and where a line is there twice."""
    for content in (b"1 0 a 1\n1 0 b 0\n", b"1 0.5 a 1\n1 1 b 0\n1 1.5 c 1\n", b"1 0 a 1\n1 0 a 1\n"):
        assert read_qrels("q", content).qrels.intents is None


def test_large_judgments_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_lines, "BLOCK", BLOCK)
    rows = [(row % 5, row // 5 % 4, row // 20, row % 3) for row in range(3 * BLOCK // 12)]
    content = "".join(f"t{topic} {intent} d{document} {grade}\n" for topic, intent, document, grade in rows)
    expected: dict[str, dict[str, dict[str, int]]] = {f"t{topic}": {} for topic in range(5)}
    for topic, intent, document, grade in sorted(rows, key=lambda row: row[1]):
        if grade:
            expected[f"t{topic}"].setdefault(str(intent), {})[f"d{document}"] = grade
    qrels = read_qrels("q", content.encode()).qrels
    assert by_intent(qrels) == expected
    assert qrels.documents.size == len({(row[0], row[2]) for row in rows})


@given(
    st.dictionaries(
        st.tuples(
            st.sampled_from("12"), st.sampled_from(["1", "2", "10"]), st.sampled_from(["a", "bb", "c"])
        ),
        st.integers(-1, 3),
        min_size=1,
    ),
    st.integers(0, 999),
)
def test_written_judgments_are_read_back(grades: dict[tuple[str, str, str], int], seed: int) -> None:
    lines = [f"{topic} {intent} {document} {grade}\n" for (topic, intent, document), grade in grades.items()]
    np.random.default_rng(seed).shuffle(lines)
    by_document: dict[tuple[str, str], list[int]] = {}
    for (topic, _, document), grade in grades.items():
        by_document.setdefault((topic, document), []).append(grade)
    qrels = read_qrels("q", "".join(lines).encode()).qrels
    assert highest(qrels) == {key: max(result) for key, result in by_document.items()}
    if all(len(result) == 1 for result in by_document.values()):
        assert qrels.intents is None
        return
    expected: dict[str, dict[str, dict[str, int]]] = {}
    for (topic, intent, document), grade in grades.items():
        if grade > 0:
            expected.setdefault(topic, {}).setdefault(intent, {})[document] = grade
    assert {topic: result for topic, result in by_intent(qrels).items() if result} == expected


@pytest.mark.parametrize(
    "content",
    [
        LIKELY,
        LIKELY.replace(b" ", b"\t") + b"\n# x\n",
        b"1 1 .75 inf\n1 2 .25 nav\n2 01 1. inf\n",
        b"1 1 7.5e-1\n1 2 0.25\n2 1 1\n",
    ],
    ids=["plain", "tabs-and-comment", "kinds", "exponent"],
)
def test_probabilities_are_read(content: bytes, golden: SnapshotAssertion) -> None:
    read = read_probabilities("p", content)
    assert read.by_topic == {"1": {"1": 0.75, "2": 0.25}, "2": {"1": 1.0}}
    # Intents, topics, comments.
    assert numbers_in(read.notes) == [3, 2, *([1] if b"#" in content else [])]
    assert read.notes == golden
    result = read_collections([("p", content), ("q", WEB)])
    assert (len(result.items), len(result.probabilities), result.errors) == (1, 1, ())


def test_long_files_of_probabilities_are_recognised_by_their_first_lines() -> None:
    """Wherever the look at the beginning ends, among topics of four digits it cuts invalid lines."""
    for start in (1000, 10_000):
        content = "".join(f"{start + topic} 1 1.0\n" for topic in range(1000)).encode()
        result = read_collections([("p", content)])
        assert (len(result.probabilities), result.errors) == (1, ())


def test_thirds_to_two_decimals_add_up() -> None:
    read = read_probabilities("p", b"1 1 .33\n1 2 .33\n1 3 .33\n")
    assert sum(read.by_topic["1"].values()) == pytest.approx(0.99)


def test_bad_probabilities_are_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    assert refusals(lambda content: read_probabilities("p", content), BAD_PROBABILITIES, "p") == golden


def test_intents_take_their_probabilities() -> None:
    qrels = weighted(read_qrels("q", WEB).qrels, read_probabilities("p", LIKELY))
    assert qrels.intents is not None
    assert qrels.intents.probabilities is not None
    assert qrels.intents.probabilities.tolist() == [0.75, 0.25, 1.0]
    assert qrels.intents.source == "p"


@pytest.mark.parametrize(
    ("judgments", "likely"),
    [
        pytest.param(b"1 0 a 1\n", LIKELY, id="no-intents"),
        pytest.param(WEB, b"1 1 1.0\n2 1 1\n", id="intent-without-probability"),
    ],
)
def test_probabilities_that_do_not_fit_the_judgments_are_refused(
    judgments: bytes, likely: bytes, golden: SnapshotAssertion
) -> None:
    error = unread(weighted, read_qrels("q", judgments).qrels, read_probabilities("p", likely))
    assert error.file == "p"
    assert str(error) == golden
