"""Outputs of evaluation programs: information from lines and file names, several files together."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing import format_example_tables, format_examples
from tests.parsing.formats_drawn import RUNS, TOPICS
from tests.parsing.packed import zipped
from tests.refusals import unread
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, read_score_files, read_scores


def test_topics_are_separated_by_measures_if_lines_lack_topics() -> None:
    read = read_scores(" AP= 0.5\n RR= 1.0\n AP= 0.3\n RR= 0.2\n", "A.nev")
    assert [(one.measure, one.topics, one.scores.ravel().tolist()) for one in read.matrices] == [
        ("AP", ("1", "2"), [0.5, 0.3]),
        ("RR", ("1", "2"), [1.0, 0.2]),
    ]


def test_values_without_a_space_after_the_measure_are_read() -> None:
    # pyNTCIREVAL pads topic and measure together to 21 characters, and not at all beyond.
    content = "DS1-J-0001 MSnDCG@1000=0.5784\nDS1-J-0002 MSnDCG@1000=0.25\n"
    (matrix,) = read_scores(content, "A.nev").matrices
    assert (matrix.measure, matrix.scores.ravel().tolist()) == ("MSnDCG@1000", [0.5784, 0.25])


def test_intent_aware_measures_are_read_next_to_single_intent_scores(golden: SnapshotAssertion) -> None:
    # By NTCIREVAL's D-NTCIR-IAeval: topic, intent and its probability; then the sum of these and the measure.
    of_topic = "1 1 0.6 # syslen=10\n1 1 0.6 MSnDCG@0010=   0.3\n1 SUMp= 1.0000 IA-nERR@0010= {}\n"
    content = of_topic.format(0.25) + of_topic.replace("1 1", "2 1").replace("1 SUMp", "2 SUMp").format(0.5)
    read = read_scores(content, "A.l10.nevIA")
    (matrix,) = read.matrices
    assert (matrix.measure, matrix.topics, matrix.systems) == ("IA-nERR@10", ("1", "2"), ("A.l10",))
    assert matrix.scores.ravel().tolist() == [0.25, 0.5]
    assert " ".join(read.recognised) == golden


@pytest.mark.parametrize("n", [2, 20_000])
def test_a_sum_of_probabilities_occurs_once_per_line(n: int) -> None:
    with pytest.raises(ParseError, match="line 1"):
        read_scores("SUMp=1 " * n, "A.nevIA")


@pytest.mark.parametrize(
    ("names", "runs", "topics"),
    [
        (("1.A.nev", "1.B.nev", "2.A.nev", "2.B.nev"), ("A", "B"), ("1", "2")),
        (("A/1.nev", "B/1.nev", "A/2.nev", "B/2.nev"), ("A", "B"), ("1", "2")),
        (("1/1.A.test.nev", "1/1.B.test.nev", "2/2.A.test.nev", "2/2.B.test.nev"),
         ("A.test", "B.test"), ("1", "2")),
        (("A.1.nev", "B.1.nev", "A.2.nev", "B.2.nev"), ("A", "B"), ("1", "2")),
        (("MC-E-1.A.nev", "MC-E-1.B.nev", "MC-E-2.A.nev", "MC-E-2.B.nev"), ("A", "B"), ("MC-E-1", "MC-E-2")),
    ],
)  # fmt: skip
def test_topic_and_run_are_taken_from_file_names(
    names: tuple[str, ...], runs: tuple[str, ...], topics: tuple[str, ...]
) -> None:
    archive = zipped({name: f" AP= {place / 8}\n" for place, name in enumerate(names)})
    (matrix,) = read_scores(archive, "all.zip").matrices
    assert (matrix.systems, matrix.topics) == (runs, topics)
    assert matrix.scores.tolist() == [[0, 0.125], [0.25, 0.375]]


def test_risk_sensitive_gdeval_has_commas_in_its_runs(golden: SnapshotAssertion) -> None:
    gdeval = "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\n"
    read = read_scores(gdeval.replace("A,", "A (rel to. B, rs=1+a, a=1),"), "g.csv")
    assert read.matrices[0].systems == ("A (rel to. B, rs=1+a, a=1)",)
    assert " ".join(read.recognised) == golden


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("NERR8(max_rel=3)@10", "NearlyERR8(max_rel=3)@10"),
        ("NERR11(T=0.5,max_rel=3)", "NearlyERR11(T=0.5,max_rel=3)"),
        ("NERR10", "NERR10"),
        ("nERR@10", "nERR@10"),
        ("nerr10", "nERR@10"),
    ],
    ids=["8", "11", "10", "normalised", "normalised-short"],
)
def test_nearly_err_is_not_normalised_err(spelling: str, name: str, golden: SnapshotAssertion) -> None:
    content = f"1\t{spelling}\t0.5\n2\t{spelling}\t0.3\n1\tAP\t.1\n2\tAP\t.2\n"
    (picked,) = read_scores(content, "i.tsv", spelling).matrices
    read = read_scores(content, "i.tsv")
    assert [matrix.measure for matrix in read.matrices] == [picked.measure, "AP"] == [name, "AP"]
    assert " ".join(read.recognised) == golden


TREC_EVAL = "map\t1\t0.5\nrbp\t1\t0.4\nrbp_resid\t1\t0.1\nunj_5\t1\t0.2\nmap\t2\t0.3\nrbp\t2\t0.2\n"


def test_residuals_and_unjudged_documents_are_no_measures() -> None:
    read = read_scores(TREC_EVAL, "A.txt")
    assert [one.measure for one in read.matrices] == ["AP", "RBP"]
    assert "Left out (about judgments, not effectiveness): 'rbp_resid', 'unj_5'." in read.recognised


def test_z_scores_of_trec_eval_are_refused() -> None:
    """Lines of trec_eval 10's own test of -Z: out.test.aqZ."""
    lines = "Znum_ret\t301\t-1.8922\nZmap\t301\t-0.5933\nrelstring\t301\t'0000'\nZP_5\t301\t-1.2355\n"
    error = unread(read_scores, lines + lines.replace("301", "302"), "A.txt")
    assert error.line == 2
    assert "trec_eval -Z" in str(error)
    assert "call trec_eval -q without -Z" in str(error)


@pytest.mark.parametrize(
    ("file", "corner", "measure", "sentence"),
    [
        (
            "AH99-AP@20.csv",
            "AP",
            "AP@20",
            "The measure is AP@20, from the end of the file name 'AH99-AP@20.csv'; 'AP' is from the header of the "
            "first column, 'AP'.",
        ),
        ("a_ndcg@10.csv", "AP", "AP", "The measure is AP, from the header of the first column, 'AP'."),
        ("x.csv", "MQ07_AP", "AP", "The measure is AP, from the header of the first column, 'MQ07_AP'."),
    ],
    ids=["cutoff-in-the-file-name", "another-measure", "collection-and-measure"],
)
def test_measures_of_newbestsub_files(file: str, corner: str, measure: str, sentence: str) -> None:
    read = read_scores(f"{corner},10,11,12\none,.1,.2,.3\ntwo,.2,.2,.4\n", file)
    assert [(one.measure, one.systems) for one in read.matrices] == [(measure, ("one", "two"))]
    assert sentence in read.recognised


def test_outputs_of_several_programs_in_one_upload() -> None:
    files = [
        *((name, content.encode()) for name, content in format_examples.pyntcireval_all_topics().files),
        *(
            (name.replace("tsv", "txt"), text.encode())
            for name, text in format_examples.ir_measures_tsv().files
        ),
        *((name, content.encode()) for name, content in format_example_tables.ndeval().files),
        *((name, content.encode()) for name, content in format_example_tables.newbestsub().files),
        ("A.run", b"1 Q0 d 1 2 A\n"),
        ("bad.nev", b"1 # syslen=4\n1 AP= x\n"),
    ]
    read = read_score_files(files, Choices(repeats="average"))
    assert [error.file for error in read.errors] == ["A.run", "bad.nev"]
    by_measure = {(matrix.measure, matrix.name): matrix for matrix in read.matrices}
    # Both programs score AP of the same runs: 0.5e-4 is what printing four digits rounds away.
    (both,) = (
        matrix for (measure, name), matrix in by_measure.items() if measure == "AP" and name != "AH99_ap"
    )
    assert (both.topics, both.systems) == (TOPICS, RUNS)
    expected = format_examples.ir_measures_tsv().scores["AP"]
    assert both.scores == pytest.approx(np.array(expected), rel=0, abs=0.5e-4 * (1 + 1e-9))
    ours = {measure for measure, _ in by_measure}
    assert {
        "MSnDCG@5",
        "original nDCG@5",
        "nDCG@10",
        "recall@5",
        "alpha-nDCG@5",
        "nERR-IA@5",
        "nERR@5",
    } <= ours
