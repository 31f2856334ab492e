"""Every value that a request declares is asked on its page, under the name that its links have."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from pages.parts.form import Form, Number
from tests.pages.app import errors, in_tab, linked, open_page, texts
from topicset_core.analyses.pool_depth.request import Asked as PoolDepth
from topicset_core.analyses.rank_resolution.discriminative_power import PowerRequest, powers_of
from topicset_core.analyses.run_evaluation import Request as EvaluationRequest
from topicset_core.analyses.topic_subsets.request import AuditRequest, HeldOutRequest, NullRequest
from topicset_core.analyses.topic_subsets.request import Request as SubsetsRequest
from topicset_core.analyses.training_sensitivity import Request as TrainingRequest
from topicset_core.cli import COMMANDS
from topicset_core.inputs import Inputs
from topicset_core.samples import simulated_task

_KINDS = (
    *("number_input", "text_input", "text_area", "selectbox", "radio", "multiselect", "button_group"),
    *("toggle", "checkbox", "dataframe"),
)


class Page(NamedTuple):
    """Where a request is asked: a page with these choices in its address, and a tab that is open."""

    file: str
    prefix: str  # of the keys of its form
    visits: Sequence[Mapping[str, str]] = ({},)
    tab: str = ""


_RANKS = Page("rank_resolution", "leaderboard")
_TESTS = [{"test": name} for name in ("two-way-f", "two-sample-t", "randomised-tukey")]
_JUDGES = Page("judges", "judges", [{"about": "judge"}, {"about": "runs"}])
_SUBSETS = Page("topic_subsets", "topic-subsets", [{"method": "exact"}], "Which topics?")
PAGES = {
    "check": Page("achieved_power", "check-scores", _TESTS),
    "error-rate": Page("error_rate", "error-rate"),
    "leaderboard": _RANKS,
    "stability": _RANKS._replace(tab="Stability"),
    "discriminative-power": _RANKS._replace(tab="Discriminative power"),
    "repeats": _JUDGES._replace(visits=[{"about": "repeats"}]),
    "judge": _JUDGES,
    "topic-variance": Page("topic_variance", "topic-variance"),
    "subsets": _SUBSETS,
    "subsets --null": _SUBSETS._replace(tab="Better than chance?"),
    "subsets --holdout": _SUBSETS._replace(visits=[{"view": "held-out"}]),
    "subsets --audit": _SUBSETS._replace(visits=[{"view": "audit"}]),
    "training-sensitivity": Page("training_sensitivity", "training-sensitivity"),
    "pool-depth": Page("pool_depth", "pool"),
    "evaluate": Page("runs_and_qrels", "runs"),
}
REQUESTS: Mapping[str, type[Inputs]] = {
    **{name: one.question.request for name, one in COMMANDS.items() if one.question is not None},
    "subsets": SubsetsRequest,
    "subsets --null": NullRequest,
    "subsets --holdout": HeldOutRequest,
    "subsets --audit": AuditRequest,
    "training-sensitivity": TrainingRequest,
    "pool-depth": PoolDepth,
    "evaluate": EvaluationRequest,
}
WITHOUT_PAGE = {"compare-two"}
"""It is for a job on a server; people compare two systems on the pages of the paired tests."""

OTHERWISE = {
    ("stability", "n_trials"): "leaderboard/n_resamples",
    ("discriminative-power", "n_trials"): "leaderboard/n_permutations",
    ("subsets --null", "n_splits"): "topic-subsets/n_splits_of_topics",
    ("error-rate", "runs_pair"): "error-rate/run_b",
    ("leaderboard", "pair"): "leaderboard/chosen",
    ("judge", "pair"): "judges/second",
    ("evaluate", "measures"): "runs/measure-names",
    ("subsets --audit", "topics"): "topic-subsets/audit/text",
    ("subsets --audit", "runs"): "topic-subsets/audit/left_out_run",
}
"""Fields with a name of their own next to those of other questions, and choices of runs, systems and topics."""

NOT_ASKED: Mapping[tuple[str, str], str] = {
    ("leaderboard", "mean"): "only where topics have groups: test_group_means.py",
    ("discriminative-power", "mean"): "as of the leaderboard",
    (
        "topic-variance",
        "relevance_level",
    ): "one level of all pages, if grades leave a choice: test_relevance_level.py",
    ("subsets --holdout", "chosen_on"): "one half by name is for a script; a page draws halves at random",
    ("pool-depth", "full_pool"): "only where more runs were pooled than there are: test_pool_depth_page.py",
}

SHARED = {("leaderboard", "alpha")}
"""One field of a page for what its tests take under other labels."""


def test_every_question_has_a_page() -> None:
    assert REQUESTS.keys() - PAGES.keys() == WITHOUT_PAGE


@cache
def _keys(question: str) -> frozenset[str]:
    """Return the keys of all widgets; that of a widget drawn twice would have been refused by Streamlit."""
    page, result = PAGES[question], set[str]()
    for visit in page.visits:
        app = open_page(f"pages/{page.file}.py", **visit)
        app = in_tab(app, page.tab) if page.tab else app
        result |= {field.key for kind in _KINDS for field in app.get(kind) if field.key}
    return frozenset(result)


def _declared() -> list[Any]:
    return [
        pytest.param(name, one.parameter.name, id=f"{name} {one.parameter.name}")
        for name, request in REQUESTS.items()
        if name not in WITHOUT_PAGE
        for one in request.declared()
        if (name, one.parameter.name) not in NOT_ASKED
    ]


@pytest.mark.parametrize(("question", "name"), _declared())
def test_a_declared_value_is_a_field_of_its_page(question: str, name: str) -> None:
    key = OTHERWISE.get((question, name), f"{PAGES[question].prefix}/{name}")
    assert key in _keys(question)


@pytest.mark.parametrize(("question", "name"), _declared())
def test_a_field_has_the_bounds_and_the_default_of_its_value(question: str, name: str) -> None:
    if (question, name) in OTHERWISE or (PAGES[question].prefix, name) in SHARED:
        return
    part = import_module(f"pages.parts.{PAGES[question].file}")
    form: Form = getattr(part, "_FORM", None) or part.FORM
    (field,) = (one for one in form.fields if one.name == name)
    declared = next(one for one in REQUESTS[question].declared() if one.parameter.name == name)
    assert not isinstance(field, Number) or field.parameter == declared.parameter


@pytest.mark.parametrize("prefix", sorted({page.prefix for page in PAGES.values()}))
def test_a_name_means_one_thing_on_a_page(prefix: str) -> None:
    seen: dict[str, Any] = {}
    for question in (name for name, page in PAGES.items() if page.prefix == prefix):
        for parameter in (one.parameter for one in REQUESTS[question].declared()):
            if (question, parameter.name) not in OTHERWISE and (prefix, parameter.name) not in SHARED:
                assert seen.setdefault(parameter.name, parameter) == parameter, parameter.name


def test_exceptions_are_of_declared_values() -> None:
    known = {(name, one.parameter.name) for name, request in REQUESTS.items() for one in request.declared()}
    assert {*OTHERWISE, *NOT_ASKED} <= known


def test_values_of_each_question_of_a_page_are_in_its_link_and_count() -> None:
    values = {
        "n_trials": "2000",
        "n_resamples": "500",
        "n_permutations": "1000",
        "level": "0.9",
        "n_topics": "30",
    }
    app = open_page("pages/rank_resolution.py", **values)
    assert linked(app).items() >= {name: [value] for name, value in values.items()}.items()
    text = texts(in_tab(app, "Stability"))
    assert "30 topics: E ρ²" in text
    assert "90 % interval" in text
    assert "from 500 bootstrap resamples" in text
    text = texts(in_tab(app, "Discriminative power"))
    (own,) = powers_of([simulated_task()[0]], PowerRequest(n_trials=1000))
    assert re.search(rf"AP (distinguishes )?{own.n_significant} (of 190 pairs|\\?\()", text)
    assert "1,000 permutations" in text


def test_a_list_of_numbers_is_a_text_of_which_the_last_valid_one_counts() -> None:
    app = open_page("pages/error_rate.py", cardinalities="5,10")
    assert "trials for each of 2 sizes" in texts(app)
    app.text_input(key="error-rate/cardinalities").set_value("5,x").run()
    assert any('must be numbers like "5,10,20"' in error for error in errors(app))
    assert linked(app)["cardinalities"] == ["5,10"]
    app.text_input(key="error-rate/cardinalities").set_value("").run()
    assert errors(app) == []
    assert "cardinalities" not in linked(app)
