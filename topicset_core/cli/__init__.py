"""The command line: ``python -m topicset_core``, every design and analysis, with ``--json`` and ``--chart``.

Each command adds its parser, whose `run` takes the options and returns the text to print. `run` raises
`TopicsetError` for invalid values and files, and `OSError` for files that cannot be read
or written; `main` makes one line of these.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import NoReturn

from topicset_core import __version__
from topicset_core.cli import (
    check,
    compare,
    discriminative_power,
    error_rate,
    evaluate,
    judge,
    leaderboard,
    pool_depth,
    repeats,
    reported,
    retrieve,
    size,
    stability,
    subsets,
    topic_variance,
    training_sensitivity,
    variance,
)
from topicset_core.cli.options import write_chart
from topicset_core.errors import TopicsetError
from topicset_core.exports.records import plain
from topicset_core.wording import visible

COMMANDS = (
    size,
    compare,
    reported,
    check,
    evaluate,
    variance,
    pool_depth,
    error_rate,
    leaderboard,
    discriminative_power,
    stability,
    repeats,
    judge,
    subsets,
    topic_variance,
    training_sensitivity,
    retrieve,
)
"""All commands, in the order of the help text."""

USAGE_ERROR = 2


class _Parser(argparse.ArgumentParser):
    """A parser that neither guesses abbreviated options nor prints its usage before an error."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {visible(message)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status: 0, or 2 with one line on stderr."""
    parser = _Parser(
        prog="python -m topicset_core",
        description="How many topics a test collection needs, estimated from past scores.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for command in COMMANDS:
        command.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        printed = options.run(options)
        if getattr(options, "chart", None) is not None:
            write_chart(printed.report, options.chart, options.figure)
    except TopicsetError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    record = options.json and json.dumps(plain(printed.record), indent=2, ensure_ascii=False, allow_nan=False)
    print(visible(record or printed.text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
