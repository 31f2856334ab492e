"""Trainings without samples: tables 2 and 3 with all their settings in one go, and shallower pools.

Table 2 is BM25, table 3 is PL2. Each has a block per kind of query (titles; all three fields, where topics have
them) without and with query expansion. Without expansion b or c is trained; with it, the numbers of documents and
terms of Bo1, at the default b or c. The paper tested TREC 6, 7, 9 and 10; here two halves of the topics are tested.

Shallower pools are another way to reduce judgments. He, Macdonald and Ounis mention it (section 5.1) and
sample instead, as shallow pools are biased "towards likely retrieved documents". Nothing is drawn, so there
is one training for each depth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from topicset_core.analyses.pool_depth import grades_at
from topicset_core.analyses.training_sensitivity.experiment import (
    TrainingSensitivity,
    rows_of,
    trained_on_all,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.optimisers import chooser_of
from topicset_core.analyses.training_sensitivity.request import COMPLETE, Request, Task
from topicset_core.analyses.training_sensitivity.sampling import Scorer
from topicset_core.analyses.training_sensitivity.sweep import (
    EXPANSIONS,
    Sweep,
    sweep_collection,
    sweep_of,
)
from topicset_core.analyses.training_sensitivity.tables import CompleteComparison, complete_comparisons
from topicset_core.collection.text_collection import TextCollection, TopicFields
from topicset_core.errors import InputError
from topicset_core.progress import ReportProgress, silently
from topicset_core.retrieval import MODELS


@dataclass(frozen=True, kw_only=True)
class PaperBlock:
    """One block of table 2 or 3."""

    model: str  # "bm25" (table 2) or "pl2" (table 3)
    fields: TopicFields
    expansion: bool  # whether query expansion is trained, instead of b or c
    n_settings: int
    measures: tuple[str, ...]  # the reference first
    cells: tuple[CompleteComparison, ...]  # every X(Y) of each task

    @property
    def title(self) -> str:
        """As the paper heads it."""
        queries = "title-only queries" if self.fields == "title" else "full queries"
        return f"{self.model.upper()}, {queries}, {'' if self.expansion else 'no '}query expansion"

    @property
    def rows(self) -> dict[str, dict[str, CompleteComparison]]:
        """X(Y) with X the reference: by task, then by Y."""
        rows: dict[str, dict[str, CompleteComparison]] = {}
        for cell in self.cells:
            if cell.evaluated_by == self.measures[0]:
                rows.setdefault(cell.task, {})[cell.trained_by] = cell
        return rows


def paper_tables(
    collection: TextCollection,
    tasks_of: Callable[[Sequence[str]], Sequence[Task]],  # from the topics that can be used
    request: Request | None = None,
) -> tuple[PaperBlock, ...]:
    """Search a collection with every setting of tables 2 and 3, and train on all judgments."""
    requested = request or Request()
    if collection.qrels is None:
        raise InputError("qrels", None, "must be there: tables 2 and 3 are trained on judgments")
    has_fields = any(topic.has_fields for topic in collection.topics)
    kinds: list[TopicFields] = ["title", "full"] if has_fields else ["title"]
    blocks: list[PaperBlock] = []
    level = requested.relevance_level
    for model, fields, expansion in product([model.name for model in MODELS], kinds, [False, True]):
        new = sweep_collection(collection, model, expansions=EXPANSIONS if expansion else (), fields=fields)
        sweep = sweep_of(
            new.runs,
            collection.qrels,
            new.settings,
            relevance_level=level,
            assumed_pool=requested.assumed_pool,
        )
        result = trained_on_all(sweep, tasks_of(usable_topics(sweep.runs, level)), requested)
        blocks.append(
            PaperBlock(
                model=model,
                fields=fields,
                expansion=expansion,
                n_settings=len(new.settings.systems),
                measures=result.measures,
                cells=complete_comparisons(result),
            )
        )
    return tuple(blocks)


DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100)


@dataclass(frozen=True, kw_only=True)
class ShallowTraining:
    """One measure, one task, trained on the judgments of one pool."""

    pool_depth: int  # first documents of every run that are judged
    level: float  # percent of the judgments that this is
    n_lost: int  # training topics left without a relevant document
    task: str  # the test topics
    trained_by: str
    chosen: int  # index of the setting
    setting: str
    n_tied: int  # settings that shared the best score
    # reference(Y) and Y(Y): test effectiveness by all judgments
    reference_score: float
    own_score: float


def shallow_trainings(
    sweep: Sweep,
    sensitivity: TrainingSensitivity,
    depths: Sequence[int] = DEPTHS,
    report_progress: ReportProgress = silently,
) -> tuple[ShallowTraining, ...]:
    """Train on pools of the runs of the sweep, and test as the experiment did."""
    request, runs, level = sensitivity.request, sweep.runs, sensitivity.request.relevance_level
    rows = rows_of(sensitivity.topics, runs.topics)
    scorer = Scorer(runs, rows, request.chosen, level, request.gains)
    own = np.isin(runs.qrels.topic_of, rows)
    n_judged = int((runs.qrels.grades[own] >= 0).sum())
    chooser = chooser_of(request, sensitivity.settings)
    training_rows = [rows_of(task.training, sensitivity.topics) for task in sensitivity.tasks]
    trainings = []
    for step, depth in enumerate(depths):
        grades = grades_at(runs, depth)
        scores = scorer.scores(grades)
        relevant = np.bincount(runs.qrels.topic_of[grades >= level], minlength=runs.n_topics)[rows]
        means = np.stack([scores[:, training].mean(axis=1) for training in training_rows])
        # Ties are determined as by all judgments, at any depth.
        chosen, n_tied = chooser.choose(means, COMPLETE, 0)
        for number, (task, training) in enumerate(zip(sensitivity.tasks, training_rows, strict=True)):
            for by, measure in enumerate(sensitivity.measures):
                setting = int(chosen[number, by])
                trainings.append(
                    ShallowTraining(
                        pool_depth=depth,
                        level=100 * int((grades[own] >= 0).sum()) / n_judged,
                        n_lost=int((relevant[training] == 0).sum()),
                        task=task.name,
                        trained_by=measure,
                        chosen=setting,
                        setting=sensitivity.settings.text(setting),
                        n_tied=int(n_tied[number, by]),
                        reference_score=float(sensitivity.test_means[number, 0, setting]),
                        own_score=float(sensitivity.test_means[number, by, setting]),
                    )
                )
        report_progress((step + 1) / len(depths))
    return tuple(trainings)
