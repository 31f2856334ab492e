"""Names of measures as files spell them, and as this project writes them."""

import re

# Each name with the spellings seen in file names, corners of tables and trec_eval's output; as
# regular expressions over lower-case text.
SPELLINGS = {
    "AP": r"map|ap|average[_ -]?precision",
    "GMAP": r"gm[_-]?map|gmap",
    "statAP": r"stat[_-]?ap",
    "infAP": r"inf[_-]?ap",
    "nDCG": r"ndcg",
    "alpha-nDCG": r"(?:alpha|α)[_-]?ndcg",
    "MSnDCG": r"msndcg",
    "DCG": r"dcg",
    "ERR": r"err",
    "nERR": r"nerr",
    "ERR-IA": r"err[_-]?ia",
    "nERR-IA": r"nerr[_-]?ia",
    "RR": r"rr|mrr|recip[_-]?rank",
    "RBP": r"rbp",
    "bpref": r"bpref",
    "Rprec": r"r[_-]?prec",
    "Q": r"q[_-]?measure",
    "F1": r"f1",
}
WITH_CUTOFF_ONLY = {
    "P": r"p|prec|precision",
    "recall": r"recall",
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


def measure_name(text: str) -> str | None:
    """Return the project's name of the measure that `text` spells, None where it spells none."""
    spelt = text.strip().lower()
    for name, pattern in PATTERNS:
        match = pattern.fullmatch(spelt)
        if match:
            cutoff = match.group("cutoff")
            return f"{name}@{cutoff}" if cutoff else name
    return None


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
