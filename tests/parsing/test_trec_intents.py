"""Judgments by intent and probabilities of intents: what is recognised, and what is refused and why."""

# ruff: noqa: E501 - rows of tables
import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicset_core.collection import Qrels
from topicset_core.errors import ParseError
from topicset_core.parsing.intent_probabilities import read_probabilities, weighted
from topicset_core.parsing.trec_intents import RECOGNISED, RECOGNISED_BY_LEVELS
from topicset_core.parsing.trec_lines import BLOCK
from topicset_core.parsing.trec_qrels import read_collections, read_qrels

# As in TREC's web tracks: subtopic 1 is that of the description; spam is -2 for all subtopics.
WEB = b"1 1 a 1\n1 2 a 2\n1 1 b 0\n1 2 b 1\n1 1 s -2\n1 2 s -2\n2 1 a 3\n2 2 a 0\n"
BY_INTENT = {"1": {"1": {"a": 1}, "2": {"a": 2, "b": 1}}, "2": {"1": {"a": 3}}}
LIKELY = b"1 1 0.75\n1 2 0.25\n2 1 1\n"


def by_intent(qrels: Qrels) -> dict[str, dict[str, dict[str, int]]]:
    """Grades above 0 by topic, intent and document."""
    intents = qrels.intents
    assert intents is not None
    found: dict[str, dict[str, dict[str, int]]] = {
        topic: {name: {} for name in intents.of_topic(row)} for row, topic in enumerate(qrels.topics)
    }
    for judgment, intent, grade in zip(
        intents.judgments.tolist(), intents.intents.tolist(), intents.grades.tolist(), strict=True
    ):
        topic = qrels.topics[qrels.topic_of[judgment]]
        found[topic][intents.names[intent]][qrels.documents[judgment].decode()] = grade
    return found


def highest(qrels: Qrels) -> dict[tuple[str, str], int]:
    documents = [document.decode() for document in qrels.documents.tolist()]
    topics = [qrels.topics[row] for row in qrels.topic_of.tolist()]
    return dict(zip(zip(topics, documents, strict=True), qrels.grades.tolist(), strict=True))


# fmt: off
GOOD: list[tuple[bytes, dict[str, dict[str, dict[str, int]]], str]] = [
    (WEB, BY_INTENT, RECOGNISED),
    (WEB, BY_INTENT, "Intents with a relevant document: 1 to 2 a topic, 3 in all; all of a topic equally likely. "
                     "Measures that do not know intents take the highest grade of a document."),
    (WEB, BY_INTENT, "No document is relevant to 1 more intent, which are not counted."),
    (WEB, BY_INTENT, "Judgments 'q': 2 topics, 4 judgments. Grades and how often each is given: -2 (1), 1 (1), 2 (1), 3 (1)."),
    (gzip.compress(WEB.replace(b"\n", b"\r\n").replace(b" ", b"\t")), BY_INTENT, ""),
    (b"# by intent\n\n" + WEB, BY_INTENT, "1 line starting with # passed over."),
    # NTCIR's Dqrels have levels; intents of any name; in the order of numbers, and of names behind them.
    (b"1 10 a L1\n1 9 a L2\n1 x a L3\n1 b a L0\n", {"1": {"9": {"a": 2}, "10": {"a": 1}, "x": {"a": 3}}}, "Grades are NTCIR's levels: L2 is 2."),
    # Then no document need have several lines.
    (b"1 1 a L1\n1 2 b L2\n", {"1": {"1": {"a": 1}, "2": {"b": 2}}}, RECOGNISED_BY_LEVELS),
    (b"1 01 a 1\n1 2 a 1\n1 1 b 1\n", {"1": {"1": {"a": 1, "b": 1}, "2": {"a": 1}}}, ""),
    (b"1 1 a 1\n1 2 a 1\n1 2 a 01\n1 02 a +1\n", {"1": {"1": {"a": 1}, "2": {"a": 1}}}, "2 lines are repeated for an intent with the same grade; each counts once."),
    # Lines of a document and of a topic need not stand together.
    (b"2 1 z 1\n1 1 a 1\n1 1 b 2\n2 1 y 0\n1 2 a 1\n2 2 z 3\n", {"2": {"1": {"z": 1}, "2": {"z": 3}}, "1": {"1": {"a": 1, "b": 2}, "2": {"a": 1}}}, ""),
    (b"1 1 a 0\n1 2 a 0\n", {"1": {}}, "No document is relevant to any intent."),
]
BAD: list[tuple[bytes, str]] = [
    (WEB + b"1 2 a 1\n", "q, line 9: expected one grade for each document and intent, found 1 for 'a' and intent '2' of topic '1', which has the grade 2 on line 2"),
    (b"\n" + WEB + b"# x\n1 02 b 2\n", "q, line 11: expected one grade for each document and intent, found 2 for 'b' and intent '2' of topic '1', which has the grade 1 on line 5"),
    (WEB + b"1 3 a x\n", "q, line 9: topic '1', document 'a': expected a whole number as grade, found 'x'"),
    (WEB + b"1 3 a\n", "q, line 9: expected relevance judgments, which have 4 columns (topic, iteration, document, grade), found 3 columns; "
                       "three are read below BEIR's header only: query-id, corpus-id, score; or, with fractions such as 0.25 behind, as probabilities of intents: topic, intent, probability"),
]
THREE = "expected probabilities of intents, which have 3 columns (topic, intent, probability), perhaps inf or nav behind, found"
BAD_PROBABILITIES: list[tuple[bytes, str]] = [
    (b"1 1 0.5\n1 2 0.4\n2 1 1\n", "p, line 2: expected probabilities that add up to 1 within 0.01, those of topic '1' add up to 0.9"),
    (b"1 1 0.5\n2 1 1\n1 2 0.52\n", "p, line 3: expected probabilities that add up to 1 within 0.01, those of topic '1' add up to 1.02"),
    (LIKELY + b"3 1 1.5\n", "p, line 4: topic '3', intent '1': expected a probability from 0 to 1, found '1.5'; if these are per cents, write 1.5 as 0.015"),
    (LIKELY + b"3 1 -.5\n", "p, line 4: topic '3', intent '1': expected a probability from 0 to 1, found '-.5'"),
    (LIKELY + b"3 1 nan\n", "p, line 4: topic '3', intent '1': expected a probability from 0 to 1, found 'nan'"),
    (LIKELY + b"1 01 0.75\n", "p, line 4: expected each intent once, found '1' of topic '1' again"),
    (LIKELY + b"3 1\n", f"p, line 4: {THREE} 2 columns"),
    (LIKELY + b"3 1 1 new\n", f"p, line 4: {THREE} 4 columns"),
    (LIKELY + b"3 1 \xe9\n", "p, line 4: expected UTF-8 text, found the byte 0xE9 that does not belong there; save all runs and judgments as UTF-8, so that the same ids are the same bytes"),
    (b"# x\n", f"p: {THREE} no line of them"),
]
# fmt: on


@pytest.mark.parametrize(("content", "expected", "said"), GOOD, ids=range(len(GOOD)))
def test_good_judgments(content: bytes, expected: dict[str, dict[str, dict[str, int]]], said: str) -> None:
    read = read_qrels("q", content)
    assert by_intent(read.qrels) == expected
    assert [list(found) for found in by_intent(read.qrels).values()] == [list(e) for e in expected.values()]
    assert list(read.qrels.topics) == list(expected)
    assert not said or said in read.said


def test_documents_have_their_highest_grade() -> None:
    assert highest(read_qrels("q", WEB).qrels) == {
        ("1", "a"): 2,
        ("1", "b"): 1,
        ("1", "s"): -2,
        ("2", "a"): 3,
    }


@pytest.mark.parametrize(("content", "said"), BAD, ids=range(len(BAD)))
def test_bad_judgments_are_refused_and_said_why(content: bytes, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_qrels("q", content)
    assert str(caught.value) == said


def test_plain_judgments_have_no_intents() -> None:
    """Also where the second column differs, as rounds do in TREC-COVID, and where a line is there twice."""
    for content in (b"1 0 a 1\n1 0 b 0\n", b"1 0.5 a 1\n1 1 b 0\n1 1.5 c 1\n", b"1 0 a 1\n1 0 a 1\n"):
        assert read_qrels("q", content).qrels.intents is None


def test_large_judgments_across_blocks() -> None:
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
    st.randoms(use_true_random=False),
)
def test_what_was_written_is_read(grades: dict[tuple[str, str, str], int], random) -> None:  # type: ignore[no-untyped-def]
    lines = [f"{topic} {intent} {document} {grade}\n" for (topic, intent, document), grade in grades.items()]
    random.shuffle(lines)
    by_document: dict[tuple[str, str], list[int]] = {}
    for (topic, _, document), grade in grades.items():
        by_document.setdefault((topic, document), []).append(grade)
    qrels = read_qrels("q", "".join(lines).encode()).qrels
    assert highest(qrels) == {key: max(found) for key, found in by_document.items()}
    if all(len(found) == 1 for found in by_document.values()):
        assert qrels.intents is None
        return
    expected: dict[str, dict[str, dict[str, int]]] = {}
    for (topic, intent, document), grade in grades.items():
        if grade > 0:
            expected.setdefault(topic, {}).setdefault(intent, {})[document] = grade
    assert {topic: found for topic, found in by_intent(qrels).items() if found} == expected


@pytest.mark.parametrize(
    "content",
    [LIKELY, LIKELY.replace(b" ", b"\t") + b"\n# x\n", b"1 1 .75 inf\n1 2 .25 nav\n2 01 1. inf\n", b"1 1 7.5e-1\n1 2 0.25\n2 1 1\n"],
)  # fmt: skip
def test_probabilities_are_read(content: bytes) -> None:
    read = read_probabilities("p", content)
    assert read.by_topic == {"1": {"1": 0.75, "2": 0.25}, "2": {"1": 1.0}}
    comments = " 1 line starting with # passed over." if b"#" in content else ""
    assert (
        read.said
        == f"Probabilities of 3 intents of 2 topics: lines of topic, intent and probability.{comments}"
    )
    found = read_collections([("p", content), ("q", WEB)])
    assert (len(found.found), len(found.probabilities), found.errors) == (1, 1, ())


def test_long_files_of_probabilities_are_told_by_the_whole_lines_of_their_beginning() -> None:
    """Wherever the look at the beginning ends, among topics of four digits it cuts lines that are none."""
    for start in (1000, 10_000):
        content = "".join(f"{start + topic} 1 1.0\n" for topic in range(1000)).encode()
        found = read_collections([("p", content)])
        assert (len(found.probabilities), found.errors) == (1, ())


def test_thirds_to_two_decimals_add_up() -> None:
    read = read_probabilities("p", b"1 1 .33\n1 2 .33\n1 3 .33\n")
    assert sum(read.by_topic["1"].values()) == pytest.approx(0.99)


@pytest.mark.parametrize(("content", "said"), BAD_PROBABILITIES, ids=range(len(BAD_PROBABILITIES)))
def test_bad_probabilities_are_refused_and_said_why(content: bytes, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_probabilities("p", content)
    assert str(caught.value) == said


def test_intents_take_their_probabilities() -> None:
    qrels = weighted(read_qrels("q", WEB).qrels, read_probabilities("p", LIKELY))
    assert qrels.intents is not None
    assert qrels.intents.probabilities is not None
    assert qrels.intents.probabilities.tolist() == [0.75, 0.25, 1.0]
    assert qrels.intents.source == "p"


def test_probabilities_that_do_not_fit_the_judgments_are_refused() -> None:
    with pytest.raises(
        ParseError, match="p: expected judgments by intent of its topics, found 'q' without intents"
    ):
        weighted(read_qrels("q", b"1 0 a 1\n").qrels, read_probabilities("p", LIKELY))
    with pytest.raises(ParseError, match="found none for intent '2' of topic '1' in 'q'"):
        weighted(read_qrels("q", WEB).qrels, read_probabilities("p", b"1 1 1.0\n2 1 1\n"))
