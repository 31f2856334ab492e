"""Further forms of tables, by hand: what each is read as, or what it is refused or asked for."""

import json
from collections.abc import Callable

import pytest

from topicset_core.parsing import Choices, read_score_files


def _lines(count: int, line: Callable[[int], str], header: str = "") -> str:
    return header + "".join(f"{line(place)}\n" for place in range(count))


def _score(place: int, run: int) -> float:
    return (place * 7 + run * 13) % 20 / 20


def _scores(place: int, *runs: int) -> str:
    return ",".join(f"{_score(place, run):g}" for run in runs)


def _json(count: int, record: Callable[[int], dict[str, object]]) -> str:
    return _lines(count, lambda place: json.dumps(record(place)))


READ = {
    # Ids by any name and at any place
    "example and config": (
        _lines(12, lambda i: f"ex-{i // 2},{'ab'[i % 2]},{_score(i, 1)}", "example_id,config,em\n"),
        "em 6 a b",
    ),
    "uuid": (_lines(8, lambda i: f"{i:08x}-aa,{_scores(i, 1, 2)}", "uuid,A,B\n"), "score 8 A B"),
    "level_0": (_lines(8, lambda i: f"{i},t{i},{_scores(i, 1, 2)}", "level_0,topic,A,B\n"), "score 8 A B"),
    "ids last": (_lines(8, lambda i: f"{_scores(i, 1, 2)},q{i}", "A,B,qid\n"), "score 8 A B"),
    "records": (_json(8, lambda i: {"id": f"i{i}", "correct": i % 2 == 0}), "correct 8 file"),
    # Columns that are no scores
    "tokens and latency": (
        _lines(
            8, lambda i: f"q{i},{100 + i},{50 + i},{_scores(i, 1, 2)}", "qid,latency_ms,total_tokens,A,B\n"
        ),
        "score 8 A B",
    ),
    "the best of others": (
        _lines(
            8,
            lambda i: f"t{i},{_scores(i, 1, 2, 5)},{max(_score(i, run) for run in (1, 2, 5)):g}",
            "topic,A,B,C,oracle\n",
        ),
        "score 8 A B C",
    ),
    "the mean of others": (
        _lines(
            8,
            lambda i: f"t{i},{_scores(i, 1, 2, 5)},{sum(_score(i, run) for run in (1, 2, 5)) / 3:.3f}",
            "topic,A,B,C,overall score\n",
        ),
        "score 8 A B C",
    ),
    "ranks": (
        _lines(12, lambda i: f"t{i // 2},{'AB'[i % 2]},{i % 2 + 1},{_score(i, 1)}", "topic,run,rank,score\n"),
        "score 6 A B",
    ),
    "texts of queries": (
        _lines(8, lambda i: f"q{i},what is {i}?,{_scores(i, 1, 2)}", "qid,query,A,B\n"),
        "score 8 A B",
    ),
    "a seed that is always the same": (
        _lines(8, lambda i: f"q{i},42,{_scores(i, 1, 2)}", "qid,seed,A,B\n"),
        "score 8 A B",
    ),
    # Runs that are named as measures are
    "pass1 among runs": (
        _lines(8, lambda i: f"t{i},{_scores(i, 1, 2, 3, 4)}", "topic,bm25,dense,pass1,rrf\n"),
        "score 8 bm25 dense pass1 rrf",
    ),
    "p5 and em among runs": (
        _lines(8, lambda i: f"t{i},{_scores(i, 1, 2, 3, 4, 5)}", "topic,bm25,p5,em,rrf,fts\n"),
        "score 8 bm25 p5 em rrf fts",
    ),
    # Measures of any name
    "run, topic, measure, value": (
        _lines(16, lambda i: f"run{i // 8} {101 + i // 2 % 4} {'xy'[i % 2]}_coverage {_score(i, 1) + 0.003}"),
        "x_coverage 4 run0 run1; y_coverage 4 run0 run1",
    ),
    "run, measure, topic, value": (
        _lines(16, lambda i: f"run{i // 8} {'xy'[i % 2]}_coverage {101 + i // 2 % 4} {_score(i, 1) + 0.003}"),
        "x_coverage 4 run0 run1; y_coverage 4 run0 run1",
    ),
    "rows over all topics": (
        _lines(8, lambda i: f"q{i},{_scores(i, 1, 2)}", "topic,A,B\n")
        + "macro avg,.5,.5\n25%,.2,.2\nmean,.5,.5\n",
        "score 8 A B",
    ),
}


@pytest.mark.parametrize(("content", "expected"), READ.values(), ids=READ)
def test_what_a_table_is_read_as(content: str, expected: str) -> None:
    read = read_score_files([("file.txt", content)])
    assert read.errors == ()
    found = (f"{one.measure} {one.n_topics} {' '.join(one.systems)}" for one in read.matrices)
    assert "; ".join(found) == expected


_NAMES = ("llama", "qwen", "gpt", "phi", "gemma", "mistral")
NOT_READ = {
    "standard errors": (
        _lines(5, lambda i: f"{_NAMES[i]},{_score(i, 1)},0.02", "model,acc,acc_stderr\n"),
        "statistics over topics such as 'acc_stderr'",
    ),
    "describe()": (",A,B\ncount,8,8\nmean,.4,.5\nstd,.1,.1\nmin,0,0\n25%,.2,.2\nmax,1,1\n", "a summary"),
    "a log of training": (
        _lines(6, lambda i: f"{i * 100},{2 - i / 10},{_score(i, 1)}", "step,loss,eval_ndcg@10\n"),
        "one row per 'step' of a training",
    ),
    "a leaderboard of means": (
        _lines(6, lambda i: f"{_NAMES[i]},{_scores(i, 1, 2, 3)}", "model,MAP,nDCG@10,recall@100\n"),
        "one row per system",
    ),
    "records of means": (
        json.dumps([{"system": name, "ndcg@10": 0.3, "map": 0.2} for name in _NAMES]),
        "one row per system",
    ),
    "topics or systems": (
        _lines(6, lambda i: f"{_NAMES[i]},{_scores(i, 1, 2)}", "what,map,ndcg@10\n"),
        "may have topics, or systems",
    ),
    "check marks": (
        _lines(8, lambda i: f"i{i},{'✗✓'[i % 3 > 0]},{'✗✓'[i % 2]}", "id,A,B\n"),
        "the words '✓' and '✗'",
    ),
    "a mark and a dash": (
        _lines(8, lambda i: f"i{i},{'PASS' if i % 3 else '-'},{'PASS' if i % 2 else '-'}", "id,A,B\n"),
        "the words 'PASS' and '-'",
    ),
    "words in a long table": (
        _lines(
            12, lambda i: f"c{i // 2},{'xy'[i % 2]},{'right' if i % 3 else 'wrong'}", "case,model,verdict\n"
        ),
        "the words 'right' and 'wrong'",
    ),
    "samples of a problem": (
        _json(12, lambda i: {"problem": f"p{i // 3}", "sample": i % 3, "correct": i % 2 == 0}),
        "choose to average repeats",
    ),
    "runs of a task": (
        _json(12, lambda i: {"task_id": f"T/{i // 3}", "run_id": i % 3, "passed": i % 2 == 0}),
        "choose to average repeats",
    ),
    "epochs of an id": (
        _json(12, lambda i: {"id": f"T/{i // 3}", "epoch": i % 3 + 1, "score": _score(i, 1)}),
        "choose to average repeats",
    ),
    "names of runs or of measures": (
        _lines(8, lambda i: f"nugget_coverage {101 + i} {_score(i, 1) + 0.003}"),
        "may have measures or runs",
    ),
}


@pytest.mark.parametrize(("content", "cause"), NOT_READ.values(), ids=NOT_READ)
def test_what_is_refused_or_asked(content: str, cause: str) -> None:
    read = read_score_files([("file.txt", content)])
    assert read.matrices == ()
    (error,) = read.errors
    assert cause in str(error)


@pytest.mark.parametrize(
    ("role", "expected"),
    [("measure", ("nugget_coverage", ("file",))), ("run", ("score", ("nugget_coverage",)))],
)
def test_a_column_without_a_header_has_the_role_that_is_stated(
    role: str, expected: tuple[str, tuple[str, ...]]
) -> None:
    content = NOT_READ["names of runs or of measures"][0]
    choices = Choices(roles={"column 1": role})  # type: ignore[dict-item]
    (matrix,) = read_score_files([("file.txt", content)], choices).matrices
    assert (matrix.measure, matrix.systems) == expected
