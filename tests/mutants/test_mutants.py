"""Small faults: which are made of a file, and that tests are told from those that find nothing."""

import ast
from pathlib import Path

import pytest

from tests.mutants import __main__ as command
from tests.mutants.mutations import drawn, mutations

SOURCE = '''"""A text with 1 + 1."""


def share(part: int, whole: int = 4) -> float:
    """Return a share, at most 1."""
    if part < 0 or not whole:
        raise ValueError(f"{part + 1} is refused")
    return min(
        part / whole,
        1.0,
    )
'''

# By hand: what the operators of `mutations` say of each expression; no text, annotation or message is among them.
EXPECTED = {
    ("4", "5"),
    ("part < 0 or not whole", "part < 0 and (not whole)"),
    ("part < 0", "part <= 0"),
    ("part < 0", "part >= 0"),
    ("0", "1"),
    ("not whole", "whole"),
    ("min(\n        part / whole,\n        1.0,\n    )", "None"),
    ("part / whole", "part * whole"),
    ("1.0", "2.0"),
}


def test_faults_of_a_file() -> None:
    found = mutations(SOURCE)
    assert len(found) == len(EXPECTED)
    assert {(mutation.before, mutation.after) for mutation in found} == EXPECTED


@pytest.mark.parametrize("mutation", mutations(SOURCE), ids=str)
def test_a_fault_is_one_expression_and_moves_no_line(mutation) -> None:
    changed = mutation.applied(SOURCE)
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))
    assert changed.count("\n") == SOURCE.count("\n")
    assert changed.splitlines()[: mutation.line - 1] == SOURCE.splitlines()[: mutation.line - 1]


def test_columns_are_bytes() -> None:
    (fault,) = mutations('label = "σ²", 1\n')
    assert fault.applied('label = "σ²", 1\n') == 'label = "σ²", (2)\n'


def test_a_seed_draws_the_same_faults() -> None:
    assert drawn(SOURCE, 4, 1) == drawn(SOURCE, 4, 1)
    assert any(drawn(SOURCE, 4, 1) != drawn(SOURCE, 4, seed) for seed in range(2, 6))
    places = [(mutation.start, mutation.end) for mutation in drawn(SOURCE, 100, 1)]
    assert len(places) == len(set(places)) == 8  # of the nine, the two of "part < 0" are at one place


@pytest.mark.slow
def test_found_faults_are_told_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The test sees the sum, and not the edge."""
    monkeypatch.setattr(command, "REPOSITORY", tmp_path)
    source = "def rest(a, b):\n    return a - b\n\n\ndef is_below(a):\n    return a < 7\n"
    test = (
        "from topicset_core.designs.small import is_below, rest\n\n\n"
        "def test_rest():\n    assert rest(3, 1) == 2\n\n\n"
        "def test_is_below():\n    assert is_below(2) is True\n    assert is_below(9) is False\n"
    )
    files = {
        "topicset_core/designs/small.py": source,
        "tests/designs/test_other.py": "def test_other():\n    pass\n",
        "tests/designs/test_small.py": test,
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n'
        'markers = ["slow: s", "browser: b", "cluster: c"]\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    file = Path("topicset_core/designs/small.py")
    assert command.room(file) == ["tests/designs/test_small.py", "tests/designs/test_other.py"]

    command.main([str(tmp_path / file), "100", "3"])
    lines = capsys.readouterr().out.splitlines()
    # With seed 3 the faults are one of each: "a - b", "a < 7" and its 7.
    verdicts = {line.split(maxsplit=1)[1]: line.split()[0] for line in lines[:-1:2]}
    assert (
        verdicts.pop("line 2: a - b  ->  a + b", None) or verdicts.pop("line 2: a - b  ->  None") == "killed"
    )
    assert verdicts.pop("line 6: 7  ->  8") == "SURVIVED"
    ((edge, verdict),) = verdicts.items()
    assert verdict == ("SURVIVED" if edge == "line 6: a < 7  ->  a <= 7" else "killed")
    assert lines[-1].startswith("topicset_core/designs/small.py: 3 faults")
    assert (tmp_path / file).read_text("utf-8") == source
