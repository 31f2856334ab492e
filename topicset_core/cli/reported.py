"""``reported``: the topics of a replication of a t or an F that a paper reports."""

import argparse

from topicset_core.analyses.sizing import ReportedResult, from_one_way_f, from_paired_t, from_two_sample_t
from topicset_core.analyses.sizing.replication import BELIEVED, N_AGAIN
from topicset_core.analyses.sizing.reported_report import reported_report
from topicset_core.cli import options as common
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.exports.findings import texts
from topicset_core.parameters import ALPHA, BETA, F_STATISTIC, N_SYSTEMS, T_STATISTIC

_TESTS = {
    "paired-t": (T_STATISTIC, ALPHA, BETA),
    "two-sample-t": (T_STATISTIC, ALPHA, BETA),
    "anova": (F_STATISTIC, N_SYSTEMS, ALPHA, BETA),
}
_PARAMETERS = (T_STATISTIC, F_STATISTIC, N_SYSTEMS, ALPHA, BETA, N_AGAIN, BELIEVED)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``reported``."""
    parser.description = (
        "The topics of a replication for the published effect, shrunk as differences between runs of a "
        "track shrink, and for exactly this effect (as Sakai, SIGIR 2016). "
        f"{N_AGAIN.option} are the new topics whose result is predicted (default: {N_AGAIN.default:g}); "
        f"{BELIEVED.option} is the effect for which errors of size and sign are computed (default: "
        f"{BELIEVED.default:g})."
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
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answer[ReportedResult]:
    """Return the audit as text and as a record."""
    values, topics = common.given(options, _PARAMETERS), options.topics
    own = (N_AGAIN,) if options.test == "anova" else (N_AGAIN, BELIEVED)
    common.check_given(values, _PARAMETERS, _TESTS[options.test], own, needed_for=options.test)
    most = 2 if options.test == "two-sample-t" else 1
    if len(topics) > most:
        raise InputError("--topics", " ".join(map(str, topics)), f"must be {most} for {options.test}")
    if options.test == "anova":
        audit = from_one_way_f(values.pop("f"), n_topics=topics[0], **values)
    elif options.test == "paired-t":
        audit = from_paired_t(values.pop("t"), n_topics=topics[0], **values)
    else:
        audit = from_two_sample_t(values.pop("t"), n_topics=(topics[0], topics[-1]), **values)
    report = reported_report(audit)
    return common.printed("\n".join(texts(report.findings, "terminal")), report, audit)
