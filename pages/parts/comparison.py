"""The page that compares designs: its form, the source of the variances, and one table per design."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts import data, frame, link, question, variance_source
from pages.parts.computation import once
from pages.parts.data import MeasureVariance
from pages.parts.form import ERROR_PROBABILITIES, Choice, Form, Number, Text
from pages.parts.runs_data import BY_INTENT, SEEDS, sample_track
from topicset_core.analyses.planning import Scores, Source, Stated
from topicset_core.analyses.planning.spelled import unchecked_source_of
from topicset_core.analyses.run_evaluation import Request, evaluate
from topicset_core.analyses.sizing import DIFFERENCES, EFFECTS, SYSTEMS, ComparisonTable, separations
from topicset_core.analyses.sizing.cells import Bases, Numbers, StatedGroups, Target, bases_of
from topicset_core.analyses.sizing.comparison import STAND_IN_SYSTEMS
from topicset_core.analyses.sizing.comparison_report import Comparison
from topicset_core.analyses.sizing.separation import Separations
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import DESIGNS, design_named
from topicset_core.designs.grouped import (
    GROUP_SIZE,
    GROUP_SIZE_CV,
    INTRACLASS_CORRELATION,
    have_few_groups,
    if_in_groups,
)
from topicset_core.designs.results import Method
from topicset_core.errors import InputError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    EFFECTIVE_DF,
    MAX_WIDTH,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import MEAN_PAIR_DIFFERENCE, PAIR_PERCENTILE

PAGE, VARIANCE = "compare", "variance"
SHARES_ONLY = (
    "McNemar's test and intervals of shares are for scores of 0 and 1, and for variances that these can have"
)
METHODS: tuple[Method, ...] = ("exact", "published")
MOST_MEASURES = 50


@dataclass(frozen=True)
class _ByMeasure:
    """Numbers of a link, as ``variance=measure:number`` once per measure; they have no field."""

    name: str
    parameter: Parameter

    def read(self) -> tuple[tuple[MeasureVariance, ...], Sequence[link.Complaint]]:
        """Return the numbers of the link and, in the same order, the source of each."""
        texts, sources = link.texts(self.name), link.texts(link.SOURCE)
        if len(sources) != len(texts):
            sources = ["from the link"] * len(texts)
        result, wrong = _parsed(texts, sources, self)
        complaints = [
            link.Complaint(
                f"{self.name}={link.shortened(text)} in this link was not used: it {rule}.", self.name
            )
            for text, rule in wrong
        ]
        return result, complaints

    def draw(self, key: str, **_: Any) -> tuple[MeasureVariance, ...]:
        """Return the variances of the link in use; none if the page's own are in use."""
        measure_variances: tuple[MeasureVariance, ...] = st.session_state[key]
        return measure_variances


def _parsed(
    texts: Sequence[str], sources: Sequence[str], of: "_ByMeasure"
) -> tuple[tuple[MeasureVariance, ...], list[tuple[str, str]]]:
    """Return the numbers written ``measure:number``, and the refused texts with the rule they break."""
    taken: dict[str, MeasureVariance] = {}
    wrong = []
    for text, source in zip(texts, sources, strict=True):
        measure, _, value = text.rpartition(":")  # a measure may hold colons, a number does not
        measure = link.shortened(measure).strip()
        try:
            if not measure:
                raise InputError(of.name, text, 'must be written "measure:number"')
            if measure in taken:
                raise InputError(of.name, text, "names a measure twice")
            if len(taken) == MOST_MEASURES:
                raise InputError(of.name, text, f"is one measure more than {MOST_MEASURES}")
            number = link.number(of.parameter, value)
        except InputError as error:
            wrong.append((text, error.rule))
        else:
            taken[measure] = MeasureVariance(measure, number, link.shortened(source))
    return tuple(taken.values()), wrong


@dataclass(frozen=True)
class _Binary:
    """The measures of a link whose scores are all 0 or 1, as ``binary=measure`` once per measure."""

    name: str = "binary"

    def read(self) -> tuple[tuple[str, ...], Sequence[link.Complaint]]:
        """Return those that have a variance in the link, and a complaint about each other one."""
        known, named = (
            [link.shortened(text).strip() for text in texts]
            for texts in ([text.rpartition(":")[0] for text in link.texts(VARIANCE)], link.texts(self.name))
        )
        rule = "in this link was not used: it must be a measure with a variance"
        return tuple(one for one in known if one in named), [
            link.Complaint(f"{self.name}={one} {rule}.", self.name) for one in named if one not in known
        ]

    def draw(self, key: str, **_: Any) -> tuple[str, ...]:
        """Return the measures of the link in use; none if the page's own are in use."""
        measures: tuple[str, ...] = st.session_state[key]
        return measures


def _listed(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


_SYSTEMS = Text("systems", "m, numbers of systems", _listed(SYSTEMS))
_DIFFERENCES = Text("differences", "minD, or width δ", _listed(DIFFERENCES))
_EFFECTS = Text("effects", "minΔ of the paired t test, in standard deviations", _listed(EFFECTS))
_LEVELS = Text("more_levels", "More α and β, as 0.01 0.1, 0.01 0.2", "")
_LISTS = _SYSTEMS, _DIFFERENCES, _EFFECTS, _LEVELS
_MOST_VALUES = 30

_METHOD = Choice(
    "method", "Computed", METHODS, look="segments", help="Exactly, or as Sakai's Excel tools do."
)
_VARIANCES = _ByMeasure(VARIANCE, WITHIN_SYSTEM_VARIANCE)
_RESIDUAL = _ByMeasure("two_way_variance", RESIDUAL_VARIANCE)
_PAIRED = _ByMeasure("paired_variance", DIFFERENCE_VARIANCE)
_KINDS = {"": _VARIANCES, "paired_": _PAIRED, "two_way_": _RESIDUAL}
"""The variances, by what the names of their degrees of freedom and correlations begin with."""
_OTHER_PAIRS = _ByMeasure("percentile_variance", DIFFERENCE_VARIANCE)
_SIZE, _SIZE_CV = (_ByMeasure(one.name, one) for one in (GROUP_SIZE, GROUP_SIZE_CV))
_OF_KINDS = {one.name: one for one in (EFFECTIVE_DF, INTRACLASS_CORRELATION)}
_NUMBERS = (
    *_KINDS.values(),
    _OTHER_PAIRS,
    _SIZE,
    _SIZE_CV,
    *(_ByMeasure(f"{prefix}{name}", one) for prefix in _KINDS for name, one in _OF_KINDS.items()),
)
"""What a link has of the sources."""
_PLANNED = _ByMeasure("planned", MIN_D), _ByMeasure("planned_width", MAX_WIDTH)
_BINARY = _Binary()
_FORM = Form(PAGE, (_METHOD, *_LISTS, *_NUMBERS, *_PLANNED, _BINARY))
_MOST_FIELDS = 6  # measures whose minD can be changed here


def _carried(bases: Bases) -> dict[str, dict[str, float]]:
    """Return sources as numbers by measure, by their names in links."""
    result: dict[str, dict[str, float]] = {one.name: {} for one in _NUMBERS}
    for measure, basis in bases.items():
        for prefix, one in _KINDS.items():
            plan = basis.get(one.parameter.name)
            stated = None if plan is None else unchecked_source_of(plan)
            if plan is None or stated is None:
                continue
            result[one.name][measure] = plan.of_topics.variance
            if stated.effective_df is not None:
                result[f"{prefix}{EFFECTIVE_DF.name}"][measure] = float(stated.effective_df)
            if plan.grouped is not None:
                result[_SIZE.name][measure] = plan.grouped.group_size
                if plan.grouped.size_cv:
                    result[_SIZE_CV.name][measure] = plan.grouped.size_cv
                rho = plan.grouped.intraclass_correlation
                result[f"{prefix}{INTRACLASS_CORRELATION.name}"][measure] = rho
            if one is _PAIRED and any(beside.name == PAIR_PERCENTILE.name for beside in plan.pairs):
                result[_OTHER_PAIRS.name][measure] = stated.others[PAIR_PERCENTILE.name]
    of_kinds = [
        [result[name] for name in (one.name, *(f"{prefix}{of}" for of in _OF_KINDS))]
        for prefix, one in _KINDS.items()
    ]
    twice = {measure: 2 * value for measure, value in result[VARIANCE].items()}
    if [twice, *of_kinds[0][1:]] == of_kinds[1]:  # a link without them has 2 sigma^2
        for numbers in of_kinds[1]:
            numbers.clear()
    return result


def _sources_of_link(
    measured: Sequence[MeasureVariance],
) -> tuple[dict[str, Source], dict[str, StatedGroups]]:
    """Return the sources that a link has as numbers, and their groups, by measure."""
    drawn = {one.name: {each.measure: each.value for each in _FORM.draw(one)} for one in _NUMBERS}
    binary, sources, groups = _FORM.draw(_BINARY), {}, {}
    for measure, within, words in ((one.measure, one.value, one.source) for one in measured):
        of, correlations = {}, {}
        for prefix, one in _KINDS.items():
            name, value = one.parameter.name, drawn[one.name].get(measure)
            if one is _PAIRED and not drawn[one.name]:  # 2 sigma^2
                prefix, name, value = "", WITHIN_SYSTEM_VARIANCE.name, within
            if value is None:
                continue
            others = drawn[_OTHER_PAIRS.name].get(measure) if one is _PAIRED else None
            of[one.parameter.name] = Stated(
                values={name: value},
                measure=measure,
                words=words,
                effective_df=drawn[f"{prefix}{EFFECTIVE_DF.name}"].get(measure),
                binary=measure in binary,
                estimate=None if others is None else MEAN_PAIR_DIFFERENCE,
                others={} if others is None else {PAIR_PERCENTILE.name: others},
            )
            if (rho := drawn[f"{prefix}{INTRACLASS_CORRELATION.name}"].get(measure)) is not None:
                correlations[one.parameter.name] = rho
        sources[measure] = Numbers(of=of)
        if (size := drawn[_SIZE.name].get(measure)) is not None:
            groups[measure] = StatedGroups(int(size), drawn[_SIZE_CV.name].get(measure), correlations)
    return dict(sources), groups


DIVERSITY = f"simulated diversity task of seed {SEEDS['diversity']}"


@st.cache_resource(show_spinner=False)
def diversity_numbers() -> dict[str, tuple[MeasureVariance, ...]]:
    """Return the variances of each measure that a diversity task starts from, as a link has them."""
    (judged,) = sample_track("diversity").judged
    matrices = evaluate(judged, Request(measures=BY_INTENT)).matrices
    bases = bases_of({one.measure: Scores(matrices=(one,)) for one in matrices}, {})
    return {
        name: tuple(MeasureVariance(one, value, f"{DIVERSITY}, {one}") for one, value in numbers.items())
        for name, numbers in _carried(bases).items()
    }


@dataclass(frozen=True)
class Asked:
    """A comparison to make."""

    comparison: Comparison
    is_linked: bool  # whether the variances are from a link

    def url(self) -> str:
        """Return the full link: ``variance=AP:0.0471`` once per measure, and the source of each."""
        asked, state = self.comparison, st.session_state
        (alpha, beta), target = asked.levels[0], asked.target
        measured = sorted(asked.sources, key=lambda measure: measure != asked.of)
        binary = [measure for measure in measured if asked.sources[measure].is_binary]
        lists = {one.name: str(state[f"{PAGE}/{one.name}"]) for one in _LISTS}
        by_measure: dict[str, Mapping[str, float]] = {
            **_carried(asked.bases),
            _PLANNED[0].name: target.differences,
            _PLANNED[1].name: target.widths,
        }
        settings = {
            ALPHA.name: alpha,
            BETA.name: beta,
            N_SYSTEMS.name: target.n_systems,
            TOPICS.name: asked.topics,
            _METHOD.name: asked.method,
            **{one.name: lists[one.name] for one in _LISTS if lists[one.name] != one.usual},
            **{
                name: [f"{one}:{link.written(result[one])}" for one in measured if one in result]
                for name, result in by_measure.items()
                if result
            },
            **({_BINARY.name: binary} if binary else {}),
            link.SOURCE: [asked.variances[measure][1] for measure in measured],
        }
        question.remember({name: settings[name] for name in (ALPHA.name, BETA.name, N_SYSTEMS.name)})
        return link.write(settings)

    def saved(self) -> str:
        """Return the link that saved work has: without variances of scores and what design pages share."""
        return self.url() if self.is_linked else link.write(_FORM.written(_METHOD, *_LISTS))


def show_data_in_use() -> None:
    """Write the source of the compared variances; variances of a link can be replaced by a button."""
    question.start(DESIGNS, [one.name for one in _FORM.fields])
    if _FORM.start() is not None:
        _take_planned()
        Form(question.PAGE, ()).complain(*_FORM.complaints())
    linked = _FORM.draw(_VARIANCES)
    if not linked:
        question.show_data_in_use(DESIGNS)
        return
    with frame.head("data"):
        if linked[0].source.startswith(DIVERSITY) and linked == diversity_numbers()[VARIANCE]:
            sentence = (
                "These are **simulated** scores of a diversity task, where topics have several intents."
            )
        else:
            values = ", ".join(f"{result.measure} σ² = {result.value:.4g}" for result in linked)
            sentence = f"Comparing the variances of a link: {frame.plain(values)}."
        st.markdown(sentence, width="content")
        mine = "the simulated scores" if data.is_sample() else "my own scores"
        st.button(
            f"Compare {mine} instead", key="compare/instead", on_click=_take, args=({},), type="tertiary"
        )


def _take_planned() -> None:
    """Plan with the values of the link; an older link, with the ANOVA of ten systems at .10."""
    form, query = Form(question.PAGE, ()), st.query_params
    if TOPICS.name not in query:
        _assume_topics(_FORM.draw(_VARIANCES), _FORM.draw(_RESIDUAL))
    for parameter, one in zip((MIN_D, MAX_WIDTH), _PLANNED, strict=True):
        form.keep(
            {question.number(parameter, result.measure).key: result.value for result in _FORM.draw(one)}
        )
    with suppress(InputError):
        if _SYSTEMS.name in query and N_SYSTEMS.name not in query:
            systems = _numbers(N_SYSTEMS, query[_SYSTEMS.name])
            form.keep(
                {
                    question.number(N_SYSTEMS).key: int(
                        systems[0] if N_SYSTEMS.default not in systems else N_SYSTEMS.default
                    )
                }
            )
    with suppress(InputError):
        if _DIFFERENCES.name in query and _PLANNED[0].name not in query:
            differences = _numbers(MIN_D, query[_DIFFERENCES.name])
            if MIN_D.default not in differences:
                measures = [result.measure for result in _FORM.draw(_VARIANCES)] or list(data.by_measure())
                form.keep({question.number(MIN_D, measure).key: differences[0] for measure in measures})


def ask() -> Asked:
    """Draw the form and return its values; the comparison is cheap, so there is no button."""
    linked, form = _FORM.draw(_VARIANCES), Form(question.PAGE, ())
    if not linked:
        _assume_topics_of_scores()
    topics = form.draw(question.SHARED)
    groups: Mapping[str, StatedGroups]
    if linked:
        (sources, groups), of, typed, few = _sources_of_link(linked), linked[0].measure, [], []
    else:
        chosen = variance_source.choose(form, *_offered())
        typed = [question.number(one) for one in _TYPED] if chosen.source is None else []
        question.draw(form, typed)
        of = chosen.measure
        sources = (
            {of: _typed(form, chosen)} if chosen.source is None else variance_source.by_measure(chosen.source)
        )
        few = (
            [_CORRELATION]
            if any(have_few_groups(if_in_groups(one.matrices)) for one in sources.values())
            else []
        )
        question.draw(form, few)
    measures = list(sources)
    several = len(measures) > 1
    differences, widths = (
        [question.number(one, name, is_one_of_several=several) for name in measures]
        for one in (MIN_D, MAX_WIDTH)
    )
    levels_asked = [question.number(one) for one in (ALPHA, BETA)]
    shown = [*differences[:_MOST_FIELDS], question.number(N_SYSTEMS)]
    question.draw(form, shown)
    shown += levels_asked
    method = _FORM.draw(_METHOD)
    with st.expander("Error probabilities and more values"):
        question.draw(form, [*levels_asked, *widths[:_MOST_FIELDS]])
        texts = {one.name: _FORM.draw(one) for one in _LISTS}
    _draw_own_variances()
    form = replace(form, fields=[*typed, *few, *shown, *widths[:_MOST_FIELDS]], together=ERROR_PROBABILITIES)
    values = form.values()
    if not linked:
        groups = {measure: _groups(form, source) for measure, source in sources.items()}
        if typed:
            sources = {of: _typed(form, chosen)}
    levels = [(values[ALPHA.name], values[BETA.name])]
    for pair in filter(str.strip, texts[_LEVELS.name].split(",")):
        numbers = pair.split()
        if len(numbers) != 2:
            raise InputError("α and β", pair.strip(), "must be two numbers, pairs separated by commas")
        levels.append((link.number(ALPHA, numbers[0]), link.number(BETA, numbers[1])))
    by_measure, widest = (
        {name: float(form.last(one) or 0) for name, one in zip(measures, numbers, strict=True)}
        for numbers in (differences, widths)
    )
    comparison = Comparison(
        sources=sources,
        levels=tuple(dict.fromkeys(levels)),
        systems=tuple(int(m) for m in _numbers(N_SYSTEMS, texts[_SYSTEMS.name])),
        differences=_numbers(MIN_D, texts[_DIFFERENCES.name]),
        effects=_numbers(MIN_DELTA, texts[_EFFECTS.name]),
        method=method,
        topics=topics,
        target=Target(int(values[N_SYSTEMS.name]), by_measure, widest),
        of=of,
        groups=groups,
    )
    return Asked(comparison, bool(linked))


_TYPED = WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE


_SIZE_OF_GROUPS = Number(GROUP_SIZE, empty="topics are independent", is_short=True)
_VARIATION = Number(GROUP_SIZE_CV, empty="as in the scores, or equal sizes", is_short=True)
_CORRELATION = Number(INTRACLASS_CORRELATION, empty="by the groups of the scores", is_short=True)


def _offered() -> list[Parameter]:
    """Return the variances that the scores in use give: of a single run there is no two-way variance."""
    matrices = variance_source.matrices_now() or tuple(chain(*data.by_measure().values()))
    shared = [RESIDUAL_VARIANCE] if all(one.n_systems > 1 for one in matrices) else []
    return [WITHIN_SYSTEM_VARIANCE, DIFFERENCE_VARIANCE, *shared]


def _typed(form: Form, chosen: variance_source.Chosen) -> Source:
    """Return the numbers that are typed, on this page or another one; that of a difference only where it is."""
    df, given = form.last(Number(EFFECTIVE_DF, empty="not known")), variance_source.sources()
    taken = {one: one for one in _TYPED}
    taken |= {DIFFERENCE_VARIANCE: DIFFERENCE_VARIANCE if DIFFERENCE_VARIANCE.name in given else _TYPED[0]}
    of = {}
    for one, known in taken.items():
        value = {known.name: float(form.last(question.number(known)) or 0)}
        if one is RESIDUAL_VARIANCE and one.name not in given:
            of[one.name] = replace(chosen, words=variance_source.NOT_GIVEN).stated(value, None)
        else:
            of[one.name] = chosen.stated(value, df)
    return Numbers(of=of)


def _groups(form: Form, source: Source) -> StatedGroups:
    """Return topics in groups, as the form of all design pages has them."""
    size, cv, rho = (form.last(one) for one in (_SIZE_OF_GROUPS, _VARIATION, _CORRELATION))
    if not if_in_groups(source.matrices):
        if size is None:
            return StatedGroups()
        rho = INTRACLASS_CORRELATION.default if rho is None else rho
    correlations = {} if rho is None else {one.parameter.name: rho for one in _KINDS.values()}
    return StatedGroups(None if size is None else int(size), cv, correlations)


def compared(asked: Asked) -> Comparison:
    """Return the comparison with its answers."""
    return once(("comparison", *asked.comparison.key), asked.comparison.answered)


def why_refused(error: Exception) -> str:
    """Return why there is no comparison."""
    if isinstance(error, InputError) and (error.parameter, error.value) == (
        INTRACLASS_CORRELATION.name,
        None,
    ):
        return f"State the intraclass correlation ρ in the form: {error.rule}."
    return str(error)


def _numbers(parameter: Parameter, text: str) -> tuple[float, ...]:
    """Return the numbers of a list, ascending."""
    result = {link.number(parameter, one) for one in text.replace(",", " ").split()}
    if not 1 <= len(result) <= _MOST_VALUES:
        raise InputError(parameter.symbol, text, f"must be 1 to {_MOST_VALUES} numbers, separated by spaces")
    return tuple(sorted(result))


def _draw_own_variances() -> None:
    """Let the user type variances, one per line."""
    with st.expander("Compare variances of your own"):
        text = st.text_area(
            "One per line: measure: σ²",
            key=f"{PAGE}/typed-variances",
            placeholder="AP: 0.0471\nnERR: 0.0798",
            persist_state="session",
        )
        lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
        result, wrong = _parsed(lines, ["typed in"] * len(lines), _VARIANCES)
        for line, rule in wrong:
            st.error(frame.plain(f"{link.shortened(line)}: it {rule}."))
        st.button(
            "Compare these variances",
            key=f"{PAGE}/take-typed",
            on_click=_take,
            args=({VARIANCE: result},),
            disabled=not result or bool(wrong),
        )
        if not _FORM.draw(_VARIANCES) and data.is_sample():
            st.button(
                "Compare the measures of a simulated diversity task",
                key="compare/diversity",
                on_click=lambda: _take(diversity_numbers()),
            )


def separated(matrices: Sequence[ScoreMatrix], alpha: float) -> Separations | None:
    """Return the run pairs that the measures of these scores distinguish; None without pairs of runs."""
    if not matrices or any(matrix.n_systems < 2 for matrix in matrices):
        return None
    key = "separations", tuple((one.digest, one.name) for one in matrices), alpha
    return once(key, lambda: separations(matrices, alpha=alpha))


def _take(numbers: Mapping[str, tuple[MeasureVariance, ...]]) -> None:
    """Compare these numbers of measures, or without any those of the scores in use."""
    _assume_topics(numbers.get(VARIANCE, ()), numbers.get(_RESIDUAL.name, ()))
    for one in _NUMBERS:
        st.session_state[f"{PAGE}/{one.name}"] = numbers.get(one.name, ())
    st.session_state[f"{PAGE}/{_BINARY.name}"] = ()
    Form(question.PAGE, ()).clear_complaints()


def _assume_topics_of_scores() -> None:
    """Take topics as separate where scores of single runs come into use, which have no two-way variance."""
    name, state = f"{PAGE}/single-runs", st.session_state
    single = None
    if RESIDUAL_VARIANCE not in _offered():
        single = tuple(one.digest for group in data.by_measure().values() for one in group)
    if state.get(name) != single:
        state[name] = single
        if TOPICS.name not in st.query_params:
            state[f"{question.PAGE}/{TOPICS.name}"] = "shared" if single is None else "separate"


def _assume_topics(variances: tuple[MeasureVariance, ...], residual: tuple[MeasureVariance, ...]) -> None:
    """Take topics as shared, or, of variances without the residual that shared topics need, as separate."""
    is_separate = bool(variances) and not residual
    st.session_state[f"{question.PAGE}/{TOPICS.name}"] = "separate" if is_separate else "shared"


# A tint that leaves text readable on both themes' backgrounds.
_SHADED, _BOLD = "background-color: rgba(232, 114, 55, 0.22)", "font-weight: bold"


def show_tables(tables: Sequence[ComparisonTable], *, marks_smallest: bool) -> None:
    """Show the table of a design to be chosen; replaced values bold, missing answers as a dash."""
    labels = list(dict.fromkeys(table.method_label for table in tables))
    first, second = st.columns(2)
    chosen = first.selectbox("Design", labels, key="compare/table", persist_state="session")
    of_levels = {f"α {t.levels[0]:g}, β {t.levels[1]:g}": t for t in tables if t.method_label == chosen}
    level = next(iter(of_levels))
    if len(of_levels) > 1:
        level = second.selectbox("α and β", list(of_levels), key="compare/level", persist_state="session")
    table = of_levels[level]
    marks_smallest = marks_smallest and table.topics.any(axis=0).sum() > 1
    topics = pd.DataFrame(
        table.topics,
        index=[f"{value:g}" for value in table.differences],
        columns=[
            frame.plain(table.heading(measure) if table.group_sizes else measure)
            for measure in table.measures
        ],  # the table reads Markdown
    )
    topics.index.name = "δ" if table.is_width else "minD"
    marks = topics.astype(str)
    for row, column in np.ndindex(table.topics.shape):
        shaded = [_SHADED] if marks_smallest and table.smallest[row, column] else []
        marks.iloc[row, column] = "; ".join([*shaded, *([_BOLD] if table.stands_in[row, column] else [])])
    shown = topics.style.format(lambda n: f"{n:,}" if n else "–").apply(lambda _: marks, axis=None)
    st.table(shown, alt=f"Required topics, {chosen}")
    if marks_smallest:
        st.markdown(
            ":small[The smallest of each row is shaded. minD is a different difference for each measure, so "
            "the smallest number does not show the best measure.]"
        )
    if table.stands_in.any():
        st.markdown(
            ":small[**Bold**: the interval sheet of 2016 stopped at n = 343; the ANOVA with "
            f"m = {STAND_IN_SYSTEMS} is shown instead, as in the paper.]"
        )
    if table.group_sizes:
        sizes = ", ".join(f"{frame.plain(measure)}: {size}" for measure, size in table.group_sizes.items())
        st.markdown(f":small[Groups count by the variance of their means; topics per group: {sizes}.]")
    of_shares = f"; {SHARES_ONLY}" * bool(design_named(table.slug).shares)
    if not table.topics.all():
        st.markdown(
            ":small[–: no answer. The published ANOVA has α = .01 and .05 with β = .10 to .50 only, and the "
            f"search ends at ten million topics{of_shares}.]"
        )
