"""The command line: ``python -m topicset_core``, every design and analysis, with ``--json`` and ``--chart``.

Each command adds its parser, whose `run` takes the options and returns the text to print. `run` raises
`TopicsetError` for invalid values and files, and `OSError` for files that cannot be read
or written; `main` makes one line of these.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from topicset_core import __version__
from topicset_core.analyses.achieved_power import report as achieved_power
from topicset_core.analyses.error_rate import report as error_rate
from topicset_core.analyses.judge_study import report as judge_study
from topicset_core.analyses.rank_resolution import report as rank_resolution
from topicset_core.analyses.repeats import report as repeats
from topicset_core.analyses.stability import report as stability
from topicset_core.analyses.topic_variance import report as topic_variance
from topicset_core.analyses.two_systems import report as two_systems
from topicset_core.cli import (
    command,
    compare,
    evaluate,
    pool_depth,
    reported,
    retrieve,
    size,
    subsets,
    training_sensitivity,
    variance,
)
from topicset_core.cli.options import Printed, write_chart
from topicset_core.errors import InputError, TopicsetError
from topicset_core.exports.records import plain
from topicset_core.question import Question
from topicset_core.wording import visible

COMMANDS = (
    size,
    compare,
    reported,
    two_systems.QUESTION,
    achieved_power.QUESTION,
    evaluate,
    variance,
    pool_depth,
    error_rate.QUESTION,
    rank_resolution.QUESTION,
    rank_resolution.POWER_QUESTION,
    stability.QUESTION,
    repeats.QUESTION,
    judge_study.QUESTION,
    subsets,
    topic_variance.QUESTION,
    training_sensitivity,
    retrieve,
)
"""All commands, in the order of the help text: a question, or a module where a command is no question."""

USAGE_ERROR = 2


class _Parser(argparse.ArgumentParser):
    """A parser that neither guesses abbreviated options nor prints its usage before an error."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {visible(message)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status, 0 for most, or 2 with one line on stderr."""
    if isinstance(
        sys.stdout, TextIOWrapper
    ):  # what a console cannot show is written as in JSON, by its number
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = _Parser(
        prog="python -m topicset_core",
        description="How many topics a test collection needs, estimated from past scores.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for one in COMMANDS:
        if isinstance(one, Question):
            command.add_parser(commands, one)
        else:
            one.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        printed: Printed = options.run(options)
        if getattr(options, "chart", None) is not None:
            write_chart(printed.report, options.chart, options.figure)
    except InputError as error:
        parser.error(str(_by_option(error, commands.choices[options.command], options)))
    except TopicsetError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    is_unicode = str(sys.stdout.encoding).lower().startswith("utf")
    record = options.json and json.dumps(
        plain(printed.record), indent=2, ensure_ascii=not is_unicode, allow_nan=False
    )
    with suppress(BrokenPipeError):  # the reader, such as head, has had enough; the status counts
        print(visible(record or printed.text))
    return printed.status


def _by_option(error: InputError, parser: argparse.ArgumentParser, options: argparse.Namespace) -> InputError:
    """Return a refusal under the name of its option; where the data break a rule, under that of their files."""
    # argparse has no public list of its options.
    actions = [one for one in parser._actions if one.option_strings]
    names = {one.option_strings[0][2:].replace("-", "_"): one.option_strings[0] for one in actions}
    names |= {one.dest: one.option_strings[0] for one in actions}
    name = error.parameter
    spelled = (name, name.removeprefix("n_"), name.removesuffix("s"))  # --documents for `n_documents`
    option = next((names[one] for one in spelled if one in names), None)
    if option is not None or not name.isidentifier() or name == "FILE":
        return InputError(option or name, error.value, error.rule)
    given = vars(options)
    files = given.get("files") or given.get("runs") or [given.get("file")]
    return InputError("FILE", ", ".join(map(str, files)), f"{name} = {error.value!r} {error.rule}")


if __name__ == "__main__":
    sys.exit(main())
