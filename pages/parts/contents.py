"""The table of contents: every page of the app, one entry each, in the order of the menus.

The navigation, the head of each page, the links of the start page, the guide and the tests that open every page
are made from it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """One page of the app."""

    name: str  # name of its file in `pages`, without the ending
    title: str  # its name in the menus and in its head
    url_path: str
    section: str  # menu that has it
    question: str  # the question that it answers, below its title
    meaning: str = ""  # what its headline means, in two sentences
    assumption: str = ""  # the assumption of the headline that matters most, in a sentence
    link: str = ""  # label of the link to it on the start page
    former: tuple[str, ...] = ()  # earlier addresses, which lead to it

    @property
    def file(self) -> str:
        """Path of its file below the repository."""
        return f"pages/{self.name}.py"

    @property
    def address(self) -> str:
        """Path of its address."""
        return f"/{self.url_path}"

    @property
    def heading(self) -> str:
        """Head of the page: its title, and on the start page, whose logo has the app's name, its first question."""
        return self.title if self.url_path else "How many topics?"


def page_named(name: str) -> Page:
    """Return the entry of the page with this file name."""
    return next(page for page in PAGES if page.name == name)


def by_address() -> dict[str, Page]:
    """Return the entries of all pages by their addresses, also by earlier ones."""
    return {address: page for page in PAGES for address in (page.url_path, *page.former)}


_TWO, _SEVERAL = "Plan for two systems", "Plan for several"
_RESULTS, _JUDGMENTS, _DATA, _REPORT = "Results", "Judgments", "Data", "Report"

PAGES = (
    Page(
        name="start",
        title="Start",
        url_path="",
        section="",
        question="How many topics your test collection needs, how deep to judge, and how far to trust the results.",
    ),
    Page(
        name="user_guide",
        title="Guide",
        url_path="guide",
        section="",
        question=(
            "Which page answers your question, what the symbols mean, worked examples, and how to report results."
        ),
    ),
    Page(
        name="paired_t",
        title="Paired t test",
        url_path="paired-t-test",
        section=_TWO,
        question="How many topics does a comparison of two systems on the same topics need to detect a difference?",
        meaning=(
            "With this many topics the paired t test detects a true difference of minD with probability 1 − β. If"
            " the systems are equal, it reports a difference with probability α."
        ),
        assumption="Per-topic differences of the next pair of systems have the variance that is entered here.",
    ),
    Page(
        name="two_sample_t",
        title="Two-sample t test",
        url_path="two-sample-t-test",
        section=_TWO,
        question="How many topics does each of two systems need when they are evaluated on different topics?",
        meaning=(
            "With this many topics per system the two-sample t test detects a true difference of minD with "
            "probability 1 − β. If the systems are equal, it reports a difference with probability α."
        ),
        assumption="Both systems have the variance σ² that is entered here.",
    ),
    Page(
        name="at_least_as_good",
        title="At least as good",
        url_path="non-inferiority-and-equivalence",
        section=_TWO,
        question=(
            "How many topics does it take to show that a system is at least as good as another, or equally good?"
        ),
        meaning=(
            "With this many topics the test shows the claim with probability 1 − β if the true difference is θ. "
            "If the system is worse by the margin, it shows the claim with probability α at most."
        ),
        assumption="Scores of the next pair of systems have the variance that is entered here.",
    ),
    Page(
        name="right_or_wrong",
        title="Right or wrong",
        url_path="scores-of-0-and-1",
        section=_TWO,
        question=(
            "Scores are 0 or 1: success@k, P@1, exact match, pass or fail. How many topics do one or two systems "
            "need?"
        ),
        meaning=(
            "With this many topics the aim is reached, and no larger number of topics falls short of it. The test"
            " or the interval is the one that is used for such scores."
        ),
        assumption="The next systems have the shares that are entered here, or follow from the scores.",
    ),
    Page(
        name="confidence_interval",
        title="Confidence interval",
        url_path="confidence-interval",
        section=_TWO,
        question="How many topics does a narrow confidence interval of the difference of two systems need?",
        meaning=(
            "With this many topics the confidence interval of the difference has the width δ or less, on average."
            " A narrow interval shows how large a difference is, not only that there is one."
        ),
        assumption="Per-topic differences of the next pair of systems have the variance that is entered here.",
    ),
    Page(
        name="looks",
        title="Interim tests and pilots",
        url_path="looks-and-top-up",
        section=_TWO,
        question="Score some topics, test, and add more only if needed: when may you stop, and at what cost?",
        meaning=(
            "With these topics the test detects a difference of minD with probability 1 − β. If the systems are "
            "equal, it reports a difference with probability α over all looks together."
        ),
        assumption="Looks and α are fixed before the first score is known, and topics are in random order.",
    ),
    Page(
        name="topics_as_blocks",
        title="Two-way ANOVA",
        url_path="two-way-anova",
        section=_SEVERAL,
        question=(
            "How many topics does a two-way ANOVA (system and topic) need, where all systems share the topics?"
        ),
        meaning=(
            "With this many topics two-way ANOVA detects a difference of minD between the best and the worst "
            "system with probability 1 − β. If all systems are equal, it reports a difference with probability α."
        ),
        assumption=(
            "The differences of all pairs of systems have the same variance, twice the σₑ² that is entered here."
        ),
    ),
    Page(
        name="one_way_anova",
        title="One-way ANOVA",
        url_path="one-way-anova",
        section=_SEVERAL,
        question=(
            "How many topics does a comparison of m systems need to detect a difference between the best and the "
            "worst?"
        ),
        meaning=(
            "With this many topics the ANOVA detects a difference of minD between the best and the worst system "
            "with probability 1 − β. If all systems are equal, it reports a difference with probability α."
        ),
        assumption="Scores of the next task have the variance σ² that is entered here.",
    ),
    Page(
        name="every_pair",
        title="Every pair",
        url_path="multiple-comparisons",
        section=_SEVERAL,
        question="How many topics does it take to find which of m systems differ, pair by pair or from a baseline?",
        meaning=(
            "With this many topics a true difference of minD is detected with probability 1 − β, at a familywise "
            "error rate of α."
        ),
        assumption="The differences of all pairs of systems have the same variance.",
    ),
    Page(
        name="compare_designs",
        title="Compare designs",
        url_path="compare-designs",
        section=_SEVERAL,
        question=(
            "How many topics does each design need with each measure, and which differences can each measure "
            "detect?"
        ),
        meaning=(
            "A design is a test or an interval, and each needs its own number of topics for the same "
            "requirements. The range is from the test that needs the fewest topics to the test that needs the "
            "most."
        ),
        assumption="The scores of the next collection vary as these scores do.",
    ),
    Page(
        name="two_systems",
        title="Two systems",
        url_path="two-systems",
        section=_RESULTS,
        question=(
            "Is one system better than another on the same topics, or not worse by a margin, or is that not "
            "decided?"
        ),
        meaning=(
            "The difference of the means over topics, with its confidence interval. “Better” and “worse” hold "
            "where the interval does not contain 0, “not worse” where its lower end is above the margin."
        ),
        assumption="Your topics are a random sample of the topics that matter.",
        link="Is B better than A?",
    ),
    Page(
        name="rank_resolution",
        title="Leaderboard",
        url_path="leaderboard",
        section=_RESULTS,
        question="Which ranks of these systems are real, and which systems may be the best?",
        meaning=(
            "The order of a resolved pair holds for the whole population of topics; the probability that any "
            "resolved order is wrong is at most α. A system's interval contains the ranks that remain possible."
        ),
        assumption="Your topics are a random sample, and differences between equal systems are symmetric around 0.",
        link="Which ranks are real?",
    ),
    Page(
        name="error_rate",
        title="Error rate on other topics",
        url_path="error-rate",
        section=_RESULTS,
        question="How often would a different set of topics reverse the order of two runs?",
        meaning=(
            "Two runs differ by this much on your topics. On another set of as many topics, their order is "
            "reversed in this share of cases."
        ),
        assumption=(
            "The other topics are drawn from the same population as yours, and the two runs resemble the runs of "
            "your scores."
        ),
        link="Will other topics agree?",
    ),
    Page(
        name="reported_result",
        title="Power of a reported result",
        url_path="reported-result",
        section=_RESULTS,
        question=(
            "A paper reports a t or an F. How large was the effect, and how many topics does a replication need?"
        ),
        meaning=(
            "With this many new topics the result is significant again with probability 1 − β, if published "
            "effects shrink as differences between the runs of a track do."
        ),
        assumption=(
            "The two systems are any two of a track. Two of the best runs differ less: only 10 to 80 % of their "
            "results came again at this number, by collection."
        ),
    ),
    Page(
        name="achieved_power",
        title="Power by simulation on my scores",
        url_path="check-on-my-scores",
        section=_RESULTS,
        question="Does the test have the stated error probability α and the stated power with scores like mine?",
        meaning=(
            "Topics are drawn again from your scores, and the test is run on pairs of runs that differ by minD. "
            "The headline is the share of trials in which the test detects the difference, next to the planned "
            "power."
        ),
        assumption=(
            "The next task's scores are distributed as these; scores that these topics lack cannot be drawn."
        ),
    ),
    Page(
        name="topic_subsets",
        title="Fewer, well-chosen topics",
        url_path="topic-subsets",
        section=_RESULTS,
        question="How many topics would have been enough to rank these runs, and which ones?",
        meaning=(
            "The best subset is chosen with knowledge of all scores, so its value is optimistic. The value on "
            "held-out runs is realistic."
        ),
        assumption="The runs that are ranked later resemble these runs.",
    ),
    Page(
        name="topic_variance",
        title="Other documents",
        url_path="topic-variance",
        section=_RESULTS,
        question="Would another document collection change the ranking, with the same runs and topics?",
        meaning=(
            "Documents are drawn again from your collection, and all runs are scored again. The headline is the "
            "average share of run pairs that change order."
        ),
        assumption=(
            "The other documents resemble the documents of your collection; documents without a judgment are not "
            "relevant."
        ),
    ),
    Page(
        name="runs_and_qrels",
        title="Runs and judgments",
        url_path="runs-and-qrels",
        section=_JUDGMENTS,
        question="What do my runs score, and how much do the scores vary from topic to topic?",
        meaning=(
            "σ² is the variance of one run's scores over topics, averaged over runs. The required number of "
            "topics grows in proportion to it."
        ),
        assumption="Documents without a judgment count as not relevant, except for bpref and infAP.",
    ),
    Page(
        name="pool_depth",
        title="Pool depth",
        url_path="pool-depth",
        section=_JUDGMENTS,
        question="Many topics with shallow pools, or few topics with deep ones: what does the budget buy?",
        meaning=(
            "The budget is spent whole at each depth. Shallow pools pay for more topics, which detect smaller "
            "differences; deep ones find more of the relevant documents."
        ),
        assumption="New pools are as large, and new scores vary as much, as with these runs.",
        link="How deep to judge?",
    ),
    Page(
        name="judges",
        title="Judges and repeats",
        url_path="judges-and-repeats",
        section=_JUDGMENTS,
        question=(
            "Scores come from an LLM judge, or systems ran with several seeds: does the judge agree with people, "
            "how large is the difference, and what should you buy next?"
        ),
        meaning=(
            "The difference of two systems with an interval that allows for the judge's errors, or for seeds, and"
            " the cheapest way to a narrower one."
        ),
        assumption="Labelled topics are a random sample of the judged ones, and these of all topics.",
        link="A model as judge?",
    ),
    Page(
        name="training_sensitivity",
        title="Tuning on few judgments",
        url_path="training-sensitivity",
        section=_JUDGMENTS,
        question=(
            "A system is tuned on incomplete judgments. By which measure should it be trained, and does it "
            "matter?"
        ),
        meaning=(
            "A parameter setting is chosen on training topics with part of the judgments and evaluated on test "
            "topics with all of them. A measure is recommended if its choices score higher on the test topics."
        ),
        assumption="Judgments are missing at random; real pools miss documents that are hard to find.",
    ),
    Page(
        name="score_matrices",
        title="Score matrices",
        url_path="score-matrices",
        section=_DATA,
        question="How much do scores vary from topic to topic? Upload scores of similar systems on a similar task.",
        meaning=(
            "σ² is the variance of one system's scores over topics, averaged over systems. The required number of"
            " topics grows in proportion to it."
        ),
        assumption="The systems and topics of your next task vary as much as in these scores.",
    ),
    Page(
        name="dossier",
        title="Dossier",
        url_path="task-dossier",
        section=_REPORT,
        question="Which answers belong in the proposal for my task? Here they become one document.",
    ),
)
