"""Several files at once: joined, named, and one that cannot be read does not lose the others."""

import numpy as np
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import TABLE, trec_eval_output, workbook, zipped
from topicset_core.parsing import Choices, read_score_files
from topicset_core.parsing.choices import MissingScores, RepeatedScores

WIDE = b"topic,A,B\n1,0.5,0.2\n2,0.3,0.1\n"
A, B, C = (
    (f"{run}.txt", trec_eval_output(run, *scores, measures=["map"]).encode())
    for run, scores in (("A", (0.1, 0.2, 0.6)), ("B", (0.3, 0.5, 0.4)), ("C", (0.2, 0.9)))
)


def test_runs_are_joined_at_the_place_of_the_first(golden: SnapshotAssertion) -> None:
    read = read_score_files([("w1.csv", WIDE), A, ("w2.csv", WIDE), B])
    assert not read.errors
    assert [read.matrices[place].name for place in (0, 2)] == ["w1", "w2"]
    assert read.files == (("w1.csv",), ("A.txt", "B.txt"), ("w2.csv",))
    joined = read.matrices[1]
    assert (joined.topics, joined.systems, joined.measure) == (("301", "302", "303"), ("A", "B"), "AP")
    assert joined.scores.tolist() == [[0.1, 0.3], [0.2, 0.5], [0.6, 0.4]]
    assert " ".join((joined.name, *read.notes[1])) == golden
    assert " ".join(read.notes[0]) == golden


def test_an_unreadable_file_does_not_lose_the_others(golden: SnapshotAssertion) -> None:
    read = read_score_files(
        [A, ("bad.txt", b"map 301 0.5\nmap 302 x"), B, ("p.pdf", b"%PDF-"), ("w.csv", WIDE)]
    )
    assert read.files == (("A.txt", "B.txt"), ("w.csv",))
    assert [(error.file, error.line) for error in read.errors] == [("bad.txt", 2), ("p.pdf", None)]
    assert "\n".join(map(str, read.errors)) == golden


def test_unreadable_sheets_and_members_do_not_lose_the_others() -> None:
    book = workbook({"Notes": [["see the paper"], ["of 2016"]], "AP": TABLE})
    archive = zipped({"w.csv": WIDE, "bad.csv": b"topic,A\n1,x\n2,1"})
    read = read_score_files([("w.xlsx", book), ("z.zip", archive)])
    assert [(matrix.name, matrix.measure) for matrix in read.matrices] == [("w", "AP"), ("w", "score")]
    of_sheet, of_member = read.errors
    assert of_sheet.file.startswith("w.xlsx")
    assert repr("Notes") in of_sheet.file
    assert of_member.file == "z.zip/bad.csv"


def test_absent_topics_of_a_run_are_missing_scores() -> None:
    read = read_score_files([A, B, C, ("w.csv", WIDE)])
    (error,) = read.errors
    assert isinstance(error, MissingScores)
    assert error.file == "A.txt, B.txt, C.txt"
    assert error.cells == (("303", "C"),)
    assert [matrix.name for matrix in read.matrices] == ["w"]
    zeros = read_score_files([A, B, C], Choices(missing="zero"))
    assert zeros.matrices[0].scores.tolist() == [[0.1, 0.3, 0.2], [0.2, 0.5, 0.9], [0.6, 0.4, 0]]


def test_the_same_file_twice_repeats_its_scores(golden: SnapshotAssertion) -> None:
    read = read_score_files([A, A])
    (error,) = read.errors
    assert isinstance(error, RepeatedScores)
    assert str(error) == golden
    averaged = read_score_files([A, A], Choices(repeats="average"))
    assert averaged.matrices[0].scores.tolist() == [[0.1], [0.2], [0.6]]


def test_measures_that_only_some_runs_have_make_matrices_of_these_runs() -> None:
    files = [
        ("A.csv", b"topic,map,ndcg\n1,0.1,0.2\n2,0.3,0.4\n"),
        ("B.csv", b"topic,map,err@20\n1,0.5,0.6\n2,0.7,0.8\n"),
    ]
    read = read_score_files(files)
    assert [(matrix.measure, matrix.systems) for matrix in read.matrices] == [
        ("AP", ("A", "B")),
        ("nDCG", ("A",)),
        ("ERR@20", ("B",)),
    ]


def test_topics_in_another_order_are_joined() -> None:
    files = [("A.csv", b"topic,map\n1,0.1\n2,0.3\n"), ("B.csv", b"topic,map\n2,0.7\n1,0.5\n")]
    (matrix,) = read_score_files(files).matrices
    assert matrix.topics == ("1", "2")
    assert np.array_equal(matrix.scores, [[0.1, 0.5], [0.3, 0.7]])


def test_no_files_give_no_matrices() -> None:
    read = read_score_files([])
    assert (read.matrices, read.errors, read.recognised) == ((), (), ())
