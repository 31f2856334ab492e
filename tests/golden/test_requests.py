"""Each parameter of a request is in record, first sheet and dossier of its answer, by its name or label."""

import argparse
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.golden.test_command_line import COMMAND_LINES, folder
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.analyses.run_evaluation import Request as EvaluationRequest
from topicset_core.analyses.topic_subsets import request as subsets
from topicset_core.analyses.training_sensitivity.request import Request as TrainingRequest
from topicset_core.cli import COMMANDS
from topicset_core.exports.dossier import chapter, formatted
from topicset_core.exports.records import plain
from topicset_core.inputs import Inputs
from topicset_core.parameters import ChoiceParameter, ListParameter

__all__ = ["folder"]

REQUESTS: dict[str, type[Inputs]] = {
    **{name: one.question.request for name, one in COMMANDS.items() if one.question is not None},
    "evaluate": EvaluationRequest,
    "pool-depth": Asked,
    "subsets scores.csv": subsets.Request,
    "subsets wide.csv --cardinality 2,5 --holdout": subsets.HeldOutRequest,
    "subsets wide.csv --audit": subsets.AuditRequest,
    "training-sensitivity": TrainingRequest,
}
"""By how a line of the golden record begins."""


def _options(line: str) -> argparse.Namespace:
    name, *words = shlex.split(line)
    parser = argparse.ArgumentParser()
    COMMANDS[name].add_options(parser)
    return parser.parse_args(words)


def _in_words(parameter: Any, value: Any) -> Any:
    if isinstance(parameter, ChoiceParameter):
        return parameter.options[value]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


@pytest.mark.parametrize("begin", REQUESTS)
def test_each_parameter_is_in_record_sheet_and_dossier(
    begin: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    options = _options(next(line for line in COMMAND_LINES if line.startswith(begin)))
    answer = options.run(options)
    # A notebook shows it: well-formed, with its main chart.
    shown = ElementTree.fromstring(answer._repr_html_())
    assert len(shown.findall("{http://www.w3.org/2000/svg}svg")) == 1
    report = answer.report
    record = report.record()
    sheet = dict(zip(*report.answer().values(), strict=True))
    settings = dict(chapter(report, "").settings)
    declared = list(REQUESTS[begin].declared())
    assert len({one.parameter.label for one in declared}) == len(declared) > 2
    for one in declared:
        name, label = one.parameter.name, one.parameter.label
        value = getattr(options, name, None)
        assert name in record["request"]
        assert all(name in result for result in record["results"])
        if value is None:  # open, or what followed from the data
            assert sheet[label] == one.unless or record["results"][0][name] is not None
            assert settings[label]
        elif not isinstance(one.parameter, ListParameter):  # options write lists in their own ways
            assert record["request"][name] == plain(value)
            assert sheet[label] == _in_words(one.parameter, value)
            assert settings[label] == formatted(_in_words(one.parameter, value))
        else:
            assert str(settings[label]) == sheet[label] != ""
