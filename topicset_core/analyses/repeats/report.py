"""Results of scores with repeats, in sentences and as a record."""

from typing import Any

from topicset_core.analyses.repeats.answer import MOST_TESTED, Answer, PairResult, Request
from topicset_core.analyses.repeats.answer import answer as compute
from topicset_core.analyses.repeats.tries import TRIES_NOTE, AllOfTries, all_of_tries
from topicset_core.charts.chart import Chart
from topicset_core.designs.replicated import Choice
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.colours import SERIES
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.question import Question
from topicset_core.references import BRENNAN_2001, SATTERTHWAITE_1946
from topicset_core.version import __version__
from topicset_core.wording import GROUPS_NOT_COUNTED, counted

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
        sentence=" ".join(sentences(answer)),
        tables=[
            ReportTable("designs", lambda: CHOICES.table(choices), "Designs", "topics-and-repeats"),
            ReportTable("components", lambda: component_table(answer), "Components", "components-of-repeats"),
            ReportTable("pairs", lambda: PAIRS.table(answer.pairs), "Pairs", "pairs-of-systems"),
            *([ReportTable("tries", lambda: TRIES.table(tries), "Tries", "all-of-k-tries")] if tries else []),
        ],
        results=lambda: [record(answer)],
        text=paragraph(answer),
        figures=lambda: [topics_by_repeats(answer)] if answer.optimum else [],
        measure=scores.measure,
        variance_source=scores.name,
        n_topics=scores.n_topics,
        warning=GROUPS_NOT_COUNTED if scores.groups else "",
        request=answer.request.settings,
    )


def topics_by_repeats(answer: Answer) -> Figure:
    """Draw required topics against repeats per system, the cheapest design marked."""
    choices = [one for one in (answer.optimum.choices if answer.optimum else ()) if one.n_topics is not None]
    requirements = answer.requirements
    power = 100 * (1 - requirements.beta)
    best = answer.optimum.best if answer.optimum else None
    finding = f"Topics to detect a difference of {requirements.min_d:g} with {power:g} % power"
    if best is not None and best.n_topics is not None:
        finding += f": {best.n_topics:,} with {counted(best.n_repeats, 'repeat')} cost least"
    chart = Chart(
        finding,
        "repeats per system",
        "required topics (log scale)",
        height=380,
    )
    chart.log_axis("y")
    chart.line(
        [one.n_repeats for one in choices],
        [one.n_topics or 0 for one in choices],
        None,
        "%{x} repeats: %{y:,} topics, cost %{customdata:,.6g}",
        colour=SERIES[0],
        size=7,
        customdata=[one.cost or 0.0 for one in choices],
    )
    if best is not None and best.n_topics is not None:
        text = f"{best.n_topics:,} topics, cost {best.cost:,.6g}"
        chart.yours(best.n_repeats, best.n_topics, text, f"cheapest: {text}", above=True)
    chart.axis("x", rangemode="tozero")
    chart.room(right=90)
    return chart.figure("topics-by-repeats", f"Topics by number of repeats. {next_buy(answer)}")


def in_short(answer: Answer) -> list[tuple[str, str, str]]:
    """Return the numbers next to the headline: label, value, and what to know of it."""
    requirements, best, result = answer.requirements, answer.optimum.best if answer.optimum else None, []
    level = f"{100 * (1 - requirements.alpha):g} % interval of a difference."
    if best is not None and best.n_topics is not None:
        result = [
            ("cost", f"{best.cost:,.6g}", next_buy(answer)),
            ("power", f"{100 * (best.power or 0.0):.3g} %", f"For a difference of {requirements.min_d:g}."),
            ("half width", f"± {best.half_width:.3g}", level),
        ]
    if answer.components.kind == "seeds" and answer.components.seed:
        nominal = f"Of a paired t test on means over seeds; nominal {100 * requirements.alpha:g} %."
        result.append(("Type I error, paired t", f"{100 * answer.naive_alpha:.2g} %", nominal))
    return result


def sentences(answer: Answer) -> list[str]:
    """Return the answer: components, what a paired t test does, the pairs, and what to buy."""
    parts = answer.components
    return [
        data_sentence(answer),
        f"Variance components: {_components(answer, 6)}.",
        *findings(answer),
        *(
            f"{one.first} - {one.second}: {one.test.difference:+z.4f} ± {one.test.half_width:.4f}, "
            f"t = {one.test.t:.3f}, df = {one.test.df:.1f}, p = {one.test.p_value:.4g}"
            + (f" (paired t on means: p = {one.test.naive_p:.4g})" if parts.kind == "seeds" else "")
            for one in answer.pairs
        ),
        *untested(answer),
        *in_all_tries(answer),
        next_buy(answer),
    ]


def data_sentence(answer: Answer) -> str:
    """Return the sizes of the data in a sentence."""
    scores, unit = answer.scores, UNITS[answer.components.kind]
    return (
        f"{scores.measure}: {counted(scores.n_topics, 'topic')}, {counted(scores.n_systems, 'system')}, "
        f"{counted(scores.n_repeats, unit)} each."
    )


def findings(answer: Answer) -> list[str]:
    """Return which components are below 0, and what a paired t test on means does."""
    scores, parts, unit = answer.scores, answer.components, UNITS[answer.components.kind]
    text = []
    if parts.negative:
        below = " and ".join(NAMES[name] for name in parts.negative)
        text.append(f"Estimated below 0, planned with as 0: {below}.")
    if parts.kind != "seeds":
        text.append(
            f"A paired t test on means over {unit}s is right: more topics reduce all of this variance."
        )
    elif parts.seed:
        text.append(
            "A paired t test on means over seeds has a Type I error of about "
            f"{100 * answer.naive_alpha:.2g} % (nominal {100 * answer.requirements.alpha:g} %): the effect of a "
            "seed is the same on all topics, so more topics do not reduce it. The tests of pairs allow for seeds."
        )
    else:
        text.append(
            "Seeds are not estimated to differ, with "
            f"{counted(scores.n_repeats * scores.n_systems, 'run')} in all; that is weak evidence. Where the seeds "
            "of two systems differ, the test of the pair allows for it."
        )
    return [*text, PLANNED_POWER]


def untested(answer: Answer) -> list[str]:
    """Return which pairs have no test."""
    text = [
        f"{first} - {second}: no test, as their difference is the same on every topic."
        for first, second in answer.without_test
    ]
    if answer.n_pairs > MOST_TESTED:
        text.append(
            f"The first {MOST_TESTED} of {answer.n_pairs:,} pairs are tested, in the order of systems."
        )
    return text


def _components(answer: Answer, digits: int) -> str:
    return ", ".join(
        f"{NAMES[name]} {value:.{digits}g}" for name, value in answer.components.estimates.items()
    )


def next_buy(answer: Answer) -> str:
    """Return the cheapest design in a sentence."""
    requirements, unit = answer.requirements, UNITS[answer.components.kind]
    aim = f"a difference of {requirements.min_d:g} with {100 * (1 - requirements.beta):g} % power"
    if answer.optimum is None or answer.optimum.best.n_topics is None:
        return f"No number of topics and {unit}s that was tried detects {aim}."
    best = answer.optimum.best
    least = ""
    if requirements.seed > 0:
        fewest = counted(answer.optimum.least_seeds, "seed")
        least = f" At least {fewest} per system are needed for any number of topics."
    return (
        f"Cheapest design for {aim}, if the variances are as estimated: "
        f"{counted(best.n_topics or 0, 'topic')} with "
        f"{counted(best.n_repeats, unit)} per system, cost {best.cost:,.6g}.{least}"
    )


CHOICES = Columns[Choice](
    Column("repeats", "n_repeats"),
    Column("topics", "n_topics"),
    Column("power"),
    Column("half width"),
    Column("cost"),
)


def component_table(answer: Answer) -> Table:
    """Return one row per variance component."""
    parts = answer.components
    return {
        "component": [NAMES[name] for name in parts.estimates],
        "variance": list(parts.estimates.values()),
        "mean square": [parts.mean_squares[name] for name in parts.estimates],
        "degrees of freedom": [parts.degrees[name] for name in parts.estimates],
    }


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


def in_all_tries(answer: Answer) -> list[str]:
    """Return the same in sentences, for all tries, and how often such intervals cover."""
    level = f"{100 * (1 - answer.request.alpha):g} % confidence interval over topics"
    text = [
        f"{one.system} passes in all of {one.tries} tries on {100 * one.share:.1f} % of topics ({level}: "
        f"{100 * one.low:.1f} to {100 * one.high:.1f} %)."
        for one in passes(answer)
        if one.tries == answer.scores.n_repeats
    ]
    return [*text, TRIES_NOTE] if text else []


def paragraph(answer: Answer) -> tuple[str, str]:
    """Return methods and results, in plain text and in LaTeX."""
    scores, parts = answer.scores, answer.components
    unit = UNITS[parts.kind]
    test = (
        "t tests with the variance of seeds, at least 0, in the error, and Satterthwaite's degrees of freedom"
        if parts.kind == "seeds"
        else f"paired t tests on means over {unit}s"
    )
    text = (
        f"Variance components of {scores.measure} were estimated from mean squares over {scores.n_topics} topics, "
        f"{scores.n_systems} systems and {scores.n_repeats} {unit}s each {CITATION}: "
        f"{_components(answer, 4)}. Systems were compared by {test}. {next_buy(answer)} (Topicset {__version__})."
    )
    works = [BRENNAN_2001, SATTERTHWAITE_1946]
    return cite_plain(text, works), cite_latex(text, works)


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
        "pairs": [attributes(one, "first second") | fields_of(one.test) for one in answer.pairs],
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
    text=sentences,
)
