"""Files of every shape that is read: the results; the golden record contains its notes.

Every row of the table: file name, content, choices, measures, topics, runs, and scores of the first measure.
"""

import gzip
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.packed import TABLE, trec_eval_output, workbook, zipped
from tests.parsing.refusals import notes
from topicset_core.parsing import Choices, read_scores

WIDE = "topic,A,B\n1,0.5,0.2\n2,0.3,0.1\n"
SQUARE = [[0.5, 0.2], [0.3, 0.1]]
RUNS = "401,402,403\nrunA,0.1,0.2,0.3\nrunB,0.1,0.3,0.5\n"
BY_RUN = [[0.1, 0.1], [0.2, 0.3], [0.3, 0.5]]
T401, T301, AB = "401 402 403", "301 302 303", "A B"
A_EVAL = trec_eval_output("A", 0.1, 0.2, 0.3)
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

GOOD: dict[str, tuple[str, str | bytes, dict[str, Any], str, str, str, list[list[float]]]] = {
    # Wide, both ways round.
    "wide": ("w.csv", WIDE, {}, "score", "1 2", AB, SQUARE),
    "wide-measure-given": ("w.csv", WIDE, {"measure": "Q"}, "Q", "1 2", AB, SQUARE),
    "by-run": ("n.csv", f"AH99,{RUNS}", {}, "score", T401, "runA runB", BY_RUN),
    "by-run-empty-corner": ("n.csv", f",{RUNS}", {}, "score", T401, "runA runB", BY_RUN),
    "by-run-measure-corner": ("n.csv", f"ndcg_at_20,{RUNS}", {}, "nDCG@20", T401, "runA runB", BY_RUN),
    "by-run-no-corner": ("n.tsv", f"{RUNS}".replace(",", "\t"), {}, "score", T401, "runA runB", BY_RUN),
    "by-run-summary-column": (
        "r.csv",
        "run,X,Y,all\nA,0.5,0.3,0.4\nB,0.2,0.1,0.15",
        {},
        "score",
        "X Y",
        AB,
        SQUARE,
    ),
    "by-run-chosen": (
        "x.csv",
        "x,X,Y\nA,0.5,0.3\nB,0.2,0.1",
        {"orientation": "runs-by-topics"},
        "score",
        "X Y",
        AB,
        SQUARE,
    ),
    "orientation-open": ("x.csv", "x,A,B\nX,0.5,0.2\nY,0.3,0.1", {}, "score", "X Y", AB, SQUARE),
    "by-topic-chosen": (
        "j.csv",
        "topic,faithfulness,B\n1,0.5,0.2\n2,0.3,0.1",
        {"orientation": "topics-by-runs"},
        "score",
        "1 2",
        "faithfulness B",
        SQUARE,
    ),
    "no-topic-ids": (
        "20topics3runs.mat.csv",
        "System1,System2\n0.5,0.2\n0.3,0.1",
        {},
        "score",
        "1 2",
        "System1 System2",
        SQUARE,
    ),
    "no-header": ("x.mat", "0.5 0.2\n0.3 0.1\n", {}, "score", "1 2", "1 2", SQUARE),
    "no-header-topic-ids": ("x.mat", "401 0.5 0.2\n402 0.3 0.1\n", {}, "score", "401 402", "1 2", SQUARE),
    "by-run-no-names": (
        "x.mat",
        "0.5 0.3\n0.2 0.1\n",
        {"orientation": "runs-by-topics"},
        "score",
        "1 2",
        "1 2",
        SQUARE,
    ),
    "summary-rows": (
        "m.csv",
        "topic,A,B,mean\n1,0.5,0.2,0.35\n2,0.3,0.1,0.2\nall,0.4,0.15,\namean,x,,",
        {},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    "column-of-means": (
        "m.csv",
        "topic,A,B,mean\n1,0.5,0.2,0.35\n2,0.3,0.1,0.2\n",
        {},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    "beyond-1": ("rate.csv", "topic,A,B\n1,5,2\n2,3,9", {}, "score", "1 2", AB, [[5, 2], [3, 9]]),
    # Long.
    "long": ("l.csv", "score,run,topic\n.5,A,1\n.2,B,1\n.3,A,2\n.1,B,2", {}, "score", "1 2", AB, SQUARE),
    "long-column-left-out": (
        "l.csv",
        "topic,run,score,fold\n1,A,.5,x\n1,B,.2,x\n2,A,.3,y\n2,B,.1,y",
        {"columns": ("score",)},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    "long-averaged": (
        "l.csv",
        "topic,run,score\n1,A,.5\n1,B,.2\n2,A,.3\n2,B,.1\n1,A,.5\n2,A,.5\n2,A,.1",
        {"repeats": "average"},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    # trec_eval and its kin.
    "trec-eval": ("A.eval", A_EVAL, {}, "AP P@10", T301, "A", [[0.1], [0.2], [0.3]]),
    "trec-eval-one-measure": (
        "A.eval",
        A_EVAL,
        {"measure": "P_10"},
        "P@10",
        T301,
        "A",
        [[0.1], [0.2], [0.3]],
    ),
    "trec-eval-named-by-file": (
        "input.B2",
        "map 301 0.5\nmap 302 0.25\n",
        {},
        "AP",
        "301 302",
        "input.B2",
        [[0.5], [0.25]],
    ),
    "gm-map": ("A", "gm_map\t301\t-0.5\ngm_map\t302\t-1.5\n", {}, "GMAP", "301 302", "A", [[-0.5], [-1.5]]),
    "ir-measures": (
        "i.txt",
        "301\tP(rel=2)@5\t0.5\n302\tP(rel=2)@5\t0.2\nall\tP(rel=2)@5\t0.3",
        {},
        "P(rel=2)@5",
        "301 302",
        "i",
        [[0.5], [0.2]],
    ),
    "run-measure-topic": (
        "t.txt",
        "A map 301 .5\nA map 302 .3\nB map 301 .2\nB map 302 .1",
        {},
        "AP",
        "301 302",
        AB,
        SQUARE,
    ),
    "run-topic-measure": (
        "b.txt",
        "A 301 map .5\nA 302 map .3\nB 301 map .2\nB 302 map .1",
        {},
        "AP",
        "301 302",
        AB,
        SQUARE,
    ),
    # Columns that are measures.
    "gdeval": (
        "g.csv",
        "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\nB,1,.2,.1\nB,2,.1,.1",
        {},
        "nDCG@20 ERR@20",
        "1 2",
        AB,
        SQUARE,
    ),
    "one-run-one-column": ("k_ap.csv", "topic,score\n1,0.5\n2,0.3", {}, "AP", "1 2", "k_ap", [[0.5], [0.3]]),
    "text-column-left-out": ("rag.csv", RAG, {}, "faithfulness latency", "1 2", "rag", [[0.5], [0.7]]),
    "columns-chosen": (
        "rag.csv",
        RAG,
        {"columns": ("faithfulness",)},
        "faithfulness",
        "1 2",
        "rag",
        [[0.5], [0.7]],
    ),
    "texts-with-a-number": (
        "rag.csv",
        RAG_TEXTS,
        {},
        "faithfulness",
        "why,_though? how? when?",
        "rag",
        [[0.5], [0.7], [1.0]],
    ),
    "averaged-rag": (
        "rag.csv",
        TWICE,
        {"repeats": "average"},
        "faithfulness",
        "1 3",
        "rag",
        [[0.625], [0.1]],
    ),
    "index-column": (
        "rag.csv",
        ",question,bleu\n0,why?,0.5\n1,how?,0.7\n",
        {},
        "bleu",
        "why? how?",
        "rag",
        [[0.5], [0.7]],
    ),
    "topics-as-measures": (
        "rag.jsonl",
        '{"topic": 1, "A": 0.5, "B": 0.2}\n{"topic": 2, "A": 0.3, "B": 0.1}',
        {},
        "A B",
        "1 2",
        "rag",
        [[0.5], [0.3]],
    ),
    "topics-by-runs-json": (
        "rag.jsonl",
        '{"topic": 1, "A": 0.5, "B": 0.2}\n{"topic": 2, "A": 0.3, "B": 0.1}',
        {"orientation": "topics-by-runs"},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    # JSON.
    "jsonl": (
        "r.jsonl",
        '{"id": 1, "score": 0.5}\n{"id": 2, "score": 0.3}\n',
        {},
        "score",
        "1 2",
        "r",
        [[0.5], [0.3]],
    ),
    "jsonl-nested": (
        "r.jsonl",
        NESTED,
        {"missing": "zero"},
        "scores.faithfulness scores.f1",
        "1 2",
        "r",
        [[0.5], [0]],
    ),
    "ir-measures-json": (
        "r.json",
        '[{"query_id": "1", "measure": "AP", "value": 0.5},\n{"query_id": "2", "measure": "AP", "value": 1}]',
        {},
        "AP",
        "1 2",
        "r",
        [[0.5], [1]],
    ),
    "json-long": (
        "r.json",
        '[{"topic": 1, "run": "A", "score": 0.5}, {"topic": 2, "run": "A", "score": 1}]',
        {},
        "score",
        "1 2",
        "A",
        [[0.5], [1]],
    ),
    "jsonl-true-and-false": (
        "ok.jsonl",
        '{"correct": true}\n{"correct": false}',
        {},
        "correct",
        "1 2",
        "ok",
        [[1], [0]],
    ),
    # Workbooks.
    "workbook-two-sheets": (
        "w.xlsx",
        workbook({"AP": TABLE, "nDCG": TABLE}),
        {},
        "AP nDCG",
        "1 2",
        AB,
        SQUARE,
    ),
    "workbook-empty-sheet": (
        "w_ap.xlsx",
        workbook({"Sheet1": TABLE, "Sheet2": ()}),
        {},
        "AP",
        "1 2",
        AB,
        SQUARE,
    ),
    "workbook-empty-rows": (
        "w.xlsx",
        workbook({"AP": ((), (), *((None, *row) for row in TABLE))}),
        {},
        "AP",
        "1 2",
        AB,
        SQUARE,
    ),
    # Archives.
    "gz": ("w_ap.csv.gz", gzip.compress(WIDE.encode()), {}, "AP", "1 2", AB, SQUARE),
    "gz-two-members": (
        "two.csv.gz",
        gzip.compress(b"topic,A,B\n1,0.5,0.2\n") + gzip.compress(b"2,0.3,0.1\n"),
        {},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    "zip-with-leftovers": (
        "z.zip",
        zipped({"w.csv": WIDE, ".DS_Store": "x", "__MACOSX/w.csv": "x"}),
        {},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    "zip-with-gz": (
        "z.zip",
        zipped({"d/w.csv.gz": gzip.compress(WIDE.encode())}),
        {},
        "score",
        "1 2",
        AB,
        SQUARE,
    ),
    "zip-with-workbook": ("z.zip", zipped({"w.xlsx": workbook({"AP": TABLE})}), {}, "AP", "1 2", AB, SQUARE),
    "zip-of-runs": (
        "z.zip",
        zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4, 0.5, 0.6)}),
        {"measure": "AP"},
        "AP",
        T301,
        AB,
        [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]],
    ),
    "zip-of-one-runid": (
        "z.zip",
        zipped({"A": A_EVAL, "B": trec_eval_output("A", 0.4, 0.5, 0.6)}),
        {"measure": "AP"},
        "AP",
        T301,
        AB,
        [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]],
    ),
    "zip-drop-topics": (
        "z.zip",
        zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4, 0.5)}),
        {"measure": "AP", "missing": "drop-topics"},
        "AP",
        "301 302",
        AB,
        [[0.1, 0.4], [0.2, 0.5]],
    ),
    # Missing scores, as chosen.
    "drop-topics": (
        "m.csv",
        GAPS,
        {"missing": "drop-topics"},
        "score",
        "2 4",
        "A B C",
        [[0.3, 0.1, 0.1], [0.1, 0.2, 0.1]],
    ),
    "drop-runs": ("m.csv", GAPS, {"missing": "drop-runs"}, "score", "1 2 3 4", "C", [[0.1]] * 4),
    "count-as-0": (
        "m.csv",
        GAPS,
        {"missing": "zero"},
        "score",
        "1 2 3 4",
        "A B C",
        [[0.5, 0, 0.1], [0.3, 0.1, 0.1], [0, 0.4, 0.1], [0.1, 0.2, 0.1]],
    ),
}


@pytest.mark.parametrize(
    ("file", "content", "choices", "measures", "topics", "systems", "scores"), GOOD.values(), ids=GOOD
)
def test_a_good_file_is_read_with_notes(
    file: str,
    content: str | bytes,
    choices: dict[str, Any],
    measures: str,
    topics: str,
    systems: str,
    scores: list[list[float]],
) -> None:
    read = read_scores(content, file, choices=Choices(**choices))
    assert [matrix.measure for matrix in read.matrices] == measures.split()
    first = read.matrices[0]
    assert first.topics == tuple(topic.replace("_", " ") for topic in topics.split())
    assert first.systems == tuple(systems.split())
    assert first.scores == pytest.approx(np.array(scores))
    assert len(read.notes) == len(read.files) == len(read.matrices)


def test_notes_on_good_files(golden: SnapshotAssertion) -> None:
    recognised = {
        name: read_scores(content, file, choices=Choices(**choices)).recognised
        for name, (file, content, choices, *_) in GOOD.items()
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
