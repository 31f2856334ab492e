"""``subsets``: which topics would have been enough to rank these runs, and do chosen ones hold on other runs.

One command for several questions, which its flags choose; options and their refusals follow from their requests.
"""

import argparse
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import MISSING, replace
from pathlib import Path
from typing import Any

from topicset_core.analyses.topic_subsets.held_out import audit_report
from topicset_core.analyses.topic_subsets.held_out import report as held_out_report
from topicset_core.analyses.topic_subsets.held_out.curve import headline_curve, headline_request
from topicset_core.analyses.topic_subsets.held_out.null import NULL, compare_with_null
from topicset_core.analyses.topic_subsets.held_out.splits import BothScores
from topicset_core.analyses.topic_subsets.report import QUESTION
from topicset_core.analyses.topic_subsets.request import (
    CARDINALITY,
    CHOSEN_ON,
    HOLD_OUT,
    N_SPLITS,
    SUBSET,
)
from topicset_core.analyses.topic_subsets.side_by_side import side_by_side
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.cli.command import Loaded, answered
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.selection import choose
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.findings import texts
from topicset_core.exports.report import Report
from topicset_core.inputs import Given
from topicset_core.parsing.names import read_topic_list
from topicset_core.preparation import Steps
from topicset_core.question import Question, Work
from topicset_core.wording import first_few, joined

Told = tuple[Question[Any, Any], Any, Report]
"""A question, its answer, and the report of that."""

_NULL, _SIDE_BY_SIDE, _EVALUATE = "--null", "--side-by-side", "--judge-scores"
_WORKS: Mapping[str, Work[Any, Any]] = {
    "": QUESTION,
    HOLD_OUT.option: held_out_report.QUESTION,
    SUBSET.option: audit_report.QUESTION,
    _NULL: NULL,
}
"""Questions by the options that ask them: in place of the curve, or in addition."""


def _uses() -> dict[str, dict[str, Given]]:
    """Return all options of requests with the questions that take them; all but one, which is of the page."""
    result: dict[str, dict[str, Given]] = {}
    for flag, work in _WORKS.items():
        for field in work.request.declared():
            if field.parameter is not CARDINALITY:
                result.setdefault(field.parameter.option, {})[flag] = field
    return result


_USES = _uses()


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``subsets``."""
    parser.description = QUESTION.description
    files.add_options(parser)
    files.add_groups(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        _SIDE_BY_SIDE,
        action="store_true",
        default=None,
        help="the curves of all measures in the files, for figure 2 of Guiver et al.",
    )
    which.add_argument(
        _NULL,
        action="store_true",
        default=None,
        help="test which topics are reliably good or bad, by comparison with exchangeable topics",
    )
    for option, uses in _USES.items():
        defaults = {flag: _usual(field) for flag, field in uses.items()}
        first = min(uses)
        parameter, usual = uses[first].parameter, defaults[first]
        others = [f"{text} with {flag}" for flag, text in defaults.items() if text != usual]
        group = which if option in _WORKS else parser
        words = "" if option in _WORKS else ", ".join([usual, *others])
        common.add_parameter(group, parameter, None, words)
    parser.add_argument(
        _EVALUATE,
        metavar="FILE",
        help=f"{HOLD_OUT.option}: scores of the same runs and topics in another measure, by which subsets are "
        "evaluated",
    )
    preparing.add_options(parser)
    common.add_output(parser)


def _usual(field: Given) -> str:
    """Return the default of an option in words; "" for one that must be given."""
    if field.unless or field.default is MISSING:
        return field.unless
    return f"{field.default:,}" if isinstance(field.default, int) else str(field.default)


def run(options: argparse.Namespace) -> Answer[Any]:
    """Return the curve, the held-out experiment or the audit as text and as a record."""
    flags = (flag for flag in _WORKS if flag in _USES and _given(options, flag))
    flag = _NULL if options.null else next(flags, "")
    _check(options, flag)
    try:
        if options.side_by_side:
            return _side_by_side(options)
        loaded = Loaded.matrix(options)
        ask = {HOLD_OUT.option: _held_out, SUBSET.option: _audit}.get(flag, _curve)
        with common.threads() as executor:
            question, answer, report = ask(options, loaded.data, executor)
        return answered(question, answer, loaded, report, name=loaded.data.name)
    except InputError as error:
        names = {field.parameter.name: option for option, uses in _USES.items() for field in uses.values()}
        option = names.get(error.parameter, error.parameter)
        raise InputError(option, error.value, error.rule) from error


def _given(options: argparse.Namespace, option: str) -> Any:
    """Return the value of an option, whichever question takes it; None if it was not given."""
    uses = _USES[option]
    return getattr(options, uses[min(uses)].parameter.name)


def _request(options: argparse.Namespace, flag: str, **more: Any) -> Any:
    """Return the request of a question, with more values by the names of parameters."""
    names = {option: uses[flag].parameter.name for option, uses in _USES.items() if flag in uses}
    values = {name: _given(options, option) for option, name in names.items()} | more
    return _WORKS[flag].request.of({name: value for name, value in values.items() if value is not None})


def _check(options: argparse.Namespace, flag: str) -> None:
    """Refuse options that have no meaning together."""
    asked = {flag} if flag in (HOLD_OUT.option, SUBSET.option) else {"", flag}
    for option, uses in _USES.items():
        value = _given(options, option)
        if value is not None and not asked & uses.keys():
            why = f"with {flag}" if "" in uses else f"without {joined(list(uses), 'or')}"
            raise InputError(option, value, f"has no meaning {why}")
    for option, why, refused in (
        (_EVALUATE, f"without {HOLD_OUT.option}", flag != HOLD_OUT.option and options.judge_scores),
        (
            N_SPLITS.option,
            f"with {CHOSEN_ON.option}: the split is given",
            options.chosen_on and options.n_splits,
        ),
        (
            "--groups",
            f"without {HOLD_OUT.option} topics, which keeps groups in one half",
            (flag != HOLD_OUT.option or options.hold_out != "topics") and options.groups,
        ),
        (
            "--measure",
            f"with {_SIDE_BY_SIDE}: it takes all measures",
            options.side_by_side and options.measure,
        ),
    ):
        if refused:
            raise InputError(option, refused, f"has no meaning {why}")


def _curve(options: argparse.Namespace, matrix: ScoreMatrix, executor: Executor | None) -> Told:
    answer, null = QUESTION.answer(matrix, _request(options, ""), executor=executor), None
    headline = headline_request(answer.curve, answer.target)
    held = headline and headline_curve(BothScores(matrix), headline, executor=executor)
    if options.null:
        request = _request(options, _NULL, cardinality=answer.table.cardinality)
        null = compare_with_null(matrix, request, executor=executor)
    return QUESTION, answer, QUESTION.report(answer, held=held, null=null)


def _side_by_side(options: argparse.Namespace) -> Answer[Any]:
    read, steps, request = files.read_files(options), preparing.steps_of(options), _request(options, "")
    done = [preparing.prepared(matrix, steps) for matrix in read.matrices]
    with common.threads() as executor:
        answers = [QUESTION.answer(scores.matrix, request, executor=executor) for scores in done]
    report = replace(
        side_by_side([(answer.matrix, answer.curve) for answer in answers], request),
        preparation=done[0].notes,
    )
    lines = [
        *texts(report.findings, "terminal"),
        *(line for answer in answers for line in QUESTION.text(answer)),
    ]
    records = [preparing.record_of(before, after) for before, after in zip(read.matrices, done, strict=True)]
    return common.printed(
        "\n".join(lines), report, answers, preparation=records, recognised=list(read.recognised)
    )


def _held_out(options: argparse.Namespace, matrix: ScoreMatrix, executor: Executor | None) -> Told:
    question, half = held_out_report.QUESTION, None
    if options.chosen_on is not None:
        runs = options.hold_out == "runs"
        ids, noun = (matrix.systems, "run") if runs else (matrix.topics, "topic")
        chosen = choose(common.lines(options.chosen_on), ids, CHOSEN_ON.option, noun)
        if chosen.absent:
            rule = f"must be {noun}s that the scores have"
            raise InputError(CHOSEN_ON.option, first_few(chosen.absent, 3), rule)
        half = [ids[place] for place in chosen.places]
    both = BothScores(matrix, _other_scores(options) if options.judge_scores else None)
    curve = question.answer(both, _request(options, HOLD_OUT.option, chosen_on=half), executor=executor)
    return question, curve, question.report(curve)


def _audit(options: argparse.Namespace, matrix: ScoreMatrix, executor: Executor | None) -> Told:
    question, file = audit_report.QUESTION, options.topics
    topics = read_topic_list(file, Path(file).read_bytes(), matrix.topics)
    audit = question.answer(matrix, _request(options, SUBSET.option, topics=topics), executor=executor)
    return question, audit, question.report(audit)


def _other_scores(options: argparse.Namespace) -> ScoreMatrix:
    """Read the scores for the evaluation, of the same topics and runs; each measure would drop other runs."""
    steps = preparing.steps_of(options)
    if replace(steps, topics=None, systems=None) != Steps():
        rule = "cannot be combined with these options; prepare both files beforehand"
        raise InputError(_EVALUATE, options.judge_scores, rule)
    alone = vars(options) | {"files": [options.judge_scores], "measure": None, "columns": None}
    data: ScoreMatrix = Loaded.matrix(argparse.Namespace(**alone)).data
    return data
