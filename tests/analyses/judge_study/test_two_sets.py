"""Two sets of judgments: documents, rankings, all pairs and preference, by hand and against other formulas."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from topicset_core.analyses.judge_study import Answer, Request, judge, two_sets
from topicset_core.analyses.judge_study import rankings as ranking
from topicset_core.analyses.judge_study.rankings import (
    conclusions,
    labels_for_top,
    preference,
    two_phase_scores,
)
from topicset_core.analyses.judge_study.report import report
from topicset_core.analyses.judge_study.study import adjusted, combined_difference
from topicset_core.analyses.judge_study.two_sets import compare_documents
from topicset_core.analyses.pool_depth.study import tau_ap
from topicset_core.analyses.run_evaluation import Request as Evaluating
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import join
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.designs.judge_budget import required_labels
from topicset_core.errors import InputError
from topicset_core.exports.findings import texts

Floats = np.ndarray


def judgments(name: str, *grades: tuple[int, ...]) -> Qrels:
    """Documents 0, 1, ... of each topic have these grades."""
    return Qrels(
        name=name,
        topics=tuple(map(str, range(len(grades)))),
        starts=np.cumsum([0, *map(len, grades)]),
        documents=np.array([b"d%03d" % place for own in grades for place in range(len(own))]),
        grades=np.array([one for own in grades for one in own], dtype=np.int16),
    )


def ranked(tag: str, documents: list[int], n_topics: int) -> Run:
    return Run(
        tag=tag,
        topics=tuple(map(str, range(n_topics))),
        starts=np.arange(n_topics + 1) * len(documents),
        documents=np.array([b"d%03d" % one for one in documents] * n_topics),
    )


def scored(human: Floats, model: Floats, n_labels: int | None = None) -> PairedLabels:
    people = np.array(human, dtype=float)
    people[len(people) if n_labels is None else n_labels :] = np.nan
    n, m = model.shape
    systems, topics = (tuple(f"{kind}{one}" for one in range(size)) for kind, size in (("s", m), ("t", n)))
    return PairedLabels(judge=model[:, :, None], human=people, topics=topics, systems=systems, name="made")


def said(answer: Answer, place: str) -> list[str]:
    return texts(report(answer).findings, place)


def test_kappa_against_a_published_example() -> None:
    """Of 50 proposals two readers accept 20, reject 15, and differ on 5 and 10: kappa .40 (J. Cohen's formula)."""
    first = (1,) * 20 + (1,) * 5 + (0,) * 10 + (0,) * 15 + (-1, -1, 0)
    second = (1,) * 20 + (0,) * 5 + (1,) * 10 + (0,) * 15 + (2, 2)
    runs = [ranked("a", [*range(45, 53), 60, 61], 1)]
    one, other = (join(runs, judgments("x", grades)) for grades in (first, second))
    found = compare_documents(one, other, 1)
    assert found.grades == (0, 1, 2)
    assert found.confusion.tolist() == [[15, 10, 0], [5, 20, 0], [0, 0, 0]]
    assert (found.kappa, found.kappa_relevant) == (pytest.approx(0.4), pytest.approx(0.4))
    assert found.agreement_by_grade == (0.6, 0.8, None)
    assert (found.n_human_only, found.n_model_only) == (1, 2)
    # Ten documents: 45 to 49 by both, 50 and 51 by the second alone, 52 by the first.
    assert (found.human_at_10, found.model_at_10, found.both_at_10) == pytest.approx((0.6, 0.7, 0.5))


def test_unjudged_documents_are_judged_by_nobody() -> None:
    one, other = (join([ranked("a", [0], 1)], judgments("x", grades)) for grades in ((1, -1), (1, 0)))
    found = compare_documents(one, other, 1)
    assert (found.n_both, found.n_human_only, found.n_model_only) == (1, 0, 1)
    assert found.kappa is None  # one grade is all there is


def test_sets_are_scored_alike_and_the_best_by_the_model_is_first() -> None:
    runs = [ranked("worse", [2, 1, 0], 6), ranked("better", [0, 1, 2], 6), ranked("third", [1, 0, 2], 6)]
    people = judgments("people", *[(2, one % 2, 0) for one in range(5)])
    sets = two_sets(
        runs,
        people,
        judgments("model", *[(3, 1, one % 2) for one in range(6)]),
        Evaluating(measures=("ERR@3",)),
    )
    assert sets.labels.systems == ("better", "third", "worse")
    assert sets.labels.is_labelled.tolist() == [True] * 5 + [False]
    # xmax is 3 for both: of grade 2 alone at rank 1, (2^2 - 1) / 2^3.
    assert sets.human.scores[0, sets.human.systems.index("better")] == pytest.approx(3 / 8)
    assert sets.notes == (
        "Only people gives grade 2: gains of the two differ.",
        "Only model gives grade 3: gains of the two differ.",
    )
    with pytest.raises(InputError, match="at least 4 topics"):
        two_sets(runs, people.taken([0, 1]), people, Evaluating(measures=("AP",)))


def test_resampled_correlations_are_those_of_single_rankings() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 4, (2, 30, 6)).astype(float)  # with many ties
    fast = ranking._tau_ap(ranking._signs(first), ranking._signs(second))
    for one, other, value in zip(first, second, fast, strict=True):
        assert value == pytest.approx(tau_ap(one, other) or 0.0, abs=1e-12)


def test_prediction_intervals_have_the_error_of_two_samples() -> None:
    """t -+ t_{n-1} sqrt(2) s, as for the mean of n new values (Hahn and Meeker 1991, chapter 4), by plain loops."""
    h, j = np.random.default_rng(9).normal(size=(2, 15, 5))
    found = ranking.agreement_of(scored(h, j), alpha=0.2, seed=3)
    rng, drawn = np.random.default_rng(1), []
    for _ in range(1000):
        topics = rng.integers(0, 15, 15)
        drawn.append(stats.kendalltau(h[topics].mean(axis=0), j[topics].mean(axis=0)).statistic)
    half = stats.t.ppf(0.9, 14) * np.sqrt(2) * np.std(drawn)
    assert found.kendall_tau_of_means is not None
    expected = np.clip(found.kendall_tau_of_means + np.array([-half, half]), -1, 1)
    # A standard deviation of 1,000 resamples has a relative error of 2 %; there are two, and three errors of them.
    assert found.on_other_topics["kendall_tau_of_means"] == pytest.approx(expected, abs=3 * 0.032 * half)


def test_limits_of_tau_over_all_topics_by_hand() -> None:
    """Six pairs: three of a clear order by both, two opposite, and one (s0, s1) equal by both."""
    noise = np.random.default_rng(4).normal(0, 0.1, (30, 4))
    found = conclusions(scored(noise + np.array([0, 0, 5, 9]), noise[::-1] + np.array([0, 0, -5, 9])))
    assert (found.n_confirmed, found.n_contradicted, found.n_by_judge) == (3, 2, 5)
    assert found.tau_limits == pytest.approx((2 * 3 / 6 - 1, 1 - 2 * 2 / 6))
    assert found.judge.request.alpha == found.both.request.alpha == 0.025


def test_median_correlation_against_numpy() -> None:
    rng = np.random.default_rng(2)
    h, j = rng.normal(size=(2, 12, 4))
    h[:, 3] = h[:, 2]  # a pair without variance
    each = [
        np.corrcoef(h[:, i] - h[:, k], j[:, i] - j[:, k])[0, 1]
        for i in range(4)
        for k in range(i + 1, 4)
        if (i, k) != (2, 3)
    ]
    assert ranking.agreement_of(scored(h, j)).median_correlation_of_differences == pytest.approx(
        np.median(each)
    )


def test_two_phase_scores_have_the_regression_estimates_as_means() -> None:
    rng = np.random.default_rng(3)
    model = rng.normal(size=(30, 2))
    human = 0.5 * model + rng.normal(size=(30, 2))
    means = two_phase_scores(scored(human, model, 9))[0].mean(axis=0)
    gap, judged = human[:9, 0] - human[:9, 1], model[:, 0] - model[:, 1]
    assert means[0] - means[1] == pytest.approx(combined_difference(gap, judged[:9], judged).difference)


@pytest.mark.parametrize("sign", [1, -1])
def test_conclusions_of_a_judge_that_is_right_or_the_opposite(sign: int) -> None:
    rng = np.random.default_rng(4)
    human = rng.normal(size=(25, 4)) + np.array([0, 0, 2, 6])
    found = conclusions(scored(human, sign * human))
    assert found.n_by_judge >= 5
    assert (found.n_confirmed, found.n_contradicted)[::sign] == (found.n_by_judge, 0)
    assert (found.n_same, found.n_opposite) == (0, 0)


def test_preference_at_equal_scores_is_not_the_ceiling() -> None:
    """A judge that is a square of system means, and lifts the marked by .07: exactly that is found."""
    rng = np.random.default_rng(5)
    human = rng.normal(size=(20, 9)) + np.linspace(0, 3, 9)
    ceiling = 0.8 * human.mean(axis=0) - 0.1 * np.square(human.mean(axis=0))
    marked = np.isin(np.arange(9), (5, 7, 8))
    labels = scored(human, human + ceiling + 0.07 * marked)
    found = preference(labels, ("s5", "s7", "s8"))
    assert found.at_equal_scores is not None
    assert found.at_equal_scores.difference == pytest.approx(0.07)
    assert found.difference.difference == pytest.approx(
        found.of_marked.difference - found.of_others.difference
    )
    assert found.difference.difference == pytest.approx(
        0.07 + ceiling[marked].mean() - ceiling[~marked].mean()
    )
    with pytest.raises(InputError, match="not marked"):
        preference(labels, labels.systems)
    with pytest.raises(InputError, match="one of s0"):
        preference(labels, ("x",))


def test_labels_for_the_best_are_those_of_the_pair_that_needs_most() -> None:
    rng = np.random.default_rng(6)
    model = rng.normal(0, 0.1, (60, 3)) + np.array([0.5, 0.3, 0.0])
    labels = scored(model + rng.normal(0, 0.05, (60, 3)), model, 20)
    found = labels_for_top(labels, conclusions(labels).both, 1, alpha=0.05, beta=0.2, min_d=0.1)
    each = []
    for other in ("s1", "s2"):
        one = judge(labels, Request(pair=("s0", other))).first.judge
        rho = adjusted(one.rho, 20)
        each.append(
            required_labels(60, alpha=0.025, beta=0.2, min_d=0.1, rho=rho, human_variance=one.human_variance)
        )
    assert (found.required, found.n_comparisons) == (max(each), 2)


def test_chosen_topics_have_no_interval() -> None:
    rng = np.random.default_rng(7)
    model = rng.normal(size=(30, 3))
    labels = scored(model + rng.normal(size=(30, 3)), model, 10)
    asked = Request(labels_are="chosen", marked=("s1",))
    assert "no random sample" in said(judge(labels, asked), "headline")[0]
    whole = replace(asked, labels_are="random")
    assert "±" in said(judge(labels, whole), "headline")[0]
    answer = judge(labels, whole)
    record = report(answer).record()
    assert record["request"]["marked"] == ["s1"]
    assert answer.n_pairs == len(answer.studies) == 3


def test_scores_that_are_the_peoples_are_asked_about_first() -> None:
    """Whether a file was given twice is asked before any result; with one other score it is not asked."""
    human = np.random.default_rng(7).normal(size=(30, 3))
    question = "The judge's scores equal the people's on every labelled topic: is it the same file?"
    asked = Request(pair=("s0", "s1"))
    answer = judge(scored(human, human, 12), asked)
    assert said(answer, "headline") == [question]
    assert said(answer, "terminal")[0] == question
    assert report(answer).sentence.startswith(question)
    assert report(answer).record()["results"][0]["judge_equals_people"] is True
    other = human.copy()
    other[3, 2] += 1e-9
    answer = judge(scored(human, other, 12), asked)
    assert not answer.judge_equals_people
    assert question not in (*said(answer, "headline"), *said(answer, "terminal"))
    other = human.copy()
    other[20, 1] += 1  # where people have no label
    assert judge(scored(human, other, 12), asked).judge_equals_people


def test_other_people_whose_scores_are_the_peoples_are_asked_about() -> None:
    runs = [ranked(f"r{one}", order, 6) for one, order in enumerate(([0, 1, 2], [1, 2, 0], [2, 0, 1]))]
    people = judgments("people", *[(2, one % 2, 0) for one in range(6)])
    model = judgments("model", *[(one % 2, 1, one % 3) for one in range(6)])
    sets = two_sets(runs, people, model, Evaluating(measures=("nDCG@3",)), other=people)
    (question, *_) = said(judge(sets, Request()), "terminal")
    assert question.startswith("The other people's scores equal the people's")


def test_bias_is_that_of_the_labelled_topics() -> None:
    """Judge alone on all topics, less people and judge together, is another number: it is not called the bias."""
    rng = np.random.default_rng(11)
    model = rng.normal(size=(40, 2))
    labels = scored(model + rng.normal(size=(40, 2)), model, 15)
    answer = judge(labels, Request())
    gap = (model[:, 0] - model[:, 1])[:15].mean() - (labels.human[:15, 0] - labels.human[:15, 1]).mean()
    (text,) = [one for one in said(answer, "page") if one.startswith("The judge alone gives")]
    assert "on 40 judged topics" in text
    assert f"bias (judge minus people on 15 labelled topics) is {gap:+.4f}" in text
    assert "15 labelled topics" in report(answer).caution


def test_a_model_at_its_ceiling_is_named() -> None:
    """The collections of the atlas have means of nDCG@10 up to some .7 and more spread of systems."""
    runs = [ranked(f"r{one}", [0, 1, 2], 6) for one in range(5)]
    people = judgments("people", *[(1, one % 2, 0) for one in range(6)])
    sets = two_sets(runs, people, people, Evaluating(measures=("nDCG@10",)))
    scores = np.random.default_rng(8).uniform(0.93, 0.97, (6, 5))
    model, human = replace(sets.model, scores=scores), replace(sets.human, scores=scores - 0.5 * scores**2)
    answer = judge(replace(sets, model=model, human=human), Request())
    (text,) = [one for one in said(answer, "page") if one.startswith("Scores by") and "ceiling" in one]
    assert text.startswith("Scores by the model: ")


def test_pairs_that_the_judge_scores_0_throughout_have_no_correlation() -> None:
    """Their variance is exactly 0, as is the rounding that is allowed for."""
    rng = np.random.default_rng(2)
    h, j = rng.normal(size=(2, 12, 4))
    j[:, 2:] = 0.0
    each = [
        np.corrcoef(h[:, i] - h[:, k], j[:, i] - j[:, k])[0, 1]
        for i, k in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3))
    ]
    found = ranking.agreement_of(scored(h, j)).median_correlation_of_differences
    assert found == pytest.approx(np.median(each))
