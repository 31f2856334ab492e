"""The command line: ``topicset``, every design and analysis, with ``--json`` and ``--chart``.

A command is a question or a module, which adds its options; its `run` takes the values and returns the text to
print. `run` raises `TopicsetError` for invalid values and files, and `OSError` for files that cannot be read or
written; `main` makes one line of these. Only the module of the chosen command is imported.
"""

import argparse
import atexit
import gc
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from topicset_core.errors import InputError, TopicsetError
from topicset_core.version import __version__
from topicset_core.wording import names_of, visible

if TYPE_CHECKING:
    from topicset_core.question import Question


class Command(NamedTuple):
    """A line in the help of all commands, without a full stop, and where the command is."""

    place: str  # a module in `topicset_core`; behind a colon the name of its question
    help: str

    @property
    def module(self) -> Any:
        """Return the module of the command, or of its question."""
        return import_module(f"topicset_core.{self.place.partition(':')[0]}")

    @property
    def question(self) -> "Question[Any, Any] | None":
        """Return the question that the command answers; None where a module is the command."""
        name = self.place.partition(":")[2]
        return getattr(self.module, name) if name else None

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of the command, with `run` as a default."""
        if self.question is None:
            self.module.add_options(parser)
            parser.set_defaults(run=self.module.run)
        else:
            from topicset_core.cli import command

            command.add_options(parser, self.question)


COMMANDS = {
    "app": Command("cli.app", "start the web app on this computer"),
    "read": Command(
        "cli.read",
        "what files are read as: roles of columns, what was left out, questions with their commands",
    ),
    "size": Command("cli.size", "required number of topics for one design"),
    "compare": Command(
        "cli.compare",
        "required topics of all designs, by measure; share of run pairs that each measure distinguishes",
    ),
    "reported": Command(
        "cli.reported",
        "replication of a reported t or F: topics for the shrunk effect and for the published one",
    ),
    "compare-two": Command(
        "analyses.two_systems.report:QUESTION",
        "a new system and a baseline, for a CI job: better, not worse by a margin, worse, inconclusive",
    ),
    "check": Command(
        "analyses.achieved_power.report:QUESTION",
        "Type I error and power that a test achieves on topics resampled from these scores",
    ),
    "evaluate": Command("cli.evaluate", "score matrices from runs and relevance judgments"),
    "variance": Command(
        "cli.variance", "within-system variance of score matrices, each and pooled per measure"
    ),
    "pool-depth": Command(
        "cli.pool_depth", "topics and judgments for every pool depth, from runs and judgments"
    ),
    "error-rate": Command(
        "analyses.error_rate.report:QUESTION",
        "how often a second set of topics reverses the order of two runs",
    ),
    "leaderboard": Command(
        "analyses.rank_resolution.report:QUESTION",
        "which ranks of a leaderboard are real: rank intervals, pairs resolved, candidates for first",
    ),
    "discriminative-power": Command(
        "analyses.rank_resolution.discriminative_power:POWER_QUESTION",
        "the share of pairs of systems that each measure distinguishes (randomised Tukey HSD)",
    ),
    "stability": Command(
        "analyses.stability.report:QUESTION",
        "generalizability study: variance components, E rho^2 and Phi, topics for a required stability",
    ),
    "repeats": Command(
        "analyses.repeats.report:QUESTION",
        "seeds, repeated answers, query variations: variance, the right test, topics or repeats",
    ),
    "judge": Command(
        "analyses.judge_study.report:QUESTION",
        "scores by a judge and few human labels: the difference, the judge's bias, the best use of a budget",
    ),
    "subsets": Command("cli.subsets", "best, average and worst subsets of topics"),
    "topic-variance": Command(
        "analyses.topic_variance.report:QUESTION",
        "how often another document collection reverses pairs of runs, from runs and judgments",
    ),
    "training-sensitivity": Command(
        "cli.training_sensitivity", "which measure to use for tuning a system on few judgments"
    ),
    "retrieve": Command("cli.retrieve", "a run over a small collection, by BM25 or PL2"),
}
"""All commands by their names, in the order of the help text."""

USAGE_ERROR = 2


class _Parser(argparse.ArgumentParser):
    """A parser that neither guesses abbreviated options nor prints its usage before an error."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {visible(message)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status, as a rule 0; stop with 2 and one line on stderr if it refuses."""
    words = sys.argv[1:] if arguments is None else arguments
    if arguments is None:  # to look for garbage when this process ends takes a tenth of the time of `size`
        atexit.register(gc.freeze)
    # What a console cannot show is written as in JSON, by its number.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = _Parser(
        prog="topicset",
        description="How many topics a test collection needs, estimated from past scores.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    chosen = next((word for word in words if not word.startswith("-")), "")  # all options here are flags
    for name, entry in COMMANDS.items():
        own = commands.add_parser(name, help=entry.help, allow_abbrev=False)
        if name == chosen:
            entry.add_options(own)
    options, others = parser.parse_known_args(words)
    if others and options.command != "app":  # whose other options are Streamlit's
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    options.words = words
    try:
        printed = options.run(options)
        if getattr(options, "chart", None) is not None:
            from topicset_core.cli.options import write_chart

            write_chart(printed.report, options.chart, options.figure)
    except InputError as error:
        parser.error(str(by_option(error, commands.choices[options.command], options)))
    except TopicsetError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130  # as shells have it
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    text = printed.text
    if options.json:
        is_unicode = str(sys.stdout.encoding).lower().startswith("utf")
        text = json.dumps(printed.record, indent=2, ensure_ascii=not is_unicode, allow_nan=False)
    try:
        print(visible(text), flush=True)
    except BrokenPipeError:  # the reader, such as head, has had enough; Python must not flush into it again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(printed.status)


def by_option(error: InputError, parser: argparse.ArgumentParser, options: argparse.Namespace) -> InputError:
    """Return a refusal under the name of its option; where the data break a rule, under that of their files."""
    # argparse has no public list of its options.
    actions = [action for action in parser._actions if action.option_strings]
    names = {action.option_strings[0][2:].replace("-", "_"): action.option_strings[0] for action in actions}
    names |= {action.dest: action.option_strings[0] for action in actions}
    name = error.parameter
    spelled = (name, name.removeprefix("n_"), name.removesuffix("s"))  # --documents for `n_documents`
    option = next((names[spelling] for spelling in spelled if spelling in names), None)
    if option is not None or not name.isidentifier() or name == "FILE":
        return InputError(option or name, error.value, error.rule)
    given = vars(options)
    files = given.get("files") or given.get("runs") or [given.get("file")]
    return InputError("FILE", names_of(files), f"{name} = {error.value!r} {error.rule}")


if __name__ == "__main__":
    sys.exit(main())
