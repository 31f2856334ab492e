"""The answer: which measure to train by when judgments are few, on what evidence, and all that follows."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from topicset_core.analyses.sizing import topics_rule
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest_sentence,
    completeness_designs,
)
from topicset_core.analyses.training_sensitivity.effectiveness import CurvePoint, curves
from topicset_core.analyses.training_sensitivity.experiment import TrainingSensitivity
from topicset_core.analyses.training_sensitivity.request import LOW
from topicset_core.analyses.training_sensitivity.shallow_pools import ShallowTraining
from topicset_core.analyses.training_sensitivity.significance import SIGNIFICANT, holm, signed_rank
from topicset_core.analyses.training_sensitivity.stability import in_block
from topicset_core.analyses.training_sensitivity.surfaces import Agreement, agreements
from topicset_core.parameters import ALPHA, BETA, MIN_D


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Training by one measure against training by the reference, by the reference on test topics.

    Parameters
    ----------
    measure : str
        M.
    mean, reference_mean : float
        reference(M) and reference(reference), over the levels, samples and tasks counted.
    p_value : float
        Of the signed-ranks test over samples, each with its mean over levels and tasks; adjusted for
        the number of measures by Holm's method.
    """

    measure: str
    mean: float
    reference_mean: float
    p_value: float

    @property
    def difference(self) -> float:
        """How much better M trains."""
        return self.mean - self.reference_mean


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """What to train by.

    Parameters
    ----------
    measure : str
        The reference, unless another trains significantly better.
    low, high : tuple of Evidence
        Of the alternatives at levels up to `LOW` percent and above; empty where no level is there.
    sentence : str
        All of it in words.
    """

    measure: str
    low: tuple[Evidence, ...]
    high: tuple[Evidence, ...]
    sentence: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """An experiment with what follows from it; each part is made when it is first asked for.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment, or its first levels.
    min_d : float
        Difference of two systems for which topics are counted, above 0.
    shallow : tuple of ShallowTraining
        Trainings on shallower pools; empty where there are none yet.
    n_documents : int or None
        Documents of the collection, where known.
    """

    found: TrainingSensitivity
    min_d: float = MIN_D.default
    shallow: tuple[ShallowTraining, ...] = ()
    n_documents: int | None = None

    @cached_property
    def recommendation(self) -> Recommendation:
        """What to train by."""
        return recommendation(self.found)

    @property
    def yours(self) -> str:
        """The alternative that is looked at: the recommended one, else the first."""
        measure = self.recommendation.measure
        return measure if measure != self.found.reference else self.found.alternatives[0]

    @cached_property
    def curves(self) -> tuple[CurvePoint, ...]:
        """Figure 2."""
        return curves(self.found)

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """Figure 3."""
        return agreements(self.found)

    @cached_property
    def designs(self) -> tuple[CompletenessDesign, ...]:
        """Topics against judgments, by a paired t test."""
        return completeness_designs(
            self.found,
            lambda d: topics_rule("paired-t", alpha=ALPHA.default, beta=BETA.default, min_d=d),
            self.min_d,
        )

    @property
    def cheapest(self) -> str:
        """What the cheapest design takes, in words."""
        return cheapest_sentence(self.designs, self.found.reference, self.min_d)

    @property
    def has_designs(self) -> bool:
        """Whether any level has a number of topics."""
        return any(one.total_judgments for one in self.designs)

    @property
    def sentence(self) -> str:
        """The answer in words."""
        return f"{self.recommendation.sentence} {self.cheapest}"

    def at(self, min_d: float) -> "Answer":
        """Return the answer for another difference; all that does not hang on it is kept."""
        new = replace(self, min_d=min_d)
        for part in ("recommendation", "curves", "agreements"):
            if part in vars(self):
                vars(new)[part] = vars(self)[part]
        return new


def recommendation(found: TrainingSensitivity) -> Recommendation:
    """Recommend a measure to train by.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    """
    low, high = _evidence(found, low=True), _evidence(found, low=False)
    evidence = low or high
    where = f"at most {LOW:g} %" if low else f"more than {LOW:g} %"
    best = max(evidence, key=lambda one: one.difference)
    better = [one for one in evidence if one.difference > 0 and one.p_value <= SIGNIFICANT]
    reference = found.reference
    tested = f"{reference} on the test topics"
    if better:
        best = max(better, key=lambda one: one.difference)
        measure = best.measure
        first = (
            f"With {where} of the judgments, train by {measure}: {tested} is {best.mean:.4f}, against "
            f"{best.reference_mean:.4f} when trained by {reference} (p = {best.p_value:.2g} over "
            f"{found.request.n_samples} samples)."
        )
    else:
        measure = reference
        p = f"p = {best.p_value:.2g}"
        worse = "comes nearest" if best.difference <= 0 else "does best"
        first = (
            f"With {where} of the judgments no measure trains significantly better than {reference}: {tested} is "
            f"{best.reference_mean:.4f}; {best.measure} {worse} with {best.mean:.4f} ({p})."
        )
    return Recommendation(measure=measure, low=low, high=high, sentence=first + _above(low, high, reference))


def _above(low: tuple[Evidence, ...], high: tuple[Evidence, ...], reference: str) -> str:
    if not low or not high:
        return ""
    largest = max(high, key=lambda one: abs(one.difference))
    if all(one.p_value > SIGNIFICANT for one in high):
        return (
            f" With more judgments it makes no significant difference: {abs(largest.difference):.4f} at most, "
            f"by {largest.measure} (p = {largest.p_value:.2g})."
        )
    way = "more" if largest.difference >= 0 else "less"
    return (
        f" With more judgments the choice matters most for {largest.measure}, which gives "
        f"{abs(largest.difference):.4f} {reference} {way} (p = {largest.p_value:.2g})."
    )


def _evidence(found: TrainingSensitivity, *, low: bool) -> tuple[Evidence, ...]:
    counted = np.array(in_block(found.levels, "low" if low else "high"), dtype=np.bool_)
    if not counted.any():
        return ()
    by_reference = found.effectiveness[counted][..., 0, :].mean(axis=(0, 2))  # samples, trained by
    tests = [
        (measure, by_reference[:, place], signed_rank(by_reference[:, place] - by_reference[:, 0]).p_value)
        for place, measure in enumerate(found.alternatives, start=1)
    ]
    adjusted = holm([p_value for _, _, p_value in tests])
    return tuple(
        Evidence(
            measure=measure,
            mean=float(values.mean()),
            reference_mean=float(by_reference[:, 0].mean()),
            p_value=p_value,
        )
        for (measure, values, _), p_value in zip(tests, adjusted, strict=True)
    )
