"""The answer: which measure to train by when judgments are few, on what evidence, and all that follows.

A measure is recommended only if training by it gains at least the least worthwhile gain on the test topics, if the
confidence interval of that gain excludes 0, and if it gains in most trainings. The interval covers the drawing
of topics (Bayesian bootstrap of the whole experiment, see `significance`) and that of judgments: their squared
standard errors are added. It is that of Student's t with one degree of freedom less than there are test topics,
and holds for all alternatives together (Bonferroni). More samples shrink the second part alone.

The p value of the paper's kind, Wilcoxon over samples, is next to it under its own name. It is about the mean
over samples of judgments, for just these topics; with more samples it becomes as small as one likes.
"""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest_sentence,
    completeness_designs,
)
from topicset_core.analyses.training_sensitivity.experiment import (
    TrainingSensitivity,
    shallow_trainings,
    training_sensitivity,
)
from topicset_core.analyses.training_sensitivity.request import COMPLETE, LOW, WORTHWHILE, Request, Task
from topicset_core.analyses.training_sensitivity.significance import signed_rank, spread
from topicset_core.analyses.training_sensitivity.sweep import Sweep
from topicset_core.analyses.training_sensitivity.tables import agreements, curves
from topicset_core.designs import paired_t
from topicset_core.designs.holm import adjusted
from topicset_core.exports.records import fields_of
from topicset_core.exports.tables import Row
from topicset_core.parameters import ALPHA, BETA, MIN_D
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import joined

Verdict = Literal["better", "no difference", "undecided"]
"""Some measures are reliably better; all intervals are within the least worthwhile gain; neither."""

MOST_SHARE = 0.75
"""Share of the trainings in which a recommended measure must gain."""

SIGNIFICANCE = 0.05
"""Probability that some measure is falsely called better or worse, over all alternatives together."""


@dataclass(frozen=True, kw_only=True)
class Gain:
    """Training by one measure instead of another, evaluated on the test topics."""

    measure: str
    against: str
    # X(M) and X(against), over the levels, samples and tasks counted
    mean: float
    reference_mean: float
    # 95 % confidence interval of their difference, over topics and samples
    low: float
    high: float
    p_value: float  # two-sided, of the same t statistic and adjusted in the same way
    n_better: int
    n_tasks: int
    # As the paper tests: signed ranks over samples, each with its mean over levels and tasks
    samples_p_value: float

    @property
    def difference(self) -> float:
        """How much better M trains."""
        return self.mean - self.reference_mean

    @property
    def interval(self) -> str:
        """Its confidence interval, in words."""
        return f"{self.low:+z.4f} to {self.high:+z.4f}"

    @property
    def trainings(self) -> str:
        """In how many trainings M is better, in words."""
        return f"{self.n_better} of {self.n_tasks}"

    def is_better(self, worthwhile: float) -> bool:
        """Return whether M is reliably better: worthwhile, over topics, and in most trainings."""
        enough = self.n_better >= MOST_SHARE * self.n_tasks
        return self.difference >= worthwhile and self.low > 0 and enough

    def is_worse(self, worthwhile: float) -> bool:
        """Return whether M is reliably worse, by the same rule."""
        few = self.n_better <= (1 - MOST_SHARE) * self.n_tasks
        return self.difference <= -worthwhile and self.high < 0 and few


def gain(
    sensitivity: TrainingSensitivity,
    measure: str,
    against: str,
    *,
    evaluated_by: str,
    levels: Sequence[float],
    n_compared: int = 1,
) -> Gain:
    """Compare two training measures."""
    from scipy.special import stdtr, stdtrit

    x, y, other = (sensitivity.measures.index(name) for name in (evaluated_by, measure, against))
    trained, effectiveness = sensitivity.trained, sensitivity.effectiveness
    if tuple(levels) == (COMPLETE,) and COMPLETE not in sensitivity.levels:
        places = [0]
        trained, effectiveness = sensitivity.complete, sensitivity.complete_effectiveness[None, None]
    else:
        places = [sensitivity.levels.index(level) for level in levels]
    own, others = (effectiveness[places][..., x, place] for place in (y, other))  # levels, samples, tasks
    of_samples = (own - others).mean(axis=2)
    drawn = trained.resampled[places][..., x, :].mean(axis=(0, 1))
    fewest = min(rows.size for rows in sensitivity.test_rows)
    over_topics = float(spread(drawn[:, y] - drawn[:, other], fewest))
    n_samples = of_samples.shape[1]
    over_samples = of_samples.var(axis=1, ddof=1).sum() / n_samples if n_samples > 1 else 0.0
    error = float(np.hypot(over_topics, np.sqrt(over_samples) / len(places)))
    difference = float(of_samples.mean())
    df = max(np.unique(np.concatenate(sensitivity.test_rows)).size - 1, 1)
    half = -float(stdtrit(df, SIGNIFICANCE / 2 / n_compared)) * error
    tail = float(stdtr(df, -abs(difference) / error)) if error > 0 else 0.5 * (difference == 0)
    of_tasks = (own - others).mean(axis=(0, 1))
    return Gain(
        measure=measure,
        against=against,
        mean=float(own.mean()),
        reference_mean=float(others.mean()),
        low=max(difference - half, -1.0),
        high=min(difference + half, 1.0),
        p_value=min(2 * tail * n_compared, 1.0),
        n_better=int((of_tasks > 0).sum()),
        n_tasks=of_tasks.size,
        samples_p_value=signed_rank(of_samples.mean(axis=0))[1],
    )


def gains_by_level(
    sensitivity: TrainingSensitivity, evaluated_by: str
) -> dict[str, list[tuple[float, Gain]]]:
    """Return the gain of each alternative at each level and with all judgments, by measure."""
    levels = (*sensitivity.levels, *(() if COMPLETE in sensitivity.levels else (COMPLETE,)))
    compared = partial(gain, sensitivity, against=sensitivity.reference, evaluated_by=evaluated_by)
    return {
        name: [(level, compared(name, levels=(level,))) for level in levels]
        for name in sensitivity.alternatives
    }


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """What to train by."""

    verdict: Verdict
    # Those to train by, best first: reliably better than the reference, and not reliably worse than the best
    # of them
    measures: tuple[str, ...]
    worthwhile: float  # the least worthwhile gain
    # Of the alternatives at levels up to `LOW` percent and above
    low: tuple[Gain, ...]
    high: tuple[Gain, ...]
    # The finding, and all of it, in words
    headline: str
    sentence: str

    @property
    def evidence(self) -> tuple[Gain, ...]:
        """Its basis: low levels where there are any."""
        return self.low or self.high

    def record(self) -> dict[str, Any]:
        """Return the recommendation for a record."""
        blocks = {
            name: [fields_of(gain) | {"difference": gain.difference} for gain in gains]
            for name, gains in (("low", self.low), ("high", self.high))
        }
        return fields_of(self) | blocks


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """An experiment with its conclusions; each part is made when it is first asked for."""

    sensitivity: TrainingSensitivity  # the experiment, or its first levels
    min_d: float = MIN_D.default  # difference of two systems for which topics are counted, above 0
    worthwhile: float = WORTHWHILE.default  # least worthwhile gain on the test topics, above 0 up to 1
    shallow: tuple[Row, ...] = ()  # trainings on shallower pools
    n_documents: int | None = None  # documents of the collection, where known
    _others: dict[tuple[float, float], "Answer"] = field(default_factory=dict, repr=False)

    @cached_property
    def paper(self) -> TrainingSensitivity:
        """The experiment as in the paper, whose tables take tasks for independent: the first split."""
        return self.sensitivity.first_tasks(2)

    @cached_property
    def recommendation(self) -> Recommendation:
        """What to train by."""
        return recommendation(self.sensitivity, self.worthwhile)

    @property
    def yours(self) -> str:
        """The alternative that is evaluated: the recommended one, else that with the largest gain."""
        named = [measure for measure in self.recommendation.measures if measure != self.sensitivity.reference]
        return (
            named[0] if named else max(self.recommendation.evidence, key=lambda gain: gain.difference).measure
        )

    @cached_property
    def curves(self) -> tuple[Row, ...]:
        """Figure 2."""
        return curves(self.paper)

    @cached_property
    def agreements(self) -> tuple[Row, ...]:
        """Figure 3."""
        return agreements(self.paper)

    @cached_property
    def designs(self) -> tuple[CompletenessDesign, ...]:
        """Topics against judgments, by a paired t test."""
        plan = paired_t.DESIGN.plan(alpha=ALPHA.default, beta=BETA.default, min_d=self.min_d)
        return completeness_designs(self.sensitivity, plan)

    @property
    def cheapest(self) -> str:
        """The cost of the cheapest design, in words."""
        return cheapest_sentence(self.designs, self.sensitivity.reference, self.min_d)

    @property
    def has_designs(self) -> bool:
        """Whether any level has a number of topics."""
        return any(design.total_judgments for design in self.designs)

    def at(self, min_d: float, worthwhile: float) -> "Answer":
        """Return the answer for other differences; it is kept, and shares what does not depend on them."""
        if (min_d, worthwhile) == (self.min_d, self.worthwhile):
            return self
        if (min_d, worthwhile) not in self._others:
            new = replace(self, min_d=min_d, worthwhile=worthwhile)
            for part in ("paper", "curves", "agreements"):
                if part in vars(self):
                    vars(new)[part] = vars(self)[part]
            self._others[min_d, worthwhile] = new
        return self._others[min_d, worthwhile]


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingData:
    """A sweep with the tasks to train on."""

    sweep: Sweep
    tasks: tuple[Task, ...]
    n_documents: int | None = None  # of the collection, where known

    @property
    def name(self) -> str:
        """Name of the judgments."""
        return self.sweep.runs.qrels.name

    @cached_property
    def digest(self) -> str:
        """SHA-256 of runs, judgments, values of parameters and topics."""
        settings = self.sweep.settings
        values = settings.parameters, settings.values.tolist(), self.sweep.assumed_depth, self.tasks
        return hashlib.sha256(f"{self.sweep.runs.digest} {values}".encode()).hexdigest()


_EXPERIMENT_SHARE = 0.95  # of the time; the rest are trainings on shallower pools


def answered(
    data: TrainingData,
    request: Request,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
    show_partial: Callable[[Answer], None] = lambda _: None,
) -> Answer:
    """Run the experiment, and train on shallower pools when all levels are done."""
    to_answer = partial(Answer, n_documents=data.n_documents)
    done = training_sensitivity(
        data.sweep,
        data.tasks,
        request,
        report_progress=lambda share: report_progress(_EXPERIMENT_SHARE * share),
        show_partial=lambda levels: show_partial(to_answer(sensitivity=levels)),
        executor=executor,
    )
    shallow = shallow_trainings(
        data.sweep,
        done,
        report_progress=lambda share: report_progress(_EXPERIMENT_SHARE + (1 - _EXPERIMENT_SHARE) * share),
    )
    return to_answer(sensitivity=done, shallow=shallow)


_HEADLINES = {
    "no difference": "The training measure makes no difference here",
    "undecided": "No training measure is reliably better here",
}


def recommendation(
    sensitivity: TrainingSensitivity, worthwhile: float = WORTHWHILE.default
) -> Recommendation:
    """Recommend measures to train by."""
    WORTHWHILE.check(worthwhile)
    low, high = _evidence(sensitivity, low=True), _evidence(sensitivity, low=False)
    verdict, measures = _judged(sensitivity, low or high, worthwhile, low=bool(low))
    where = f"at most {LOW:g}" if low else f"more than {LOW:g}"
    sentence = f"With {where} % of the judgments, {_sentence(low or high, verdict, measures, worthwhile)}"
    if low and high:
        above = _judged(sensitivity, high, worthwhile, low=False)
        sentence += f" With more judgments, {_sentence(high, *above, worthwhile, names_best=False)}"
    return Recommendation(
        verdict=verdict,
        measures=measures,
        worthwhile=worthwhile,
        low=low,
        high=high,
        headline=f"Train by {joined(measures, 'or')}" if measures else _HEADLINES[verdict],
        sentence=sentence,
    )


def _levels(sensitivity: TrainingSensitivity, *, low: bool) -> list[float]:
    return [level for level in sensitivity.levels if (level <= LOW) == low]


def _evidence(sensitivity: TrainingSensitivity, *, low: bool) -> tuple[Gain, ...]:
    levels, reference = _levels(sensitivity, low=low), sensitivity.reference
    if not levels:
        return ()
    many = len(sensitivity.alternatives)
    gains = [
        gain(sensitivity, name, reference, evaluated_by=reference, levels=levels, n_compared=many)
        for name in sensitivity.alternatives
    ]
    p_values = adjusted([gain.samples_p_value for gain in gains])
    return tuple(replace(gain, samples_p_value=p) for gain, p in zip(gains, p_values, strict=True))


def _judged(
    sensitivity: TrainingSensitivity, gains: tuple[Gain, ...], worthwhile: float, *, low: bool
) -> tuple[Verdict, tuple[str, ...]]:
    """Return the verdict, and what to train by."""
    better = sorted((gain for gain in gains if gain.is_better(worthwhile)), key=lambda gain: -gain.difference)
    if better:
        best, *others = (gain.measure for gain in better)
        levels, reference, many = _levels(sensitivity, low=low), sensitivity.reference, max(len(others), 1)
        kept = [
            other
            for other in others
            if not gain(
                sensitivity, best, other, evaluated_by=reference, levels=levels, n_compared=many
            ).is_better(worthwhile)
        ]
        return "better", (best, *kept)
    if all(gain.is_worse(worthwhile) for gain in gains):
        return "better", (sensitivity.reference,)
    if all(-worthwhile < gain.low and gain.high < worthwhile for gain in gains):
        return "no difference", ()
    return "undecided", ()


def _sentence(
    gains: tuple[Gain, ...],
    verdict: Verdict,
    measures: tuple[str, ...],
    worthwhile: float,
    *,
    names_best: bool = True,
) -> str:
    """Return the finding, where undecided with the best measure if asked for; begins within a sentence."""
    reference = gains[0].against
    best = max(gains, key=lambda gain: gain.difference)
    over_topics = "95 % confidence interval over topics: "
    if verdict == "no difference":
        low, high = min(gain.low for gain in gains), max(gain.high for gain in gains)
        return (
            f"training by {joined([gain.measure for gain in gains], 'or')} instead of {reference} changes "
            f"{reference} on the test topics by less than {worthwhile:g} (95 % confidence intervals over topics, "
            f"all together: {low:+z.4f} to {high:+z.4f})."
        )
    if verdict == "undecided":
        does_best = (
            f": {best.measure} does best, with {best.difference:+z.4f} {reference} on the test topics "
            f"({over_topics}{best.interval}; better in {best.trainings} trainings)"
        )
        text = f"no measure is reliably better than {reference} by {worthwhile:g} or more"
        return f"{text}{does_best if names_best else ''}."
    if measures == (reference,):
        return (
            f"training by {reference} is reliably better than by any other: {best.measure} comes nearest, with "
            f"{best.difference:+z.4f} {reference} on the test topics ({over_topics}{best.interval})."
        )
    first, *others = (next(gain for gain in gains if gain.measure == measure) for measure in measures)
    rest = [
        f", {gain.measure} {gain.difference:+z.4f} ({gain.interval}; {gain.trainings})" for gain in others
    ]
    tied = " The first is not reliably better than the others." if others else ""
    return (
        f"training by {first.measure} instead of {reference} gains {first.difference:+z.4f} {reference} on the "
        f"test topics ({over_topics}{first.interval}; better in {first.trainings} trainings)"
        f"{''.join(rest)}. Training by {reference} gives {first.reference_mean:.4f}.{tied}"
    )
