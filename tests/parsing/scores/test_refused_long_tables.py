"""Files that are not long tables of scores, refused with its line; the golden record contains the words."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.refusals import table_refusals
from topicset_core.errors import ParseError
from topicset_core.parsing import read_scores

LONG: dict[str, tuple[bytes | str, int | None]] = {
    "header-alone": ("topic,run,score", 1),
    "one-topic": ("topic,run,score\n1,A,0.5\n1,B,0.5", None),
    "text": ("topic,run,score\n1,A,0.5\n2,A,high", 3),
    "dash": ("topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,-", 3),
    "missing": ("topic,run,score\n1,A,\n2,A,", 2),
    "nan": ("topic,run,score\n1,A,nan\n2,A,1", 2),
    "cell-short": ("topic,run,score\n1,A\n2,A,1", 2),
    "repeat": ("topic,run,score\n1,A,0.5\n2,A,0.5\n\n1,A,0.6", 5),
    "repeat-of-a-measure": ("topic,run,measure,score\n1,A,AP,0.5\n1,A,RR,0.5\n1,A,AP,0.5", 4),
    "run-lacks-topic": ("topic,run,score\n1,A,0.5\n1,B,0.5\n2,A,0.6", None),
    "many-missing": ("topic,run,measure,score\n" + "\n".join(f"{i},r{i},AP,0.5" for i in range(4)), None),
    "no-topic-id": ("topic,run,score\n,A,0.5\n2,A,1", 2),
    "no-run-name": ("topic,run,score\n1,,0.5\n2,A,1", 2),
    "no-measure": ("score,topic,measure,run\n1,1,,A\n1,2,AP,A", 2),
    "two-topic-columns": ("topic,query,run,score\n1,1,A,0.5", 1),
    "column-too-many": ("topic,run,rank,score\n1,A,1,0.5", 1),
    "headless-missing": ("301 A 0.5\n301 B 0.5\n302 A 0.6", None),
    "headless-short": ("301 A 0.5\n302 A", 2),
    "headless-text": ("301 A 0.5\n302 A x", 2),
}


def test_long_table_is_refused_at_its_place(golden: SnapshotAssertion) -> None:
    assert table_refusals(LONG) == golden


def test_one_name_for_several_measures_is_refused(golden: SnapshotAssertion) -> None:
    text = "topic,run,measure,score\n1,A,AP,0.5\n2,A,AP,0.5\n1,A,RR,0.5\n2,A,RR,0.5"
    assert len(read_scores(text, "x.csv").matrices) == 2
    with pytest.raises(ParseError) as caught:
        read_scores(text, "x.csv", "Q")
    assert (caught.value.file, caught.value.line) == ("x.csv", None)
    assert str(caught.value) == golden
