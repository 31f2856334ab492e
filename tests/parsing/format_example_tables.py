"""Examples of tables, by their documented shapes: by hand, of gdeval, ndeval, NewBestSub, evaluators of answers."""

import json
from functools import cache

import numpy as np

from tests.parsing.formats_drawn import INTENTS, QRELS, RANKINGS, RUNS, TOPICS, Example, drawn_scores

# The web track


def gdeval() -> Example:
    """Two outputs one after the other, each with its header, as `cat` leaves them."""
    scores = drawn_scores(("ndcg@20", "err@20"), 5)
    lines = []
    for run, tag in enumerate(RUNS):
        lines += ["runid,topic,ndcg@20,err@20"]
        rows = [[values[row][run] for values in scores.values()] for row in range(len(TOPICS))]
        for topic, row in zip(("1", "2", "3"), rows, strict=True):
            lines.append(f"{tag},{topic}," + ",".join(f"{value:.5f}" for value in row))
        lines.append(f"{tag},amean," + ",".join(f"{value:.5f}" for value in np.mean(rows, axis=0)))
    return Example(
        (("gdeval.csv", "\n".join(lines) + "\n"),), {"nDCG@20": scores["ndcg@20"], "ERR@20": scores["err@20"]}
    )


_NDEVAL = (
    "ERR-IA@5",
    "nERR-IA@5",
    "alpha-DCG@5",
    "alpha-nDCG@5",
    "NRBP",
    "nNRBP",
    "MAP-IA",
    "P-IA@5",
    "strec@5",
)


@cache
def ndeval() -> Example:
    """Columns as ndeval.c writes them, numbers by its Python port."""
    import pyndeval

    judged = [
        pyndeval.SubtopicQrel(topic, str(INTENTS[topic][document]), document, int(grade > 0))
        for topic in TOPICS
        for document, grade in QRELS[topic].items()
    ]
    files, result = [], {}
    for run in RUNS:
        ranked = [
            pyndeval.ScoredDoc(topic, document, 100.0 - rank)
            for topic in TOPICS
            for rank, document in enumerate(RANKINGS[run][topic])
        ]
        scores = result[run] = pyndeval.ndeval(judged, ranked, measures=_NDEVAL)
        rows = {topic: [scores[topic][measure] for measure in _NDEVAL] for topic in TOPICS}
        rows["amean"] = np.mean(list(rows.values()), axis=0).tolist()
        lines = [f"{run},{topic}," + ",".join(f"{value:.6f}" for value in row) for topic, row in rows.items()]
        files.append((f"{run}.ndeval", "\n".join([",".join(("runid", "topic", *_NDEVAL)), *lines]) + "\n"))
    together = "".join(
        content if not place else content.split("\n", 1)[1] for place, (_, content) in enumerate(files)
    )
    scores = {
        measure: [[result[run][topic][measure] for run in RUNS] for topic in TOPICS] for measure in _NDEVAL
    }
    return Example((("ndeval.csv", together),), scores)


# Tables


def newbestsub() -> Example:
    scores = drawn_scores(("x",), 6)["x"]
    rows = [f"{run}, " + ", ".join(f"{row[place]:.2f}" for row in scores) for place, run in enumerate(RUNS)]
    rounded = [[round(value, 2) for value in row] for row in scores]
    return Example((("AH99_ap.csv", "\n".join([", t1, t2, t3", *rows]) + "\n"),), {"AP": rounded})


def wide() -> Example:
    scores = drawn_scores(("x",), 7)["x"]
    rows = [f"{topic},{row[0]},{row[1]}" for topic, row in zip(TOPICS, scores, strict=True)]
    return Example((("trec_ap.csv", "\n".join(["topic,A,B", *rows]) + "\n"),), {"AP": scores})


def wide_in_groups() -> Example:
    """The same with the conversation of each topic."""
    ((_, text),), scores = wide()
    header, *rows = text.splitlines()
    grouped = [f"{group},{row}" for group, row in zip(("31", "31", "32"), rows, strict=True)]
    return Example((("turns_ap.csv", "\n".join([f"conversation,{header}", *grouped, ""])),), scores)


def long() -> Example:
    scores = drawn_scores(("x",), 8)["x"]
    rows = [f"{t},{r},{scores[i][j]}" for i, t in enumerate(TOPICS) for j, r in enumerate(RUNS)]
    return Example((("long.csv", "\n".join(["topic,run,score", *rows]) + "\n"),), {"score": scores})


def leaderboard() -> Example:
    scores = drawn_scores(("map", "P_10"), 9)
    rows = [
        f"{r} {t} {m} {v[i][j]}"
        for m, v in scores.items()
        for j, r in enumerate(RUNS)
        for i, t in enumerate(TOPICS)
    ]
    return Example(
        (("leaderboard.txt", "\n".join(rows) + "\n"),), {"AP": scores["map"], "P@10": scores["P_10"]}
    )


def evaluator_of_answers() -> Example:
    scores = drawn_scores(("faithfulness", "answer_relevancy"), 10)
    records = [
        {"question_id": t, "answer": "…", **{m: v[i][0] for m, v in scores.items()}}
        for i, t in enumerate(TOPICS)
    ]
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return Example((("rag.jsonl", lines),), {m: [row[:1] for row in v] for m, v in scores.items()})
