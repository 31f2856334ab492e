"""Files of every shape that is read: what is made of each, and what is said of it.

Every row of the table: file name, content, choices, measures, topics, runs, scores of the first
measure, and a sentence that must be among those said.
"""

# ruff: noqa: E501 - rows of a table
import gzip
from typing import Any

import numpy as np
import pytest

from tests.parsing.packed import TABLE, trec_eval_output, workbook, zipped
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

# fmt: off
GOOD: list[tuple[str, str | bytes, dict[str, Any], str, str, str, list[list[float]], str]] = [
    # Wide, both ways round.
    ("w.csv", WIDE, {}, "score", "1 2", AB, SQUARE, "A wide table of 2 topics (rows) by 2 runs (columns)."),
    ("w.csv", WIDE, {"measure": "Q"}, "Q", "1 2", AB, SQUARE, "The measure is Q, as given."),
    ("n.csv", f"AH99,{RUNS}", {}, "score", T401, "runA runB", BY_RUN,
     "Rows were taken for runs and columns for topics: columns are named as topics are ('401', '402'), rows are not."),
    ("n.csv", f",{RUNS}", {}, "score", T401, "runA runB", BY_RUN,
     "Run names come from the first column, whose name is empty."),
    ("n.csv", f"ndcg_at_20,{RUNS}", {}, "nDCG@20", T401, "runA runB", BY_RUN,
     "The measure is nDCG@20, from the header of the first column, 'ndcg_at_20'."),
    ("n.tsv", f"{RUNS}".replace(",", "\t"), {}, "score", T401, "runA runB", BY_RUN,
     "Run names come from the first column, which has no name."),
    ("r.csv", "run,X,Y,all\nA,0.5,0.3,0.4\nB,0.2,0.1,0.15", {}, "score", "X Y", AB, SQUARE,
     "Rows were taken for runs and columns for topics: the first column is named 'run'."),
    ("r.csv", "run,X,Y,all\nA,0.5,0.3,0.4\nB,0.2,0.1,0.15", {}, "score", "X Y", AB, SQUARE,
     "1 summary column taken out: 'all', which is no topic."),
    ("x.csv", "x,X,Y\nA,0.5,0.3\nB,0.2,0.1", {"orientation": "runs-by-topics"}, "score", "X Y", AB, SQUARE,
     "Rows were taken for runs and columns for topics, as chosen."),
    ("x.csv", "x,A,B\nX,0.5,0.2\nY,0.3,0.1", {}, "score", "X Y", AB, SQUARE,
     "Rows were taken for topics and columns for runs, as is usual; neither are named as topics often are. If it is "
     "the other way round, choose that orientation."),
    ("j.csv", "topic,faithfulness,B\n1,0.5,0.2\n2,0.3,0.1", {"orientation": "topics-by-runs"}, "score", "1 2",
     "faithfulness B", SQUARE, "Rows were taken for topics and columns for runs, as chosen."),
    ("20topics3runs.mat.csv", "System1,System2\n0.5,0.2\n0.3,0.1", {}, "score", "1 2", "System1 System2", SQUARE,
     "There is no column of topic ids: topics are numbered 1 to 2."),
    ("x.mat", "0.5 0.2\n0.3 0.1\n", {}, "score", "1 2", "1 2", SQUARE,
     "There is no header row: runs are numbered 1 to 2."),
    ("x.mat", "401 0.5 0.2\n402 0.3 0.1\n", {}, "score", "401 402", "1 2", SQUARE,
     "Topic ids come from the first column, which has no name."),
    ("x.mat", "0.5 0.3\n0.2 0.1\n", {"orientation": "runs-by-topics"}, "score", "1 2", "1 2", SQUARE,
     "There is no column of run names: runs are numbered 1 to 2."),
    ("m.csv", "topic,A,B,mean\n1,0.5,0.2,0.35\n2,0.3,0.1,0.2\nall,0.4,0.15,\namean,x,,", {}, "score", "1 2", AB,
     SQUARE, "2 summary rows taken out: 'all', 'amean', which are no topic."),
    ("m.csv", "topic,A,B,mean\n1,0.5,0.2,0.35\n2,0.3,0.1,0.2\n", {}, "score", "1 2", AB, SQUARE,
     "Column 'mean' taken out: it holds the mean of the runs on each topic."),
    ("rate.csv", "topic,A,B\n1,5,2\n2,3,9", {}, "score", "1 2", AB, [[5, 2], [3, 9]],
     "4 scores lie outside 0 to 1 (lowest 2, highest 9)."),
    # Long.
    ("l.csv", "score,run,topic\n.5,A,1\n.2,B,1\n.3,A,2\n.1,B,2", {}, "score", "1 2", AB, SQUARE,
     "Topics come from the column 'topic', runs from 'run', scores from 'score'."),
    ("l.csv", "topic,run,score,fold\n1,A,.5,x\n1,B,.2,x\n2,A,.3,y\n2,B,.1,y", {"columns": ("score",)}, "score", "1 2",
     AB, SQUARE, "Columns left out, as they were not chosen: 'fold'."),
    ("l.csv", "topic,run,score\n1,A,.5\n1,B,.2\n2,A,.3\n2,B,.1\n1,A,.5\n2,A,.5\n2,A,.1", {"repeats": "average"},
     "score", "1 2", AB, SQUARE,
     "2 cells with repeated scores (2 to 3 each) averaged: the standard deviation within a cell is 0.1633; the widest "
     "range is 0.4, topic '2', run 'A'."),
    # trec_eval and its kin.
    ("A.eval", A_EVAL, {}, "AP P@10", T301, "A", [[0.1], [0.2], [0.3]],
     "Left out (counts, not measures): 'num_rel', 'num_q'."),
    ("A.eval", A_EVAL, {}, "AP P@10", T301, "A", [[0.1], [0.2], [0.3]],
     "Left out (no row of a single topic): 'gm_map'."),
    ("A.eval", A_EVAL, {"measure": "P_10"}, "P@10", T301, "A", [[0.1], [0.2], [0.3]],
     "Of the measures only 'P_10' was read, as chosen; it is P@10 here. Left out: 'map'."),
    ("input.B2", "map 301 0.5\nmap 302 0.25\n", {}, "AP", "301 302", "input.B2", [[0.5], [0.25]],
     "The run is called 'input.B2', after the file."),
    ("A", "gm_map\t301\t-0.5\ngm_map\t302\t-1.5\n", {}, "GMAP", "301 302", "A", [[-0.5], [-1.5]],
     "Per topic 'gm_map' is the natural logarithm of the score (0 counted as 0.00001), not the score."),
    ("i.txt", "301\tP(rel=2)@5\t0.5\n302\tP(rel=2)@5\t0.2\nall\tP(rel=2)@5\t0.3", {}, "P(rel=2)@5", "301 302", "i",
     [[0.5], [0.2]], "Rows of topic, measure, value, as ir_measures writes them: 2 scores."),
    ("t.txt", "A map 301 .5\nA map 302 .3\nB map 301 .2\nB map 302 .1", {}, "AP", "301 302", AB, SQUARE,
     "Rows of run, measure, topic, value: 4 scores."),
    ("b.txt", "A 301 map .5\nA 302 map .3\nB 301 map .2\nB 302 map .1", {}, "AP", "301 302", AB, SQUARE,
     "Rows of run, topic, measure, value: 4 scores."),
    # Columns that are measures.
    ("g.csv", "runid,topic,ndcg@20,err@20\nA,1,.5,.1\nA,2,.3,.1\nA,amean,.4,.1\nB,1,.2,.1\nB,2,.1,.1", {},
     "nDCG@20 ERR@20", "1 2", AB, SQUARE, "1 summary row taken out: 'amean', which is no topic."),
    ("k_ap.csv", "topic,score\n1,0.5\n2,0.3", {}, "AP", "1 2", "k_ap", [[0.5], [0.3]],
     "A table of 2 rows of one run, whose columns are measures: 'score'."),
    ("rag.csv", RAG, {}, "faithfulness latency", "1 2", "rag", [[0.5], [0.7]], "Columns left out (text): 'answer'."),
    ("rag.csv", RAG, {"columns": ("faithfulness",)}, "faithfulness", "1 2", "rag", [[0.5], [0.7]],
     "Columns left out, as they were not chosen: 'latency', 'answer'."),
    ("rag.csv", RAG_TEXTS, {}, "faithfulness", "why,_though? how? when?", "rag", [[0.5], [0.7], [1.0]],
     "Columns left out (text): 'retrieved_contexts', 'response' (though 1 cell can be read as numbers)."),
    ("rag.csv", TWICE, {"repeats": "average"}, "faithfulness", "1 3", "rag", [[0.625], [0.1]],
     "1 cell with repeated scores (2 each) averaged: the standard deviation within a cell is 0.1768; the widest range "
     "is 0.25, topic '1', run 'rag'."),
    ("rag.csv", ",question,bleu\n0,why?,0.5\n1,how?,0.7\n", {}, "bleu", "why? how?", "rag", [[0.5], [0.7]],
     "Columns left out (ids): ''."),
    ("rag.jsonl", '{"topic": 1, "A": 0.5, "B": 0.2}\n{"topic": 2, "A": 0.3, "B": 0.1}', {}, "A B", "1 2", "rag",
     [[0.5], [0.3]], "None of these is the name of a known measure: if they are runs, choose the orientation."),
    ("rag.jsonl", '{"topic": 1, "A": 0.5, "B": 0.2}\n{"topic": 2, "A": 0.3, "B": 0.1}',
     {"orientation": "topics-by-runs"}, "score", "1 2", AB, SQUARE, "Each row is a JSON object."),
    # JSON.
    ("r.jsonl", '{"id": 1, "score": 0.5}\n{"id": 2, "score": 0.3}\n', {}, "score", "1 2", "r", [[0.5], [0.3]],
     "Each row is a JSON object."),
    ("r.jsonl", NESTED, {"missing": "zero"}, "scores.faithfulness scores.f1", "1 2", "r", [[0.5], [0]],
     "scores.faithfulness: 1 missing score was counted as 0, as chosen: topic '2', run 'r'."),
    ("r.json", '[{"query_id": "1", "measure": "AP", "value": 0.5},\n{"query_id": "2", "measure": "AP", "value": 1}]',
     {}, "AP", "1 2", "r", [[0.5], [1]], "Records of query_id, measure, value, as ir_measures writes them: 2 scores."),
    ("r.json", '[{"topic": 1, "run": "A", "score": 0.5}, {"topic": 2, "run": "A", "score": 1}]', {}, "score", "1 2",
     "A", [[0.5], [1]], "2 topics by 1 run."),
    ("ok.jsonl", '{"correct": true}\n{"correct": false}', {}, "correct", "1 2", "ok", [[1], [0]],
     "Each row is a JSON object, in which true is 1 and false is 0."),
    # Workbooks.
    ("w.xlsx", workbook({"AP": TABLE, "nDCG": TABLE}), {}, "AP nDCG", "1 2", AB, SQUARE,
     "The measure is AP, from the name of the sheet 'AP'."),
    ("w_ap.xlsx", workbook({"Sheet1": TABLE, "Sheet2": ()}), {}, "AP", "1 2", AB, SQUARE,
     "Empty sheets of w_ap.xlsx left out: 'Sheet2'."),
    ("w.xlsx", workbook({"AP": ((), (), *((None, *row) for row in TABLE))}), {}, "AP", "1 2", AB, SQUARE,
     "Cells are those of the sheet."),
    # Archives.
    ("w_ap.csv.gz", gzip.compress(WIDE.encode()), {}, "AP", "1 2", AB, SQUARE,
     "The measure is AP, from the end of the file name 'w_ap.csv.gz'."),
    ("two.csv.gz", gzip.compress(b"topic,A,B\n1,0.5,0.2\n") + gzip.compress(b"2,0.3,0.1\n"), {}, "score", "1 2", AB,
     SQUARE, "A wide table of 2 topics (rows) by 2 runs (columns)."),
    ("z.zip", zipped({"w.csv": WIDE, ".DS_Store": "x", "__MACOSX/w.csv": "x"}), {}, "score", "1 2", AB, SQUARE,
     "Left out of the archive: '.DS_Store', '__MACOSX/w.csv'."),
    ("z.zip", zipped({"d/w.csv.gz": gzip.compress(WIDE.encode())}), {}, "score", "1 2", AB, SQUARE,
     "Cells are separated by commas."),
    ("z.zip", zipped({"w.xlsx": workbook({"AP": TABLE})}), {}, "AP", "1 2", AB, SQUARE, "Cells are those of the sheet."),
    ("z.zip", zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4, 0.5, 0.6)}), {"measure": "AP"}, "AP", T301, AB,
     [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]], "2 files of one run each were joined into one table a measure."),
    ("z.zip", zipped({"A": A_EVAL, "B": trec_eval_output("A", 0.4, 0.5, 0.6)}), {"measure": "AP"}, "AP", T301, AB,
     [[0.1, 0.4], [0.2, 0.5], [0.3, 0.6]],
     "The row runid says 'A' in several files: these runs are named after the file."),
    ("z.zip", zipped({"A": A_EVAL, "B": trec_eval_output("B", 0.4, 0.5)}), {"measure": "AP", "missing": "drop-topics"},
     "AP", "301 302", AB, [[0.1, 0.4], [0.2, 0.5]],
     "1 topic dropped, as chosen, because scores of some runs were missing (1 in all): '303'."),
    # Missing scores, as chosen.
    ("m.csv", GAPS, {"missing": "drop-topics"}, "score", "2 4", "A B C", [[0.3, 0.1, 0.1], [0.1, 0.2, 0.1]],
     "2 topics dropped, as chosen, because scores of some runs were missing (2 in all): '1', '3'."),
    ("m.csv", GAPS, {"missing": "drop-runs"}, "score", "1 2 3 4", "C", [[0.1]] * 4,
     "2 runs dropped, as chosen, because scores of some topics were missing (2 in all): 'A', 'B'."),
    ("m.csv", GAPS, {"missing": "zero"}, "score", "1 2 3 4", "A B C",
     [[0.5, 0, 0.1], [0.3, 0.1, 0.1], [0, 0.4, 0.1], [0.1, 0.2, 0.1]],
     "2 missing scores were counted as 0, as chosen: topic '1', run 'B'; topic '3', run 'A'."),
]
# fmt: on


@pytest.mark.parametrize(
    ("file", "content", "choices", "measures", "topics", "systems", "scores", "said"),
    GOOD,
    ids=[f"{number}-{case[0]}" for number, case in enumerate(GOOD)],
)
def test_good_file_is_read_and_said(
    file: str,
    content: str | bytes,
    choices: dict[str, Any],
    measures: str,
    topics: str,
    systems: str,
    scores: list[list[float]],
    said: str,
) -> None:
    read = read_scores(content, file, choices=Choices(**choices))
    assert [matrix.measure for matrix in read.matrices] == measures.split()
    first = read.matrices[0]
    assert first.topics == tuple(topic.replace("_", " ") for topic in topics.split())
    assert first.systems == tuple(systems.split())
    assert first.scores == pytest.approx(np.array(scores))
    assert said in read.recognised
    assert len(read.said) == len(read.files) == len(read.matrices)


def test_a_collection_is_called_as_chosen() -> None:
    read = read_scores(WIDE, "w.csv", choices=Choices(collection="TREC-8"))
    assert read.matrices[0].name == "TREC-8"


def test_sheets_that_name_no_measure_are_collections() -> None:
    read = read_scores(workbook({"trec7": TABLE, "trec8": TABLE}), "my_ap.xlsx")
    assert [(matrix.name, matrix.measure) for matrix in read.matrices] == [
        ("my_ap, trec7", "AP"),
        ("my_ap, trec8", "AP"),
    ]
