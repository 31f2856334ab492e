"""Stability: findings, tables, record and figure."""

from typing import Any

import numpy as np

from topicset_core.analyses.stability.result import (
    ACHIEVED,
    CoefficientStudy,
    Request,
    Signal,
    Stability,
    stability,
)
from topicset_core.charts.chart import Chart
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import SERIES
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.preparation.whole_groups import size_in_words, units_in_words
from topicset_core.question import Question
from topicset_core.references import BODOFF_LI_2007, URBANO_2013
from topicset_core.variance.components import Coefficient
from topicset_core.version import __version__
from topicset_core.wording import counted, in_units, number_or, percent

_POINTS = 80
_LINES: dict[Coefficient, str] = {"relative": "E ρ², the ranking", "absolute": "Φ, the means"}
_SYMBOLS = {"relative": "E ρ²", "absolute": "Φ"}
_SUBJECTS = {"relative": "the ranking", "absolute": "the means"}


def report(result: Stability) -> Report:
    """Return the answer with all its exports."""
    matrix, both = result.matrix, (result.relative, result.absolute)
    columns = coefficients(result.request.stability, matrix.unit)
    return Report(
        name="stability",
        title=f"Stability over {matrix.unit}s: {matrix.measure}, {matrix.name}",
        findings=findings(result),
        works=[BODOFF_LI_2007, URBANO_2013],
        tables=[
            ReportTable("coefficients", lambda: columns.table(both), "Stability", "stability"),
            ReportTable(
                "components",
                lambda: COMPONENTS.table(component_rows(result)),
                "Variance components",
                "variance-components",
            ),
        ],
        results=lambda: [record(result)],
        figures=lambda: [coefficients_by_topics(result)],
        measure=matrix.measure,
        preparation=(),
        matrices=[matrix],
        request=result.request.settings,
    )


def findings(result: Stability) -> list[Finding]:
    """Return the findings: both coefficients, topics for the wanted value, components, scope."""
    matrix, components, request = result.matrix, result.components, result.request
    units = f"{matrix.unit}s"
    shares = zip(("systems", units, "residual"), components.shares.values(), strict=True)
    parts = ", ".join(f"{name} {percent(share, '.1f')}" for name, share in shares)
    said = [
        Finding(
            f"Stability over {units} was estimated by a generalizability study {CITATION} of the {matrix.measure} "
            f"scores of {matrix.n_systems} systems on {size_in_words(matrix)} ({matrix.name}).",
            "paper",
        ),
        *(Finding(_sentence(result, study)) for study in (result.relative, result.absolute)),
        Finding(f"Shares of the variance: {parts}.", "paper"),
    ]
    if components.negative:
        which = " and ".join(in_units(f"{name}s", matrix.unit) for name in components.negative)
        said.append(Finding(f"The variance component of {which} is estimated below 0."))
    return [
        *said,
        Finding(
            f"These values are for the {components.n_systems:,} systems in this matrix: for better and more "
            "similar systems they are lower."
        ),
        Finding(ACHIEVED if matrix.unit == "topic" else f"{ACHIEVED} Groups were not simulated."),
        Finding(
            f"Intervals for other systems are from a jackknife over systems and over {units}; intervals for these "
            f"systems are from {request.n_trials:,} bootstrap resamples of the {units}, corrected for their bias, "
            f"seed {request.seed} (Topicset {__version__}).",
            "paper",
        ),
    ]


def _sentence(result: Stability, study: CoefficientStudy) -> str:
    """Return a coefficient with its intervals, and the topics for the wanted value."""
    level, target = f"{100 * result.request.level:g} % interval", result.request.stability
    unit = result.matrix.unit
    text = (
        f"{counted(result.n_topics, unit)}: {_SYMBOLS[study.name]} = {study.value:.3f} for {_SUBJECTS[study.name]} "
        f"({level} {study.low:.3f} to {study.high:.3f} for other systems too, {study.low_of_these:.3f} to "
        f"{study.high_of_these:.3f} for these)."
    )
    if study.topics is None:
        return f"{text} No number of {unit}s reaches {target:g}, as systems are not estimated to differ."
    fewest, most = (number_or("no bound", end) for end in (study.topics_low, study.topics_high))
    reach = "reaches" if study.topics == 1 else "reach"
    return f"{text} {counted(study.topics, unit)} {reach} {target:g} ({fewest} to {most})."


def record(result: Stability) -> dict[str, Any]:
    """Return the record of the result."""
    return {
        "analysis": "stability",
        "n_topics": result.n_topics,
        "n_systems": result.components.n_systems,
        "components": attributes(result.components, "system topic residual negative"),
        "relative": fields_of(result.relative, "name"),
        "absolute": fields_of(result.absolute, "name"),
    }


def coefficients(target: float, unit: str) -> Columns[CoefficientStudy]:
    """Return the columns of a table of one row per coefficient."""
    return Columns(
        Column("coefficient", lambda study: f"{_SYMBOLS[study.name]}, {_SUBJECTS[study.name]}"),
        Column("value", form=".4g"),
        Column("low, other systems too", "low", form=".4g"),
        Column("high, other systems too", "high", form=".4g"),
        Column("low, these systems", "low_of_these", form=".4g"),
        Column("high, these systems", "high_of_these", form=".4g"),
        Column(f"{unit}s for {target:g}", "topics"),
        Column("fewest, other systems too", "topics_low"),
        Column("most, other systems too", "topics_high"),
        Column("fewest, these systems", "topics_low_of_these"),
        Column("most, these systems", "topics_high_of_these"),
    )


COMPONENTS = Columns[dict[str, Any]](
    Column("component"), Column("variance", form=".6g"), Column("share", form=".4g")
)
"""The variance components."""


def component_rows(result: Stability) -> list[dict[str, Any]]:
    """Return one row per variance component."""
    components, units = result.components, f"{result.matrix.unit}s"
    return [
        {"component": label, "variance": getattr(components, name), "share": components.shares[name]}
        for label, name in (("systems", "system"), (units, "topic"), ("residual", "residual"))
    ]


def coefficients_by_topics(result: Stability) -> Figure:
    """Draw E rho^2 and Phi against topics, with intervals for other systems too (shaded)."""
    target, level = result.request.stability, 100 * result.request.level
    sizes = np.unique(np.round(np.geomspace(2, max(500, 4 * result.n_topics), _POINTS)))
    n, value, units = result.n_topics, result.relative.value, f"{result.matrix.unit}s"
    chart = Chart(
        f"With {n:,} {units} E ρ² is {value:.3f} and Φ {result.absolute.value:.3f} ({level:g} % intervals shaded)",
        f"{units_in_words(result.matrix)} (log scale)",
        "coefficient (0 to 1)",
    )
    chart.log_axis("x")
    shown: tuple[tuple[Coefficient, Signal, str], ...] = (
        ("relative", result.relative_signal, SERIES[0]),
        ("absolute", result.absolute_signal, SERIES[1]),
    )
    for name, signal, colour in shown:
        line = _LINES[name]
        low, high = np.transpose([signal.coefficients(float(n)) for n in sizes])
        look = {"line": {"color": colour}, "opacity": 0.18, "showlegend": False}
        chart.band(sizes, high, low, f"{line}, interval", **look)
        values = [result.components.coefficient(float(n), name) for n in sizes]
        chart.line(sizes, values, line, f"{line}: %{{x:,.0f}} {units}, %{{y:.3f}}", colour=colour, width=3)
    chart.rule(target, f"target: {target:g}", width=1.2, at_left=True)
    hover = f"{n:,} {units}: E ρ² = {value:.3f}"
    chart.yours(n, value, f"{value:.3f}", hover, above=True, showlegend=False)
    chart.axis("y", range=[-0.02, 1.14], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    chart.legend()
    alt = f"Stability of the ranking and of the means by the number of {units}, with intervals."
    return chart.figure("stability", alt)


QUESTION = Question(
    slug="stability",
    description="Variance components of topics x systems, stability of the ranking (E rho^2) and of the means "
    "(Phi) with intervals, and topics for a required value (Bodoff and Li 2007; Urbano, Marrero and Martin 2013).",
    takes="matrix by group",
    request=Request,
    compute=lambda matrix, request, **_: stability(matrix, request),
    report=report,
    text=lambda result: ["", *COMPONENTS.text(component_rows(result)), ""],
)
