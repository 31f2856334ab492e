"""A dossier contains saved answers as plain values, and prints them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from topicset_core.charts.chart import Chart
from topicset_core.errors import InputError
from topicset_core.exports import Report
from topicset_core.exports.citing import CITATION, cite_plain, split_plain
from topicset_core.exports.dossier import Chapter, Entry, chapter, dossier_page
from topicset_core.exports.findings import Finding
from topicset_core.exports.report import ReportTable
from topicset_core.parsing.saved import opened, saved
from topicset_core.references import KENDALL_1945, SAKAI_2016, Reference


def _chapter(title: str, works: tuple[Reference, ...], n_rows: int = 3) -> Chapter:
    table: dict[str, Sequence[object]] = {"n_topics": list(range(n_rows)), "power": [0.8123456] * n_rows}
    report = Report(
        name="answer",
        title=title,
        findings=[
            Finding(f"{title}: </script><b>50 & more</b>.", "export"),
            Finding(f"It was computed {CITATION}.", "paper"),
        ],
        works=works,
        tables=(ReportTable("topics", lambda: table),),
        results=lambda: [{"method": "exact", "requirements": {"alpha": 0.05}, "required_topics": 50}],
        figures=lambda: [
            Chart(f"</script>{name}", "x", "y").figure(name, f"Curve {name}.") for name in ("one", "two")
        ],
        measure="AP",
        link="https://host/paired-t-test?alpha=0.05",
    )
    return chapter(report, "How many topics?", "Topics are alike.")


def test_split_texts_equal_the_joined_parts() -> None:
    works = (SAKAI_2016, KENDALL_1945)
    paragraph = f"Computed {CITATION}, with an interval [1, 3]."
    assert split_plain(cite_plain(paragraph, works)) == (paragraph, tuple(work.plain for work in works))
    assert split_plain("No work is cited.") == ("No work is cited.", ())


def test_answers_share_references_and_are_renumbered() -> None:
    first, second = _chapter("First", (SAKAI_2016,)), _chapter("Second", (KENDALL_1945, SAKAI_2016))
    page = dossier_page([Entry(chapter=first), Entry(chapter=second)], title="Plan").decode()
    assert page.count(SAKAI_2016.title) == 1
    assert "It was computed [1]." in page
    assert "It was computed [2, 1]." in page


def test_markup_in_names_is_escaped_and_chosen_figures_are_shown() -> None:
    one = _chapter("First", ())
    page = dossier_page(
        [Entry(chapter=one, note="<i>note</i>", figures=["two"])], title="<b>Plan</b>", authors="<b>"
    ).decode()
    assert "<b>" not in page.partition('<script type="application/json" id="records">')[0]
    assert "<i>" not in page
    assert page.count('role="img"') == 1
    assert "<title>Curve two.</title>" in page
    assert "<figcaption>&lt;/script&gt;two</figcaption>" in page
    (record,) = json.loads(page.partition('id="records">')[2].partition("</script>")[0])
    assert record["results"][0]["required_topics"] == 50


def test_a_document_of_foreign_chapters_runs_and_fetches_nothing() -> None:
    """Chapters come from files of others, too: every text of theirs is shown, none is markup."""
    own = _chapter("First", (KENDALL_1945,))
    evil = "<img src=x>"
    texts: dict[str, Any] = {name: evil for name, value in vars(own).items() if isinstance(value, str)}
    tuples: dict[str, Any] = {
        "settings": ((evil, evil),),
        "table": ((evil,), (evil,)),
        "works": (evil,),
        "scores": (evil,),
    }
    figures = tuple((evil, evil, drawn) for _, _, drawn in own.figures)
    entry = Entry(
        chapter=replace(
            own, **texts | tuples | {"figures": figures, "link": f"?{evil}", "record": f'["{evil}"]'}
        ),
        note=evil,
        figures=[evil],
    )
    page = dossier_page([entry], title=evil, authors=evil, summary=evil).decode()
    assert evil not in page
    assert page.count("&lt;img src=x&gt;") > len(texts) + len(tuples)
    assert "default-src 'none'" in page.partition("<title>")[0]


@pytest.mark.parametrize(
    "drawn",
    [
        "[]",
        '{"data": [], "layout": {}}',
        '{"data": [{"type": "pie"}], "layout": {"title": {"text": "T"}, "height": 400, "margin": {"t": 48}}}',
        '{"data": [{"type": "scatter", "x": {"bdata": "?", "dtype": "f8"}}], "layout": {}}',
    ],
)
def test_a_figure_that_cannot_be_drawn_is_named(drawn: str) -> None:
    one = replace(_chapter("First", ()), figures=(("by-topics", "A curve.", drawn),))
    page = dossier_page([Entry(chapter=one, figures=["by-topics"])], title="Plan").decode()
    assert "The figure by topics of the saved answer cannot be drawn." in page
    assert "<svg" not in page


def test_attributes_of_a_foreign_figure_stay_attributes() -> None:
    chart = Chart("T", "x", "y")
    chart.points([1, 2], [1, 2], "n", None, marker={"opacity": '"><script>alert(1)</script>'})
    chart.note("near", 1, 1, xanchor="left")
    figure = json.dumps({"data": chart.data, "layout": chart.layout})
    one = replace(_chapter("First", ()), figures=(("one", "A curve.", figure),), record="{}")
    page = dossier_page([Entry(chapter=one, figures=["one"])], title="Plan").decode()
    assert page.count("<circle") == 2
    assert page.count("<script") == 1  # of the records


def test_long_tables_are_shortened_with_a_note() -> None:
    long = _chapter("Long", (), n_rows=100)
    header, *rows = long.table
    assert header == ("n", "power")
    assert (rows[0], rows[-1], len(rows)) == (("0", "0.8123"), ("99", "0.8123"), 20)
    assert "20 of 100 rows" in dossier_page([Entry(chapter=long)], title="Plan").decode()


def test_answers_on_the_sample_are_marked_and_announced() -> None:
    own = _chapter("Own", ())
    sample = replace(own, is_sample=True)
    mixed = dossier_page([Entry(chapter=own), Entry(chapter=sample)], title="Plan").decode()
    assert "1 of 2 answers rest on simulated sample data" in mixed
    assert "imulated sample data" not in dossier_page([Entry(chapter=own)], title="Plan").decode()


@pytest.mark.parametrize(
    "wrong",
    [{"record": "no JSON"}, {"figures": (("one", "", "[" * 100_000),)}, {"link": "javascript:alert(1)"}],
    ids=["record", "figure", "link"],
)
def test_a_chapter_of_a_hostile_file_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        replace(_chapter("First", ()), **wrong)  # type: ignore[arg-type]


def test_saved_answers_with_a_record_of_schema_1_open_and_print() -> None:
    record = {"schema": 1, "results": [{"turning_pairs": [], "settled_difference": 0.05}]}
    one = replace(_chapter("First", ()), record=json.dumps(record))
    content = saved({"kept": one}, {})
    read = opened(content, "work.zip", {"kept": Chapter}.get).data["kept"]
    page = dossier_page([Entry(chapter=read)], title="Plan").decode()
    assert json.loads(page.partition('id="records">')[2].partition("</script>")[0]) == [record]
