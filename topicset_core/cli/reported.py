"""``reported``: the power of a t or an F that a paper reports, and the topics of a replication."""

import argparse
from typing import Any

from topicset_core.analyses.sizing import from_one_way_f, from_paired_t, from_two_sample_t, replication_curve
from topicset_core.analyses.sizing.replication import BELIEVED, FIELDS, N_AGAIN, Reality, was_it_real
from topicset_core.analyses.sizing.report import reported_report
from topicset_core.cli import options as common
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, F_STATISTIC, N_SYSTEMS, T_STATISTIC

_TESTS = {
    "paired-t": (T_STATISTIC, ALPHA, BETA),
    "two-sample-t": (T_STATISTIC, ALPHA, BETA),
    "anova": (F_STATISTIC, N_SYSTEMS, ALPHA, BETA),
}
_OF_NEW_TOPICS = (N_AGAIN, BELIEVED)
_PARAMETERS = (T_STATISTIC, F_STATISTIC, N_SYSTEMS, ALPHA, BETA, *_OF_NEW_TOPICS)
_FIELD = next(iter(FIELDS))


def add_parser(commands: Any) -> None:
    """Add ``reported`` to the command line."""
    parser = commands.add_parser(
        "reported",
        help="effect size, achieved power and replication of a reported t or F",
        description="The effect size in the sample, the power of a study of this size for it, and the topics that "
        "a replication needs (conventions of Sakai, SIGIR 2016). For a paired t test "
        f"{N_AGAIN.option} predicts the result on that many new topics; {BELIEVED.option} is the effect at which "
        f"errors of size and sign are computed (default: {BELIEVED.default:g}).",
        allow_abbrev=False,
    )
    parser.add_argument("test", choices=list(_TESTS), help="the reported test")
    common.add(parser, _PARAMETERS)
    parser.add_argument(
        "--topics",
        type=int,
        nargs="+",
        required=True,
        metavar="N",
        help="number of topics; two numbers for two samples",
    )
    parser.add_argument(
        "--field",
        choices=list(FIELDS),
        help=f"with {N_AGAIN.option}, the systems that share k is taken from, as on the page; "
        f"default: {_FIELD}",
    )
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the audit as text and as a record."""
    values, topics = common.given(options, _PARAMETERS), options.topics
    own = _OF_NEW_TOPICS if options.test == "paired-t" else ()
    common.check_given(values, _PARAMETERS, _TESTS[options.test], own, needed_for=options.test)
    most = 2 if options.test == "two-sample-t" else 1
    if len(topics) > most:
        raise InputError("--topics", " ".join(map(str, topics)), f"must be {most} for {options.test}")
    levels = {"alpha": values["alpha"], "beta": values["beta"]}
    if options.test == "anova":
        audit = from_one_way_f(values["f"], n_systems=values["n_systems"], n_topics=topics[0], **levels)
    elif options.test == "paired-t":
        audit = from_paired_t(values["t"], n_topics=topics[0], **levels)
    else:
        audit = from_two_sample_t(values["t"], n_topics=(topics[0], topics[-1]), **levels)
    real = _of_new_topics(options, values, topics[0])
    size = topics[0] if len(set(topics)) == 1 else None
    n, power = audit.replication.required_topics, audit.achieved_power
    report = reported_report(
        audit,
        replication_curve(audit, size),
        settings=values | {"n_topics": topics},
        study=f"{' and '.join(f'{one:,}' for one in topics)} topics",
        n_topics=size,
        sentence=f"detect an effect of the reported size with {100 * (1 - values['beta']):g} % power.",
        real=real,
    )
    text = (
        f"{n} topics for a replication  ({audit.test})\neffect size {audit.effect_size:.6f}\n"
        f"p value {audit.p_value:.6g}\nachieved power {power:.6f}"
    )
    return common.printed(text if real is None else f"{text}\n{real.sentence}", report)


def _of_new_topics(options: argparse.Namespace, values: dict[str, Any], n_topics: int) -> Reality | None:
    """Return the prediction for new topics, if their number was given."""
    if N_AGAIN.name not in values:
        for option, value in ((BELIEVED.option, values.get(BELIEVED.name)), ("--field", options.field)):
            if value is not None:
                raise InputError(option, value, f"has no meaning without {N_AGAIN.option}")
        return None
    return was_it_real(
        values[T_STATISTIC.name],
        n_topics=n_topics,
        n_again=values[N_AGAIN.name],
        field=FIELDS[options.field or _FIELD],
        true_effect=values.get(BELIEVED.name, BELIEVED.default),
        alpha=values[ALPHA.name],
        beta=values[BETA.name],
    )
