"""``compare``: required topics of each method by measure, and run pairs that each measure distinguishes."""

import argparse
from collections.abc import Mapping, Sequence

from topicset_core.analyses.planning import Scores, Source, Stated
from topicset_core.analyses.sizing import DIFFERENCES, EFFECTS, SYSTEMS, ComparisonTable, separations
from topicset_core.analyses.sizing.cells import Target
from topicset_core.analyses.sizing.comparison import SPOKEN_DIFFERENCE, STAND_IN_SYSTEMS, EffectTable
from topicset_core.analyses.sizing.comparison_report import Comparison, planned_table
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.columns import aligned
from topicset_core.exports.findings import texts
from topicset_core.parameters import RESIDUAL_VARIANCE, TOPICS, WITHIN_SYSTEM_VARIANCE, Parameter


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``compare``."""
    parser.description = (
        "Required topics of all designs for each measure (of t tests, one-way ANOVA and the confidence "
        "interval: tables 1, 6 and 7 of Sakai 2016), and from scores the share of run pairs that each measure "
        "distinguishes. Scores of 0 and 1 add McNemar's exact test and the intervals of shares. Topics in groups "
        "are planned in groups."
    )
    files.add_options(parser, nargs="*")
    files.add_groups(parser)
    files.add_pool(parser)
    common.add_selection(parser)
    for option, what in (
        ("--variance", "within-system variances in place of files, such as AP:0.0471"),
        (
            "--residual-variance",
            "two-way variances, for designs with topics that all systems share, such as AP:0.01285",
        ),
    ):
        parser.add_argument(option, nargs="+", default=[], metavar="MEASURE:X", help=what)
    parser.add_argument(
        "--topics-are",
        choices=tuple(TOPICS.options),
        help="whether all systems share the topics; default: shared, where their two-way variance is known",
    )
    parser.add_argument(
        "--levels",
        nargs="+",
        type=_levels,
        required=True,
        metavar="ALPHA,BETA",
        help="error probabilities, such as 0.05,0.2; several are compared",
    )
    for option, kind, default, what in (
        ("--systems", int, SYSTEMS, "m, numbers of systems"),
        ("--min-d", float, DIFFERENCES, "differences, and widths of the interval"),
        ("--min-delta", float, EFFECTS, "effect sizes of the paired t test, in standard deviations"),
    ):
        listed = " ".join(f"{one:g}" for one in default)
        parser.add_argument(
            option, nargs="+", type=kind, default=default, metavar="X", help=f"{what}; default: {listed}"
        )
    parser.add_argument("--method", choices=("exact", "published"), default="exact", help="default: exact")
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answer[Comparison]:
    """Return the comparison as text and as a record."""
    if bool(options.files) == bool(options.variance):
        raise InputError(
            "--variance", " ".join(options.variance), "must be given, or files of scores, not both"
        )
    as_read: Sequence[ScoreMatrix] = files.read_files(options).matrices if options.files else ()
    matrices, chosen = preparing.chosen(options, as_read)
    sources: Mapping[str, Source] = _of_scores(options, matrices) if matrices else _stated(options)
    have_pairs = bool(matrices) and all(matrix.n_systems > 1 for matrix in matrices)
    is_shared = any(matrix.n_systems > 1 for matrix in matrices) or bool(options.residual_variance)
    comparison = Comparison(
        sources=sources,
        levels=options.levels,
        systems=options.systems,
        differences=tuple(options.min_d),
        effects=tuple(options.min_delta),
        method=options.method,
        topics=options.topics_are or ("shared" if is_shared else "separate"),
        target=_target(options, sources),
        of=max(sources, key=lambda measure: sources[measure].variance(WITHIN_SYSTEM_VARIANCE).value),
    ).answered()
    separated = separations(matrices, alpha=options.levels[0][0]) if have_pairs else None
    report = comparison.report(separated, matrices)
    said = [*texts(report.findings, "terminal"), *files.notes_on_groups(options)]
    text = "\n".join([*said, *_tables(comparison.tables, comparison.by_effect)])
    return common.printed(text, report, comparison, **chosen)


def _target(options: argparse.Namespace, sources: Mapping[str, Source]) -> Target:
    """Return what all designs are sized for: the m of the scores or the first that is asked for, and .10."""
    m = STAND_IN_SYSTEMS if STAND_IN_SYSTEMS in options.systems else options.systems[0]
    if tuple(options.systems) == SYSTEMS:
        m = min(source.usual_systems for source in sources.values())
    difference = SPOKEN_DIFFERENCE if SPOKEN_DIFFERENCE in options.min_d else options.min_d[0]
    target = dict.fromkeys(sources, difference)
    return Target(m, target, target)


def _of_scores(options: argparse.Namespace, matrices: Sequence[ScoreMatrix]) -> dict[str, Scores]:
    """Return the scores of each measure."""
    groups: dict[str, list[ScoreMatrix]] = {}
    for matrix in matrices:
        groups.setdefault(matrix.measure, []).append(matrix)
    for group in groups.values():
        files.check_pool(options, group)
    return {measure: Scores(matrices=tuple(group)) for measure, group in groups.items()}


def _stated(options: argparse.Namespace) -> dict[str, Stated]:
    """Return the variances that are given by measure."""
    within, shared = (_given(options, one) for one in (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE))
    return {
        measure: Stated(
            values={WITHIN_SYSTEM_VARIANCE.name: value}
            | ({RESIDUAL_VARIANCE.name: shared[measure]} if measure in shared else {}),
            measure=measure,
            words="given",
        )
        for measure, value in within.items()
    }


def _given(options: argparse.Namespace, variance: Parameter) -> dict[str, float]:
    """Return the variances of this kind by measure."""
    name = "variance" if variance is WITHIN_SYSTEM_VARIANCE else variance.name
    results = {}
    for text in getattr(options, name):
        measure, _, value = text.rpartition(":")  # a measure may hold colons, a number does not
        try:
            number = float(value)
        except ValueError:
            raise InputError(f"--{name.replace('_', '-')}", text, 'must be written "MEASURE:X"') from None
        results[measure] = variance.check(number)
    return results


def _levels(text: str) -> tuple[float, float]:
    try:
        alpha, beta = (float(one) for one in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not ALPHA,BETA") from None
    return alpha, beta


def _tables(tables: Sequence[ComparisonTable], effects: EffectTable) -> list[str]:
    """Return the lines of the tables in a terminal."""
    lines = ["", *aligned(planned_table(tables))]
    for table in tables:
        alpha, beta = table.levels
        lines += ["", f"{table.method_label}, alpha {alpha:g}, beta {beta:g}"]
        named = {table.heading(name) if table.group_sizes else name: n for name, n in table.columns().items()}
        lines += aligned({"minD": table.differences, **named}, "g")
    by_effect = {"minDelta": effects.effects} | {
        f"{alpha:g},{beta:g}": [int(n) or None for n in effects.topics[:, place]]
        for place, (alpha, beta) in enumerate(effects.levels)
    }
    return [*lines, "", "paired t test by effect size", *aligned(by_effect, "g")]
