"""DeepEval 4.3, by its source: a test run per file, with ``testCases`` and ``conversationalTestCases``.

A test case has a ``name``, ``success``, and ``metricsData`` with ``name`` and ``score`` of each metric; what has no
value is left out of the file. A metric without a score failed. Groups are in the metadata of a test case.
"""

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.scores.programs.log import (
    Log,
    Named,
    Program,
    Score,
    cell_of,
    fields_of,
    gaps,
    inner,
    items_of,
    name_groups,
    only_object,
    text_of,
)
from topicset_core.parsing.table import Table
from topicset_core.wording import quoted

_CASES = ("testCases", "conversationalTestCases")
_SUCCESS = "success"


def _read(table: Table, _: Choices) -> Log:
    run = only_object(table)
    items = [item for key in _CASES for item in items_of(table, run.get(key, []), key, may_be_empty=True)]
    scores: list[Score] = []
    named: Named = {}
    seen: dict[tuple[str, str], int] = {}
    for number, item in enumerate(items_of(table, items, "testCases"), start=1):
        what = f"test case {number}"
        case = fields_of(table, item, what)
        topic = text_of(table, case.get("name"), f"a name in {what}")
        if seen.setdefault((topic, "1"), number) != number:
            table.refuse(
                None,
                f"{what}: expected a name of its own for each test case, found {quoted(topic)} of test case "
                f"{seen[topic, '1']} again; give the test cases different names",
            )
        name_groups(named, topic, inner(case, "metadata"))
        data = case.get("metricsData")
        metrics: set[str] = set()
        for entry in (
            [] if data is None else items_of(table, data, f"metricsData of {what}", may_be_empty=True)
        ):
            metric = fields_of(table, entry, f"metricsData of {what}")
            measure = text_of(table, metric.get("name"), f"the name of a metric in {what}")
            if measure in metrics:
                table.refuse(None, f"{what}: expected each metric once, found {quoted(measure)} again")
            metrics.add(measure)
            scores.append(Score(number, topic, measure, cell_of(metric.get("score"))))
        if isinstance(case.get(_SUCCESS), bool) and _SUCCESS not in metrics:
            scores.append(Score(number, topic, _SUCCESS, cell_of(case[_SUCCESS])))
    scores += gaps(scores, seen)
    identifier = run.get("identifier")
    return Log(
        program="A test run of DeepEval",
        scores=scores,
        unit="test case",
        run="" if identifier is None else text_of(table, identifier, "an identifier of the test run"),
        run_source="the identifier",
        notes=("Topics are test cases, called by their name.",),
        named=named,
    )


PROGRAM = Program(
    lambda fields: (
        bool(fields.keys() & set(_CASES)) and bool(fields.keys() & {"metricsScores", "testPassed"})
    ),
    _read,
    "DeepEval (test runs)",
)
