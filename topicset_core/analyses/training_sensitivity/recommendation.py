"""The answer in a sentence: which measure to train by when judgments are few, and on what evidence."""

from dataclasses import dataclass

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import TrainingSensitivity
from topicset_core.analyses.training_sensitivity.request import LOW
from topicset_core.analyses.training_sensitivity.significance import SIGNIFICANT, holm, signed_rank
from topicset_core.analyses.training_sensitivity.stability import in_block


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


def recommendation(found: TrainingSensitivity) -> Recommendation:
    """Recommend a measure to train by."""
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
