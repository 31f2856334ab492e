"""Tables 2 and 3 in one go: the structure of the paper's, and the numbers of a sweep of its own."""

from dataclasses import replace

import numpy as np
import pytest

from tests.measures.plain_reader import qrels_of
from topicset_core.analyses.training_sensitivity import (
    EXPANSIONS,
    Request,
    paper_tables,
    split,
    sweep_collection,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.tables import complete_comparisons
from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.errors import InputError
from topicset_core.retrieval import MODELS

WORDS = ("river", "bank", "water", "money", "bird", "song", "stone", "wind")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def collection() -> TextCollection:
    """Forty documents of eight words, six topics with fields, half of each topic's documents relevant."""
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(WORDS, rng.integers(4, 40))) for _ in range(40)]
    judged = {
        str(n): {f"d{document}": int(rng.random() < 0.5) for document in range(0, 40, 2)} for n in range(6)
    }
    return TextCollection(
        name="small",
        documents=tuple(Document(id=f"d{n}", title="", text=text) for n, text in enumerate(texts)),
        topics=tuple(
            Topic(
                id=str(n),
                title=WORDS[n],
                description=f"{WORDS[n + 1]} {WORDS[n + 2]}",
                narrative=WORDS[n],
            )
            for n in range(6)
        ),
        qrels=qrels_of(judged),
    )


def test_the_tables_have_the_blocks_of_the_paper_and_the_numbers_of_their_sweeps(
    collection: TextCollection,
) -> None:
    fractions: list[float] = []
    request = Request(seed=3)
    blocks = paper_tables(
        collection, lambda topics: split(topics, 0), request, report_progress=fractions.append
    )
    # Tables 2 and 3: two kinds of queries, each without and with expansion, of either model.
    kinds = [
        (model, fields, expansion)
        for model in ("bm25", "pl2")
        for fields in ("title", "full")
        for expansion in (False, True)
    ]
    assert [(one.model, one.fields, one.expansion) for one in blocks] == kinds
    n_swept = {model.name: len(model.swept) for model in MODELS}
    # 8 x 19 settings of Bo1: exp_doc from 3 to 10, exp_term from 10 to 100 in steps of 5 (section 4.2).
    assert [one.n_settings for one in blocks] == [
        8 * 19 if expansion else n_swept[model] for model, _, expansion in kinds
    ]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)
    assert collection.qrels is not None
    for block in (blocks[0], blocks[3], blocks[6]):
        new = sweep_collection(
            collection, block.model, expansions=EXPANSIONS if block.expansion else (), fields=block.fields
        )
        sweep = sweep_of(new.runs, collection.qrels, new.settings)
        result = training_sensitivity(
            sweep, split(usable_topics(sweep.runs), 0), replace(request, levels=(50.0,), n_samples=2)
        )
        assert block.cells == complete_comparisons(result)
        for cells in block.rows.values():
            assert list(cells) == ["AP", "bpref", "infAP", "nDCG"]
            assert all(one.evaluated_by == "AP" for one in cells.values())


def test_titles_only_and_refused_input(collection: TextCollection) -> None:
    bare = replace(
        collection,
        topics=tuple(replace(topic, description="", narrative="") for topic in collection.topics),
    )
    blocks = paper_tables(bare, lambda topics: split(topics, 0), Request(measures=("nDCG",)))
    assert [one.fields for one in blocks] == ["title"] * 4
    with pytest.raises(InputError, match="qrels"):
        paper_tables(replace(bare, qrels=None), lambda topics: split(topics, 0))
