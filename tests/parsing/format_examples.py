"""Examples of every format, by the programs that write it where they can be installed.

Runs and judgments are drawn with a fixed seed. Where a program runs here, its own text is imported, and the
scores to be found are those of its Python functions, which no text came between. NTCIREVAL is C: its text follows
the shape in its README files.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.parsing.formats_drawn import (
    QRELS,
    RANKINGS,
    RUNS,
    TOPICS,
    Example,
    Table,
    drawn_scores,
    qrels_lines,
    rel,
    run_lines,
    table,
)

if TYPE_CHECKING:
    from pyNTCIREVAL import metrics

GAINS = (1, 3, 7)

# pyNTCIREVAL


def _labelled(topic: str, run: str) -> list[tuple[str, int | None]]:
    from pyNTCIREVAL import Labeler

    return Labeler(QRELS[topic]).label(RANKINGS[run][topic])


def _compute(topic: str, run: str, *options: str) -> str:
    """What `pyNTCIREVAL compute` prints."""
    from click.testing import CliRunner
    from pyNTCIREVAL.main import cli

    with tempfile.TemporaryDirectory() as folder:
        labelled = [
            f"{document}{'' if grade is None else f' L{grade}'}\n"
            for document, grade in _labelled(topic, run)
        ]
        Path(folder, "x.rel").write_text(rel(topic))
        Path(folder, "x.lab").write_text("".join(labelled))
        arguments = ["-r", f"{folder}/x.rel", "-g", ":".join(map(str, GAINS)), "--cutoffs", "5", *options]
        result = CliRunner().invoke(cli, ["compute", *arguments, f"{folder}/x.lab"], catch_exceptions=False)
    return result.output


def _of_pyntcireval(metric: "Callable[[list[int]], metrics.Metric]") -> list[list[float]]:
    from pyNTCIREVAL import Labeler

    def score(topic: str, run: str) -> float:
        counts = Labeler(QRELS[topic]).compute_per_level_doc_num(len(GAINS) + 1)
        return float(metric(counts).compute(_labelled(topic, run)))

    return table(score)


@cache
def _pyntcireval_scores() -> Mapping[str, Table]:
    from pyNTCIREVAL import metrics

    return {
        "AP": _of_pyntcireval(lambda counts: metrics.AP(counts, GAINS)),
        "Q@5": _of_pyntcireval(lambda counts: metrics.QMeasure(counts, GAINS, 1.0, 5)),
        "MSnDCG@5": _of_pyntcireval(lambda counts: metrics.MSnDCG(counts, GAINS, 5)),
        "original nDCG@5": _of_pyntcireval(lambda counts: metrics.nDCG(counts, GAINS, 2.0, 5)),
        "nERR@5": _of_pyntcireval(lambda counts: metrics.nERR(counts, GAINS, 5)),
        "P@5": _of_pyntcireval(lambda _: metrics.Precision(5)),
    }


@cache
def pyntcireval_all_topics() -> Example:
    files = [
        (f"{run}.nev", "".join(_compute(topic, run, "--out", topic) for topic in TOPICS)) for run in RUNS
    ]
    return Example(tuple(files), _pyntcireval_scores())


@cache
def pyntcireval_a_file_a_topic() -> Example:
    files = [(f"{topic}.{run}.nev", _compute(topic, run)) for run in RUNS for topic in TOPICS]
    return Example(tuple(files), _pyntcireval_scores())


# NTCIREVAL: printf("%s AP@%04ld=             %.4f\n", ...), values from the 22nd character after the topic.

_NTCIREVAL = (
    "RR",
    "O-measure",
    "AP",
    "Q-measure",
    "NCUgu,P",
    "EBR",
    "AP@0010",
    "nDCG@0010",
    "MSnDCG@0010",
    "nERR@0010",
)
_INTENTS = ("I-rec@n", "I-rec@0010", "D#-Q@0010", "D#-nDCG@0010")


def _ntcireval_lines(scores: Mapping[str, Table], run: int, *, with_intents: bool) -> str:
    lines = []
    for row, topic in enumerate(TOPICS):
        lines += [f"{topic} # syslen=8 jrel=5 jnonrel=4", f"{topic} # r1=1 rp=1"]
        for measure, values in scores.items():
            if measure == "I-rec@n":
                lines.append(f"{topic} #intent_num=2")
            lines.append(f"{topic} {measure + '=':<21}{values[row][run]:.4f}")
    assert with_intents == any("#intent_num" in line for line in lines)
    return "".join(f"{line}\n" for line in lines)


def ntcireval() -> Example:
    scores = drawn_scores(_NTCIREVAL, 1)
    files = [
        (f"{one}.test.nev", _ntcireval_lines(scores, run, with_intents=False)) for run, one in enumerate(RUNS)
    ]
    called = {
        "AP@10": "AP@0010",
        "Q": "Q-measure",
        "original nDCG@10": "nDCG@0010",
        "MSnDCG@10": "MSnDCG@0010",
    }
    return Example(tuple(files), {name: scores[written] for name, written in called.items()})


def ntcireval_diversity() -> Example:
    scores = drawn_scores(("AP", "Q@0010", "nDCG@0010", "MSnDCG@0010", *_INTENTS), 2)
    files = [
        (f"{one}.l10.Dnev", _ntcireval_lines(scores, run, with_intents=True)) for run, one in enumerate(RUNS)
    ]
    called = {"D-AP": "AP", "D-Q@10": "Q@0010", "D-nDCG@10": "MSnDCG@0010", "I-rec@n": "I-rec@n"}
    called |= {"I-rec@10": "I-rec@0010", "D#-Q@10": "D#-Q@0010", "D#-nDCG@10": "D#-nDCG@0010"}
    return Example(tuple(files), {name: scores[written] for name, written in called.items()})


def ntcireval_matrix() -> Example:
    scores = drawn_scores(("MSnDCG@0010",), 3)["MSnDCG@0010"]
    lines = [" ".join(f"{value:.4f}" for value in row) for row in scores]
    return Example((("MSnDCG@0010.tsmatrix", "\n".join(lines) + "\n"),), {"MSnDCG@10": scores})


# ir_measures

_IR_MEASURES = "AP nDCG@10 nDCG(dcg='exp-log2')@10 P(rel=2)@5 R@5 RR NumRet"


_CALLS = """
import contextlib, sys
from ir_measures.__main__ import main_cli
for run in %r:
    for format in ("tsv", "jsonl"):
        sys.argv = ["ir_measures", "qrels", run, %r, "-q", "-o", format]
        with open(f"{run}.{format}", "w") as file, contextlib.redirect_stdout(file):
            main_cli()
"""


@cache
def _ir_measures_outputs() -> Mapping[str, str]:
    """What ``ir_measures -q`` prints of each run in each format, by name of file; from one start of Python."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "qrels").write_text(qrels_lines())
        for run in RUNS:
            Path(folder, run).write_text(run_lines(run))
        # It goes through measures in the order of a set.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", _CALLS % (RUNS, _IR_MEASURES)]
        subprocess.run(command, check=True, cwd=folder, env=environment)
        return {path.name: path.read_text() for path in sorted(Path(folder).glob("*.*"))}


@cache
def _ir_measures_scores() -> Mapping[str, Table]:
    from ir_measures import AP, RR, P, R, iter_calc, nDCG

    # Measures as objects: to parse their names, ir_measures 0.4 uses ast.Num, which Python 3.12 deprecates.
    measures = {"AP": AP, "nDCG@10": nDCG @ 10, "nDCG(dcg='exp-log2')@10": nDCG(dcg="exp-log2") @ 10}
    measures |= {"P(rel=2)@5": P(rel=2) @ 5, "recall@5": R @ 5, "RR": RR}
    result = {}
    for run in RUNS:
        ranked = {t: {d: 100.0 - rank for rank, d in enumerate(of)} for t, of in RANKINGS[run].items()}
        for one in iter_calc(list(measures.values()), QRELS, ranked):
            result[run, one.query_id, one.measure] = float(one.value)
    return {
        name: [[result[run, topic, measure] for run in RUNS] for topic in TOPICS]
        for name, measure in measures.items()
    }


def ir_measures_tsv() -> Example:
    files = ((f"{run}.tsv", _ir_measures_outputs()[f"{run}.tsv"]) for run in RUNS)
    return Example(tuple(files), _ir_measures_scores())


def ir_measures_jsonl() -> Example:
    files = ((f"{run}.jsonl", _ir_measures_outputs()[f"{run}.jsonl"]) for run in RUNS)
    return Example(tuple(files), _ir_measures_scores())


def ir_measures_nearly_err() -> Example:
    """NERR8 needs another package to compute: the lines follow what ir_measures calls it."""
    from ir_measures import NERR8

    measure = NERR8(max_rel=3) @ 10
    scores = drawn_scores(("x",), 4)["x"]
    lines = [f"{topic}\t{measure}\t{row[0]:.4f}\n" for topic, row in zip(TOPICS, scores, strict=True)]
    return Example((("A.tsv", "".join(lines)),), {"NearlyERR8(max_rel=3)@10": [row[:1] for row in scores]})


# trec_eval, by pytrec_eval's numbers in trec_eval's columns


@cache
def trec_eval() -> Example:
    import pytrec_eval

    measures = ("map", "ndcg_cut_10", "num_rel")
    files, result = [], {}
    for run in RUNS:
        ranked = {t: {d: 100.0 - rank for rank, d in enumerate(of)} for t, of in RANKINGS[run].items()}
        scores = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "ndcg_cut.10", "num_rel"}).evaluate(ranked)
        result[run] = scores
        lines = [f"{m:<22}\t{t}\t{scores[t][m]:.4f}" for t in TOPICS for m in measures]
        lines += [f"{'runid':<22}\tall\t{run}"]
        lines += [f"{m:<22}\tall\t{np.mean([scores[t][m] for t in TOPICS]):.4f}" for m in measures]
        files.append((f"{run}.eval", "\n".join(lines) + "\n"))
    return Example(tuple(files), {"AP": table(lambda t, r: result[r][t]["map"])})
