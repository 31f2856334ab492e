"""``compare``: how many topics each method asks for, measure by measure, and what each measure tells apart."""

import argparse
from collections.abc import Sequence
from typing import Any

from topicset_core.analyses.sizing import (
    DIFFERENCES,
    EFFECTS,
    SYSTEMS,
    ComparisonTable,
    EffectTable,
    Separations,
    compare_designs,
    effect_table,
    method_lines,
    separations,
)
from topicset_core.analyses.sizing.comparison_report import comparison_report, comparison_sentence
from topicset_core.cli import files, preparing
from topicset_core.cli import options as made
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE
from topicset_core.variance import pooled


def add_parser(commands: Any) -> None:
    """Add ``compare`` to the command line."""
    parser = commands.add_parser(
        "compare",
        help="required topics of all methods, by measure; what each measure tells apart",
        description="Required topics of t tests, one-way ANOVA and the confidence interval for each measure "
        "(tables 1, 6 and 7 of Sakai 2016), and from scores the share of run pairs that each measure tells apart.",
        allow_abbrev=False,
    )
    files.add_options(parser, nargs="*")
    made.add_selection(parser)
    parser.add_argument(
        "--variance",
        nargs="+",
        default=[],
        metavar="MEASURE:X",
        help="within-system variances in place of files, such as AP:0.0471",
    )
    parser.add_argument(
        "--levels",
        nargs="+",
        type=_levels,
        required=True,
        metavar="ALPHA,BETA",
        help="error probabilities, such as .05,.20; several are compared",
    )
    for option, kind, default, what in (
        ("--systems", int, SYSTEMS, "m of the ANOVAs"),
        ("--min-d", float, DIFFERENCES, "differences, and widths of the interval"),
        ("--min-delta", float, EFFECTS, "effect sizes of the paired t test, in standard deviations"),
    ):
        listed = " ".join(f"{one:g}" for one in default)
        parser.add_argument(
            option, nargs="+", type=kind, default=default, metavar="X", help=f"{what}; default: {listed}"
        )
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    made.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> made.Printed:
    """Return the comparison as text and as a record."""
    if bool(options.files) == bool(options.variance):
        raise InputError(
            "--variance", " ".join(options.variance), "must be given, or files of scores, not both"
        )
    as_read: Sequence[ScoreMatrix] = files.read_files(options).matrices if options.files else ()
    matrices, chosen = preparing.chosen(options, as_read)
    variances = _of_scores(matrices) if matrices else dict(_given(text) for text in options.variance)
    tables = [
        table
        for alpha, beta in options.levels
        for table in compare_designs(
            {measure: value for measure, (value, _) in variances.items()},
            alpha=alpha,
            beta=beta,
            differences=tuple(options.min_d),
            systems=tuple(options.systems),
            method=options.method,
        )
    ]
    alpha, beta = options.levels[0]
    have_pairs = matrices and all(matrix.n_systems > 1 for matrix in matrices)
    separated: Separations | None = separations(matrices, alpha=alpha) if have_pairs else None
    effects = effect_table(options.levels, effects=tuple(options.min_delta), method=options.method)
    heading, summary = comparison_sentence(tables, separated)
    largest = max(value for value, _ in variances.values())
    report = comparison_report(
        tables,
        method_lines(largest, alpha=alpha, beta=beta, systems=tuple(options.systems)),
        variances,
        effects=effects,
        method=options.method,
        sentence=f"{heading}. {summary}",
        separated=separated,
        matrices=matrices,
    )
    return made.printed(_text(report.sentence, tables, effects), report, **chosen)


def _of_scores(matrices: Sequence[ScoreMatrix]) -> dict[str, tuple[float, str]]:
    groups: dict[str, list[ScoreMatrix]] = {}
    for matrix in matrices:
        groups.setdefault(matrix.measure, []).append(matrix)
    return {
        measure: (pooled(group), ", ".join(matrix.name for matrix in group))
        for measure, group in groups.items()
    }


def _given(text: str) -> tuple[str, tuple[float, str]]:
    measure, _, value = text.rpartition(":")  # a measure may hold colons, a number does not
    try:
        return measure, (WITHIN_SYSTEM_VARIANCE.check(float(value)), "given")
    except ValueError:
        raise InputError("--variance", text, 'must be written "MEASURE:X"') from None


def _levels(text: str) -> tuple[float, float]:
    try:
        alpha, beta = (float(one) for one in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not ALPHA,BETA") from None
    return alpha, beta


def _text(sentence: str, tables: Sequence[ComparisonTable], effects: EffectTable) -> str:
    lines = [sentence]
    for table in tables:
        alpha, beta = table.levels
        lines += ["", f"{table.method_label}, alpha {alpha:g}, beta {beta:g}"]
        lines.append(f"{'minD':>8} " + " ".join(f"{measure:>12}" for measure in table.measures))
        for difference, row in zip(table.differences, table.topics, strict=True):
            lines.append(f"{difference:8g} " + " ".join(f"{int(n) or '-':>12}" for n in row))
    lines += ["", "paired t test by effect size"]
    lines.append(f"{'minDelta':>8} " + " ".join(f"{f'{a:g},{b:g}':>12}" for a, b in effects.levels))
    for effect, row in zip(effects.effects, effects.topics, strict=True):
        lines.append(f"{effect:8g} " + " ".join(f"{int(n) or '-':>12}" for n in row))
    return "\n".join(lines)
