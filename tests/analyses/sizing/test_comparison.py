"""Tables 6 and 7 and figure 1 of Sakai, Topic set size design, IRJ 19 (2016).

The printed tables contain more than the text states; stated values are tested as stated, the others
against tests/reference, whose tables say in their first lines how they were computed.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from tests.reference.tables import numbers
from tests.refusals import refused
from topicset_core.analyses.planning import PlanRequest, Scores, Similar, Source, Stated
from topicset_core.analyses.planning import planned as answer
from topicset_core.analyses.sizing import DIFFERENCES, ComparisonTable, compare_designs
from topicset_core.analyses.sizing.cells import Numbers, StatedGroups, Target
from topicset_core.analyses.sizing.comparison import (
    NOT_IN_GROUPS,
    STAND_IN_SYSTEMS,
    anova_label,
    designs_sentence,
    effect_table,
    method_lines,
    spoken_of,
)
from topicset_core.analyses.sizing.comparison_report import FOR_PAIRS, Comparison, findings, planned_table
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import (
    DESIGNS,
    blocked_anova,
    confidence_interval,
    design_named,
    mcnemar,
    one_way_anova,
    paired_t,
    two_sample_t,
)
from topicset_core.designs.results import Method
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.findings import found_on
from topicset_core.parameters import MARGIN
from topicset_core.samples import simulated_task
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE, two_way

ALPHA, BETA = 0.05, 0.20
LARGEST = 0.1206  # section 6.2: the largest of table 5, of figure 1
_LABELS = [line.label for line in method_lines(LARGEST, alpha=ALPHA, beta=BETA)]
PLACES = T, T2, ANOVA_2, ANOVA_10, ANOVA_100, INTERVAL, INTERVAL_2 = [
    _LABELS.index(label)
    for label in (
        paired_t.DESIGN.label,
        two_sample_t.DESIGN.label,
        *map(anova_label, (2, 10, 100)),
        "confidence interval, paired",
        "confidence interval, two-sample",
    )
]
"""Places of the methods of the papers in the order of the tables and of the lines."""


def tables(
    variances: dict[str, float],
    method: Method = "published",
    differences: tuple[float, ...] = DIFFERENCES,
    **more: Any,
) -> tuple[ComparisonTable, ...]:
    levels: dict[str, Any] = {"alpha": ALPHA, "beta": BETA}
    return compare_designs(stated(variances), differences=differences, method=method, **levels | more)


def stated(
    variances: dict[str, float], binary: tuple[str, ...] = (), **more: Mapping[str, float]
) -> dict[str, Source]:
    """Return within-system variances as sources, and others by the names of theirs."""
    return {
        measure: Numbers(
            of={
                "within_system_variance": Stated(
                    values={"within_system_variance": value}, measure=measure, binary=measure in binary
                ),
                **({} if more else {"difference_variance": Stated(values={"within_system_variance": value})}),
                **{name: Stated(values={name: of[measure]}) for name, of in more.items() if measure in of},
            }
        )
        for measure, value in variances.items()
    }


def cell(table: ComparisonTable, difference: float, measure: str) -> int:
    return int(table.topics[table.differences.index(difference), table.measures.index(measure)])


COLUMNS: dict[Method, list[str]] = {
    "exact": [
        *("t_exact", "t2_exact", "anova_exact", "anova10_exact", "anova100_exact"),
        *("paired_gamma", "two_sample_gamma"),
    ],
    "published": [
        *("t_published", "t2_published", "anova_minus", "anova10_minus", "anova100_minus"),
        *("paired_gamma", "two_sample_approximate"),
    ],
}
"""Columns of tests/reference with the sizes of each table."""


@pytest.mark.parametrize("method", ["exact", "published"])
def test_every_cell_against_plain_designs(method: Method) -> None:
    rows = {(row["variance"], row["min_d"]): row for row in numbers("sizes_t_and_anova_of_two")}
    for row in numbers("sizes_interval_and_anova"):
        rows[row["variance"], row["width"]] |= row
    result = tables({f"{variance}": variance for variance, _ in rows}, method)
    for place, column in zip(PLACES, COLUMNS[method], strict=True):
        for (variance, difference), row in rows.items():
            expected = row[column]
            if place == INTERVAL and method == "published" and expected > 343:
                expected = row["anova10_minus"]  # where GAMMA overflows, section 6.2
            assert cell(result[place], difference, f"{variance}") == expected, (place, row)


def test_tables_and_lines_have_the_same_names(golden: SnapshotAssertion) -> None:
    labels = [table.method_label for table in tables({"AP": 0.0471})]
    assert [line.label for line in method_lines(LARGEST, alpha=ALPHA, beta=BETA)] == labels
    assert labels == golden


def test_ten_systems_replace_the_interval_above_343_topics_against_sakai_2016() -> None:
    """Excel's GAMMA(172) overflows, so that n = 343 is the last one whose Gamma(n / 2) it has."""
    # Widths that exactly 343 and 344 topics reach, E(2 MOE) of Eq. 33 and a hair more.
    last, first = (
        float(confidence_interval.width(n, 2 * 0.0471, alpha=ALPHA)) * (1 + 1e-9) for n in (343, 344)
    )
    result = tables({"AP": 0.0471}, differences=(first, last))
    assert result[INTERVAL].stands_in.tolist() == [[True], [False]]
    assert cell(result[INTERVAL], last, "AP") == 343
    assert cell(result[INTERVAL], first, "AP") == cell(result[ANOVA_10], first, "AP") != 344
    for place, table in enumerate(result):
        assert place == INTERVAL or not table.stands_in.any()
    assert not any(table.stands_in.any() for table in tables({"AP": 0.0471}, "exact"))
    assert STAND_IN_SYSTEMS == 10


def test_published_interval_is_that_of_the_2016_sheet() -> None:
    """The Gamma ratio of Eq. 32, not the 2018 sheet's 1 - 1/(4 phi), which needs one topic fewer here."""
    # At the width of n topics the approximation, a little smaller, already allows n - 1 or less.
    width = float(confidence_interval.width(20, 0.1, alpha=ALPHA, method="published"))
    exact = int(confidence_interval.required_topics_grid(width, 0.1, alpha=ALPHA))
    approximate = int(confidence_interval.required_topics_grid(width, 0.1, alpha=ALPHA, method="published"))
    assert (exact, approximate) == (21, 20)
    result = tables({"AP": 0.05}, differences=(width,))
    assert cell(result[INTERVAL], width, "AP") == 21


def test_smallest_of_each_row_is_marked_and_ties_are_all_marked() -> None:
    result = tables({"worst": 0.1206, "best": 0.0301, "twin": 0.0301, "middle": 0.0471}, "exact")
    for table in result:
        assert table.measures == ("worst", "best", "twin", "middle")
        assert table.smallest.tolist() == [[False, True, True, False]] * len(DIFFERENCES)
    # Unequal variances, equal sizes at .25.
    close = tables({"a": 0.0471, "b": 0.0472}, "exact")[T2]
    assert close.topics[DIFFERENCES.index(0.25)].tolist() == [13, 13]
    assert close.smallest[DIFFERENCES.index(0.25)].tolist() == [True, True]
    assert close.smallest[DIFFERENCES.index(0.02)].tolist() == [True, False]


def test_smallest_is_marked_after_replacement_by_ten_systems() -> None:
    """With beta .50 the ANOVA of ten needs far fewer topics than the interval that it replaces."""
    table = compare_designs(
        stated({"343 topics": 0.0277, "350 topics": 0.0283}),
        alpha=ALPHA,
        beta=0.50,
        differences=(0.05,),
        method="published",
    )[INTERVAL]
    assert table.stands_in.tolist() == [[False, True]]
    assert cell(table, 0.05, "350 topics") < cell(table, 0.05, "343 topics") <= 343
    assert table.smallest.tolist() == [[False, True]]


def test_lines_are_the_detectable_differences_of_the_designs() -> None:
    lines = method_lines(LARGEST, alpha=ALPHA, beta=BETA)
    levels: dict[str, Any] = {"alpha": ALPHA, "beta": BETA}
    for place, plan, variance in (
        (T, paired_t.DESIGN.plan(**levels), 2 * LARGEST),
        (T2, two_sample_t.DESIGN.plan(**levels), LARGEST),
        (ANOVA_10, one_way_anova.DESIGN.plan(**levels, n_systems=10), LARGEST),
        (INTERVAL, confidence_interval.DESIGN.plan(alpha=ALPHA), 2 * LARGEST),
    ):
        line = lines[place]
        assert (line.n_topics[0], line.n_topics[-1]) == (10, 2000)
        assert (np.diff(line.n_topics) > 0).all()
        np.testing.assert_allclose(line.difference, plan.detected(line.n_topics, variance), rtol=1e-14)
        assert line.is_width == (place == INTERVAL)


def test_the_published_method_omits_only_undefined_cells() -> None:
    """Table 2 of the paper has no lambda for alpha .02; its t test and its interval need none."""
    result = tables({"AP": 0.0471}, "published", alpha=0.02)
    exact = tables({"AP": 0.0471}, "exact", alpha=0.02)
    for place in (T, T2):
        assert result[place].topics.all()
    for place in (ANOVA_2, ANOVA_10, ANOVA_100):
        assert not result[place].topics.any()
        assert not result[place].smallest.any() or exact[place].topics.all()
    # Above 343 topics the ANOVA would replace it, but is not available.
    beyond = exact[INTERVAL].topics > 343
    assert (result[INTERVAL].topics[beyond] == 0).all()
    assert (result[INTERVAL].topics[~beyond] == exact[INTERVAL].topics[~beyond]).all()


def test_numbers_of_systems_chosen_by_the_user() -> None:
    result = {table.method_label: table for table in tables({"AP": 0.0471}, "exact", systems=(20, 5, 20))}
    assert [label for label in result if "ANOVA" in label] == [anova_label(5), anova_label(20)]
    # next-designs.md, 1.6, column A: sigma^2 .0471, minD .10.
    assert cell(result[anova_label(5)], 0.10, "AP") == 114
    assert cell(result[anova_label(20)], 0.10, "AP") == 195
    lines = method_lines(0.0471, alpha=ALPHA, beta=BETA, systems=(5, 20))
    assert [line.label for line in lines] == list(result)
    spoken, cells = spoken_of(tuple(result.values()))
    assert (spoken.method_label, [*cells]) == (anova_label(5), ["AP"])
    assert (cells["AP"].difference, cells["AP"].counted) == (0.10, "114 topics")


def test_planned_sizes_equal_each_design_at_each_measures_difference() -> None:
    target = Target(20, {"AP": 0.10, "nERR": 0.15}, {"AP": 0.08, "nERR": 0.2})
    by_topics = [
        compare_designs(
            stated({"AP": 0.0471, "nERR": 0.1206}, difference_variance={"AP": 0.0257}),
            alpha=ALPHA,
            beta=BETA,
            systems=[2],
            topics=topics,
            target=target,
        )
        for topics in ("shared", "separate")
    ]
    # A plan stands on one assumption: each design is planned on shared topics or on separate ones.
    planned_on = [{table.method_label for table in tables if table.planned} for tables in by_topics]
    assert {"paired t test", "confidence interval, paired"} == planned_on[0]
    assert {anova_label(20), "two-sample t test"} < planned_on[1]
    result = {
        table.method_label: {name: (cell.difference, cell.topics) for name, cell in table.planned.items()}
        for tables in by_topics
        for table in tables
        if table.planned
    }
    # next-designs.md, 1.6: column A at m = 20, and m = 2 of the blocked model, sigma_t^2 = 2 x .01285.
    assert result[anova_label(20)]["AP"] == (0.10, 195)
    assert result["paired t test"]["AP"] == (0.10, 23)
    assert result["paired t test"]["nERR"] == (0.15, 0)  # its sigma_t^2 is not given
    assert anova_label(2) not in result
    plan = one_way_anova.DESIGN.plan(alpha=ALPHA, beta=BETA, n_systems=20)
    assert result[anova_label(20)]["nERR"] == (0.15, int(plan.topics(0.15, 0.1206)))
    width = confidence_interval.DESIGN.plan(alpha=ALPHA)
    assert result["confidence interval, paired"]["AP"] == (0.08, int(width.topics(0.08, 0.0257)))
    spoken = spoken_of(by_topics[1])[1]
    assert {name: (one.difference, one.topics) for name, one in spoken.items()} == result[anova_label(20)]


def test_every_design_of_the_registry_is_compared_with_every_procedure() -> None:
    result = compare_designs(
        stated({"AP": 0.0471}, difference_variance={"AP": 2 * 0.01285}, residual_variance={"AP": 0.01285}),
        alpha=ALPHA,
        beta=BETA,
        systems=(10,),
        target=Target(10, {"AP": 0.1}, {"AP": 0.1}),
    )
    by_slug = Counter(table.slug for table in result)
    expected_tables = {design.slug: 1 for design in DESIGNS if design.difference_parameter is not MARGIN}
    assert expected_tables | {"all-pairs": 2, "against-baseline": 2} == by_slug
    planned = {table.method_label: table.planned["AP"].topics for table in result if table.planned}
    # next-designs.md, 1.6, column B (two-way residual .01285, minD .10, m = 10), and 2.5.
    expected = {
        "two-way ANOVA, m = 10": 42,
        "all pairs, Tukey HSD, m = 10": 42,
        "paired t test": 23,
        "against a baseline, Dunnett, m = 10": 33,
    }
    assert {label: planned[label] for label in expected} == expected
    assert all(planned.values())
    at_difference = {one.method_label: one.topics_by_measure(0.1)["AP"] for one in result if one.planned}
    assert planned == at_difference


@pytest.mark.parametrize("topics", ["shared", "separate"])
def test_scores_of_0_and_1_are_compared_by_designs_of_shares_too(topics: str) -> None:
    """Discordant shares of .08 and .03 take 340 topics by the paired t test and 367 by McNemar's (test_mcnemar)."""
    shares: dict[str, float] = mcnemar.DESIGN.of_shares((0.08, 0.03))
    variances = {"P@1": 0.21, "AP": 0.0471}
    pairs = {"P@1": shares["difference_variance"], "AP": 0.0257}
    compared = Comparison(
        sources=stated(variances, ("P@1",), difference_variance=pairs),
        levels=[(ALPHA, BETA)],
        differences=(0.05, 0.1),
        topics=topics,
        target=Target(10, dict.fromkeys(("P@1", "AP"), 0.05), dict.fromkeys(("P@1", "AP"), 0.1)),
        of="P@1",
    )
    added = [one for one in compared.tables if design_named(one.slug).shares]
    assert Counter(one.slug for one in added) == {
        "mcnemar": 1,
        "paired-shares-ci": 1,
        "share-ci": 1,
    }  # no margins
    assert [one.method_label for one in compared.tables if one not in added] == [
        one.method_label
        for one in replace(compared, sources=stated(variances, difference_variance=pairs)).tables
    ]
    assert [cell(one, 0.1, "AP") for one in added] == [0, 0, 0]
    assert cell(added[0], 0.05, "P@1") == 367
    planned = {one.method_label: one.planned["P@1"].topics for one in compared.tables if one.planned}
    of_one = "confidence interval of a share, Wilson"
    assert planned[of_one] == 319  # .3 or .7 of the topics are right: test_shares
    sentence, tiles = " ".join(designs_sentence(compared.tables, "P@1")[1:]), tiles_of(compared)
    said = "McNemar's exact test keeps this power from 367 topics on, and the paired t test asks for 340."
    tile = ("McNemar's test, exact", "367", "Discordant topics: 8 % and 3 %.")
    paper = compared.report().text[0]
    cited = "McNemar, Quinn. Note on the sampling error" in paper
    assert (said in sentence, tile in tiles, said in paper, cited) == ((topics == "shared"),) * 4
    assert f"topics {topics}" in sentence or f"{topics} topics" in sentence
    assert not any(design_named(one.slug).shares for one in replace(compared, method="published").tables)


def test_lines_of_scores_of_0_and_1_begin_where_a_difference_is_detected() -> None:
    """At the largest difference with this variance all topics are discordant: McNemar's is then a binomial test."""
    lines = {line.label: line for line in method_lines(0.2, alpha=0.001, beta=BETA, is_binary=True)}
    sizes, share = lines["paired t test"].n_topics, (1 + math.sqrt(1 - 0.4)) / 2
    most = stats.binom.isf(0.0005, sizes, 0.5) + 1  # the smallest count that rejects at alpha / 2
    power = stats.binom.sf(most - 1, sizes, share) + stats.binom.cdf(sizes - most, sizes, share)
    assert lines["McNemar's test, exact"].n_topics[0] == sizes[np.argmax(power >= 0.8)] > sizes[0] == 10
    assert all(np.isfinite(line.difference).all() for line in lines.values())


def test_multiple_comparisons_on_separate_topics_take_the_within_system_variance() -> None:
    result = tables({"AP": 0.0471}, "exact", systems=(3, 5, 10), topics="separate")
    tukey = {
        table.n_systems: table.topics_by_measure(0.1)["AP"]
        for table in result
        if "Tukey" in table.method_label
    }
    assert tukey == {3: 97, 5: 121, 10: 152}  # next-designs.md, 1.6, column A
    assert not any(table.variance == "residual_variance" for table in result)


def test_effects_against_sakai_2016_table_1() -> None:
    """The text states 199 topics for minDelta .2 at alpha .05, beta .20 (section 3.1)."""
    table = effect_table([(0.05, 0.20), (0.01, 0.10)], effects=[0.2, 0.5], method="published")
    assert table.topics.tolist() == [[199, 376], [34, 63]]  # tests/reference/sizes_paired_t.csv
    assert effect_table([(0.05, 0.20)], effects=[1e-6]).topics.tolist() == [[0]]
    with pytest.raises(InputError):
        effect_table([(0.05, 0.20)], effects=[-1.0])


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        ({"sources": {}}, "sources"),
        ({"differences": (0.1, 0.0)}, "min_d"),
        ({"differences": ()}, "differences"),
        ({"alpha": 1.5}, "alpha"),
        ({"beta": 0.99}, "beta"),
        ({"method": "Excel"}, "method"),
        ({"systems": ()}, "systems"),
        ({"systems": (1,)}, "n_systems"),
    ],
)
def test_bad_input_is_refused_by_name(changes: dict[str, object], parameter: str) -> None:
    given = {"sources": stated({"AP": 0.05}), "alpha": ALPHA, "beta": BETA} | changes
    assert refused(compare_designs, given.pop("sources"), **given).parameter == parameter


def test_variances_that_no_scores_have_are_refused_by_name() -> None:
    for variances in ({"AP": 0.0}, {"AP": 0.05, "RR": -1.0}):
        assert refused(stated, variances).parameter == "within_system_variance"


def test_cells_without_a_solution_are_empty_and_lines_refuse() -> None:
    for table in tables({"AP": 0.05}, "exact", differences=(1e-5, 0.1)):
        assert (table.topics[:, 0] > 0).tolist() == [False, True]
        assert table.columns()["AP"][0] is None
        assert table.topics_by_measure(1e-5) == {}
    with pytest.raises(NoSolution):  # ten topics detect nothing up to a thousand standard deviations
        method_lines(0.05, alpha=1e-40, beta=BETA)
    with pytest.raises(InputError):
        method_lines(-0.05, alpha=ALPHA, beta=BETA)


CONVERSATIONS = simulated_conversations()
AP = next(matrix for matrix in simulated_task() if matrix.measure == "AP")


def of_0_and_1(matrix: ScoreMatrix) -> ScoreMatrix:
    return replace(matrix, scores=(matrix.scores > np.median(matrix.scores)).astype(np.float64))


def tiles_of(compared: Comparison) -> list[tuple[str, str, str]]:
    """Return label, value and note of the numbers next to the headline."""
    return [(one.label, one.value, one.text) for one in found_on(findings(compared, None), "tile")]


def compared_one(source: Source, **more: Any) -> Comparison:
    given: dict[str, Any] = {
        "levels": [(ALPHA, BETA)],
        "of": "M",
        "target": Target(10, {"M": 0.1}, {"M": 0.12}),
    }
    return Comparison(sources={"M": source}, **given | more)


SOURCES: dict[str, Source] = {
    "scores": Scores(matrices=(AP,)),
    "0 and 1": Scores(matrices=(of_0_and_1(AP),)),
    "groups": Scores(matrices=(CONVERSATIONS,)),
    "unequal groups": Scores(matrices=(CONVERSATIONS.taken([*range(5), *range(40, 300)], [*range(8)]),)),
    "0 and 1 in groups": Scores(matrices=(of_0_and_1(CONVERSATIONS),)),
    "stated": Stated(
        values={"within_system_variance": 0.0471, "residual_variance": 0.01285}, effective_df=40, measure="M"
    ),
    "no interval": Stated(values={"within_system_variance": 0.0471, "residual_variance": 0.01285}),
    "similar": Similar(name="dl-passage:nDCG@10"),
}


@pytest.mark.parametrize("topics", ["shared", "separate"])
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_planned_cells_are_those_of_the_one_plan(source: Source, topics: str) -> None:
    compared = compared_one(source, topics=topics, differences=(0.1, 0.12))
    size = compared.group_sizes.get("M", 0)
    assert bool(size) == any(one.groups is not None for one in source.matrices)
    slugs = set()
    for table in compared.tables:
        if not table.planned:
            continue
        design, cell = design_named(table.slug), table.planned["M"]
        slugs.add(table.slug)
        if design.shares and size:
            assert (cell.topics, cell.plan) == (0, None)
            continue
        declared: Any = (*design.parameters, *design.choices)
        values: dict[str, Any] = {one.name: one.default for one in declared}
        values |= {design.difference_parameter.name: cell.difference}
        values |= {"topics": topics} if "topics" in values else {}
        values |= {"procedure": "bonferroni"} if "Bonferroni" in table.method_label else {}
        own = answer(PlanRequest(design=design, values=values), source)
        assert cell.difference == (0.1 if design.has_power else 0.12)
        assert (cell.topics, cell.counted, cell.group_size) == (own.topics, own.counted, size)
        assert cell.units == own.result.units
        assert cell.ends == (None if own.uncertain is None else own.uncertain.topics_interval)
        assert cell.by_pairs == {beside.name: beside.topics for beside in own.pairs}
        # The tables of other differences count by the same variance.
        assert cell.topics == int(table.topics[0 if design.has_power else 1, 0])
    paired = (
        {paired_t, blocked_anova, confidence_interval}
        if topics == "shared"
        else {two_sample_t, one_way_anova}
    )
    assert {one.DESIGN.slug for one in paired} <= slugs
    assert (mcnemar.DESIGN.slug in slugs) == (source.is_binary and topics == "shared")
    assert (NOT_IN_GROUPS in designs_sentence(compared.tables, "M")[2]) == (source.is_binary and bool(size))


@pytest.mark.parametrize("matrix", [AP, CONVERSATIONS], ids=["topics", "groups"])
def test_all_designs_on_shared_topics_rest_on_the_mean_of_pairs(matrix: ScoreMatrix) -> None:
    """A test of several systems at the same alpha never needs fewer topics than one pair."""
    compared = compared_one(Scores(matrices=(matrix,)))
    basis = compared.bases["M"]
    pair, residual = (basis[name].plan.variance for name in ("difference_variance", "residual_variance"))
    assert pair == pytest.approx(2 * residual, rel=1e-12)
    if matrix.groups is None:
        assert residual == pytest.approx(two_way(matrix), rel=1e-12)
    tests = {one.slug: one.planned["M"].topics for one in compared.tables if one.planned and not one.is_width}
    assert min(tests, key=tests.__getitem__) == "paired-t"
    assert not any("mean pair" in one.method_label for one in compared.tables)
    (tile,) = [one for one in tiles_of(compared) if FOR_PAIRS in one[0]]
    table: Any = planned_table(compared.tables)
    unit = "groups" if matrix.groups else "topics"
    at = table["method"].index("paired t test")
    topics = table[f"{unit} {FOR_PAIRS}, M"][at]
    counted = "Groups of 12 topics" if matrix.groups else "Topics"
    assert tile[1:] == (f"{topics:,}", f"{counted} by the {PAIR_PERCENTILE.label}.")
    assert topics > tests["paired-t"] == table[f"{unit}, M"][at]
    assert (
        topics
        == answer(
            PlanRequest(design=paired_t.DESIGN, values={"alpha": ALPHA, "beta": BETA, "min_d": 0.1}),
            Scores(matrices=(matrix,), estimates={"difference_variance": PAIR_PERCENTILE}),
        ).topics
    )


def test_numbers_have_their_intervals_in_sentences_tables_charts_and_records() -> None:
    compared = compared_one(SOURCES["groups"])
    by_slug = {one.slug: one for one in compared.tables if one.planned}
    cell = by_slug["paired-t"].planned["M"]
    assert cell.plan is not None
    low, high = cell.ends or (0, 0)
    assert low
    assert high
    assert cell.counted == f"{cell.topics} groups of 12 topics ({low} to {high})"
    report = compared.report()
    assert all(cell.counted in text for text in (report.sentence, *report.text))
    (bars,) = compared.figures_of_designs()
    trace = next(one for one in bars.drawing.data if cell.topics in one["x"])
    at = trace["x"].index(cell.topics)
    error = trace["error_x"]
    assert (error["array"][at], error["arrayminus"][at]) == (high - cell.topics, cell.topics - low)
    table = planned_table(compared.tables)
    row = [table[name][0] for name in table if name.endswith(", M")][:3]
    assert row == [cell.topics, low, high]
    assert table["topics, M"][0] == 12 * cell.topics
    recorded = by_slug["paired-t"].record()
    assert recorded["planned"]["M"]["groups_interval"] == [low, high]
    assert recorded["planned"]["M"]["required_topics"] == 12 * recorded["planned"]["M"]["required_groups"]
    assert recorded["required_topics"]["M"] == [12 * n for n in recorded["required_groups"]["M"]]


def test_few_pilot_topics_have_an_interval_and_no_number() -> None:
    few = AP.taken([*range(6)], [0, 1])
    compared = compared_one(Scores(matrices=(few,)), target=Target(2, {"M": 0.1}, {"M": 0.1}))
    cell = next(one.planned["M"] for one in compared.tables if one.slug == "paired-t" and one.planned)
    assert cell.is_guess
    low, high = cell.in_words
    assert cell.in_short == f"{low} to {high}"
    assert planned_table(compared.tables)["topics, M"][0] is None
    heading, sentence, _ = designs_sentence(compared.tables, "M")
    assert heading.startswith(f"{low} to ")
    assert f" {cell.topics} " not in f"{heading} {sentence}"
    (bars,) = compared.figures_of_designs()
    assert {n for trace in bars.drawing.data for n in trace["x"]} == {0}


def test_numbers_of_a_source_give_its_plan_again() -> None:
    """As a link carries them: variances with degrees of freedom, groups and correlations of their own."""
    stated_groups, of = {}, {}
    compared = compared_one(SOURCES["groups"])
    for name, basis in compared.bases["M"].items():
        assert basis.uncertain is not None
        assert basis.grouped is not None
        df = basis.uncertain.interval.effective_df
        of[name] = Stated(values={name: basis.of_topics.variance}, effective_df=df)
        stated_groups[name] = basis.grouped.intraclass_correlation
    again = compared_one(Numbers(of=of), groups={"M": StatedGroups(12, None, stated_groups)})
    assert [one.topics.tolist() for one in again.tables] == [one.topics.tolist() for one in compared.tables]
    assert designs_sentence(again.tables, "M") == designs_sentence(compared.tables, "M")
    assert MEAN_PAIR_DIFFERENCE(CONVERSATIONS) < again.bases["M"]["difference_variance"].of_topics.variance
