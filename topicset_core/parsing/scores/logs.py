"""Logs of evaluation programs in JSON: lm-evaluation-harness, Inspect, MTEB, promptfoo.

Each has one object per sample with scores by measure. Shapes by the sources of lm-evaluation-harness 0.4.13,
Inspect 0.3.285, MTEB 2.26 and promptfoo 0.123, and by what they wrote (MTEB: by its source alone). Repeats of a
sample (epochs, ``--repeat``) are averaged for a matrix; `replicated` keeps them.

What a log calls the conversation, passage, category or dataset of a sample is its group: in the document
(lm-evaluation-harness), metadata (Inspect, promptfoo) or variables (promptfoo); of MTEB the task of its subsets.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple, NoReturn

import numpy as np

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.groups import GROUP_WORDS
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.numerals import MISSING, is_numeral
from topicset_core.parsing.opening import json_cell
from topicset_core.parsing.scores.entries import Columns, Entries, Reading, sort_rows
from topicset_core.parsing.scores.long import shapes
from topicset_core.parsing.table import Pairs, Row, Table, plain, refuse_odd_names, words
from topicset_core.parsing.text import NO_CHARACTER
from topicset_core.wording import counted, first_few, listed, quoted, visible

Fields = Mapping[str, Any]


class Score(NamedTuple):
    """One score as a log has it; `line` is the number of its sample."""

    line: int
    topic: str
    system: str
    repeat: str
    measure: str
    cell: str


@dataclass(frozen=True, kw_only=True)
class Log:
    """The scores of a log, the run of one that has a single one, and its task."""

    program: str
    scores: Sequence[Score]
    unit: str  # what samples are called in the log
    run: str | None = None  # "" where the log has one run and does not name it
    run_source: str = "the file"
    task: str = ""
    part_of_run: bool = False
    notes: tuple[str, ...] = ()
    named: "Named" = field(default_factory=dict)  # what may be the groups of topics
    group_source: str | None = None


Named = dict[str, dict[str, str | None]]
"""Values by topic of what a log calls by a name of groups; None where a topic has several."""


class Program(NamedTuple):
    """A program: how the objects of its logs are recognised, by their keys and inner objects, and read."""

    recognises: Callable[[Fields], bool]
    read: Callable[[Table], Log]


def is_log(table: Table, _: Choices) -> bool:
    """Return whether a table is the log of a known program."""
    return _program(table) is not None


def read_log(table: Table, _: Choices) -> Reading:
    """Read the log of a known program; scores of repeated samples are averaged."""
    log = log_of(table)
    rows = [Row(one.line, [one.topic, one.system, one.measure, one.cell]) for one in log.scores]
    header = Row(0, ["topic", "run", "measure", "score"])
    long = replace(table, rows=[header, *rows], unit=log.unit, records=())
    tables, left_out = sort_rows(long, rows, Columns(0, 1 if log.run is None else None, 3, 2))
    if not tables:
        table.refuse(None, "expected scores of single samples, found only summary rows")
    notes = [f"{log.program}: {counted(len(rows), 'score')}.", *log.notes, *left_out]
    if any(one.repeat != "1" for one in log.scores):
        tables, more = _without_repeats(tables)
        notes.append(more)
    groups, source, more_notes = groups_of(log)
    return Reading(
        tables=tables,
        recognised=(*notes, *shapes(tables), *more_notes),
        measure_source="the log",
        one_run=log.run is not None,
        run_name=log.run or "",
        part_of_run=log.part_of_run,
        run_source=log.run_source,
        task=log.task,
        groups=groups,
        group_source=source,
    )


def groups_of(log: Log) -> tuple[Mapping[str, str], str, tuple[str, ...]]:
    """Return the group of each topic by the one name that has them all, where it is from, and why there is none."""
    topics = {one.topic for one in log.scores}
    whole, others = {}, []
    for name, of in log.named.items():
        groups = {topic: of[topic] or "" for topic in topics if topic in of}
        if len(groups) == len(topics) and all(groups.values()):
            whole[name] = {topic: groups[topic] for topic in of if topic in topics}
        else:
            others.append(name)
    if len(whole) == 1:
        ((name, result),) = whole.items()
        source = f"{quoted(name)} of each {log.unit}" if log.group_source is None else log.group_source
        return result, source, ()
    if whole:
        return {}, "", (f"Topics have no groups, as {listed(list(whole))} may name them.",)
    if others:
        return {}, "", (f"Topics have no groups, as {listed(others)} is not one value of each topic.",)
    return {}, "", ()


def _name_groups(named: Named, topic: str, *sources: Fields) -> None:
    """Keep what is called by a name of groups in some fields; a long text by its beginning and its digest."""
    for key, value in (one for fields in sources for one in fields.items()):
        if plain(key) in GROUP_WORDS and isinstance(value, str) and value.strip():
            text = visible(" ".join(value.split()))
            if len(text.encode()) > LONGEST_ID // 2:
                text = f"{text[:40]}… ({hashlib.sha256(text.encode()).hexdigest()[:8]})"
            of = named.setdefault(key, {})
            if of.setdefault(topic, text) != text:
                of[topic] = None


def log_of(table: Table) -> Log:
    """Return the scores of a log, without those that are texts or lists."""
    program = _program(table)
    if program is None:
        table.refuse(None, "expected the log of a known program")
    log = program.read(table)
    kinds: dict[str, list[bool]] = {}
    topics: dict[str, set[str]] = {}
    for one in log.scores:
        topics.setdefault(one.measure, set()).add(one.topic)
        if one.cell not in MISSING:
            kinds.setdefault(one.measure, []).append(is_numeral(one.cell))
    texts = [measure for measure, of in kinds.items() if not any(of)]
    most = max((len(topics[measure]) for measure in kinds if measure not in texts), default=0)
    single = [one for one in kinds if one not in texts and len(topics[one]) == 1 < most]
    scores = [one for one in log.scores if one.measure not in (*texts, *single)]
    if not scores or all(one.cell in MISSING for one in scores):
        found = f", found none but {listed(texts)}" if texts else ", found none"
        table.refuse(None, f"expected numbers for scores of samples{found}")
    left_out = {"no number per sample": texts, "scores of one sample alone": single}
    more = [f"Left out ({why}): {listed(names, 20)}." for why, names in left_out.items() if names]
    for what, names in (("run name", [log.run or ""]), ("task", [log.task])):
        refuse_odd_names(table, what, names)
    return replace(log, scores=scores, notes=(*log.notes, *more))


def _program(table: Table) -> Program | None:
    for _, record in table.records[:20]:
        fields = dict(record)
        known = next((program for program in PROGRAMS if program.recognises(fields)), None)
        if known:
            return known
    return None


def _without_repeats(tables: Sequence[Entries]) -> tuple[tuple[Entries, ...], str]:
    """Average the scores of each topic and run; state how many there are, and how they vary by each measure."""
    counts: set[int] = set()
    deviations, results = [], []
    for entries in tables:
        places: dict[tuple[str, str], list[int]] = {}
        for index, key in enumerate(zip(entries.topics, entries.systems, strict=True)):
            places.setdefault(key, []).append(index)
        full = [[index for index in of if not entries.empty[index]] for of in places.values()]
        counts.update(map(len, full))
        cells = [entries.values[of] for of in full]
        freedom = sum(max(len(of) - 1, 0) for of in full)
        if freedom:
            squares = sum(float(((of - of.mean()) ** 2).sum()) for of in cells if of.size)
            deviations.append(f"{entries.measure} {(squares / freedom) ** 0.5:.4g}")
        means = np.array([of.mean() if of.size else 0.0 for of in cells])
        firsts = [of[0] for of in places.values()]
        results.append(_of_firsts(entries, firsts, means, np.array([not of for of in full])))
    times = " to ".join(map(str, sorted({min(counts), max(counts)})))
    deviation = f", standard deviation {first_few(deviations, 5)}" if deviations else ""
    return tuple(results), (
        f"Each score is a mean over repeats of its sample ({times} each{deviation}). The page Judges and repeats "
        "and the command repeats take them one by one."
    )


def _of_firsts(entries: Entries, firsts: list[int], means: Any, empty: Any) -> Entries:
    return replace(
        entries,
        topics=[entries.topics[index] for index in firsts],
        systems=[entries.systems[index] for index in firsts],
        values=means,
        empty=empty,
        place=lambda index: entries.place(firsts[index]),
    )


# Parts of objects


def _fields(table: Table, value: Any, what: str) -> Fields:
    """Return an object by its keys, each of them once."""
    if not isinstance(value, Pairs):
        table.refuse(None, f"{what}: expected an object, found {quoted(_shown(value))}")
    result = dict(value)
    if len(result) < len(value):
        keys = [key for key, _ in value]
        again = next(key for key in keys if keys.count(key) > 1)
        table.refuse(None, f"{what}: expected each key once in an object, found {quoted(again)} again")
    return result


def _only(table: Table) -> Fields:
    """Return the only object of a file."""
    if len(table.records) > 1:
        found = f"found {len(table.records):,} objects; save each to a separate file"
        table.refuse(table.records[1][0], f"expected one log, {found}")
    return _fields(table, table.records[0][1], "the log")


def _items(table: Table, value: Any, what: str) -> list[Any]:
    if not isinstance(value, list) or isinstance(value, Pairs) or not value:
        table.refuse(None, f"expected a list of {what}, found {quoted(_shown(value))}")
    return value


def _text(table: Table, value: Any, what: str) -> str:
    """Return an id or a name, which may be a number."""
    if not isinstance(value, str) or not value.strip() or NO_CHARACTER.search(value):
        table.refuse(None, f"expected {what}, found {_shown(value)!a}")
    return value.strip()


def _shown(value: Any) -> str:
    if isinstance(value, Pairs):
        return "{…}"
    return "nothing" if value is None else json_cell(value)


def _inner(fields: Fields, key: str) -> Fields:
    """Return an inner object, or an empty one."""
    value = fields.get(key)
    return dict(value) if isinstance(value, Pairs) else {}


def _cell(value: Any) -> str:
    return "[…]" if isinstance(value, Pairs) else json_cell(value)


# lm-evaluation-harness: samples_<task>_<date>.jsonl with one object per sample and filter

_OF_SAMPLE = words(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash"
)
_SAMPLES = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.\-]+")


def _read_harness(table: Table) -> Log:
    scores, filters = [], set()
    groups: Named = {}
    for line, record in table.records:
        what = f"line {line}"
        fields = _fields(table, record, what)
        topic = _text(table, fields.get("doc_id"), f"a doc_id in {what}")
        _name_groups(groups, topic, _inner(fields, "doc"))
        filtered = _text(table, fields.get("filter", "none"), f"the name of a filter in {what}")
        filters.add(filtered)
        named = fields.get("metrics")
        if named is None:  # versions before 0.4.3 do not list them
            named = [
                key for key, value in fields.items() if key not in _OF_SAMPLE and is_numeral(_cell(value))
            ]
        for name in _items(table, named, f"metrics in {what}"):
            metric = _text(table, name, f"the name of a metric in {what}")
            if metric not in fields:
                table.refuse(line, f"expected the metric {quoted(metric)} that the sample lists, found none")
            measure = metric if filtered == "none" else f"{metric},{filtered}"
            scores.append(Score(line, topic, "", "1", measure, _cell(fields[metric])))
    task = _SAMPLES.fullmatch(table.source.stem)
    notes = ("Measures of filtered answers are called metric,filter.",) if filters - {"none"} else ()
    return Log(
        program="Samples of lm-evaluation-harness",
        scores=scores,
        unit="line",
        run=_folder(table),
        run_source="the folder",
        task=task[1] if task else "",
        notes=notes,
        named=groups,
    )


def _refuse_summary(table: Table) -> NoReturn:
    table.refuse(
        None,
        "expected scores of single samples, found the means of lm-evaluation-harness; call it with --log_samples "
        "and upload its samples_*.jsonl",
    )


def _folder(table: Table, above: int = 0) -> str:
    """Return the name of the folder, or archive, that a file is in; "" without one."""
    folders = PurePosixPath(table.source.file.replace("\\", "/")).parent.parts[::-1]
    return folders[above].removesuffix(".zip") if len(folders) > above and folders[above] != "/" else ""


# Inspect: eval with task and model, samples with id, epoch and scores by scorer

_LETTERS = {"c": "1", "i": "0", "p": "0.5", "n": "0", "yes": "1", "true": "1", "no": "0", "false": "0"}
"""Values of scorers that are no numbers, by the rule of its own reducers."""


def _read_inspect(table: Table) -> Log:
    log = _only(table)
    scores: list[Score] = []
    named: Named = {}
    seen: dict[tuple[str, str], int] = {}
    for number, item in enumerate(_items(table, log.get("samples"), "samples in the log"), start=1):
        what = f"sample {number}"
        sample = _fields(table, item, what)
        topic = _text(table, sample.get("id"), f"an id in {what}")
        _name_groups(named, topic, _inner(sample, "metadata"))
        epoch = _text(table, sample.get("epoch", "1"), f"an epoch in {what}")
        if seen.setdefault((topic, epoch), number) != number:
            again = f"{quoted(topic)}, epoch {epoch} of sample {seen[topic, epoch]}"
            table.refuse(None, f"{what}: expected each sample and epoch once, found {again} again")
        by_scorer = (
            {} if sample.get("scores") is None else _fields(table, sample["scores"], f"scores of {what}")
        )
        for scorer, score in by_scorer.items():
            value = _fields(table, score, f"{scorer} of {what}").get("value")
            name = _text(table, scorer, f"the name of a scorer in {what}")
            parts = {name: value}
            if isinstance(value, Pairs):
                parts = {
                    f"{name}.{key}": part for key, part in _fields(table, value, f"{name} of {what}").items()
                }
            scores += [
                Score(number, topic, "", epoch, _text(table, key, f"a score in {what}"), _inspect_cell(part))
                for key, part in parts.items()
            ]
    scores += _gaps(scores, seen)
    evaluation = _inner(log, "eval")
    status = _cell(log.get("status"))
    unfinished = f"The status of {table.file} is {quoted(status)}: some samples may have no scores."
    return Log(
        program="A log of Inspect",
        scores=scores,
        unit="sample",
        run=_text(table, evaluation.get("model"), "a model in the log"),
        run_source="the model",
        task=_text(table, evaluation.get("task"), "a task in the log"),
        notes=() if status == "success" else (unfinished,),
        named=named,
    )


def _inspect_cell(value: Any) -> str:
    cell = _cell(value)
    return cell if is_numeral(cell) else _LETTERS.get(cell.casefold(), cell)


def _gaps(scores: Sequence[Score], samples: Mapping[tuple[str, str], int]) -> Iterator[Score]:
    """Yield an empty score for each sample without one by a measure that others have: an error ended it."""
    measures = dict.fromkeys(one.measure for one in scores)
    known = {(one.topic, one.repeat, one.measure) for one in scores}
    for (topic, repeat), number in samples.items():
        for measure in measures:
            if (topic, repeat, measure) not in known:
                yield Score(number, topic, "", repeat, measure, "")


# MTEB: results of a task, of a model, or of models

_REVISION = re.compile(r"[0-9a-f]{7,40}|no_revision_available|external|\d+", re.IGNORECASE)


def _is_mteb(fields: Fields) -> bool:
    return bool({"task_results", "model_results"} & fields.keys()) or (
        "task_name" in fields and isinstance(fields.get("scores"), Pairs)
    )


def _read_mteb(table: Table) -> Log:
    result = _only(table)
    if "model_results" in result:
        models = _items(table, result["model_results"], "model_results")
        named = [_fields(table, one, f"model {number}") for number, one in enumerate(models, start=1)]
    else:
        named = [result]
    scores: list[Score] = []
    task_number = 0
    whole = "task_results" in named[0]
    for model in named:
        name, tasks = "", [model]
        if whole:
            name = _text(table, model.get("model_name"), "a model_name in the results")
            items = _items(table, model.get("task_results"), f"task_results of {name}")
            tasks = [_fields(table, one, f"a task of {name}") for one in items]
        for task in tasks:
            task_number += 1
            scores += _of_task(table, task, name, task_number)
    # Subsets of a task are one group; without any, topics are the tasks themselves.
    groups: Named = {"task": {}}
    for one in scores:
        groups["task"][one.topic] = one.topic.rpartition(" (")[0] if one.topic.endswith(")") else one.topic
    tasks_in_words = "the task of each subset" if groups["task"].keys() - groups["task"].values() else ""
    log = Log(
        program="Results of MTEB",
        scores=scores,
        unit="task",
        notes=_subsets(scores),
        named=groups,
        group_source=tasks_in_words,
    )
    if whole:
        return log
    folder = _folder(table)
    folder = (_folder(table, 1) if _REVISION.fullmatch(folder) else "") or folder
    if not folder:
        table.refuse(
            None,
            "expected the folder of the model in front of the file, as in model/revision/task.json; put the "
            "folders of results into one zip archive",
        )
    return replace(log, run=folder.replace("__", "/", 1), run_source="the folder", part_of_run=True)


def _of_task(table: Table, task: Fields, system: str, number: int) -> Iterator[Score]:
    """Yield the main scores of a task, by its splits and subsets."""
    name = _text(table, task.get("task_name"), f"a task_name in task {number}")
    splits = _fields(table, task.get("scores"), f"scores of {name}")
    seen: set[str] = set()
    for split, items in splits.items():
        for item in _items(table, items, f"scores of {name}, split {split}"):
            fields = _fields(table, item, f"{name}, split {split}")
            subset = _text(table, fields.get("hf_subset", "default"), f"an hf_subset in {name}")
            if "main_score" not in fields:
                table.refuse(
                    None, f"{name}, split {split}, subset {quoted(subset)}: expected a main_score, found none"
                )
            parts = [*([split] if len(splits) > 1 else []), *([subset] if subset != "default" else [])]
            topic = _text(table, f"{name} ({', '.join(parts)})" if parts else name, "a split")
            if topic in seen:
                table.refuse(
                    None, f"{name}: expected each split and subset once, found {quoted(topic)} again"
                )
            seen.add(topic)
            yield Score(number, topic, system, "1", "main_score", _cell(fields["main_score"]))


def _subsets(scores: Iterable[Score]) -> tuple[str, ...]:
    parts = [one.topic for one in scores if one.topic.endswith(")")]
    if not parts:
        return ("Topics are datasets.",)
    return (f"Topics are datasets and their subsets such as {listed(list(dict.fromkeys(parts)), 2)}.",)


# promptfoo: results with provider, prompt, vars and scores, in an export as JSON or JSON lines


def _is_promptfoo(fields: Fields) -> bool:
    keys = {"promptIdx", "testIdx", "score", "success"}
    return isinstance(_inner(fields, "results").get("results"), list) or keys <= fields.keys()


def _read_promptfoo(table: Table) -> Log:
    items: list[Any] = [record for _, record in table.records]
    export = _inner(dict(items[0]), "results")
    if export:
        _only(table)
        items = _items(table, export.get("results"), "results in the export")
    results = [_fields(table, item, f"result {number}") for number, item in enumerate(items, start=1)]
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
            provider = _inner(result, "provider").get("label") or _inner(result, "provider").get("id")
        system = _text(table, provider, f"a provider in {what}")
        if len(prompts) > 1:
            system += f", prompt {prompts.index(_prompt(result)) + 1}"
        index = _text(table, result.get("testIdx", str(number)), f"a testIdx in {what}")
        if seen.setdefault((index, system), number) != number:
            again = f"{quoted(index)} of run {quoted(system)} of result {seen[index, system]}"
            table.refuse(
                None,
                f"{what}: expected each test of a run once, found {again} again; providers need different labels",
            )
        # Repeats are tests of their own, with the same variables and assertions.
        test = repr([result.get("vars"), result.get("testCase")])
        topic = tests.setdefault(test, index)
        _name_groups(
            named, topic, _inner(result, "vars"), _inner(dict(_inner(result, "testCase")), "metadata")
        )
        repeats[test, system] += 1
        more = result.get("namedScores")
        parts = {} if more is None else dict(_fields(table, more, f"namedScores of {what}"))
        parts |= {"score": result.get("score"), "pass": result.get("success")}
        failed = result.get("failureReason") == "2"  # of the provider: there is no answer to score
        for name, value in parts.items():
            measure = _text(table, name, f"the name of a score in {what}")
            cell = "" if failed else _cell(value)
            scores.append(Score(number, topic, system, str(repeats[test, system]), measure, cell))
    notes = ["Topics are tests, called by their testIdx."]
    if len(prompts) > 1:
        named_prompts = [f"prompt {place} is {quoted(text)}" for place, text in enumerate(prompts, start=1)]
        notes.append(f"Runs are providers and prompts: {first_few(named_prompts, 10, '; ')}.")
    return Log(
        program="An export of promptfoo", scores=scores, unit="result", notes=tuple(notes), named=named
    )


def _prompt(result: Fields) -> str:
    prompt = _inner(result, "prompt")
    return _shown(prompt.get("label", prompt.get("raw")))


PROGRAMS = (
    Program(lambda fields: {"doc_id", "doc", "resps"} <= fields.keys(), _read_harness),
    Program(lambda fields: {"results", "configs", "n-shot"} <= fields.keys(), _refuse_summary),
    Program(lambda fields: {"task", "model"} <= _inner(fields, "eval").keys(), _read_inspect),
    Program(_is_mteb, _read_mteb),
    Program(_is_promptfoo, _read_promptfoo),
)
