"""The answer on pool depth as its readers get it: findings, tables, figures, record."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from topicset_core.analyses.pool_depth import charts
from topicset_core.analyses.pool_depth.designs import (
    MIN_JUDGED_SHARE,
    MIN_RELEVANT,
    MIN_TAU,
    Budget,
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
from topicset_core.exports.citing import CITATION
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row
from topicset_core.measures.measure import IntentMeasure
from topicset_core.parameters import ALPHA, BETA
from topicset_core.references import SAKAI_2016
from topicset_core.version import __version__
from topicset_core.wording import counted, joined, percent

_SYMBOLS = {parameter.name: parameter.symbol for design in DESIGNS for parameter in design.parameters}
_FEW = 0.05  # of all judgments: a share up to this without a run that has the document needs no sentence
_TAU = "Kendall's τ of the ranking of runs with that by all judgments, by the measure with the lowest."


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """A study read for a question: the choice among its designs, and what the budget buys."""

    study: DepthStudy  # as planned
    choice: Choice | None  # None where no depth has an answer
    asked: Asked
    source: str = ""  # of the runs or of the variance

    @classmethod
    def of(cls, study: DepthStudy, asked: Asked, source: str) -> "Answer":
        """Read a study for a question."""
        study, choice = asked.read_off(study)
        return cls(study=study, choice=choice, asked=asked, source=source)

    @cached_property
    def purchases(self) -> tuple[Purchase, ...]:
        """What the budget buys at each depth by each measure."""
        if self.choice is None:
            return ()
        depths = {one.pool_depth for one in self.choice.designs}
        every = [one for one in self.study.designs if one.pool_depth in depths]
        return purchases(every, self.choice.budget, self.asked.rule)

    def at(self, depth: int) -> list[Purchase]:
        """Return what the budget buys at a depth, the largest difference first."""
        here = [one for one in self.purchases if one.pool_depth == depth]
        return sorted(here, key=lambda one: one.reached, reverse=True)

    @cached_property
    def bought(self) -> Purchase | None:
        """What it buys at the depth of the headline by the measure whose difference is largest."""
        choice, depth = self.choice, self.asked.pool_depth
        if choice is None:
            return None
        if depth is None and choice.taken is not None:
            depth = choice.taken.pool_depth
        depths = [one.pool_depth for one in choice.recommended] if depth is None else [depth]
        if not depths:  # the deepest that it pays for, whose pool loses least
            depths = [one.pool_depth for one in choice.designs if self.at(one.pool_depth)][-1:]
        largest = [self.at(depth)[0] for depth in depths if self.at(depth)]
        return min(largest, key=lambda one: one.reached, default=None)

    @property
    def design(self) -> DepthDesign | None:
        """The design of the headline, where it is of one depth."""
        if self.bought is not None:
            here = self.bought.pool_depth, self.bought.measure
            return next(one for one in self.study.designs if (one.pool_depth, one.measure) == here)
        if self.choice is None or not self.choice.budget.is_open:
            return None
        designs = [one for one in self.choice.designs if self.asked.pool_depth in (None, one.pool_depth)]
        return designs[0] if len(designs) == 1 else None

    @property
    def warning(self) -> str:
        """Which depths are not recommended as their pools are hardly judged, and what little is; "" for none."""
        return _warning(self.choice)


def findings(answer: Answer) -> list[Finding]:
    """Return the findings: what the budget buys or the depths cost, the test, losses, floors, other runs."""
    study, choice, design, bought = answer.study, answer.choice, answer.design, answer.bought
    number, rest = _result(answer)
    is_asked = choice is not None and choice.budget.is_open
    other_runs = _other_runs(study, choice)
    result = [
        headline("", number, f"{rest}. What is your budget?" if is_asked else rest),
        *_tiles(answer),
        Finding(_origin(answer), "paper"),
        Finding(f"{number}{rest}.", "export terminal paper"),
    ]
    if choice is not None:
        result.append(Finding(f"The topics are planned for {_test(answer.asked.rule)}."))
        if bought is not None:
            result += map(Finding, _bought(answer, choice.budget, bought))
        if design is not None:
            result += map(Finding, _losses(study, design))
        if design is not None and bought is not None:
            result.append(Finding(_variance(design, bought), "paper"))
        result += map(Finding, _needed(study, choice, answer.asked.rule))
    if other_runs:
        result.append(Finding(other_runs, "page export terminal"))
    result.append(Finding(f"The variance is from {answer.source}.", "page", tab="Numbers"))
    result += [Finding(note, "page terminal", tab="Numbers") for note in study.notes]
    result.append(Finding(f"Computed with Topicset {__version__}.", "paper"))
    return result


def _result(answer: Answer) -> tuple[str, str]:
    """Return the headline: its numbers, and the words after them."""
    choice, bought, asked = answer.choice, answer.bought, answer.asked
    rule, depth = asked.rule, asked.pool_depth
    if choice is None:
        without = [name for name in answer.study.measures if not answer.study.of(name)]
        return "No depth has an answer", f" by {joined(without)}" if without else " by every measure"
    if choice.budget.is_open:
        shown = choice.designs if answer.design is None else [answer.design]
        depths, costs = (
            _from_to([one.pool_depth for one in shown]),
            [one.total_judgments or 0 for one in shown],
        )
        every = "" if answer.study.full_pool_factor is None else _full_pool(shown)
        return (
            f"{rule.symbol} = {rule.difference:g} takes {_from_to(costs)} judgments",
            f" at depth {depths}{every}",
        )
    if bought is None:
        at = "" if depth is None else f" at depth {depth}"
        return choice.budget.in_words, f" do not pay for two topics{at}"
    number = f"{choice.budget.in_words} buy {bought.n_topics:,} topics"
    rest = f" at depth {bought.pool_depth}, {_does(bought, rule)}"
    if choice.taken is not None or depth is not None:
        return number, rest
    if choice.recommended:
        return f"The budget is too small for {rule.symbol} = {rule.difference:g}", f": {number}{rest}"
    return "No depth can be recommended", f": {number}{rest}"


def _from_to(values: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys(f"{value:,}" for value in (min(values), max(values))))


def _full_pool(designs: Sequence[DepthDesign]) -> str:
    """Return what the pool of all runs costs, in brackets; "" where that is the cost shown."""
    costs = [one.full_pool_judgments or 0 for one in designs]
    if costs == [one.total_judgments for one in designs]:
        return ""
    return f" (pool of all runs: about {_from_to(costs)})"


def _tiles(answer: Answer) -> Iterator[Finding]:
    """Yield the numbers beside the headline: of the depth shown, or of all depths where none is."""
    study, choice, bought, design = answer.study, answer.choice, answer.bought, answer.design
    if choice is None:
        return
    if bought is not None:
        yield tile("they cost", f"{bought.total_judgments:,} judgments", _by_measure(answer, bought))
    elif design is not None:
        yield tile("topics", f"{design.required_topics or 0:,}")
    else:
        floors = (
            "Depths that reach all floors: least τ, relevant documents found, and judged share of the pool."
        )
        yield tile("recommended", f"{len(choice.recommended)} of {len(choice.designs)} depths", floors)
        if choice.cheapest is not None:
            text = "The recommended depth that costs fewest judgments."
            yield tile("cheapest of them", f"depth {choice.cheapest.pool_depth}", text)
    shown = [one for one in choice.designs if design is None or one.pool_depth == design.pool_depth]
    taus = [choice.taus[one.pool_depth] for one in shown if one.pool_depth in choice.taus]
    known = [one.relevant_known for one in shown if one.relevant_known is not None]
    if taus:
        lowest = study.lowest_tau(design.pool_depth) if design is not None else None
        value = f"{min(taus):.3f}" if lowest is not None else f"{min(taus):.3f} to {max(taus):.3f}"
        label = "lowest Kendall's τ" if lowest is None else f"Kendall's τ of {lowest.measure}"
        yield tile(label, value, _TAU)
    if known:
        ends = dict.fromkeys(percent(share, ".0f") for share in (min(known), max(known)))
        text = "Relevant documents in the pool, as a share of all documents that are judged relevant."
        yield tile("relevant found", " to ".join(ends), text)


def _bought(answer: Answer, budget: Budget, bought: Purchase) -> Iterator[str]:
    """Yield what else there is to know of what the budget buys."""
    rule, hours = answer.asked.rule, budget.effort_in_words
    if len(answer.at(bought.pool_depth)) > 1:
        yield _by_measure(answer, bought)
    if bought.power is not None:
        yield f"At {rule.symbol} = {rule.difference:g} the power is {percent(bought.power, '.0f')}."
    if hours:
        yield hours


def _by_measure(answer: Answer, bought: Purchase) -> str:
    """Return what the budget reaches by each measure at its depth."""
    each = [f"{one.measure} {one.reached:.3g}" for one in answer.at(bought.pool_depth)]
    return f"The largest of the measures counts: {', '.join(each)}."


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
    """Return what a recommended depth must have, and which depths have it."""
    depths = [str(one.pool_depth) for one in choice.recommended]
    floors = _floors(choice, _checked(choice))
    if not floors:
        return "Nothing is judged yet, so no depth is ruled out."
    is_every, is_one = len(depths) == len(choice.designs), len(depths) == 1
    which = f"{'depth' if is_one else 'depths'} {joined(depths)} {'is' if is_one else 'are'}"
    if is_every:
        which = f"depth {depths[0]} is" if is_one else "every depth is"
    return f"A depth is recommended if it has {floors}: {which if is_every else f'only {which}'}."


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


def _variance(design: DepthDesign, bought: Purchase) -> str:
    """Return the variance and the pools at the depth that the budget is spent at."""
    text = (
        f"At that depth the variance of {design.measure} is σ² = {design.within_system_variance:.4g}, and "
        f"{design.pooled_per_topic:.0f} documents are judged per topic, {bought.total_judgments:,} judgments in all"
    )
    if design.judged_share is None:
        return f"{text}."
    return f"{text}; {percent(design.judged_share, '.0f')} of the pool is judged in these data."


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


def _test(rule: Plan) -> str:
    """Return the test or interval with its values."""
    values = [f"{_SYMBOLS[name]} = {value:g}" for name, value in rule.numbers.items()]
    return f"{rule.design.name} ({', '.join([*values, *rule.design.chosen_words(rule.values)])})"


def studied_in_words(collections: Sequence[JudgedRuns]) -> str:
    """Return the runs and topics of collections, for records and papers."""
    return joined(
        [
            f"{counted(runs.n_systems, 'run')} on {counted(runs.n_topics, 'topic')} ({runs.qrels.name})"
            for runs in collections
        ]
    )


def _origin(answer: Answer) -> str:
    """Return how a pool depth was studied, for a paper."""
    study, conventions = answer.study, answer.asked.conventions
    depths = ", ".join(map(str, study.depths))
    begin = f"The balance of topics and pool depth was studied as by Sakai {CITATION}"
    definitions = [
        f"{one.name}: {one.definition}"
        for one in answer.asked.scored_by
        if isinstance(one, IntentMeasure) and one.name in study.measures
    ]
    if study.judged is None:
        text = (
            f"{begin}: pools of depth {depths} were counted from the runs on {counted(study.n_topics, 'topic')}, "
            f"before any judgment, and the within-system variance of {answer.source} was used at every depth for "
            "topic set size design."
        )
        return " ".join([text, *definitions])
    gain = {"linear": "x", "exponential": "2^x - 1"}[conventions.gains]
    lost = {"zero": "are kept with their scores", "drop": "are left out"}[study.lost_topics]
    is_said = answer.bought is not None and len(answer.at(answer.bought.pool_depth)) > 1
    taken = "; the largest of their results counts" if len(study.measures) > 1 and not is_said else ""
    of_gain = " in nDCG and Q" if definitions else ""
    text = (
        f"{begin} on {answer.source}: from the judgments, pools of depth {depths} were built and the runs scored "
        f"again by {', '.join(study.measures)}; the within-system variances were used for topic set size "
        f"design{taken}. Costs count the documents in the pool of these runs, judged or not. Documents are "
        f"relevant from grade {conventions.relevance_level}, the gain of grade x{of_gain} is {gain}, AP and Q with "
        f"a cutoff md are divided by {conventions.denominator}, and topics without a relevant document in the pool "
        f"{lost}."
    )
    return " ".join([text, *definitions])


def report(answer: Answer) -> Report:
    """Return the answer ready for export."""
    study, choice, asked = answer.study, answer.choice, answer.asked
    columns, budget = design_columns(study.designs), purchase_columns(asked.rule.symbol)
    cost = "cost of each depth", "Cost of each depth", "cost-of-depths"
    return Report(
        name="pool-depth",
        title="Topics and pool depth",
        findings=findings(answer),
        works=(SAKAI_2016,),
        tables=(
            ReportTable("every depth", partial(columns.table, study.designs), "Every depth", "pool-depth"),
            *(
                ReportTable(cost[0], partial(cost_columns(study, one).table, one.designs), *cost[1:])
                for one in filter(None, [choice])
            ),
            ReportTable("budget", partial(budget.table, answer.purchases), "What the budget buys", "budget"),
        ),
        results=lambda: [record(answer)],
        figures=lambda: figures(answer),
        measure=study.measures[0],
        variance_source=answer.source,
        n_topics=study.n_topics,
        request=asked.settings,
        warning=answer.warning,
    )


def record(answer: Answer) -> dict[str, Any]:
    """Return the record of the result."""
    study, choice = answer.study, answer.choice
    recommended = [] if choice is None else [one.pool_depth for one in choice.recommended]
    return {
        "analysis": "pool depth",
        "settings": answer.asked.record(),
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
        "bought": answer.bought,
        "lowest_tau": [
            {"pool_depth": depth, **attributes(one, "measure kendall_tau")}
            for depth in study.depths
            if (one := study.lowest_tau(depth)) is not None
        ],
        "purchases": sorted(
            [at[0] for depth in recommended if (at := answer.at(depth))], key=lambda one: one.reached
        ),
        "remarks": [*filter(None, (answer.warning, _other_runs(study, choice))), *study.notes],
    }


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


def figures(answer: Answer) -> list[Figure]:
    """Return the figures: what the budget buys, or without one what each depth costs; and the trade-off."""
    study, choice, rule = answer.study, answer.choice, answer.asked.rule
    if choice is None:
        return []
    by_measure = [designs for name in study.measures if (designs := study.of(name))]
    drawn = []
    if answer.bought is not None:
        drawn.append(charts.bought_by_depth(by_measure, answer.purchases, choice, rule, answer.bought))
    elif choice.budget.is_open:
        drawn.append(charts.cost_by_depth(by_measure, choice, rule, answer.design))
    return [*drawn, charts.topics_by_judgments(by_measure, choice)]
