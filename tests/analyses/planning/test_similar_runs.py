"""Plans by all or by the stronger runs of a similar task: one number in Python, command, record and link."""

from typing import Any

import pytest

import topicset_core as topicset
from topicset_core.analyses.planning import Planned, PlanRequest, Scores, Similar, planned
from topicset_core.analyses.planning.report import findings
from topicset_core.analyses.planning.spelled import command_of, source_of
from topicset_core.designs import blocked_anova
from topicset_core.errors import InputError
from topicset_core.exports.findings import texts
from topicset_core.samples.simulated import simulated_task
from topicset_core.variance.atlas import SIMILAR_RUNS, Runs, atlas
from topicset_core.variance.intervals import COVERS_SIMILAR, HOLDS_SIMILAR

TASK = "dl-passage:nDCG@10"
VALUES = {"alpha": 0.05, "beta": 0.20, "min_d": 0.10}


def plan_of(runs: Runs, m: int = 10) -> Planned:
    request = PlanRequest(design=blocked_anova.DESIGN, values=VALUES | {"n_systems": m})
    return planned(request, Similar(name=TASK, runs=runs))


@pytest.mark.parametrize("runs", SIMILAR_RUNS.options)
def test_variance_against_the_column_of_the_atlas(runs: Runs) -> None:
    column = {"all": "two_way", "stronger-half": "two_way_top_half"}[runs]
    of_task = sorted(getattr(row, column) for row in atlas() if f"{row.family}:{row.measure}" == TASK)
    found = plan_of(runs)
    assert found.plan.variance == of_task[2]  # the third of five
    assert SIMILAR_RUNS.options[runs] in found.words


@pytest.mark.parametrize("runs", SIMILAR_RUNS.options)
@pytest.mark.parametrize("m", [3, 10])
def test_python_record_and_terminal_agree(runs: Runs, m: int) -> None:
    found = plan_of(runs, m)
    size: Any = topicset.size
    record = size("two-way-anova", **VALUES, systems=m, similar_to=TASK, similar_runs=runs).record
    assert found.uncertain is not None
    assert found.variance is not None
    assert found.variance.similar is not None
    assert record["required_topics"] == found.topics
    assert record["topics_interval"] == list(found.uncertain.topics_interval)
    known = record["similar_to"]
    assert (known["runs"], known["n_systems"]) == (runs, m)
    assert known["worth_in_topics"] == found.variance.similar.worth_in_topics
    told = "\n".join(texts(findings(found), "terminal"))
    assert f"tells as much as a pilot of {known['worth_in_topics']} topics for {m} systems" in told
    assert f"factor of {known['factor']:.2f} (80 to 100 % in simulation)" in told
    assert ("--similar-runs stronger-half" in command_of(found)) == (runs == "stronger-half")


def test_fewer_systems_have_a_wider_interval_of_the_same_number() -> None:
    """The variance is the same, so that only the degrees of freedom differ."""
    ends = [plan_of("all", m).uncertain for m in (3, 10, 100)]
    widths = [one.interval.high / one.interval.low for one in ends if one is not None]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3


def test_a_link_says_that_its_variance_is_of_a_similar_task() -> None:
    found = plan_of("stronger-half")
    stated = source_of(found)
    assert stated is not None
    assert stated.similar == "alone"
    again = planned(found.request, stated)
    assert again.uncertain is not None
    assert found.uncertain is not None
    assert again.uncertain == found.uncertain
    assert (again.uncertain.interval.covers, again.uncertain.interval.holds) == (
        COVERS_SIMILAR,
        HOLDS_SIMILAR,
    )
    linked_again = source_of(again)
    assert linked_again is not None
    assert linked_again.similar == "alone"


def test_with_scores_the_task_tells_about_as_many_systems_as_they_have() -> None:
    matrix = next(one for one in simulated_task() if one.measure == "AP")
    parameter = blocked_anova.DESIGN.variance
    for runs in ("all", "stronger-half"):
        for m in (5, 20):
            scores = matrix.taken(range(matrix.n_topics), range(m))
            found = Scores(matrices=(scores,), similar="news:AP", similar_runs=runs).variance(parameter)
            alone = Similar(name="news:AP", runs=runs, n_systems=m).variance(parameter)
            assert found.similar == alone.similar
            assert found.interval is not None
            assert found.interval.covers is None  # not measured
            request = PlanRequest(design=blocked_anova.DESIGN, values=VALUES | {"n_systems": 3})
            stated = source_of(
                planned(request, Scores(matrices=(scores,), similar="news:AP", similar_runs=runs))
            )
            assert stated is not None
            assert stated.similar == "with-scores"
            again = planned(request, stated)
            assert again.uncertain is not None
            assert again.uncertain.interval.covers is None


def test_runs_without_a_task_and_unknown_runs_are_refused() -> None:
    size: Any = topicset.size
    with pytest.raises(InputError, match="needs similar_to"):
        size("two-way-anova", **VALUES, systems=10, residual_variance=0.02, similar_runs="stronger-half")
    with pytest.raises(InputError, match="must be one of all, stronger-half"):
        Similar(name=TASK, runs="best")  # type: ignore[arg-type]
