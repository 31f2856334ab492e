"""From scores by a judge and by people to agreement, differences of pairs, and the labels that are needed next."""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from topicset_core.analyses.judge_study.rankings import (
    FEWEST_SYSTEMS,
    Agreement,
    Conclusions,
    LabelsForTop,
    Preference,
    agreement,
    agreement_of,
    conclusions,
    labels_for_top,
    preference,
)
from topicset_core.analyses.judge_study.study import Study, adjusted, study
from topicset_core.analyses.judge_study.two_sets import TwoSets
from topicset_core.collection.replicated_scores import PairedLabels
from topicset_core.designs.judge_budget import (
    BUDGET,
    COST_CALL,
    COST_LABEL,
    FEWEST_LABELS,
    Requirements,
    Split,
    split,
)
from topicset_core.designs.replicated import COST_TOPIC
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.records import attributes
from topicset_core.inputs import Inputs, given
from topicset_core.parameters import ALPHA, BETA, MIN_D, ChoiceParameter, ListParameter, Parameter

MOST_STUDIED = 1000
"""Pairs that are studied; beyond, the first in the order of systems."""

PAIR = ListParameter(
    name="pair", label="Two systems", help="Two systems by name.", placeholder="SYSTEM", size=2
)

MARKED = ListParameter(
    name="marked",
    label="Systems of the model's family",
    help="Systems that share the judge's model: its bias for them is estimated apart.",
    placeholder="SYSTEM",
)

LABELS_ARE = ChoiceParameter(
    name="labels_are",
    label="Labelled topics are",
    help="How the topics that people labelled were taken from the judged ones.",
    options={"random": "a random sample of the judged topics", "chosen": "chosen in another way"},
    default="random",
)

TOP_K = Parameter(
    name="top_k",
    symbol="k",
    label="k, best systems to tell from the others",
    help="How many labels compare each of the k best systems with each of the others.",
    lower=1,
    upper=1000,
    default=1,
    integer=True,
)


@dataclass(frozen=True, kw_only=True)
class Request(Inputs):
    """Which difference, what the next labels must detect, and a budget to split."""

    pair: tuple[str, str] | None = given(PAIR, unless="all pairs")
    alpha: float = given(ALPHA)
    beta: float = given(BETA)
    min_d: float = given(MIN_D)
    budget: float = given(BUDGET)
    cost_label: float = given(COST_LABEL)
    cost_topic: float = given(COST_TOPIC)
    cost_call: float = given(COST_CALL)
    labels_are: str = given(LABELS_ARE)
    marked: tuple[str, ...] | None = given(MARKED, unless="none")
    top_k: int = given(TOP_K)


@dataclass(frozen=True, kw_only=True)
class Rankings:
    """All systems together."""

    agreement: Agreement  # of the judge with people
    ceiling: Agreement | None  # of other people with people
    conclusions: Conclusions
    preference: Preference | None  # of the judge for marked systems
    top: LabelsForTop | None  # None where labels of all judged topics are too few


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Rankings, studies of pairs, and the best use of a budget for the first pair."""

    request: Request
    studies: tuple[Study, ...]
    judge_equals_people: bool  # whether all labelled scores are equal: they may be of one file
    without_study: tuple[tuple[str, str], ...]  # pairs with a difference that is the same on every topic
    n_pairs: int
    best: Split | None  # None where the budget is too small
    why: str  # why it is None
    rankings: Rankings | None  # None with two systems
    sets: TwoSets | None = field(default=None, repr=False)  # where judgments are known

    @property
    def first(self) -> Study:
        """The study of the headline."""
        return self.studies[0]

    @property
    def is_of_runs(self) -> bool:
        """Whether rankings lead: judgments are known, and rankings can be compared."""
        return self.sets is not None and self.rankings is not None


def judge(data: PairedLabels | TwoSets, request: Request, *, others_too: bool = False) -> Answer:
    """Compare rankings, study pairs (all, one, or one and then the others), and split a budget by the first."""
    sets = data if isinstance(data, TwoSets) else None
    labels = data.labels if isinstance(data, TwoSets) else data
    pairs = list(combinations(labels.systems, 2)) if request.pair is None or others_too else []
    if request.pair is not None:
        pairs = [request.pair, *(pair for pair in pairs if set(pair) != set(request.pair))]
    were_chosen = request.labels_are == "chosen"
    studies, without_study = [], []
    for first, second in pairs[:MOST_STUDIED]:
        if (first, second) != request.pair and not _vary(labels, first, second):
            without_study.append((first, second))
        else:
            studies.append(study(labels, first, second, alpha=request.alpha, were_chosen=were_chosen))
    if not studies:
        raise InputError("judge", 0.0, "must differ between two systems, and people's scores, too")
    first_judge = studies[0].judge
    requirements = Requirements(
        **attributes(request, "budget cost_label cost_topic cost_call"),
        rho=adjusted(first_judge.rho_stable, first_judge.n_labels),
        human_variance=first_judge.human_variance,
        call_ratio=first_judge.call_ratio,
    )
    try:
        best, why = split(requirements), ""
    except NoSolution as error:
        best, why = None, f"{str(error)[0].upper()}{str(error)[1:]}."
    return Answer(
        request=request,
        studies=tuple(studies),
        judge_equals_people=labels.judge_equals_people,
        without_study=tuple(without_study),
        n_pairs=len(pairs),
        best=best,
        why=why,
        rankings=_rankings(labels, sets, request),
        sets=sets,
    )


def _vary(labels: PairedLabels, first: str, second: str) -> bool:
    """Return whether differences vary over labelled topics; too few labels are refused by the study."""
    calls, human = labels.differences(first, second)
    is_labelled = ~np.isnan(human)
    if is_labelled.sum() < FEWEST_LABELS:
        return True
    return bool(np.ptp(human[is_labelled]) > 0 and np.ptp(calls.mean(axis=1)[is_labelled]) > 0)


def _rankings(labels: PairedLabels, sets: TwoSets | None, request: Request) -> Rankings | None:
    """Return what there is of all systems; None with two, or with fewer than 4 topics that people scored whole."""
    alpha = request.alpha
    if request.marked is not None and len(labels.systems) < FEWEST_SYSTEMS:
        raise InputError("marked", ", ".join(request.marked), f"needs at least {FEWEST_SYSTEMS} systems")
    if len(labels.systems) < FEWEST_SYSTEMS or labels.is_labelled.sum() < FEWEST_LABELS:
        return None
    resolved = conclusions(labels, alpha=alpha)
    try:
        top = labels_for_top(
            labels, resolved.both, request.top_k, alpha=alpha, beta=request.beta, min_d=request.min_d
        )
    except NoSolution:
        top = None
    other = sets.other if sets is not None else None
    return Rankings(
        agreement=agreement_of(labels, alpha=alpha),
        ceiling=None if sets is None or other is None else agreement(sets.human, other, alpha=alpha),
        conclusions=resolved,
        preference=None if request.marked is None else preference(labels, request.marked, alpha=alpha),
        top=top,
    )
