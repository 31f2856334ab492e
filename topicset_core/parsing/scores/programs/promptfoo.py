"""promptfoo 0.123: ``results`` with provider, prompt, vars and scores, in an export as JSON or JSON lines.

Repeats (``--repeat``) are tests of their own with the same variables; groups are in variables and metadata.
"""

from collections import Counter
from typing import Any

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.scores.programs.log import (
    Fields,
    Log,
    Named,
    Program,
    Score,
    cell_of,
    fields_of,
    inner,
    items_of,
    name_groups,
    only_object,
    shown,
    text_of,
)
from topicset_core.parsing.table import Pairs, Table
from topicset_core.wording import first_few, quoted


def _recognises(fields: Fields) -> bool:
    keys = {"promptIdx", "testIdx", "score", "success"}
    return isinstance(inner(fields, "results").get("results"), list) or keys <= fields.keys()


def _read(table: Table, _: Choices) -> Log:
    items: list[Any] = [record for _, record in table.records]
    export = inner(dict(items[0]), "results")
    if export:
        only_object(table)
        items = items_of(table, export.get("results"), "results in the export")
    results = [fields_of(table, item, f"result {number}") for number, item in enumerate(items, start=1)]
    prompts = list(dict.fromkeys(map(_prompt, results)))
    scores: list[Score] = []
    named: Named = {}
    tests: dict[str, str] = {}
    seen: dict[tuple[str, str], int] = {}
    repeats: Counter[tuple[str, str]] = Counter()
    for number, result in enumerate(results, start=1):
        what = f"result {number}"
        provider = result.get("provider")
        if isinstance(provider, Pairs):
            provider = inner(result, "provider").get("label") or inner(result, "provider").get("id")
        system = text_of(table, provider, f"a provider in {what}")
        if len(prompts) > 1:
            system += f", prompt {prompts.index(_prompt(result)) + 1}"
        index = text_of(table, result.get("testIdx", str(number)), f"a testIdx in {what}")
        if seen.setdefault((index, system), number) != number:
            again = f"{quoted(index)} of run {quoted(system)} of result {seen[index, system]}"
            table.refuse(
                None,
                f"{what}: expected each test of a run once, found {again} again; providers need different labels",
            )
        # Repeats are tests of their own, with the same variables and assertions.
        test = repr([result.get("vars"), result.get("testCase")])
        topic = tests.setdefault(test, index)
        name_groups(named, topic, inner(result, "vars"), inner(dict(inner(result, "testCase")), "metadata"))
        repeats[test, system] += 1
        more = result.get("namedScores")
        parts = {} if more is None else dict(fields_of(table, more, f"namedScores of {what}"))
        parts |= {"score": result.get("score"), "pass": result.get("success")}
        failed = result.get("failureReason") == "2"  # of the provider: there is no answer to score
        for name, value in parts.items():
            measure = text_of(table, name, f"the name of a score in {what}")
            cell = "" if failed else cell_of(value)
            scores.append(Score(number, topic, measure, cell, system, str(repeats[test, system])))
    notes = ["Topics are tests, called by their testIdx."]
    if len(prompts) > 1:
        named_prompts = [f"prompt {place} is {quoted(text)}" for place, text in enumerate(prompts, start=1)]
        notes.append(f"Runs are providers and prompts: {first_few(named_prompts, 10, '; ')}.")
    return Log(
        program="An export of promptfoo", scores=scores, unit="result", notes=tuple(notes), named=named
    )


def _prompt(result: Fields) -> str:
    prompt = inner(result, "prompt")
    return shown(prompt.get("label", prompt.get("raw")))


PROGRAM = Program(_recognises, _read, "promptfoo (JSON)")
