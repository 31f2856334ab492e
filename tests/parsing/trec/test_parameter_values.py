"""Parameter values of runs, from tables and names; names of runs in a sweep."""

import gzip
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.refusals import refusals, refused, unread
from tests.words import numbers_in
from topicset_core.errors import ParseError
from topicset_core.parsing.names import name_of_file
from topicset_core.parsing.trec.sweep import (
    read_parameter_table,
    read_sweep_runs,
    settings_from_names,
    settings_of_runs,
)

RUNS = ("one", "two", "three")


def test_a_table_in_any_order_of_rows_and_columns(golden: SnapshotAssertion) -> None:
    read = read_parameter_table("p.csv", "b,Run_ID,k1\n0.5,two,1\n.25,one,1.2\n1e0,three,2\n0,four,9\n", RUNS)
    assert read.settings.parameters == ("b", "k1")
    assert read.settings.systems == RUNS
    assert read.settings.values.tolist() == [[0.25, 1.2], [0.5, 1.0], [1.0, 2.0]]
    assert read.settings.text(0) == "b = 0.25, k1 = 1.2"
    assert [numbers_in(note)[-1] for note in read.notes] == [3, 1]  # runs; rows of no run
    assert " ".join(read.notes) == golden


def test_the_first_column_names_runs_where_no_header_does() -> None:
    read = read_parameter_table("p.tsv", "name\tmu\none\t100\ntwo\t200\nthree\t300\n", RUNS)
    assert read.settings.values.ravel().tolist() == [100, 200, 300]


BAD: dict[str, tuple[str, int | None]] = {
    "no-header": ("one,0.5\ntwo,0.6\nthree,1\n", 1),
    "text": ("run,b\none,0.5\ntwo,x\nthree,1\n", 3),
    "empty-cell": ("run,b\none,0.5\ntwo,\nthree,1\n", 3),
    "nan": ("run,b\none,0.5\ntwo,nan\nthree,1\n", 3),
    "run-twice": ("run,b\none,0.5\ntwo,0.6\none,1\n", 4),
    "run-missing": ("run,b\none,0.5\ntwo,0.6\n", None),
    "values-twice": ("run,b\none,0.5\ntwo,0.5\nthree,1\n", 3),
    "column-twice": ("run,b,b\none,0.5,1\ntwo,0.6,2\nthree,1,3\n", 1),
    "cell-too-many": ("run,b\none,0.5\ntwo,0.6,7\nthree,1\n", 3),
    "no-parameter": ("b\none\ntwo\nthree\n", 1),
    "header-alone": ("run,b\n", None),
    "empty": (" \n", None),
}


def test_bad_tables_are_refused_at_their_line(golden: SnapshotAssertion) -> None:
    assert refusals(lambda text: read_parameter_table("p.csv", text, RUNS), BAD, "p.csv") == golden


@pytest.mark.parametrize(
    ("names", "parameters", "values"),
    [
        (("bm25_b0.75", "bm25_b0.5"), ("b",), [[0.75], [0.5]]),
        (("pl2_c=1.5", "pl2_c=10"), ("c",), [[1.5], [10]]),
        (("b_0.75,k1=1.2", "b_0.5,k1=2"), ("b", "k1"), [[0.75, 1.2], [0.5, 2]]),
        (("k1_1.2 b0", "k1_0.9 b0"), ("k1",), [[1.2], [0.9]]),
        (("x-b.5", "x-b1e-3"), ("b",), [[0.5], [0.001]]),
        (("w=-1", "w=2"), ("w",), [[-1], [2]]),
        (("bm25_b0.75_bo1_3d10t_d3", "bm25_b0.75_bo1_3d10t_d4"), ("d",), [[3], [4]]),
    ],
)
def test_values_in_names(
    names: tuple[str, ...], parameters: tuple[str, ...], values: list[list[float]]
) -> None:
    settings = settings_from_names(names).settings
    assert settings.parameters == parameters
    assert settings.values.tolist() == values


def test_values_from_names_are_reported(golden: SnapshotAssertion) -> None:
    (note,) = settings_from_names(("bm25_b0.75", "bm25_b0.5")).notes
    assert note == golden


@pytest.mark.parametrize(
    ("names", "at"),
    [
        pytest.param(("alpha", "beta"), "alpha", id="no-values"),
        pytest.param(("x_b1", "y_b1"), "x_b1", id="one-value"),
        pytest.param(("input.run1", "input.run2"), "input.run1", id="numbers-of-runs"),
        pytest.param(("run_1", "run_2"), "run_1", id="numbers-of-runs-apart"),
        pytest.param(("bm25", "bm25x"), "bm25x", id="other-parameters"),
        pytest.param(("b0.5", "c0.5"), "c0.5", id="c-and-b"),
        pytest.param(("k1_1.2", "b0.5"), "b0.5", id="b-and-k1"),
        pytest.param(("x_b0.5", "y_b0.5", "y_b1"), "y_b0.5", id="values-twice"),
    ],
)
def test_names_without_values_are_refused(names: tuple[str, ...], at: str, golden: SnapshotAssertion) -> None:
    error = unread(settings_from_names, names)
    assert repr(at) in error.file
    assert str(error) == golden


def test_runs_without_values_are_settings_only_where_a_table_says_so(golden: SnapshotAssertion) -> None:
    assert str(unread(settings_of_runs, RUNS)) == golden
    read = settings_of_runs(RUNS, ("p.csv", b"run\none\ntwo\nthree\n"))
    assert (read.settings.parameters, read.settings.systems) == ((), tuple(RUNS))
    assert read.notes == golden
    with pytest.raises(ParseError, match="'three'"):  # a run that the table lacks
        settings_of_runs(RUNS, ("p.csv", b"run\none\ntwo\n"))


def test_one_run_is_no_sweep(golden: SnapshotAssertion) -> None:
    error = unread(settings_from_names, ("b0.5",))
    assert 2 in numbers_in(error.expected)  # runs at least
    assert str(error) == golden


def _run(tag: str) -> bytes:
    return f"1 Q0 a 1 2.0 {tag}\n1 Q0 b 2 1.0 {tag}\n".encode()


def test_runs_keep_tags_that_differ_and_else_have_the_names_of_their_files(
    tmp_path: Path, golden: SnapshotAssertion
) -> None:
    tagged = read_sweep_runs([("x/a.txt", _run("A")), ("x/b.txt", _run("B"))])
    assert [run.tag for run in tagged.runs] == ["A", "B"]
    packed = tmp_path / "bm25_b1.run.gz"
    packed.write_bytes(gzip.compress(_run("same")))
    named = read_sweep_runs([("x/bm25_b0.75.txt", _run("same")), (str(packed), packed)])
    assert [run.tag for run in named.runs] == ["bm25_b0.75", "bm25_b1"]
    assert len(named.notes) == len(tagged.notes) + 1
    assert named.notes[-1] == golden


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([("x/a.txt", _run("same")), ("y/a.txt", _run("same"))], id="same-tag-and-name"),
        pytest.param([], id="none"),
        pytest.param([("a.txt", b"no run")], id="no-run"),
    ],
)
def test_runs_without_unique_names_are_refused(
    files: list[tuple[str, bytes]], golden: SnapshotAssertion
) -> None:
    assert str(unread(read_sweep_runs, files)) == golden


def test_names_of_files() -> None:
    assert name_of_file("runs/bm25_b0.75.txt.gz") == "bm25_b0.75"
    assert name_of_file("C:\\runs\\b.5") == "b.5"


def test_settings_of_other_runs_are_refused(golden: SnapshotAssertion) -> None:
    settings = settings_from_names(("b1", "b2")).settings
    assert settings.of(["b2"]).values.tolist() == [[2.0]]
    error = refused(settings.of, ["b3"])
    assert (error.parameter, error.value) == ("run", "b3")
    assert str(error) == golden


def test_thousands_separators_in_parameter_values_are_refused(golden: SnapshotAssertion) -> None:
    error = unread(read_parameter_table, "p.tsv", "run\tmu\nA\t1,000\nB\t2,500\n", ["A", "B"])
    assert (error.file, error.line) == ("p.tsv", 2)
    assert {1, 1000} <= set(numbers_in(error.expected))  # what it may be
    assert str(error) == golden


def test_decimal_commas_of_parameters_are_reported(golden: SnapshotAssertion) -> None:
    read = read_parameter_table("p.csv", "run;b;k1\nA;0,3;1\nB;0,5;1\n", ["A", "B"])
    assert read.settings.values.tolist() == [[0.3, 1], [0.5, 1]]
    assert " ".join(read.notes) == golden
