"""Exports of scores with repeats: findings, tables, record and figure."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from topicset_core.analyses.repeats.answer import MOST_TESTED, Answer, PairResult, Request
from topicset_core.analyses.repeats.answer import answer as compute
from topicset_core.analyses.repeats.tries import TRIES_NOTE, AllOfTries, all_of_tries
from topicset_core.charts.chart import Chart
from topicset_core.designs.replicated import Choice
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import SERIES
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.question import Question
from topicset_core.references import BRENNAN_2001, SATTERTHWAITE_1946
from topicset_core.version import __version__
from topicset_core.wording import GROUPS_NOT_COUNTED, counted, joined

NAMES = {
    "a": "systems",
    "b": "topics",
    "ab": "systems by topics",
    "c": "seeds within systems",
    "bc": "seeds by topics, and the rest",
    "e": "repeats within a cell",
    "v": "query variations within topics",
    "av": "systems by query variations, and the rest",
}
"""What a variance component is of, by its letters."""

UNITS = {"seeds": "seed", "repeats": "repeat", "query-variations": "query variation"}


PLANNED_POWER = (
    "The variances are estimates: designs planned for 80 % had 74 to 79 % power on average in simulation, and less "
    "than 70 % after 2 to 34 % of pilots."
)
"""Pilots of 25 to 50 topics, 2 to 5 systems, 3 to 5 repeats or seeds (most): 250 trials for each of 7 designs."""


def report(answer: Answer) -> Report:
    """Return the answer with all its exports."""
    scores, choices = answer.scores, answer.optimum.choices if answer.optimum else ()
    tries = passes(answer)
    return Report(
        name="repeats",
        title=f"Topics or {UNITS[answer.components.kind]}s: {scores.measure}, {scores.name}",
        findings=findings(answer),
        works=[BRENNAN_2001, SATTERTHWAITE_1946],
        tables=[
            ReportTable("designs", lambda: CHOICES.table(choices), "Designs", "topics-and-repeats"),
            ReportTable(
                "components",
                lambda: COMPONENTS.table(component_rows(answer)),
                "Components",
                "components-of-repeats",
            ),
            ReportTable("pairs", lambda: PAIRS.table(answer.pairs), "Pairs", "pairs-of-systems"),
            *([ReportTable("tries", lambda: TRIES.table(tries), "Tries", "all-of-k-tries")] if tries else []),
        ],
        results=lambda: [record(answer)],
        figures=lambda: [topics_by_repeats(answer)] if answer.optimum else [],
        measure=scores.measure,
        variance_source=scores.name,
        n_topics=scores.n_topics,
        warning=GROUPS_NOT_COUNTED if scores.groups else "",
        request=answer.request.settings,
    )


def findings(answer: Answer) -> list[Finding]:
    """Return the cheapest design, components, what a paired t test on means does, the pairs, and passes."""
    scores, parts, best, elsewhere = answer.scores, answer.components, _best(answer), "page export terminal"
    unit = UNITS[parts.kind]
    sizes = ", ".join(
        counted(size, noun)
        for size, noun in ((scores.n_topics, "topic"), (scores.n_systems, "system"), (scores.n_repeats, unit))
    )
    variances = ", ".join(f"{NAMES[name]} {value:.4g}" for name, value in parts.estimates.items())
    said = [
        headline("", f"No number of topics and {unit}s", " is enough")
        if best is None
        else headline(
            "Buy ", f"{counted(best.n_topics or 0, 'topic')} × {_repeats(answer, best)}", " per system"
        ),
        *_tiles(answer, best),
        Finding(_origin(answer), "paper"),
        Finding(f"{scores.measure}: {sizes} each.", elsewhere),
        Finding(next_buy(answer)),
        Finding(f"Variance components: {variances}.", "export terminal paper"),
    ]
    if parts.negative:
        below = joined([NAMES[name] for name in parts.negative])
        said.append(Finding(f"Estimated below 0, and taken as 0 in designs: {below}."))
    said += [Finding(_paired_t(answer), elsewhere), Finding(PLANNED_POWER, elsewhere)]
    said += [Finding(text, "export terminal") for text in map(partial(_tested, answer), answer.pairs)]
    said += [Finding(text, elsewhere, tab="Pairs") for text in _untested(answer)]
    passed = [_passed(answer, row) for row in passes(answer) if row.tries == answer.scores.n_repeats]
    return [*said, *map(Finding, passed), *([Finding(TRIES_NOTE, elsewhere)] if passed else [])]


def _tiles(answer: Answer, best: Choice | None) -> Iterator[Finding]:
    """Yield the numbers beside the headline."""
    requirements = answer.requirements
    if best is not None:
        yield tile("cost", f"{best.cost:,.6g}")
        yield tile(
            "power", f"{100 * (best.power or 0.0):.3g} %", f"For a difference of {requirements.min_d:g}."
        )
        level = f"{100 * (1 - requirements.alpha):g} % interval of a difference."
        yield tile("half width", f"± {best.half_width:.3g}", level)
    if answer.components.kind == "seeds" and answer.components.seed:
        note = f"Of a paired t test on means over seeds; nominal {100 * requirements.alpha:g} %."
        yield tile("Type I error, paired t", f"{100 * answer.naive_alpha:.2g} %", note)


def _best(answer: Answer) -> Choice | None:
    """Return the cheapest design; None where no number of topics does."""
    best = answer.optimum.best if answer.optimum else None
    return best if best is not None and best.n_topics is not None else None


def _repeats(answer: Answer, design: Choice) -> str:
    return counted(design.n_repeats, UNITS[answer.components.kind])


def _origin(answer: Answer) -> str:
    """Return how components were estimated and systems compared."""
    scores, unit = answer.scores, UNITS[answer.components.kind]
    test = (
        "t tests with the variance of seeds, at least 0, in the error, and Satterthwaite's degrees of freedom"
        if unit == "seed"
        else f"paired t tests on means over {unit}s"
    )
    return (
        f"Variance components of {scores.measure} were estimated from mean squares over {scores.n_topics} topics, "
        f"{scores.n_systems} systems and {counted(scores.n_repeats, unit)} each, and systems were compared by "
        f"{test} {CITATION} (Topicset {__version__})."
    )


def _paired_t(answer: Answer) -> str:
    """Return what a paired t test on means over repeats does."""
    scores, parts, nominal = (
        answer.scores,
        answer.components,
        f"nominal {100 * answer.requirements.alpha:g} %",
    )
    if parts.kind != "seeds":
        means = f"means over {UNITS[parts.kind]}s"
        return f"A paired t test on {means} is right: more topics reduce all of this variance."
    if parts.seed:
        return (
            f"A paired t test on means over seeds has a Type I error of about {100 * answer.naive_alpha:.2g} % "
            f"({nominal}): the effect of a seed is the same on all topics, so more topics do not reduce it. The "
            "tests of pairs allow for seeds."
        )
    runs = counted(scores.n_repeats * scores.n_systems, "run")
    return (
        f"Seeds are not estimated to differ, with {runs} in all; that is weak evidence. Where the seeds of two "
        "systems differ, the test of the pair allows for it."
    )


def _tested(answer: Answer, pair: PairResult) -> str:
    """Return the test of a pair."""
    test = pair.test
    paired_t = f" (paired t on means: p = {test.naive_p:.4g})" if answer.components.kind == "seeds" else ""
    return (
        f"{pair.first} - {pair.second}: {test.difference:+z.4f} ± {test.half_width:.4f}, t = {test.t:.3f}, "
        f"df = {test.df:.1f}, p = {test.p_value:.4g}{paired_t}."
    )


def _untested(answer: Answer) -> Iterator[str]:
    """Yield which pairs have no test."""
    for first, second in answer.without_test:
        yield f"{first} - {second}: no test, as their difference is the same on every topic."
    if answer.n_pairs > MOST_TESTED:
        yield f"The first {MOST_TESTED} of {answer.n_pairs:,} pairs are tested, in the order of systems."


def _passed(answer: Answer, row: AllOfTries) -> str:
    """Return how often a system passes in all tries."""
    level = f"{100 * (1 - answer.request.alpha):g} % confidence interval over topics"
    return (
        f"{row.system} passes in all of {row.tries} tries on {100 * row.share:.1f} % of topics ({level}: "
        f"{100 * row.low:.1f} to {100 * row.high:.1f} %)."
    )


def topics_by_repeats(answer: Answer) -> Figure:
    """Draw required topics against repeats per system, the cheapest design marked."""
    choices = [design for design in (answer.optimum.choices if answer.optimum else ()) if design.n_topics]
    requirements = answer.requirements
    power = 100 * (1 - requirements.beta)
    best = _best(answer)
    title = f"Topics to detect a difference of {requirements.min_d:g} with {power:g} % power"
    if best is not None:
        title += f": {best.n_topics:,} with {counted(best.n_repeats, 'repeat')} cost least"
    chart = Chart(title, "repeats per system", "required topics (log scale)", height=380)
    chart.log_axis("y")
    chart.line(
        [design.n_repeats for design in choices],
        [design.n_topics or 0 for design in choices],
        None,
        "%{x} repeats: %{y:,} topics, cost %{customdata:,.6g}",
        colour=SERIES[0],
        size=7,
        customdata=[design.cost or 0.0 for design in choices],
    )
    if best is not None:
        text = f"{best.n_topics:,} topics, cost {best.cost:,.6g}"
        chart.yours(best.n_repeats, best.n_topics or 0, text, f"cheapest: {text}", above=True)
    chart.axis("x", rangemode="tozero")
    chart.room(right=90)
    return chart.figure("topics-by-repeats", f"Topics by number of repeats. {next_buy(answer)}")


def next_buy(answer: Answer) -> str:
    """Return the cheapest design in a sentence."""
    requirements, best = answer.requirements, _best(answer)
    aim = f"a difference of {requirements.min_d:g} with {100 * (1 - requirements.beta):g} % power"
    if answer.optimum is None or best is None:
        return f"No number of topics and {UNITS[answer.components.kind]}s that was tried detects {aim}."
    fewest = counted(answer.optimum.least_seeds, "seed")
    least = (
        f" At least {fewest} per system are needed for any number of topics." if requirements.seed > 0 else ""
    )
    topics = counted(best.n_topics or 0, "topic")
    return (
        f"Cheapest design for {aim}, if the variances are as estimated: {topics} with {_repeats(answer, best)} per "
        f"system, cost {best.cost:,.6g}.{least}"
    )


CHOICES = Columns[Choice](
    Column("repeats", "n_repeats"),
    Column("topics", "n_topics"),
    Column("power"),
    Column("half width"),
    Column("cost"),
)


def component_rows(answer: Answer) -> list[dict[str, object]]:
    """Return one row per variance component."""
    parts = answer.components
    return [
        {
            "component": NAMES[name],
            "variance": value,
            "mean_square": parts.mean_squares[name],
            "degrees_of_freedom": parts.degrees[name],
        }
        for name, value in parts.estimates.items()
    ]


COMPONENTS = Columns[Mapping[str, object]](
    Column("component"), Column("variance"), Column("mean square"), Column("degrees of freedom")
)

PAIRS = Columns[PairResult](
    Column("first"),
    Column("second"),
    Column("difference", "test.difference"),
    Column("half width", "test.half_width"),
    Column("t", "test.t"),
    Column("df", "test.df"),
    Column("p", "test.p_value"),
    Column("p, paired t on means", "test.naive_p"),
)


TRIES = Columns[AllOfTries](
    Column("system"),
    Column("tries"),
    Column("share", form=".4f"),
    Column("low", form=".4f"),
    Column("high", form=".4f"),
    Column("correlation of tries", "correlation", form=".3f"),
)


def passes(answer: Answer) -> tuple[AllOfTries, ...]:
    """Return how often systems pass in all of k tries; nothing for seeds, variations and other scores."""
    if answer.components.kind != "repeats":
        return ()
    return all_of_tries(answer.scores, answer.request.alpha)


def record(answer: Answer) -> dict[str, Any]:
    """Return the record of the result."""
    components, best = answer.components, answer.optimum
    return {
        "analysis": "repeats",
        **attributes(answer.scores, "measure n_topics n_systems n_repeats"),
        "components": components.estimates,
        **attributes(components, "mean_squares degrees negative"),
        **attributes(answer, "naive_alpha requirements n_pairs"),
        "least_seeds": best and best.least_seeds,
        "best": best and best.best,
        "choices": best.choices if best else [],
        "pairs": [attributes(pair, "first second") | fields_of(pair.test) for pair in answer.pairs],
        "pairs_without_test": answer.without_test,
    } | ({"all_of_tries": tries} if (tries := passes(answer)) else {})


QUESTION = Question(
    slug="repeats",
    description="Variance components of scores with repeats, tests of every pair that allow for seeds, and the "
    "cheapest numbers of topics and repeats. A single file is a long table (topic, system, score, and seed, repeat "
    "or variant); of several files each contains one repeat.",
    takes="replicated scores",
    request=Request,
    compute=lambda scores, request, **_: compute(scores, request),
    report=report,
)
