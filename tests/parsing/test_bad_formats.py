"""Outputs of evaluation programs with something wrong: what is said, and where."""

# ruff: noqa: E501 - rows of a table
import pytest

from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, MissingScores, RepeatedScores, read_scores

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
        "A.nev, line 5: topic '2', measure 'AP': expected a finite number, found '-nan'; leave the cell empty, or write NA, if the score is missing",
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
    ("A.nev", ONE, "A.nev: expected at least 2 topics, found only '1', measure 'AP'"),
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
