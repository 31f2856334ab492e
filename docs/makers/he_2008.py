"""docs/reproductions/he_2008.md: tables 2 to 5 and figure 2 of He, Macdonald and Ounis, on public collections."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from tests.analyses.training_sensitivity.test_on_real_collections import searched, trained_on_robust
from topicset_core.analyses.training_sensitivity import TrainingSensitivity
from topicset_core.analyses.training_sensitivity.report import sign_test_text
from topicset_core.analyses.training_sensitivity.tables import (
    Block,
    comparisons,
    complete_comparisons,
    curves,
)

MEASURES = ("bpref", "infAP", "nDCG")
BLOCKS: dict[Block, str] = {"all": "all levels", "low": "up to 10 %", "high": "above 10 %"}

ABOUT = """\
# He, Macdonald and Ounis (2008): tables 2 to 5 and figure 2

B. He, C. Macdonald, I. Ounis. Retrieval sensitivity under training using different measures. SIGIR 2008,
67-74, https://doi.org/10.1145/1390334.1390348. They trained b of BM25 and c of PL2 on TREC 6, 7, 9 and 10,
with 10 samples of the judgments at each of 16 levels. The documents of these tracks are not public.
Topicset runs the same levels and samples, seed 0, on other collections, so that findings can be compared,
and not figures:

- **Cranfield** (225 topics) and **NPL** (93 topics): training chooses one of 21 values of b of BM25, on
  random halves of the topics, with an assumed pool of depth 100.
- **Robust 2003**: training chooses one of the 17 runs of TREC's Robust track, on its 50 old topics; the
  test topics are its 50 new ones. Training and test topics are then exchanged. The runs have no parameter
  values.

`training-sensitivity` prints tables 4 and 5 for any sweep, with `--paper-tables` tables 2 and 3 for a
collection, and the workbook of the page has all of them.
"""


def page() -> str:
    """The text of the page."""
    results = {
        "Cranfield": searched("cranfield")[1],
        "NPL": searched("npl")[1],
        "Robust 2003": trained_on_robust(),
    }
    return "\n".join([ABOUT, *_complete(results), *_stable(results), *_effective(results)]) + "\n"


def _complete(results: dict[str, TrainingSensitivity]) -> Iterator[str]:
    """Table 2: the settings chosen with all judgments."""
    yield "## Tables 2 and 3: trained with all judgments"
    yield ""
    yield (
        "MAP on the test topics by training measure; > marks a difference from training by MAP\n"
        "(Wilcoxon's test, 5 %). With whole pools the measure hardly matters, here and in the paper: it marks 3\n"
        "of 96 such differences, one of them in the row below (full queries, no expansion)."
    )
    yield from ("", "| tested on | MAP | bpref | infAP | nDCG |", "| --- | --- | --- | --- | --- |")
    yield "| paper: TREC 7, BM25 | .2440 | .2370 | .2390 > | .2462 |"
    for name, result in results.items():
        cells = {
            (one["task"], one["trained_by"]): one
            for one in complete_comparisons(result)
            if one["evaluated_by"] == "AP"
        }
        for task in result.tasks:
            row = [cells[task.name, measure] for measure in ("AP", *MEASURES)]
            texts = [f"{one['score']:.4f} {one['mark']}".lstrip("0").rstrip() for one in row]
            yield f"| {name}, {task.name} | {' | '.join(texts)} |"
    yield ""


PRINTED_4 = {
    "all": ("34/30 and 36/28", "49/15 ≫ and 52/12 ≫", "45/19 ≫ and 52/12 ≫"),
    "low": ("18/6 > and 13/11", "22/2 ≫ and 21/3 ≫", "21/3 ≫ and 19/5 ≫"),
    "high": ("16/24 and 23/17", "27/13 > and 31/9 ≫", "24/16 and 33/7 ≫"),
}
PRINTED_5 = {
    "all": ("57/7 ≫ and 55/9 ≫", "60/4 ≫ and 59/5 ≫", "54/10 ≫ and 58/6 ≫"),
    "low": ("24/0 ≫ and 23/1 ≫", "22/2 ≫ and 23/1 ≫", "17/7 and 20/4 ≫"),
    "high": ("33/7 ≫ and 32/8 ≫", "38/2 ≫ and 36/4 ≫", "37/3 ≫ and 38/2 ≫"),
}
"""Tables 4 and 5: BM25 and PL2, by measure."""


def _stable(results: dict[str, TrainingSensitivity]) -> Iterator[str]:
    """Tables 4 and 5."""
    yield "## Table 4: stability of the chosen setting"
    yield ""
    yield (
        "Pairs of level and task in which M is more/less stable than MAP; ≫ and ≪ mark the level .01, > and <\n"
        "the level .05 (sign test, two-sided, from which all marks of the paper follow). Stability is σ_opt of\n"
        "b; of Robust 2003 it is the probability that two samples choose different runs. There are two tasks\n"
        "here and four in the paper, so fewer cells are significant. Up to 10 % no measure is less stable than\n"
        "MAP, as in the paper."
    )
    yield from _signs(
        results, PRINTED_4, lambda result: "choice" if not result.settings.parameters else "sigma_opt of b"
    )
    yield "## Table 5: stability of effectiveness"
    yield ""
    yield (
        "The same for σ_diff. The paper's result, that every M is more stable, does not hold on all\n"
        "collections. As printed, σ_diff(M) and σ_diff(MAP) are on the scales of their measures, and a\n"
        "measure whose scores spread less wins for that alone. The second table divides each by the standard\n"
        "deviation over the settings."
    )
    yield from _signs(results, PRINTED_5, lambda _: "sigma_diff")
    yield "With each divided by the spread of its measure:"
    yield from _signs(results, None, lambda _: "sigma_diff, scale-free")


def _signs(
    results: dict[str, TrainingSensitivity],
    printed: Mapping[str, tuple[str, ...]] | None,
    what_of: Callable[[TrainingSensitivity], str],
) -> Iterator[str]:
    yield ""
    yield f"| levels | M |{' paper, BM25 and PL2 |' if printed else ''} {' | '.join(results)} |"
    yield "| --- | --- |" + " --- |" * (len(results) + bool(printed))
    tests = {
        (name, cell["block"], cell["measure"]): sign_test_text(cell)
        for name, result in results.items()
        for cell in comparisons(result)
        if cell["what"] == what_of(result)
    }
    for block, text in BLOCKS.items():
        for place, measure in enumerate(MEASURES):
            known = f" {printed[block][place]} |" if printed else ""
            yield f"| {text} | {measure} |{known} {' | '.join(tests[name, block, measure] for name in results)} |"
    yield ""


def _effective(results: dict[str, TrainingSensitivity]) -> Iterator[str]:
    """Figure 2 in two numbers a line."""
    yield "## Figure 2: effectiveness with fewer judgments"
    yield ""
    yield (
        "MAP on the test topics when trained by M, minus MAP when trained by MAP: mean of the levels below 10 %\n"
        "of the judgments, and of those above 10 %. The paper finds that every M trains better than MAP below\n"
        "10 %, and that this advantage fades above; so it is here, but for one pair of differences. On Cranfield\n"
        "and NPL MAP as a function of b is flat near its maximum, so training can gain little.\n"
        "[training-sensitivity.md](../training-sensitivity.md) has what is recommended from this."
    )
    yield ""
    yield "| M | " + " | ".join(f"{name}, below 10 % | above" for name in results) + " |"
    yield "| --- |" + " --- | --- |" * len(results)
    for measure in MEASURES:
        cells = []
        for result in results.values():
            points = [
                one
                for one in curves(result)
                if (one["task"], one["evaluated_by"], one["trained_by"]) == ("", "AP", measure)
            ]
            for block in (
                [one for one in points if one["level"] < 10],
                [one for one in points if one["level"] > 10],
            ):
                cells.append(_mean([one["difference"] for one in block]))
        yield f"| {measure} | {' | '.join(cells)} |"


def _mean(differences: Sequence[float]) -> str:
    return f"{np.mean(differences):+z.4f}".replace("0.", ".", 1)
