"""Names of measures to measures, and what measures refuse."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_reader import joined
from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.measures import KNOWN, TREC_EVAL, Conventions, Measure, measure_named
from topicset_core.measures.binary import (
    AP,
    RBP,
    BPref,
    InfAP,
    Precision,
    QMeasure,
    Recall,
    ReciprocalRank,
    RPrecision,
    Success,
)
from topicset_core.measures.by_intent import DNDCG, ERRIA, AlphaNDCG, DSharpNDCG, IntentRecall
from topicset_core.measures.conventions import SAKAI
from topicset_core.measures.graded import ERR, NDCG
from topicset_core.measures.measure import IntentMeasure, Name
from topicset_core.measures.registry import MEASURES, SPELLINGS, offered_names, spelling_pattern
from topicset_core.parsing.measure_names import PATTERNS, measure_name, patterns_with

NAMES: dict[str, Measure] = {
    "map": AP(),
    "MAP": AP(),
    "map_cut_10": AP(depth=10),
    "AP@10": AP(depth=10),
    "Q": QMeasure(),
    "q@1000": QMeasure(depth=1000),
    "ndcg_cut_10": NDCG(depth=10),
    "ndcg_cut.10": NDCG(depth=10),
    "ERR@20": ERR(depth=20),
    "nERR": ERR(normalised=True),
    "P_10": Precision(depth=10),
    "P.10": Precision(depth=10),
    "recall_1000": Recall(depth=1000),
    "success_5": Success(depth=5),
    "success.5": Success(depth=5),
    "Success@10": Success(depth=10),
    "hit@10": Success(depth=10),
    "hit_rate@10": Success(depth=10),
    "HR@10": Success(depth=10),
    "Rprec": RPrecision(),
    "recip_rank": ReciprocalRank(),
    "RR@10": ReciprocalRank(depth=10),
    " bpref ": BPref(),
    "infAP": InfAP(),
    "RBP(p=.8)": RBP(persistence=0.8),
    "rbp": RBP(persistence=0.9),  # m_rbp.c of trec_eval: p = 0.9
    "alpha-nDCG@10": AlphaNDCG(depth=10),
    "alpha_ndcg_cut_20": AlphaNDCG(depth=20),
    "alpha-DCG@10": AlphaNDCG(depth=10, normalised=False),
    "graded-alpha-nDCG@10": AlphaNDCG(depth=10, graded=True),
    "graded-alpha-DCG@10": AlphaNDCG(depth=10, graded=True, normalised=False),
    "nERR-IA@10": ERRIA(depth=10),
    "ERR-IA@20": ERRIA(depth=20, normalised=False),
    "graded-nERR-IA@10": ERRIA(depth=10, graded=True),
    "graded-ERR-IA@10": ERRIA(depth=10, graded=True, normalised=False),
    "D-nDCG@10": DNDCG(depth=10),
    "d#-ndcg@10": DSharpNDCG(depth=10),
    "I-rec@10": IntentRecall(depth=10),
    "strec@10": IntentRecall(depth=10),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_gives_its_measure_and_that_its_name(name: str) -> None:
    measure = measure_named(name)
    assert measure == NAMES[name] == measure_named(measure.name)
    assert measure.definition.endswith(").")  # the paper it comes from


def test_every_known_form_is_a_name() -> None:
    result = {type(measure_named(form.replace("@k", "@10"))) for form in KNOWN}
    assert result == {type(measure) for measure in NAMES.values()}


@pytest.mark.parametrize("kind", MEASURES, ids=lambda kind: kind.__name__)
def test_a_measure_lists_its_names_and_form_choices(kind: type[Measure]) -> None:
    assert kind.NAMES
    for name in kind.NAMES:
        written = name.base_name if name.depth == "none" else f"{name.base_name}@10"
        assert measure_name(written) == written  # files have this spelling, too
        fits = [one for one, pattern in PATTERNS if pattern.fullmatch(written.lower())]
        assert fits == [name.base_name]  # and no other measure
    assert all(type(measure_named(offer.name)) is kind for offer in kind.OFFERED)


@pytest.mark.parametrize("depth", ["optional", "required"])
@pytest.mark.parametrize("known", ["DCG", "GMAP", "hits"])
def test_a_new_measure_takes_a_name_that_files_had_before_it(
    known: str, depth: Literal["optional", "required"]
) -> None:
    new = Name(base_name=known, spellings=known.lower(), depth=depth, only_with_cutoff=depth == "required")
    pattern = spelling_pattern(new.spellings, only_with_cutoff=new.only_with_cutoff)
    patterns = patterns_with([*((name, spelt) for _, name, spelt in SPELLINGS), (new, pattern)])
    assert sorted(name for name, _ in patterns) == sorted(name for name, _ in PATTERNS)
    assert dict(patterns)[known] is pattern


@pytest.mark.parametrize("by_intent", [False, True])
def test_offered_names_have_distinct_places(by_intent: bool) -> None:
    of_kind = [kind for kind in MEASURES if issubclass(kind, IntentMeasure) == by_intent]
    places = [offer.place for kind in of_kind for offer in kind.OFFERED]
    assert len(offered_names(by_intent=by_intent)) == len(set(places)) == len(places)


def test_conventions_are_passed_to_their_measures() -> None:
    chosen = Conventions(relevance_level=2, gains="exponential", largest_grade=4, denominator="min(md, R)")
    assert measure_named("AP@10", chosen) == AP(depth=10, relevance_level=2, denominator="min(md, R)")
    assert measure_named("Q", chosen) == QMeasure(
        relevance_level=2, gains="exponential", denominator="min(md, R)"
    )
    assert measure_named("nDCG", chosen) == NDCG(gains="exponential")
    assert measure_named("ERR", chosen) == ERR(largest_grade=4)
    for name in ("P@5", "recall@5", "success@5", "Rprec", "RR", "bpref", "infAP", "RBP(p=.5)"):
        assert measure_named(name, chosen).relevance_level == 2  # type: ignore[attr-defined]
        # Else every definition is the same but for the grade from which on documents are relevant.
        of_grade_2, of_grade_1 = (measure_named(name, how).definition for how in (chosen, Conventions()))
        assert numbers_in(of_grade_2) != numbers_in(of_grade_1)
        assert 2 in numbers_in(of_grade_2)
    assert replace(TREC_EVAL, gains="exponential", denominator="min(md, R)") == SAKAI


UNKNOWN = (
    *("P", "recall", "success", "hit", "hit_rate", "hits@10", "hr_10", "bpref@10", "Rprec@5", "RBP(p=1)"),
    *("RBP.9", "P.", "P.0", "AP@0", "gm_map", "alpha-nDCG", "I-rec", "D-nDCG@0", "MAP-IA", "nonsense"),
)


@pytest.mark.parametrize("name", ["", *UNKNOWN])
def test_unknown_names_are_refused_with_the_known_ones(name: str) -> None:
    error = refused(measure_named, name)
    assert (error.parameter, error.value) == ("measure", name)
    assert all(form in error.rule for form in KNOWN)


def test_a_cutoff_beyond_any_run_is_refused(golden: SnapshotAssertion) -> None:
    error = refused(measure_named, "nDCG@" + "9" * 30)
    assert error.parameter == "measure"
    assert numbers_in(error.rule) == [1_000_000_000]
    assert str(error) == golden


@pytest.mark.parametrize(
    ("kind", "values", "parameter"),
    [
        (AP, {"depth": 0}, "measurement_depth"),
        (AP, {"relevance_level": 0}, "relevance_level"),
        (QMeasure, {"beta": -1}, "beta"),
        (QMeasure, {"beta": float("nan")}, "beta"),
        (RBP, {"persistence": 1.0}, "persistence"),
        (ERR, {"largest_grade": 31}, "largest_grade"),
        (DNDCG, {"depth": 10_001}, "measurement_depth"),
        (AlphaNDCG, {"depth": 10, "alpha": 1.0}, "alpha"),
        (ERRIA, {"depth": 10, "largest_grade": 0}, "largest_grade"),
        (ERRIA, {"depth": 10, "relevance_level": 0}, "relevance_level"),
        (DSharpNDCG, {"depth": 10, "gamma": 1.1}, "gamma"),
        (Conventions, {"relevance_level": 0}, "relevance_level"),
        (Conventions, {"gains": "square"}, "gains"),
        (Conventions, {"denominator": "k"}, "denominator"),
        (Conventions, {"largest_grade": 0}, "largest_grade"),
    ],
)
def test_values_out_of_range_are_refused(kind: type, values: dict[str, Any], parameter: str) -> None:
    assert refused(kind, **values).parameter == parameter


STEEP = joined([{"1": ["a", "b"]}], {"1": {"a": 31, "b": 1}})


@pytest.mark.parametrize("name", ["nDCG", "Q", "ERR", "nERR@10"])
def test_grades_beyond_the_exponent_are_refused(name: str, golden: SnapshotAssertion) -> None:
    error = refused(measure_named(name, SAKAI).scores, STEEP)
    assert 30 in numbers_in(str(error))
    assert str(error) == golden


def test_linear_gains_have_no_exponent() -> None:
    assert measure_named("nDCG").scores(STEEP)[0, 0] == 1


def test_the_largest_grade_of_the_qrels_stays_if_masked() -> None:
    """Else removing one document would change the ERR of every other topic."""
    together = joined([{"1": ["a"], "2": ["b"]}], {"1": {"a": 1}, "2": {"b": 3}})
    masked = ERR().scores(together, np.array([1, 0], dtype=np.int16))
    assert masked.tolist() == [[1 / 8], [0]]


@pytest.mark.parametrize(
    "grades", [np.zeros(3, np.int16), np.zeros(2, np.int64), np.zeros(2)], ids=["length", "int64", "float"]
)
def test_grades_that_do_not_fit_are_refused(grades: np.ndarray, golden: SnapshotAssertion) -> None:
    together = joined([{"1": ["a"]}], {"1": {"a": 1, "b": 0}})
    error = refused(AP().scores, together, grades)
    assert error.parameter == "grades"
    assert numbers_in(error.rule) == [2, 16]  # integers, bits
    assert str(error) == golden
