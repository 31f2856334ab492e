"""Uploading files to their pages, and the contents of the page of score matrices."""

import csv
from collections.abc import Mapping

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, finished, go, healthy, open_app, press, unfolded, uploaders
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import one_way_anova
from topicset_core.variance import pooled

PAGE, RUNS, ANOVA = "pages/score_matrices.py", "pages/runs_and_qrels.py", "pages/one_way_anova.py"


def _scores(name: str, n_topics: int, n_runs: int, seed: int) -> str:
    """Scores with topics that are easy or hard, and runs that are good or poor; some are 0."""
    generator = np.random.default_rng(seed)
    easy, good = generator.uniform(-0.2, 0.3, (n_topics, 1)), generator.uniform(-0.1, 0.2, n_runs)
    scores = np.clip(0.2 + easy + good + generator.normal(0, 0.15, (n_topics, n_runs)), 0, 1)
    rows = [["topic", *(f"{name}{run}" for run in range(1, n_runs + 1))]]
    rows += [[f"q{topic}", *(f"{score:.4f}" for score in scores[topic])] for topic in range(n_topics)]
    return "".join(",".join(row) + "\n" for row in rows)


SMALL = {
    "first_ap": _scores("a", 12, 9, seed=1),
    "second_ap": _scores("b", 10, 6, seed=2),
    "second_err20": _scores("b", 10, 6, seed=3),
}
"""Tables as text by the names of their files, which name their measures."""


def small_matrix(name: str) -> ScoreMatrix:
    """One of these tables, read by the csv module alone: tests do not depend on the project's own parsing."""
    header, *rows = csv.reader(SMALL[name].splitlines())
    return ScoreMatrix(
        scores=np.array([[float(cell) for cell in row[1:]] for row in rows]),
        topics=tuple(row[0] for row in rows),
        systems=tuple(header[1:]),
        measure={"ap": "AP", "err20": "ERR@20"}[name.partition("_")[2]],
        name=name,
    )


def shows_variance(app: AppTest, *matrices: ScoreMatrix) -> bool:
    """Return whether the headline is the variance of these scores, to four digits."""
    return big_number(app) == pytest.approx(pooled(list(matrices)), rel=1e-3)


def anova_topics(variance: float, n_systems: int = 10) -> int:
    """Return the topics of the one-way ANOVA at the values that its page starts with.

    Of scores with fewer than 10 systems it starts with as many systems as these have.
    """
    plan = one_way_anova.DESIGN.plan(
        alpha=0.05, beta=0.20, min_d=0.10, n_systems=n_systems, within_system_variance=variance
    )
    return plan.required_topics().required_topics


def upload(app: AppTest, **files: str) -> AppTest:
    """Upload texts as CSV files, one after the other."""
    for name, text in files.items():
        uploaders(app)[0].upload(f"{name}.csv", text.encode(), "text/csv")
        healthy(app.run())
    return app


def with_scores(page: str, text: str) -> AppTest:
    """Upload scores of AP, and go to a page."""
    return go(upload(open_app(PAGE), mine_ap=text), page)


def with_small(*names: str) -> AppTest:
    """Open the page of score matrices and upload small tables by their names."""
    app = open_app(PAGE)
    for name in names:
        uploaders(app)[0].upload(f"{name}.csv", SMALL[name].encode(), "text/csv")
    return healthy(app.run())


def bring(app: AppTest, runs: Mapping[str, bytes], qrels: Mapping[str, bytes]) -> AppTest:
    """Upload runs and judgments on their page, and have them read and scored."""
    for uploader, files in zip(uploaders(app), (runs, qrels), strict=True):
        for name, content in files.items():
            uploader.upload(name, content, "text/plain")
    return finished(press(app, "runs/read"))


def opened(app: AppTest, key: str) -> AppTest:
    """Open an expander of the page of score matrices."""
    return unfolded(app, f"score_matrices/{key}")


def choose(app: AppTest, key: str, value: object) -> AppTest:
    """Choose in a select box of the page of score matrices."""
    return healthy(app.selectbox(key=f"score_matrices/{key}").set_value(value).run())
