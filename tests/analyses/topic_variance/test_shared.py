"""Documents that all runs share, and their noise by random halves: against plain Python, by hand, on real runs."""

import math
import random
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.analyses.topic_variance import plain_shared
from tests.analyses.topic_variance.simulations import scores, simulate_collections
from tests.analyses.topic_variance.test_real_runs import judged, runs_of
from tests.measures.plain_reader import collection as plain_collection
from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses.topic_variance import Request, findings, prepared, topic_variance
from topicset_core.analyses.topic_variance.conclusions import (
    between_collections,
    components,
    overall_error_rate,
    topics_needed,
)
from topicset_core.analyses.topic_variance.report import report
from topicset_core.collection import Run
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.errors import InputError

SYSTEMS = ("a", "b", "c", "d")
Places = NDArray[np.int64]


def track(topics: Sequence[plain_shared.Topic], systems: Sequence[str]) -> tuple[list[Run], JudgedRuns]:
    """Runs and judgments of the product for topics of the plain script."""
    runs = [
        run_of({f"t{place}": lists.get(system, []) for place, (lists, _) in enumerate(topics)}, system)
        for system in systems
    ]
    relevant = {f"t{place}": dict.fromkeys(sorted(of_topic), 1) for place, (_, of_topic) in enumerate(topics)}
    return runs, join(runs, qrels_of(relevant))


@cache
def small() -> list[plain_shared.Topic]:
    """Six topics: runs return most of 30 documents in orders of their own; one topic has 1 relevant document."""
    rng = np.random.default_rng(7)
    results: list[plain_shared.Topic] = []
    for n_relevant in (1, 2, 3, 5, 8, 12):
        documents = [f"d{place:02d}" for place in range(30)]
        lists = {}
        for place, system in enumerate(SYSTEMS):
            merit = np.where(np.arange(30) < n_relevant, 0.7 + 0.2 * place, 0.0)
            order = np.argsort(-merit - rng.normal(size=30))[: 20 + 2 * place]
            lists[system] = [documents[one] for one in order.tolist()]
        lists["b"] = lists["b"] if n_relevant != 3 else []  # a run that misses a topic
        results.append((lists, frozenset(documents[:n_relevant]) | {"nowhere"}))
    return results


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "depth"), [("AP", None), ("P", 5), ("recall", 10), ("RR", None), ("nDCG", None), ("nDCG", 5)]
)
def test_moments_of_all_cells_against_documents_drawn_one_by_one(measure: str, depth: int | None) -> None:
    """Means of cells and means of products of two runs, each within 4.5 standard errors of both (180 numbers)."""
    runs, collection = track(small(), SYSTEMS)
    request = Request(measure=measure if depth is None else f"{measure}@{depth}", n_trials=20_000, seed=1)
    ours = scores(simulate_collections(collection, request, runs))
    plain = np.array(plain_shared.simulated(small(), SYSTEMS, 2_000, seed=2, measure=measure, depth=depth))
    for power in range(4):  # the score, and its products with those of the run itself and of the next ones
        sides = [part * np.roll(part, power, axis=2) if power else part for part in (ours, plain)]
        error = np.hypot(*(part.std(axis=0, ddof=1) / math.sqrt(len(part)) for part in sides))
        away = np.abs(sides[0].mean(axis=0) - sides[1].mean(axis=0))
        assert (away <= 4.5 * error + 1e-12).all()


def test_a_run_and_its_copy_rise_and_fall_together() -> None:
    topics = [({**lists, "b": lists["a"]}, relevant) for lists, relevant in small()]
    runs, collection = track(topics, SYSTEMS)
    simulation = simulate_collections(collection, Request(n_trials=300, seed=1), runs)
    assert np.array_equal(simulation.means[:, 0], simulation.means[:, 1])
    result = findings(simulation)
    assert (result.n_pairs, result.n_equal_pairs) == (6, 1)
    assert result.n_kept_pairs == 5 - len(result.reversed_pairs)
    alone = simulate_collections(collection, Request(model="bst", n_trials=300, seed=1))
    assert (alone.means[:, 0] != alone.means[:, 1]).any()


def test_two_runs_of_one_topic_worked_out_by_hand() -> None:
    """One relevant document, first in run a and second in run b behind x: RR is 1, and 1 / (1 + copies of x).

    The copies of x are Poisson with mean 1: E[1 / (1 + X)] = 1 - 1/e. The relevant one is always there. The
    common noise is 0, since a never varies; so all of it is own: half of Var(1 / (1 + X)).
    """
    topics = [({"a": ["r", "x"], "b": ["x", "r"]}, frozenset("r"))] * 2
    runs, collection = track(topics, ("a", "b"))
    simulation = simulate_collections(collection, Request(measure="RR", n_trials=40_000, seed=1), runs)
    assert (simulation.cell_means[:, 0] == 1.0).all()
    second = sum(math.exp(-1) / math.factorial(x) / (1 + x) ** 2 for x in range(40))
    spread = second - (1 - math.exp(-1)) ** 2
    error = math.sqrt(spread / 40_000)
    assert simulation.cell_means[:, 1] == pytest.approx(1 - math.exp(-1), abs=4 * error)
    result = components(simulation)
    assert result.collection_own == pytest.approx(spread / 2, rel=0.03)  # a variance from 80,000 draws: .6 %
    assert result.collection == pytest.approx(spread / 2, rel=0.03)


def test_two_collections_differ_by_the_noise_of_both() -> None:
    """Pairs of trials counted one by one: their mean over all pairs of trials is the number, exactly."""
    runs, collection = track(small(), SYSTEMS)
    simulation = simulate_collections(collection, Request(n_trials=60, seed=3), runs)
    first, second = simulation.pairs
    signs = np.sign(np.round(simulation.means[:, first] - simulation.means[:, second], 12))
    opposite = [(signs[i] * signs[j] < 0).mean() for i in range(60) for j in range(i)]
    result = between_collections(simulation)
    assert result.value == pytest.approx(np.mean(opposite), rel=1e-12)
    others = [
        between_collections(simulate_collections(collection, Request(n_trials=60, seed=seed), runs)).value
        for seed in range(40)
    ]
    # A standard deviation of 40 values is off by 11 %; the standard error by the noise of 60 trials.
    assert result.standard_error == pytest.approx(np.std(np.array(others, dtype=float), ddof=1), rel=0.5)


def test_runs_are_found_by_their_tags() -> None:
    runs, collection = track(small(), SYSTEMS)
    request = Request(n_trials=50, seed=3)
    whole, turned = (simulate_collections(collection, request, given) for given in (runs, runs[::-1]))
    assert np.array_equal(whole.means, turned.means)


def test_runs_are_needed() -> None:
    runs, collection = track(small(), SYSTEMS)
    with pytest.raises(InputError, match="documents") as error:
        simulate_collections(collection, Request(n_trials=2), runs[1:])
    assert error.value.value == "a"


@cache
def new_topics() -> tuple[tuple[Run, ...], JudgedRuns]:
    """Robust 2003, the 50 new topics 601-650, 17 runs."""
    runs, (_, grades) = runs_of("robust2003"), plain_collection("robust2003")
    return runs, join(runs, qrels_of({topic: own for topic, own in grades.items() if int(topic) > 600}))


@pytest.mark.reference_data
@pytest.mark.slow
def test_documents_make_a_quarter_of_the_noise_on_robust_2003() -> None:
    """Plain Python (`python -m tests.analyses.topic_variance.plain_shared`): see the numbers there."""
    runs, collection = new_topics()
    simulation = simulate_collections(collection, Request(n_trials=1_000), runs)
    result, expected = components(simulation), plain_shared.ROBUST_2003
    turned, errors = overall_error_rate(simulation), plain_shared.ROBUST_2003_ERRORS
    # The noise is a mean of 50 x 136 variances: its error with n trials is that of the plain one times sqrt(N / n).
    own = errors["share"] * math.sqrt(plain_shared.ROBUST_2003_TRIALS / 1_000)
    away = 3.5 * math.hypot(own, errors["share"])
    assert result.noise_share == pytest.approx(expected["share"], abs=away)
    away = 3.5 * math.hypot(turned.standard_error or 0.0, errors["reversed"])
    assert turned.value == pytest.approx(expected["reversed"], abs=away)
    assert topics_needed(result, min_d=0.1)["with_noise"] == 23
    assert topics_needed(result, min_d=0.1)["without_noise"] == 18
    apart = components(simulate_collections(collection, Request(model="bst", n_trials=1_000)))
    assert apart.noise_share is not None
    assert result.noise_share is not None
    assert apart.noise_share > 2 * result.noise_share
    assert topics_needed(apart, min_d=0.1)["without_noise"] == 10


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
    """Six topics within 4.5 standard errors of both; 1,000 cuts by either."""
    monkeypatch.setattr(prepared, "N_CUTS", 1_000)
    runs, collection = track(small(), SYSTEMS)
    request = Request(measure=measure, n_trials=2)
    noise = simulate_collections(collection, request, runs).prepared.by_halves
    expected = plain_noise(measure, 1_000)
    n_known = np.isfinite(expected).sum(axis=0)
    error = np.nanstd(expected, axis=0, ddof=1) * np.sqrt(2 / n_known)
    assert np.all(np.abs(noise - np.nanmean(expected, axis=0)) <= 4.5 * error + 1e-12)


@pytest.mark.parametrize("measure", ["P@10", "AP@100", "RR"])
def test_measures_with_a_cutoff_are_not_halved(measure: str) -> None:
    runs, collection = track(small(), SYSTEMS)
    split = topic_variance(collection, Request(measure=measure, n_trials=5), runs).components
    assert split.noise_share_by_halves is split.noise_share_by_halves_low is None
    assert split.noise_share is not None


def test_topics_whose_relevant_documents_cannot_be_parted_are_left_out() -> None:
    """Topics with one relevant document have no noise by halves; a track of such topics has none at all."""
    alone = [(lists, frozenset({"d00"})) for lists, _ in small()]
    runs, collection = track(alone, SYSTEMS)
    found = topic_variance(collection, Request(n_trials=20), runs)
    assert found.components.noise_share_by_halves is None
    assert all("halves" not in one.text for one in report(found).findings if one.tab == "Noise")


@pytest.mark.reference_data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["dl2019-passage", "robust2003"])
def test_both_ways_agree_on_real_runs(name: str) -> None:
    """Deep Learning 2019 cut by another program (6 cuts of whole lists): .133, from .106 to .163."""
    collection = judged(name) if name != "robust2003" else new_topics()[1]
    split = topic_variance(collection, Request(n_trials=300), runs_of(name)).components
    expected = {"dl2019-passage": 0.133, "robust2003": plain_shared.ROBUST_2003["share"]}[name]
    assert split.noise_share_by_halves == pytest.approx(expected, abs=0.03)  # with 20 cuts
    assert split.noise_share == pytest.approx(split.noise_share_by_halves, abs=0.03)
