"""The tests that can be checked, each with the design that sizes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from topicset_core.designs import (
    Design,
    Plan,
    all_pairs,
    blocked_anova,
    mcnemar,
    one_way_anova,
    paired_t,
    two_sample_t,
)
from topicset_core.designs.studentised import n_comparisons
from topicset_core.parameters import N_SYSTEMS, ChoiceParameter

Null = Literal["centred", "swapped"]

NULL = ChoiceParameter(
    name="null",
    label="Equal systems are made by",
    help="Centring gives both systems one mean and keeps the skew; swapping exchanges their scores at random "
    "within each topic. Rank tests need swapping: their null hypothesis is not about means.",
    options={"centred": "centring each system", "swapped": "swapping scores within topics"},
)

NULLS = {"centred": "equal means", "swapped": "exchangeable scores"}
"""What equal systems have in common, in words."""

SHIFT = ChoiceParameter(
    name="shift",
    label="The difference is made by",
    help="Adding it to every topic, or scaling scores down so that they stay in their range and zeros stay zeros. "
    "McNemar's test needs scores of 0 and 1: some of them are turned into the other.",
    options={
        "additive": "adding it to every topic",
        "bounded": "scaling scores down",
        "turned": "turning some scores of 0 and 1",
    },
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignificanceTest:
    """A test, what it compares, and the design that sizes it."""

    # On the command line and in links
    name: str
    label: str
    in_words: str  # as the subject of a sentence
    compares: Literal["pairs", "sets"] = "pairs"  # two systems, or m of them
    topics: tuple[str, ...] = ("shared",)  # whether systems may share topics
    null: Null = "centred"  # how equal systems are made for it
    design: Design

    @property
    def variance(self) -> str:
        """The variance its design takes: of a "difference", the two-way "residual", or that "within" one system."""
        return self.design.variance.name.partition("_")[0]

    @property
    def is_randomised(self) -> bool:
        """Whether each trial draws permutations or sign flips of its own."""
        return self.name in ("sign-flip", "randomised-tukey")

    @property
    def is_of_shares(self) -> bool:
        """Whether scores must be 0 or 1."""
        return self.design is mcnemar.DESIGN

    def suits(self, *, is_binary: bool) -> bool:
        """Return whether it can be checked on scores that are all 0 or 1, or on others."""
        return self.name != "wilcoxon" if is_binary else not self.is_of_shares

    @property
    def shift(self) -> str:
        """How a difference is made for it."""
        return "turned" if self.is_of_shares else "additive"

    @property
    def of_mcnemar(self) -> str:
        """How McNemar's test decides, as its design has it."""
        return "mid-p" if self.name == "mcnemar-mid-p" else "exact"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Travel to another process by name: a design holds functions that cannot."""
        return test_named, (self.name,)

    def plan(self, alpha: float, beta: float, n_systems: int, topics: str) -> Plan:
        """Return the plan that sizes the test; difference and variance are open."""
        fixed: dict[str, Any] = {"alpha": alpha, "beta": beta}
        if self.name == "bonferroni":
            fixed["alpha"] = alpha / n_comparisons("pairs", n_systems)
        if N_SYSTEMS in self.design.parameters:
            fixed["n_systems"] = n_systems
        if self.is_of_shares:
            fixed[mcnemar.MCNEMAR.name] = self.of_mcnemar
        elif self.design.choices:
            fixed |= {"procedure": "tukey", "topics": topics, "detect": "pair"}
        return self.design.plan(**fixed)

    def has_blocks(self, topics: str) -> bool:
        """Return whether it removes topic difficulty, topics being "shared" or "separate"."""
        return self.variance != "within" and topics == "shared"


TESTS = (
    SignificanceTest(
        name="two-way-f",
        label="Two-way ANOVA, topics as blocks",
        in_words="two-way ANOVA",
        compares="sets",
        design=blocked_anova.DESIGN,
    ),
    SignificanceTest(
        name="paired-t",
        label="Paired t test",
        in_words="the paired t test",
        design=paired_t.DESIGN,
    ),
    SignificanceTest(
        name="two-sample-t",
        label="Two-sample t test",
        in_words="the two-sample t test",
        topics=("separate", "shared"),
        design=two_sample_t.DESIGN,
    ),
    SignificanceTest(
        name="wilcoxon",
        label="Wilcoxon signed rank test",
        in_words="the Wilcoxon signed rank test",
        null="swapped",
        design=paired_t.DESIGN,
    ),
    SignificanceTest(
        name="sign-flip",
        label="Sign-flip randomisation test",
        in_words="the sign-flip test",
        design=paired_t.DESIGN,
    ),
    SignificanceTest(
        name="one-way-f",
        label="One-way ANOVA",
        in_words="one-way ANOVA",
        compares="sets",
        topics=("separate", "shared"),
        design=one_way_anova.DESIGN,
    ),
    SignificanceTest(
        name="tukey",
        label="Tukey HSD",
        in_words="Tukey's HSD",
        compares="sets",
        topics=("shared", "separate"),
        design=all_pairs.DESIGN,
    ),
    SignificanceTest(
        name="randomised-tukey",
        label="Randomised Tukey HSD",
        in_words="randomised Tukey HSD",
        compares="sets",
        design=all_pairs.DESIGN,
    ),
    SignificanceTest(
        name="bonferroni",
        label="Paired t tests, Bonferroni or Holm",
        in_words="paired t tests with Bonferroni's correction",
        compares="sets",
        design=paired_t.DESIGN,
    ),
    SignificanceTest(
        name="mcnemar",
        label="McNemar's exact test (scores 0, 1)",
        in_words="McNemar's exact test",
        null="swapped",
        design=mcnemar.DESIGN,
    ),
    SignificanceTest(
        name="mcnemar-mid-p",
        label="McNemar's mid-p test (scores 0, 1)",
        in_words="McNemar's mid-p test",
        null="swapped",
        design=mcnemar.DESIGN,
    ),
)
"""All of them, the usual one first. Holm's procedure has the error probability of Bonferroni's if all systems are
equal, and its power for one pair or more."""

TEST = ChoiceParameter(
    name="test",
    label="Test",
    help="The test that is run on the resampled topics.",
    options={test.name: test.label for test in TESTS},
    default=TESTS[0].name,
)


def test_named(name: str) -> SignificanceTest:
    """Return the test of this name."""
    TEST.check(name)
    return next(test for test in TESTS if test.name == name)


def test_of(design: Design, values: Mapping[str, Any]) -> SignificanceTest | None:
    """Return the test that a design sizes, None where that is no test of `TESTS`."""
    if design is mcnemar.DESIGN:
        wanted = values.get(mcnemar.MCNEMAR.name, mcnemar.MCNEMAR.default)
        return next((test for test in TESTS if test.is_of_shares and test.of_mcnemar == wanted), None)
    if design is not all_pairs.DESIGN:
        return next((test for test in TESTS if test.design is design), None)
    if values.get("detect", "pair") != "pair":
        return None
    name = "tukey" if values.get("procedure", "tukey") == "tukey" else "bonferroni"
    return test_named(name) if values.get("topics", "shared") in test_named(name).topics else None
