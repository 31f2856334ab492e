"""Contents of the guide: six questions, glossary, worked examples, how to report."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Question(NamedTuple):
    """A question of the decision tree, and the pages that answer it, each with its condition."""

    question: str
    pages: tuple[tuple[str, str], ...]


class Term(NamedTuple):
    """A term of the glossary; its symbol is "" if papers use none."""

    symbol: str
    term: str
    meaning: str


class Example(NamedTuple):
    """A worked example on the simulated sample, with the headline that it shows."""

    page: str
    task: str
    steps: str
    headline: str
    look_for: str


QUESTIONS = (
    Question(
        "Do you have data of an earlier round, a pilot or a similar task?",
        (
            ("Scores of runs per topic:", "score_matrices"),
            ("Runs and relevance judgments:", "runs_and_qrels"),
        ),
    ),
    Question(
        "Are you planning the number of topics of a new collection?",
        (
            ("Two systems on the same topics:", "paired_t"),
            ("Two systems on different topics:", "two_sample_t"),
            ("Scores are 0 or 1 (success, exact match, pass or fail):", "right_or_wrong"),
            ("A system to be shown at least as good as another, or equally good:", "at_least_as_good"),
            ("Three or more systems, to be tested pair by pair or against a baseline:", "every_pair"),
            ("Three or more systems on the same topics, by two-way ANOVA:", "topics_as_blocks"),
            ("Three or more systems on different topics, by one-way ANOVA:", "one_way_anova"),
            ("The size of a difference, not only its sign:", "confidence_interval"),
            ("Two systems, with interim tests before all topics are scored:", "looks"),
            ("Not sure, or several measures:", "compare_designs"),
            ("To check the test that you chose on your own scores:", "achieved_power"),
        ),
    ),
    Question(
        "Is the number of judgments limited by a budget?",
        (("Many topics with shallow pools, or few with deep pools:", "pool_depth"),),
    ),
    Question(
        "Do you have results, and would other topics or documents confirm them?",
        (
            ("Whether one of two systems is better:", "two_systems"),
            ("On other topics, for a difference of two runs:", "error_rate"),
            ("On other topics, for the ranks of a leaderboard:", "rank_resolution"),
            ("With scores from a judge, or with other seeds of the systems:", "judges"),
            ("On other documents:", "topic_variance"),
            ("In a replication of a published t or F:", "reported_result"),
        ),
    ),
    Question(
        "Could fewer topics have given the same ranking?",
        (("Best, average and worst subsets, or a subset of yours:", "topic_subsets"),),
    ),
    Question(
        "Are you tuning a system on incomplete judgments?",
        (("Which measure to train by:", "training_sensitivity"),),
    ),
)

GLOSSARY = (
    Term(
        "n",
        "topics",
        "Number of information needs of the collection. Designs compute the smallest sufficient n.",
    ),
    Term("m", "systems", "Number of systems that are compared."),
    Term(
        "α",
        "significance level",
        "Probability that a test reports a difference between equal systems (Type I error).",
    ),
    Term(
        "β",
        "1 − power",
        "Probability that a test misses a difference of minD (Type II error). Power is 1 − β.",
    ),
    Term(
        "minD",
        "minimum detectable difference",
        "Smallest true difference that the test detects with power 1 − β, in units of the measure.",
    ),
    Term(
        "",
        "margin",
        "Least difference that matters, where a system is to be shown at least as good as another.",
    ),
    Term(
        "γ",
        "certainty",
        "Probability that n topics have the required power, as the variance is an estimate. The expected "
        "power is the power averaged over possible variances.",
    ),
    Term("ν", "degrees of freedom", "Of a variance: about the topics it was estimated from, minus 1."),
    Term("δ", "width of a confidence interval", "Largest acceptable width, in units of the measure."),
    Term(
        "σ²",
        "within-system variance",
        "Variance of one system's scores over topics, averaged over systems (one-way). The two-way estimate "
        "removes topic difficulty.",
    ),
    Term(
        "σₑ²",
        "residual variance",
        "Variance of scores that is left without the means of systems and topics (two-way ANOVA).",
    ),
    Term("σₜ²", "variance of a difference", "Variance of the per-topic difference of two systems."),
    Term(
        "ρ",
        "intraclass correlation",
        "Correlation of topics of one group, as turns of a conversation. With k topics per group the mean varies "
        "1 + (k − 1) ρ times as much (design effect). Datasets are groups, too: *Join topics* on Score matrices.",
    ),
    Term(
        "",
        "familywise error rate",
        "Probability of one or more false differences among all comparisons; Tukey's, Dunnett's, Holm's and "
        "Bonferroni's procedures keep it at α.",
    ),
    Term(
        "",
        "sphericity",
        "Equal variances of the differences of all pairs of systems: two-way ANOVA assumes it, with Box's "
        "correction it does not.",
    ),
    Term("K", "looks", "Interim tests on a growing topic set; α is for all of them together."),
    Term("r", "repeats", "Seeds of a system, or answers per topic, that are scored for each system."),
    Term("", "judge", "A program, for example a language model, that scores answers instead of people."),
    Term("", "score matrix", "Table of scores of one measure: one row per topic, one column per run."),
    Term("", "run", "Ranked lists of one system for all topics, in TREC format."),
    Term("", "qrels", "Relevance judgments: the grade of each judged document per topic."),
    Term("pd", "pool depth", "Number of first documents of each run that are judged."),
    Term("", "judged share", "Share of the documents in a pool that have a judgment."),
    Term("r", "Pearson's correlation", "Linear correlation of two vectors of run means, −1 to 1."),
    Term("τ", "Kendall's tau-b", "Rank correlation of two rankings of runs, corrected for ties, −1 to 1."),
    Term(
        "τ_AP",
        "AP rank correlation",
        "Rank correlation that gives more weight to the top of the ranking (Yilmaz et al. 2008).",
    ),
    Term("", "reversed pair", "Two runs in different order in two rankings: a discordant pair of τ."),
    Term("ε", "error rate", "Share of run pairs that a second, disjoint topic set reverses."),
    Term(
        "",
        "reference ranking",
        "Ranking of the runs over all topics, or over the reference half of the topics.",
    ),
    Term("c", "subset size", "Number of topics in a subset."),
    Term(
        "",
        "local search",
        "Exchange of single topics until no exchange improves the subset; better subsets may exist.",
    ),
    Term("", "hold-out split", "Random halves: subsets are chosen on one half and evaluated on the other."),
    Term(
        "",
        "exchangeable topics",
        "Simulated topics that are all equally good: they show what selection alone gives.",
    ),
    Term("B", "simulated collections", "Number of times that documents are resampled."),
    Term("", "completeness level", "Percentage of the judgments that training can use."),
    Term("", "standard error", "Standard deviation of an estimate; for simulations, over repetitions."),
)

EXAMPLES = (
    Example(
        "score_matrices",
        "How much do AP scores vary from topic to topic?",
        "Open the page. For your own task, upload one table per measure.",
        "Within-system variance of the simulated scores: σ² = 0.04668",
        "The runs should resemble the systems of your next task. Drop runs that failed.",
    ),
    Example(
        "runs_and_qrels",
        "What do 20 runs score, and how much do the scores vary?",
        "Open the page. For your own task, upload runs and qrels, choose measures and press *Score the runs*.",
        "Within-system variance of AP: σ² = 0.04389",
        "*Conventions, and checks on your data* lists missing topics and unjudged documents.",
    ),
    Example(
        "one_way_anova",
        "How many topics detect a difference of 0.10 AP among 10 systems?",
        "Set α = .05, β = .20, minD = 0.1 and m = 10.",
        "147 topics (126 to 175) detect a difference of 0.1 AP with 80 % power",
        "The interval of n: the variance is an estimate. Plan for its upper end if you can.",
    ),
    Example(
        "paired_t",
        "How many conversations of 12 turns detect a difference of 0.10 nDCG@10 between two systems?",
        "Under *Topics in groups*, enter 12 topics per group and ρ = 0.2.",
        "12 groups of 12 topics (9 to 17) detect a difference of 0.1 nDCG@10 with 80 % power",
        "How many topics would be enough if they were independent: 38. With costs: the cheapest topics per group.",
    ),
    Example(
        "every_pair",
        "How many topics find which of 10 systems differ by 0.10 AP?",
        "Keep Tukey HSD and topics shared by all systems, with α = .05, β = .20, minD = 0.1 and m = 10.",
        "50 topics (45 to 55) detect a difference of 0.1 AP with 80 % power",
        "The topics for paired t tests with Bonferroni's or Holm's correction: pairs differ in variance.",
    ),
    Example(
        "topics_as_blocks",
        "How many topics, if two-way ANOVA removes topic difficulty?",
        "Set α = .05, β = .20, minD = 0.1 and m = 10.",
        "49 topics (45 to 55) detect a difference of 0.1 AP with 80 % power",
        "Box's correction, where the variances of differences are unequal.",
    ),
    Example(
        "pool_depth",
        "How many judgments does each pool depth take?",
        "Enter a budget, in judgments or hours; click on a depth in the chart.",
        "minD = 0.1 takes 12,920 to 37,515 judgments at depth 10 to 50. What is your budget?",
        "The share of relevant documents that a shallow pool misses, and τ with the full judgments.",
    ),
    Example(
        "error_rate",
        "Two runs differ by 0.05 AP on 50 topics. Would other topics agree?",
        "Set the difference to 0.05 and n to 50.",
        "A difference of 0.05 AP is reversed on 7.0 % of other topic sets",
        "The number of topics for the tolerated error rate, with its interval.",
    ),
    Example(
        "judges",
        "A RAG team has 40 questions, 3 systems with 3 seeds each, a judge that agrees with people at .6 on "
        "differences, and 15 questions labelled by people. What should it buy for 100 units of money?",
        "Keep *a judge, and some human labels*. Costs: 2 for a human label of a question, 0.1 for a question, "
        "0.05 for a judge call. Then choose *several seeds or repeats per system*, with 5 for a seed and 0.02 "
        "for a score.",
        "No reliable difference between rag-large and rag-small: +0.0526 ± 0.0849",
        "The best split of 100 units: 42 human labels among 106 judged questions with 1 judge call each (standard "
        "error 0.0232); people alone could label 47 questions (0.0243). Buy labels first, then more questions, "
        "and no second judge call. Seeds: 69 questions with 2 seeds per system detect a difference of 0.1 for 45 "
        "units; a third seed is not the next thing to buy.",
    ),
    Example(
        "topic_subsets",
        "How few of the 50 topics would have been enough for r = 0.95?",
        "Keep Pearson's correlation and the target 0.95.",
        "Best 3 topics: r = 0.961 here, 0.745 on other runs",
        "The value on other runs: on these, the best subset is chosen with knowledge of all scores.",
    ),
    Example(
        "topic_variance",
        "Would another document collection change the ranking of these runs?",
        "Keep *Documents, shared by all runs*.",
        "Other documents reverse 2.7 % of run pairs",
        "The difference below which pairs are undecided, and the rank intervals.",
    ),
    Example(
        "training_sensitivity",
        "By which measure should b of BM25 be tuned with 10 % of the judgments?",
        "Keep the simulated sweep. For your own system, upload one run per setting.",
        "Train by infAP or nDCG",
        "Whether the confidence interval of the gain excludes 0 and exceeds the least worthwhile gain.",
    ),
)

REPORTING = """
Each page has *Text for a paper*: a paragraph in plain text and in LaTeX with BibTeX. *Record, JSON* contains all
inputs, results, seeds, versions and a hash of the data, so that others can repeat the computation.

Report these things:

| what | example |
| --- | --- |
| the design and its requirements | one-way ANOVA, α = .05, β = .20, minD = 0.10 AP, m = 10 |
| the variance and its source | σ² = 0.0467, pooled over two earlier rounds (50 topics each) |
| the number of topics and the power it reaches | 147 topics, power 80.0 % |
| the uncertainty | 90 % confidence interval of n: 121 to 183 |
| for simulations | number of trials, seed, standard error |
| for subsets | the value on held-out runs, not only the one in-sample |
| the software | Topicset with its version |

Sentences that reviewers question:

| instead of | write |
| --- | --- |
| "50 topics are enough" | "50 topics detect a difference of 0.17 AP with 80 % power" |
| "the systems do not differ" | "no significant difference; 50 topics would detect 0.17 AP with 80 % power" |
| "3 topics rank the runs like all 50" | "the best 3 topics correlate at .96 with all 50, at .73 on other runs" |
"""


TESTED = "Tested statements"
"""Name of the tab that has the results of simulations."""

_STATEMENTS = Path(__file__).parents[2] / "docs" / "statements.md"
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>\s*')


class Section(NamedTuple):
    """A statement with its test and results, in Markdown; the key is its place in addresses."""

    key: str
    title: str
    text: str


def tested_statements() -> Iterator[Section]:
    """Yield the sections of docs/statements.md, which `make statements` writes."""
    first, *rest = _ANCHOR.split(_STATEMENTS.read_text(encoding="utf-8"))
    for key, text in zip(("tested", *rest[::2]), (first, *rest[1::2]), strict=True):
        title, _, body = text.lstrip("# ").partition("\n")
        yield Section(
            key, title, body.replace("[reference_data.md](reference_data.md)", "docs/reference_data.md")
        )
