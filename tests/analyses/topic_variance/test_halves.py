"""Noise of the documents by random halves of them: against lists cut in two by plain Python, and on real runs."""

import random

import numpy as np
import pytest

from tests.analyses.topic_variance import plain_shared
from tests.analyses.topic_variance.test_real_runs import judged, runs_of
from tests.analyses.topic_variance.test_shared import SYSTEMS, new_topics, small, track
from topicset_core.analyses.topic_variance import (
    Settings,
    prepared,
    simulate_collections,
    topic_variance,
)
from topicset_core.analyses.topic_variance.sentences import noise_sentence


def plain_noise(measure: str, n_cuts: int) -> np.ndarray:
    """A quarter of the variance over runs of the difference of both halves' scores, (n_cuts, n_topics), or NaN."""
    chance = random.Random(5)
    noise = np.full((n_cuts, len(small())), np.nan)
    for cut in range(n_cuts):
        for place, (lists, relevant) in enumerate(small()):
            every = sorted({one for ranking in lists.values() for one in ranking} | relevant)
            first = {one for one in every if chance.random() < 0.5}
            kept = [[one for one in relevant if (one in first) == side] for side in (True, False)]
            if not all(kept):
                continue
            scores = [
                [
                    plain_shared.score(
                        [one for one in lists[system] if (one in first) == side],
                        kept[not side],
                        measure,
                        None,
                    )
                    for side in (True, False)
                ]
                for system in SYSTEMS
            ]
            noise[cut, place] = np.var([one - other for one, other in scores], ddof=1) / 4
    return noise


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["AP", "nDCG", "recall"])
def test_noise_of_each_topic_against_lists_cut_in_two(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six topics within 4.5 standard errors of both; 2,000 cuts by either."""
    monkeypatch.setattr(prepared, "N_CUTS", 2_000)
    runs, collection = track(small(), SYSTEMS)
    settings = Settings(measure=measure, n_trials=2)  # type: ignore[arg-type]
    noise = simulate_collections(collection, settings, runs).prepared.by_halves
    expected = plain_noise(measure, 2_000)
    n_known = np.isfinite(expected).sum(axis=0)
    error = np.nanstd(expected, axis=0, ddof=1) * np.sqrt(2 / n_known)
    assert np.all(np.abs(noise - np.nanmean(expected, axis=0)) <= 4.5 * error + 1e-12)


@pytest.mark.parametrize(("measure", "depth"), [("P", 10), ("AP", 100), ("RR", None)])
def test_measures_with_a_cutoff_are_not_halved(measure: str, depth: int | None) -> None:
    runs, collection = track(small(), SYSTEMS)
    split = topic_variance(collection, Settings(measure=measure, depth=depth, n_trials=5), runs).components  # type: ignore[arg-type]
    assert split.noise_share_by_halves is split.noise_share_by_halves_low is None
    assert split.noise_share is not None


def test_topics_whose_relevant_documents_cannot_be_parted_are_left_out() -> None:
    """Topics with one relevant document have no noise by halves; a track of such topics has none at all."""
    alone = [(lists, frozenset({"d00"})) for lists, _ in small()]
    runs, collection = track(alone, SYSTEMS)
    found = topic_variance(collection, Settings(n_trials=20), runs)
    assert found.components.noise_share_by_halves is None
    assert "halves" not in noise_sentence(found, None)


@pytest.mark.reference_data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["dl2019-passage", "robust2003"])
def test_both_ways_agree_on_real_runs(name: str) -> None:
    """Deep Learning 2019 cut by another program (6 cuts of whole lists): .133, from .106 to .163."""
    collection = judged(name) if name != "robust2003" else new_topics()[1]
    split = topic_variance(collection, Settings(n_trials=300), runs_of(name)).components
    expected = {"dl2019-passage": 0.133, "robust2003": plain_shared.ROBUST_2003["share"]}[name]
    assert split.noise_share_by_halves == pytest.approx(expected, abs=0.03)  # with 20 cuts
    assert split.noise_share == pytest.approx(split.noise_share_by_halves, abs=0.03)
