"""Frames of other programs: equal to the files of the same rows, and refused by row."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from ir_measures import AP, iter_calc, nDCG

from tests.parsing.formats_drawn import QRELS, RANKINGS, RUNS, TOPICS
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError, ParseError, TopicsetError
from topicset_core.parsing import Choices, read_frame, read_scores
from topicset_core.parsing.choices import MissingScores, RepeatedScores

MATRIX = ScoreMatrix(
    scores=np.random.default_rng(3).random((3, 2)), topics=TOPICS, systems=RUNS, measure="AP", name="frame"
)


def _of_ir_measures(run: str) -> list[Any]:
    """What `ir_measures.iter_calc` yields: tuples of query_id, measure, value."""
    ranked = {t: {d: 100.0 - rank for rank, d in enumerate(of)} for t, of in RANKINGS[run].items()}
    return list(iter_calc([AP, nDCG @ 5], QRELS, ranked))


def _of_pyterrier() -> pd.DataFrame:
    """The columns of PyTerrier 1.0's ``Experiment(..., perquery=True)``, with numbers of ir_measures."""
    rows = [(run, *one) for run in RUNS for one in _of_ir_measures(run)]
    result = pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])
    return result.assign(measure=result["measure"].map(str))


class _Column(NamedTuple):
    cells: Sequence[object]

    def to_list(self) -> list[object]:
        return list(self.cells)


class Polars:
    """A frame with the part of polars that is read; polars 2.1 itself was tried by hand."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.columns = [str(name) for name in frame]
        self._frame = frame

    def get_column(self, name: str) -> _Column:
        return _Column(self._frame[name].tolist())


class Arrow:
    """A frame that only streams its columns."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


def _read(frame: object, measure: str | None = None, **how: Any) -> ScoreMatrix:
    (matrix,) = read_frame(frame, measure, **how).matrices
    return matrix


def _as_file(frame: pd.DataFrame, measure: str, *, index: bool = False) -> ScoreMatrix:
    text = frame.to_csv(index=index)
    (matrix,) = read_scores(text, "frame", choices=Choices(measure=measure)).matrices
    return matrix


def test_tuples_of_ir_measures_equal_their_file() -> None:
    rows = _of_ir_measures("A")
    matrix = _read(rows, "nDCG@5", system="A")
    lines = [
        json.dumps({"query_id": one.query_id, "measure": str(one.measure), "value": one.value})
        for one in rows
    ]
    (expected,) = read_scores("\n".join(lines), "A.jsonl", "nDCG@5", Choices(collection="frame")).matrices
    assert matrix == expected
    frame = pd.DataFrame(rows).assign(measure=[str(one.measure) for one in rows])
    assert _read(frame, "nDCG@5", system="A") == expected
    assert _read(Polars(frame), "nDCG@5", system="A") == expected


def test_the_frame_of_pyterrier_equals_its_file() -> None:
    frame = _of_pyterrier()
    assert _read(frame, "AP") == _as_file(frame, "AP")
    assert _read(frame, "AP").systems == RUNS
    assert [one.measure for one in read_frame(frame).matrices] == ["AP", "nDCG@5"]
    # Rows that a selection leaves keep numbers of their own in the index: they are no ids.
    of_one = frame[frame.measure == "AP"].set_axis([7, 1, 9, 4, 4, 0])
    assert _read(of_one) == _read(frame, "AP")
    pivot = frame[frame.measure == "AP"].pivot(index="qid", columns="name", values="value")
    assert _read(pivot, "AP") == _read(frame, "AP")


def test_mappings_of_ranx_and_pytrec_eval_are_read() -> None:
    scores = {
        measure: {topic: np.float64(row[0]) for topic, row in zip(TOPICS, MATRIX.scores, strict=True)}
        for measure in ("map", "ndcg@5")
    }
    # ranx 0.3.21 keeps them so in `Run.scores`, by measure; pytrec_eval returns them by topic.
    by_topic = {topic: {measure: scores[measure][topic] for measure in scores} for topic in TOPICS}
    expected = MATRIX.taken(range(3), [0])
    for one in (scores, by_topic, pd.DataFrame(scores)):
        assert _read(one, "AP", system="A") == expected


def test_the_frame_of_mteb_is_read() -> None:
    """Of mteb 2.26 ``to_dataframe(format="long")``, by its source: model_name, task_name, score."""
    rows = [("m", "SciFact", 0.5), ("n", "SciFact", 0.25), ("m", "NFCorpus", 0.125), ("n", "NFCorpus", 0.75)]
    matrix = _read(pd.DataFrame(rows, columns=["model_name", "task_name", "score"]))
    assert (matrix.topics, matrix.systems) == (("SciFact", "NFCorpus"), ("m", "n"))
    assert matrix.scores.tolist() == [[0.5, 0.25], [0.125, 0.75]]


@pytest.mark.parametrize(
    "frame",
    [
        MATRIX.to_frame(),
        MATRIX.to_frame().reset_index(),
        Polars(MATRIX.to_frame().reset_index()),
        Arrow(MATRIX.to_frame().reset_index()),
        {"topic": list(TOPICS), "A": MATRIX.scores[:, 0], "B": tuple(MATRIX.scores[:, 1])},
        MATRIX.to_frame().to_dict(),
        MATRIX.to_frame().reset_index().to_dict("records"),
    ],
    ids=["index", "column", "polars", "arrow", "columns", "mappings", "records"],
)  # fmt: skip
def test_wide_frames_give_their_scores(frame: object) -> None:
    assert _read(frame, "AP") == MATRIX


def test_a_frame_and_back_is_the_same_matrix() -> None:
    assert _read(MATRIX.to_frame()) == MATRIX
    assert _as_file(MATRIX.to_frame(), "AP", index=True) == MATRIX


def test_types_of_cells_are_numbers_or_missing() -> None:
    frame = {
        "topic": [401.0, 402.0, 403.0],
        "A": [True, False, np.bool_(True)],
        "B": [np.float32(0.5), None, pd.NA],
    }
    matrix = _read(frame, choices=Choices(missing="zero"))
    assert matrix.topics == ("401", "402", "403")
    assert matrix.scores.tolist() == [[1, 0.5], [0, 0], [1, 0]]


def _wide(**columns: Sequence[object]) -> dict[str, Sequence[object]]:
    return {"topic": ["a", "b"], "A": [0.5, 0.25], **columns}


@pytest.mark.parametrize(
    ("frame", "kind", "row", "words"),
    [
        (_wide(B=[0.5, "high"]), ParseError, 2, "expected a number, found 'high'"),
        (_wide(B=[np.inf, 0.5]), ParseError, 1, "expected a finite number"),
        (_wide(B=[0.5, np.nan]), MissingScores, 2, "run 'B', column 'B', row 2"),
        (_wide(topic=["a", None]), ParseError, 2, "expected a topic id in column 'topic'"),
        (_wide(topic=["a", "a"]), RepeatedScores, 2, "found another in row 1"),
        (_wide(topic=["a\u202e", "b"]), ParseError, 1, "U\\+202E"),
        (_wide(topic=["a", "b\ud800"]), ParseError, 2, "a character that no text has"),
        (_wide(B=[0.5]), InputError, None, "columns of one length"),
        (_wide(B=0.5), InputError, None, "a sequence in each column"),  # type: ignore[arg-type]
        (pd.DataFrame([["a", 0.5, 0.25]], columns=["topic", "A", "A"]), RepeatedScores, 1, "expected one score"),
        (pd.DataFrame({("A", "x"): [0.5], ("A", "y"): [0.5]}), InputError, None, "not several levels"),
        (pd.DataFrame(MATRIX.scores), ParseError, None, "expected a header row"),
        ([1, 2], InputError, None, "must be a frame of pandas or polars"),
        (pd.Series([0.1, 0.2]), InputError, None, "'Series': must be a frame of pandas or polars"),
        ("topic,A\n", InputError, None, "must be a frame of pandas or polars"),
        ([], InputError, None, "no rows"),
        (pd.DataFrame(), InputError, None, "no columns"),
    ],
)  # fmt: skip
def test_other_frames_are_refused_by_row(
    frame: object, kind: type[TopicsetError], row: int | None, words: str
) -> None:
    with pytest.raises(kind, match=words) as caught:
        read_frame(frame)
    if isinstance(caught.value, ParseError):
        assert (caught.value.file, caught.value.line) == ("frame", row)
        assert str(caught.value).startswith("frame" if row is None else f"frame, row {row}: ")


def test_bent_frames_are_read_or_refused_with_their_place() -> None:
    """200 frames with a cell cut, of another type, repeated or not finite: never another exception."""
    frame, rng = _of_pyterrier(), np.random.default_rng(44)
    odd = (None, np.nan, np.inf, "", "high", "all", 1, True, -0.5, [0.5], {"a": 1}, b"x", 10**400, "\x1b")
    refusals = []
    for _ in range(200):
        columns: dict[str, list[object]] = {str(name): frame[name].tolist() for name in frame}
        name = str(rng.choice(list(columns)))
        place = int(rng.integers(len(frame)))
        match rng.integers(4):
            case 0:
                columns[name][place] = odd[int(rng.integers(len(odd)))]
            case 1:
                columns = {key: [*cells, cells[place]] for key, cells in columns.items()}
            case 2:
                del columns[name]
            case _:
                columns = {key: cells[:place] for key, cells in columns.items()}
        try:
            read_frame(columns)
        except TopicsetError as error:
            refusals.append(str(error))
    assert 50 < len(refusals) < 200
    assert all(one.startswith("frame") for one in refusals)
