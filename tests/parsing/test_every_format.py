"""Every format: the imported scores of its example equal the written ones; docs/formats.md has the notes."""

import numpy as np
import pytest

from docs.makers.formats import FORMATS, NO_SCORES, Format, read, refusal
from tests.measures.plain_intents import joined_by_intent
from tests.measures.plain_reader import joined
from tests.parsing.formats_drawn import QRELS, RANKINGS, RUNS
from tests.parsing.formats_judgments import BY_INTENT, JUDGMENTS, LIKELY, Judgments, matrix
from tests.parsing.formats_judgments import read as read_judgments
from topicset_core.analyses.run_evaluation import Request, evaluate

# Programs print four digits after the point, gdeval five, ndeval six: half a unit in the fourth.
PRINTED = 0.5e-4 * (1 + 1e-9)


@pytest.mark.parametrize("one", FORMATS, ids=[one.name for one in FORMATS])
def test_every_format_gives_its_scores(one: Format) -> None:
    new = one.make()
    result = read(new)
    assert not result.errors
    matrices = {matrix.measure: matrix for matrix in result.matrices}
    assert len(matrices) == len(result.matrices)
    for measure, scores in new.scores.items():
        assert matrices[measure].scores == pytest.approx(np.array(scores), rel=0, abs=PRINTED), measure
    # Neither counts nor the row over all topics is a score.
    assert all(matrix.n_topics == 3 for matrix in result.matrices)
    assert not any(matrix.measure.lower().startswith("num") for matrix in result.matrices)


@pytest.mark.parametrize("one", JUDGMENTS, ids=[one.name for one in JUDGMENTS])
def test_judgments_equal_the_simulated_ones(one: Judgments) -> None:
    track = read_judgments(one)
    (result,) = track.qrels
    qrels = result.qrels
    topics = np.array(qrels.topics)[qrels.topic_of].tolist()
    read_back: dict[str, dict[str, int]] = {}
    for topic, document, grade in zip(topics, qrels.documents.tolist(), qrels.grades.tolist(), strict=True):
        read_back.setdefault(topic, {})[document.decode()] = grade
    assert read_back == QRELS
    likely = LIKELY if len(one.files) == 2 else None
    by_intent = "#" in one.measure or "alpha" in one.measure
    rankings = [RANKINGS[run] for run in RUNS]
    # Without a file: from the simulated values.
    grades = one.by_intent or BY_INTENT
    judged = joined_by_intent(rankings, grades, likely) if by_intent else joined(rankings, QRELS)
    (expected,) = evaluate(judged, Request(measures=[one.measure])).matrices
    assert matrix(one, track).scores.tolist() == expected.scores.tolist()


@pytest.mark.parametrize(
    ("file", "content"), [row[1:] for row in NO_SCORES], ids=[file for _, file, _ in NO_SCORES]
)
def test_files_without_scores_are_refused(file: str, content: str) -> None:
    error = refusal(file, content)
    assert (error.file, error.line) == (file, 1)


def test_files_without_scores_are_identified() -> None:
    reasons = {refusal(file, content).expected for _, file, content in NO_SCORES}
    assert len(reasons) == len(NO_SCORES) - 1  # judgments by intent are judgments
