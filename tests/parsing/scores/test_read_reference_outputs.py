"""Outputs of trec_eval and files with one column per measure against the csv module and computed matrices."""

import csv
import gzip
import io
import re

import numpy as np
import pytest

from tests.parsing.packed import zipped
from tests.reference_data import reference_file, reference_matrix
from topicset_core.parsing import Choices, read_score_files, read_scores

OUTPUTS = (
    "expected_all_trec_per_topic.txt",
    "expected_all_trec_per_topic_graded_level2.txt",
    "expected_all_trec_per_topic_truncated_c.txt",
)
NAMES = {"map": "AP", "recip_rank": "RR", "ndcg": "nDCG", "ndcg_cut_10": "nDCG@10", "P_10": "P@10"}
NAMES |= {"map_cut_100": "AP@100", "recall_1000": "recall@1000", "success_1": "success@1", "rbp": "RBP"}
NAMES |= {name: name for name in ("Rprec", "bpref", "infAP", "iprec_at_recall_0.00", "utility", "11pt_avg")}


@pytest.mark.reference_data
@pytest.mark.parametrize("file", OUTPUTS)
def test_trec_eval_outputs_against_the_csv_module(file: str) -> None:
    content = reference_file("trec", "trec_eval_test", file).read_bytes()
    rows = [
        (name.strip(), topic, value)
        for name, topic, value in csv.reader(io.StringIO(content.decode()), delimiter="\t")
    ]
    single = [row for row in rows if row[1] != "all"]
    expected: dict[str, list[float]] = {}
    for name, _, value in single:
        if not name.startswith(("num_", "relstring", "rbp_resid", "unj_")):
            expected.setdefault(name, []).append(float(value))
    read = read_scores(content, file)
    assert len(read.matrices) == len(expected) == 87
    by_measure = {matrix.measure: matrix for matrix in read.matrices}
    for written, name in NAMES.items():
        matrix = by_measure[name]
        assert matrix.systems == ("STANDARD",)
        assert matrix.topics == ("301", "302", "303")
        assert matrix.scores.ravel().tolist() == expected[written]
    # In their order every measure is there, whatever its name.
    assert [matrix.scores.ravel().tolist() for matrix in read.matrices] == list(expected.values())
    (left_out,) = [note for note in read.recognised if "'gm_map'" in note]
    assert re.findall(r"'([^']*)'", left_out) == ["gm_map", "gm_bpref"]


@pytest.mark.reference_data
def test_means_of_imported_scores_against_the_summary_of_trec_eval() -> None:
    file = OUTPUTS[0]
    content = reference_file("trec", "trec_eval_test", file).read_bytes()
    summary = {
        line.split("\t")[0].strip(): line.split("\t")[2]
        for line in content.decode().splitlines()
        if "\tall\t" in line
    }
    for measure in ("map", "Rprec", "bpref", "infAP", "ndcg"):
        (matrix,) = read_scores(content, file, measure).matrices
        # Both are rounded to 4 digits: the mean of 3 rounded scores, and trec_eval's mean.
        assert matrix.scores.mean() == pytest.approx(float(summary[measure]), abs=1e-4)


@pytest.mark.reference_data
def test_outputs_of_three_commands_are_distinguished_by_file_names() -> None:
    files = [(file, reference_file("trec", "trec_eval_test", file).read_bytes()) for file in OUTPUTS]
    read = read_score_files(files, Choices(measure="map"))
    (matrix,) = read.matrices
    assert matrix.systems == tuple(file.removesuffix(".txt") for file in OUTPUTS)
    assert read.files == (OUTPUTS,)
    assert not read.errors


@pytest.mark.reference_data
@pytest.mark.parametrize(
    ("measure", "name"),
    [("ap", "dl2019_passage_ap"), ("P_10", "dl2019_passage_p10"), ("ndcg_cut_10", "dl2019_passage_ndcg10")],
)
def test_columns_of_measures_against_the_computed_matrices(measure: str, name: str) -> None:
    content = reference_file("trec", "dl2019-passage", "trec_eval_per_topic.csv.gz").read_bytes()
    (matrix,) = read_scores(content, "trec_eval_per_topic.csv.gz", measure).matrices
    computed = reference_matrix(name)
    topics = [matrix.topics.index(topic) for topic in computed.topics]
    systems = [matrix.systems.index(system) for system in computed.systems]
    assert matrix.scores[np.ix_(topics, systems)] == pytest.approx(computed.scores, abs=5e-5)


@pytest.mark.reference_data
def test_a_zip_with_one_file_per_run_is_the_table_of_all_runs() -> None:
    content = reference_file("trec", "dl2019-passage", "trec_eval_per_topic.csv.gz").read_bytes()
    header, *rows = gzip.decompress(content).decode().splitlines()
    files: dict[str, list[str]] = {}
    for row in rows:
        run, rest = row.split(",", 1)
        files.setdefault(run, [header.removeprefix("run,")]).append(rest)
    whole = read_scores(content, "all.csv.gz", "ap")
    archive = zipped({f"dl/{run}.csv": "\n".join(lines) for run, lines in files.items()})
    joined = read_scores(archive, "all.zip", "ap")
    assert joined.matrices == whole.matrices
    assert len(joined.files[0]) == 37
