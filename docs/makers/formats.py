"""docs/formats.md: every format with an example, its notes and the matrix."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.parsing import format_example_logs, format_example_tables, format_examples
from tests.parsing.formats_drawn import Example, qrels_lines, rel, run_lines
from tests.parsing.formats_judgments import JUDGMENTS, matrix
from tests.parsing.formats_judgments import read as read_judgments
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing import ReadScores, read_score_files

MOST_LINES = 7
WIDEST = 100

REAL = "written by the program itself"


class Format(NamedTuple):
    """A format: its name, how the example was made, and the example."""

    name: str
    origin: str
    make: Callable[[], Example]
    is_shown: bool = False  # one of each kind, with its notes and scores


SHAPE = "made by its documented shape"
WRITTEN = "made in the shape that the program itself wrote"
ROLES = """\
## Columns have roles

Each column of a table with a header gets a role, from its name, its cells and what makes rows unique. After an
upload the page shows each role with its reason; a change in its menu reads the file again. `topicset read FILE`
prints them, with the questions that the file can answer. Commands and functions in Python take the options below.

| role | option | found by |
| --- | --- | --- |
| topic ids | `--topic-column` | names such as topic, qid, task_id; else one id per row, or per row of a run |
| names of runs | `--system-column` | named run, system, model; else a text that tells rows of a topic apart |
| names of measures | `--measure-column` | measure, metric |
| scores | `--value-column`, `--columns` | numbers; True and False are 1 and 0, other words need `--true WORD` |
| repeats | `--repeat-column` | seed, trial, sample and similar, where topic and run do not tell rows apart |
| groups of topics | `--group-column` | group, conversation, dataset and similar |
| left out | `--leave-out` | texts, counts, ranks, time, cost, row numbers; what follows from other columns |

Topics are numbered only where no column can be an id. Rows of several files are then paired only if you say that
they are the same topics in the same order (`--by-line`). Tables of means (rows are systems or epochs, columns are
measures, standard errors or p-values) are refused, with the option of the program that writes scores per topic."""

FORMATS = (
    Format("Table of topics by runs", SHAPE, format_example_tables.wide, is_shown=True),
    Format("Table of topics by runs, with groups of topics", SHAPE, format_example_tables.wide_in_groups),
    Format("Table of runs by topics, as NewBestSub reads it", SHAPE, format_example_tables.newbestsub),
    Format("Numbers alone, from NTCIREVAL's Topicsys-matrix", SHAPE, format_examples.ntcireval_matrix),
    Format("Long table", SHAPE, format_example_tables.long, is_shown=True),
    Format("Run, topic, measure, value", SHAPE, format_example_tables.leaderboard),
    Format(
        "trec_eval -q, one file per run",
        "pytrec_eval's numbers in trec_eval's columns",
        format_examples.trec_eval,
        is_shown=True,
    ),
    Format("ir_measures -q, one file per run", REAL, format_examples.ir_measures_tsv),
    Format("ir_measures -q -o jsonl, one file per run", REAL, format_examples.ir_measures_jsonl),
    Format("ir_measures, Nearly ERR", SHAPE, format_examples.ir_measures_nearly_err),
    Format("gdeval.pl, outputs one after the other", SHAPE, format_example_tables.gdeval),
    Format("ndeval", "pyndeval's numbers in ndeval's columns", format_example_tables.ndeval),
    Format("NTCIREVAL, one nev file per run", SHAPE, format_examples.ntcireval),
    Format("NTCIREVAL, one Dnev file per run (diversity)", SHAPE, format_examples.ntcireval_diversity),
    Format("pyNTCIREVAL --out, one file per run", REAL, format_examples.pyntcireval_all_topics),
    Format("pyNTCIREVAL, one file per run and topic", REAL, format_examples.pyntcireval_a_file_a_topic),
    Format(
        "Evaluators of generated answers, one file per run",
        SHAPE,
        format_example_tables.evaluator_of_answers,
        is_shown=True,
    ),
    Format("ragas, results as CSV, one file per run", WRITTEN, format_example_logs.ragas_csv),
    Format("ragas, results as JSON, one file per run", WRITTEN, format_example_logs.ragas_json),
    Format("lm-evaluation-harness, samples of each model", WRITTEN, format_example_logs.harness),
    Format("Inspect, logs as JSON or eval, one per model", WRITTEN, format_example_logs.inspect),
    Format("MTEB, results of each model and dataset", SHAPE, format_example_logs.mteb),
    Format("promptfoo, an export as JSON", WRITTEN, format_example_logs.promptfoo),
    Format("SWE-bench, a report per run", SHAPE, format_example_logs.swe_bench, is_shown=True),
    Format("HELM, per_instance_stats of each run", SHAPE, format_example_logs.helm),
    Format("DeepEval, a test run per system", SHAPE, format_example_logs.deepeval),
    Format("OpenAI Evals, a log per run", SHAPE, format_example_logs.openai_evals),
    Format("AlpacaEval, annotations of each model", SHAPE, format_example_logs.alpaca_eval),
)

((_, JUDGMENTS_BY_INTENT), (_, PROBABILITIES)) = next(
    one.files for one in JUDGMENTS if one.name == "TREC qrels by subtopic, with probabilities"
)
NO_SCORES = (
    ("A TREC run", "A.run", run_lines("A")),
    ("TREC qrels", "web.qrels", qrels_lines()),
    ("TREC qrels by subtopic", "diversity.qrels", JUDGMENTS_BY_INTENT),
    ("Probabilities of intents", "probabilities.txt", PROBABILITIES),
    ("An NTCIR rel file", "0001.rel", rel("0001")),
    ("ir_measures without -q", "A.tsv", "AP\t0.3750\nnDCG@10\t0.6407\n"),
    ("Means by NTCIREVAL's NEV2mean", "runl.test.nev.AP", "TRECRUN 0.4142\nTRECRUN2 0.3899\n"),
    ("Results of NewBestSub", "AH99-Best-Fun.csv", "1 0.807346\n2 0.868674\n"),
)


def read(new: Example) -> ReadScores:
    """Read the files of an example together."""
    return read_score_files([(name, content.encode()) for name, content in new.files])


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Files that can be imported"
    yield ""
    yield (
        "Score matrices come from the files below, recognised by their content, as text, in Excel sheets "
        "(xlsx), JSON, Markdown, gz and zip. `python -m docs.makers` writes this page: every example was imported "
        "when the page was written. Runs, judgments and scores are random."
    )
    yield from ("", *ROLES.splitlines(), "")
    yield "## Forms"
    yield ""
    yield "| form | file | example | measures read | topics by runs |"
    yield "| --- | --- | --- | --- | --- |"
    examples = [(one, new, read(new)) for one, new in ((each, each.make()) for each in FORMATS)]
    for one, new, result in examples:
        measures = [matrix.measure for matrix in result.matrices]
        more = f" and {len(measures) - 4} more" if len(measures) > 4 else ""
        matrix = result.matrices[0]
        name = _linked(one.name) if one.is_shown else one.name
        yield (
            f"| {name} | `{new.files[0][0]}` | {one.origin} | {', '.join(measures[:4])}{more} | "
            f"{matrix.n_topics} by {matrix.n_systems} |"
        )
    for one, new, result in examples:
        if one.is_shown:
            yield from _section(one, new, result)
    yield from _judgments()
    yield from _no_scores()


def _linked(name: str) -> str:
    """A link to the section of a format."""
    anchor = "".join(c for c in name.lower().replace(" ", "-") if c.isalnum() or c in "-_")
    return f"[{name}](#{anchor})"


def _section(one: Format, new: Example, result: ReadScores) -> Iterator[str]:
    names = [name for name, _ in new.files]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    yield from ("", f"## {one.name}", "", f"`{names[0]}`{more}, {one.origin}:", "")
    yield from _block(new.files[0][1])
    yield from ("", "Notes:", "")
    yield from (f"- {_plain(sentence)}" for sentence in result.recognised)
    yield ""
    shown = next(iter(new.scores))
    yield from _matrix(next(matrix for matrix in result.matrices if matrix.measure == shown))


def _matrix(matrix: ScoreMatrix) -> Iterator[str]:
    yield f"| {matrix.measure} | {' | '.join(matrix.systems)} |"
    yield "| --- |" + " ---: |" * matrix.n_systems
    for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True):
        yield f"| {topic} | {' | '.join(f'{value:.4f}' for value in row)} |"


def _judgments() -> Iterator[str]:
    yield from ("", "# Judgments, imported with runs", "")
    yield (
        "The same judgments in each format, and the scores of the same two runs; judgments of diversity tasks "
        "list the intents (subtopics) for which a document is relevant."
    )
    yield from ("", "| format | files | measure shown | topics by runs |", "| --- | --- | --- | --- |")
    examples = [
        (one, track, matrix(one, track))
        for one, track in ((each, read_judgments(each)) for each in JUDGMENTS)
    ]
    for one, _, result in examples:
        files = ", ".join(f"`{file}`" for file, _ in one.files)
        yield f"| {one.name} | {files} | {one.measure} | {result.n_topics} by {result.n_systems} |"
    one, track, result = next(each for each in examples if len(each[0].files) == 2)
    yield from ("", f"## {one.name}")
    shown = {file.rpartition(".")[2]: (file, content) for file, content in reversed(one.files)}
    for file, content in reversed(shown.values()):
        yield from ("", f"`{file}`:", "")
        yield from _block(content)
    yield from ("", "Notes:", "")
    (qrels,) = track.qrels
    yield from (f"- {_plain(sentence)}" for sentence in qrels.notes)
    yield ""
    yield from _matrix(result)


def _no_scores() -> Iterator[str]:
    yield from ("", "# Files without scores of topics", "", "| file | first line | why it is refused |")
    yield "| --- | --- | --- |"
    for name, file, content in NO_SCORES:
        yield f"| {name} | `{_tabless(content.splitlines()[0])}` | {_plain(str(refusal(file, content)))} |"


def refusal(file: str, content: str) -> ParseError:
    """The one error of a file that contains no scores."""
    result = read_score_files([(file, content.encode())])
    assert not result.matrices
    (error,) = result.errors
    return error


def _block(content: str) -> Iterator[str]:
    lines = content.splitlines()
    yield "```text"
    yield from (_tabless(line)[:WIDEST] for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"... {len(lines) - MOST_LINES} more lines"
    yield "```"


def _tabless(line: str) -> str:
    return " ".join(line.split("\t"))


def _plain(sentence: str) -> str:
    """Notes without signs of Markdown or HTML."""
    for sign in "|*_<":
        sentence = sentence.replace(sign, f"\\{sign}")
    return sentence
