"""One answer as exported: sentence, tables, figures, record, and text for a paper.

An analysis makes one `Report` of its result; a page draws buttons from it, and the command line prints
its sentence, its tables or its record. Therefore a number has the same name wherever it is read.
"""

import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from typing import Any

from topicset_core.collection import ScoreMatrix
from topicset_core.exports.figures import Figure, marked_as_sample
from topicset_core.exports.findings import Finding, cited, texts
from topicset_core.exports.html import html_page
from topicset_core.exports.records import plain
from topicset_core.exports.tables import Table, csv_bytes, xlsx_bytes
from topicset_core.parameters import SEED, ChoiceParameter, Setting, record_of
from topicset_core.preparation.runs import caution_on_constant_runs
from topicset_core.references import Reference
from topicset_core.version import __version__
from topicset_core.wording import GROUPS_NOT_COUNTED, few_groups, few_topics, in_units

SCHEMA = 3
"""Version of the record's layout; goes up when a name in it changes or disappears."""

_PACKAGES = ("numpy", "scipy")


@dataclass(frozen=True)
class ReportTable:
    """One table of a report."""

    sheet: str  # its title in the workbook
    columns: Callable[[], Table]
    label: str = ""  # label of the button that exports it alone as CSV; "" without a button
    file: str = ""  # name of that file, without ending
    # Whether it is a table of topics by runs that reads back as scores, and takes no column next to its runs
    is_scores: bool = False

    def csv(self) -> bytes:
        """Return the table as CSV."""
        return csv_bytes(self.columns())


SAMPLE = "simulated sample"
"""Entry in a separate column of tables of the built-in sample."""

_ON_SAMPLE = "Computed from Topicset's simulated sample data, not from measured scores."


def of_sample(columns: Table) -> Table:
    """Return a table with a column that names its source."""
    n_rows = len(next(iter(columns.values()), ()))
    return {**columns, "data": [SAMPLE] * n_rows}


@dataclass(frozen=True, kw_only=True)
class Report:
    """One answer, ready for export.

    Parameters
    ----------
    name : str
        File name of workbook, record and page, without ending.
    title : str
        Heading of the page.
    findings : sequence of Finding
        What is said: on the page, in files, in a terminal and in the text for a paper.
    works : sequence of Reference
        What that text cites.
    latex_table : str
        What follows that text in LaTeX.
    tables : sequence of ReportTable
        In the order of buttons and sheets.
    results : callable
        The results, one per answer: mappings, or objects whose `record()` or fields are their record.
    figures : callable
        The figures in print style, each made when it is asked for; the first is the main one.
    page_table : callable, optional
        The table on the page; the first of `tables` where it is not given.
    measure, variance_source : str
        Which scores the answer rests on, and the source of their variance.
    preparation : sequence of str, optional
        How these scores were prepared, which is the source then; None where no scores can be prepared.
    matrices : sequence of ScoreMatrix
        These scores, a row per group where whole groups are compared; the digests by topic are recorded.
    request : sequence of Setting
        What was asked. Records have its values by the names of parameters, sheets and dossiers by their labels.
    n_topics : int, optional
        Topics that the answer rests on, where it has no `matrices`; by default those of the matrices of a measure.
    topics_are : str
        What these are, for example "labelled topics".
    warning : str
        What else to know of the scores: how they differ from public ones; "" where nothing.
    counts_groups : bool
        Whether it counts the groups that topics of `matrices` come in; otherwise it cautions.
    link : str
        The full link to the answer; "" if not available.
    is_sample : bool
        Whether it is about the built-in simulated sample; `marked_as_sample` marks a report.
    """

    name: str
    title: str
    findings: Sequence[Finding]
    tables: Sequence[ReportTable]
    results: Callable[[], Sequence[Any]]
    works: Sequence[Reference] = ()
    latex_table: str = ""
    figures: Callable[[], Iterable[Figure]] = tuple
    page_table: Callable[[], Table] | None = None
    measure: str = ""
    variance_source: str = ""
    preparation: Sequence[str] | None = None
    matrices: Sequence[ScoreMatrix] = field(default=(), repr=False)
    request: Sequence[Setting] = field(default=(), repr=False)
    n_topics: int | None = None
    topics_are: str = "topics"
    warning: str = ""
    counts_groups: bool = False
    link: str = ""
    is_sample: bool = False

    @cached_property
    def sentence(self) -> str:
        """The answer in plain words, as files have it."""
        return " ".join([*texts(self.findings, "export"), *([_ON_SAMPLE] if self.is_sample else [])])

    @cached_property
    def text(self) -> tuple[str, str]:
        """The text for a paper, plain and LaTeX."""
        mark = f"{_ON_SAMPLE} " if self.is_sample else ""
        plain_text, latex = cited(self.findings, self.works)
        return mark + plain_text, mark + "\n\n".join(filter(None, (latex, self.latex_table)))

    @property
    def source(self) -> str:
        """The source of the variance, or how the scores were prepared."""
        if self.preparation is None:
            return self.variance_source
        return " ".join(self.preparation) or "as loaded"

    @property
    def caution(self) -> str:
        """What to know of an answer from few or unusual topics; "" for others."""
        topics: Counter[str] = Counter()
        for one in self.matrices:
            topics[one.measure] += _by_topic(one).n_topics
        few = few_topics(min(topics.values(), default=self.n_topics), self.topics_are)
        groups = few_groups(self._counted["n_groups"]) if self._counted else ""
        is_in_groups = any(one.groups is not None for one in self.matrices)
        ignored = GROUPS_NOT_COUNTED if is_in_groups and not self.counts_groups else ""
        # A headline may have it already.
        constant = [one for one in map(caution_on_constant_runs, self.matrices) if one not in self.sentence]
        return " ".join(filter(None, (few, groups, ignored, *dict.fromkeys(constant), self.warning)))

    @property
    def cautioned(self) -> str:
        """The answer in plain words with its caution."""
        return f"{self.sentence.removesuffix('.')}. {self.caution}" if self.caution else self.sentence

    def marked_as_sample(self) -> "Report":
        """Return the report with every part of it marked as from the built-in simulated sample."""

        def marked(columns: Callable[[], Table]) -> Callable[[], Table]:
            return lambda: of_sample(columns())

        figures = self.figures
        return replace(
            self,
            is_sample=True,
            tables=[
                one if one.is_scores else replace(one, columns=marked(one.columns)) for one in self.tables
            ],
            page_table=self.page_table and marked(self.page_table),
            figures=lambda: map(marked_as_sample, figures()),
        )

    def workbook(self) -> bytes:
        """Return the tables as one Excel workbook; its first sheet summarises question and answer."""
        tables = {table.sheet: table.columns() for table in self.tables if table.sheet}
        return xlsx_bytes({"Answer": self.answer()} | tables)

    def answer(self) -> Table:
        """Return question and answer as a table of two columns: the sentence, every input, the data, the source."""
        rows: dict[str, object] = {"answer": self.cautioned, "data": SAMPLE if self.is_sample else ""}
        rows |= self.settings
        rows |= {"measure": self.measure, "variance from": self.source}
        for place, matrix in enumerate(self.matrices, start=1):
            rows[f"scores {place}"] = scores_in_words(matrix)
        rows |= {"link": self.link, "made by": f"Topicset {__version__}"}
        rows["date"] = datetime.now(UTC).date().isoformat()
        kept = {name: value for name, value in rows.items() if value not in ("", None)}
        return {self.title: list(kept), "value": list(kept.values())}

    @property
    def settings(self) -> dict[str, object]:
        """The request in words, by the labels of its parameters."""
        found, unit = next(iter(self.answers), {}), self._counted.get("unit", "topic")
        words = [(one.parameter, one.in_words(found.get(one.parameter.name))) for one in self.request]
        return {
            in_units(one.label, unit): in_units(str(text), unit) if isinstance(one, ChoiceParameter) else text
            for one, text in words
        }

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The results as plain values, each with the values of the request that it does not have itself."""
        prepared = {} if self.preparation is None else {"prepared": self.preparation}
        asked = plain(prepared | record_of(self.request) | self._counted)
        return [asked | plain(one) for one in self.results()]

    @property
    def _counted(self) -> dict[str, Any]:
        """What numbers of topics are, where rows of the scores are groups; nothing where they are topics."""
        of_groups = (one for one in self.matrices if one.by_topic is not None)
        return next(({"unit": one.unit, "n_groups": one.n_topics} for one in of_groups), {})

    def record(self) -> dict[str, Any]:
        """Return request, method and results; digests of the scores, not the scores."""
        asked = plain(record_of(self.request))
        return {
            "schema": SCHEMA,
            "made_by": {"name": "topicset", "version": __version__},
            "with": {"python": platform.python_version()}
            | {name: import_module(name).__version__ for name in _PACKAGES},
            "simulated_sample": self.is_sample,
            "measure": self.measure,
            "variance_source": self.source,
            "scores": [_scores(matrix) for matrix in self.matrices],
            "seed": asked.get(SEED.name),
            "findings": texts(self.findings, "export"),
            "request": asked,
            "results": self.answers,
            "link": self.link,
        } | ({"caution": self.caution} if self.caution else {})

    def json(self) -> bytes:
        """Return the record as indented JSON."""
        return json.dumps(self.record(), indent=2, ensure_ascii=False, allow_nan=False).encode()

    def page(self) -> bytes:
        """Return sentence, figures, a table and the paragraph as one HTML file that needs no network."""
        table = self.page_table or self.tables[0].columns
        text = f"{self.text[0]}\n\n{self.link}" if self.link else self.text[0]
        return html_page(self.title, self.cautioned, [*self.figures()], table(), text)


def scores_in_words(matrix: ScoreMatrix) -> str:
    """Return name, measure, size and digest of scores."""
    matrix = _by_topic(matrix)
    size = f"{matrix.n_topics} topics x {matrix.n_systems} runs"
    return f"{matrix.name}, {matrix.measure}, {size}, SHA-256 {matrix.digest}"


def _by_topic(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the scores as a user has them: by topic, also where whole groups are compared."""
    return matrix.by_topic or matrix


def _scores(matrix: ScoreMatrix) -> dict[str, Any]:
    matrix = _by_topic(matrix)
    return {
        "name": matrix.name,
        "measure": matrix.measure,
        "n_topics": matrix.n_topics,
        "n_systems": matrix.n_systems,
        "sha256": matrix.digest,
    }
