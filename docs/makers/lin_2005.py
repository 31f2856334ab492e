"""Table 1 of Lin and Hauptmann (2005), and their error rate beside the experiment, on TREC-3."""

import numpy as np

from tests.reference_data import reference_matrix
from topicset_core.analyses.error_rate import Request, error_rate
from topicset_core.analyses.error_rate.experiment import ErrorRates, bin_label
from topicset_core.analyses.error_rate.report import published_table
from topicset_core.wording import TIES

SIZES = (5, 10, 25)
BINS = (0, 4, 9)


def page() -> str:
    """The text of the page."""
    answer = error_rate(reference_matrix("trec3_adhoc_ap"), Request(seed=0))
    table = published_table(answer)
    levels = [
        [
            f"{low:.2f} to below {high:.2f}",
            *(f"{table[name][row]:.6f}" for name in ("variance, TREC-3", "variance, these scores")),
            str(table["pairs, these scores"][row]),
            f"{table['variance, TREC-6'][row]:.6f}",
            *(f"{table[name][row]:.5f}" for name in ("b2, TREC-3", "b2, Eq. 13, these scores", "b2, fitted")),
            f"{table['b1, fitted'][row]:.3f}",
        ]
        for row, (low, high) in enumerate(
            zip(table["difference from"], table["difference below"], strict=True)
        )
    ]
    counted, expected = answer.counted, answer.expected
    forms = [
        [
            str(size),
            bin_label(place),
            *(
                f"{100 * rates[counted.cardinalities.index(size), place]:.1f}"
                for rates in (
                    counted.error_rates,
                    expected.conditional,
                    expected.paired,
                    expected.independent,
                )
            ),
        ]
        for size in SIZES
        for place in BINS
    ]
    return f"""# Lin and Hauptmann (2005): the error rate of retrieval experiments

W.-H. Lin, A. Hauptmann. Revisiting the effect of topic set size on retrieval error. SIGIR 2005.

Computed with Topicset from the average precision of the 40 runs of the TREC-3 ad hoc track on 50 topics.

## Table 1: variance of the difference of two means, by the size of the difference

{
        _table(
            "difference",
            "TREC-3, paper",
            "TREC-3, here",
            "pairs",
            "TREC-6, paper",
            "b₂, Eq. 13, paper's variance",
            "b₂, Eq. 13, here",
            "b₂, fitted",
            "b₁, fitted",
            rows=levels,
        )
    }

The order of magnitude agrees, the digits do not. The paper does not name its runs, nor how it averaged. A mean over
all pairs hardly changes from level to level, so the paper's values come from fewer pairs or from something else
than a mean. They are variances of paired size, already divided by the 50 topics. The runs of TREC-6 are not among
the reference data.

The paper publishes no fitted coefficients. By its Eq. 13 the error rate is b₁ exp(−b₂ n) with b₁ = 1/2 and
b₂ = 2 d² / (π σ²), where σ² is the variance of a per-topic difference and d the middle of the level. The fits are
to the experiment, whose bins are of **observed** differences, so their b₁ can differ from 1/2.

## Eq. 8 beside the experiment: error rates in %

{
        _table(
            "topics",
            "observed difference",
            "experiment",
            "given the observed difference",
            "Eq. 8, paired variance",
            "Eq. 8 as printed, independent",
            rows=forms,
        )
    }

Eq. 8 takes the **true** difference. Of the pairs observed far apart many are closer in truth, so Eq. 8 with the
variance of paired differences is too low for large differences. With the sum of two independent variances, as the
paper prints it, it is far too high, as all runs share easy and hard topics. Averaged over pairs, given the observed
difference, theory agrees with the experiment; Topicset answers with this form. The other two are in its workbook
and in the output of the command `error-rate`.

{TIES} The paper's Eq. 4, Pr(D₁ D₂ < 0), counts none. On these scores that would
lower the rates of the experiment by up to {_most_by_ties(counted):.2f} points; theory has no ties.
"""


def _most_by_ties(counted: ErrorRates) -> float:
    """Return by how many points half an error for each tie changes the rates shown, at most."""
    rows = [counted.cardinalities.index(size) for size in SIZES]
    shown = np.ix_(rows, BINS)
    return float(100 * np.max((counted.error_rates - counted.reversals / counted.pairs)[shown]))


def _table(*head: str, rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (list(head), ["---:"] * len(head), *rows))
