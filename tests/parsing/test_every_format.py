"""Every format: what is said of its example, and whether the scores are those that went into it."""

import numpy as np
import pytest

from tests.parsing.formats_drawn import QRELS
from tests.parsing.formats_page import FORMATS, JUDGMENTS, NO_SCORES, PAGE, Format, page, read, refusal
from topicset_core.parsing import read_collections

# Programs print four digits after the point, gdeval five, ndeval six: half a unit in the fourth.
PRINTED = 0.5e-4 * (1 + 1e-9)


@pytest.mark.parametrize("one", FORMATS, ids=[one.name for one in FORMATS])
def test_every_format_is_recognised_and_gives_its_scores(one: Format) -> None:
    made = one.make()
    found = read(made)
    assert not found.errors
    assert any(one.recognised in sentence for sentence in found.recognised)
    matrices = {matrix.measure: matrix for matrix in found.matrices}
    assert len(matrices) == len(found.matrices)
    for measure, scores in made.scores.items():
        assert matrices[measure].scores == pytest.approx(np.array(scores), rel=0, abs=PRINTED), measure
    # Neither counts nor the row over all topics is a score.
    assert all(matrix.n_topics == 3 for matrix in found.matrices)
    assert not any(matrix.measure.lower().startswith("num") for matrix in found.matrices)


def test_the_page_of_formats_is_in_step_with_the_importer() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.parsing.formats_page"


@pytest.mark.parametrize(("name", "files"), JUDGMENTS, ids=[name for name, _ in JUDGMENTS])
def test_judgments_are_those_that_were_drawn(name: str, files: tuple[tuple[str, str], ...]) -> None:
    (found,) = read_collections([(file, content.encode()) for file, content in files]).found
    qrels = found.qrels
    topics = np.array(qrels.topics)[qrels.topic_of].tolist()
    read_back: dict[str, dict[str, int]] = {}
    for topic, document, grade in zip(topics, qrels.documents.tolist(), qrels.grades.tolist(), strict=True):
        read_back.setdefault(topic, {})[document.decode()] = grade
    assert read_back == {topic: QRELS[topic] for topic in qrels.topics}
    assert qrels.n_topics == (1 if name == "NTCIR qrels" else 3)


REASONS = {
    "A TREC run": "found a ranking of documents",
    "TREC qrels": "found relevance judgments (topic, iteration, document, grade)",
    "An NTCIR rel file": "found relevance judgments of NTCIR",
    "ir_measures without -q": "found one number for each measure, as means over topics are; call ir_measures",
    "Means by NTCIREVAL's NEV2mean": "found one number for each name, as means over topics are",
    "Results of NewBestSub": "found results of NewBestSub ('1 0.807346')",
}


@pytest.mark.parametrize(("name", "file", "content"), NO_SCORES, ids=[name for name, _, _ in NO_SCORES])
def test_what_holds_no_scores_is_refused_for_what_it_is(name: str, file: str, content: str) -> None:
    error = refusal(file, content)
    assert (error.file, error.line) == (file, 1)
    assert REASONS[name] in error.expected
