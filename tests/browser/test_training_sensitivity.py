"""A sweep of one's own: a collection that is searched here, and files that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import NewPage
from tests.browser.driving import (
    attach,
    keyed,
    nothing_runs,
    open_address,
    open_expanders,
    press,
    text_of,
    until,
)
from tests.reference_data import reference_file
from topicset_core.analyses.training_sensitivity import (
    TrainingSensitivity,
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.request import Request
from topicset_core.analyses.training_sensitivity.sweep import sweep_collection
from topicset_core.parsing.text_collection import read_text_collection

pytestmark = pytest.mark.browser

N_SAMPLES, LEVELS = 3, (10.0, 50.0)


def _searched(folder: Path) -> TrainingSensitivity:
    """Result of the core by BM25."""
    collection = read_text_collection(folder).collection
    assert collection.qrels is not None
    new = sweep_collection(collection, "bm25")
    sweep = sweep_of(new.runs, collection.qrels, new.settings)
    return training_sensitivity(
        sweep, split(usable_topics(sweep.runs), 0, 10), Request(levels=LEVELS, n_samples=N_SAMPLES)
    )


@pytest.mark.reference_data
def test_refused_files_change_nothing_and_a_collection_is_searched(
    address: str, new_tab: NewPage, tmp_path: Path
) -> None:
    page = new_tab()
    open_address(page, f"{address}/training-sensitivity?n_samples={N_SAMPLES}&levels=10,50")
    sample = text_of(page, "answer")
    open_expanders(page)
    for key, name, text in (
        ("runs", "b0.1.txt", "1 Q0 d1 1 x b0.1\n"),
        ("qrels", "judged.txt", "1 0 d1 1\n"),
    ):
        (tmp_path / name).write_text(text)
        attach(keyed(page, f"training-sensitivity/{key}"), [tmp_path / name])
    press(page, "training-sensitivity/read-runs")
    page.get_by_test_id("stAlert").wait_for()
    assert "b0.1.txt" in page.get_by_test_id("stAlert").inner_text()
    assert text_of(page, "answer") == sample

    folder = reference_file("collections", "cranfield", "qrels.txt").parent
    page.get_by_role("tab").nth(1).click()
    files = [folder / name for name in ("documents.jsonl.gz", "topics.jsonl", "qrels.txt")]
    attach(keyed(page, "training-sensitivity/collection"), files)
    press(page, "training-sensitivity/read-collection")
    result = recommendation(_searched(folder))
    until(lambda: result.sentence in text_of(page, "answer"), lambda: text_of(page, "answer"))
    nothing_runs(page, "training-sensitivity")
    assert result.headline in keyed(page, "answer").get_by_role("heading").inner_text()
