"""A diversity task in the browser: the simulated one, and the same one uploaded as files."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import NewPage
from tests.browser.driving import (
    bring_runs,
    chart,
    downloads,
    go,
    headline,
    keyed,
    open_address,
    press,
    until,
)
from tests.browser.opened_files import csv_columns
from tests.browser.running_app import wait_until_idle
from topicset_core.analyses.run_evaluation import Evaluation, Request, evaluate
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import join
from topicset_core.samples.simulated_diversity import simulated_diversity_track
from topicset_core.variance import one_way

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MEASURES = ("alpha-nDCG@10", "nERR-IA@10", "D-nDCG@10", "I-rec@10", "D#-nDCG@10")


@pytest.fixture(scope="module")
def sample() -> tuple[list[Run], Qrels]:
    return simulated_diversity_track()


@pytest.fixture(scope="module")
def scored(sample: tuple[list[Run], Qrels]) -> Evaluation:
    """Result of the core, without a page."""
    return evaluate(join(*sample), Request(measures=MEASURES))


@pytest.fixture(scope="module")
def written(
    sample: tuple[list[Run], Qrels], tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Path], list[Path]]:
    """The simulated task as files: runs, judgments as TREC has them, probabilities as NTCIR has them."""
    folder = tmp_path_factory.mktemp("diversity")
    runs, qrels = sample
    with zipfile.ZipFile(folder / "runs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for run in runs:
            topics = (
                topic for topic, count in zip(run.topics, run.depths, strict=True) for _ in range(count)
            )
            assert run.scores is not None
            ranked = zip(topics, run.documents.tolist(), run.scores.tolist(), strict=True)
            text = "".join(
                f"{topic} Q0 {document.decode()} 0 {score!r} {run.tag}\n" for topic, document, score in ranked
            )
            archive.writestr(f"{run.tag}.txt", text)
    intents = qrels.intents
    assert intents is not None
    grades = dict(
        zip(
            zip(intents.judgments.tolist(), intents.intents.tolist(), strict=True),
            intents.grades,
            strict=True,
        )
    )
    lines = [
        f"{qrels.topics[topic]} {intents.names[intent]} {document.decode()} {grades.get((place, intent), 0)}\n"
        for place, (topic, document) in enumerate(zip(qrels.topic_of, qrels.documents.tolist(), strict=True))
        for intent in range(intents.starts[topic], intents.starts[topic + 1])
    ]
    (folder / "diversity.qrels").write_text("".join(lines))
    (folder / "likely.Iprob").write_text("".join(_likely(qrels)))
    return [folder / "runs.zip"], [folder / "diversity.qrels", folder / "likely.Iprob"]


def _likely(qrels: Qrels) -> Iterator[str]:
    """Lines of NTCIR's Iprob files; an intent that no pooled document serves has the remainder to 1."""
    intents = qrels.intents
    assert intents is not None
    assert intents.probabilities is not None
    for place, topic in enumerate(qrels.topics):
        of_topic = intents.probabilities[intents.starts[place] : intents.starts[place + 1]]
        named = dict(zip(intents.of_topic(place), of_topic.tolist(), strict=True))
        rest = round(1 - sum(named.values()), 3)
        yield from (f"{topic} {name} {value:g} inf\n" for name, value in named.items())
        yield from [f"{topic} unserved {rest:g} nav\n"] * (rest > 0)


def _varies(page: Page, scored: Evaluation) -> None:
    """Wait for the headline of the first measure."""
    first = scored.matrices[0]
    until(lambda: headline(page)[-1:] == [float(f"{one_way(first):.4g}")], lambda: headline(page))
    wait_until_idle(page)


def _measures_are_drawn(page: Page) -> None:
    """Wait for a bar for each measure."""
    bars = chart(page, "topics-by-measure").locator(".barlayer path")
    until(lambda: bars.count() == len(MEASURES), bars.count)


def test_the_simulated_task_and_the_same_task_as_uploads(
    address: str, new_tab: NewPage, scored: Evaluation, written: tuple[list[Path], list[Path]]
) -> None:
    page = new_tab()
    open_address(page, f"{address}/runs-and-qrels")
    press(page, "runs/other-sample")
    _varies(page, scored)
    bring_runs(page, address, *written)
    keyed(page, "runs/forget").wait_for()
    _varies(page, scored)
    files = downloads(page)
    for matrix in scored.matrices:
        table = csv_columns(files[f"scores-{matrix.measure.replace('#', '-')}.csv"])
        for column, system in enumerate(matrix.systems):
            assert [float(value) for value in table[system]] == matrix.scores[:, column].tolist()
    go(page, "/compare-designs")
    _measures_are_drawn(page)
    go(page, "/pool-depth")
    until(lambda: len(headline(page)) == 4)  # depths and judgments of the range
