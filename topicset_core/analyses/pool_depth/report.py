"""The answer on pool depth as its readers get it: headline, tables, figures, record, text for a paper."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from topicset_core.analyses.pool_depth import charts
from topicset_core.analyses.pool_depth.designs import (
    MIN_JUDGED_SHARE,
    MIN_RELEVANT,
    MIN_TAU,
    Choice,
    DepthDesign,
    Effort,
    Purchase,
    purchases,
)
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.analyses.pool_depth.study import DepthStudy
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.designs import DESIGNS, Plan
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row
from topicset_core.measures.measure import IntentMeasure
from topicset_core.parameters import ALPHA, BETA
from topicset_core.references import SAKAI_2016
from topicset_core.version import __version__
from topicset_core.wording import counted, joined, percent

_SYMBOLS = {parameter.name: parameter.symbol for design in DESIGNS for parameter in design.parameters}
_ASKS = " What is your budget?"
_FEW = 0.05  # of all judgments: a share up to this without a run that has the document needs no sentence


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer in words."""

    # The headline: its numbers, and the words after them
    number: str
    rest: str
    # The meaning of the headline: the test and the measures, the losses at its depth, and why that depth
    sentences: tuple[str, ...] = ()
    warning: str = ""  # where the judgments do not cover the pools
    # Judgments that the given runs do not explain, and the pool of all runs if others were pooled too
    other_runs: str = ""
    purchases: tuple[Purchase, ...] = ()  # what the budget buys at each depth by each measure
    # What it buys at the depth of the headline by the measure whose difference is largest, and that design
    bought: Purchase | None = None
    design: DepthDesign | None = None

    def at(self, depth: int) -> list[Purchase]:
        """Return what the budget buys at a depth, the largest difference first."""
        here = [one for one in self.purchases if one.pool_depth == depth]
        return sorted(here, key=lambda one: one.reached, reverse=True)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Doubts about the answer: the warning and the other runs, where there are any."""
        return tuple(filter(None, (self.warning, self.other_runs)))

    @property
    def headline(self) -> str:
        """The headline as a sentence."""
        text = self.number + self.rest
        return text if text.endswith("?") else f"{text}."


def answer(study: DepthStudy, choice: Choice | None, asked: Asked) -> Answer:
    """Return the answer in words."""
    rule = asked.rule
    if choice is None:
        without = [name for name in study.measures if not study.of(name)]
        by = f" by {joined(without)}" if without else " by every measure"
        return Answer(number="No depth has an answer", rest=by, other_runs=_other_runs(study, choice))
    depths = {one.pool_depth for one in choice.designs}
    every = [one for one in study.designs if one.pool_depth in depths]
    result = Answer(number="", rest="", purchases=purchases(every, choice.budget, rule))
    shown = _shown(choice, result, asked.pool_depth)
    if choice.budget.is_open:
        result = _without_budget(study, choice, result, asked)
    elif shown is not None:
        result = _at_depth(study, choice, result, shown, asked)
    else:
        at = "" if asked.pool_depth is None else f" at depth {asked.pool_depth}"
        number, rest = choice.budget.in_words, f" do not pay for two topics{at}"
        result = replace(result, number=number, rest=rest, sentences=_needed(study, choice, rule))
    return replace(result, warning=_warning(choice), other_runs=_other_runs(study, choice))


def _shown(choice: Choice, words: Answer, depth: int | None) -> Purchase | None:
    """Return what the budget buys at a depth, or at the recommended one: else where the difference is smallest."""
    if depth is None and choice.taken is not None:
        depth = choice.taken.pool_depth
    depths = [one.pool_depth for one in choice.recommended] if depth is None else [depth]
    if not depths:  # the deepest that it pays for, whose pool loses least
        depths = [one.pool_depth for one in choice.designs if words.at(one.pool_depth)][-1:]
    return min([at[0] for one in depths if (at := words.at(one))], key=lambda one: one.reached, default=None)


def _without_budget(study: DepthStudy, choice: Choice, words: Answer, asked: Asked) -> Answer:
    """Return what the depths cost, which of them may be recommended, and the question for the budget."""
    rule, chosen = asked.rule, asked.pool_depth
    shown = [one for one in choice.designs if chosen in (None, one.pool_depth)]
    costs = [one.total_judgments or 0 for one in shown]
    depths = [one.pool_depth for one in shown]
    design = shown[0] if len(shown) == 1 else None
    every = "" if study.full_pool_factor is None else _full_pool(shown)
    return replace(
        words,
        number=f"{rule.symbol} = {rule.difference:g} takes {_from_to(costs)} judgments",
        rest=f" at depth {_from_to(depths)}{every}.{_ASKS}",
        design=design,
        sentences=(
            f"By {_test(rule)}.",
            *([] if design is None else _losses(study, design)),
            *_needed(study, choice, rule),
        ),
    )


def _from_to(values: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys(f"{value:,}" for value in (min(values), max(values))))


def _full_pool(designs: Sequence[DepthDesign]) -> str:
    """Return what the pool of all runs costs, in brackets; "" where that is the cost shown."""
    costs = [one.full_pool_judgments or 0 for one in designs]
    if costs == [one.total_judgments for one in designs]:
        return ""
    return f" (pool of all runs: about {_from_to(costs)})"


def _at_depth(study: DepthStudy, choice: Choice, words: Answer, bought: Purchase, asked: Asked) -> Answer:
    """Return what the budget buys at the depth shown, and what else there is to know of that depth."""
    rule = asked.rule
    here = bought.pool_depth, bought.measure
    design = next(one for one in study.designs if (one.pool_depth, one.measure) == here)
    each = [f"{one.measure} {one.reached:.3g}" for one in words.at(bought.pool_depth)]
    largest = f"; the largest of the measures counts ({', '.join(each)})" if len(each) > 1 else ""
    power = ""
    if bought.power is not None:
        power = f" At {rule.symbol} = {rule.difference:g} the power is {percent(bought.power, '.0f')}."
    number = f"{choice.budget.in_words} buy {bought.n_topics:,} topics"
    rest = f" at depth {bought.pool_depth}, {_does(bought, rule)}"
    if choice.taken is None and asked.pool_depth is None:
        number, rest = "No depth can be recommended", f": {number}{rest}"
        if choice.recommended:
            number = f"The budget is too small for {rule.symbol} = {rule.difference:g}"
    return replace(
        words,
        number=number,
        rest=rest,
        bought=bought,
        design=design,
        sentences=(
            f"By {_test(rule)}{largest}.{power}",
            *filter(None, [choice.budget.effort_in_words]),
            *_losses(study, design),
            *_needed(study, choice, rule),
        ),
    )


def _does(bought: Purchase, rule: Plan) -> str:
    """Return what the topics that are bought do, as the other headlines say it."""
    if bought.difference is None:
        return "too few to detect any difference"
    words = rule.design.headline.format(
        difference=float(f"{bought.difference:.3g}"),
        measure=bought.measure,
        power=100 * (1 - rule.values.get(BETA.name, 0.0)),
        confidence=100 * (1 - rule.values.get(ALPHA.name, 0.0)),
    )
    return f"which {words}"


def _needed(study: DepthStudy, choice: Choice, rule: Plan) -> tuple[str, ...]:
    """Return which depths reach the floors, what the difference costs there, and how deep the budget reaches it."""
    asked = f"{rule.symbol} = {rule.difference:g}"
    taken, cheapest = choice.taken, choice.cheapest
    if cheapest is None:
        return (_none_reaches(choice),)
    reaching = _reaching(choice)
    least = f"takes at least {_cost(cheapest)} at depth {cheapest.pool_depth}{_each(study, cheapest)}."
    if choice.budget.is_open:
        return (f"{reaching} {asked} {least}",)
    if taken is None:
        return (reaching, f"No such depth reaches {asked} within the budget: it {least}")
    rank, rest = "deepest", "deeper pools serve new systems better"
    if choice.deepest is not None and choice.deepest is not taken:
        rank = "most expensive"
        rest = f"the deepest, depth {choice.deepest.pool_depth}, takes {_cost(choice.deepest)}"
    needs = f"with {_cost(taken)}{_each(study, taken)}"
    more = "" if taken is cheapest else f" {asked} {least}"
    why = f"the {rank} of these within the budget that reaches {asked}, {needs}; {rest}"
    return (reaching, f"Depth {taken.pool_depth} is {why}.{more}")


def _floors(choice: Choice, names: Collection[str]) -> str:
    """Return these floors as what a depth must have; "" for none."""
    floors = choice.floors
    words = {
        MIN_TAU.name: f"τ of at least {floors.min_tau:g}",
        MIN_RELEVANT.name: f"{percent(floors.min_relevant)} of the known relevant documents",
        MIN_JUDGED_SHARE.name: f"{percent(floors.min_judged_share)} of the pool judged",
    }
    return joined([text for name, text in words.items() if name in names]) if names else ""


def _checked(choice: Choice) -> list[str]:
    """Return the names of the floors that can be checked: none before anything is judged."""
    designs = choice.designs
    return [
        *([MIN_TAU.name] if choice.taus else []),
        *([MIN_RELEVANT.name] if any(one.relevant_known is not None for one in designs) else []),
        *([MIN_JUDGED_SHARE.name] if any(one.judged_share is not None for one in designs) else []),
    ]


def _reaching(choice: Choice) -> str:
    """Return which depths have what a recommended one must have."""
    depths = [str(one.pool_depth) for one in choice.recommended]
    floors = _floors(choice, _checked(choice))
    if not floors:
        return "Nothing is judged yet, so no depth is ruled out."
    if len(depths) == len(choice.designs):
        return f"{'Every depth' if len(depths) > 1 else f'Depth {depths[0]}'} has {floors}."
    which, has = ("depth", "has") if len(depths) == 1 else ("depths", "have")
    return f"Only {which} {joined(depths)} {has} {floors}."


def _none_reaches(choice: Choice) -> str:
    """Return that no depth has what is required, and the most that there is of it."""
    missed = {name for names in choice.missed.values() for name in names}
    found = {
        MIN_TAU.name: [(tau, -depth) for depth, tau in choice.taus.items()],
        MIN_RELEVANT.name: [(one.relevant_known or 0.0, -one.pool_depth) for one in choice.designs],
        MIN_JUDGED_SHARE.name: [(one.judged_share or 0.0, -one.pool_depth) for one in choice.designs],
    }
    words = {
        MIN_TAU.name: "τ {:.3f}",
        MIN_RELEVANT.name: "{:.1%} of the relevant documents",
        MIN_JUDGED_SHARE.name: "{:.0%} judged",
    }
    most = []
    for name, ends in found.items():
        if name in missed:
            value, depth = max(ends)
            most.append(f"{words[name].format(value).replace('%', ' %')} at depth {-depth}")
    return f"No depth has {_floors(choice, missed)}; the most is {joined(most)}."


def cost_in_words(study: DepthStudy, choice: Choice, rule: Plan) -> str:
    """Return what the difference asked for costs from the shallowest to the deepest pool with enough judgments."""
    ends = choice.recommended or choice.designs
    costs = [
        f"{_cost(one)} at depth {one.pool_depth}{_each(study, one)}" for one in (ends[0], *ends[1:][-1:])
    ]
    return f"{rule.symbol} = {rule.difference:g} by {_test(rule)} takes {' to '.join(costs)}."


def _test(rule: Plan) -> str:
    return f"{rule.design.name} ({_in_symbols(rule)})"


def _cost(design: DepthDesign) -> str:
    return f"{design.total_judgments:,} judgments for {counted(design.required_topics or 0, 'topic')}"


def _each(study: DepthStudy, design: DepthDesign) -> str:
    """Return the topics of each measure at a depth, in brackets; "" for a single measure."""
    here = [one for one in study.designs if one.pool_depth == design.pool_depth]
    if len(here) == 1:
        return ""
    return f" ({', '.join(f'{one.measure} {one.required_topics or 0:,}' for one in here)})"


def _losses(study: DepthStudy, design: DepthDesign) -> list[str]:
    """Return the losses of a design compared with all judgments; nothing where nothing is judged."""
    parts = []
    if design.relevant_known is not None:
        tau = _lowest_tau(study, design)
        ranks = f"; {'lowest ' if len(study.measures) > 1 else ''}τ with all judgments: {tau}" if tau else ""
        parts.append(
            f"The pool contains {percent(design.relevant_known, '.1f')} of the known relevant documents{ranks}."
        )
    if design.n_lost_topics:
        parts.append(f"Topics with relevant documents, but none in the pool: {design.n_lost_topics}.")
    return [" ".join(parts)] if parts else []


def _lowest_tau(study: DepthStudy, design: DepthDesign) -> str:
    """Return the lowest τ of the measures at the depth of a design, and whose it is; "" without any."""
    lowest = study.lowest_tau(design.pool_depth)
    if lowest is None:
        return ""
    return f"{lowest.kendall_tau:.3f}{f' ({lowest.measure})' if len(study.measures) > 1 else ''}"


def _warning(choice: Choice | None) -> str:
    """Return which depths are not recommended as their pools are hardly judged, and what little is."""
    if choice is None:
        return ""
    short = [one for one in choice.designs if MIN_JUDGED_SHARE.name in choice.missed[one.pool_depth]]
    if not short:
        return ""
    worst = short[-1]
    return (
        f"{'Depth' if len(short) == 1 else 'Depths'} {', '.join(str(one.pool_depth) for one in short)}: not "
        f"recommended, as less than {percent(choice.floors.min_judged_share, '.0f')} of the pool is judged. At "
        f"depth {worst.pool_depth} the pool has {_few(worst.pooled_per_topic)} documents per topic, and "
        f"{_few(worst.judged_per_topic or 0)} of them ({percent(worst.judged_share or 0, '.0f')}) are judged: "
        "variance, τ and relevant documents at this depth are from judged documents only."
    )


def _other_runs(study: DepthStudy, choice: Choice | None) -> str:
    """Return how many judgments the runs do not explain, and the cost of the pool of all runs."""
    if study.n_unexplained <= _FEW * study.n_judgments:
        return ""
    text = (
        f"{percent(study.n_unexplained / study.n_judgments, '.0f')} of the judgments are of documents that no "
        f"loaded run has among its first {study.explained_to}."
    )
    if study.full_pool_factor is None:
        return text
    text += (
        f" If more runs were pooled to that depth, and no other source was used (for example interactive "
        f"search), the pool of all runs is {study.full_pool_factor:.2f} times as large, assumed at every "
        "depth."
    )
    named = None if choice is None else choice.taken or choice.cheapest or choice.designs[0]
    if named is None:
        return text
    if named.total_judgments == named.full_pool_judgments:
        return f"{text} The costs shown are for that pool."
    return f"{text} Depth {named.pool_depth} would cost {named.full_pool_judgments:,} judgments."


def _few(documents: float) -> str:
    return f"{documents:,.0f}" if documents >= 10 else f"{documents:.2g}"


def _in_symbols(rule: Plan) -> str:
    return ", ".join(
        [
            *(f"{_SYMBOLS[name]} = {value:g}" for name, value in rule.numbers.items()),
            *rule.design.chosen_words(rule.values),
        ]
    )


def studied_in_words(collections: Sequence[JudgedRuns]) -> str:
    """Return the runs and topics of collections, for records and papers."""
    return joined(
        [
            f"{counted(runs.n_systems, 'run')} on {counted(runs.n_topics, 'topic')} ({runs.qrels.name})"
            for runs in collections
        ]
    )


def report(study: DepthStudy, choice: Choice | None, words: Answer, asked: Asked, *, source: str) -> Report:
    """Return the answer, ready to be exported; `source` is that of the runs or of the variance."""
    columns, budget = design_columns(study.designs), purchase_columns(asked.rule.symbol)
    recommended = [] if choice is None else [one.pool_depth for one in choice.recommended]
    result = {
        "analysis": "pool depth",
        "settings": asked.record(),
        "judged_depth": study.judged,
        **attributes(study, "n_topics n_judgments n_unexplained full_pool_factor"),
        "depths": study.designs,
        "recommended_depths": recommended,
        "floors_missed": [
            {"pool_depth": depth, "floors": names}
            for depth, names in (choice.missed.items() if choice else ())
            if names
        ],
        "chosen": None if choice is None else choice.taken,
        "bought": words.bought,
        "lowest_tau": [
            {"pool_depth": depth, **attributes(one, "measure kendall_tau")}
            for depth in study.depths
            if (one := study.lowest_tau(depth)) is not None
        ],
        "purchases": sorted(
            [at[0] for depth in recommended if (at := words.at(depth))], key=lambda one: one.reached
        ),
        "remarks": [*words.doubts, *study.notes],
    }
    return Report(
        name="pool-depth",
        title="Topics and pool depth",
        sentence=" ".join([words.headline, *words.sentences, *words.doubts]),
        tables=(
            ReportTable("every depth", partial(columns.table, study.designs), "Every depth", "pool-depth"),
            *(
                []
                if choice is None
                else [
                    ReportTable(
                        "cost of each depth",
                        partial(cost_columns(study, choice).table, choice.designs),
                        "Cost of each depth",
                        "cost-of-depths",
                    )
                ]
            ),
            ReportTable("budget", partial(budget.table, words.purchases), "What the budget buys", "budget"),
        ),
        results=lambda: [result],
        text=methods_text(words, study, choice, asked, source),
        figures=lambda: [] if choice is None else figures(study, choice, words, asked.rule),
        measure=study.measures[0],
        variance_source=source,
        n_topics=study.n_topics,
        request=asked.settings,
    )


def cost_columns(study: DepthStudy, choice: Choice) -> Columns[DepthDesign]:
    """Return the columns of a table of what each depth costs and reaches, one row per depth."""
    effort = choice.budget.effort

    def hours(one: DepthDesign) -> float:
        return effort.hours(one.required_topics or 0, one.total_judgments or 0)

    is_full = study.full_pool_factor is not None
    return Columns(
        Column("pool depth"),
        Column("topics", "required_topics", form=","),
        Column("judgments", "total_judgments", form=","),
        *([Column[DepthDesign]("pool of all runs", "full_pool_judgments", form=",")] if is_full else []),
        Column("hours", hours, form=",.0f"),
        Column("lowest τ", lambda one: choice.taus.get(one.pool_depth), form=".3f"),
        Column("relevant found", "relevant_known", form=".1%"),
        Column("recommended", lambda one: "yes" if choice.is_recommended(one) else "no"),
    )


def design_columns(designs: Sequence[DepthDesign]) -> Columns[DepthDesign]:
    """Return the columns of a table of designs; columns without any value are left out."""
    full: list[Column[DepthDesign]] = [
        Column("full pool per topic", form=".4g", on="fs"),
        Column("full-pool judgments", "full_pool_judgments", form=",", on="fs"),
    ]
    return Columns(
        Column("pool depth"),
        Column("measure"),
        Column("topics", "required_topics", form=","),
        Column("documents per topic", "pooled_per_topic", form=".4g"),
        Column("judgments", "total_judgments", form=","),
        Column("judged share", form=".2%"),
        Column("relevant known", form=".2%"),
        Column("τ", "kendall_tau", form=".4g"),
        Column("τ AP", "tau_ap", form=".4g", on="fs"),
        Column("σ²", "within_system_variance", form=".4g"),
        Column("judged per topic", form=".4g", on="fs"),
        Column("topics lost", "n_lost_topics", on="fs"),
        *(full if any(one.full_pool_per_topic is not None for one in designs) else []),
    )


def purchase_columns(symbol: str) -> Columns[Purchase]:
    """Return the columns of a table of what a budget buys, one row per depth and measure."""
    return Columns(
        Column("pool depth"),
        Column("measure"),
        Column("topics", "n_topics", form=","),
        Column("judgments", "total_judgments", form=","),
        Column(symbol, "difference", form=".4g"),
        Column("power", form=".2%"),
    )


def effort_columns(effort: Effort) -> Columns[Purchase]:
    """Return the columns of a table of the time and the money that the topics of each depth take."""
    return Columns(
        Column("pool depth"),
        Column("topics", "n_topics", form=","),
        Column("judgments", "total_judgments", form=","),
        Column("hours", lambda one: effort.hours(one.n_topics, one.total_judgments), form=",.0f"),
        Column("price", lambda one: round(effort.price(one.n_topics, one.total_judgments)), form=","),
    )


LEFT_OUT = Columns[Row](
    Column("pool depth"),
    Column("run", "system"),
    Column("team"),
    Column("only from the team", "n_unique"),
    Column("relevant among these", "n_unique_relevant"),
    Column("score"),
    Column("without the team", "score_left_out"),
    Column("rank"),
    Column("rank without", "rank_left_out"),
)
"""One row per run and depth, with and without its team's uniquely contributed documents."""


def figures(study: DepthStudy, choice: Choice, words: Answer, rule: Plan) -> list[Figure]:
    """Return the figures: what the budget buys, or without one what each depth costs; and the trade-off."""
    by_measure = [designs for name in study.measures if (designs := study.of(name))]
    drawn = []
    if words.bought is not None:
        drawn.append(charts.bought_by_depth(by_measure, words.purchases, choice, rule, words.bought))
    elif choice.budget.is_open:
        drawn.append(charts.cost_by_depth(by_measure, choice, rule, words.design))
    return [*drawn, charts.topics_by_judgments(by_measure, choice)]


def methods_text(
    words: Answer, study: DepthStudy, choice: Choice | None, asked: Asked, source: str
) -> tuple[str, str]:
    """Return how a pool depth was chosen, as a paragraph in plain text and in LaTeX."""
    depths = ", ".join(map(str, study.depths))
    rule, conventions = asked.rule, asked.conventions
    design = f"({rule.design.name}; {_in_symbols(rule)})"
    definitions = " ".join(
        f"{one.name}: {one.definition}"
        for one in asked.scored_by
        if isinstance(one, IntentMeasure) and one.name in study.measures
    )
    if study.judged is None:
        paragraph = (
            f"The balance of topics and pool depth was studied as by Sakai {CITATION}: pools of depth {depths} "
            f"were counted from the runs on {counted(study.n_topics, 'topic')}, before any judgment, and the "
            f"within-system variance of {source} was used at every depth for topic set size design {design}."
        )
    else:
        gain = {"linear": "x", "exponential": "2^x - 1"}[conventions.gains]
        taken = "; the largest of their results counts" if len(study.measures) > 1 else ""
        lost = {"zero": "are kept with their scores", "drop": "are left out"}[study.lost_topics]
        paragraph = (
            f"The balance of topics and pool depth was studied as by Sakai {CITATION} on {source}: from the "
            f"judgments, pools of depth {depths} were built and the runs scored again by "
            f"{', '.join(study.measures)}; the within-system variances were used for topic set "
            f"size design {design}{taken}. Costs count the documents in the pool of "
            f"these runs, judged or not. Documents are relevant from grade {conventions.relevance_level}, "
            f"the gain of grade x{' in nDCG and Q' if definitions else ''} is {gain}, "
            f"AP and Q with a cutoff md are divided by {conventions.denominator}, and topics without "
            f"a relevant document in the pool {lost}."
        )
    paragraph += f" {definitions}" if definitions else ""
    bought, at = words.bought, words.design
    paragraph += f" {words.headline.removesuffix(_ASKS)}"
    if choice is not None and (floors := _floors(choice, _checked(choice))):
        paragraph += f" A depth was recommended only if it had {floors}."
    if bought is not None and at is not None:
        paragraph += (
            f" At that depth the variance of {at.measure} is σ² = {at.within_system_variance:.4g}, and "
            f"{at.pooled_per_topic:.0f} documents are judged per topic, {bought.total_judgments:,} judgments in all"
        )
        if at.judged_share is not None:
            paragraph += f"; {at.judged_share:.0%} of the pool is judged in these data"
        if tau := _lowest_tau(study, at):
            lowest = ", the lowest of these measures" if len(study.measures) > 1 else ""
            paragraph += f", and the runs rank as by all judgments with Kendall's tau {tau}{lowest}"
        paragraph += "."
    paragraph += f" Computed with Topicset {__version__}."
    works = (SAKAI_2016,)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
