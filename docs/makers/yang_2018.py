"""docs/reproductions/yang_2018.md: table 1 of Yang, Zhang and Song, on two tracks whose runs are public."""

from collections.abc import Callable, Iterator, Sequence

from tests.analyses.topic_variance.test_real_runs import TRACKS, judged, runs_of
from topicset_core.analyses.topic_variance import Findings, Request, topic_variance
from topicset_core.analyses.topic_variance.conclusions import Estimate, raw
from topicset_core.analyses.topic_variance.report import READINGS, comparisons
from topicset_core.analyses.topic_variance.request import Model

N_TRIALS = 250
MODELS: tuple[Model, ...] = ("bst", "kde")

PRINTED = {
    "KRCC": ".9176 / .8088 | .8509 / .8121",
    "PCT(ASL < .05)": ".1041 / .0896 | .1783 / .1756",
    "ED": ".3955 / .3273 | .4135 / .4111",
}
"""Table 1: Robust 2004 by BST and KDE, then TREC-8 ad hoc."""

ABOUT = f"""\
# Yang, Zhang and Song (2018): table 1

M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018, 1181-1184,
https://doi.org/10.1145/3209978.3210122. They resample the scores of each run for Robust 2004 and TREC-8 ad
hoc, by BST and KDE. The runs of these tracks are not public. Topicset does the same for TREC 2003 Robust
(17 runs, 100 topics) and TREC 2019 Deep Learning passages (37 runs, 43 topics, relevant from grade 2), so
that findings can be compared, and not figures: {N_TRIALS} simulated collections, seed 0, AP. `topic-variance
--model bst` (or `kde`) prints these rows for any runs, and the workbook of the page has them.

Each cell has the value by BST, then by KDE, with the standard error over simulated collections in
parentheses.
"""

DIFFERENCES = """
## Why the published forms and the corrected ones differ

- **PCT(ASL < .05).** Algorithm 3 counts in how many simulated collections a pair is significant, which is
  often for runs that differ. The paper reads this share as a p-value, so its 10 % of significant pairs are
  the pairs that are hardly ever significant. An achieved significance level is the share of samples in
  which differences shifted to mean 0 reach the observed t, as in Sakai (2006), the source of the algorithm.
- **ED.** Algorithm 4 looks for the difference at which a pair becomes significant. That needs differences
  shifted to mean 0, as in Sakai (2006). Without the shift it gives about the largest difference between two
  runs, for any collection.

## What is confirmed

The first finding is: rankings change little, less by BST than by KDE. The second, that significance is
susceptible, is not: on average a simulated collection has almost as many significant pairs as the original
one. The paper's raw share of significant pairs, .8148 for Robust 2004, is exactly 4,885 of 5,995 pairs, and
Topicset's tests compute it from the published matrix of scores.

BST and KDE draw documents for each run apart, so their reversals are upper bounds;
`docs/evidence/topic-variance.md` says how far they are from what two real collections
show. By KDE some runs move as a whole, as their scores are far from normal.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([ABOUT, *_table(), DIFFERENCES])


def _table() -> Iterator[str]:
    answers = {name: [_answer(name, model) for model in MODELS] for name in TRACKS}
    yield "| | form | Robust 2003 | Deep Learning 2019 | paper: Robust 2004 | paper: TREC-8 |"
    yield "| --- | --- | --- | --- | --- | --- |"
    rows = {name: [comparisons(one) for one in of_track] for name, of_track in answers.items()}
    for place, row in enumerate(rows["robust2003"][0]):
        ours = [_cell([one[place]["value"] for one in rows[name]]) for name in TRACKS]
        printed = next((text for name, text in PRINTED.items() if row["what"].startswith(name)), "- | -")
        yield f"| {row['what']} | {READINGS[row['reading']]} | {' | '.join(ours)} | {printed} |"
    more: tuple[tuple[str, Callable[[Findings], Estimate]], ...] = (
        ("significant pairs on the original scores", lambda one: one.raw_significant_share),
        ("largest difference between two runs", lambda one: raw(one.largest_difference)),
        ("error rate of the first bin, differences below .01", lambda one: one.error_rates[0]),
    )
    for what, of in more:
        ours = [_cell([of(one) for one in answers[name]]) for name in TRACKS]
        yield f"| {what} | | {' | '.join(ours)} | {'.8148' if 'original' in what else '-'} | - |"


def _answer(name: str, model: Model) -> Findings:
    request = Request(model=model, relevance_level=TRACKS[name], n_trials=N_TRIALS)
    return topic_variance(judged(name), request, runs_of(name))


def _cell(values: Sequence[Estimate]) -> str:
    """The values of both models, or the one that they have in common."""
    texts = [_number(one) for one in values]
    return " / ".join(dict.fromkeys(texts))


def _number(one: Estimate) -> str:
    error = f" ({one.standard_error:.4f})" if one.standard_error else ""
    return f"{one.value:.4f}{error}".replace("0.", ".")
