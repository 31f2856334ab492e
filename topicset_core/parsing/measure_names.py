"""Names of measures as files spell them, and as this project writes them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from topicset_core.wording import listed

# Each name with the spellings seen in file names, corners of tables and trec_eval's output; as
# regular expressions over lower-case text.
SPELLINGS = {
    "AP": r"map|ap|average[_ -]?precision",
    "GMAP": r"gm[_-]?map|gmap",
    "statAP": r"stat[_-]?ap",
    "infAP": r"inf[_-]?ap",
    "nDCG": r"ndcg",
    "alpha-nDCG": r"(?:alpha|α)[_-]?ndcg",
    "alpha-DCG": r"(?:alpha|α)[_-]?dcg",
    "graded-alpha-nDCG": r"graded[_-](?:alpha|α)[_-]?ndcg",
    "graded-alpha-DCG": r"graded[_-](?:alpha|α)[_-]?dcg",
    "MSnDCG": r"msndcg",
    "DCG": r"dcg",
    "ERR": r"err",
    "nERR": r"nerr",
    "ERR-IA": r"err[_-]?ia",
    "nERR-IA": r"nerr[_-]?ia",
    "graded-ERR-IA": r"graded[_-]err[_-]?ia",
    "graded-nERR-IA": r"graded[_-]nerr[_-]?ia",
    "MAP-IA": r"m?ap[_-]ia",
    "P-IA": r"p[_-]ia",
    "NRBP": r"nrbp",
    "nNRBP": r"nnrbp",
    "strec": r"strec(?:all)?",
    "I-rec": r"i[_-]rec",
    "D-nDCG": r"d[_-]ndcg",
    # The sign is a dash in names of files, where not all systems take it.
    "D#-nDCG": r"d(?:#|♯|-|sharp)[_-]ndcg",
    "D-Q": r"d-q",
    "D#-Q": r"d#-q",
    "RR": r"rr|mrr|recip[_-]?rank",
    "RBP": r"rbp",
    "bpref": r"bpref",
    "Rprec": r"r[_-]?prec",
    "Q": r"q[_-]?measure|q(?=@)",
    "F1": r"f1",
}
WITH_CUTOFF_ONLY = {
    "P": r"p|prec|precision",
    "recall": r"recall|r(?=@)",
    "success": r"success",
    "hit": r"hit",
}
"""Measures that are nothing without a cutoff: a file that ends in "p" says little."""

# trec_eval writes ndcg_cut_10 and P_10, gdeval ndcg@20, others ndcg_at_20 or ndcg10. A lone
# separator before the number is taken for a cutoff only where trec_eval writes it so: in
# "results_ap_2" the 2 counts files.
_CUTOFF = r"(?:(?:[_ -]?(?:cut|at)[_ -]?|@)?0*(?P<cutoff>[1-9]\d*))"
_LOOSE_CUTOFF = r"(?:(?:[_ -]?(?:cut|at)[_ -]?|@|[_-])?0*(?P<cutoff>[1-9]\d*))"

PATTERNS = tuple(
    [(name, re.compile(rf"(?:{spelling}){_CUTOFF}?", re.ASCII)) for name, spelling in SPELLINGS.items()]
    + [(name, re.compile(rf"(?:{s}){_LOOSE_CUTOFF}", re.ASCII)) for name, s in WITH_CUTOFF_ONLY.items()]
)


LONGEST = 200
"""Characters of a name; a cell of text may have any number."""

# NERR8 of ir_measures is Nearly ERR, by the number of its equation in Azzopardi, Mackenzie and Moffat
# (ICTIR 2021); nERR is normalised ERR. In lower case nerr10 is nERR@10.
NEARLY_ERR = re.compile(r"NERR(?P<equation>8|9|10|11)(?P<rest>(?:\([^)]*\))?(?:@\d+)?)", re.ASCII)


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
    """Say of measures what their spellings may hide."""
    nearly = [one for one in spellings if NEARLY_ERR.fullmatch(one)]
    bare = [one for one in nearly if measure_name(one) is None]
    apart = [one for one in nearly if one not in bare]
    said = []
    if apart:
        are = "is" if len(apart) == 1 else "are"
        said.append(f"{listed(apart)} {are} Nearly ERR, not nERR, which is normalised ERR.")
    if bare:
        said.append(f"{listed(bare)} may be Nearly ERR or nERR with a cutoff: the name was left as it is.")
    return said


def measure_in_file_name(stem: str) -> str | None:
    """Return the measure that the last words of a file name spell, None where they spell none.

    Parameters
    ----------
    stem : str
        File name without folder and extension, for example ``trec8_adhoc_ap``.
    """
    # The longest ending first: in web_alpha-ndcg@10 that is alpha-nDCG@10, not nDCG@10. It has at
    # most four words: recip_rank, ndcg_cut_10, alpha-ndcg_cut_10.
    starts = [0] + [match.end() for match in re.finditer(r"[_\-. ]", stem)]
    endings = (stem[start:] for start in starts[-4:])
    return next((name for name in map(measure_name, endings) if name), None)


# As lower-case words; evaluators join them by "_", "-", " " or a dot, and put their own name before.
EVALUATOR_SCORES = frozenset(
    (
        *("faithfulness", "answerrelevancy", "answerrelevance", "responserelevancy", "contextprecision"),
        *(
            "contextrecall",
            "contextrelevancy",
            "contextrelevance",
            "contextutilization",
            "contextentityrecall",
        ),
        *(
            "answercorrectness",
            "answersimilarity",
            "semanticsimilarity",
            "factualcorrectness",
            "groundedness",
        ),
        *("noisesensitivity", "relevance", "relevancy", "correctness", "coherence", "consistency", "fluency"),
        *("helpfulness", "conciseness", "completeness", "harmlessness", "hallucination", "toxicity", "bias"),
        *("contextualprecision", "contextualrecall", "contextualrelevancy", "summarization", "nuggetrecall"),
        *("accuracy", "acc", "accnorm", "exactmatch", "em", "bleu", "meteor", "rouge1", "rouge2", "rougel"),
        *(
            "bertscore",
            "bertscoref1",
            "chrf",
            "llmjudge",
            "judgescore",
            "rating",
            "overallscore",
            "similarity",
        ),
        *("precision", "recall", "f1score", "hitrate", "passrate", "pass1"),
    )
)
"""What evaluators of retrieval-augmented generation and language models call their scores."""


def is_evaluator_score(text: str) -> bool:
    """Say whether `text` is what an evaluator of language models calls a score."""
    # scores.faithfulness, faithfulness/mean: some part names the score.
    parts = re.split(r"[./:]", text.casefold())
    return any("".join(filter(str.isalnum, part)) in EVALUATOR_SCORES for part in parts)
