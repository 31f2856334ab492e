"""``subsets --holdout`` and ``subsets --audit``: chosen topics on other runs and topics."""

import argparse
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from topicset_core.analyses.pool_depth import guessed_teams
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.held_out.audit import AuditRequest, audit
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.error_rates import held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM, N_SPLITS, N_STARTS, HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.sentences import (
    audit_sentence,
    error_rates_sentence,
    held_out_sentence,
)
from topicset_core.analyses.topic_subsets.request import (
    cardinalities_of,
    default_cardinalities,
)
from topicset_core.analyses.topic_subsets.settings import N_TRIALS
from topicset_core.cli import preparing, score_files, subsets_tables
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.audit_records import audit_record
from topicset_core.exports.held_out_records import error_rates_record, held_out_record
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.preparation import Steps

Answer = tuple[str, dict[str, Any]]


def run_held_out(options: argparse.Namespace, matrix: ScoreMatrix, about: Mapping[str, Any]) -> Answer:
    """Return a held-out curve, or error rates, as text and as a record.

    Parameters
    ----------
    options : argparse.Namespace
        Of the command line.
    matrix : ScoreMatrix
        Prepared.
    about : mapping
        What the record says of the scores.

    Raises
    ------
    ParseError, InputError, OSError
        As `topicset_core.cli.subsets.run`.
    """
    judged = None if options.judge_scores is None else _other_scores(options)
    request = HeldOutRequest(
        hold_out=options.holdout,
        goodness="error-rate" if options.by_difference else options.goodness,
        choose_by=options.choose_by,
        cardinalities=_sizes(options, matrix.n_topics),
        teams=guessed_teams(matrix.systems) if options.teams else None,
        n_splits=int(N_SPLITS.default) if options.splits is None else options.splits,
        n_starts=int(N_STARTS.default) if options.starts is None else options.starts,
        n_trials=int(N_RANDOM.default) if options.trials is None else options.trials,
        seed=options.seed,
    )
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        if options.by_difference:
            rates = held_out_error_rates(matrix, request, judged=judged, executor=executor)
            record = dict(about) | error_rates_record(rates) | {"sentence": error_rates_sentence(rates)}
            return subsets_tables.error_rates(rates, record["sentence"]), record
        curve = held_out_curve(matrix, request, judged=judged, executor=executor)
    target = measure_of(options.goodness).target if options.target is None else options.target
    record = dict(about) | held_out_record(curve)
    record |= {"target": target, "sentence": held_out_sentence(curve, target)}
    if request.teams is not None:
        record["teams"] = dict(zip(matrix.systems, request.teams, strict=True))
    return subsets_tables.held_out(curve, record["sentence"]), record


def run_audit(options: argparse.Namespace, matrix: ScoreMatrix, about: Mapping[str, Any]) -> Answer:
    """Return the audit of a list of topics as text and as a record.

    Raises
    ------
    ParseError
        If the list names a topic twice, or one that has no scores.
    InputError, OSError
        As `topicset_core.cli.subsets.run`.
    """
    topics = read_topic_list(options.audit, Path(options.audit).read_bytes(), matrix.topics)
    teams = guessed_teams(matrix.systems) if options.teams else None
    request = AuditRequest(
        topics=topics,
        runs=options.unseen,
        teams=teams,
        n_trials=int(N_TRIALS.default) if options.trials is None else options.trials,
        n_splits=int(N_SPLITS.default) if options.splits is None else options.splits,
        n_starts=int(N_STARTS.default) if options.starts is None else options.starts,
        seed=options.seed,
    )
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        found = audit(matrix, request, executor=executor)
    record = dict(about) | audit_record(found) | {"sentence": audit_sentence(found)}
    if teams is not None:
        record["teams"] = dict(zip(matrix.systems, teams, strict=True))
    return subsets_tables.audited(found, record["sentence"]), record


def _sizes(options: argparse.Namespace, n_topics: int) -> tuple[int, ...]:
    """Return the cardinalities asked for; by default all, or a grid where pairs of runs make that long."""
    if options.cardinality is not None:
        return cardinalities_of(options.cardinality)
    by_pairs = options.by_difference or {options.goodness, options.choose_by} & {"kendall", "error-rate"}
    most = n_topics if options.holdout == "runs" else n_topics // 2
    return default_cardinalities(max(most, 1), "kendall" if by_pairs else "pearson")


def _other_scores(options: argparse.Namespace) -> ScoreMatrix:
    """Read the scores that judge; as they are, since dropping runs by each measure would drop others."""
    if preparing.steps_of(options) != Steps():
        raise InputError(
            "--judge-scores",
            options.judge_scores,
            "goes with scores as they are; prepare both files beforehand",
        )
    alone = vars(options) | {"files": [options.judge_scores], "measure": None, "columns": None}
    return score_files.only_matrix(argparse.Namespace(**alone))[0]
