"""Where the names of measures and matrices come from, and remarks on unusual scores."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.plain_table import PLAIN, read_one
from tests.words import numbers_in
from topicset_core.parsing import read_scores


@pytest.mark.parametrize(
    ("file", "measure"),
    [
        ("trec8_ap.csv", "AP"),
        ("MAP.txt", "AP"),
        ("robust-p10.tsv", "P@10"),
        ("robust_P_10.tsv", "P@10"),
        ("web.ndcg", "score"),  # that is the extension
        ("web_ndcg.csv", "nDCG"),
        ("web_nDCG@20.csv", "nDCG@20"),
        ("web_ndcg_cut_10.csv", "nDCG@10"),
        ("web_ndcg_at_5.csv", "nDCG@5"),
        ("web_alpha-ndcg20.csv", "alpha-nDCG@20"),
        ("web err20.csv", "ERR@20"),
        ("web_nerr-ia.csv", "nERR-IA"),
        ("we want_msndcg@0010.csv", "MSnDCG@10"),
        ("x_rr.csv", "RR"),
        ("x_mrr.csv", "RR"),
        ("x_recip_rank.csv", "RR"),
        ("mq_statap.csv", "statAP"),
        ("mq_infAP.csv", "infAP"),
        ("x_recall_1000.csv", "recall@1000"),
        ("C:\\data\\web_err.csv", "ERR"),
        ("some/folder_ap/web.csv", "score"),
        ("ap_2.csv", "score"),  # a second copy, not a cutoff
        ("map.of.the.city.csv", "score"),
        ("shop.csv", "score"),
        ("x_p.csv", "score"),
        ("x_q.csv", "score"),
        ("pasted text", "score"),
    ],
)
def test_measure_from_the_file_name(file: str, measure: str) -> None:
    read = read_scores(PLAIN, file)
    assert read.matrices[0].measure == measure
    # Where the file names the measure, the note on the measure names the file.
    (note,) = [note for note in read.recognised if measure in note]
    assert (repr(file) in note) == (measure != "score")


def test_measure_from_the_corner_comes_before_the_file_name(golden: SnapshotAssertion) -> None:
    read = read_scores(PLAIN.replace("topic", "ndcg_at_20"), "web_ap.csv")
    assert read.matrices[0].measure == "nDCG@20"
    assert " ".join(read.recognised) == golden


def test_given_measure_comes_first(golden: SnapshotAssertion) -> None:
    read = read_scores(PLAIN.replace("topic", "AP"), "web_p10.csv", " Q ")
    assert read.matrices[0].measure == "Q"
    assert " ".join(read.recognised) == golden
    assert read_one(PLAIN, "web_p10.csv", "").measure == "P@10"  # an empty field gives nothing


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a/b/trec.eval.csv", "trec.eval"),
        ("C:\\x\\y.csv", "y"),
        ("pasted text", "pasted text"),
        ("", "scores"),
        (".csv", ".csv"),
    ],
)
def test_matrix_name_is_the_file_name(file: str, name: str) -> None:
    assert read_one(PLAIN, file).name == name


def test_several_measures_make_several_matrices(golden: SnapshotAssertion) -> None:
    text = "run,topic,measure,score\n" + "\n".join(
        f"{run},{topic},{measure},{score}"
        for run, topic, measure, score in (
            ("A", "2", "map", 0.5),
            ("B", "2", "map", 0.25),
            ("A", "1", "map", 1),
            ("B", "1", "map", 0),
            ("A", "1", "myMeasure", 7),
            ("A", "2", "myMeasure", 3),
        )
    )
    read = read_scores(text, "x_p10.csv")
    first, second = read.matrices
    assert (first.measure, first.topics, first.systems) == ("AP", ("2", "1"), ("A", "B"))
    assert first.scores.tolist() == [[0.5, 0.25], [1, 0]]
    assert (second.measure, second.topics, second.systems) == ("myMeasure", ("1", "2"), ("A",))
    assert second.scores.tolist() == [[7], [3]]
    # Scores in all; topics by runs of each measure; scores outside 0 to 1, lowest and highest.
    numbers = [numbers_in(note) for note in read.recognised]
    assert [one for one in numbers if one] == [[6], [2, 2], [2, 1], [2, 0, 1, 3, 7]]
    assert " ".join(read.recognised) == golden


def test_two_spellings_of_a_measure_stay_apart() -> None:
    lines = [f"{topic},A,{measure},0.{topic}" for measure in ("map", "AP") for topic in (1, 2)]
    read = read_scores("\n".join(["topic,run,measure,score", *lines]), "x.csv")
    assert [matrix.measure for matrix in read.matrices] == ["map", "AP"]


# ---------------------------------------------------------------------------------------------- remarks


def test_remarks_on_what_is_unusual(golden: SnapshotAssertion) -> None:
    read = read_scores("topic,A,B,mean\n1,-0.5,0.2,1.5\n2,0.1,0.2,0.1\nall,0.2,0.2,0.2", "x.csv")
    assert numbers_in(read.recognised[-2]) == [2, 0, 1, -0.5, 1.5]  # scores outside 0 to 1, lowest, highest
    assert " ".join(read.recognised) == golden
    doubtful = read_scores("topic,401,402\nrunA,0.1,0.2\nrunB,0.1,0.3", "x.csv")
    assert " ".join(doubtful.recognised) == golden


def test_many_equal_runs_are_counted(golden: SnapshotAssertion) -> None:
    read = read_scores("topic,A,B,C,D,E,F,G\n1,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0", "x.csv")
    assert numbers_in(read.recognised[-1]) == [1]  # five pairs of A with B to F are named, and 1 more
    assert read.recognised[-1] == golden
