"""Six short documents worked out by hand with the formulas of He, Macdonald and Ounis (2008), appendix.

N = 6, lengths 3, 4, 2, 8, 3, 4, so avg_l = 4. Occurrences F: cat 3, fish 4, dog 2, bird 5, mole 3, ox 7;
documents n: cat 2, fish 2, dog 2. The query is "cat cat fish": qtf 2 and 1, qtf_max 2. No word of these
is a stop word, and each is its own stem.
"""

from math import log2, pi

import pytest

from tests.retrieval.searching import returned, search_of
from topicset_core.retrieval import BM25, PL2, Expansion, Model, Search

DOCUMENTS = {
    "d1": "cat cat dog",
    "d2": "cat fish fish fish",
    "d3": "dog bird",
    "d4": "bird bird bird bird fish mole mole mole",
    "d5": "ox ox ox",
    "d6": "ox ox ox ox",
}
# Single precision, in which a run's scores are: 24 bits, so half a unit in the last place of 2.
EXACT = 2**-24 * 2

LOG2_E = 1.4426950408889634


@pytest.fixture(scope="module")
def search() -> Search:
    return search_of(DOCUMENTS, {"1": "cat cat fish"})


def test_bm25_against_hand(search: Search) -> None:
    w1 = 0.8479969065549501  # log2((6 - 2 + .5) / (2 + .5)) = log2(1.8), of cat and of fish
    twice, once = 1.998003992015968, 1.0  # 1001 * 2 / 1002, 1001 * 1 / 1001
    # K = 1.2 (.25 + .75 l / 4): .975 for l = 3, 1.2 for l = 4, 2.1 for l = 8
    expected = {
        "d2": w1 * (2.2 * 1 / (1.2 + 1) * twice + 2.2 * 3 / (1.2 + 3) * once),  # cat 1.0, fish 1.571429
        "d1": w1 * 2.2 * 2 / (0.975 + 2) * twice,  # cat 1.478992
        "d4": w1 * 2.2 * 1 / (2.1 + 1) * once,  # fish 0.709677
    }
    # To six digits by hand: .847997 * 3.569433, .847997 * 1.478992 * 1.998004, .847997 * .709677
    assert list(expected.values()) == pytest.approx([3.026868, 2.505857, 0.601804], abs=2e-6)
    result = returned(search.run(BM25(b=0.75)), "1")
    assert [name for name, _ in result] == ["d2", "d1", "d4"]
    assert dict(result) == pytest.approx(expected, abs=EXACT)


def test_pl2_against_hand(search: Search) -> None:
    # lambda: cat 3/6 = .5, fish 4/6; qtw: cat 1, fish .5
    d1, d4 = 2 * 1.222392421336448, 0.5849625007211562  # tfn = 2 log2(1 + 4/3), 1 log2(1 + 4/8)
    expected = {
        # tfn of d2: log2(1 + 4/4) = 1 an occurrence
        "d2": (1 * log2(1 / 0.5) + (0.5 - 1) * LOG2_E + 0.5 * log2(2 * pi * 1)) / (1 + 1)  # .802200
        + 0.5 * (3 * log2(3 * 6 / 4) + (4 / 6 - 3) * LOG2_E + 0.5 * log2(6 * pi)) / (3 + 1),  # .5 * 1.315429
        "d1": (d1 * log2(d1 / 0.5) + (0.5 - d1) * LOG2_E + 0.5 * log2(2 * pi * d1)) / (d1 + 1),
        "d4": 0.5 * (d4 * log2(d4 * 6 / 4) + (4 / 6 - d4) * LOG2_E + 0.5 * log2(2 * pi * d4)) / (d4 + 1),
    }
    # By hand: 1 - .721348 + 1.325748 = 1.604400, halved; 6.509775 - 3.366288 + 2.118230 = 5.261717, / 4.
    assert expected["d2"] == pytest.approx(0.802200 + 0.5 * 1.315429, abs=2e-6)
    # By hand: 2.444785 * 2.289708 - 2.805732 + 1.970603 = 4.762714, / 3.444785.
    assert expected["d1"] == pytest.approx(1.382585, abs=2e-6)
    # By hand: -.110337 + .117874 + .938957 = .946494, halved, / 1.584963.
    assert expected["d4"] == pytest.approx(0.298585, abs=2e-6)
    result = returned(search.run(PL2(c=1)), "1")
    assert [name for name, _ in result] == ["d2", "d1", "d4"]
    assert dict(result) == pytest.approx(expected, abs=EXACT)


# Bo1 from d2 and d1, which both models rank first. tf_x: cat 3, fish 3, dog 1; P_n: cat 3/6, fish 4/6, dog 2/6.
W_CAT = 3 * log2(1.5 / 0.5) + log2(1.5)  # 4.754888 + .584963 = 5.339850
W_FISH = 3 * log2((5 / 3) / (2 / 3)) + log2(5 / 3)  # 3.965784 + .736966 = 4.702750
W_DOG = 1 * log2((4 / 3) / (1 / 3)) + log2(4 / 3)  # 2 + .415037 = 2.415037


@pytest.mark.parametrize(
    ("n_terms", "qtw"),
    [
        (1, {"cat": 1 + 1, "fish": 0.5}),
        (2, {"cat": 1 + 1, "fish": 0.5 + W_FISH / W_CAT}),  # .5 + .880690
        (
            50,
            {"cat": 1 + 1, "fish": 0.5 + W_FISH / W_CAT, "dog": W_DOG / W_CAT},
        ),  # .452267; there are no more
    ],
)
@pytest.mark.parametrize("model", [BM25(b=0.75), PL2(c=1)], ids=["bm25", "pl2"])
def test_bo1_against_hand(search: Search, model: Model, n_terms: int, qtw: dict[str, float]) -> None:
    """A document's score is the sum of its terms' weights, found by one-word queries, times their qtw."""
    weights = {word: dict(returned(search_of(DOCUMENTS, {"1": word}).run(model), "1")) for word in qtw}
    query_weights = {w: 1001 * x / (1000 + x) if model.name == "bm25" else x for w, x in qtw.items()}
    expected: dict[str, float] = {}
    for word, of_documents in weights.items():
        for document, weight in of_documents.items():
            expected[document] = expected.get(document, 0.0) + weight * query_weights[word]
    result = returned(search.run(model, Expansion(documents=2, terms=n_terms)), "1")
    # Each of up to three weights was in single precision and is multiplied by up to 2.
    assert dict(result) == pytest.approx(expected, abs=6 * EXACT)
    assert ("d3" in dict(result)) == ("dog" in qtw)  # dog alone retrieves it


def test_a_term_of_equal_informativeness_that_is_first_in_the_alphabet_joins() -> None:
    search = search_of({"d1": "ox elk yak", "d2": "ox yak elk", "d3": "yak", "d4": "elk"}, {"1": "ox"})
    # elk and yak: 2 occurrences among the first two documents, 3 in all.
    result = returned(search.run(PL2(c=1), Expansion(documents=2, terms=2)), "1")
    assert [name for name, _ in result] == ["d2", "d1", "d4"]
