"""``check``: whether a test keeps alpha and has its power on topics resampled from one score matrix."""

import argparse
from typing import Any

from topicset_core.analyses.achieved_power import AchievedPower, Request, achieved_power
from topicset_core.analyses.achieved_power.answer import EFFECT, N_PAIRS, N_PERMUTATIONS, N_TRIALS
from topicset_core.analyses.achieved_power.report import RATES, notes, rates, report, sentences
from topicset_core.analyses.achieved_power.significance_tests import NULL, SHIFT, TEST
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, MIN_D, N_SYSTEMS, SEED, TOPICS

_PARAMETERS = (ALPHA, BETA, MIN_D, N_SYSTEMS, N_PAIRS, N_TRIALS, N_PERMUTATIONS, SEED)
_CHOICES = (TEST, EFFECT, TOPICS, NULL, SHIFT)


def add_parser(commands: Any) -> None:
    """Add ``check`` to the command line."""
    parser = commands.add_parser(
        "check",
        help="type I error and power that a test achieves on topics resampled from these scores",
        description="Draws n topics with replacement from one score matrix, runs the test on equal systems and on "
        "systems that differ by minD, and prints the share of significant trials with its standard error, next to "
        "the type I error and the power that the design states.",
        allow_abbrev=False,
    )
    files.add_options(parser)
    for choice in _CHOICES:
        usual = "as is usual for the test" if choice in (TOPICS, NULL) else choice.default
        parser.add_argument(
            choice.option,
            dest=choice.name,
            choices=list(choice.options),
            default=None if choice in (TOPICS, NULL) else choice.default,
            help=f"{choice.help} Default: {usual}",
        )
    parser.add_argument(
        "--topics",
        dest="n_topics",
        type=int,
        metavar="N",
        help="topics per system; default: the number that the design requires with the variance of these scores",
    )
    for parameter in _PARAMETERS:
        parser.add_argument(
            parameter.option,
            dest=parameter.name,
            type=int if parameter.integer else float,
            default=None
            if parameter is N_SYSTEMS
            else int(parameter.default)
            if parameter.integer
            else parameter.default,
            metavar="N" if parameter.integer else "X",
            help=f"{parameter.help} Default {parameter.default:,g}".replace("%", "%%"),
        )
    preparing.add_options(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the check as text and as a record."""
    as_read, recognised = files.only_matrix(options)
    done = preparing.prepared(as_read, preparing.steps_of(options))
    if options.n_systems is None:
        options.n_systems = max(2, min(int(N_SYSTEMS.default), done.matrix.n_systems))
    names = {one.name: one.option for one in (*_PARAMETERS, *_CHOICES)} | {"n_topics": "--topics"}
    try:
        request = Request(**{name: getattr(options, name) for name in names})
        with common.threads() as executor:
            result = achieved_power(done.matrix, request, executor=executor)
    except InputError as error:
        raise InputError(names.get(error.parameter, error.parameter), error.value, error.rule) from error
    return common.printed(
        _text(result, (*recognised, *done.notes)),
        report(result, preparation=done.notes),
        preparation=preparing.record_of(as_read, done),
        recognised=list(recognised),
    )


def _text(result: AchievedPower, recognised: tuple[str, ...]) -> str:
    return "\n".join([*sentences(result), "", *RATES.text(rates(result)), "", *notes(result), *recognised])
