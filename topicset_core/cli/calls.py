"""The commands as functions of Python: ``topicset.size("anova", alpha=.05, ...)``, ``topicset.error_rate(scores)``.

A function takes the options of its command as keywords, without dashes, in the same units: numbers in place of
words, lists for options that repeat, True for flags, and scores as files, matrices or frames.
"""

import argparse
import os
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from inspect import Parameter, Signature, signature
from numbers import Number
from typing import Any, get_type_hints

import numpy as np

from topicset_core.cli import COMMANDS, Command, by_option
from topicset_core.cli.files import LABEL_OPTIONS, ROLE_OPTIONS
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.parsing import Choices

DATA = ("files", "file", "judge_scores")
"""Where parsers keep the names of score files, in place of which a function takes scores themselves."""

_OF_FILES = (
    *(field.name for field in fields(Choices)),
    *ROLE_OPTIONS,
    *LABEL_OPTIONS,
    "leave_out",
)  # described last
_OF_TERMINALS = ("help", "json", "chart", "figure")
_KINDS = {
    "number": "float",
    "float": "float",
    "whole_number": "int",
    "int": "int",
    "Path": "str | PathLike[str]",
}
_wrap = partial(textwrap.wrap, break_on_hyphens=False)
_FILE = re.compile(r"(?<!@)\bFILE\b(?!\.)")
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")


def function_of(command: str, name: str) -> Callable[..., Answer[Any]]:
    """Return the function of a command under a name."""
    parser = argparse.ArgumentParser(prog=name, add_help=False)
    COMMANDS[command].add_options(parser)
    actions = sorted(parser._actions, key=lambda action: action.dest in _OF_FILES)
    options = {_keyword(action): action for action in actions if action.dest not in _OF_TERMINALS}
    takes = Signature(
        [_parameter(*option) for option in options.items()], return_annotation=_answer_type(COMMANDS[command])
    )

    def call(*given: Any, **named: Any) -> Answer[Any]:
        unknown = [keyword for keyword in named if keyword not in options]
        if unknown:
            raise TypeError(f"{name}() takes no keyword {unknown[0]!r}; it takes {', '.join(options)}")
        bound = {
            keyword: value
            for keyword, value in takes.bind(*given, **named).arguments.items()
            if value is not None
        }
        for keyword, parameter in takes.parameters.items():
            if parameter.default is Parameter.empty and keyword not in bound:
                raise InputError(keyword, None, "must be given")
        for group in parser._mutually_exclusive_groups:
            first, *others = [*(keyword for keyword in bound if options[keyword] in group._group_actions), ""]
            if len(others) > 1:
                raise InputError(others[0], bound[others[0]], f"has no meaning next to {first}")
        values = {
            option.dest: option.default
            for option in options.values()
            if option.default is not argparse.SUPPRESS
        }
        values |= {
            options[keyword].dest: _value(options[keyword], keyword, value)
            for keyword, value in bound.items()
        }
        namespace = argparse.Namespace(**parser._defaults | values)
        try:
            answer: Answer[Any] = namespace.run(namespace)
        except InputError as error:
            respelt = by_option(error, parser, namespace)
            raise InputError(_respelled(respelt.parameter), respelt.value, _respelled(respelt.rule)) from None
        return answer

    call.__name__ = call.__qualname__ = name
    call.__module__ = "topicset_core"
    call.__signature__ = takes  # type: ignore[attr-defined]
    call.__doc__ = _doc(parser.description or "", takes, options)
    return call


def _answer_type(command: Command) -> Any:
    """Return the type of what a command answers, with that of its analysis or design."""
    if command.question is None:
        return get_type_hints(command.module.run)["return"]
    kind: Any = next(iter(signature(command.question.report).parameters.values())).annotation
    return Answer[kind]


def _keyword(action: argparse.Action) -> str:
    """Return the name of an option in Python: without dashes; files of scores are scores."""
    if action.option_strings:
        return action.option_strings[0][2:].replace("-", "_")
    return "scores" if action.dest in DATA else action.dest


def _respelled(text: str) -> str:
    """Return a refusal with the names that options have in Python."""
    return _OPTION.sub(lambda option: option[1].replace("-", "_"), _FILE.sub("scores", text))


def _parameter(keyword: str, action: argparse.Action) -> Parameter:
    kind = Parameter.KEYWORD_ONLY if action.option_strings else Parameter.POSITIONAL_OR_KEYWORD
    is_needed = action.required and action.nargs not in ("?", "*")
    usual = None if action.default in (argparse.SUPPRESS, []) else action.default
    default = Parameter.empty if is_needed else usual
    text = f"{_type(action)} | None" if default is None else _type(action)
    return Parameter(keyword, kind, default=default, annotation=text)


def _type(action: argparse.Action) -> str:
    """Return the type of an option as Python writes it: of one value, or of several where it takes them."""
    kind = _KINDS.get(getattr(action.type, "__name__", "").strip("_"), "str")
    if action.choices is not None:
        kind = f"Literal[{', '.join(map(repr, action.choices))}]"
    elif action.nargs == 0:
        kind = "bool"
    elif action.dest in DATA:
        kind = "Scores"
    elif action.dest == "groups":
        kind = "str | Mapping[str, str]"
    elif (action.nargs is None and action.type is str) or "," in str(action.metavar):
        # One text of several values
        kind = "str | Sequence[str | float]"
    if isinstance(action.nargs, int) and action.nargs:
        return f"Sequence[{kind}]"
    if action.nargs == "?" and action.const is not None:
        return f"{kind} | bool"
    return f"{kind} | Sequence[{kind}]" if _is_listed(action) else kind


def _is_listed(action: argparse.Action) -> bool:
    """Return whether an option takes several values."""
    is_counted = isinstance(action.nargs, int) and action.nargs > 0
    return action.nargs in ("+", "*") or is_counted or isinstance(action, argparse._AppendAction)


def _value(action: argparse.Action, keyword: str, given: Any) -> Any:
    """Return a value as its parser has it."""
    if action.nargs == 0:
        if not isinstance(given, bool):
            raise InputError(keyword, given, "must be True or False")
        return given or action.default
    every = list(given) if isinstance(given, list | tuple | range | np.ndarray) else [given]
    if not every or (isinstance(action.nargs, int) and len(every) != action.nargs):
        raise InputError(keyword, given, f"must be {action.nargs if every else 'one or more'} values")
    if action.dest in DATA:
        # A row of the frame that it is has `_asdict`.
        is_record = isinstance(every[0], Mapping) or hasattr(every[0], "_asdict")
        every = (
            [given]
            if is_record
            else [os.fspath(path) if isinstance(path, os.PathLike) else path for path in every]
        )
        return every if _is_listed(action) else every[0]
    if action.dest == "groups" and isinstance(given, Mapping):
        return given
    if action.nargs == "?" and given is True:
        return action.const
    if not _is_listed(action):
        return _read(action, keyword, given)
    return [_read(action, keyword, item) for item in every]


def _read(action: argparse.Action, keyword: str, given: Any) -> Any:
    """Return one value, read from its word on the command line."""
    if not isinstance(given, str | Number | os.PathLike | list | tuple | range):
        raise InputError(keyword, type(given).__name__, "must be text or a number")
    word = ",".join(map(str, given)) if isinstance(given, list | tuple | range) else str(given)
    read: Any = action.type or str
    try:
        value = read(word)
    except argparse.ArgumentTypeError as error:
        rule = str(error).removeprefix(f"{word!r} is not ")
        raise InputError(keyword, given, f"must be {rule}") from None
    except ValueError:
        raise InputError(
            keyword, given, "must be a whole number" if read is int else "must be a number"
        ) from None
    if action.choices is not None and value not in action.choices:
        raise InputError(keyword, given, f"must be one of {', '.join(map(str, action.choices))}")
    return value


def _doc(description: str, signature: Signature, options: Mapping[str, argparse.Action]) -> str:
    """Return the documentation of a function, from the help texts of its command."""
    lines = [*_wrap(_respelled(description), 100), "", "Parameters", "----------"]
    for name, declared in signature.parameters.items():
        lines.append(f"{name} : {declared.annotation}")
        text = _respelled(options[name].help or "").replace("%%", "%")
        lines += textwrap.indent("\n".join(_wrap(text[:1].upper() + text[1:], 96)), "    ").splitlines()
    return "\n".join([*lines, *_ENDS])


_ENDS = """
Returns
-------
Answer
    With the text, the record, the tables and the charts of the answer.

Raises
------
TypeError
    If a keyword is unknown.
InputError
    If a value or the scores break a rule.
ParseError
    If a file cannot be read as scores.
OSError
    If a file is missing or cannot be opened.""".splitlines()
