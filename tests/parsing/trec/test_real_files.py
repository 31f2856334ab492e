"""Real runs and judgments against their published descriptions and against trec_eval's measures of them."""

from collections import Counter

import numpy as np
import pytest

from tests.measures.plain_reader import collection
from tests.reference_data import reference_data, reference_file
from tests.words import numbers_in
from topicset_core.collection.judged_runs import join
from topicset_core.measures import measure_named
from topicset_core.measures.binary import AP
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import Precision, read_run, read_runs

# Topics, judgments and how often each grade is given: from docs/reference_data.md.
QRELS = [
    (("trec", "robust2003", "qrels.txt.gz"), 100, {0: 122_722, 1: 5_667, 2: 407}),
    (("trec", "dl2019-passage", "qrels.txt"), 43, {0: 5_158, 1: 1_601, 2: 1_804, 3: 697}),
    (("trec", "trec_eval_test", "qrels.txt"), 3, {0: 3_120, 1: 561}),
    (
        ("trec", "trec_eval_test", "qrels_graded_incomplete.txt"),
        3,
        {-1: 304, 0: 2_818, 1: 462, 2: 14, 3: 77, 4: 6},
    ),
    (("collections", "npl", "qrels.txt"), 93, {1: 2_083}),
]
TRACKS = [("robust2003", "qrels.txt.gz", 17, 100), ("dl2019-passage", "qrels.txt", 37, 43)]

pytestmark = pytest.mark.reference_data


@pytest.mark.parametrize(
    ("path", "n_topics", "grades"), QRELS, ids=[row[0][-2] + row[0][-1] for row in QRELS]
)
def test_judgments_against_their_description(
    path: tuple[str, ...], n_topics: int, grades: dict[int, int]
) -> None:
    qrels = read_qrels(path[-1], reference_file(*path).read_bytes()).qrels
    assert qrels.n_topics == n_topics
    assert Counter(qrels.grades.tolist()) == grades


def n_tied(scores: dict[str, float]) -> int:
    """Documents that share their score, in single precision, with another one."""
    _, counts = np.unique(np.array(list(scores.values())).astype(np.float32), return_counts=True)
    return int(counts[counts > 1].sum())


@pytest.mark.slow
@pytest.mark.parametrize(("track", "judgments", "n_runs", "n_topics"), TRACKS, ids=[row[0] for row in TRACKS])
def test_runs_against_pytrec_eval(track: str, judgments: str, n_runs: int, n_topics: int) -> None:
    """AP and P@10 depend on the order; sums in another order differ by less than 1e-12."""
    import pytrec_eval

    folder = reference_file("trec", track, judgments).parent
    level = 2 if track.startswith("dl") else 1
    plain_runs, plain_judgments = collection(track)
    evaluator = pytrec_eval.RelevanceEvaluator(plain_judgments, {"map", "num_ret"}, relevance_level=level)
    qrels = read_qrels(judgments, (folder / judgments).read_bytes()).qrels
    files = sorted((folder / "runs").iterdir())
    read = read_runs([(path.name, path) for path in files], precision="single")  # as trec_eval 9
    assert (read.errors, len(read.runs)) == ((), n_runs)
    for path, run in zip(files, read.runs, strict=True):
        assert run.tag == path.name.removesuffix(".gz")
        theirs = plain_runs[run.tag]
        assert set(run.topics) == set(theirs)
        assert run.n_topics == n_topics
        assert dict(zip(run.topics, run.depths.tolist(), strict=True)) == {
            topic: len(scores) for topic, scores in theirs.items()
        }
        assert run.n_tied == sum(map(n_tied, theirs.values()))
        if path.name in FEW:
            expected = {topic: scores["map"] for topic, scores in evaluator.evaluate(theirs).items()}
            judged = join([run], qrels)
            ours = AP(relevance_level=level).scores(judged)[:, 0].tolist()
            assert dict(zip(judged.topics, ours, strict=True)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["ndcg", "ndcg_cut_30", "map"])
def test_both_precisions_against_trec_eval(name: str) -> None:
    """Run TUA1-1: one topic has scores that differ beyond single precision only.

    pytrec-eval-terrier 0.5 is trec_eval 9, which compares single precision; given ranks in place of scores, in
    Python's order of these, it computes what trec_eval 10 does.
    """
    import pytrec_eval

    folder = reference_file("trec", "dl2019-passage", "qrels.txt").parent
    plain_runs, plain_judgments = collection("dl2019-passage")
    scores = plain_runs["TUA1-1"]
    ranks = {}
    for topic, documents in scores.items():
        in_order = sorted(documents, key=lambda one: (documents[one], one), reverse=True)
        ranks[topic] = {one: -float(rank) for rank, one in enumerate(in_order)}
    qrels = read_qrels("qrels.txt", (folder / "qrels.txt").read_bytes()).qrels
    evaluator = pytrec_eval.RelevanceEvaluator(plain_judgments, {name})
    content = (folder / "runs" / "TUA1-1.gz").read_bytes()
    results = {}
    choices: dict[Precision, dict[str, dict[str, float]]] = {"single": scores, "double": ranks}
    for precision, given in choices.items():
        expected = {topic: values[name] for topic, values in evaluator.evaluate(given).items()}
        judged = join([read_run("TUA1-1.gz", content, precision=precision).run], qrels)
        values = measure_named(name).scores(judged)[:, 0]
        results[precision] = dict(zip(judged.topics, values.tolist(), strict=True))
        assert results[precision] == pytest.approx(expected, abs=1e-12)  # sums in another order
    single, double = results["single"], results["double"]
    assert [topic for topic in single if abs(single[topic] - double[topic]) > 1e-9] == ["148538"]


# With many ties by rounding, with nothing but ties, and one with ranks that start at 0.
FEW = {"oce03noXbmD.gz", "rutcor03100.gz", "MU03rob01.gz", "runid2.gz", "runid5.gz", "test1.gz"}


def test_regression_files_of_trec_eval() -> None:
    """Tabs, spaces before scores, ranks that run backwards, and text after the tag."""
    folder = reference_data() / "trec" / "trec_eval_test" / "runs"
    whole = read_run("STANDARD.gz", reference_file(*folder.parts, "STANDARD.gz").read_bytes())
    assert (whole.run.tag, whole.run.topics, whole.run.depths.tolist()) == (
        "STANDARD",
        ("301", "302", "303"),
        [500, 500, 500],
    )
    cut = read_run("cut.gz", reference_file(*folder.parts, "STANDARD_truncated.gz").read_bytes())
    # num_ret of expected_all_trec_per_topic_truncated_c.txt; topic 302 is missing.
    assert dict(zip(cut.run.topics, cut.run.depths.tolist(), strict=True)) == {"301": 500, "303": 84}
    assert 5 in [
        number for note in cut.notes for number in numbers_in(note)
    ]  # lines that go on after the tag
