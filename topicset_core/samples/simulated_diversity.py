"""A simulated diversity task: 20 runs of 8 teams, 50 topics of 3 to 6 intents, pooled to depth 50.

Model, for each topic: 3 to 6 intents, each equally often, how likely each is drawn from a Dirichlet
distribution with all parameters 3 and rounded to three decimals; and 400 documents that some run might
return. The number of documents relevant to intent i is Poisson with mean 50 P(i|q) h, at least 1, where
h, how much there is to find on the topic, is log-normal (median 1, standard deviation of the logarithm
0.5). They are drawn without regard to other intents, so that some documents serve several. Their grades
are 1, 2 and 3 with probabilities .8, .15 and .05; runs see whether a document is relevant and not how.

A run scores per document with ``s = m max_i(v_i r_i) + a + b + c``, where

- r_i is 1 if the document is relevant to intent i, otherwise 0;
- v_i, how visible an intent is, is log-normal (median 1, standard deviation of the logarithm 0.35),
  the same for all runs, times a second factor (0.25) of the run;
- m, how well the run separates relevant documents on this topic, is 0.9 plus normal effects with
  standard deviations 1.2 (topic), 0.2 (team), 0.25 (run) and 0.35 (topic and run together);
- a, b and c are normal errors with standard deviations 1.3, shared by all runs, 0.6, shared by the
  runs of a team, and 0.6, the run's own.

Each run returns its 100 best documents. Assessors see the union of the 50 best of every run and grade
each for every intent without error.

The numbers were chosen so that the measures of Sakai 2016 have the order of its tables of TREC's
diversity tasks: D-nDCG requires the fewest topics, alpha-nDCG and nERR-IA more than twice as many.
Their within-system variances, .024 to .062 at rank 10 over seeds, are somewhat below those of TREC's
task of 2012, of which section 6.1 states the range .0301 to .0798.

All of it is made up; no run of a real participant is in it.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Qrels, Run
from topicset_core.collection.qrels import Intents
from topicset_core.samples.simulated import generator
from topicset_core.samples.simulated_runs import (
    N_RUNS,
    Floats,
    Grades,
    Teams,
    pooled_judgments,
    ranked_runs,
    run_tags,
)

DEFAULT_SEED = 1
"""Seed of the sample that pages show, one whose variances are in the middle of what seeds give."""

NAME = "Simulated diversity"
N_TOPICS = 50
N_CANDIDATES = 400

FEWEST_INTENTS, MOST_INTENTS = 3, 6
CONCENTRATION = 3.0
MEAN_RELEVANT, LOG_SD_RELEVANT = 50.0, 0.5
GRADE_SHARES = (0.8, 0.15, 0.05)

VISIBLE_LOG_SD, RUN_VISIBLE_LOG_SD = 0.35, 0.25
TEAMS = Teams(mean_separation=0.9, topic_sd=1.2, shared_error_sd=1.3)


def simulated_diversity_track(seed: int = DEFAULT_SEED) -> tuple[list[Run], Qrels]:
    """Simulate runs and the judgments by intent of their pool.

    Parameters
    ----------
    seed : int
        The same seed gives the same runs.

    Returns
    -------
    list of Run
        Named simA-1 to simH-2: the letter is the team. With their scores.
    Qrels
        Judgments by intent of every document that one of the runs has among its 50 best, and how likely
        intents are.

    Raises
    ------
    InputError
        If `seed` is not a whole number of at least 0.
    """
    rng = generator(seed)
    effects = TEAMS.effects(rng)
    topics = tuple(f"{number:02d}" for number in range(1, N_TOPICS + 1))
    grades: list[Grades] = []
    scores: list[Floats] = []
    likely: list[Floats] = []
    for _ in topics:
        likely.append(_probabilities(rng))
        grades.append(_grades(rng, likely[-1]))
        scores.append(_scores(rng, grades[-1], effects))
    runs, pools = ranked_runs(topics, run_tags(), scores)
    pooled = [of_topic[:, pool] for of_topic, pool in zip(grades, pools, strict=True)]
    highest = [of_topic.max(axis=0) for of_topic in grades]
    return runs, pooled_judgments(NAME, topics, pools, highest, _intents(pooled, likely))


def _probabilities(rng: np.random.Generator) -> Floats:
    """Draw how many intents a topic has and how likely each is, in thousandths."""
    n_intents = int(rng.integers(FEWEST_INTENTS, MOST_INTENTS + 1))
    drawn = rng.dirichlet(np.full(n_intents, CONCENTRATION))
    thousandths = np.maximum(np.round(1000 * drawn), 1)
    thousandths[np.argmax(thousandths)] += 1000 - thousandths.sum()
    likely: Floats = thousandths / 1000
    return likely


def _grades(rng: np.random.Generator, likely: Floats) -> Grades:
    """Draw which documents are relevant to each intent, shape (n_intents, n_candidates)."""
    to_find = MEAN_RELEVANT * float(np.exp(rng.normal(0.0, LOG_SD_RELEVANT)))
    n_relevant = np.clip(rng.poisson(to_find * likely), 1, N_CANDIDATES // 2)
    grades = np.zeros((likely.size, N_CANDIDATES), dtype=np.int16)
    for of_intent, count in zip(grades, n_relevant.tolist(), strict=True):
        relevant = rng.choice(N_CANDIDATES, count, replace=False)
        of_intent[relevant] = rng.choice([1, 2, 3], count, p=GRADE_SHARES)
    return grades


def _scores(
    rng: np.random.Generator,
    grades: Grades,
    effects: Floats,
) -> Floats:
    """Draw the score of each document in each run, shape (n_runs, n_candidates)."""
    n_intents = grades.shape[0]
    separation = TEAMS.separation(rng, effects)
    visible = np.exp(
        rng.normal(0.0, VISIBLE_LOG_SD, n_intents) + rng.normal(0.0, RUN_VISIBLE_LOG_SD, (N_RUNS, n_intents))
    )
    seen = (visible[:, :, None] * (grades > 0)).max(axis=1)
    scores: Floats = separation[:, None] * seen + TEAMS.errors(rng, N_CANDIDATES)
    return scores


def _intents(grades: list[Grades], likely: list[Floats]) -> Intents:
    """Return the intents to which a judged document is relevant, with all pairs."""
    names: list[str] = []
    starts, probabilities = [0], []
    pairs: list[NDArray[np.int64]] = []
    n_judged = 0
    for of_topic, of_intents in zip(grades, likely, strict=True):
        known = np.flatnonzero(of_topic.any(axis=1))
        document, intent = np.nonzero(of_topic[known].T)
        pairs.append(np.stack([document + n_judged, intent + len(names), of_topic[known][intent, document]]))
        names += [str(number + 1) for number in known.tolist()]
        probabilities.append(of_intents[known])
        starts.append(len(names))
        n_judged += of_topic.shape[1]
    judgments, intents, given = np.concatenate(pairs, axis=1)
    return Intents(
        names=tuple(names),
        starts=np.array(starts, dtype=np.int64),
        judgments=judgments.astype(np.int32),
        intents=intents.astype(np.int32),
        grades=given.astype(np.int16),
        probabilities=np.concatenate(probabilities),
        source="the simulation",
    )
