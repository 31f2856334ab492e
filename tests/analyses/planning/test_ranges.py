"""A difference that scores of the measure cannot have is refused; where the range is unknown, nothing is."""

import numpy as np
import pytest

from tests.analyses.planning.stating import plan_with
from topicset_core.analyses.planning import Planned, PlanRequest, Scores, Similar, planned
from topicset_core.cli import main
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import design_named
from topicset_core.errors import InputError

REQUIRED = {"alpha": 0.05, "beta": 0.2}


def _stated(slug: str, measure: str, variance: float = 0.1, **values: float) -> Planned:
    design = design_named(slug)
    given = (REQUIRED if design.has_power else {"alpha": 0.05}) | values
    return plan_with(design, given | {design.variance.name: variance}, measure=measure)


@pytest.mark.parametrize(
    ("slug", "name", "largest"),
    [
        ("paired-t", "min_d", 1),
        ("two-sample-t", "min_d", 1),
        ("ci", "max_width", 2),  # an interval of differences, which lie from -1 to 1
    ],
)
def test_a_difference_is_at_most_the_range_of_the_measure(slug: str, name: str, largest: float) -> None:
    rule = f"must be at most {largest}, as AP ranges from 0 to 1"
    with pytest.raises(InputError, match=f"^{name} = 7.0: {rule}$"):
        _stated(slug, "AP", **{name: 7})
    assert _stated(slug, "AP", **{name: largest}).topics >= 2
    with pytest.raises(InputError, match=rule):
        _stated(slug, "AP", **{name: np.nextafter(largest, 3).item()})


@pytest.mark.parametrize(("margin", "truly", "name"), [(7.0, 0.0, "margin"), (0.05, -3.0, "true_difference")])
def test_margins_and_true_differences_are_differences_too(margin: float, truly: float, name: str) -> None:
    with pytest.raises(InputError, match=f"^{name} = .*: must be at most 1, as nDCG@10 ranges"):
        _stated("non-inferiority", "nDCG@10", margin=margin, true_difference=truly)


@pytest.mark.parametrize(
    ("measure", "variance"),
    [
        ("", 0.1),
        ("latency", 0.1),
        ("graded-alpha-DCG@10", 0.1),  # the only one of the measures that is not divided by an ideal value
        ("AP", 400.0),  # per cent: no scores from 0 to 1 vary as much
    ],
)
def test_where_the_range_is_not_known_no_difference_is_refused(measure: str, variance: float) -> None:
    assert _stated("paired-t", measure, variance, min_d=7).topics >= 2


def _scores(measure: str, factor: float) -> Scores:
    """Random scores of three systems on 20 topics; the variance is below 1 on either scale."""
    scores = factor * np.random.default_rng(5).uniform(0, 0.5, (20, 3))
    topics, systems = tuple(f"q{topic}" for topic in range(20)), ("a", "b", "c")
    return Scores(
        matrices=(ScoreMatrix(scores=scores, topics=topics, systems=systems, measure=measure, name="x"),)
    )


def test_scores_tell_their_scale() -> None:
    request = PlanRequest(design=design_named("paired-t"), values=REQUIRED | {"min_d": 1.5})
    with pytest.raises(InputError, match="as AP ranges from 0 to 1"):
        planned(request, _scores("AP", 1.0))
    assert planned(request, _scores("AP", 4.0)).topics >= 2  # up to 2, so their scale is another
    assert planned(request, _scores("seconds", 1.0)).topics >= 2
    with pytest.raises(InputError, match="as nDCG@10 ranges from 0 to 1"):
        planned(request, Similar(name="dl-passage:nDCG@10"))


def test_the_command_refuses_it_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["size", "paired-t", "--alpha", ".05", "--beta", ".2", "--similar-to", "dl-passage:nDCG@10"]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--min-d", "7"])
    assert ended.value.code == 2
    assert (
        capsys.readouterr().err
        == "topicset: --min-d = 7.0: must be at most 1, as nDCG@10 ranges from 0 to 1\n"
    )
