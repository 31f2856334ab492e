"""docs/api.md: what users import from the core, from signatures, docstrings and parameters."""

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, NamedTuple

import topicset_core
from topicset_core.inputs import Inputs
from topicset_core.parameters import Parameter

WIDEST_VALUE = 60
MOST_ATTRIBUTES = 12

_DESIGN = "Requirements required_topics"
_POWER = f"{_DESIGN} power detectable_delta required_topics_grid"
API = {
    "": " ".join(topicset_core.__all__),
    "designs": "DESIGNS ALL_DESIGNS Design Plan design_named",
    "designs.results": "ErrorRateResult PowerResult WidthResult",
    "designs.paired_t": _POWER,
    "designs.two_sample_t": _POWER,
    "designs.one_way_anova": f"{_POWER} AnovaResult",
    "designs.blocked_anova": _POWER,
    "designs.all_pairs": _DESIGN,
    "designs.against_baseline": _DESIGN,
    "designs.non_inferiority": _DESIGN,
    "designs.equivalence": _DESIGN,
    "designs.confidence_interval": _DESIGN,
    "designs.two_sample_confidence_interval": _DESIGN,
    "designs.error_rate": f"{_DESIGN} reer",
    "designs.group_sequential": f"{_DESIGN} Looks",
    "designs.two_stage": f"{_DESIGN} TwoStageResult",
    "variance": "ESTIMATES STATED_VARIANCES ClusteredDifferences Estimate GroupComponents StatedVariance "
    "VarianceInterval clustered_differences group_components one_way pooled pooled_interval two_way",
    "variance.atlas": "SimilarTask atlas similar_task",
    "preparation": "Prepared Steps divide join_topics prepare",
    "measures": "KNOWN Conventions GradedRuns Measure measure_named",
    "retrieval": "BM25 PL2 Index build_index",
    "parsing": "Choices ReadRuns ReadScores Track read_frame read_groups read_qrels read_run read_runs "
    "read_score_files read_scores read_text_collection read_track",
    "collection": "Intents JudgedRuns Qrels Run ScoreMatrix TextCollection select",
    "samples": "simulated_diversity_track simulated_judge simulated_sweep simulated_task simulated_track",
    "analyses.sizing": "ReportedResult compare_designs",
    "analyses.score_variance": "VarianceUncertainty variance_uncertainty",
    "analyses.run_evaluation": "Evaluation Request evaluate",
    "analyses.pool_depth": "DepthDesign DepthStudy Request depth_study",
    "analyses.error_rate": "Answer Request error_rate",
    "analyses.rank_resolution": "Request Resolution resolve",
    "analyses.achieved_power": "AchievedPower Request achieved_power",
    "analyses.judge_study": "agreement study two_sets",
    "analyses.repeats": "Answer answer",
    "analyses.two_systems": "Answer Request compare_two",
    "analyses.stability": "Request Stability stability",
    "analyses.topic_subsets": "Request SubsetCurve subset_curve",
    "analyses.topic_variance": "Findings Request topic_variance",
    "analyses.training_sensitivity": "Request Sweep TrainingSensitivity sweep_of training_sensitivity",
    "exports": "Report",
    "errors": "InputError NoSolution ParseError TopicsetError",
}
"""The names that users import, by package: one function per design and analysis, their requests and results, the
nouns, readers and writers. All others are internal: a sentence describes them."""


class Public(NamedTuple):
    """A function, class or constant that a package exports."""

    package: str
    name: str
    value: Any

    @property
    def is_documented_itself(self) -> bool:
        """Whether it is a function or class, which have docstrings."""
        return is_function(self.value) or inspect.isclass(self.value)

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.value) or ""


def _module(package: str) -> str:
    return f"topicset_core.{package}".rstrip(".")


def is_function(value: object) -> bool:
    """Whether it is a function, or a method that a module shares with others under its own name."""
    return inspect.isfunction(value) or inspect.ismethod(value)


def public_of(package: str) -> list[Public]:
    """The names of a package that users import."""
    module = import_module(_module(package))
    return [Public(package, name, getattr(module, name)) for name in API[package].split()]


def everything() -> list[Public]:
    """All functions, classes and constants of the page."""
    return [public for package in API for public in public_of(package)]


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The library"
    yield ""
    yield (
        "What users import from `topicset_core`: name, signature, and the first line of its documentation; "
        "`help(...)` in Python shows the rest. Inputs have the bounds and defaults with which they are checked. "
        "`python -m docs.makers` writes this page from the code."
    )
    for package in API:
        module = import_module(_module(package))
        yield from ("", f"## {_module(package)}", "", _first_line(inspect.getdoc(module) or ""))
        for title, kind in (("Functions", _functions), ("Classes", _classes), ("Constants", _constants)):
            lines = list(kind(public_of(package)))
            if lines:
                yield from ("", f"**{title}**", "", *lines)


def _functions(result: list[Public]) -> Iterator[str]:
    for public in result:
        if is_function(public.value):
            yield f"- `{public.name}{_signature(public.value)}`: {_first_line(public.doc)}"


def _classes(result: list[Public]) -> Iterator[str]:
    for public in result:
        if inspect.isclass(public.value):
            head = f"- `{public.name}{_fields(public.value)}`: {_first_line(public.doc)}"
            more = _more_attributes(public.value)
            yield f"{head} Also: {', '.join(f'`{name}`' for name in more)}." if more else head
            for name, parameter in inputs_of(public.value).items():
                rule = (
                    f"{parameter.rule.removeprefix('must be ')}; the page begins with {parameter.default:g}"
                )
                yield f"  - `{name}` ({parameter.symbol}): {rule}. {parameter.help}"


def inputs_of(cls: type) -> dict[str, Parameter]:
    """The fields of a request that a `Parameter` checks, declared or by the names in its module."""
    if issubclass(cls, Inputs):
        return {one.name: one.parameter for one in cls.declared() if isinstance(one.parameter, Parameter)}
    if not is_dataclass(cls) or not cls.__name__.endswith(("Request", "Requirements", "Settings")):
        return {}
    known: dict[str, Parameter] = {}
    for base in reversed(cls.__mro__):
        values = [*vars(sys.modules[base.__module__]).values(), *vars(base).values()]
        known |= {value.name: value for value in values if isinstance(value, Parameter)}
    return {field.name: known[field.name] for field in fields(cls) if field.name in known}


def _constants(result: list[Public]) -> Iterator[str]:
    for public in result:
        if not public.is_documented_itself:
            value = repr(public.value).removeprefix("typing.")
            is_plain = len(value) <= WIDEST_VALUE and " at 0x" not in value
            yield f"- `{public.name}` = `{value}`" if is_plain else f"- `{public.name}`"


def _signature(function: Any) -> str:
    return re.sub(r"<function (\w+) at 0x\w+>", r"\1", str(_short(inspect.signature(function))))


def _short(signature: inspect.Signature) -> inspect.Signature:
    """The signature without types, which the documentation of each parameter gives."""
    bare = [
        one.replace(annotation=inspect.Parameter.empty, default=_shown_default(one.default))
        for one in signature.parameters.values()
    ]
    return signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)


class _Shown:
    """A default as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _shown_default(default: Any) -> Any:
    if default is inspect.Parameter.empty:
        return default
    if inspect.isfunction(default):
        return _Shown(default.__name__)
    text = repr(default)
    return _Shown(text if len(text) <= WIDEST_VALUE and " at 0x" not in text and "<" not in text else "...")


def _fields(cls: type) -> str:
    """The fields of a dataclass or the parameters of another class; nothing for a tuple of constants."""
    try:
        return str(_short(inspect.signature(cls)))
    except (TypeError, ValueError):
        return ""


def _more_attributes(cls: type) -> list[str]:
    """Names of its public methods and properties, where they are few."""
    fields = set(inspect.signature(cls).parameters) if is_dataclass(cls) else set()
    named = [
        name
        for name, value in vars(cls).items()
        if not name.startswith("_")
        and name not in fields
        and (
            inspect.isfunction(value)
            or isinstance(value, property | classmethod)
            or hasattr(value, "attrname")
        )
    ]
    return named if len(named) <= MOST_ATTRIBUTES else [*named[:MOST_ATTRIBUTES], "..."]


def _first_line(doc: str) -> str:
    """The first paragraph on one line."""
    return " ".join(doc.split("\n\n")[0].split()).replace("``", "`")
