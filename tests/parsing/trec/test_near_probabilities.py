"""Probabilities of intents below a header, in UTF-16, in per cent, or other files: read or refused."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refusals
from topicset_core.parsing.trec.qrels import read_collections

LIKELY = "401 1 0.75\n401 2 0.25\n402 1 0.5\n402 2 0.5\n"
BY_TOPIC = {"401": {"1": 0.75, "2": 0.25}, "402": {"1": 0.5, "2": 0.5}}


@pytest.mark.parametrize(
    "content",
    [
        LIKELY,
        LIKELY.encode("utf-16"),
        "\ufeff" + LIKELY.replace("\n", "\r\n"),
        LIKELY.replace("\n", "\r"),
        "topic intent probability\n" + LIKELY,
        "\ufeffTopic_ID\tSubtopic\tP\r\n" + LIKELY.replace(" ", "\t").replace("\n", "\r\n"),
        "# of 2012\n\nqid intent prob type\n" + LIKELY.replace("\n", " inf\n"),
        "query intent weight\n" + LIKELY + "403 1 1\n403 2 0\n",
    ],
)
def test_probabilities_are_read(content: str | bytes) -> None:
    read = read_collections([("p.txt", content if isinstance(content, bytes) else content.encode())])
    assert read.errors == ()
    (result,) = read.probabilities
    assert {topic: of for topic, of in result.by_topic.items() if topic != "403"} == BY_TOPIC


BAD: dict[str, tuple[str, int | None]] = {
    "per-cent-signs": (LIKELY.replace("0.75", "75%").replace("0.25", "25%"), 1),
    "per-cents-with-decimals": (LIKELY.replace("0.75", "74.5").replace("0.25", "25.5"), 1),
    "whole-per-cents": ("401 1 75\n401 2 25\n402 1 50\n402 2 50\n", 1),
    "per-cents-below-header": ("topic intent probability\n401 1 75\n401 2 25\n", 2),
    "decimal-commas": (LIKELY.replace("0.", "0,"), 1),
    "below-0": (LIKELY.replace("0.75", "-0.75"), 1),
    "above-100": (LIKELY.replace("0.75", "750.0"), 1),
    "header-at-the-end": (LIKELY + "topic intent probability\n", 5),
    "header-alone": ("topic intent probability\n", None),
}


def test_near_probabilities_are_refused(golden: SnapshotAssertion) -> None:
    def read(content: str) -> None:
        (error,) = read_collections([("p.txt", content.encode())]).errors
        raise error

    assert refusals(read, BAD, "p.txt") == golden


@pytest.mark.parametrize(
    "line",
    ["map 401 0.5", "map all 0.5", "runid all A", "401 AP 0.5", "401 nDCG@10 0.5", "P_10 401 0.5"],
    ids=["map", "map-of-all", "runid", "ap-behind", "ndcg-behind", "p-10"],
)
def test_scores_are_not_accepted_as_probabilities(line: str, golden: SnapshotAssertion) -> None:
    read = read_collections([("A.eval", f"{line}\nmap 402 0.5\n".encode())])
    assert read.probabilities == ()
    (error,) = read.errors
    assert str(error) == golden


@pytest.mark.parametrize("names", [("P1", "R2"), ("q10", "2"), ("401", "p3")])
def test_topics_and_intents_may_have_names_like_measures_with_cutoffs(names: tuple[str, str]) -> None:
    read = read_collections([("p.txt", f"{' '.join(names)} 1.0\n".encode())])
    assert read.errors == ()
    assert len(read.probabilities) == 1


def test_judgments_without_a_column_are_not_read_as_per_cents(golden: SnapshotAssertion) -> None:
    read = read_collections([("q.txt", b"401 d1 1\n401 d2 0\n")])
    (error,) = read.errors
    assert (error.file, error.line) == ("q.txt", 1)
    assert str(error) == golden
