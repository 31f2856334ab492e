"""Shared parts of commands: options made from parameters, and the printed and written report."""

import argparse
from argparse import SUPPRESS
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import MISSING, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, get_args

from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.selection import lines_of
from topicset_core.designs import Design
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.figures import FIGURE_FILES, figure_file
from topicset_core.exports.html import chart_page
from topicset_core.exports.report import Report
from topicset_core.measures.conventions import (
    DENOMINATOR,
    NAMED_CONVENTIONS,
    Conventions,
    Denominator,
    level_in_words,
)
from topicset_core.parameters import (
    RELEVANCE_LEVEL,
    AnyParameter,
    ChoiceParameter,
    ListParameter,
    NameParameter,
    Parameter,
    SwitchParameter,
)
from topicset_core.parsing.text import decode
from topicset_core.parsing.trec.runs import Precision

A = TypeVar("A")

_DENOMINATORS: dict[str, Denominator] = {"R": "R", "min": "min(md, R)"}


def add(parser: Any, parameters: Sequence[Parameter], *, explained: bool = True) -> None:
    """Add an option per parameter, without a default: a missing option is None."""
    for parameter in parameters:
        help_text = parameter.help if explained else None
        names = dict.fromkeys((parameter.option, *parameter.other_options))
        parser.add_argument(*names, dest=parameter.name, type=_kind(parameter), metavar="X", help=help_text)


def add_parameter(parser: Any, parameter: AnyParameter, default: Any, unless: str = "") -> None:
    """Add the option of a parameter with this default; `unless` tells what an open one is."""
    usual = unless or (f"{default:,g}" if isinstance(default, int | float) else default)
    how: dict[str, Any] = {"dest": parameter.name, "default": default}
    if default is MISSING:
        usual, how = None, {"dest": parameter.name, "required": True}
    if isinstance(parameter, SwitchParameter):
        how |= {"action": "store_true"}
        usual = None
    elif isinstance(parameter, ListParameter):
        item, size = parameter.item, parameter.size
        how["type"] = str if item is None or parameter.read is not None else _kind(item)
        how["metavar"] = (parameter.placeholder,) * size if size else parameter.placeholder
        if parameter.read is None:
            how["nargs"] = size or "+"
        if size is None and parameter.read is None:  # repeatable; a default would be extended
            how |= {"action": "extend"} | ({"default": SUPPRESS} if isinstance(default, tuple) else {})
        if default and default is not MISSING:
            usual = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in default)
    elif isinstance(parameter, NameParameter):
        how["metavar"] = "NAME"
    elif isinstance(parameter, ChoiceParameter):
        how |= {"choices": list(parameter.options)}
    elif isinstance(parameter, Parameter):
        how |= {"type": _kind(parameter), "metavar": "N" if parameter.integer else "X"}
    text = f"{parameter.help} Default: {usual}." if usual is not None else parameter.help
    parser.add_argument(parameter.option, *parameter.other_options, help=text.replace("%", "%%"), **how)


def _kind(parameter: Parameter) -> Callable[[str], float]:
    return _whole_number if parameter.integer else _number


def add_choices(parser: argparse.ArgumentParser, designs: Sequence[Design]) -> None:
    """Add an option per choice of some design, with the words that any of them takes, without defaults."""
    result: dict[str, list[ChoiceParameter]] = {}
    for design in designs:
        for choice in design.choices:
            result.setdefault(choice.name, []).append(choice)
    for name, same in result.items():
        words = list(dict.fromkeys(word for choice in same for word in choice.options))
        usual = " or ".join(dict.fromkeys(choice.default for choice in same if choice.default is not None))
        sentence = f"{same[0].help} Default: {usual}." if usual else same[0].help
        parser.add_argument(same[0].option, dest=name, choices=words, help=sentence)


def given_choices(options: argparse.Namespace, design: Design, designs: Sequence[Design]) -> dict[str, str]:
    """Return the choices of a design, by name."""
    known = {choice.name: choice for choice in design.choices}
    result = {}
    for choice in dict.fromkeys(choice for known in designs for choice in known.choices):
        word = getattr(options, choice.name)
        if word is None:
            continue
        if choice.name not in known:
            raise InputError(choice.option, word, f"has no meaning for {design.slug}")
        if word not in known[choice.name].options:
            raise InputError(choice.option, word, known[choice.name].rule)
        result[choice.name] = word
    return result


def given(options: argparse.Namespace, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the given ones of these parameters, by name."""
    result = {parameter.name: getattr(options, parameter.name) for parameter in parameters}
    return {name: value for name, value in result.items() if value is not None}


def check_given(
    values: dict[str, Any],
    offered: Sequence[Parameter],
    required: Sequence[Parameter],
    allowed: Collection[Parameter],
    *,
    needed_for: str,
) -> None:
    """Refuse a required option that is missing, and one that is neither required nor allowed."""
    for parameter in required:
        if parameter.name not in values:
            raise InputError(parameter.option, None, f"must be given for {needed_for}")
    for parameter in offered:
        if parameter.name in values and parameter not in (*required, *allowed):
            raise InputError(parameter.option, values[parameter.name], f"has no meaning for {needed_for}")


def add_score_precision(parser: argparse.ArgumentParser) -> None:
    """Add the option that decides in which precision the scores of runs are compared."""
    parser.add_argument(
        "--score-precision",
        choices=get_args(Precision),
        default="double",
        help="scores of runs are compared in double precision as in trec_eval 10, or in single precision as in "
        "trec_eval 9; default: double",
    )


def add_conventions(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide how grades become scores; `conventions` reads them."""
    named = ", ".join(_slug(name) for name in NAMED_CONVENTIONS)
    parser.add_argument(
        "--conventions",
        choices=[_slug(name) for name in NAMED_CONVENTIONS],
        default="trec_eval",
        help=f"defaults of the four options below: {named}; default: trec_eval",
    )
    for convention in Conventions.declared():
        if convention.parameter.name == RELEVANCE_LEVEL.name:
            add_parameter(parser, convention.parameter, convention.default)
        elif convention.parameter.name != DENOMINATOR.name:
            add_parameter(parser, convention.parameter, None, convention.unless or "as --conventions")
    parser.add_argument(
        "--denominator", choices=_DENOMINATORS, help="of AP@k and Q@k: R, or the lesser of k and R"
    )


def level_notes(level: int, collections: Sequence[JudgedRuns]) -> tuple[str, ...]:
    """Return the sentence on the lowest relevant grade; nothing where grades leave no choice."""
    largest = min((int(collection.qrels.grades.max()) for collection in collections), default=0)
    return tuple(filter(None, [level_in_words(level, largest)]))


def conventions(options: argparse.Namespace) -> Conventions:
    """Return the requested conventions: the named ones, changed by the given options."""
    named = {_slug(name): result for name, result in NAMED_CONVENTIONS.items()}[options.conventions]
    given_too = {name: getattr(options, name) for name in ("relevance_level", "gains", "largest_grade")}
    given_too["denominator"] = _DENOMINATORS.get(options.denominator)
    return replace(named, **{name: value for name, value in given_too.items() if value is not None})


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def _number(text: str) -> float:
    """Parse a number; the parameter checks its bounds."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _whole_number(text: str) -> float:
    """Parse a whole number as one, so that a record shows 10 and not 10.0."""
    number = _number(text)
    return int(number) if number.is_integer() else number


SELECTIONS = ("--only-topics", "--only-systems")
"""Options that choose topics and runs; `--topics` is a number of topics where commands have it."""


def add_selection(parser: Any) -> None:
    """Add the options that choose topics and runs, to a parser or a group of it."""
    for option, noun, example in zip(SELECTIONS, ("topics", "runs"), ("601-650", "'uogTr*'"), strict=True):
        parser.add_argument(
            option,
            action="append",
            metavar="WHICH",
            help=f"{noun} to take: ids, ranges and patterns such as {example}, with commas between; @FILE is a "
            "list; ! before one leaves it out; repeatable",
        )


def selection(options: argparse.Namespace) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Return what to take of topics and of runs, the lines of files in place of these; None for all."""
    topics, systems = options.only_topics, options.only_systems
    return topics and lines(topics), systems and lines(systems)


def lines(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of an option that chooses, the lines of a file in place of ``@FILE``."""
    return tuple(line for text in texts for line in _lines(text))


def _lines(text: str) -> list[str]:
    file = text.removeprefix("@")
    return [text] if file == text else lines_of(decode(Path(file).read_bytes(), file))


def threads() -> ThreadPoolExecutor:
    """Return threads for the batches of an analysis, as many as this process may use."""
    from topicset_core.execution import n_processors

    return ThreadPoolExecutor(n_processors())


def printed(text: str, report: Report, answer: A, **more: object) -> Answer[A]:
    """Return an answer with the text and the record of its report."""
    record = report.record()
    first: Mapping[str, Any] = record["results"][0] if record["results"] else {}
    text = f"{text}\n{report.caution}" if report.caution else text
    return Answer(text=text, record={**record, **first, **more}, answer=answer, report=report)


def add_output(parser: argparse.ArgumentParser, *, charts: bool = True) -> None:
    """Add the output options, and where there are figures the file of one."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    if charts:
        parser.add_argument(
            "--chart",
            type=_chart_file,
            metavar="FILE",
            help="also write a figure to this file: .html, or .svg or .png with the package kaleido",
        )
        parser.add_argument(
            "--figure", metavar="NAME", help="which figure; default: the first. A wrong name lists all"
        )


def write_chart(report: Report | None, file: Path, name: str | None) -> None:
    """Write a figure of a report in print style."""
    every = islice(report.figures() if report else (), 1 if name is None else None)
    figures = {figure.name: figure for figure in every}
    if not figures:
        raise InputError("--chart", str(file), "cannot be written: this answer has no figure")
    if name is not None and name not in figures:
        raise InputError("--figure", name, f"must be one of {', '.join(figures)}")
    figure = figures[name] if name is not None else next(iter(figures.values()))
    try:
        content = chart_page(figure) if file.suffix == ".html" else figure_file(figure, file.suffix)
    except (ValueError, RuntimeError) as error:  # kaleido finds no browser, or the browser fails
        first = str(error).strip().partition("\n")[0]
        raise InputError("--chart", str(file), f"cannot be drawn: {first} Write .html instead") from error
    file.write_bytes(content)


def _chart_file(text: str) -> Path:
    """Refuse a file that no figure can be written to before anything is computed."""
    file = Path(text)
    if file.suffix not in FIGURE_FILES:
        raise argparse.ArgumentTypeError(f"{text!r} must end in {', '.join(FIGURE_FILES)}")
    package = "jinja2" if file.suffix == ".html" else "plotly"
    if find_spec(package) is None:
        raise argparse.ArgumentTypeError(
            f"figures need the package {package}: pip install 'topicset[figures]'"
        )
    if file.suffix != ".html" and find_spec("kaleido") is None:
        raise argparse.ArgumentTypeError(
            f"{file.suffix} needs the package kaleido and a Chrome or Chromium: pip install kaleido; .html "
            "does not need them, and the app saves charts as SVG and PNG"
        )
    return file
