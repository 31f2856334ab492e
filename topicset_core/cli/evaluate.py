"""``evaluate``: from runs and judgments to score matrices."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from topicset_core.analyses.run_evaluation import Evaluation, Request, evaluate
from topicset_core.analyses.run_evaluation.report import report
from topicset_core.cli import files as of_files
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix, select
from topicset_core.collection.judged_runs import join
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.columns import aligned
from topicset_core.exports.findings import texts
from topicset_core.measures import KNOWN
from topicset_core.parsing.trec.intents import read_probabilities
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs
from topicset_core.parsing.trec.track import with_probabilities


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``evaluate``."""
    parser.description = (
        "Scores of TREC runs on all judged topics, with trec_eval's order of documents and by "
        "default its conventions. Measures (k is a rank): "
        f"{', '.join(KNOWN)}; names of trec_eval, such as map or ndcg_cut_10, are accepted, too."
    )
    parser.add_argument(
        "--qrels",
        "--qrels-human",
        "--qrels-model",
        dest="qrels",
        action="append",
        required=True,
        metavar="FILE",
        help="relevance judgments: TREC, BEIR or NTCIR; by intent where documents have lines that differ in "
        "TREC's second column; gz; repeatable: the runs are scored by each set, under the same conventions",
    )
    parser.add_argument(
        "--intent-probabilities",
        metavar="FILE",
        help="lines of topic, intent and probability; without it intents are equally likely",
    )
    parser.add_argument(
        "--run",
        dest="runs",
        action="extend",
        nargs="+",
        required=True,
        metavar="FILE",
        help="a run, or an archive of runs; gz, zip, tar; repeatable",
    )
    for one in Request.declared():
        common.add_parameter(parser, one.parameter, one.default)
    common.add_score_precision(parser)
    common.add_conventions(parser)
    common.add_selection(parser)
    of_files.add_groups(parser, join=False)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.csv",
        help="write the matrix; with several measures one file per measure, for example FILE_AP.csv",
    )
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answer[list[Evaluation]]:
    """Write the matrices, and return mean scores and conventions as text and as a record."""
    sets = [read_qrels(file, Path(file).read_bytes()) for file in options.qrels]
    if options.intent_probabilities is not None:
        file = options.intent_probabilities
        probabilities = read_probabilities(file, Path(file).read_bytes())
        sets = [with_probabilities(one, probabilities) for one in sets]
    read = read_runs([(file, Path(file)) for file in options.runs], precision=options.score_precision)
    if read.errors:
        raise read.errors[0]
    request = replace(Request.of(vars(options)), conventions=common.conventions(options))
    selected = [
        select(join(read.runs, one.qrels), *common.selection(options), common.SELECTIONS) for one in sets
    ]
    judged, chosen = [one for one, _ in selected], selected[0][1]
    results = [evaluate(one, request) for one in judged]
    results = [replace(one, matrices=of_files.in_groups(options, one.matrices)) for one in results]
    recognised = [
        *(text for one in sets for text in one.notes),
        *(text for one in read.items for text in one.notes),
        *read.notes,
        *of_files.notes_on_groups(options, (matrix for one in results for matrix in one.matrices)),
        *dict.fromkeys(text for _, one in selected for text in one.notes),
        *common.level_notes(request.conventions.relevance_level, judged),
    ]
    files = _written([one for result in results for one in result.matrices], options.output)
    made = report(results, judged, selection=chosen)
    tables = [line for one in results for line in ("", *_means(one, len(results) > 1))]
    written = [f"{measure}: written to {file}." for measure, file in files.items()]
    first, notes = (  # notes below the table, as they are many
        texts([one for one in made.findings if bool(one.tab) == is_note], "terminal")
        for is_note in (False, True)
    )
    text = "\n".join([*first, *tables, "", *recognised, "", *notes, *written])
    return common.printed(text, made, results, recognised=recognised, files=files)


def _written(matrices: Sequence[ScoreMatrix], output: Path | None) -> dict[str, str]:
    """Write each matrix, and return the files by measure, with the judgments where there are several sets."""
    if output is None:
        return {}
    if output.is_dir() or not output.name:
        raise InputError("--output", str(output), "must be a file")
    is_of_one_set = len({one.name for one in matrices}) == 1
    names = [one.measure if is_of_one_set else f"{one.name}_{one.measure}" for one in matrices]
    if len(set(names)) < len(names):
        raise InputError("--qrels", names[0].rpartition("_")[0], "must be files with different names")
    paths = {
        name: output if len(names) == 1 else output.with_name(f"{output.stem}_{name}{output.suffix}")
        for name in names
    }
    for name, matrix in zip(names, matrices, strict=True):
        paths[name].write_bytes(matrix.to_csv().encode())
    return {name: str(path) for name, path in paths.items()}


def _means(result: Evaluation, is_one_of_several: bool) -> list[str]:
    """Return the lines of the table of means."""
    heading = f"mean by {result.collection}" if is_one_of_several else "mean of"
    means: dict[str, list[object]] = {heading: [run.system for run in result.runs]}
    means |= {one.measure: one.scores.mean(axis=0).tolist() for one in result.matrices}
    return aligned(means, ".4f")
