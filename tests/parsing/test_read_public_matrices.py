"""Reading of every public matrix against the csv module, and what reading costs."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.parsing.plain_table import read_one
from tests.reference_data import reference_file, reference_matrix
from topicset_core.parsing import read_scores
from topicset_core.variance import one_way, two_way

# Name, topics, runs, measure, and the remarks expected: README of the reference data, "Oddities worth
# knowing". Identical runs that it does not mention were found by comparing columns with NumPy.
MATRICES = [
    ("sakai_20x3", 20, 3, "score", ()),
    ("brennan_synthetic4", 12, 10, "score", ("111 scores lie outside 0 to 1 (lowest 1, highest 9).",)),
    ("trec3_adhoc_ap", 50, 40, "AP", ()),
    ("trec8_adhoc_ap", 50, 129, "AP", ("'isa25t' and 'isa50t'; 'Mer8Adtd1' and 'Mer8Adtd2'.",)),
    ("trec8_adhoc_top96_ap", 50, 96, "AP", ("'Mer8Adtd1' and 'Mer8Adtd2'.",)),
    (
        "trec8_adhoc_p10",
        50,
        129,
        "P@10",
        ("'run27' and 'run28'; 'run57' and 'run59'; 'run69' and 'run70'.",),
    ),
    (
        "trec8_adhoc_rr",
        50,
        129,
        "RR",
        ("'run27' and 'run28'; 'run57' and 'run59'; 'run69' and 'run70'; 'run94' and 'run95'.",),
    ),
    ("robust2003_ap", 100, 78, "AP", ()),
    ("robust2004_ap", 249, 110, "AP", ("'pircRB04d3' and 'pircRB04d5'.",)),
    ("robust2004_p10", 249, 110, "P@10", ("'sys67' and 'sys69'.",)),
    ("robust2004_new_ndcg", 99, 110, "nDCG", ("'run67' and 'run69'.",)),
    *(
        (
            f"web2011_{measure}",
            50,
            62,
            name,
            ("'sys15' and 'sys45'; 'sys16' and 'sys47'; 'sys35' and 'sys60'; 'sys37' and 'sys61'.",),
        )
        for measure, name in (("ap", "AP"), ("p10", "P@10"), ("ndcg20", "nDCG@20"), ("err20", "ERR@20"))
    ),
    *(
        (f"web2012_{measure}", 50, 48, name, ("'sys5' and 'sys31'; 'sys6' and 'sys32'.",))
        for measure, name in (("ap", "AP"), ("p10", "P@10"), ("ndcg20", "nDCG@20"), ("err20", "ERR@20"))
    ),
    (
        "mq2007_top26_statap",
        1153,
        26,
        "statAP",
        ("73 scores lie outside 0 to 1 (lowest 0, highest 1.69403).",),
    ),
    ("dl2019_passage_ap", 43, 37, "AP", ()),
    ("dl2019_passage_p10", 43, 37, "P@10", ("'TUA1-1' and 'test1'.",)),
    ("dl2019_passage_ndcg10", 43, 37, "nDCG@10", ()),
]
SAME = "Runs with the same score on every topic: "


@pytest.mark.reference_data
@pytest.mark.parametrize(("name", "n_topics", "n_systems", "measure", "remarks"), MATRICES)
def test_reference_matrices_against_the_csv_module(
    name: str, n_topics: int, n_systems: int, measure: str, remarks: tuple[str, ...]
) -> None:
    read = read_scores(reference_file("matrices", f"{name}.csv").read_bytes(), f"{name}.csv")
    (matrix,) = read.matrices
    assert matrix.scores.shape == (n_topics, n_systems)
    assert matrix == reference_matrix(name, measure)  # ids, order and every score, exactly
    shape = f"A wide table of {n_topics:,} topics (rows) by {n_systems:,} runs (columns)."
    if measure == "score":
        origin = "The measure is not named, so it is called 'score'."
    else:
        origin = f"The measure is {measure}, from the end of the file name '{name}.csv'."
    expected_remarks = tuple(SAME + remark if remark.startswith("'") else remark for remark in remarks)
    assert read.recognised == (
        shape,
        "Topic ids come from the first column, 'topic'.",
        "Cells are separated by commas.",
        origin,
        *expected_remarks,
    )


@pytest.mark.reference_data
def test_every_reference_matrix_is_listed() -> None:
    folder = reference_file("matrices", "sakai_20x3.csv").parent
    assert sorted(path.stem for path in folder.glob("*.csv")) == sorted(row[0] for row in MATRICES)


@pytest.mark.reference_data
def test_a_run_may_be_named_1() -> None:
    matrix = read_one(reference_file("matrices", "trec8_adhoc_ap.csv").read_bytes(), "trec8_adhoc_ap.csv")
    assert matrix.systems[0] == "1"
    assert matrix.topics[0] == "401"


# ------------------------------------------------------------------------------------------------ speed


@pytest.mark.reference_data
def test_reading_and_variances_of_a_large_matrix_take_little_time() -> None:
    content = reference_file("matrices", "robust2004_ap.csv").read_bytes()
    start = time.process_time()
    matrix = read_one(content, "robust2004_ap.csv")
    one_way(matrix)
    two_way(matrix)
    # About 0.03 s; the bound is against a catastrophe only, on a busy machine.
    assert time.process_time() - start < 5


def test_importing_costs_little_more_than_numpy() -> None:
    code = (
        "import sys, topicset_core.parsing, topicset_core.variance, topicset_core.samples; "
        "heavy = {'openpyxl', 'pandas', 'scipy', 'streamlit'}; "
        "print(sorted({name.partition('.')[0] for name in sys.modules} & heavy))"
    )
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
