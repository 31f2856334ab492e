"""``stability``: variance components, E rho^2 and Phi of one score matrix, and topics for a required value."""

import argparse
from typing import Any

from topicset_core.analyses.stability import Request, stability
from topicset_core.analyses.stability.report import report, sentences
from topicset_core.analyses.stability.result import LEVEL, N_TRIALS, STABILITY
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.parameters import SEED

_PARAMETERS = (STABILITY, LEVEL, N_TRIALS, SEED)


def add_parser(commands: Any) -> None:
    """Add ``stability`` to the command line."""
    parser = commands.add_parser(
        "stability",
        help="generalizability study: variance components, E rho^2 and Phi, topics for a required stability",
        description="Variance components of topics x systems, stability of the ranking (E rho^2) and of the means "
        "(Phi) with intervals, and topics for a required value (Bodoff and Li 2007; Urbano, Marrero "
        "and Martin 2013).",
        allow_abbrev=False,
    )
    files.add_options(parser)
    common.add_with_defaults(parser, _PARAMETERS)
    parser.add_argument(
        "--topics",
        dest="n_topics",
        type=int,
        metavar="N",
        help="topics that the coefficients are for; default: as scored",
    )
    preparing.add_options(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the study as text and as a record."""
    as_read, recognised = files.only_matrix(options)
    done = preparing.prepared(as_read, preparing.steps_of(options))
    names = {parameter.name: parameter.option for parameter in _PARAMETERS} | {"n_topics": "--topics"}
    with common.refusals_by_option(names):
        result = stability(
            done.matrix,
            Request(
                stability=options.stability,
                level=options.level,
                n_topics=options.n_topics,
                n_trials=options.n_trials,
                seed=options.seed,
            ),
        )
    components = result.components
    lines = [
        *sentences(result),
        f"Variance components: systems {components.system:.6g}, topics {components.topic:.6g}, residual "
        f"{components.residual:.6g}.",
        *recognised,
        *done.notes,
    ]
    return common.printed(
        "\n".join(lines),
        report(result, preparation=done.notes),
        preparation=preparing.record_of(as_read, done),
        recognised=list(recognised),
    )
