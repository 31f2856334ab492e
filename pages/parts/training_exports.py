"""What the training sensitivity page gives to take home."""

from collections.abc import Callable

from pages.parts import downloads
from pages.parts.training_answer import Answered
from pages.parts.training_results import Chart
from topicset_core.exports import training_sensitivity_tables as tables
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record
from topicset_core.exports.training_sensitivity_text import RecordedExperiment, training_sensitivity_text


def offer(answer: Answered, link: str, charts: Callable[[], list[Chart]]) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    answer : Answered
        What the page shows.
    link : str
        Its full link.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    found, text = answer.found, training_sensitivity_text(answer.found)
    n_documents = answer.asked.source.n_documents
    downloads.every_kind(
        "training-sensitivity",
        tables=[
            downloads.NamedTable(
                "Effectiveness", "training-sensitivity-effectiveness", lambda: tables.curves_table(found)
            ),
            downloads.NamedTable(
                "Sign tests", "training-sensitivity-sign-tests", lambda: tables.sign_tests_table(found)
            ),
            downloads.NamedTable("Levels", "training-sensitivity-levels", lambda: tables.levels_table(found)),
            downloads.NamedTable(
                "Choices", "training-sensitivity-chosen", lambda: tables.chosen_table(found)
            ),
        ],
        workbook=lambda: (
            {
                "effectiveness": tables.curves_table(found),
                "all judgments": tables.complete_table(found),
                "sign tests": tables.sign_tests_table(found),
                "stability": tables.stability_table(found),
                "levels": tables.levels_table(found),
                "agreement": tables.agreement_table(found),
                "surfaces": tables.surface_table(found),
                "chosen": tables.chosen_table(found),
                "topics and judgments": tables.designs_table(answer.designs),
            }
            | ({"shallower pools": tables.shallow_table(answer.shallow)} if answer.shallow else {})
        ),
        record=lambda: json_record(
            [RecordedExperiment(found, n_documents)],
            measure=found.reference,
            variance_source=found.collection,
            seed=found.request.seed,
            link=link,
        ),
        page=lambda: html_page(
            f"Training sensitivity: {found.collection}",
            answer.said,
            charts(),
            tables.curves_table(found),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )
