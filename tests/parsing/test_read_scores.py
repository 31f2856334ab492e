"""Reading of score tables against the csv module, NumPy and itself: every supported shape."""

import csv
import io
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference_data import reference_file, reference_matrix
from topicset_core.collection import ScoreMatrix
from topicset_core.parsing import ReadScores, read_scores
from topicset_core.variance import one_way, two_way

# Name, topics, runs, measure, and the remarks expected: README of the reference data, "Oddities worth
# knowing". Identical runs that it does not mention were found by comparing columns with NumPy.
MATRICES = [
    ("sakai_20x3", 20, 3, "score", ()),
    ("brennan_synthetic4", 12, 10, "score", ("111 scores lie outside 0 to 1 (lowest 1, highest 9).",)),
    ("trec3_adhoc_ap", 50, 40, "AP", ()),
    ("trec8_adhoc_ap", 50, 129, "AP", ("'isa25t' and 'isa50t'; 'Mer8Adtd1' and 'Mer8Adtd2'.",)),
    ("trec8_adhoc_top96_ap", 50, 96, "AP", ("'Mer8Adtd1' and 'Mer8Adtd2'.",)),
    (
        "trec8_adhoc_p10",
        50,
        129,
        "P@10",
        ("'run27' and 'run28'; 'run57' and 'run59'; 'run69' and 'run70'.",),
    ),
    (
        "trec8_adhoc_rr",
        50,
        129,
        "RR",
        ("'run27' and 'run28'; 'run57' and 'run59'; 'run69' and 'run70'; 'run94' and 'run95'.",),
    ),
    ("robust2003_ap", 100, 78, "AP", ()),
    ("robust2004_ap", 249, 110, "AP", ("'pircRB04d3' and 'pircRB04d5'.",)),
    ("robust2004_p10", 249, 110, "P@10", ("'sys67' and 'sys69'.",)),
    ("robust2004_new_ndcg", 99, 110, "nDCG", ("'run67' and 'run69'.",)),
    *(
        (
            f"web2011_{measure}",
            50,
            62,
            name,
            ("'sys15' and 'sys45'; 'sys16' and 'sys47'; 'sys35' and 'sys60'; 'sys37' and 'sys61'.",),
        )
        for measure, name in (("ap", "AP"), ("p10", "P@10"), ("ndcg20", "nDCG@20"), ("err20", "ERR@20"))
    ),
    *(
        (f"web2012_{measure}", 50, 48, name, ("'sys5' and 'sys31'; 'sys6' and 'sys32'.",))
        for measure, name in (("ap", "AP"), ("p10", "P@10"), ("ndcg20", "nDCG@20"), ("err20", "ERR@20"))
    ),
    (
        "mq2007_top26_statap",
        1153,
        26,
        "statAP",
        ("73 scores lie outside 0 to 1 (lowest 0, highest 1.69403).",),
    ),
    ("dl2019_passage_ap", 43, 37, "AP", ()),
    ("dl2019_passage_p10", 43, 37, "P@10", ("'TUA1-1' and 'test1'.",)),
    ("dl2019_passage_ndcg10", 43, 37, "nDCG@10", ()),
]
SAME = "Runs with the same score on every topic: "


def read_one(content: bytes | str, file: str = "table.csv", measure: str | None = None) -> ScoreMatrix:
    (matrix,) = read_scores(content, file, measure).matrices
    return matrix


@pytest.mark.reference_data
@pytest.mark.parametrize(("name", "n_topics", "n_systems", "measure", "remarks"), MATRICES)
def test_reference_matrices_against_the_csv_module(
    name: str, n_topics: int, n_systems: int, measure: str, remarks: tuple[str, ...]
) -> None:
    read = read_scores(reference_file("matrices", f"{name}.csv").read_bytes(), f"{name}.csv")
    (matrix,) = read.matrices
    assert matrix.scores.shape == (n_topics, n_systems)
    assert matrix == reference_matrix(name, measure)  # ids, order and every score, exactly
    shape = f"A wide table of {n_topics:,} topics (rows) by {n_systems:,} runs (columns)."
    if measure == "score":
        origin = "The measure is not named, so it is called 'score'."
    else:
        origin = f"The measure is {measure}, from the end of the file name '{name}.csv'."
    expected_remarks = tuple(SAME + remark if remark.startswith("'") else remark for remark in remarks)
    assert read.recognised == (
        shape,
        "Topic ids come from the first column, 'topic'.",
        "Cells are separated by commas.",
        origin,
        *expected_remarks,
    )


@pytest.mark.reference_data
def test_every_reference_matrix_is_listed() -> None:
    folder = reference_file("matrices", "sakai_20x3.csv").parent
    assert sorted(path.stem for path in folder.glob("*.csv")) == sorted(row[0] for row in MATRICES)


@pytest.mark.reference_data
def test_a_run_may_be_named_1() -> None:
    matrix = read_one(reference_file("matrices", "trec8_adhoc_ap.csv").read_bytes(), "trec8_adhoc_ap.csv")
    assert matrix.systems[0] == "1"
    assert matrix.topics[0] == "401"


# ----------------------------------------------------------------------------- shapes and delimiters

DELIMITERS = {"commas": ",", "tabs": "\t", "semicolons": ";", "spaces": "   "}


def wide(matrix: ScoreMatrix, delimiter: str, corner: str | None = "topic", ids: bool = True) -> str:
    """A wide table; without a corner as R writes it, or without ids altogether."""
    head = [corner] if corner is not None and ids else []
    lines = [[*head, *matrix.systems]]
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        lines.append([topic, *map(repr, row)] if ids else list(map(repr, row)))
    return "\n".join(delimiter.join(line) for line in lines) + "\n"


def long(matrix: ScoreMatrix, delimiter: str, names: dict[str, str], order: str = "tmrs") -> str:
    """A long table whose columns come in `order`; names without "m" leave the measure out."""
    columns = [letter for letter in order if letter in names]
    lines = [[names[letter] for letter in columns]]
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        for system, score in zip(matrix.systems, row, strict=True):
            cells = {"t": topic, "r": system, "s": repr(score), "m": matrix.measure}
            lines.append([cells[letter] for letter in columns])
    return "\n".join(delimiter.join(line) for line in lines) + "\n"


@pytest.fixture(scope="module")
def real() -> ScoreMatrix:
    """A real matrix with numbers for topic ids and a run named 1."""
    return reference_matrix("trec8_adhoc_ap")


def same(read: ReadScores, matrix: ScoreMatrix) -> bool:
    """Scores, ids, order and measure are the same; the digest is over all of them."""
    return [found.digest for found in read.matrices] == [matrix.digest]


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
@pytest.mark.parametrize("corner", ["topic", "AP", "Topic ID", "qid", "ap_at_1000", "Web"])
def test_wide_round_trip(real: ScoreMatrix, called: str, corner: str) -> None:
    if called == "spaces" and " " in corner:
        corner = f'"{corner}"'
    read = read_scores(wide(real, DELIMITERS[called], corner), "x.csv", "AP")
    assert same(read, real)
    name = corner.strip('"')
    assert f"Topic ids come from the first column, {name!r}." in read.recognised
    assert f"Cells are separated by {called}." in read.recognised


@pytest.mark.reference_data
@pytest.mark.parametrize("called", ["commas", "tabs", "semicolons"])
def test_wide_round_trip_with_an_empty_corner(real: ScoreMatrix, called: str) -> None:
    read = read_scores(wide(real, DELIMITERS[called], ""), "x.csv", "AP")
    assert same(read, real)
    assert "Topic ids come from the first column, whose name is empty." in read.recognised


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
def test_wide_round_trip_without_a_corner(real: ScoreMatrix, called: str) -> None:
    """As R's write.table does it: the header is one cell shorter."""
    read = read_scores(wide(real, DELIMITERS[called], corner=None), "x.csv", "AP")
    assert same(read, real)
    assert "Topic ids come from the first column, which has no name." in read.recognised


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
def test_wide_round_trip_without_topic_ids(real: ScoreMatrix, called: str) -> None:
    read = read_scores(wide(real, DELIMITERS[called], ids=False), "x.csv", "AP")
    numbered = ScoreMatrix(
        scores=real.scores,
        topics=tuple(map(str, range(1, 51))),
        systems=real.systems,
        measure="AP",
        name="x",
    )
    assert same(read, numbered)
    assert "There is no column of topic ids: topics are numbered 1 to 50." in read.recognised


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
@pytest.mark.parametrize(
    ("names", "order"),
    [
        ({"t": "topic", "r": "system", "s": "score"}, "trs"),
        ({"t": "query", "r": "run", "s": "value"}, "rts"),
        ({"t": "qid", "r": "run_id", "s": "Score"}, "srt"),
        ({"t": "Query_ID", "r": "tag", "s": "score", "m": "metric"}, "rtms"),
        ({"t": "topic_id", "r": "model", "s": "value", "m": "Measure"}, "mstr"),
    ],
)
def test_long_round_trip(real: ScoreMatrix, called: str, names: dict[str, str], order: str) -> None:
    read = read_scores(long(real, DELIMITERS[called], names, order), "x.csv", None if "m" in names else "AP")
    assert same(read, real)
    assert read.recognised[0] == "A long table of 6,450 scores, one a row."  # 50 x 129
    assert read.recognised[1] == (
        f"Topics come from the column '{names['t']}', runs from '{names['r']}', scores from '{names['s']}'."
    )


@pytest.mark.reference_data
@pytest.mark.parametrize("called", DELIMITERS)
def test_headerless_long_round_trip(real: ScoreMatrix, called: str) -> None:
    text = long(real, DELIMITERS[called], {"t": "", "r": "", "s": ""}, "trs").partition("\n")[2]
    read = read_scores(text, "x.csv", "AP")
    assert same(read, real)
    assert read.recognised[1] == "There is no header row: the columns were taken as topic, run, score."


@pytest.mark.reference_data
@pytest.mark.parametrize("called", ["semicolons", "tabs", "spaces"])
def test_decimal_commas_round_trip(real: ScoreMatrix, called: str) -> None:
    text = wide(real, DELIMITERS[called]).replace(".", ",")
    read = read_scores(text, "x.csv", "AP")
    systems = tuple(system.replace(".", ",") for system in real.systems)
    assert read.matrices[0].scores.tolist() == real.scores.tolist()
    assert read.matrices[0].systems == systems
    assert "Scores are written with decimal commas." in read.recognised


IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8
)  # no controls, no separators: those are what is cut off around a cell
SCORE = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: value + 0.0)


@st.composite
def score_matrices(draw: st.DrawFn) -> ScoreMatrix:
    topics = draw(st.lists(IDS, min_size=2, max_size=5, unique=True))
    systems = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    row = st.lists(SCORE, min_size=len(systems), max_size=len(systems))
    scores = draw(st.lists(row, min_size=len(topics), max_size=len(topics)))
    return ScoreMatrix(
        scores=np.array(scores), topics=tuple(topics), systems=tuple(systems), measure="any", name="x"
    )


@given(
    matrix=score_matrices(),
    delimiter=st.sampled_from([",", "\t", ";", " "]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_any_ids_and_scores_round_trip(matrix: ScoreMatrix, delimiter: str, end: str) -> None:
    """Written by the csv module, quotes and all; every double comes back bit for bit."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["topic", *matrix.systems])
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        writer.writerow([topic, *map(repr, row)])
    wide_again = read_scores(file.getvalue().encode(), "x.csv", "any")
    if not {"".join(filter(str.isalnum, name.casefold())) for name in matrix.systems} & {"run", "score"}:
        assert same(wide_again, matrix)
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["score", "topic", "system"])
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        writer.writerows(
            [repr(score), topic, system] for system, score in zip(matrix.systems, row, strict=True)
        )
    assert same(read_scores(file.getvalue(), "x.csv", "any"), matrix)


# ------------------------------------------------------------------------------------------ encodings

PLAIN = "topic,A,B\nt1,0.5,0.25\nt2,1,0\n"
EXPECTED = ScoreMatrix(
    scores=np.array([[0.5, 0.25], [1.0, 0.0]]),
    topics=("t1", "t2"),
    systems=("A", "B"),
    measure="score",
    name="table",
)


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        "\ufeff" + PLAIN,
        PLAIN.encode("utf-16"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.rstrip(),
        "\n\n" + PLAIN.replace("\n", "\n \n\t\n"),
        PLAIN.replace(",", " , "),
        'topic,"A","B"\n"t1","0.5","0.25"\n"t2",1,0',
        "topic,A,B\nt1,.5,+0.25\nt2,1.,0e3\n",
        "topic;A;B\nt1;0,5;0,25\nt2;1;0\n",
        'topic,A,B\nt1,"0,5","0,25"\nt2,1,0\n',
        "topic  A\t B\n  t1 0.5  0.25 \nt2 1 0".replace("\t", "  "),
    ],
)
def test_encodings_line_ends_quotes_and_notations(content: bytes | str) -> None:
    assert read_one(content) == EXPECTED


def test_quoted_ids_keep_delimiters_and_quotes() -> None:
    matrix = read_one('topic,"A, tuned","B ""2"""\n"a;b",0.5,0.25\nt2,1,0\n')
    assert matrix.systems == ("A, tuned", 'B "2"')
    assert matrix.topics == ("a;b", "t2")


def test_other_scripts_are_kept_as_written() -> None:
    matrix = read_one("тема,システム1,β\n№ 1,0.5,0.25\n№ 2,1,0\n".encode())
    assert matrix.systems == ("システム1", "β")
    assert matrix.topics == ("№ 1", "№ 2")


def test_ids_that_look_like_numbers_are_kept_as_written() -> None:
    matrix = read_one("topic,007,1.50\n0401,0.5,0.25\n401,1,0\n")
    assert matrix.topics == ("0401", "401")
    assert matrix.systems == ("007", "1.50")


# -------------------------------------------------------------------- is the first column topic ids?


@pytest.mark.parametrize(
    ("text", "topics", "systems"),
    [
        # Unknown header, words below it.
        ("Web,A\nwt09-1,0.5\nwt09-2,0.2", ("wt09-1", "wt09-2"), ("A",)),
        # Unknown header, whole numbers above 1 beside scores from 0 to 1.
        ("Web,A\n1,0.5\n2,0.2", ("1", "2"), ("A",)),
        # Fractions: scores. All cells whole and repeated: ratings, no ids.
        ("X,A\n0.1,0.5\n0.4,0.2", ("1", "2"), ("X", "A")),
        ("p1,p2\n5,9\n6,3\n5,7", ("1", "2", "3"), ("p1", "p2")),
        ("X,A\n1,0\n0,1\n1,1", ("1", "2", "3"), ("X", "A")),
        # One column.
        ("A\n0.1\n0.2\n0.2", ("1", "2", "3"), ("A",)),
        # A header made of whole numbers, under a name for topics or a measure.
        ("topic 1 2\nQ1 0.5 0.1\nQ2 0.2 0.3", ("Q1", "Q2"), ("1", "2")),
    ],
)
def test_first_column_is_judged_by_name_then_cells(
    text: str, topics: tuple[str, ...], systems: tuple[str, ...]
) -> None:
    matrix = read_one(text)
    assert (matrix.topics, matrix.systems) == (topics, systems)


# --------------------------------------------------------------------------------------- measure names


@pytest.mark.parametrize(
    ("file", "measure"),
    [
        ("trec8_ap.csv", "AP"),
        ("MAP.txt", "AP"),
        ("robust-p10.tsv", "P@10"),
        ("robust_P_10.tsv", "P@10"),
        ("web.ndcg", "score"),  # that is the extension
        ("web_ndcg.csv", "nDCG"),
        ("web_nDCG@20.csv", "nDCG@20"),
        ("web_ndcg_cut_10.csv", "nDCG@10"),
        ("web_ndcg_at_5.csv", "nDCG@5"),
        ("web_alpha-ndcg20.csv", "alpha-nDCG@20"),
        ("web err20.csv", "ERR@20"),
        ("web_nerr-ia.csv", "nERR-IA"),
        ("we want_msndcg@0010.csv", "MSnDCG@10"),
        ("x_rr.csv", "RR"),
        ("x_mrr.csv", "RR"),
        ("x_recip_rank.csv", "RR"),
        ("mq_statap.csv", "statAP"),
        ("mq_infAP.csv", "infAP"),
        ("x_recall_1000.csv", "recall@1000"),
        ("C:\\data\\web_err.csv", "ERR"),
        ("some/folder_ap/web.csv", "score"),
        ("ap_2.csv", "score"),  # a second copy, not a cutoff
        ("map.of.the.city.csv", "score"),
        ("shop.csv", "score"),
        ("x_p.csv", "score"),
        ("x_q.csv", "score"),
        ("pasted text", "score"),
    ],
)
def test_measure_from_the_file_name(file: str, measure: str) -> None:
    read = read_scores(PLAIN, file)
    assert read.matrices[0].measure == measure
    says = (
        f"The measure is {measure}, from the end of the file name" if measure != "score" else "is not named"
    )
    assert any(says in sentence for sentence in read.recognised)


def test_measure_from_the_corner_comes_before_the_file_name() -> None:
    read = read_scores(PLAIN.replace("topic", "ndcg_at_20"), "web_ap.csv")
    assert read.matrices[0].measure == "nDCG@20"
    assert "The measure is nDCG@20, from the header of the first column, 'ndcg_at_20'." in read.recognised


def test_given_measure_comes_first() -> None:
    read = read_scores(PLAIN.replace("topic", "AP"), "web_p10.csv", " Q ")
    assert read.matrices[0].measure == "Q"
    assert "The measure is Q, as given." in read.recognised
    assert read_one(PLAIN, "web_p10.csv", "").measure == "P@10"  # an empty field gives nothing


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a/b/trec.eval.csv", "trec.eval"),
        ("C:\\x\\y.csv", "y"),
        ("pasted text", "pasted text"),
        ("", "scores"),
        (".csv", ".csv"),
    ],
)
def test_matrix_name_is_the_file_name(file: str, name: str) -> None:
    assert read_one(PLAIN, file).name == name


def test_several_measures_make_several_matrices() -> None:
    text = "run,topic,measure,score\n" + "\n".join(
        f"{run},{topic},{measure},{score}"
        for run, topic, measure, score in (
            ("A", "2", "map", 0.5),
            ("B", "2", "map", 0.25),
            ("A", "1", "map", 1),
            ("B", "1", "map", 0),
            ("A", "1", "myMeasure", 7),
            ("A", "2", "myMeasure", 3),
        )
    )
    read = read_scores(text, "x_p10.csv")
    first, second = read.matrices
    assert (first.measure, first.topics, first.systems) == ("AP", ("2", "1"), ("A", "B"))
    assert first.scores.tolist() == [[0.5, 0.25], [1, 0]]
    assert (second.measure, second.topics, second.systems) == ("myMeasure", ("1", "2"), ("A",))
    assert second.scores.tolist() == [[7], [3]]
    assert read.recognised == (
        "A long table of 6 scores, one a row.",
        "Topics come from the column 'topic', runs from 'run', scores from 'score'.",
        "2 topics by 2 runs, measure 'map'.",
        "2 topics by 1 run, measure 'myMeasure'.",
        "Cells are separated by commas.",
        "The measures are AP (written 'map'), myMeasure, from the column 'measure'.",
        "myMeasure: 2 scores lie outside 0 to 1 (lowest 3, highest 7).",
    )


def test_two_spellings_of_a_measure_stay_apart() -> None:
    lines = [f"{topic},A,{measure},0.{topic}" for measure in ("map", "AP") for topic in (1, 2)]
    read = read_scores("\n".join(["topic,run,measure,score", *lines]), "x.csv")
    assert [matrix.measure for matrix in read.matrices] == ["map", "AP"]


# ---------------------------------------------------------------------------------------------- remarks


def test_remarks_on_what_is_unusual() -> None:
    read = read_scores("topic,A,B,mean\n1,-0.5,0.2,1.5\n2,0.1,0.2,0.1\nall,0.2,0.2,0.2", "x.csv")
    assert read.recognised[-3:] == (
        "2 scores lie outside 0 to 1 (lowest -0.5, highest 1.5).",
        "Topic 'all' was kept, but its name is that of a summary: is it one?",
        "Run 'mean' was kept, but its name is that of a summary: is it one?",
    )
    transposed = read_scores("AP,401,402\nrunA,0.1,0.2\nrunB,0.1,0.3", "x.csv")
    assert any("transpose the table first" in sentence for sentence in transposed.recognised)


def test_many_equal_runs_are_counted() -> None:
    read = read_scores("topic,A,B,C,D,E,F,G\n1,0,0,0,0,0,0,0\n2,0,0,0,0,0,0,0", "x.csv")
    assert read.recognised[-1].endswith("'A' and 'E'; 'A' and 'F'; and 1 more.")


# ------------------------------------------------------------------------------------------------ speed


@pytest.mark.reference_data
def test_reading_and_variances_of_a_large_matrix_take_little_time() -> None:
    content = reference_file("matrices", "robust2004_ap.csv").read_bytes()
    start = time.process_time()
    matrix = read_one(content, "robust2004_ap.csv")
    one_way(matrix)
    two_way(matrix)
    # About 0.03 s; a page must not be felt to wait, and 0.3 s leaves room for a slow machine.
    assert time.process_time() - start < 0.3


def test_importing_costs_little_more_than_numpy() -> None:
    code = (
        "import sys, topicset_core.parsing, topicset_core.variance, topicset_core.samples; "
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'pandas', 'scipy', 'streamlit'}))"
    )
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
