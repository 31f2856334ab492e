"""All measures, and from the name of one, as papers or trec_eval write it, to the measure.

Names are defined with the measures themselves (`Measure.NAMES`); all here is derived from
them. How files spell the names of other measures is a matter of `topicset_core.parsing.measure_names`.
"""

import re
from collections.abc import Iterator
from itertools import groupby, zip_longest

from topicset_core.errors import InputError
from topicset_core.measures import binary, by_intent, graded
from topicset_core.measures.conventions import TREC_EVAL, Conventions
from topicset_core.measures.measure import Depth, IntentMeasure, Measure, Name

Kind = type[Measure]

MEASURES: tuple[Kind, ...] = (
    binary.AP,
    binary.QMeasure,
    graded.NDCG,
    graded.ERR,
    binary.Precision,
    binary.Recall,
    binary.Success,
    binary.RPrecision,
    binary.ReciprocalRank,
    binary.RBP,
    binary.BPref,
    binary.InfAP,
    by_intent.AlphaNDCG,
    by_intent.ERRIA,
    by_intent.DNDCG,
    by_intent.IntentRecall,
    by_intent.DSharpNDCG,
)
"""All measures: add a new one here; everything else is derived."""

LARGEST_DEPTH = 10**9

LONGEST = 200
"""Characters of a name; a cell of text may have any number."""

# trec_eval writes ndcg_cut_10 and P_10, gdeval ndcg@20, others ndcg_at_20 or ndcg10. A lone
# separator before the number is a cutoff only where trec_eval writes it this way: in
# "results_ap_2" the 2 counts files.
_CUTOFF = r"(?:(?:[_ -]?(?:cut|at)[_ -]?|@)?0*(?P<cutoff>[1-9]\d*))"
_LOOSE_CUTOFF = r"(?:(?:[_ -]?(?:cut|at)[_ -]?|@|[_-])?0*(?P<cutoff>[1-9]\d*))"

# NERR8 of ir_measures is Nearly ERR, by the number of its equation in Azzopardi, Mackenzie and Moffat
# (ICTIR 2021); nERR is normalised ERR. In lower case nerr10 is nERR@10.
NEARLY_ERR = re.compile(r"NERR(?P<equation>8|9|10|11)(?P<rest>(?:\([^)]*\))?(?:@\d+)?)", re.ASCII)


# As an option of trec_eval has it: -m ndcg_cut.10.
_OPTION = re.compile(r"(?<=[A-Za-z])\.([1-9]\d*)$", re.ASCII)


def spelling_pattern(spellings: str, *, only_with_cutoff: bool) -> re.Pattern[str]:
    """Return the pattern of a name with its cutoff, for text in lower case."""
    cutoff = _LOOSE_CUTOFF if only_with_cutoff else f"{_CUTOFF}?"
    return re.compile(f"(?:{spellings}){cutoff}", re.ASCII)


SPELLINGS = tuple(
    (kind, name, spelling_pattern(name.spellings, only_with_cutoff=name.only_with_cutoff))
    for kind in MEASURES
    for name in kind.NAMES
)
"""Each name of a measure with the pattern of its spellings in files."""

_IN_REQUESTS = tuple(
    (kind, name, re.compile(rf"{name.in_requests}(?P<cutoff>@[1-9]\d*)?", re.ASCII | re.IGNORECASE))
    for kind in MEASURES
    for name in kind.NAMES
    if name.in_requests
)


def _listed() -> list[tuple[Kind, Name]]:
    """Return the names that lists show; neighbours of one kind alternate, variant by variant."""
    results: list[tuple[Kind, Name]] = []
    for _, kindred in groupby(MEASURES, key=lambda kind: kind.__base__):
        names = [[(kind, name) for name in kind.NAMES if name.is_listed] for kind in kindred]
        results += [pair for variants in zip_longest(*names) for pair in variants if pair is not None]
    return results


def _known_forms() -> tuple[str, ...]:
    """Return forms of names: with or without a cutoff, with one, without, with another parameter."""
    of_depth: dict[Depth, list[str]] = {"optional": [], "required": [], "none": []}
    for _, name in _listed():
        of_depth[name.depth].append(name.base_name)
    return (
        *(form for name in of_depth["optional"] for form in (name, f"{name}@k")),
        *(f"{name}@k" for name in of_depth["required"]),
        *of_depth["none"],
        *(kind.FORM for kind in MEASURES if kind.FORM),
    )


KNOWN = _known_forms()
"""Forms of names, k being a rank and .8 any persistence."""

BY_INTENT = tuple(name.base_name for kind, name in _listed() if issubclass(kind, IntentMeasure))
"""Names, without cutoff, of measures that need judgments by intent."""


def offered_names(*, by_intent: bool, at_first: bool = False) -> tuple[str, ...]:
    """Return the names that forms offer, in their order."""
    results = [
        offer
        for kind in MEASURES
        if issubclass(kind, IntentMeasure) == by_intent
        for offer in kind.OFFERED
        if offer.at_first or not at_first
    ]
    return tuple(offer.name for offer in sorted(results, key=lambda offer: offer.place))


def measure_named(name: str, conventions: Conventions = TREC_EVAL) -> Measure:
    """Return the measure with a name, with the chosen conventions.

    Parameters
    ----------
    name : str
        As in papers (``nDCG@10``, ``RBP(p=.8)``) or in trec_eval (``ndcg_cut_10``, ``ndcg_cut.10``, ``map``,
        ``P_10``, ``recip_rank``, ``rbp`` with p = .9); capitals make no difference.
    conventions : Conventions
        Relevance level, gains, xmax, denominator; each measure takes its own.

    Raises
    ------
    InputError
        If no measure has this name, or its cutoff or persistence is out of range.
    """
    spelt = _OPTION.sub(r"_\1", name.strip())
    for kind in MEASURES:
        measure = kind.of_form(spelt, conventions)
        if measure is not None:
            return measure
    for kind, spelling, digits in _recognised(spelt):
        if len(digits) > len(str(LARGEST_DEPTH)) or (digits and int(digits) > LARGEST_DEPTH):
            raise InputError("measure", name, f"must have a cutoff of at most {LARGEST_DEPTH:,}")
        if spelling.depth == "optional" or (spelling.depth == "required") == bool(digits):
            depth = {} if spelling.depth == "none" else {"depth": int(digits) if digits else None}
            return kind.by_conventions(conventions, **spelling.fields, **depth)
    raise InputError(
        "measure", name, f"must be one of {', '.join(KNOWN)}, or a name of trec_eval for one of these"
    )


def _recognised(spelt: str) -> Iterator[tuple[Kind, Name, str]]:
    """Find the measure whose name is spelt so, with the digits of its cutoff, "" without."""
    for kind, name, pattern in _IN_REQUESTS:
        match = pattern.fullmatch(spelt)
        if match:
            yield kind, name, (match.group("cutoff") or "").removeprefix("@")
    if len(spelt) > LONGEST or NEARLY_ERR.fullmatch(spelt):
        return
    for kind, name, pattern in SPELLINGS:
        match = pattern.fullmatch(spelt.lower())
        if match and not name.in_files_only:
            yield kind, name, match.group("cutoff") or ""
