"""Outputs of evaluation programs with something wrong: what is said, and where; and outputs of several together."""

# ruff: noqa: E501 - rows of a table
import numpy as np
import pytest

from tests.parsing import formats_made, formats_made_tables
from tests.parsing.formats_drawn import RUNS, TOPICS
from tests.parsing.packed import zipped
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, MissingScores, RepeatedScores, read_score_files, read_scores

ONE = "1 # syslen=4 jrel=3 jnonrel=1\n1 # r1=2 rp=2\n1 AP=  0.5\n1 nERR@0010=  0.25\n"
TWO = ONE.replace("1 #", "2 #").replace("1 AP", "2 AP").replace("1 nERR", "2 nERR")
GDEVAL = "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\n"
RECORD = '{"query_id": "%s", "measure": "AP", "value": %s}\n'

BAD = [
    # NTCIREVAL.
    (
        "A.nev",
        ONE + "2 AP 0.3\n",
        "A.nev, line 5: expected a measure, = and its value, as in '0001 AP= 0.0919', found '2 AP 0.3'",
    ),
    (
        "A.nev",
        ONE + "2 AP= \n",
        "A.nev, line 5: expected a measure, = and its value, as in '0001 AP= 0.0919', found '2 AP='",
    ),
    (
        "A.nev",
        ONE + "2 AP= 0.3 0.4\n",
        "A.nev, line 5: expected a measure, = and its value, as in '0001 AP= 0.0919', found '2 AP= 0.3 0.4'",
    ),
    ("A.nev", ONE + "2 AP= x\n", "A.nev, line 5: topic '2', measure 'AP': expected a number, found 'x'"),
    (
        "A.nev",
        ONE + "2 AP= -nan\n",
        "A.nev, line 5: topic '2', measure 'AP': expected a finite number, found '-nan'",
    ),
    ("A.nev", ONE + " AP= 0.3\n", "A.nev, line 5: expected a topic id before every measure, found none"),
    (
        "A.nev",
        ONE.replace("1 ", " ") + "2 AP= 0.3\n",
        "A.nev, line 5: expected a topic id before no measure, found '2' before it",
    ),
    (
        "A.nev",
        ONE + TWO.replace("2 ", "2 A ", 1),
        "A.nev, line 5: expected a topic id and nothing else before the measure, found '2 A'",
    ),
    (
        "A.nev",
        ONE + TWO + ONE,
        "A.nev, line 9: expected the output for one run, found topic '1' again, which begins on line 1 already; save each run to a file of its own",
    ),
    ("A.nev", ONE, "A.nev: expected at least 2 topics, found only '1'"),
    (
        "A.nevIA",
        "1 1 0.5 # syslen=4\n1 1 0.5 AP= 0.3\n1 2 0.5 AP= 0.3\n",
        "A.nevIA: expected scores by measures, found only lines of single intents",
    ),
    # The web track.
    (
        "g.csv",
        GDEVAL + GDEVAL.replace("@20", "@10"),
        "g.csv, line 5: expected the header of line 1 again, found 'runid,topic,ndcg@10,err@10'; save outputs of other measures or depths to a file of their own",
    ),
    (
        "g.csv",
        GDEVAL + "B,1,.5\n",
        "g.csv, line 5: expected 4 cells, as in line 1, found 3 (cells are separated by commas)",
    ),
    (
        "g.csv",
        GDEVAL + "B,1,.5,.6,.7\n",
        "g.csv, line 5: expected 4 cells, as in line 1, found 5 (cells are separated by commas)",
    ),
    (
        "g.csv",
        "runid,topic,ndcg@20,err@20\nA,amean,.4,.1\n",
        "g.csv: expected scores of single topics, found only summary rows",
    ),
    (
        "g.csv",
        "runid,topic,ndcg@20,err@20\n",
        "g.csv, line 1: expected rows of scores below the header, found none",
    ),
    # ir_measures.
    (
        "i.tsv",
        "all\tAP\t0.3\nall\tRR\t0.5\n",
        "i.tsv: expected scores of single topics, found only summary rows; call ir_measures with --by_query",
    ),
    (
        "i.tsv",
        "1\tAP\t0.3\n2\tAP\tx\n3\tAP\t.5\n",
        "i.tsv, line 2: topic '2', measure 'AP': expected a number, found 'x'",
    ),
    (
        "i.tsv",
        "1\tAP\t0.3\n2\tAP\n3\tAP\t.5\n",
        "i.tsv, line 2: expected 3 cells, as in line 1, found 2 (cells are separated by tabs)",
    ),
    (
        "i.jsonl",
        RECORD % (1, 0.5) + RECORD % (2, '"x"'),
        "i.jsonl, line 2: topic '2', measure 'AP': expected a number, found 'x'",
    ),
    (
        "i.jsonl",
        RECORD % ("all", 0.5),
        "i.jsonl: expected scores of single topics, found only summary rows; call ir_measures with --by_query",
    ),
    (
        "i.jsonl",
        '{"measure": "AP", "value": 0.5}\n',
        "i.jsonl, line 1: expected scores of single topics, found one number for each measure, as means over topics are; call ir_measures with --by_query or trec_eval with -q",
    ),
    # NewBestSub: its results are no scores, and it allows no gaps.
    (
        "x-Var.csv",
        "10000\n11000\n",
        "x-Var.csv, line 1: expected scores of runs on topics, found results of NewBestSub ('10000'): topic subsets and their correlations; bring the table that it read, with a row a run and a column a topic",
    ),
    (
        "x-Top-10-Solutions.csv",
        "Cardinality,Correlation,Topics\n1,0.8,t1\n2,0.9,t1;t2\n",
        "x-Top-10-Solutions.csv, line 1: expected scores of runs on topics, found results of NewBestSub ('Cardinality Correlation Topics'): topic subsets and their correlations; bring the table that it read, with a row a run and a column a topic",
    ),
    # Judgments of NTCIR where scores belong.
    (
        "w.qrels",
        "1 d1 L3\n1 d2 L0\n",
        "w.qrels, line 1: expected scores of runs on topics, found relevance judgments of NTCIR ('1 d1 L3', a document and its level); scores are computed from them and rankings",
    ),
    (
        "w.Dqrels",
        "1 0 d1 L3\n1 2 d2 L0\n",
        "w.Dqrels, line 1: expected scores of runs on topics, found relevance judgments of NTCIR ('1 0 d1 L3', a document and its level); scores are computed from them and rankings",
    ),
]


@pytest.mark.parametrize(("file", "content", "said"), BAD, ids=[f"{i}-{row[0]}" for i, row in enumerate(BAD)])
def test_a_bad_file_is_refused_and_said_why(file: str, content: str, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_scores(content, file)
    assert str(caught.value) == said


def test_a_topic_whose_scores_pyntcireval_never_wrote_is_missing_and_may_count_as_0() -> None:
    """By hand: with no relevant document found it stops after its first line, with a TypeError."""
    content = ONE + "2 # syslen=4 jrel=3 jnonrel=1\n" + TWO.replace("2 ", "3 ")
    with pytest.raises(MissingScores) as caught:
        read_scores(content, "A.nev", "AP")
    assert (caught.value.line, caught.value.n_cells) == (5, 1)
    read = read_scores(content, "A.nev", "AP", Choices(missing="zero"))
    assert read.matrices[0].scores.tolist() == [[0.5], [0.0], [0.5]]
    assert any(
        said.startswith("No score follows the first line of 1 topic: '2'.") for said in read.recognised
    )


def test_a_measure_that_is_there_twice_for_a_topic_is_a_repeat() -> None:
    with pytest.raises(RepeatedScores, match=r"another on line 3"):
        read_scores(ONE + TWO + "1 AP= 0.5\n", "A.nev")


def test_lines_without_topics_or_first_lines_are_told_apart_by_measures() -> None:
    read = read_scores(" AP= 0.5\n RR= 1.0\n AP= 0.3\n RR= 0.2\n", "A.nev")
    assert [(one.measure, one.topics, one.scores.ravel().tolist()) for one in read.matrices] == [
        ("AP", ("1", "2"), [0.5, 0.3]),
        ("RR", ("1", "2"), [1.0, 0.2]),
    ]


def test_values_that_touch_their_measure_are_read() -> None:
    # pyNTCIREVAL pads topic and measure together to 21 characters, and not at all beyond.
    content = "DS1-J-0001 MSnDCG@1000=0.5784\nDS1-J-0002 MSnDCG@1000=0.25\n"
    (matrix,) = read_scores(content, "A.nev").matrices
    assert (matrix.measure, matrix.scores.ravel().tolist()) == ("MSnDCG@1000", [0.5784, 0.25])


def test_intent_aware_measures_are_read_beside_those_of_single_intents() -> None:
    # By NTCIREVAL's D-NTCIR-IAeval: topic, intent and its probability; then the sum of these and the measure.
    of_topic = "1 1 0.6 # syslen=10\n1 1 0.6 MSnDCG@0010=   0.3\n1 SUMp= 1.0000 IA-nERR@0010= {}\n"
    content = of_topic.format(0.25) + of_topic.replace("1 1", "2 1").replace("1 SUMp", "2 SUMp").format(0.5)
    read = read_scores(content, "A.l10.nevIA")
    (matrix,) = read.matrices
    assert (matrix.measure, matrix.topics, matrix.systems) == ("IA-nERR@10", ("1", "2"), ("A.l10",))
    assert matrix.scores.ravel().tolist() == [0.25, 0.5]
    assert "2 lines of single intents left out." in read.recognised


@pytest.mark.parametrize(
    ("names", "runs", "topics"),
    [
        (("1.A.nev", "1.B.nev", "2.A.nev", "2.B.nev"), ("A", "B"), ("1", "2")),
        (("A/1.nev", "B/1.nev", "A/2.nev", "B/2.nev"), ("A", "B"), ("1", "2")),
        (("1/1.A.test.nev", "1/1.B.test.nev", "2/2.A.test.nev", "2/2.B.test.nev"), ("A.test", "B.test"), ("1", "2")),
        (("A.1.nev", "B.1.nev", "A.2.nev", "B.2.nev"), ("A", "B"), ("1", "2")),
        (("MC-E-1.A.nev", "MC-E-1.B.nev", "MC-E-2.A.nev", "MC-E-2.B.nev"), ("A", "B"), ("MC-E-1", "MC-E-2")),
    ],
)  # fmt: skip
def test_topic_and_run_come_from_names_of_files(
    names: tuple[str, ...], runs: tuple[str, ...], topics: tuple[str, ...]
) -> None:
    archive = zipped({name: f" AP= {place / 8}\n" for place, name in enumerate(names)})
    (matrix,) = read_scores(archive, "all.zip").matrices
    assert (matrix.systems, matrix.topics) == (runs, topics)
    assert matrix.scores.tolist() == [[0, 0.125], [0.25, 0.375]]


def test_risk_sensitive_gdeval_has_commas_in_its_runs() -> None:
    read = read_scores(GDEVAL.replace("A,", "A (rel to. B, rs=1+a, a=1),"), "g.csv")
    assert read.matrices[0].systems == ("A (rel to. B, rs=1+a, a=1)",)
    said = "Risk-sensitive scores, differences from a baseline and not scores: 'A (rel to. B, rs=1+a, a=1)'."
    assert said in read.recognised


@pytest.mark.parametrize(
    ("spelling", "name", "said"),
    [
        (
            "NERR8(max_rel=3)@10",
            "NearlyERR8(max_rel=3)@10",
            "is Nearly ERR, not nERR, which is normalised ERR.",
        ),
        ("NERR11(T=0.5,max_rel=3)", "NearlyERR11(T=0.5,max_rel=3)", "is Nearly ERR, not nERR"),
        ("NERR10", "NERR10", "may be Nearly ERR or nERR with a cutoff: the name was left as it is."),
        ("nERR@10", "nERR@10", ""),
        ("nerr10", "nERR@10", ""),
    ],
)
def test_nearly_err_is_not_normalised_err(spelling: str, name: str, said: str) -> None:
    content = f"1\t{spelling}\t0.5\n2\t{spelling}\t0.3\n1\tAP\t.1\n2\tAP\t.2\n"
    (picked,) = read_scores(content, "i.tsv", spelling).matrices
    read = read_scores(content, "i.tsv")
    assert [matrix.measure for matrix in read.matrices] == [picked.measure, "AP"] == [name, "AP"]
    assert said in " ".join(read.recognised)
    assert bool(said) == any("Nearly ERR" in sentence for sentence in read.recognised)


def test_outputs_of_several_programs_in_one_upload() -> None:
    files = [
        *((name, content.encode()) for name, content in formats_made.pyntcireval_all_topics().files),
        *((name.replace("tsv", "txt"), text.encode()) for name, text in formats_made.ir_measures_tsv().files),
        *((name, content.encode()) for name, content in formats_made_tables.ndeval().files),
        *((name, content.encode()) for name, content in formats_made_tables.newbestsub().files),
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
    expected = formats_made.ir_measures_tsv().scores["AP"]
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
