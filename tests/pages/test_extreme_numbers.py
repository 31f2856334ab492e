"""Numbers of a link as large and as small as they can be: an answer or a refusal, on every page."""

import math
from collections.abc import Collection, Sequence

import pytest

from pages.parts import link
from tests.pages.app import PAGES, open_page
from topicset_core.errors import InputError
from topicset_core.parameters import LARGEST, Parameter

_WITHOUT_THEM = (
    *("pages/user_guide.py", "pages/score_matrices.py", "pages/dossier.py"),
    *("pages/runs_and_qrels.py", "pages/rank_resolution.py", "pages/topic_subsets.py"),
)


@pytest.fixture
def read_parameters(monkeypatch: pytest.MonkeyPatch) -> dict[str, Parameter]:
    """The parameters that a page reads from its link, by name."""
    result: dict[str, Parameter] = {}
    read = link.read

    def noted(parameters: Sequence[Parameter], *others: Collection[str]) -> link.Link:
        result.update({one.name: one for one in parameters})
        return read(parameters, *others)

    monkeypatch.setattr(link, "read", noted)
    return result


@pytest.mark.parametrize(
    "page",
    [
        # A second: its preview simulates tests.
        pytest.param(page, marks=[pytest.mark.slow] if page == "pages/achieved_power.py" else [])
        for page in sorted(PAGES.keys() - {*_WITHOUT_THEM})
    ],
)
def test_a_number_without_bound_is_answered_or_refused(
    page: str, read_parameters: dict[str, Parameter]
) -> None:
    open_page(page)
    unbounded = [one for one in read_parameters.values() if math.isinf(one.upper)]
    assert unbounded
    for parameter in unbounded:
        for text in ("1e308", "1e-308", "-1e308"):
            with pytest.raises(InputError):
                link.number(parameter, text)
        # Quotients overflow where a difference is large, and where a variance is small.
        value = 1 / LARGEST if parameter.name.endswith("variance") else LARGEST
        open_page(page, **{parameter.name: repr(value)})
