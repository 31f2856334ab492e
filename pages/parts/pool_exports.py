"""What the page on pool depth gives to take home."""

from collections.abc import Sequence
from dataclasses import replace

from pages.parts import downloads, pool_answer
from pages.parts.pool_study import Made
from topicset_core.analyses.pool_depth import DepthDesign
from topicset_core.exports.html_page import html_page
from topicset_core.exports.pool_depth_text import RecordedStudy, pool_depth_text
from topicset_core.exports.record import json_record
from topicset_core.measures import IntentMeasure
from topicset_core.wording import counted


def offer(
    made: Made,
    by_measure: Sequence[pool_answer.Designs],
    chosen: DepthDesign | None,
    *,
    budget: float | None,
    said: str,
    link: str,
) -> None:
    """Draw the download buttons and the text for a paper.

    Parameters
    ----------
    made : Made
        The study.
    by_measure : sequence of sequence of DepthDesign
        What is drawn.
    chosen : DepthDesign or None
        The design taken.
    budget : float or None
        Judgments that can be made.
    said : str
        The answer in words.
    link : str
        The full link.
    """
    asked_with_budget = replace(made.asked, budget=budget)
    asked = vars(asked_with_budget) | {"values": dict(made.asked.values)}
    collections = " and ".join(
        f"{counted(runs.n_systems, 'run')} on {counted(runs.n_topics, 'topic')} ({runs.qrels.name})"
        for runs in made.collections
    )
    text = pool_depth_text(
        chosen,
        made.study,
        design=made.asked.design,
        values={made.asked.symbol(name): value for name, value in made.asked.values},
        relevance_level=made.asked.relevance_level,
        gains=made.asked.gains,
        collections=collections,
        definitions=" ".join(
            f"{measure.name}: {measure.definition}"
            for measure in made.asked.scored_by()
            if isinstance(measure, IntentMeasure)
        ),
    )
    table = pool_answer.table(made.study.designs)
    downloads.every_kind(
        "pool-depth",
        tables=(downloads.NamedTable("Every depth", "pool-depth", lambda: table),),
        workbook=lambda: {"every depth": table},
        record=lambda: json_record(
            [RecordedStudy(asked, made.study, chosen)],
            measure=made.study.measures[0],
            variance_source=collections,
            link=link,
        ),
        page=lambda: html_page(
            "Topics and pool depth",
            f"{said}.",
            [
                (chart, alt)
                for chart, _, alt in pool_answer.charts(by_measure, chosen, asked_with_budget, "print")
            ],
            table,
            f"{text[0]}\n\n{link}",
        ),
        text=text,
    )
