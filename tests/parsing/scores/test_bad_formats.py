"""Outputs of evaluation programs with errors: refused at its line; the golden record contains the messages."""

from functools import partial

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.refusals import refusals
from topicset_core.parsing import Choices, MissingScores, RepeatedScores, read_scores

ONE = "1 # syslen=4 jrel=3 jnonrel=1\n1 # r1=2 rp=2\n1 AP=  0.5\n1 nERR@0010=  0.25\n"
TWO = ONE.replace("1 #", "2 #").replace("1 AP", "2 AP").replace("1 nERR", "2 nERR")
GDEVAL = "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\n"
RECORD = '{"query_id": "%s", "measure": "AP", "value": %s}\n'

BAD: dict[str, tuple[str, str, int | None]] = {
    # NTCIREVAL.
    "nev-no-equals": ("A.nev", ONE + "2 AP 0.3\n", 5),
    "nev-no-value": ("A.nev", ONE + "2 AP= \n", 5),
    "nev-two-values": ("A.nev", ONE + "2 AP= 0.3 0.4\n", 5),
    "nev-text": ("A.nev", ONE + "2 AP= x\n", 5),
    "nev-nan": ("A.nev", ONE + "2 AP= -nan\n", 5),
    "nev-line-without-topic": ("A.nev", ONE + " AP= 0.3\n", 5),
    "nev-line-with-topic": ("A.nev", ONE.replace("1 ", " ") + "2 AP= 0.3\n", 5),
    "nev-two-words-before": ("A.nev", ONE + TWO.replace("2 ", "2 A ", 1), 5),
    "nev-topic-again": ("A.nev", ONE + TWO + ONE, 9),
    "nev-one-topic": ("A.nev", ONE, None),
    "nev-single-intents": ("A.nevIA", "1 1 0.5 # syslen=4\n1 1 0.5 AP= 0.3\n1 2 0.5 AP= 0.3\n", None),
    # The web track.
    "gdeval-other-depths": ("g.csv", GDEVAL + GDEVAL.replace("@20", "@10"), 5),
    "gdeval-cell-short": ("g.csv", GDEVAL + "B,1,.5\n", 5),
    "gdeval-cell-too-many": ("g.csv", GDEVAL + "B,1,.5,.6,.7\n", 5),
    "gdeval-means-alone": ("g.csv", "runid,topic,ndcg@20,err@20\nA,amean,.4,.1\n", None),
    "gdeval-header-alone": ("g.csv", "runid,topic,ndcg@20,err@20\n", 1),
    # ir_measures.
    "ir-measures-means-alone": ("i.tsv", "all\tAP\t0.3\nall\tRR\t0.5\n", None),
    "ir-measures-text": ("i.tsv", "1\tAP\t0.3\n2\tAP\tx\n3\tAP\t.5\n", 2),
    "ir-measures-cell-short": ("i.tsv", "1\tAP\t0.3\n2\tAP\n3\tAP\t.5\n", 2),
    "ir-measures-json-text": ("i.jsonl", RECORD % (1, 0.5) + RECORD % (2, '"x"'), 2),
    "ir-measures-json-means-alone": ("i.jsonl", RECORD % ("all", 0.5), None),
    "ir-measures-json-no-topic": ("i.jsonl", '{"measure": "AP", "value": 0.5}\n', 1),
    # NewBestSub: its results are no scores, and it allows no gaps.
    "newbestsub-variances": ("x-Var.csv", "10000\n11000\n", 1),
    "newbestsub-solutions": (
        "x-Top-10-Solutions.csv",
        "Cardinality,Correlation,Topics\n1,0.8,t1\n2,0.9,t1;t2\n",
        1,
    ),
    # Judgments of NTCIR where scores belong.
    "ntcir-qrels": ("w.qrels", "1 d1 L3\n1 d2 L0\n", 1),
    "ntcir-dqrels": ("w.Dqrels", "1 0 d1 L3\n1 2 d2 L0\n", 1),
}


def test_a_file_of_a_bad_format_is_refused_with_a_reason(golden: SnapshotAssertion) -> None:
    messages = []
    for name, (file, content, line) in BAD.items():
        read = partial(read_scores, file=file)
        messages.append(refusals(read, {name: (content, line)}, file))
    assert "\n".join(messages) == golden


def test_a_topic_whose_scores_pyntcireval_never_wrote_is_missing_and_may_count_as_0(
    golden: SnapshotAssertion,
) -> None:
    """By hand: with no relevant document found it stops after its first line, with a TypeError."""
    content = ONE + "2 # syslen=4 jrel=3 jnonrel=1\n" + TWO.replace("2 ", "3 ")
    with pytest.raises(MissingScores) as caught:
        read_scores(content, "A.nev", "AP")
    assert (caught.value.line, caught.value.n_cells) == (5, 1)
    read = read_scores(content, "A.nev", "AP", Choices(missing="zero"))
    assert read.matrices[0].scores.tolist() == [[0.5], [0.0], [0.5]]
    assert " ".join(read.recognised) == golden


def test_a_measure_given_twice_per_topic_is_a_repeat(golden: SnapshotAssertion) -> None:
    with pytest.raises(RepeatedScores) as caught:
        read_scores(ONE + TWO + "1 AP= 0.5\n", "A.nev")
    assert (caught.value.line, caught.value.cells, caught.value.n_cells) == (9, (("1", "A"),), 1)
    assert str(caught.value) == golden
