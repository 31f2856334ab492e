"""What can be chosen, and that anything else is refused."""

import pytest

from topicset_core.errors import InputError
from topicset_core.parsing import Choices


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


def test_no_choice_refuses_and_does_nothing() -> None:
    assert Choices() == Choices(
        orientation="auto", measure=None, collection=None, missing="refuse", repeats="refuse", columns=None
    )
