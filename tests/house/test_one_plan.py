"""How many topics is asked in one place: pages and commands decide nothing of it by themselves.

A page or a command that estimates a variance, puts a plan in groups or searches its topics would sooner or later
give another number than `topicset_core.analyses.planning` for the same question.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from docs.makers.imports import ROOT, name_of
from tests.house.test_architecture import _modules

DECIDE = {
    "required_topics",
    "pooled",
    "in_groups",
    "in_groups_of_scores",
    "variance_uncertainty",
    "usual_estimate",
    "similar_uncertainty",
}
"""Functions and methods that decide a part of a plan."""

ALLOWED = {
    ("pages.parts.data", "pooled"): "the variance of each measure, on the page of the scores: no plan",
    ("pages.parts.error_rate", "required_topics"): "topics by error rates, which planning does not answer",
    ("topicset_core.cli.variance", "pooled"): "the command prints variances: no plan",
    ("topicset_core.cli.files", "in_groups"): "its own function, which reads the groups of scores",
    ("topicset_core.cli.command", "in_groups"): "that of topicset_core.cli.files",
    ("topicset_core.cli.evaluate", "in_groups"): "that of topicset_core.cli.files",
}
"""What may be called, by module and name, with the reason."""


def _used(tree: ast.Module) -> Iterator[str]:
    """Yield what a module calls of these, by a name or as a method, and what it imports and hands on."""
    nodes = list(ast.walk(tree))
    aliases = [one for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names]
    # Under another name it would not be seen below.
    yield from (one.name for one in aliases if one.name in DECIDE and one.asname)
    imported = {one.name for one in aliases}
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in DECIDE & imported:
                yield name
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in DECIDE:
                yield name


@cache
def _found() -> dict[tuple[str, str], Path]:
    """Return what pages and commands use, with the file."""
    return {
        (name_of(path), name): path
        for path in _modules("pages", "topicset_core/cli")
        for name in _used(ast.parse(path.read_text()))
    }


def test_pages_and_commands_leave_plans_to_planning() -> None:
    wrong = [f"{module} uses {name}" for module, name in sorted(_found().keys() - ALLOWED.keys())]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_still_one() -> None:
    assert not ALLOWED.keys() - _found().keys()


def test_the_function_of_files_is_not_that_of_designs() -> None:
    """The exceptions named `in_groups` are those of score files."""
    for (module, name), path in _found().items():
        if name == "in_groups" and (module, name) in ALLOWED:
            assert "designs.grouped" not in path.read_text(), module


def test_each_way_to_decide_is_seen() -> None:
    module = """
from topicset_core.variance import pooled as mean
from topicset_core.designs import grouped
from topicset_core.analyses.score_variance.uncertainty import variance_uncertainty
a = plan.required_topics().required_topics
b = usual_estimate(one, matrices)
c = partial(variance_uncertainty, matrices)
d = grouped.in_groups_of_scores(plan, matrices, estimate)
pooled = request.in_groups, result.required_topics
f = pooled[0], in_groups
"""
    seen = {"pooled", "required_topics", "usual_estimate", "variance_uncertainty", "in_groups_of_scores"}
    assert set(_used(ast.parse(module))) == seen
    assert len(_modules("pages", "topicset_core/cli")) > 50
    assert (ROOT / "pages/start.py") in _modules("pages", "topicset_core/cli")
