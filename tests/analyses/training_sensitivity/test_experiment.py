"""The experiment: scores, complete judgments, a known optimum, seeds, workers, sweeps of a collection, refusals."""

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest

from tests.analyses.training_sensitivity.sweeps import (
    LEVELS,
    simulated,
    tiny_sweep,
    trained,
    up_to,
)
from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses import run_evaluation
from topicset_core.analyses.training_sensitivity import (
    Request,
    TrainingSensitivity,
    exchanged,
    recommendation,
    split,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.experiment import shallow_trainings
from topicset_core.analyses.training_sensitivity.optimisers import best_settings
from topicset_core.analyses.training_sensitivity.request import Task
from topicset_core.analyses.training_sensitivity.sampling import Sampler, Scorer
from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, Sweep, sweep_collection, sweep_of
from topicset_core.analyses.training_sensitivity.tables import (
    collection_facts,
    complete_comparisons,
    curves,
    level_facts,
    paper_tables,
)
from topicset_core.collection.judged_runs import REMOVED
from topicset_core.collection.run import without_parameters
from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.errors import InputError
from topicset_core.measures import Conventions, measure_named
from topicset_core.progress import Cancelled
from topicset_core.retrieval import BM25, MODELS, PL2, Expansion, Search, build_index, build_queries
from topicset_core.samples.simulated_sweep import OPTIMUM, simulated_sweep


def _same(one: TrainingSensitivity, other: TrainingSensitivity) -> None:
    for name, value in vars(one.trained).items():
        np.testing.assert_array_equal(value, getattr(other.trained, name), err_msg=name)


def test_complete_judgments_reproduce_the_full_evaluation() -> None:
    result = trained()
    matrices = run_evaluation.evaluate(
        simulated().runs, run_evaluation.Request(measures=result.measures)
    ).matrices
    for row, matrix in enumerate(matrices):
        assert matrix.topics == result.topics
        np.testing.assert_allclose(result.scores[row], matrix.scores, rtol=0, atol=1e-14)  # log2 tables
    at_100 = result.trained.means[LEVELS.index(100.0)]
    for sample in at_100:
        np.testing.assert_array_equal(sample, result.complete.means[0, 0])
    assert (result.trained.n_lost[-1] == 0).all()
    assert result.trained.n_judged[-1].tolist() == [result.n_judged.sum()] * 5
    for point in curves(result):
        if point["level"] == 100 and point["task"]:
            (cell,) = [
                one
                for one in complete_comparisons(result)
                if (one["task"], one["evaluated_by"], one["trained_by"])
                == (point["task"], point["evaluated_by"], point["trained_by"])
            ]
            assert point["mean"] == pytest.approx(cell["score"], abs=1e-15)


def test_a_known_optimum_is_found() -> None:
    # 400 topics, so that the best of 0, 0.05, ..., 1 is within a step of the optimum: two steps away AP falls
    # by .02, and the difference of two settings has a standard error of .005 over 400 topics.
    sweep = sweep_of(*simulated_sweep(1, n_topics=400))
    result = training_sensitivity(
        sweep, split(usable_topics(sweep.runs), 0), Request(levels=(50.0,), n_samples=2)
    )
    chosen = result.settings.values[result.complete.chosen, 0]
    assert np.abs(chosen - OPTIMUM).max() <= 0.05 + 1e-9
    assert np.abs(result.settings.values[result.trained.chosen, 0] - OPTIMUM).max() <= 0.1 + 1e-9


def _small(executor: Executor | None) -> TrainingSensitivity:
    sweep = tiny_sweep()
    request = Request(levels=(5.0, 50.0), n_samples=7, seed=2, measures=("bpref", "P@5"))
    return training_sensitivity(sweep, split(usable_topics(sweep.runs), 4), request, executor=executor)


def test_threads_give_the_same_result() -> None:
    with ThreadPoolExecutor(3) as threads:
        _same(_small(None), _small(threads))


@pytest.mark.cluster
def test_another_process_gives_the_same_result() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        _same(_small(None), _small(process))


def test_a_sample_depends_only_on_its_level_and_number() -> None:
    sweep = tiny_sweep()
    tasks = split(usable_topics(sweep.runs), 4)
    more = training_sensitivity(sweep, tasks, Request(levels=(5.0, 20.0, 50.0), n_samples=6, seed=2))
    fewer = training_sensitivity(sweep, tasks, Request(levels=(20.0,), n_samples=3, seed=2))
    np.testing.assert_array_equal(fewer.trained.means[0], more.trained.means[1, :3])
    np.testing.assert_array_equal(fewer.trained.chosen[0], more.trained.chosen[1, :3])
    other = training_sensitivity(sweep, tasks, Request(levels=(20.0,), n_samples=3, seed=3))
    assert (other.trained.means != fewer.trained.means).any()


def test_levels_are_reported_in_turn_and_work_can_be_cancelled() -> None:
    sweep = tiny_sweep()
    tasks = split(usable_topics(sweep.runs), 4)
    request = Request(levels=(5.0, 20.0, 50.0), n_samples=3)
    seen: list[TrainingSensitivity] = []
    fractions: list[float] = []
    whole = training_sensitivity(
        sweep, tasks, request, report_progress=fractions.append, show_partial=seen.append
    )
    assert [one.levels for one in seen] == [(5.0,), (5.0, 20.0)]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    for one in seen:
        _same(one, up_to(whole, one.levels[-1]))
        assert set(recommendation(one).measures) <= set(whole.measures)

    def stop(fraction: float) -> None:
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        training_sensitivity(sweep, tasks, request, report_progress=stop)


def test_ties_are_broken_equally_for_all_measures_and_counted() -> None:
    means = np.array([[[0.0, 0.0, 0.0, 0.0], [0.1, 0.3, 0.3 * (1 - 1e-15), 0.2], [0.0, 0.0, 0.0, 0.0]]])
    chosen, n_tied = best_settings(means, np.array([0.6]))
    assert n_tied.tolist() == [[4, 2, 4]]
    assert chosen.tolist() == [[2, 2, 2]]  # 0.6 x 4 is 2, the third; 0.6 x 2 is 1, the second of 1 and 2
    many, _ = best_settings(np.zeros((4000, 1, 4)), np.random.default_rng(1).random(4000))
    shares = np.bincount(many[:, 0], minlength=4) / 4000
    assert np.abs(shares - 0.25).max() < 0.03  # over four standard errors of .0068


def test_facts_of_levels() -> None:
    result = trained()
    facts = level_facts(result)
    assert [one["level"] for one in facts] == [*LEVELS]
    assert (
        facts[0]["lost_topics"]
        > facts[1]["lost_topics"]
        > facts[2]["lost_topics"]
        >= facts[3]["lost_topics"]
        == 0
    )
    # Lost topics score 0 by every measure.
    scores = result.trained.mean_scores
    share_kept = 1 - result.trained.n_lost[:, :, None] / len(result.topics)
    np.testing.assert_allclose(scores[..., 0], scores[..., 1] * share_kept, rtol=1e-12)
    assert facts[-1]["scores"] == pytest.approx(result.scores.mean(axis=(1, 2)).tolist(), rel=1e-12)


def test_shallow_pools_down_to_all_judgments() -> None:
    result = trained()
    trainings = shallow_trainings(simulated(), result, (1, 50))
    assert len(trainings) == 2 * 2 * 4
    deep = [one for one in trainings if one["pool_depth"] == 50]
    assert {one["level"] for one in deep} == {100.0}  # the sample is judged to depth 50
    chosen = [result.settings.text(setting) for setting in result.complete.chosen[0, 0].ravel().tolist()]
    assert [one["setting"] for one in deep] == chosen
    assert {one["n_lost"] for one in deep} == {0}
    assert all(one["level"] < 10 for one in trainings if one["pool_depth"] == 1)


def test_splits_are_halves_and_differ() -> None:
    topics = tuple(f"t{number}" for number in range(9))
    tasks = split(topics, 0, n_splits=3)
    assert len(tasks) == 6
    for one, other in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.training, one.test) == (other.test, other.training)
        assert sorted(one.training + one.test) == list(topics)
        assert {len(one.training), len(one.test)} == {4, 5}
    assert len({task.test for task in tasks}) == 6
    assert split(topics, 0, n_splits=2) != split(topics, 1, n_splits=2)


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: Request(levels=(0.0, 5.0)), "levels"),
        (lambda: Request(levels=(5.0, 5.0)), "levels"),
        (lambda: Request(levels=()), "levels"),
        (lambda: Request(n_samples=1), "n_samples"),
        (lambda: Request(measures=()), "trained_by"),
        (lambda: Request(measures=("AP",)), "trained_by"),
        (lambda: Request(measures=("banana",)), "measure"),
        (lambda: Task(name="t", training=("a",), test=("a", "b")), "test_topics"),
        (lambda: Task(name="t", training=(), test=("a", "b")), "training_topics"),
        (lambda: split(("a",), 0), "topics"),
        (lambda: training_sensitivity(tiny_sweep(), ()), "tasks"),
        (lambda: training_sensitivity(tiny_sweep(), exchanged(["t0"], ["t9"], ("a", "b"))), "topics"),
        (
            lambda: sweep_of(
                [run_of({"t": ["a"]}, "r")], qrels_of({"t": {"a": 1}}), without_parameters(["r"])
            ),
            "runs",
        ),
        (lambda: sweep_of(*simulated_sweep(8), assumed_pool="maybe"), "assumed_pool"),  # type: ignore[arg-type]
        (lambda: usable_topics(tiny_sweep().runs, 3), "relevance_level"),
        (lambda: collection_facts(trained(), 10), "n_documents"),
        (lambda: recommendation(trained(), 0.0), "worthwhile"),
        (lambda: recommendation(trained(), 1.5), "worthwhile"),
        (lambda: Request(optimiser="luck"), "optimiser"),  # type: ignore[arg-type]
        (lambda: sweep_collection(_collection(), "tfidf"), "model"),
    ],
)
def test_refusals(make: Callable[[], object], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.parameter == parameter


WORDS = (
    "river bank water",
    "money bank bank",
    "water bird river river",
    "bird song",
    "money song bank water",
)


def _collection() -> TextCollection:
    """Titles alone and whole topics have other words; half of the documents are relevant to each."""
    topics = (("river water", "money", "song"), ("bank money", "bird", "river"))
    return TextCollection(
        name="small",
        documents=tuple(Document(id=f"d{n}", title="", text=text) for n, text in enumerate(WORDS)),
        topics=tuple(
            Topic(id=str(n), title=title, description=description, narrative=narrative)
            for n, (title, description, narrative) in enumerate(topics, start=1)
        ),
        qrels=qrels_of(
            {"1": {"d0": 1, "d1": 0, "d2": 1, "d3": 0}, "2": {"d1": 1, "d3": 0, "d4": 1, "d0": 0}}
        ),
    )


def test_each_setting_is_a_run_of_the_search() -> None:
    collection = _collection()
    new = sweep_collection(collection, "bm25")
    index = build_index(collection.documents)
    search = Search(index, build_queries(collection.topics, index))
    assert new.settings.parameters == ("b",)
    assert new.settings.systems[4:6] == ("bm25_b0.2", "bm25_b0.25")
    assert new.n_documents == 5
    for run, b in zip(new.runs, BM25.swept, strict=True):
        np.testing.assert_array_equal(run.documents, search.run(BM25(b=b)).documents)


def test_expansions_are_swept_as_a_grid() -> None:
    assert len(EXPANSIONS) == 8 * 19
    pair = (Expansion(documents=2, terms=1), Expansion(documents=3, terms=1))
    new = sweep_collection(_collection(), "pl2", expansions=pair)
    assert new.settings.parameters == ("exp_doc",)
    assert new.settings.values.tolist() == [[2.0], [3.0]]
    index = build_index(_collection().documents)
    search = Search(index, build_queries(_collection().topics, index))
    np.testing.assert_array_equal(new.runs[1].documents, search.run(PL2(), pair[1]).documents)


NAMES = ("AP", "bpref", "infAP", "nDCG")
ROUNDING = 1e-14  # sums of at most a hundred terms below 1


def _scorer(sweep: Sweep, conventions: Conventions, names: tuple[str, ...] = NAMES) -> Scorer:
    topics = np.arange(sweep.runs.n_topics)
    measures = tuple(measure_named(name, conventions) for name in names)
    return Scorer(sweep.runs, topics, measures, conventions.relevance_level, conventions.gains)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("gains", ["linear", "exponential"])
@pytest.mark.parametrize("percent", [2.0, 30.0, 100.0])
def test_kernel_against_the_engine(level: int, gains: str, percent: float) -> None:
    for sweep in (tiny_sweep(), simulated()):
        conventions = Conventions(relevance_level=level, gains=gains)  # type: ignore[arg-type]
        names = ("P@10", *NAMES, "nDCG@10", "Q", "AP@3")
        scorer = _scorer(sweep, conventions, names)
        grades = Sampler(sweep.runs.qrels, scorer.topics, level, 5, False).sample(percent, 0)
        not_pooled = grades.copy()
        not_pooled[::3] = REMOVED
        for each in (grades, not_pooled):
            for name, scores in zip(names, scorer.scores(each), strict=True):
                expected = measure_named(name, conventions).scores(sweep.runs, each)
                np.testing.assert_allclose(scores, expected, rtol=0, atol=ROUNDING, err_msg=name)


def test_removed_judgments_stay_in_the_pool_for_inferred_ap() -> None:
    # Ranks: relevant, removed, relevant. AP passes over the removed one and has (1 + 2/3) / 2. infAP knows
    # that rank 2 was pooled: 1/3 + 2/3 * 2/2 * (1 + e) / (1 + 2e), so above rank 3 all judged are relevant.
    sweep = sweep_of(
        [run_of({"t": ["a", "b", "c"]}, "r1"), run_of({"t": ["c", "b", "a"]}, "r2")],
        qrels_of({"t": {"a": 1, "b": -1, "c": 1}}),
        without_parameters(["r1", "r2"]),
        assumed_pool="never",
    )
    ap, _, inferred, _ = _scorer(sweep, Conventions()).scores(sweep.runs.qrels.grades)[:, 0, 0]
    assert ap == pytest.approx((1 + 2 / 3) / 2, abs=1e-15)
    e = 0.00001
    assert inferred == pytest.approx((1 + 1 / 3 + 2 / 3 * (1 + e) / (1 + 2 * e)) / 2, abs=1e-15)


@pytest.mark.slow
def test_tables_2_and_3_have_the_blocks_of_the_paper_and_the_numbers_of_their_sweeps() -> None:
    collection, request = _collection(), Request(seed=3)
    blocks = paper_tables(collection, lambda topics: split(topics, 0), request)
    # Tables 2 and 3: two kinds of queries, each without and with expansion, of either model.
    kinds = [
        (model, fields, expansion)
        for model in ("bm25", "pl2")
        for fields in ("title", "full")
        for expansion in (False, True)
    ]
    assert [(one["model"], one["fields"], one["expansion"]) for one in blocks] == kinds
    n_swept = {model.name: len(model.swept) for model in MODELS}
    # 8 x 19 settings of Bo1: exp_doc from 3 to 10, exp_term from 10 to 100 in steps of 5 (section 4.2).
    assert [one["n_settings"] for one in blocks] == [
        8 * 19 if expansion else n_swept[model] for model, _, expansion in kinds
    ]
    assert collection.qrels is not None
    for block in (blocks[0], blocks[3], blocks[6]):
        new = sweep_collection(
            collection,
            block["model"],
            expansions=EXPANSIONS if block["expansion"] else (),
            fields=block["fields"],
        )
        sweep = sweep_of(new.runs, collection.qrels, new.settings)
        result = training_sensitivity(
            sweep, split(usable_topics(sweep.runs), 0), replace(request, levels=(50.0,), n_samples=2)
        )
        assert block["cells"] == complete_comparisons(result)
        by_reference = [one["trained_by"] for one in block["cells"] if one["evaluated_by"] == "AP"]
        assert by_reference == ["AP", "bpref", "infAP", "nDCG"] * 2


@pytest.mark.slow
def test_tables_2_and_3_of_titles_only() -> None:
    topics = tuple(replace(topic, description="", narrative="") for topic in _collection().topics)
    bare = replace(_collection(), topics=topics)
    blocks = paper_tables(bare, lambda topics: split(topics, 0), Request(measures=("nDCG",)))
    assert [one["fields"] for one in blocks] == ["title"] * 4
    with pytest.raises(InputError, match="qrels"):
        paper_tables(replace(bare, qrels=None), lambda topics: split(topics, 0), Request())
