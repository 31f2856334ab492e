"""Topics in groups: what ``variance`` answers of them, how many groups ``size`` takes, and what is refused."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import topicset_core as topicset
from tests.cli.running import record, refusal, text, written
from tests.variance.matrices import of
from tests.variance.test_group_components import SIZES, drawn
from topicset_core.cli import main
from topicset_core.designs import paired_t
from topicset_core.designs.grouped import variation_of_sizes
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, TWO_WAY, clustered_differences, group_components
from topicset_core.variance.intervals import COVERS_IN_GROUPS
from topicset_core.wording import GROUPS_OF_ONE

MATRIX = drawn(SIZES, 0.6, 3)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    pairs = zip(MATRIX.topics, MATRIX.groups or (), strict=True)
    Path("groups.tsv").write_text("\n".join(["topic\tgroup", "other\tg9", *map("\t".join, pairs)]))
    written(MATRIX, Path("scores.csv"))
    return "scores.csv", "groups.tsv"


def test_variance_answers_correlation_and_design_effect(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    scores, groups = files
    found = record(capsys, "variance", scores, "--groups", groups)
    expected = group_components(MATRIX)
    assert found["intraclass_correlation"] == pytest.approx(expected.intraclass_correlation)
    assert found["design_effect"] == pytest.approx(expected.design_effect)
    for name in ("intraclass_correlation", "design_effect"):
        interval = found[f"{name}_interval"]
        assert interval["low"] <= found[name] <= interval["high"]
        assert interval["level"] == 0.9
    (row,) = found["matrices"]
    assert row["groups"]["two_way"]["design_effect"] == found["design_effect"]
    assert (row["groups"]["n_groups"], row["groups"]["sizes"]) == (5, [1, 5])
    pairs = clustered_differences(MATRIX)
    ratio = np.median(pairs.standard_errors / pairs.independent_errors)
    assert row["groups"]["error_ratio"] == pytest.approx(ratio)
    # Of fixed groups only the mean square within them is left: its root over that of the variance of all topics.
    same = np.sqrt(expected.within / TWO_WAY(MATRIX))
    assert row["groups"]["error_ratio_of_same_groups"] == pytest.approx(same)
    # Without groups nothing changes but the intervals of variances, which then leave out topics.
    plain = record(capsys, "variance", scores)
    (left,) = plain["matrices"]
    assert {name: row[name] for name in left if "interval" not in name} == {
        name: value for name, value in left.items() if "interval" not in name
    }
    assert row["one_way_interval"]["effective_df"] < left["one_way_interval"]["effective_df"]
    assert "intraclass_correlation" not in plain
    shown = text(capsys, "variance", scores, "--groups", groups)
    low, high = COVERS_IN_GROUPS["sum of squares"]
    assert f"cover {low} to {high} % in simulation" in shown
    assert "15 topics in 5 groups of 1 to 5." in shown
    assert "Caution: only 5 groups." in shown


def test_groups_by_a_pattern_and_of_chosen_topics(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    scores, groups = files
    chosen = record(capsys, "variance", scores, "--groups", groups, "--only-topics", "t0-t8")
    assert chosen["matrices"][0]["groups"]["n_groups"] == 3
    named = tuple(f"{group}_{place}" for place, group in enumerate(MATRIX.groups or ()))
    scores = written(replace(MATRIX, topics=named), Path("named.csv"))
    by_pattern = record(capsys, "variance", scores, "--groups", "*_*")
    assert by_pattern["design_effect"] == pytest.approx(group_components(MATRIX).design_effect)
    assert "each topic" in refusal(capsys, "variance", scores, "--groups", groups)


@pytest.mark.parametrize(
    "command",
    [
        ("variance",),
        ("compare-two", "--pair", "s0", "s1", "--margin", ".02"),
        ("leaderboard",),
        ("error-rate", "--trials", "20"),
        ("stability",),
        ("subsets", "--holdout", "topics", "--splits", "2", "--starts", "1", "--trials", "20", "--seed", "1"),
    ],
    ids=lambda one: one[0],
)
def test_groups_of_one_topic_each_are_left_out_by_all_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: tuple[str, ...]
) -> None:
    """With scores of 0 and 1, which have answers of their own where topics have no groups."""
    rng = np.random.default_rng(5)
    binary = replace(of((rng.random((40, 3)) < 0.5).astype(float)), name="mine")
    scores = written(binary, tmp_path / "scores.csv")
    name, *others = command
    results = []
    for groups in ([], ["--groups", "*"]):
        main([name, scores, *others, *groups, "--json"])
        printed = capsys.readouterr()
        assert not printed.err
        results.append(json.loads(printed.out))
    plain, alone = results
    assert GROUPS_OF_ONE in json.dumps(alone.pop("recognised", GROUPS_OF_ONE))
    assert GROUPS_OF_ONE not in json.dumps(plain.pop("recognised", ""))
    assert alone == plain
    main([name, scores, *others, "--groups", "*"])
    assert capsys.readouterr().out.count(GROUPS_OF_ONE) <= 1


def test_groups_are_a_mapping_in_python(files: tuple[str, str]) -> None:
    scores, groups = files
    by_file = topicset.score_variance(scores, groups=groups)
    mapping = dict(zip(MATRIX.topics, MATRIX.groups or (), strict=True))
    assert topicset.score_variance(scores, groups=mapping).text == by_file.text
    numbers: dict[Any, Any] = {
        int(topic[1:]): int(group[1:]) for topic, group in mapping.items()
    }  # t3 in g1: 3 in 1
    renamed = replace(MATRIX, topics=tuple(topic[1:] for topic in MATRIX.topics), groups=None)
    assert (
        topicset.score_variance(renamed, groups=numbers).record["design_effect"]
        == by_file.record["design_effect"]
    )
    with pytest.raises(topicset.InputError, match="must name a group of each topic"):
        topicset.score_variance(scores, groups={"t1": "g1"})
    with pytest.raises(FileNotFoundError, match=r"no\.csv"):  # as the documentation of each function says
        topicset.score_variance(scores, groups="no.csv")
    assert "OSError" in (topicset.score_variance.__doc__ or "")


def test_further_columns_of_a_table_of_groups_are_named(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    scores, groups = files
    plain = text(capsys, "variance", scores, "--groups", groups)
    lines = Path(groups).read_text().splitlines()
    Path("more.tsv").write_text(
        "\n".join([f"{lines[0]}\tlevel\ttitle", *(f"{one}\teasy\tx" for one in lines[1:])])
    )
    note = "Columns of more.tsv that were not read: 'level', 'title'."
    printed = text(capsys, "variance", scores, "--groups", "more.tsv")
    assert (note in plain, note in printed) == (False, True)
    assert note in record(capsys, "variance", scores, "--groups", "more.tsv")["recognised"]
    given = ("--scores", scores, "--groups", "more.tsv", "--group-size", "4")
    assert text(capsys, *PAIRED, *given).count(note) == 1


def test_a_similar_task_leaves_the_correlation_of_the_scores_known(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    scores, groups = files
    given = (*PAIRED, "--scores", scores, "--groups", groups, "--group-size", "4")
    words = "takes the intraclass correlation of the scores as known"
    similar = ("--similar-to", "dl-passage:nDCG@10")
    assert text(capsys, *given, *similar, "--measure", MATRIX.measure).count(words) == 1
    assert words not in text(capsys, *given)


PAIRED = ("size", "paired-t", "--alpha", ".05", "--beta", ".20", "--min-d", ".05")
CONVERSATIONS = ("--difference-variance", ".03", "--intraclass-correlation", ".2")


def test_size_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, *PAIRED, *CONVERSATIONS, "--group-size", "12")
    assert (found["required_groups"], found["required_topics"]) == (28, 336)  # tests/designs/test_grouped.py
    assert found["design_effect"] == pytest.approx(3.2)
    assert found["attained_power"] >= 0.8 > found["power_one_group_fewer"]
    assert found["requirements"]["difference_variance"] == 0.03  # of a topic, not of a mean
    words = text(capsys, *PAIRED, *CONVERSATIONS, "--group-size", "12")
    assert words.startswith("28 groups of 12 topics  (Paired t test, exact)")
    assert "336 topics in all" in words
    costs = ("--cost-group", "5", "--cost-topic", "1")
    cheapest = record(capsys, *PAIRED, *CONVERSATIONS, *costs)
    assert cheapest["best"]["group_size"] == cheapest["group_size"]
    assert cheapest["best"]["cost"] == cheapest["required_groups"] * (5 + cheapest["group_size"])
    few = text(
        capsys,
        *PAIRED,
        "--difference-variance",
        ".002",
        "--intraclass-correlation",
        ".2",
        "--group-size",
        "2",
    )
    assert "Caution: only" in few


def test_size_by_the_groups_of_scores(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    scores, groups = files
    given = ("--scores", scores, "--groups", groups, "--group-size", "4")
    found = record(capsys, *PAIRED[:-1], ".5", *given, "--estimate", "mean-of-pairs")
    parts = group_components(MATRIX)
    assert found["intraclass_correlation"] == pytest.approx(parts.intraclass_correlation)
    s2 = MEAN_PAIR_DIFFERENCE(MATRIX)
    # Of the variance over all topics this share is seen, by the expectations of both mean squares: the rest is
    # what groups differ by beyond chance.
    n_0 = (15 - 55 / 15) / 4
    seen = 1 - parts.intraclass_correlation + parts.intraclass_correlation * n_0 * 4 / 14
    assert found["variance"]["value"] == pytest.approx(s2 / seen)
    # Groups of 1 to 5 topics count as groups of 4 (1 + CV^2); sizes 3, 2, 4, 1, 5 have the variance 2.
    cv = math.sqrt(2) / 3
    assert found["group_size_cv"] == pytest.approx(cv)
    k, rho = 4 * (1 + cv**2), parts.intraclass_correlation
    of_means = s2 / seen * (1 + (k - 1) * rho) / k
    assert found["variance_of_group_means"]["value"] == pytest.approx(of_means)
    design, interval = paired_t.DESIGN, found["variance_of_group_means"]["interval"]
    plan = replace(design.plan(alpha=0.05, beta=0.2, min_d=0.5), size_cv=found["group_size_cv"])
    assert found["groups_interval"] == [plan.topics_of(interval[end]) for end in ("low", "high")]
    assert found["groups_interval"][0] < found["required_groups"] < found["groups_interval"][1]


def test_assurance_in_groups_is_that_of_their_means(capsys: pytest.CaptureFixture[str]) -> None:
    """The same question of a design whose topics are means of groups: .03 (1 + 11 x .2) / 12 = .008."""
    given = ("--assurance", ".9", "--effective-df", "24")
    found = record(capsys, *PAIRED, *CONVERSATIONS, "--group-size", "12", *given)["assurance"]
    means = record(capsys, *PAIRED, "--difference-variance", ".008", *given)["assurance"]
    assert (found.pop("unit"), means.pop("unit")) == ("group", "topic")
    assert found == pytest.approx(means)
    words = text(capsys, *PAIRED, *CONVERSATIONS, "--group-size", "12", *given)
    assert f"{found['topics_for_certainty']} groups have 80 % power with 90 % certainty" in words


def test_rounds_of_a_task_are_pooled_with_their_groups(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Both components are pooled with the weights of the variances, n - 1."""
    rounds = [drawn((3, 2, 4, 1, 5), 0.3, 4), drawn((2,) * 8, 0.5, 4, seed=3)]
    files = []
    for place, one in enumerate(rounds):
        files.append(tmp_path / f"{place}.csv")
        rows = zip(one.topics, one.groups or (), one.scores.tolist(), strict=True)
        lines = [f"{topic},{group},s{at},{x!r}" for topic, group, row in rows for at, x in enumerate(row)]
        files[-1].write_text("\n".join(["topic,group,system,score", *lines]))
    more = ("--group-size", "6", "--estimate", "mean-of-pairs", "--json")
    found = record(capsys, *PAIRED[:-1], ".5", "--scores", *map(str, files), *more[:-1])
    parts = [group_components(one) for one in rounds]
    weights = [one.n_topics - 1 for one in rounds]
    between, within = (
        2 * sum(w * getattr(one, name) for w, one in zip(weights, parts, strict=True)) / sum(weights)
        for name in ("between", "within")
    )
    assert found["intraclass_correlation"] == pytest.approx(between / (between + within))
    assert found["variance"]["value"] == pytest.approx(between + within)
    assert found["variance_of_group_means"]["value"] == pytest.approx(
        between + within / (6 * (1 + variation_of_sizes(rounds) ** 2))
    )


@pytest.mark.parametrize(
    ("more", "option"),
    [
        (("--group-size", "12"), "--intraclass-correlation"),
        (("--intraclass-correlation", ".2"), "--group-size"),
        (("--intraclass-correlation", "1", "--group-size", "2"), "--intraclass-correlation"),
        (("--intraclass-correlation", ".2", "--cost-group", "2"), "--cost-topic"),
        (("--group-size", "2", "--groups", "groups.tsv"), "--groups"),
    ],
)
def test_size_refuses(capsys: pytest.CaptureFixture[str], more: tuple[str, ...], option: str) -> None:
    assert f": {option} = " in refusal(capsys, *PAIRED, "--difference-variance", ".03", *more)


@pytest.mark.parametrize("design", ["top-up", "error-rate", "mcnemar"])
def test_size_refuses_groups_for_other_designs(capsys: pytest.CaptureFixture[str], design: str) -> None:
    given = ("size", design, "--alpha", ".05", "--min-d", ".05", "--variance", ".03", "--group-size", "12")
    assert refusal(capsys, *given).endswith(f"--group-size = 12: has no meaning for {design}")


def test_designs_for_scores_of_0_and_1_name_the_plan_in_groups(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    matrix = drawn((2,) * 15, 0.3, 3)
    scores = written(replace(matrix, scores=(matrix.scores > 0.5).astype(float)), tmp_path / "scores.csv")
    (tmp_path / "groups.csv").write_text(
        "\n".join(["topic,group", *map(",".join, zip(matrix.topics, matrix.groups or (), strict=True))])
    )
    given = ("--min-d", ".4", "--alpha", ".05", "--beta", ".20", "--scores", scores)
    groups = ("--groups", str(tmp_path / "groups.csv"), "--group-size", "2")
    plain = text(capsys, "size", "paired-t", *given)
    assert "McNemar's exact test: 24 topics; 19 topics give it 66.1 % power" in plain
    assert "McNemar" not in text(capsys, "size", "paired-t", *given, *groups)
    long = tmp_path / "long.csv"
    rows = zip(matrix.topics, matrix.groups or (), (matrix.scores > 0.5).tolist(), strict=True)
    lines = [f"{topic},{group},s{at},{x:d}" for topic, group, row in rows for at, x in enumerate(row)]
    long.write_text("\n".join(["topic,group,system,score", *lines]))
    assert "McNemar's test does not hold for topics in groups" in text(
        capsys, "size", "mcnemar", *given[:-1], str(long)
    )


def test_a_leaderboard_flips_whole_groups(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    scores, groups = files
    found = record(capsys, "leaderboard", scores, "--groups", groups)
    assert (found["n_groups"], found["n_flips"]) == (5, 32)
    assert "Caution: only 5 groups" in found["caution"]
    assert "n_groups" not in record(capsys, "leaderboard", scores)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("check", ("--test", "paired-t", "--min-d", ".5", "--trials", "200", "--topics", "5")),
        ("error-rate", ("--trials", "200", "--min-d", ".5")),
        ("stability", ()),
    ],
)
def test_groups_take_the_place_of_topics(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, more: tuple[str, ...]
) -> None:
    """Of equal groups, what a command answers is what it answers of a table of their means."""
    matrix = drawn((3,) * 12, 0.4, 4)
    pairs = zip(matrix.topics, matrix.groups or (), strict=True)
    groups = tmp_path / "groups.csv"
    groups.write_text("\n".join(["topic,group", *map(",".join, pairs)]))
    means = matrix.scores.reshape(12, 3, 4).mean(axis=1)
    rows = replace(
        matrix.taken(range(12), range(4)), scores=means, topics=tuple(matrix.group_sizes), groups=None
    )
    one = record(capsys, command, written(matrix, tmp_path / "a.csv"), *more, "--groups", str(groups))
    other = record(capsys, command, written(rows, tmp_path / "b.csv"), *more)
    assert one["n_groups"] == 12
    numbers = {name for name, value in other.items() if isinstance(value, int | float)}
    numbers -= {"variance", "stated_power"}  # as planned, with one correlation for all pairs: the next test
    assert len(numbers) > 1
    assert {name: one[name] for name in numbers} == pytest.approx({name: other[name] for name in numbers})
    printed = text(capsys, command, str(tmp_path / "a.csv"), *more, "--groups", str(groups))
    assert "36 topics in 12 groups" in printed


@pytest.mark.parametrize(("test", "design"), [("paired-t", "paired-t"), ("two-way-f", "two-way-anova")])
def test_a_check_in_groups_states_the_power_of_its_plan(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str], test: str, design: str
) -> None:
    scores, groups = files
    asked = ("--alpha", ".05", "--beta", ".2", "--min-d", ".6", "--groups", groups)
    more = () if design == "paired-t" else ("--systems", str(MATRIX.n_systems))
    planned = record(capsys, "size", design, "--scores", scores, *asked, *more)
    checked = record(capsys, "check", scores, "--test", test, "--trials", "20", *asked, *more)
    assert checked["n_topics"] == planned["required_groups"]
    assert checked["stated_power"] == pytest.approx(planned["attained_power"])


def test_subsets_hold_out_whole_groups(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    scores, groups = files
    common = ("subsets", scores, "--groups", groups)
    options = ("--holdout", "topics", "--splits", "5", "--starts", "1", "--trials", "20", "--seed", "1")
    assert "(5 groups of topics kept together)" in text(capsys, *common, *options)
    assert "has no meaning without --holdout topics" in refusal(capsys, *common)


def test_files_that_are_joined_are_groups(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same as one file with a column of groups; in Python, too."""
    matrix = drawn((4, 3, 5), 0.5, 2)
    matrix = replace(matrix, groups=tuple(f"DL{group}" for group in matrix.groups or ()))
    files = []
    for group in matrix.group_sizes:
        places = [place for place, one in enumerate(matrix.groups or ()) if one == group]
        files.append(written(matrix.taken(places, range(2)).grouped(None), tmp_path / f"{group}.csv"))
    whole = tmp_path / "whole.csv"
    whole.write_text(matrix.to_csv())
    found = record(capsys, "variance", *files, "--join", "--measure", "AP")
    expected = record(capsys, "variance", str(whole), "--measure", "AP")
    for name in ("design_effect", "intraclass_correlation", "pooled"):
        assert found[name] == expected[name]
    assert found["recognised"][-1].endswith("each is a group: DLg0 (4), DLg1 (3), DLg2 (5).")
    joined = topicset.compare_two(files, join=True, measure="AP").answer
    assert joined.matrix.groups == matrix.groups
    assert np.array_equal(joined.matrix.scores, matrix.scores)
    named = topicset.score_variance(files, join=True, collection="DL").record["matrices"]
    assert [one["name"] for one in named] == ["DL"]
    assert "3 groups" in text(capsys, "leaderboard", *files, "--join")
    for more, told in (
        ((files[0], "--join"), "at least 2"),
        ((*files, "--join", "--groups", "*_*"), "left out with --join"),
        ((files[0], str(whole), "--join"), "no groups of topics"),
    ):
        assert told in refusal(capsys, "variance", *more)
    assert "needs --scores" in refusal(capsys, *PAIRED, "--difference-variance", ".03", "--join")
    assert "with --qrels" in refusal(
        capsys, "compare-two", *files, "--join", "--qrels", "x", "--measure", "AP"
    )
