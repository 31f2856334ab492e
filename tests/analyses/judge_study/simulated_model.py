"""A model that judges documents of DL 2019 with known faults; ours, so that its bias is known.

It gives a grade by chance from that of people (no grade: 0) with `GIVEN`: lenient, and with most relevant documents
at its ceiling, so that it is not linear. Its leniency varies over topics. Of documents among the first 10 of its
family's runs it lifts 40 % by one grade. It judges all documents among the first 10 of any run.
"""

from collections.abc import Sequence

import numpy as np

from topicset_core.collection import Qrels, Run

FAMILY = ("idst_bert_p1", "idst_bert_p2", "idst_bert_p3", "idst_bert_pr1", "idst_bert_pr2")
GIVEN = np.array(
    [[0.60, 0.22, 0.13, 0.05], [0.10, 0.30, 0.40, 0.20], [0.02, 0.13, 0.35, 0.5], [0.01, 0.04, 0.2, 0.75]]
)
"""Probability of the model's grades 0 to 3, one row per grade of people."""
LENIENCY, DEPTH = 0.15, 10


def judged_by_model(
    runs: Sequence[Run], people: Qrels, rng: np.random.Generator, lifted: float = 0.4
) -> Qrels:
    """Return the judgments of the model on the topics of people."""
    places = {topic: place for place, topic in enumerate(people.topics)}
    grades: list[dict[bytes, int]] = [{} for _ in people.topics]
    for place, document, grade in zip(people.topic_of, people.documents, people.grades, strict=True):
        grades[place][document] = max(int(grade), 0)
    of_family: list[set[bytes]] = [set() for _ in people.topics]
    for run in runs:
        for topic, start, end in zip(run.topics, run.starts, run.starts[1:], strict=False):
            if topic in places:
                first = run.documents[start : min(start + DEPTH, end)].tolist()
                grades[places[topic]] = dict.fromkeys(first, 0) | grades[places[topic]]
                of_family[places[topic]] |= set(first) if run.tag in FAMILY else set()
    given, below = [], GIVEN.cumsum(axis=1)
    for own, family in zip(grades, of_family, strict=True):
        true = np.array(list(own.values()))
        drawn = np.clip(rng.random(true.size) + rng.normal(0, LENIENCY), 0, 1 - 1e-9)
        is_lifted = np.isin(list(own), list(family)) & (rng.random(true.size) < lifted)
        given.append(np.minimum((drawn[:, None] > below[true]).sum(axis=1) + is_lifted, 3))
    return Qrels(
        name="model",
        topics=people.topics,
        starts=np.cumsum([0, *map(len, grades)]),
        documents=np.array([document for own in grades for document in own]),
        grades=np.concatenate(given).astype(np.int16),
    )
