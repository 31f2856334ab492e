"""How stable are trainings on few judgments? 1/sigma_opt and 1/sigma_diff, and their sign tests.

sigma_opt is the standard deviation, over the samples of a level, of the value that a measure chose for a
parameter (table 4 of the paper). sigma_diff(X) is that of |X(M) - X(reference)|, the difference in test
effectiveness between the settings that the two measures chose (table 5).

Both are compared as standard deviations: a smaller one is a larger inverse, and one of 0 is smaller than
any other, though its inverse is no number. Two that are equal, among them two of 0, tie. A deviation is
exactly 0 where all samples have one value; computed, it may be 1e-17, and its inverse absurd.

Table 5 compares sigma_diff(M), on the scale of M, with sigma_diff(MAP), on that of MAP; a measure whose
scores spread less wins for that alone. The scale-free version divides each by the standard deviation of X
over all settings of the sweep on the same test topics: by what there was to be won or lost.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import Floats, TrainingSensitivity
from topicset_core.analyses.training_sensitivity.request import LOW
from topicset_core.analyses.training_sensitivity.significance import SignTest

Block = Literal["all", "low", "high"]
"""All levels; up to `LOW` percent; above."""

BLOCKS: tuple[Block, ...] = ("all", "low", "high")
_EQUAL = 1e-9  # relative: standard deviations of the same values in another order
_ROUNDING = 1e-12  # of differences of means between 0 and 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Stability:
    """Standard deviations over the samples of each level.

    Parameters
    ----------
    of_parameters : ndarray of float64, shape (n_levels, n_tasks, n_measures, n_parameters)
        sigma_opt of each parameter.
    disagreement : ndarray of float64, shape (n_levels, n_tasks, n_measures)
        Probability that two samples choose different settings: stability of the choice itself, also
        where settings have no numbers.
    of_differences : ndarray of float64, shape (n_levels, n_tasks, n_alternatives, 2)
        sigma_diff of each alternative M: by M itself, and by the reference.
    scale_free : ndarray of float64, same shape
        The same over the spread of the settings.
    """

    of_parameters: Floats
    disagreement: Floats
    of_differences: Floats
    scale_free: Floats


@dataclass(frozen=True)
class Comparison:
    """One cell of table 4 or 5.

    Parameters
    ----------
    what : str
        "sigma_opt" with its parameter, "choice", "sigma_diff" or "sigma_diff, scale-free".
    block : {"all", "low", "high"}
        Levels counted.
    measure : str
        M.
    test : SignTest
        Pairs of level and task in which M is more, less, equally stable than the reference.
    n_zero : int
        Those of them in which at least one standard deviation is 0.
    """

    what: str
    block: Block
    measure: str
    test: SignTest
    n_zero: int


def stability(found: TrainingSensitivity) -> Stability:
    """Return the standard deviations over samples.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    """
    values = found.settings.values[found.trained.chosen]  # levels, samples, tasks, measures, parameters
    effectiveness = found.effectiveness
    n_alternatives = len(found.alternatives)
    raw = np.empty((len(found.levels), len(found.tasks), n_alternatives, 2))
    scale_free = np.empty_like(raw)
    spreads = found.test_means.std(axis=2, ddof=1)  # tasks, measures
    for place in range(n_alternatives):
        for side, by in enumerate((place + 1, 0)):
            differences = np.abs(effectiveness[..., by, place + 1] - effectiveness[..., by, 0])
            raw[..., place, side] = _deviations(differences, _ROUNDING)
            # Without spread no choice makes a difference, and the deviation is 0 too.
            scale_free[..., place, side] = raw[..., place, side] / np.where(
                spreads[:, by] > 0, spreads[:, by], 1.0
            )
    return Stability(
        of_parameters=_deviations(values, 0.0),
        disagreement=_disagreement(found),
        of_differences=raw,
        scale_free=scale_free,
    )


def comparisons(found: TrainingSensitivity, spreads: Stability | None = None) -> tuple[Comparison, ...]:
    """Return tables 4 and 5: each with all levels, the low and the high ones.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    spreads : Stability, optional
        What `stability` returned for it.
    """
    deviations = spreads or stability(found)
    cells: list[Comparison] = []
    for place, measure in enumerate(found.alternatives):
        pairs: list[tuple[str, Floats, Floats]] = [
            (f"sigma_opt of {name}", of_parameter[:, :, place + 1], of_parameter[:, :, 0])
            for name, of_parameter in zip(
                found.settings.parameters, np.moveaxis(deviations.of_parameters, -1, 0), strict=True
            )
        ]
        choice = deviations.disagreement
        pairs.append(("choice", choice[:, :, place + 1], choice[:, :, 0]))
        for what, both in (
            ("sigma_diff", deviations.of_differences),
            ("sigma_diff, scale-free", deviations.scale_free),
        ):
            pairs.append((what, both[:, :, place, 0], both[:, :, place, 1]))
        for what, own, reference in pairs:
            cells += [_compared(what, block, measure, own, reference, found) for block in BLOCKS]
    order = list(dict.fromkeys(cell.what for cell in cells))
    return tuple(sorted(cells, key=lambda cell: order.index(cell.what)))


def in_block(levels: tuple[float, ...], block: Block) -> list[bool]:
    """Say for each level whether it belongs to a block."""
    return [block == "all" or (level <= LOW) == (block == "low") for level in levels]


def _compared(
    what: str, block: Block, measure: str, own: Floats, reference: Floats, found: TrainingSensitivity
) -> Comparison:
    chosen = np.array(in_block(found.levels, block), dtype=np.bool_)
    mine, others = own[chosen], reference[chosen]
    equal = np.isclose(mine, others, rtol=_EQUAL, atol=0.0)
    return Comparison(
        what=what,
        block=block,
        measure=measure,
        test=SignTest(
            more=int(((mine < others) & ~equal).sum()),
            less=int(((mine > others) & ~equal).sum()),
            tied=int(equal.sum()),
        ),
        n_zero=int(((mine == 0) | (others == 0)).sum()),
    )


def _deviations(values: Floats, negligible: float) -> Floats:
    """Return standard deviations over samples, the second axis; 0 where values differ by rounding at most."""
    deviations: Floats = values.std(axis=1, ddof=1)
    deviations[np.ptp(values, axis=1) <= negligible] = 0.0
    return deviations


def _disagreement(found: TrainingSensitivity) -> Floats:
    """Return 1 - the share of pairs of samples that chose the same setting."""
    chosen = found.trained.chosen
    n_samples = chosen.shape[1]
    same = (chosen[:, :, None] == chosen[:, None]).sum(axis=(1, 2)) - n_samples
    shares: Floats = 1 - same / (n_samples * (n_samples - 1))
    return shares
