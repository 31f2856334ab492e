"""Names of measures as files spell them, and as this project writes them."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from topicset_core.measures.measure import Name
from topicset_core.measures.registry import LONGEST, NEARLY_ERR, SPELLINGS, spelling_pattern
from topicset_core.parsing.table import words
from topicset_core.wording import listed

_OTHERS = {
    "GMAP": r"gm[_-]?map|gmap",
    "statAP": r"stat[_-]?ap",
    "MSnDCG": r"msndcg",
    "DCG": r"dcg",
    "MAP-IA": r"m?ap[_-]ia",
    "P-IA": r"p[_-]ia",
    "NRBP": r"nrbp",
    "nNRBP": r"nnrbp",
    "D-Q": r"d-q",
    "D#-Q": r"d#-q",
    "F1": r"f1",
}
"""Measures that files contain, each with its spellings in lower case; one that Topicset computes has its own."""

_OTHERS_WITH_CUTOFF_ONLY = {"hits": r"hits"}
"""The measures of these that are undefined without a cutoff."""


def patterns_with(
    of_measures: Iterable[tuple[Name, re.Pattern[str]]],
) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return names with patterns of their spellings: those of measures, then others that no measure spells."""
    results = [(name.base_name, pattern) for name, pattern in of_measures]
    patterns = [pattern for _, pattern in results]
    for others, only_with_cutoff in ((_OTHERS, False), (_OTHERS_WITH_CUTOFF_ONLY, True)):
        for name, spellings in others.items():
            spelt = name.lower()
            if not any(pattern.fullmatch(spelt) or pattern.fullmatch(f"{spelt}@1") for pattern in patterns):
                results.append((name, spelling_pattern(spellings, only_with_cutoff=only_with_cutoff)))
    return tuple(results)


PATTERNS = patterns_with((name, pattern) for _, name, pattern in SPELLINGS)
"""Names of measures, each with the pattern of its spellings; no text fits two."""


@lru_cache(maxsize=4096)
def measure_name(text: str) -> str | None:
    """Return the project's name of the measure that `text` spells, None where it spells none."""
    if len(text) > LONGEST:
        return None
    nearly = NEARLY_ERR.fullmatch(text.strip())
    if nearly:
        # Without more than a number it could be nERR@10 as well: it keeps its spelling.
        return f"NearlyERR{nearly['equation']}{nearly['rest']}" if nearly["rest"] else None
    spelt = text.strip().lower()
    for name, pattern in PATTERNS:
        match = pattern.fullmatch(spelt)
        if match:
            cutoff = match.group("cutoff")
            return f"{name}@{cutoff}" if cutoff else name
    return None


def cautions(spellings: Sequence[str]) -> list[str]:
    """Return notes on measures with ambiguous spellings."""
    nearly = [spelling for spelling in spellings if NEARLY_ERR.fullmatch(spelling)]
    bare = [spelling for spelling in nearly if measure_name(spelling) is None]
    apart = [spelling for spelling in nearly if spelling not in bare]
    notes = []
    if apart:
        are = "is" if len(apart) == 1 else "are"
        notes.append(f"{listed(apart)} {are} Nearly ERR, not nERR, which is normalised ERR.")
    if bare:
        notes.append(f"{listed(bare)} may be Nearly ERR or nERR with a cutoff: the name was not changed.")
    return notes


def measure_in_file_name(stem: str) -> str | None:
    """Return the measure that the last words of a file name spell, as in ``trec8_adhoc_ap``, or None."""
    # The longest ending first: in web_alpha-ndcg@10 that is alpha-nDCG@10, not nDCG@10. It has at
    # most four words: recip_rank, ndcg_cut_10, alpha-ndcg_cut_10.
    starts = [0] + [match.end() for match in re.finditer(r"[_\-. ]", stem)]
    endings = (stem[start:] for start in starts[-4:])
    return next((name for name in map(measure_name, endings) if name), None)


# As lower-case words; evaluators join them by "_", "-", " " or a dot, and put their own name before.
EVALUATOR_SCORES = words(
    "faithfulness answerrelevancy answerrelevance responserelevancy contextprecision contextrecall "
    "contextrelevancy contextrelevance contextutilization contextentityrecall answercorrectness answersimilarity "
    "semanticsimilarity factualcorrectness groundedness noisesensitivity relevance relevancy correctness coherence "
    "consistency fluency helpfulness conciseness completeness harmlessness hallucination toxicity bias "
    "contextualprecision contextualrecall contextualrelevancy summarization nuggetrecall accuracy acc accnorm "
    "exactmatch em bleu meteor rouge1 rouge2 rougel bertscore bertscoref1 chrf llmjudge judgescore rating "
    "overallscore similarity precision recall f1score hitrate passrate pass1 passed "
    "correct iscorrect resolved solved "
    "success win"
)
"""What evaluators of retrieval-augmented generation and language models call their scores."""


def is_evaluator_score(text: str) -> bool:
    """Return whether `text` is what an evaluator of language models calls a score."""
    # scores.faithfulness, faithfulness/mean: some part names the score.
    parts = re.split(r"[./:]", text.casefold())
    return any("".join(filter(str.isalnum, part)) in EVALUATOR_SCORES for part in parts)
