"""The paragraph about subsets of topics: every number of it, how it was found, what to cite."""

from dataclasses import replace

from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.exports.paragraphs import in_a_row
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.curve import Status, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.report import findings, works_of
from topicset_core.analyses.topic_subsets.request import Method, Request
from topicset_core.exports.findings import cited, texts


def curve(goodness: Goodness, method: Method, n_topics: int) -> SubsetCurve:
    sizes = (1, 2, n_topics // 2, n_topics - 1, n_topics)
    request = Request(goodness=goodness, cardinalities=sizes, method=method, n_trials=50, seed=7)
    return subset_curve(random_matrix(n_topics, 6, seed=61), request)


def paragraph(result: SubsetCurve, target: float) -> tuple[str, str]:
    """Return the text for a paper, plain and LaTeX."""
    matrix = replace(random_matrix(result.n_topics, 6, seed=61), name="my task", measure="AP")
    return cited(findings(matrix, result, target), works_of(result))


def test_all_subsets_enumerated_by_the_error_rate(golden: SnapshotAssertion) -> None:
    result = curve("error-rate", "exhaustive", 9)
    plain, latex = paragraph(result, 0.1)
    in_files = texts(findings(random_matrix(9, 6, seed=61), result, 0.1), "export")
    assert [text for text in in_files if text not in plain] == [in_files[1]]  # how certain the best subset is
    assert 0.1 in numbers_in(plain)
    assert "Biometrika" not in plain
    assert "(my task)" in plain
    assert "10.1145/1629096.1629099" in plain
    assert "guiver2009few" in latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


def test_some_sizes_by_search_and_sampling() -> None:
    plain, _ = paragraph(curve("kendall", "local", 40), 0.9)
    assert in_a_row([1, 2, 39, 40], plain)  # sizes evaluated
    assert in_a_row([50, 7], plain)  # random subsets and seed


def test_proved_and_open_sizes_are_listed_with_citations(golden: SnapshotAssertion) -> None:
    result = curve("pearson", "exhaustive", 9)  # of 1, 2, 4, 8 and 9 topics
    statuses: tuple[Status, ...] = ("exhaustive", "proved", "gap", "heuristic", "exhaustive")
    points = []
    for point, status in zip(result.points, statuses, strict=True):
        assert point.best is not None
        points.append(replace(point, ten_best=(replace(point.best, status=status),)))
    plain, latex = paragraph(replace(result, points=tuple(points)), 0.9)
    assert in_a_row([1, 9, 2, 4], plain)  # sizes that are evaluated, proved and open
    assert without_versions(plain) == golden
    assert "10.1016/j.dam.2007.12.007" in plain
    assert "billionnet2009improving" in latex
    assert "Billionnet" not in paragraph(result, 0.9)[0]
