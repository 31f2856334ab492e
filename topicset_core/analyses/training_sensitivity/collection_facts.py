"""Table 1 of the paper for this collection, and what is left of it at each level."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import Trained, TrainingSensitivity
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True)
class CollectionFacts:
    """How complete the judgments are to begin with.

    Parameters
    ----------
    collection : str
        Name of the judgments.
    n_topics : int
        Topics that are trained or tested on.
    n_documents : int or None
        Documents of the collection, where known.
    relevant_per_topic, judged_per_topic : float
        Mean numbers.
    relevant_share : float or None
        Relevant documents a topic over documents of the collection: the last column of table 1.
    """

    collection: str
    n_topics: int
    n_documents: int | None
    relevant_per_topic: float
    judged_per_topic: float
    relevant_share: float | None


@dataclass(frozen=True, kw_only=True)
class LevelFacts:
    """What a level leaves, as means over samples.

    Parameters
    ----------
    level : float
        Percent of the judgments; 100 for all.
    judged_per_topic, relevant_per_topic : float
        Documents that stay judged, and relevant ones among them.
    lost_topics : float
        Topics left without a relevant document.
    lost_share : float
        The same over all topics.
    scores, scores_kept, scores_complete : tuple of float
        Mean over all runs by each measure: over all topics; over those with a relevant document left; and
        over these by all judgments, the last two of samples that leave such topics, and 0 where none does.
        The bias of infAP is its second less AP's third.
    n_tied : tuple of int
        Trainings, over samples and tasks, in which several settings shared the best score, by measure.
    """

    level: float
    judged_per_topic: float
    relevant_per_topic: float
    lost_topics: float
    lost_share: float
    scores: tuple[float, ...]
    scores_kept: tuple[float, ...]
    scores_complete: tuple[float, ...]
    n_tied: tuple[int, ...]

    def bias_of(self, measure: str, truth: str, measures: tuple[str, ...]) -> float:
        """Return how far a measure is from another by all judgments, on topics with a relevant document left."""
        return self.scores_kept[measures.index(measure)] - self.scores_complete[measures.index(truth)]


def collection_facts(found: TrainingSensitivity, n_documents: int | None = None) -> CollectionFacts:
    """Return the row of table 1.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    n_documents : int, optional
        Documents in the collection, where that is known.

    Raises
    ------
    InputError
        If the collection is said to have fewer documents than are judged for a topic.
    """
    most = int(found.n_judged.max())
    if n_documents is not None and n_documents < most:
        rule = f"must be at least {most:,}, the documents judged for one topic"
        raise InputError("n_documents", n_documents, rule)
    relevant = float(found.n_relevant.mean())
    return CollectionFacts(
        collection=found.collection,
        n_topics=len(found.topics),
        n_documents=n_documents,
        relevant_per_topic=relevant,
        judged_per_topic=float(found.n_judged.mean()),
        relevant_share=None if n_documents is None else relevant / n_documents,
    )


def level_facts(found: TrainingSensitivity) -> tuple[LevelFacts, ...]:
    """Return what each level leaves, and all judgments last.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    """
    facts = {level: _facts(found, level, found.trained, place) for place, level in enumerate(found.levels)}
    facts.setdefault(COMPLETE, _facts(found, COMPLETE, found.complete, 0))
    return tuple(facts.values())


def _facts(found: TrainingSensitivity, level: float, trained: Trained, place: int) -> LevelFacts:
    n_topics = len(found.topics)
    lost = float(trained.n_lost[place].mean())
    scores = trained.mean_scores[place]
    some_left = scores[trained.n_lost[place] < n_topics, :, 1:]
    kept = some_left.mean(axis=0) if some_left.size else np.zeros(some_left.shape[1:])
    tied = (trained.n_tied[place] > 1).sum(axis=(0, 1))
    return LevelFacts(
        level=level,
        judged_per_topic=float(trained.n_judged[place].mean()) / n_topics,
        relevant_per_topic=float(trained.n_relevant[place].mean()) / n_topics,
        lost_topics=lost,
        lost_share=lost / n_topics,
        scores=tuple(scores[..., 0].mean(axis=0).tolist()),
        scores_kept=tuple(kept[:, 0].tolist()),
        scores_complete=tuple(kept[:, 1].tolist()),
        n_tied=tuple(tied.tolist()),
    )
