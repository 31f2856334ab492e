"""Files of every shape that is read: the results; the golden record contains its notes."""

import gzip
from typing import Any, NamedTuple

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import TABLE, trec_eval_output, workbook, zipped
from tests.refusals import notes
from topicset_core.parsing import Choices, read_scores

AS_IT_IS = Choices()
WIDE = "topic,A,B\n1,0.5,0.2\n2,0.3,0.1\n"
SQUARE = [[0.5, 0.2], [0.3, 0.1]]
RUNS = "401,402,403\nrunA,0.1,0.2,0.3\nrunB,0.1,0.3,0.5\n"
A_EVAL, B_EVAL = trec_eval_output("A", 0.1, 0.2, 0.3), trec_eval_output("B", 0.4, 0.5, 0.6)
GAPS = "topic,A,B,C\n1,0.5,,.1\n2,0.3,0.1,.1\n3,NA,.4,.1\n4,.1,.2,.1"
RAG = "question_id,faithfulness,latency,answer\n1,0.5,12,x\n2,0.7,13,y\n"
RAG_TEXTS = (
    'user_input,retrieved_contexts,response,faithfulness\n"why, though?","[1, 2]",because,0.5\n'
    "how?,x,1969,0.7\nwhen?,y,later,1.0\n"
)
TWICE = "question_id,faithfulness,answer\n1,0.5,x\n1,.75,y\n3,.1,y\n"
NESTED = (
    '{"id": 1, "answer": "x", "scores": {"faithfulness": 0.5, "f1": 0.1}}\n'
    '{"id": 2, "answer": "y", "scores": {"faithfulness": NaN, "f1": 1}}\n'
)
BY_TOPIC = '{"topic": 1, "A": 0.5, "B": 0.2}\n{"topic": 2, "A": 0.3, "B": 0.1}'
BY_MEASURE = (
    '[{"query_id": "1", "measure": "AP", "value": 0.5},\n{"query_id": "2", "measure": "AP", "value": 1}]'
)
RECORDS = '[{"topic": 1, "run": "A", "score": 0.5}, {"topic": 2, "run": "A", "score": 1}]'


class Good(NamedTuple):
    """A file and its results: the measures, and the topics, runs and scores of the first."""

    file: str
    content: str | bytes
    choices: Choices = AS_IT_IS
    measures: str = "score"
    topics: str = "1 2"
    systems: str = "A B"
    scores: list[list[float]] = SQUARE


def by_run(content: str, file: str = "n.csv", measures: str = "score") -> Good:
    """Runs by topics."""
    scores = [[0.1, 0.1], [0.2, 0.3], [0.3, 0.5]]
    return Good(file, content, AS_IT_IS, measures, "401 402 403", "runA runB", scores)


def of_one(file: str, content: str, measures: str, *scores: float, run: str = "", **choices: Any) -> Good:
    """Topics 1 and 2 of a run that is named by its file."""
    return Good(
        file,
        content,
        Choices(**choices),
        measures,
        "1 2",
        run or file.partition(".")[0],
        [[s] for s in scores],
    )


def of_a_and_b(b: str, topics: str = "301 302 303", **choices: Any) -> Good:
    """A zip of two outputs of trec_eval."""
    scores = [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]][: len(topics.split())]
    archive = zipped({"A": A_EVAL, "B": b})
    return Good("z.zip", archive, Choices(measure="AP", **choices), "AP", topics, scores=scores)


GOOD = {
    # Wide, both ways round.
    "wide": Good("w.csv", WIDE),
    "wide-measure-given": Good("w.csv", WIDE, Choices(measure="Q"), "Q"),
    "by-run": by_run(f"AH99,{RUNS}"),
    "by-run-empty-corner": by_run(f",{RUNS}"),
    "by-run-measure-corner": by_run(f"ndcg_at_20,{RUNS}", measures="nDCG@20"),
    "by-run-no-corner": by_run(RUNS.replace(",", "\t"), "n.tsv"),
    "by-run-summary-column": Good("r.csv", "run,X,Y,all\nA,0.5,0.3,0.4\nB,0.2,0.1,0.15", topics="X Y"),
    "by-run-chosen": Good(
        "x.csv", "x,X,Y\nA,0.5,0.3\nB,0.2,0.1", Choices(orientation="runs-by-topics"), topics="X Y"
    ),
    "orientation-open": Good("x.csv", "x,A,B\nX,0.5,0.2\nY,0.3,0.1", topics="X Y"),
    "by-topic-chosen": Good(
        "j.csv",
        "topic,faithfulness,B\n1,0.5,0.2\n2,0.3,0.1",
        Choices(orientation="topics-by-runs"),
        systems="faithfulness B",
    ),
    "no-topic-ids": Good(
        "20topics3runs.mat.csv", "System1,System2\n0.5,0.2\n0.3,0.1", systems="System1 System2"
    ),
    "no-header": Good("x.mat", "0.5 0.2\n0.3 0.1\n", systems="1 2"),
    "no-header-topic-ids": Good("x.mat", "401 0.5 0.2\n402 0.3 0.1\n", topics="401 402", systems="1 2"),
    "by-run-no-names": Good(
        "x.mat", "0.5 0.3\n0.2 0.1\n", Choices(orientation="runs-by-topics"), systems="1 2"
    ),
    "summary-rows": Good("m.csv", "topic,A,B,mean\n1,0.5,0.2,0.35\n2,0.3,0.1,0.2\nall,0.4,0.15,\namean,x,,"),
    "column-of-means": Good("m.csv", "topic,A,B,mean\n1,0.5,0.2,0.35\n2,0.3,0.1,0.2\n"),
    "beyond-1": Good("rate.csv", "topic,A,B\n1,5,2\n2,3,9", scores=[[5, 2], [3, 9]]),
    # Long.
    "long": Good("l.csv", "score,run,topic\n.5,A,1\n.2,B,1\n.3,A,2\n.1,B,2"),
    "long-column-left-out": Good(
        "l.csv", "topic,run,score,fold\n1,A,.5,x\n1,B,.2,x\n2,A,.3,y\n2,B,.1,y", Choices(columns=("score",))
    ),
    "long-averaged": Good(
        "l.csv",
        "topic,run,score\n1,A,.5\n1,B,.2\n2,A,.3\n2,B,.1\n1,A,.5\n2,A,.5\n2,A,.1",
        Choices(repeats="average"),
    ),
    # trec_eval and its kin.
    "trec-eval": Good("A.eval", A_EVAL, AS_IT_IS, "AP P@10", "301 302 303", "A", [[0.1], [0.2], [0.3]]),
    "trec-eval-one-measure": Good(
        "A.eval", A_EVAL, Choices(measure="P_10"), "P@10", "301 302 303", "A", [[0.1], [0.2], [0.3]]
    ),
    "trec-eval-named-by-file": of_one("input.B2", "map 1 0.5\nmap 2 0.25\n", "AP", 0.5, 0.25, run="input.B2"),
    "gm-map": of_one("A", "gm_map\t1\t-0.5\ngm_map\t2\t-1.5\n", "GMAP", -0.5, -1.5),
    "ir-measures": of_one(
        "i.txt", "1\tP(rel=2)@5\t0.5\n2\tP(rel=2)@5\t0.2\nall\tP(rel=2)@5\t0.3", "P(rel=2)@5", 0.5, 0.2
    ),
    "run-measure-topic": Good(
        "t.txt", "A map 301 .5\nA map 302 .3\nB map 301 .2\nB map 302 .1", AS_IT_IS, "AP", "301 302"
    ),
    "run-topic-measure": Good(
        "b.txt", "A 301 map .5\nA 302 map .3\nB 301 map .2\nB 302 map .1", AS_IT_IS, "AP", "301 302"
    ),
    # Columns that are measures.
    "gdeval": Good(
        "g.csv",
        "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\nB,1,.2,.1\nB,2,.1,.1",
        measures="nDCG@20 ERR@20",
    ),
    "one-run-one-column": of_one("k_ap.csv", "topic,score\n1,0.5\n2,0.3", "AP", 0.5, 0.3),
    "text-column-left-out": of_one("rag.csv", RAG, "faithfulness", 0.5, 0.7),
    "wide-text-column-left-out": Good("w.csv", "topic,title,A,B\n1,foo,.5,.2\n2,bar,.3,.1"),
    "wide-index-left-out": Good("w.csv", ",topic,A,B\n0,1,.5,.2\n1,2,.3,.1\n"),
    "long-fold-left-out": Good("l.csv", "topic,run,score,fold\n1,A,.5,x\n1,B,.2,x\n2,A,.3,y\n2,B,.1,y"),
    "long-rank-left-out": Good("l.csv", "topic,run,rank,score\n1,A,1,.5\n1,B,2,.2\n2,A,1,.3\n2,B,2,.1"),
    "columns-chosen": of_one("rag.csv", RAG, "faithfulness", 0.5, 0.7, columns=("faithfulness",)),
    "texts-with-a-number": Good(
        "rag.csv",
        RAG_TEXTS,
        AS_IT_IS,
        "faithfulness",
        "why,_though? how? when?",
        "rag",
        [[0.5], [0.7], [1.0]],
    ),
    "averaged-rag": Good(
        "rag.csv", TWICE, Choices(repeats="average"), "faithfulness", "1 3", "rag", [[0.625], [0.1]]
    ),
    "index-column": Good(
        "rag.csv",
        ",question,bleu\n0,why?,0.5\n1,how?,0.7\n",
        AS_IT_IS,
        "bleu",
        "why? how?",
        "rag",
        [[0.5], [0.7]],
    ),
    "topics-as-measures": of_one("rag.jsonl", BY_TOPIC, "A B", 0.5, 0.3),
    "topics-by-runs-json": Good("rag.jsonl", BY_TOPIC, Choices(orientation="topics-by-runs")),
    # JSON.
    "jsonl": of_one("r.jsonl", '{"id": 1, "score": 0.5}\n{"id": 2, "score": 0.3}\n', "score", 0.5, 0.3),
    "jsonl-nested": of_one("r.jsonl", NESTED, "scores.faithfulness scores.f1", 0.5, 0, missing="zero"),
    "ir-measures-json": of_one("r.json", BY_MEASURE, "AP", 0.5, 1),
    "json-long": of_one("r.json", RECORDS, "score", 0.5, 1, run="A"),
    "jsonl-true-and-false": of_one("ok.jsonl", '{"correct": true}\n{"correct": false}', "correct", 1, 0),
    # Workbooks.
    "workbook-two-sheets": Good("w.xlsx", workbook({"AP": TABLE, "nDCG": TABLE}), measures="AP nDCG"),
    "workbook-empty-sheet": Good("w_ap.xlsx", workbook({"Sheet1": TABLE, "Sheet2": ()}), measures="AP"),
    "workbook-empty-rows": Good(
        "w.xlsx", workbook({"AP": ((), (), *((None, *row) for row in TABLE))}), measures="AP"
    ),
    # Archives.
    "gz": Good("w_ap.csv.gz", gzip.compress(WIDE.encode()), measures="AP"),
    "gz-two-members": Good(
        "two.csv.gz", gzip.compress(b"topic,A,B\n1,0.5,0.2\n") + gzip.compress(b"2,0.3,0.1\n")
    ),
    "zip-with-leftovers": Good("z.zip", zipped({"w.csv": WIDE, ".DS_Store": "x", "__MACOSX/w.csv": "x"})),
    "zip-with-gz": Good("z.zip", zipped({"d/w.csv.gz": gzip.compress(WIDE.encode())})),
    "zip-with-workbook": Good("z.zip", zipped({"w.xlsx": workbook({"AP": TABLE})}), measures="AP"),
    "zip-of-runs": of_a_and_b(B_EVAL),
    "zip-of-one-runid": of_a_and_b(trec_eval_output("A", 0.4, 0.5, 0.6)),
    "zip-drop-topics": of_a_and_b(trec_eval_output("B", 0.4, 0.5), "301 302", missing="drop-topics"),
    # Missing scores, as chosen.
    "drop-topics": Good(
        "m.csv",
        GAPS,
        Choices(missing="drop-topics"),
        "score",
        "2 4",
        "A B C",
        [[0.3, 0.1, 0.1], [0.1, 0.2, 0.1]],
    ),
    "drop-runs": Good("m.csv", GAPS, Choices(missing="drop-runs"), "score", "1 2 3 4", "C", [[0.1]] * 4),
    "count-as-0": Good(
        "m.csv",
        GAPS,
        Choices(missing="zero"),
        topics="1 2 3 4",
        systems="A B C",
        scores=[[0.5, 0, 0.1], [0.3, 0.1, 0.1], [0, 0.4, 0.1], [0.1, 0.2, 0.1]],
    ),
}


@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD)
def test_a_good_file_is_read_with_notes(good: Good) -> None:
    read = read_scores(good.content, good.file, choices=good.choices)
    assert [matrix.measure for matrix in read.matrices] == good.measures.split()
    first = read.matrices[0]
    assert first.topics == tuple(topic.replace("_", " ") for topic in good.topics.split())
    assert first.systems == tuple(good.systems.split())
    assert first.scores == pytest.approx(np.array(good.scores))
    assert len(read.notes) == len(read.files) == len(read.matrices)


def test_notes_on_good_files(golden: SnapshotAssertion) -> None:
    recognised = {
        name: read_scores(good.content, good.file, choices=good.choices).recognised
        for name, good in GOOD.items()
    }
    assert notes(recognised) == golden


@pytest.mark.parametrize(
    ("file", "name"), [("terabyte.2006", "terabyte.2006"), ("ap.v2", "ap.v2"), ("ap.v2.csv", "ap.v2")]
)
def test_a_year_or_version_is_no_ending_of_a_file_name(file: str, name: str) -> None:
    (matrix,) = read_scores(b"topic,a,b\n1,.2,.4\n2,.5,.1\n", file).matrices
    assert matrix.name == name


def test_a_collection_has_the_chosen_name() -> None:
    read = read_scores(WIDE, "w.csv", choices=Choices(collection="TREC-8"))
    assert read.matrices[0].name == "TREC-8"


def test_sheets_that_name_no_measure_are_collections() -> None:
    read = read_scores(workbook({"trec7": TABLE, "trec8": TABLE}), "my_ap.xlsx")
    assert [(matrix.name, matrix.measure) for matrix in read.matrices] == [
        ("my_ap, trec7", "AP"),
        ("my_ap, trec8", "AP"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "401 1 0.5\n401 2 0.5\n402 1 0.25\n402 2 0.5\n",
        "401 1 0.5\n402 1 0.5\n403 1 1.0\n",
        "1 0 0.5 1\n2 0 0.25 1\n",
        "A 401 map 1\nA 402 map 0\n",
        "run topic measure value\nA 401 AP 1\nA 402 AP 0\n",
    ],
)
def test_similar_tables_of_numbers_are_scores(content: str) -> None:
    assert read_scores(content, "s.txt").matrices
