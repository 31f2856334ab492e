"""Parameter values of runs, from tables and names; names of runs in a sweep."""

import gzip
from pathlib import Path

import pytest

from topicset_core.errors import InputError, ParseError
from topicset_core.parsing.parameter_values import read_parameter_table, settings_from_names
from topicset_core.parsing.sweep_runs import name_of_file, read_sweep_runs

RUNS = ("one", "two", "three")


def test_a_table_in_any_order_of_rows_and_columns() -> None:
    read = read_parameter_table("p.csv", "b,Run_ID,k1\n0.5,two,1\n.25,one,1.2\n1e0,three,2\n0,four,9\n", RUNS)
    assert read.settings.parameters == ("b", "k1")
    assert read.settings.systems == RUNS
    assert read.settings.values.tolist() == [[0.25, 1.2], [0.5, 1.0], [1.0, 2.0]]
    assert read.settings.said(0) == "b = 0.25, k1 = 1.2"
    assert read.said == ("p.csv: 'b', 'k1' of 3 runs.", "p.csv: 1 row of no run passed over: 'four'.")


def test_the_first_column_names_runs_where_no_header_does() -> None:
    read = read_parameter_table("p.tsv", "name\tmu\none\t100\ntwo\t200\nthree\t300\n", RUNS)
    assert read.settings.values.ravel().tolist() == [100, 200, 300]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("one,0.5\ntwo,0.6\nthree,1\n", 1, "expected a header with a column for the run"),
        ("run,b\none,0.5\ntwo,x\nthree,1\n", 3, "'x'"),
        ("run,b\none,0.5\ntwo,\nthree,1\n", 3, "found an empty cell"),
        ("run,b\none,0.5\ntwo,nan\nthree,1\n", 3, "nan"),
        ("run,b\none,0.5\ntwo,0.6\none,1\n", 4, "'one' again, which line 2 has already"),
        ("run,b\none,0.5\ntwo,0.6\n", None, "expected a row for each run, found none for 'three'"),
        ("run,b\none,0.5\ntwo,0.5\nthree,1\n", 3, "found the values of line 2 again"),
        ("run,b,b\none,0.5,1\ntwo,0.6,2\nthree,1,3\n", 1, "one twice"),
        ("run,b\none,0.5\ntwo,0.6,7\nthree,1\n", 3, "expected 2 cells"),
        ("run\none\ntwo\nthree\n", None, ""),
        ("run,b\n", None, "expected a row for each run"),
        (" \n", None, "expected a header and a row for each run, found an empty file"),
    ],
)
def test_bad_tables_are_refused_at_their_line(text: str, line: int | None, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_parameter_table("p.csv", text, RUNS)
    assert caught.value.file == "p.csv"
    if line is not None:
        assert caught.value.line == line
    assert said in str(caught.value)


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


def test_what_was_read_from_names_is_said() -> None:
    assert settings_from_names(("bm25_b0.75", "bm25_b0.5")).said == (
        "Values of 'b' were read from the names of the runs: bm25_b0.75 is b = 0.75.",
    )


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("alpha", "beta"), "found none"),
        (("x_b1", "y_b1"), "that differ between runs, found the same in all: 'b'"),
        (("bm25", "bm25x"), "expected the same parameters"),
        (("b0.5", "c0.5"), "found 'c' here and 'b' in 'b0.5'"),
        (("k1_1.2", "b0.5"), "found 'b' here and 'k1' in 'k1_1.2'"),
        (("x_b0.5", "y_b0.5", "y_b1"), "found the values of 'x_b0.5' again"),
    ],
)
def test_names_without_values_are_refused(names: tuple[str, ...], said: str) -> None:
    with pytest.raises(ParseError, match="run '") as caught:
        settings_from_names(names)
    assert said in str(caught.value)


def test_one_run_is_no_sweep() -> None:
    with pytest.raises(ParseError, match=r"runs: expected at least 2 runs to choose between, found 'b0\.5'"):
        settings_from_names(("b0.5",))


def _run(tag: str) -> bytes:
    return f"1 Q0 a 1 2.0 {tag}\n1 Q0 b 2 1.0 {tag}\n".encode()


def test_runs_keep_tags_that_differ_and_else_have_the_names_of_their_files(tmp_path: Path) -> None:
    tagged = read_sweep_runs([("x/a.txt", _run("A")), ("x/b.txt", _run("B"))])
    assert [run.tag for run in tagged.runs] == ["A", "B"]
    packed = tmp_path / "bm25_b1.run.gz"
    packed.write_bytes(gzip.compress(_run("same")))
    named = read_sweep_runs([("x/bm25_b0.75.txt", _run("same")), (str(packed), packed)])
    assert [run.tag for run in named.runs] == ["bm25_b0.75", "bm25_b1"]
    assert named.said[-1] == "Runs share tags, so they are called as their files."


def test_runs_that_nothing_tells_apart_are_refused() -> None:
    with pytest.raises(ParseError, match="a tag or a file name of its own"):
        read_sweep_runs([("x/a.txt", _run("same")), ("y/a.txt", _run("same"))])
    with pytest.raises(ParseError, match="found none"):
        read_sweep_runs([])
    with pytest.raises(ParseError, match=r"a\.txt"):
        read_sweep_runs([("a.txt", b"no run")])


def test_names_of_files() -> None:
    assert name_of_file("runs/bm25_b0.75.txt.gz") == "bm25_b0.75"
    assert name_of_file("C:\\runs\\b.5") == "b.5"


def test_settings_of_other_runs_are_refused() -> None:
    settings = settings_from_names(("b1", "b2")).settings
    assert settings.of(["b2"]).values.tolist() == [[2.0]]
    with pytest.raises(InputError, match="must have values of the parameters"):
        settings.of(["b3"])
