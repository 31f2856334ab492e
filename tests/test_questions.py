"""What holds for every question: page, command and parameter have one default; refusals name an option."""

import argparse
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from pages.parts import runs_data
from pages.parts.form import Form, Number, field_of
from tests.cli.running import refusal
from topicset_core.cli import COMMANDS, command
from topicset_core.inputs import Given, default_of
from topicset_core.parameters import ChoiceParameter, ListParameter, NameParameter, Parameter
from topicset_core.question import Question

QUESTIONS = [one.question for one in COMMANDS.values() if one.question is not None]
PAGES = {
    "check": "achieved_power",
    "error-rate": "error_rate",
    "leaderboard": "rank_resolution",
    "repeats": "judges",
    "judge": "judges",
    "topic-variance": "topic_variance",
}
"""The questions that a page asks with a form, and its part."""


def test_a_question_is_the_command_of_its_name() -> None:
    slugs = {name: one.question.slug for name, one in COMMANDS.items() if one.question is not None}
    assert slugs == {name: name for name in slugs}


def declared() -> list[Any]:
    return [
        pytest.param(question, one, id=f"{question.slug} {one.parameter.name}")
        for question in QUESTIONS
        for one in question.request.declared()
    ]


def _options(question: Question[Any, Any]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    command.add_options(parser, question)
    return parser


@pytest.mark.parametrize(("question", "one"), declared())
def test_command_and_page_have_the_default_of_the_parameter(question: Question[Any, Any], one: Given) -> None:
    parameter = one.parameter
    usual = None if one.unless else default_of(parameter)
    if usual is None and not one.unless:
        return  # must be given on the command line; a page shows the first of its options
    sources = {
        "matrix": ["x.csv"],
        "matrix in groups": ["x.csv"],
        "matrix by group": ["x.csv"],
        "two systems": ["x.csv"],
        "matrices": ["x.csv"],
        "replicated scores": ["x.csv"],
        "labels": ["x.csv"],
        "judged runs": ["--qrels", "x", "--runs", "x"],
    }
    must = [
        word
        for other in question.request.declared()
        if default_of(other.parameter) is None and not other.unless
        for word in (other.parameter.option, next(iter(other.parameter.options)))
    ]
    given = vars(_options(question).parse_args([*must, *sources[question.takes]]))
    assert given[parameter.name] == usual == getattr(question.request.of(given), one.name)
    if question.slug not in PAGES or isinstance(parameter, ListParameter):
        return
    module = import_module(f"pages.parts.{PAGES[question.slug]}")
    form: Form = getattr(module, "_FORM", None) or module.FORM
    drawn: Any = next(field for field in form.fields if field.name == parameter.name)
    if isinstance(drawn, Number):
        # What the data decide, the page shows as a number; the command leaves it open.
        assert drawn.parameter == parameter
        assert drawn.usual is not None or drawn.start({}) == usual
    elif isinstance(parameter, ChoiceParameter):
        whole: Any = field_of(one)
        assert set(drawn.options) <= set(whole.options)  # a page may leave out options
        assert replace(drawn, look="list", options=whole.options) == whole
        assert next(iter(drawn.options)) == (usual or "usual") or drawn.usual == usual
    elif isinstance(parameter, NameParameter):  # a page offers some of the names
        assert drawn.offered()[0] == usual
    elif drawn is not runs_data.LEVEL:  # the page shows one setting of all pages
        assert drawn == field_of(one)


@pytest.mark.parametrize(("question", "one"), declared())
def test_a_value_beyond_its_bounds_is_refused_by_the_name_of_its_option(
    question: Question[Any, Any], one: Given, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    parameter = one.parameter
    rule = parameter.item if isinstance(parameter, ListParameter) else parameter
    if not isinstance(rule, Parameter):
        return  # argparse names the option
    file = tmp_path / "absent.csv"
    beyond = rule.upper * 2 if rule.upper < 1e300 else rule.lower - 1
    value = str(int(beyond)) if rule.integer else str(beyond)
    must = [
        word
        for other in question.request.declared()
        if default_of(other.parameter) is None and not other.unless
        for word in (other.parameter.option, next(iter(other.parameter.options)))
    ]
    files = ["--qrels", str(file), "--runs", str(file)] if question.takes == "judged runs" else [str(file)]
    message = refusal(capsys, question.slug, *files, *must, f"{parameter.option}={value}")
    assert f"{parameter.option} = " in message
