"""Valid choices, and refusals of all others."""

import pickle

import pytest

from topicset_core.errors import InputError
from topicset_core.parsing import Choices, MissingScores, RepeatedScores


@pytest.mark.parametrize(
    ("chosen", "parameter"),
    [
        ({"orientation": "sideways"}, "orientation"),
        ({"missing": "guess"}, "missing"),
        ({"repeats": "first"}, "repeats"),
        ({"columns": ()}, "columns"),
        ({"columns": "AP"}, "columns"),
    ],
)
def test_unknown_choices_are_refused(chosen: dict[str, object], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        Choices(**chosen)  # type: ignore[arg-type]
    assert caught.value.parameter == parameter


def test_without_choices_ambiguous_scores_are_refused() -> None:
    assert Choices() == Choices(
        orientation="auto", measure=None, collection=None, missing="refuse", repeats="refuse", columns=None
    )


@pytest.mark.parametrize("kind", [MissingScores, RepeatedScores])
def test_errors_with_cells_survive_pickling(
    kind: type[MissingScores] | type[RepeatedScores],
) -> None:
    error = kind("x.csv", 3, "expected one score", (("1", "A"),), 7, ", or choose")
    assert str(error) == "x.csv, line 3: expected one score, or choose"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.cells, again.n_cells) == (kind, str(error), error.cells, 7)
    assert (again.without_choice, again.choice) == ("expected one score", ", or choose")
