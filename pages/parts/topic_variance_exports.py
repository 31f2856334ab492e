"""What the topic variance page gives to take home."""

from collections.abc import Callable

from pages.parts import downloads
from pages.parts.topic_variance_results import Answered, Chart
from topicset_core.exports import topic_variance_tables as tables
from topicset_core.exports.html_page import html_page
from topicset_core.exports.record import json_record
from topicset_core.exports.topic_variance_text import topic_variance_text


def offer(answered: Answered, charts: Callable[[], list[Chart]]) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    answered : Answered
        What the page shows.
    charts : callable
        The figures in print style and what they say, made at the click.
    """
    # A file is made at the click, outside of the session: what belongs to it is taken here.
    asked, found, both = answered.asked, answered.found, answered.both
    link, said = asked.url, answered.said
    text = topic_variance_text(found)
    downloads.every_kind(
        "topic-variance",
        tables=[
            downloads.NamedTable(
                "Comparisons", "topic-variance-comparisons", lambda: tables.comparisons_table(both)
            ),
            downloads.NamedTable(
                "Error rates", "topic-variance-error-rates", lambda: tables.error_rates_table(both)
            ),
            downloads.NamedTable("Pairs", "topic-variance-pairs", lambda: tables.pairs_table(found)),
            downloads.NamedTable("Scores", "topic-variance-scores", lambda: tables.cells_table(found)),
        ],
        workbook=lambda: {
            "comparisons": tables.comparisons_table(both),
            "error rates": tables.error_rates_table(both),
            "runs": tables.ranks_table(found),
            "pairs": tables.pairs_table(found),
            "topics": tables.unstable_topics_table(found),
            "variances": tables.components_table(found),
            "topics needed": tables.topics_needed_table(found, asked.min_d),
            "scores": tables.cells_table(found),
            "remarks": tables.remarks_table(found),
        },
        record=lambda: json_record(
            both,
            measure=found.settings.measure_name,
            variance_source=found.collection,
            seed=found.settings.seed,
            link=link,
        ),
        page=lambda: html_page(
            f"Topic variance: {found.settings.measure_name}, {found.collection}",
            said,
            charts(),
            tables.comparisons_table(both),
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )
