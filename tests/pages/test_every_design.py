"""Each design: page, link, command and library take the same values and have one number."""

from typing import Any

import pytest

from tests.cli.running import record
from tests.pages.app import big_number, errors, healthy, linked, open_page, planned
from topicset_core.designs import ALL_DESIGNS, Design, design_named
from topicset_core.parameters import MIN_D, MIN_DELTA, TOPICS

PAGES: dict[str, tuple[str, dict[str, str]]] = {
    "paired-t": ("paired_t", {}),
    "two-sample-t": ("two_sample_t", {}),
    "anova": ("one_way_anova", {}),
    "two-way-anova": ("topics_as_blocks", {}),
    "all-pairs": ("every_pair", {"compared": "pairs"}),
    "against-baseline": ("every_pair", {"compared": "baseline"}),
    "non-inferiority": ("at_least_as_good", {"claim": "as-good"}),
    "equivalence": ("at_least_as_good", {"claim": "equal"}),
    "mcnemar": ("right_or_wrong", {"aim": "difference"}),
    "non-inferior-shares": ("right_or_wrong", {"aim": "as-good"}),
    "equivalent-shares": ("right_or_wrong", {"aim": "equal"}),
    "paired-shares-ci": ("right_or_wrong", {"aim": "interval"}),
    "share-ci": ("right_or_wrong", {"aim": "one"}),
    "ci": ("confidence_interval", {}),
    "two-sample-ci": ("confidence_interval", {}),
    "looks": ("looks", {"rounds": "looks"}),
    "top-up": ("looks", {"rounds": "top-up"}),
}
"""The page of each design, and its choice there."""

# Off the defaults, so that a page or a command that forgets one of them is found out.
ODD: dict[str, Any] = {"alpha": 0.03, "beta": 0.3, "n_systems": 4, "looks": 2, "pilot_topics": 12}
ODD |= {"min_d": 0.123456789012345, "margin": 0.061, "max_width": 0.087, "true_difference": 0.0123}

each_design = pytest.mark.parametrize(
    "design", [design_named(slug) for slug in PAGES], ids=lambda design: design.slug
)


def _values(design: Design) -> dict[str, Any]:
    """Odd values, the last word of each choice, the variance of shared topics, and no optional value."""
    numbers = {one.name: ODD[one.name] for one in design.parameters}
    words = {one.name: list(one.options)[-1] for one in design.choices if one is not TOPICS}
    if words.get("detect") == "all":  # each power takes seconds where Holm's procedure is simulated
        words |= {"detect": "any", "procedure": "bonferroni"}
    return {**numbers, design.variance.name: 0.0357, **words}


def _options(design: Design, values: dict[str, Any]) -> list[str]:
    known = (*design.parameters, design.variance, *design.choices, MIN_DELTA)
    options = {one.name: one.option for one in known}
    return [part for name, value in values.items() for part in (options[name], str(value))]


def test_every_design_but_that_of_error_rates_has_a_page_here() -> None:
    assert {one.slug for one in ALL_DESIGNS} - set(PAGES) == {"error-rate"}


@each_design
def test_page_link_command_and_library_have_one_number(
    design: Design, capsys: pytest.CaptureFixture[str]
) -> None:
    page, choice = PAGES[design.slug]
    values = _values(design)
    topics = design.plan(**values).required_topics().required_topics
    app = open_page(f"pages/{page}.py", **{name: str(value) for name, value in values.items()}, **choice)
    assert (errors(app), big_number(app)) == ([], topics)
    link = {name: text for name, (text,) in linked(app).items()}
    assert {name: link[name] for name in values} == {name: str(value) for name, value in values.items()}
    again = open_page(f"pages/{page}.py", **link)
    assert (big_number(again), linked(again)) == (topics, linked(app))
    capsys.readouterr()  # what pages logged
    printed = record(capsys, "size", design.slug, *_options(design, values))
    assert printed["required_topics"] == topics
    # Where page or command takes the difference as an effect size, so does the other, and there is one number.
    groups: Any = app.get("button_group")
    units = [one for one in groups if one.label == "State the difference in"]
    assert bool(units) == design.takes_effects
    if design.takes_effects:
        (unit,) = units
        app = planned(healthy(unit.set_value("standard deviations").run()), min_delta=0.4)
        left_out = MIN_D.name, design.variance.name
        by_effect = {name: value for name, value in values.items() if name not in left_out}
        if TOPICS in design.choices:  # no variance decides it here
            by_effect[TOPICS.name] = TOPICS.default
        capsys.readouterr()  # what pages logged
        printed = record(capsys, "size", design.slug, *_options(design, by_effect | {MIN_DELTA.name: 0.4}))
        assert big_number(app) == printed["required_topics"]
        min_d = float(design.min_d_of(0.4, values[design.variance.name]))
        assert float(linked(app)[MIN_D.name][0]) == min_d
