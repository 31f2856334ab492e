"""Topics and runs are chosen by id, range, pattern and list, in matrices, judged runs and tracks."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference_data import reference_matrix
from tests.refusals import refused
from tests.robust_new_topics import LEFT_OUT, trec03new, trec04new
from tests.variance.matrices import of
from topicset_core.analyses.run_evaluation import Request, Rows, evaluate
from topicset_core.collection import select
from topicset_core.collection.judged_runs import join
from topicset_core.collection.selection import Which, choose
from topicset_core.errors import InputError
from topicset_core.parsing.trec.track import read_track
from topicset_core.samples import simulated_diversity, simulated_runs

TOPICS = ("301", "302", "310", "0311", "t1", "t02", "t10", "1-07", "a, b", "x y", "[1]", "!z")


def chosen(which: Which) -> list[str]:
    return [TOPICS[place] for place in choose(which, TOPICS, "topics", "topic").places]


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("302", ["302"]),
        ("301;302, 301", ["301", "302"]),
        ("300-310", ["301", "302", "310"]),
        ("301..311", ["301", "302", "310", "0311"]),  # ids are numbers here: 0311 is 311
        ("t1-t9", ["t1", "t02"]),
        ("t*", ["t1", "t02", "t10"]),
        ("30[2-9]", ["302"]),
        ("t*, !t10", ["t1", "t02"]),
        ("!t* !3*", ["0311", "1-07", "a, b", "x y", "[1]", "!z"]),
        # An id is itself first: none of these is a range, a pattern, several ids or something to leave out.
        ("1-07", ["1-07"]),
        ("x y, 301", ["301", "x y"]),
        ('"a, b", 302', ["302", "a, b"]),
        ("[1]", ["[1]"]),
        ("!z", ["!z"]),
        ("!!z, t1*", ["t1", "t10"]),
        (["301", "t1-t2"], ["301", "t1", "t02"]),
    ],
)
def test_selections(which: Which, expected: list[str]) -> None:
    assert chosen(which) == expected


def test_a_file_is_a_list_with_comments(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("\ufeff# the hard ones\r\n301\tits text, 302\n\nt1-t2\n", encoding="utf-8")
    assert chosen(file) == ["301", "t1", "t02"]


@pytest.mark.parametrize(
    ("which", "blamed"),
    [
        ("301, 999", "999"),
        ("700-750", "700-750"),
        ("310-301", "310-301"),
        ("zz*", "zz*"),
        ("!999", "!999"),
        ("", ""),
        ((), ()),
        ("t1, !t*", "t1, !t*"),
    ],
)
def test_a_selection_without_a_match_is_refused_by_name(which: Which, blamed: Which) -> None:
    error = refused(choose, which, TOPICS, "--only-topics", "topic")
    assert (error.parameter, error.value) == ("--only-topics", blamed)


@given(
    st.lists(st.text(min_size=1).filter(lambda one: one.strip() == one), min_size=1, unique=True), st.data()
)
def test_any_id_selects_itself(ids: Sequence[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(ids) - 1))
    one = ids[place]
    if one.startswith("#") or any(end in one for end in "\t\n\r"):
        return  # lines of lists, as those of topic lists
    assert choose([one], ids, "topics", "topic").places == (place,)


def test_missing_ids_of_a_range_are_reported() -> None:
    assert choose("300-303", TOPICS, "topics", "topic").absent == ("300", "303")
    assert choose("t01-t03", TOPICS, "topics", "topic").absent == ("t03",)
    assert choose("1-999999999999", TOPICS, "topics", "topic").absent == ()


def test_a_matrix_keeps_its_order_its_scores_and_its_name() -> None:
    scores = np.arange(12.0).reshape(4, 3) / 12
    matrix = of(scores, topics="1234", systems="abc")
    result, record = select(matrix, "3, 1", ["!b"])
    assert result == of(scores[[0, 2]][:, [0, 2]], topics="13", systems="ac")
    assert matrix.select("3, 1", ["!b"]) == result
    assert (record.n_topics, record.of_topics, record.n_systems, record.of_systems) == (2, 4, 2, 3)
    assert record.entry()["selection"]["topics"] == ("3, 1",)
    everything, nothing = select(matrix)
    assert everything == matrix
    assert (nothing.notes, nothing.entry()) == ((), {})
    with pytest.raises(InputError):
        matrix.select("1")


@pytest.mark.reference_data
def test_the_new_topics_of_robust_are_those_of_the_paper() -> None:
    first = reference_matrix("robust2003_ap").select(topics="t051-t100")
    whole = reference_matrix("robust2004_ap")
    second, record = select(whole, "651-700", [f"!{run}" for run in LEFT_OUT.split()])
    assert (first.digest, second.digest) == (trec03new().digest, trec04new().digest)
    assert (record.n_topics, record.n_systems, record.absent_topics) == (49, 78, ("672",))


@pytest.mark.parametrize(
    "sample", [simulated_runs.simulated_track, simulated_diversity.simulated_diversity_track]
)
@pytest.mark.parametrize("missing", get_args(Rows))
def test_scores_of_chosen_topics_and_runs_are_those_of_all(sample, missing) -> None:
    runs, qrels = sample()
    whole = join(runs, qrels)
    topics, systems = whole.topics[1:30:3], whole.systems[::2]
    part, _ = select(whole, topics, systems)
    measures = (
        ("AP", "nDCG@10", "Q")
        if qrels.intents is None
        else ("AP", "alpha-nDCG@10", "D#-nDCG@10", "nERR-IA@10")
    )
    request = Request(measures=measures, topics_without_relevant=missing, missing_topics="zero")
    result = evaluate(part, request).matrices
    for one, every in zip(result, evaluate(whole, request).matrices, strict=True):
        assert one == every.select([topic for topic in topics if topic in every.topics], systems)
    assert part.unjudged_shares().shape == (len(systems),)


def test_a_track_keeps_chosen_topics_and_runs() -> None:
    run = b"1 Q0 a 1 2 one\n2 Q0 b 1 1 one\n7 Q0 c 1 1 one\n"
    other = b"7 Q0 c 1 1 two\n"
    files = [("r", run), ("s", other)]
    track = read_track(files, [("p", b"1 0 a 1\n2 0 b 0\n"), ("q", b"7 0 c 1\n")])
    kept, record = track.select(topics="1-2")
    assert [(one.qrels.name, one.topics, one.systems) for one in kept.judged] == [("p", ("1", "2"), ("one",))]
    assert (record.n_topics, record.of_topics) == (2, 3)
    kept, record = track.select(systems="two")
    assert [one.run.tag for one in kept.runs] == ["two"]
    assert [one.topics for one in kept.judged] == [("7",)]
    assert track.select()[0] is track
    assert (
        refused(track.select, "1-2", "two", ("--only-topics", "--only-systems")).parameter == "--only-topics"
    )
