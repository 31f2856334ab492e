"""Judges of 37 runs of TREC DL 2019: new assessors against stated values, a simulated model against truth.

Slow, as all 37 runs are read: figures stated for all of them cannot be had from fewer.
"""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from tests.analyses.dl_2019 import qrels_path
from tests.analyses.judge_study.simulated_model import FAMILY, judged_by_model
from topicset_core.analyses.judge_study import TwoSets, agreement, two_sets
from topicset_core.analyses.judge_study.rankings import conclusions, preference
from topicset_core.analyses.judge_study.study import combined_difference
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import join
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs

pytestmark = pytest.mark.slow
REQUEST = Request(measures=("nDCG@10",))


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    paths = sorted((qrels_path().parent / "runs").glob("*.gz"))
    return [one.run for one in read_runs([(path.name, path) for path in paths]).items]


def qrels(name: str) -> Qrels:
    path = qrels_path().with_name(name)
    return read_qrels(name, path.read_bytes()).qrels


@pytest.fixture(scope="module")
def assessors(runs: list[Run]) -> TwoSets:
    people, first, second = map(qrels, ("qrels.txt", "qrels_assessor_a.txt", "qrels_assessor_b.txt"))
    return two_sets(runs, people, first, REQUEST, other=second)


def test_new_assessors_against_stated(assessors: TwoSets) -> None:
    """Shared notes on variances: rho .75 and .78, .73 between new ones, tau .92; 73 % judged again."""
    assert assessors.other is not None
    found = [
        agreement(*pair)
        for pair in (
            (assessors.human, assessors.model),
            (assessors.human, assessors.other),
            (assessors.model, assessors.other),
        )
    ]
    rho = [one.median_correlation_of_differences for one in found]
    assert rho == pytest.approx([0.75, 0.78, 0.73], abs=0.0051)  # half a unit in the last digit, and rounding
    tau = [one.kendall_tau_of_means for one in found[:2]]
    assert tau == pytest.approx([0.92, 0.92], abs=0.0051)
    assert found[0].n_topics == 43
    first, second = (
        one.select(systems=assessors.human.systems) for one in (assessors.human, assessors.model)
    )
    oracle = stats.kendalltau(first.scores.mean(axis=0), second.scores.mean(axis=0)).statistic
    assert found[0].kendall_tau_of_means == pytest.approx(oracle, abs=1e-12)
    assert (assessors.documents.human_at_10, assessors.documents.both_at_10) == pytest.approx(
        (1, 0.73), abs=0.005
    )
    assert (assessors.documents.n_both, assessors.documents.n_human_only) == (
        4195,
        5065,
    )  # lines of the files


def test_intervals_with_a_biased_model_cover_against_simulation(runs: list[Run]) -> None:
    """Topics are drawn from the 43; the truth is people's mean on these. Pairs are drawn, too."""
    people = qrels("qrels.txt")
    model = judged_by_model(runs, people, np.random.default_rng(1))
    human, judge = (evaluate(join(runs, one), REQUEST).matrices[0].scores for one in (people, model))
    pairs = [(i, k) for i, k in combinations(range(37), 2) if np.unique(human[:, i] - human[:, k]).size > 20]
    rng, trials = np.random.default_rng(4), 400
    for n in (10, 20, 40):
        covered, by_model = 0, 0
        for _ in range(trials):
            i, k = pairs[rng.integers(len(pairs))]
            drawn = rng.integers(0, 43, 120)
            h, j = human[drawn[:n], i] - human[drawn[:n], k], judge[drawn, i] - judge[drawn, k]
            result, truth = combined_difference(h, j[:n], j), (human[:, i] - human[:, k]).mean()
            covered += abs(result.difference - truth) <= result.half_width
            by_model += abs(result.judge_only.difference - truth) <= result.judge_only.half_width
        # Three standard errors of a share of .95; the model's own intervals covered a third to two thirds.
        assert covered / trials == pytest.approx(0.95, abs=3 * 0.0109)
        assert by_model / trials < 0.7


def test_conclusions_with_labels_of_a_third_of_the_topics(runs: list[Run]) -> None:
    """None of the resolved pairs is against people's judgments of all topics: of 40 such samples, none had one."""
    people = qrels("qrels.txt")
    sets = two_sets(runs, people, judged_by_model(runs, people, np.random.default_rng(1)), REQUEST)
    human = sets.labels.human
    hidden = human.copy()
    hidden[np.random.default_rng(2).permutation(43)[14:]] = np.nan
    labels = PairedLabels(
        judge=sets.labels.judge,
        human=hidden,
        topics=sets.labels.topics,
        systems=sets.labels.systems,
        name="x",
    )
    found = conclusions(labels)
    truth = dict(zip(labels.systems, human.mean(axis=0), strict=True))
    means = np.array([truth[one] for one in found.both.systems])
    assert found.n_by_both > 60
    assert not (found.both.resolved & (means[:, None] < means[None, :])).any()
    assert found.p_mean is not None


def test_a_ceiling_is_not_taken_for_a_preference(runs: list[Run]) -> None:
    """Without preference the family, whose runs are the best, is lifted less than others: there is a ceiling."""
    people = qrels("qrels.txt")
    human = evaluate(join(runs, people), REQUEST).matrices[0]
    found = []
    for lifted in (0.0, 0.8):
        model = judged_by_model(runs, people, np.random.default_rng(1), lifted)
        scores = evaluate(join(runs, model), REQUEST).matrices[0]
        found.append(preference(PairedLabels.of(human, scores), FAMILY))
    none, strong = found
    assert none.difference.difference < -none.difference.half_width
    assert none.at_equal_scores is not None
    assert strong.at_equal_scores is not None
    assert abs(none.at_equal_scores.difference) < none.at_equal_scores.half_width
    assert strong.at_equal_scores.difference > none.at_equal_scores.difference + 0.01  # .025 over eight seeds
