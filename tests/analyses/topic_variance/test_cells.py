"""Special cells: simulation, notes and refusals."""

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import RankedList, random_list, random_track, track
from tests.analyses.topic_variance.simulations import simulate_collections
from tests.analyses.training_sensitivity.sweeps import tiny, tiny_sweep
from topicset_core.analyses.topic_variance import Request, findings
from topicset_core.analyses.topic_variance.cells import cells_of, raw_scores
from topicset_core.analyses.topic_variance.prepared import REMARKS
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.errors import InputError
from topicset_core.exports.records import plain
from topicset_core.measures import measure_named

RNG = np.random.default_rng(1)
USUAL = random_list(RNG, 30, 5)
SHORT = random_list(RNG, 10, 3)
FLAT = (np.full(20, 7.0), [2, 9])
SPECIAL: dict[str, RankedList] = {
    "missing": ([], []),
    "nothing_found": (np.arange(9.0)[::-1], []),
    "nothing_else": (np.arange(3.0)[::-1], [1, 2, 3]),
    "one_relevant": (np.arange(9.0)[::-1], [4]),
    "constant": FLAT,
}


@pytest.mark.parametrize("measure", ["AP", "P@10", "RR", "nDCG", "nDCG@5", "recall@20", "AP@10", "RR@3"])
def test_raw_scores_against_the_measures(measure: str) -> None:
    _, judged = random_track(2, 4, 7)
    request = Request(model="bst", measure=measure)
    ours = raw_scores(cells_of(judged, 1), request)
    # Grades are 0 and 1, so linear gains are binary ones. Sums of ideal gains may be rounded otherwise.
    assert ours == pytest.approx(measure_named(measure).scores(judged), rel=1e-14)


@pytest.mark.parametrize("model", ["bst", "kde"])
@pytest.mark.parametrize("remark", SPECIAL)
def test_special_cells_are_drawn_and_listed(remark: str, model: Model) -> None:
    runs, judged = track([[USUAL, SPECIAL[remark]], [USUAL, SHORT]], extra=[1, 1])
    simulation = simulate_collections(judged, Request(model=model, n_trials=500), runs)
    named = simulation.prepared.named(simulation.cells)
    only_kde = remark in ("one_relevant", "constant")
    assert named == ({} if only_kde and model == "bst" else {remark: [("run0", "t1")]})
    mean = simulation.cell_means[1, 0]
    if remark in ("missing", "nothing_found"):
        assert mean == 0.0
    elif remark == "nothing_else":
        # AP is r_s / R of 3 relevant ones in a list of 3: (min(r_s, 3)) / (7 - 3 + min(r_s, 3)), r_s ~ Poisson(3).
        share = np.exp(-3) * np.array([1, 3, 4.5, 4.5])
        share[3] = 1 - share[:3].sum()
        expected = share @ (np.arange(4) / (4 + np.arange(4)))
        assert mean == pytest.approx(expected, abs=4 * 0.13 / np.sqrt(500))  # 4 standard errors, sd below .13
    else:
        assert 0 < mean < 1
    assert set(named) <= set(REMARKS)
    assert plain(findings(simulation))["cells_with_remarks"] == {key: [["run0", "t1"]] for key in named}


def test_a_cell_without_density_is_drawn_as_in_the_bootstrap() -> None:
    """The same stream gives the same list; only the key differs between models, so distributions agree."""
    lists = [[FLAT, USUAL], [SHORT, USUAL]]
    runs, judged = track(lists, extra=[1, 1])
    means = [
        simulate_collections(judged, Request(model=model, n_trials=4000), runs) for model in ("bst", "kde")
    ]
    first, second = means[0].cell_means[0, 0], means[1].cell_means[0, 0]
    error = np.sqrt((means[0].cell_variances[0, 0] + means[1].cell_variances[0, 0]) / 4000)
    assert abs(first - second) < 4 * error


@pytest.mark.parametrize("measure", ["AP", "recall", "nDCG"])
def test_scores_stay_within_one_unless_the_denominator_is_fixed(measure: str) -> None:
    best = (np.arange(50.0)[::-1], [1])
    runs, judged = track([[best, best], [USUAL, USUAL]])
    # In the topics: 1 relevant document of the first run, 5 of the other.
    drawn, fixed = (
        simulate_collections(
            judged,
            Request(model="bst", measure=measure, denominator=kind, n_trials=2000),  # type: ignore[arg-type]
            runs,
        )
        for kind in ("drawn", "fixed")
    )
    assert drawn.means.max() <= 1.0
    assert fixed.means.max() > 1.0


def test_topics_without_relevant_documents_score_zero() -> None:
    empty: RankedList = (np.arange(5.0)[::-1], [])
    runs, judged = track([[USUAL, empty, USUAL], [SHORT, empty, USUAL]])
    simulation = simulate_collections(judged, Request(model="bst", n_trials=100), runs)
    assert simulation.raw[1].tolist() == [0.0, 0.0]
    assert simulation.cell_means[1].tolist() == [0.0, 0.0]


def test_topics_that_no_run_has_are_left_out_and_named() -> None:
    lists: list[list[RankedList]] = [[USUAL, ([], []), SHORT], [SHORT, ([], []), USUAL]]
    runs, judged = track(lists, extra=[1, 4, 1])
    few, judged_few = track([[USUAL, SHORT], [SHORT, USUAL]], extra=[1, 1])
    simulation = simulate_collections(judged, Request(model="kde", n_trials=30), runs)
    alone = simulate_collections(judged_few, Request(model="kde", n_trials=30), few)
    assert simulation.cells.topics == ("t0", "t2")
    assert plain(findings(simulation))["left_out_topics"] == ["t1"]
    assert np.array_equal(simulation.raw, alone.raw)
    assert np.array_equal(simulation.means, alone.means)


def test_densities_need_scores_and_the_bootstrap_does_not(golden: SnapshotAssertion) -> None:
    runs, judged = random_track(4, 3, 3)
    simulate_collections(judged, Request(model="bst", n_trials=10))
    for given in (runs[:2], [*runs[:2], replace(runs[2], scores=None)]):
        with pytest.raises(InputError) as caught:
            simulate_collections(judged, Request(model="kde", n_trials=10), given)
        assert caught.value.parameter == "runs"
        assert str(caught.value) == golden


NOTHING: RankedList = (np.arange(5.0)[::-1], [])


@pytest.mark.parametrize(
    ("lists", "level", "parameter", "value"),
    [
        ([[USUAL, USUAL], [NOTHING, NOTHING]], 1, "runs", "run1"),
        ([[USUAL, USUAL]], 1, "runs", 1),
        ([[USUAL], [SHORT]], 1, "topics", 1),
        ([[USUAL, ([], [])], [SHORT, ([], [])]], 1, "topics", 1),
        ([[USUAL, USUAL], [SHORT, SHORT]], 2, "relevance_level", 2),
    ],
)
def test_too_few_runs_topics_or_relevant_documents_are_refused(
    lists: list[list[RankedList]], level: int, parameter: str, value: object, golden: SnapshotAssertion
) -> None:
    _, judged = track(lists, extra=[1] * len(lists[0]))
    with pytest.raises(InputError) as caught:
        simulate_collections(judged, Request(model="bst", relevance_level=level, n_trials=10))
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        ({"model": "normal"}, "model"),
        ({"measure": "bpref"}, "measure"),
        ({"measure": "P"}, "measure"),
        ({"measure": "P@x"}, "measure"),
        ({"measure": "AP@0"}, "measure"),
        ({"denominator": "r"}, "denominator"),
        ({"bandwidth": "isj"}, "bandwidth"),
        ({"n_trials": 0}, "n_trials"),
    ],
)
def test_requests_refuse(changes: dict[str, object], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        Request(**changes)  # type: ignore[arg-type]
    assert caught.value.parameter == parameter


def test_documents_judged_not_relevant_are_judged() -> None:
    """Unjudged documents are not listed or have a negative grade, and none of grade 0."""
    runs, judged, _ = tiny()
    unjudged = [
        document
        for of_run in runs.values()
        for topic, ranked in of_run.items()
        for document in ranked
        if judged[topic].get(document, -1) < 0
    ]
    assert cells_of(tiny_sweep().runs, 1).n_unjudged == len(unjudged) > 0
