"""The answer on pool depth as its readers get it: headline, tables, figures, record, text for a paper."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from topicset_core import __version__
from topicset_core.analyses.pool_depth import charts
from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign, Purchase, purchases
from topicset_core.analyses.pool_depth.pools import LeftOut
from topicset_core.analyses.pool_depth.request import Asked
from topicset_core.analyses.pool_depth.study import DepthStudy
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.designs import DESIGNS, Plan
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.measures.measure import IntentMeasure
from topicset_core.parameters import BETA
from topicset_core.references import SAKAI_2016
from topicset_core.wording import counted, joined, percent

_SYMBOLS = {parameter.name: parameter.symbol for design in DESIGNS for parameter in design.parameters}
_FEW = 0.05  # of all judgments: a share up to this without a run that has the document needs no sentence


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer in words."""

    # The headline: its numbers, and the words after them
    number: str
    rest: str
    # The meaning of the headline: the test and the measures, the price, the rule or the result of a small
    # budget
    sentences: tuple[str, ...] = ()
    warning: str = ""  # where the judgments do not cover the pools
    # Judgments that the given runs do not explain, and the pool of all runs if others were pooled too
    other_runs: str = ""
    # The designs for a budget that is too small for any depth, the best first
    purchases: tuple[Purchase, ...] = ()

    @property
    def doubts(self) -> tuple[str, ...]:
        """Doubts about the answer: the warning and the other runs, where there are any."""
        return tuple(filter(None, (self.warning, self.other_runs)))

    @property
    def headline(self) -> str:
        """The headline without a full stop."""
        return self.number + self.rest


def answer(study: DepthStudy, choice: Choice | None, rule: Plan) -> Answer:
    """Return the answer in words."""
    test = f"{rule.design.name} ({_in_symbols(rule)})"
    if choice is None:
        without = [name for name in study.measures if not study.of(name)]
        by = f" by {joined(without)}" if without else " by every measure"
        result = Answer(number="No depth has an answer", rest=by)
    elif not choice.recommended:
        best = max(one.judged_share or 0.0 for one in choice.designs)
        rest = f": at most {percent(best, '.0f')} of a pool is judged"
        result = Answer(number="No depth can be recommended", rest=rest)
    elif choice.budget is None:
        result = _range(study, choice, test)
    elif choice.taken is None:
        result = _small_budget(study, choice, rule, test)
    else:
        result = _chosen(study, choice, choice.taken, test)
    return replace(result, warning=_warning(choice), other_runs=_other_runs(study, choice))


def _chosen(study: DepthStudy, choice: Choice, taken: DepthDesign, test: str) -> Answer:
    """Return the design that the budget pays for."""
    sentences = (
        f"For {test}, planned with {_decided(study, taken)}.",
        *_price(study, [taken]),
        _rule_of(choice, taken),
    )
    number = f"Depth {taken.pool_depth}, {_topics(taken)}"
    return Answer(number=number, rest=f", {taken.total_judgments:,} judgments", sentences=sentences)


def _range(study: DepthStudy, choice: Choice, test: str) -> Answer:
    """Return the range of depths: without a budget no single design is the answer."""
    ends = [choice.recommended[0], *choice.recommended[1:][-1:]]
    needed = joined([f"{_topics(one)} at depth {one.pool_depth}{_each(study, one)}" for one in ends])
    decides = "; the largest number counts" if len(study.measures) > 1 else ""
    advice = "Enter a budget to choose a design."
    if len(ends) > 1:
        advice = (
            "All depths meet the same requirements, and deeper pools serve new systems better. Enter a budget to "
            "choose one."
        )
    return Answer(
        number=f"Depth {' to '.join(str(one.pool_depth) for one in ends)}",
        rest=f": {' to '.join(f'{one.total_judgments:,}' for one in ends)} judgments",
        sentences=(f"For {test}: {needed}{decides}.", *_price(study, ends), advice),
    )


def _small_budget(study: DepthStudy, choice: Choice, rule: Plan, test: str) -> Answer:
    """Return the designs for a budget that is too small for any depth, and the cost of all requirements."""
    cheapest = choice.cheapest or choice.recommended[0]
    enough = (
        f"All requirements cost {cheapest.total_judgments:,} judgments or more: depth {cheapest.pool_depth}, "
        f"{_topics(cheapest)}, for {test}, planned with {_decided(study, cheapest)}."
    )
    bought = purchases(choice, rule)
    number = f"{choice.budget:,.0f} judgments"
    if not bought:
        return Answer(number=number, rest=" do not pay for two topics", sentences=(enough,))
    best, target = bought[0], rule.design.difference_parameter
    topics = counted(best.n_topics, "topic")
    reached = "" if best.difference is None else f"{target.symbol} = {best.difference:.3g}"
    does, power = f"has intervals of expected width {reached}", ""
    if best.power is not None:
        does = f"detects {reached or 'no difference'} with {percent(1 - rule.values[BETA.name], '.0f')} power"
        power = (
            f" At {target.symbol} = {rule.values[target.name]:g} its power is {percent(best.power, '.0f')}."
        )
    return Answer(
        number=f"{number} buy {topics}",
        rest=f" at depth {best.pool_depth}{', ' if reached else ''}{reached}",
        sentences=(f"By {best.measure}, this collection {does}.{power}", enough),
        purchases=bought,
    )


def _topics(design: DepthDesign) -> str:
    return counted(design.required_topics or 0, "topic")


def _decided(study: DepthStudy, design: DepthDesign) -> str:
    """Return which measure decides at a depth, with the topics of all."""
    each = _each(study, design)
    return f"{design.measure}, which needs most topics{each}" if each else design.measure


def _each(study: DepthStudy, design: DepthDesign) -> str:
    """Return the topics of each measure at a depth, in brackets; "" for a single measure."""
    here = [one for one in study.designs if one.pool_depth == design.pool_depth]
    if len(here) == 1:
        return ""
    return f" ({', '.join(f'{one.measure} {one.required_topics or 0:,}' for one in here)})"


def _price(study: DepthStudy, designs: Sequence[DepthDesign]) -> list[str]:
    """Return the losses of the designs compared with all judgments; nothing where nothing is judged."""
    parts = []
    for one in designs:
        if one.relevant_known is not None:
            pool = f"At depth {one.pool_depth} the pool" if len(designs) > 1 else "The pool"
            tau = _lowest_tau(study, one)
            ranks = (
                f"; {'lowest ' if len(study.measures) > 1 else ''}τ with all judgments: {tau}" if tau else ""
            )
            known = f"contains {100 * one.relevant_known:.1f} % of the known relevant documents"
            parts.append(f"{pool} {known}{ranks}.")
    lost = [f"{one.n_lost_topics} at depth {one.pool_depth}" for one in designs if one.n_lost_topics]
    if lost:
        parts.append(f"Topics with relevant documents, but none in the pool: {joined(lost)}.")
    return [" ".join(parts)] if parts else []


def _lowest_tau(study: DepthStudy, design: DepthDesign) -> str:
    """Return the lowest τ of the measures at the depth of a design, and whose it is; "" without any."""
    lowest = study.lowest_tau(design.pool_depth)
    if lowest is None:
        return ""
    return f"{lowest.kendall_tau:.3f}{f' ({lowest.measure})' if len(study.measures) > 1 else ''}"


def _rule_of(choice: Choice, taken: DepthDesign) -> str:
    """Return why this design is taken, and which others the budget leaves."""
    deepest, cheapest = choice.deepest, choice.cheapest
    within = f"within {choice.budget:,.0f} judgments"
    if deepest is not None and deepest is not taken:
        return (
            f"This is the most expensive design {within}. The deepest, depth {deepest.pool_depth}, costs "
            f"{deepest.total_judgments:,}, as the shallower pool needs many more topics."
        )
    kind = "pool" if choice.recommended == choice.designs else "recommended pool"
    left = f"; {choice.unspent:,} remain" if choice.unspent else ""
    text = f"This is the deepest {kind} {within}{left}."
    if cheapest is None or cheapest is taken:
        return text
    cheap = f"depth {cheapest.pool_depth} with {_topics(cheapest)}, {cheapest.total_judgments:,} judgments"
    return f"{text} The cheapest is {cheap}."


def _warning(choice: Choice | None) -> str:
    """Return which depths are not recommended, and what little of their pools is judged."""
    short = [] if choice is None else [one for one in choice.designs if one not in choice.recommended]
    if choice is None or not short:
        return ""
    worst = short[-1]
    return (
        f"{'Depth' if len(short) == 1 else 'Depths'} {', '.join(str(one.pool_depth) for one in short)}: not "
        f"recommended, as less than {percent(choice.min_judged_share, '.0f')} of the pool is judged. At depth "
        f"{worst.pool_depth} the pool has {_few(worst.pooled_per_topic)} documents per topic, and "
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
    named = None if choice is None else choice.taken or choice.cheapest
    if named is None:
        return text
    if named.total_judgments == named.full_pool_judgments:
        return f"{text} The costs shown are for that pool."
    return f"{text} Depth {named.pool_depth} would cost {named.full_pool_judgments:,} judgments."


def _few(documents: float) -> str:
    return f"{documents:,.0f}" if documents >= 10 else f"{documents:.2g}"


def _in_symbols(rule: Plan) -> str:
    return ", ".join(
        [*(f"{_SYMBOLS[name]} = {value:g}" for name, value in rule.numbers.items()), *rule.chosen_words]
    )


def studied_in_words(collections: Sequence[JudgedRuns]) -> str:
    """Return the runs and topics of collections, for records and papers."""
    return joined(
        [
            f"{counted(runs.n_systems, 'run')} on {counted(runs.n_topics, 'topic')} ({runs.qrels.name})"
            for runs in collections
        ]
    )


def report(study: DepthStudy, asked: Asked, *, source: str) -> Report:
    """Return the answer, ready to be exported; `source` is that of the runs or of the variance."""
    study, choice = asked.read_off(study)
    words, columns = answer(study, choice, asked.rule), design_columns(study.designs)
    taken = None if choice is None else choice.taken
    result = {
        "analysis": "pool depth",
        "settings": asked.record(),
        "judged_depth": study.judged,
        **attributes(study, "n_topics n_judgments n_unexplained full_pool_factor"),
        "depths": study.designs,
        "recommended_depths": [] if choice is None else [one.pool_depth for one in choice.recommended],
        "chosen": taken,
        "lowest_tau": [
            {"pool_depth": depth, **attributes(one, "measure kendall_tau")}
            for depth in study.depths
            if (one := study.lowest_tau(depth)) is not None
        ],
        "purchases": words.purchases,
        "remarks": [*words.doubts, *study.notes],
    }
    return Report(
        name="pool-depth",
        title="Topics and pool depth",
        sentence=" ".join([f"{words.headline}.", *words.sentences, *words.doubts]),
        tables=(
            ReportTable("every depth", partial(columns.table, study.designs), "Every depth", "pool-depth"),
        ),
        results=lambda: [result],
        text=methods_text(words, taken, study, asked, source),
        figures=lambda: [] if choice is None else figures(study, choice),
        measure=study.measures[0],
        variance_source=source,
        n_topics=study.n_topics,
        request=asked.settings,
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
    """Return the columns of a table of the designs for a small budget, one row per depth."""
    return Columns(
        Column("pool depth"),
        Column("measure"),
        Column("topics", "n_topics"),
        Column("judgments", "total_judgments"),
        Column(symbol, "difference", form=".4g"),
        Column("power", form=".2%"),
    )


LEFT_OUT = Columns[LeftOut](
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


def figures(study: DepthStudy, choice: Choice) -> list[Figure]:
    """Return the figures."""
    by_measure = [designs for name in study.measures if (designs := study.of(name))]
    drawn = [charts.topics_by_judgments(by_measure, choice)]
    if study.judged is not None:
        planned = choice.taken or choice.designs[-1]
        lowest = study.lowest_tau(planned.pool_depth) or planned
        drawn.append(charts.variance_by_depth(by_measure, yours=planned.measure))
        lowest_tau = _lowest_tau(study, planned)
        drawn.append(charts.agreement_by_depth(by_measure, yours=lowest.measure, lowest=lowest_tau))
    return drawn


def methods_text(
    words: Answer, chosen: DepthDesign | None, study: DepthStudy, asked: Asked, source: str
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
        taken = "; the largest number of topics was taken" if len(study.measures) > 1 else ""
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
    if chosen is None:
        paragraph += " ".join([f" {words.headline}.", *words.sentences[:1]])
    else:
        paragraph += (
            f" At depth {chosen.pool_depth} the variance of {chosen.measure} is "
            f"σ² = {chosen.within_system_variance:.4g}, so that {chosen.required_topics:,} topics with "
            f"{chosen.pooled_per_topic:.0f} documents each are needed, {chosen.total_judgments:,} judgments "
            "in all"
        )
        if chosen.judged_share is not None:
            paragraph += f"; {chosen.judged_share:.0%} of the pool is judged in these data"
        if tau := _lowest_tau(study, chosen):
            lowest = ", the lowest of these measures" if len(study.measures) > 1 else ""
            paragraph += f", and the runs rank as by all judgments with Kendall's tau {tau}{lowest}"
        paragraph += "."
    paragraph += f" Computed with Topicset {__version__}."
    works = (SAKAI_2016,)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
