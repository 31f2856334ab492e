"""From the name of a measure, as papers or trec_eval write it, to the measure."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from topicset_core.errors import InputError
from topicset_core.measures.alpha_ndcg import AlphaNDCG
from topicset_core.measures.average_precision import AP
from topicset_core.measures.binary_preference import BPref
from topicset_core.measures.cascade import Cascade
from topicset_core.measures.conventions import TREC_EVAL, Conventions
from topicset_core.measures.d_ndcg import DNDCG
from topicset_core.measures.d_sharp_ndcg import DSharpNDCG
from topicset_core.measures.expected_reciprocal_rank import ERR
from topicset_core.measures.inferred_average_precision import InfAP
from topicset_core.measures.intent_aware_err import ERRIA
from topicset_core.measures.intent_recall import IntentRecall
from topicset_core.measures.measure import Measure
from topicset_core.measures.ndcg import NDCG
from topicset_core.measures.precision import Precision
from topicset_core.measures.q_measure import QMeasure
from topicset_core.measures.r_precision import RPrecision
from topicset_core.measures.rank_biased_precision import RBP
from topicset_core.measures.recall import Recall
from topicset_core.measures.reciprocal_rank import ReciprocalRank
from topicset_core.parsing.measure_names import measure_name

Maker = Callable[[Conventions], Measure]
MakerAtDepth = Callable[[Conventions, int | None], Measure]


def _cascade(kind: type[Cascade], *, normalised: bool, graded: bool) -> Callable[[Conventions, int], Measure]:
    def make(chosen: Conventions, depth: int) -> Measure:
        return kind(
            depth=depth,
            normalised=normalised,
            graded=graded,
            # Each form takes what concerns it.
            relevance_level=1 if graded else chosen.relevance_level,
            largest_grade=chosen.largest_grade if graded else None,
        )

    return make


WITH_DEPTH_OR_WITHOUT: Mapping[str, MakerAtDepth] = MappingProxyType(
    {
        "AP": lambda chosen, depth: AP(
            depth=depth, relevance_level=chosen.relevance_level, denominator=chosen.denominator
        ),
        "Q": lambda chosen, depth: QMeasure(
            depth=depth,
            relevance_level=chosen.relevance_level,
            gains=chosen.gains,
            denominator=chosen.denominator,
        ),
        "nDCG": lambda chosen, depth: NDCG(depth=depth, gains=chosen.gains),
        "nERR": lambda chosen, depth: ERR(depth=depth, largest_grade=chosen.largest_grade, normalised=True),
        "ERR": lambda chosen, depth: ERR(depth=depth, largest_grade=chosen.largest_grade),
        "RR": lambda chosen, depth: ReciprocalRank(depth=depth, relevance_level=chosen.relevance_level),
    }
)
WITH_DEPTH: Mapping[str, Callable[[Conventions, int], Measure]] = MappingProxyType(
    {
        "P": lambda chosen, depth: Precision(depth=depth, relevance_level=chosen.relevance_level),
        "recall": lambda chosen, depth: Recall(depth=depth, relevance_level=chosen.relevance_level),
    }
)
BY_INTENT: Mapping[str, Callable[[Conventions, int], Measure]] = MappingProxyType(
    {
        **{
            f"{'graded-' if graded else ''}{name}": _cascade(kind, normalised=normalised, graded=graded)
            for graded in (False, True)
            for name, kind, normalised in (
                ("alpha-nDCG", AlphaNDCG, True),
                ("nERR-IA", ERRIA, True),
                ("alpha-DCG", AlphaNDCG, False),
                ("ERR-IA", ERRIA, False),
            )
        },
        "D-nDCG": lambda _, depth: DNDCG(depth=depth),
        "I-rec": lambda chosen, depth: IntentRecall(depth=depth, relevance_level=chosen.relevance_level),
        "D#-nDCG": lambda chosen, depth: DSharpNDCG(depth=depth, relevance_level=chosen.relevance_level),
    }
)
"""Measures that need judgments by intent."""

WITHOUT_DEPTH: Mapping[str, Maker] = MappingProxyType(
    {
        "Rprec": lambda chosen: RPrecision(relevance_level=chosen.relevance_level),
        "bpref": lambda chosen: BPref(relevance_level=chosen.relevance_level),
        "infAP": lambda chosen: InfAP(relevance_level=chosen.relevance_level),
    }
)

OTHER_NAMES = {"strec": "I-rec"}
"""ndeval's name of a measure that has another one here: subtopic recall is intent recall."""

KNOWN = (
    *(form for name in WITH_DEPTH_OR_WITHOUT for form in (name, f"{name}@k")),
    *(f"{name}@k" for name in (*WITH_DEPTH, *BY_INTENT)),
    *WITHOUT_DEPTH,
    "RBP(p=.8)",
)
"""Forms of names, k being a rank and .8 any persistence."""

LARGEST_DEPTH = 10**9

_RBP = re.compile(r"rbp\(p=(?P<persistence>0?\.\d+)\)", re.ASCII | re.IGNORECASE)
_Q = re.compile(r"q(?P<cutoff>@[1-9]\d*)?", re.ASCII | re.IGNORECASE)


def measure_named(name: str, conventions: Conventions = TREC_EVAL) -> Measure:
    """Return the measure that a name stands for, with the conventions chosen.

    Parameters
    ----------
    name : str
        As in papers (``nDCG@10``, ``RBP(p=.8)``) or in trec_eval (``ndcg_cut_10``, ``map``,
        ``P_10``, ``recip_rank``); capitals make no difference.
    conventions : Conventions
        Relevance level, gains, xmax, denominator; each measure takes those that concern it.

    Raises
    ------
    InputError
        If no measure has this name, or its cutoff or persistence is out of range.
    """
    spelt = name.strip()
    rbp = _RBP.fullmatch(spelt)
    if rbp:
        persistence = float(rbp.group("persistence"))
        return RBP(persistence=persistence, relevance_level=conventions.relevance_level)
    q = _Q.fullmatch(spelt)
    written = f"Q{q.group('cutoff') or ''}" if q else measure_name(spelt)
    base, _, digits = (written or "").partition("@")
    base = OTHER_NAMES.get(base, base)
    if len(digits) > len(str(LARGEST_DEPTH)) or (digits and int(digits) > LARGEST_DEPTH):
        raise InputError("measure", name, f"must have a cutoff of at most {LARGEST_DEPTH:,}")
    depth = int(digits) if digits else None
    if base in WITH_DEPTH_OR_WITHOUT:
        return WITH_DEPTH_OR_WITHOUT[base](conventions, depth)
    if base in WITH_DEPTH and depth is not None:
        return WITH_DEPTH[base](conventions, depth)
    if base in BY_INTENT and depth is not None:
        return BY_INTENT[base](conventions, depth)
    if base in WITHOUT_DEPTH and depth is None:
        return WITHOUT_DEPTH[base](conventions)
    raise InputError(
        "measure", name, f"must be one of {', '.join(KNOWN)}, or a name of trec_eval for one of these"
    )
