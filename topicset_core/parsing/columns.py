"""What tells the contents of a column: words of its name, and its cells."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from topicset_core.errors import ParseError
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.measure_names import is_evaluator_score, measure_name
from topicset_core.parsing.numerals import MISSING, is_numeral, is_whole
from topicset_core.parsing.table import (
    ID_WORDS,
    RUN_WORDS,
    SCORE_WORDS,
    TEXT_WORDS,
    TOPIC_ID,
    TOPIC_WORDS,
    Table,
    plain,
    words,
)
from topicset_core.wording import first_few, quoted

MEASURE_WORDS = words("measure measureid measurename metric metricname")
INDEX_WORDS = words("unnamed0 index level0") | {""}
"""Names that pandas gives a column of row numbers."""
TEXTS = words(
    "query queries question userinput input prompt completion answer answers output response generation prediction "
    "reference expected target text context contexts reason explanation rationale comment notes title url "
    "message messages code patch"
)
"""Names of columns of texts, which name no runs although they may tell rows apart."""
ALL_TEXTS = TEXTS | TEXT_WORDS
QUESTIONS = ("query", "queries", "question", "userinput", "input", "prompt")
"""Those of them that may name topics."""
COUNT_WORDS = words(
    "numret numrel numrelret numq ret rel relret count counts nrel nret n support rank ranks ranking position"
)
COST_WORDS = words(
    "latency latencyms latencys cost costs costusd price tokens inputtokens outputtokens prompttokens "
    "completiontokens totaltokens ntokens time timems duration durationms elapsed runtime timestamp date createdat"
)
STATISTIC = re.compile(
    r"(?:.*[-_ .])?(?:p[-_ .]?val(?:ue)?s?|(?:95)?[-_ .]?ci[-_ .]?(?:low|high|lower|upper|95)?)"
    r"|.*(?:std[-_ .]?err(?:or)?|stddev)",
    re.IGNORECASE,
)
"""Names of columns of statistics over topics, which no table of topics has: AP p-value, acc_stderr, ci_low."""
PEOPLE_WORDS = words(
    "human humans humanscore humanlabel person people gold expert reference manual annotator"
)
JUDGE_WORDS = words("judge judgescore llm llmscore llmjudge auto automatic predicted prediction autorater")
"""Names of the columns of labels by people and of scores by a judge, in tables that have both."""
TRAINING_WORDS = words("epoch epochs step steps globalstep checkpoint loss trainloss evalloss learningrate")
RUN_NAMES = RUN_WORDS | words(
    "name method methods approach retriever arm config configuration prompt variant"
)
"""Names of a column that names systems in a table of means."""

IDS = (*sorted(TOPIC_WORDS - {"query", "queries", "question"}), "sampleid", "exampleid", "docid")
CASES = words("id uid guid case example instance item record problem task taskname")
"""Words of evaluators for what is a topic here."""
NAMES_IDS = re.compile(r".*(?:[a-z\d]I[dD]s?|(?:^|[^A-Za-z])(?:id|ID|Id|uuid|UUID))")
"""Names that end in the word id: task_id, caseId; but not hybrid."""
OTHER_IDS = frozenset(IDS) | ID_WORDS | RUN_WORDS
_STEM = re.compile(r"(.*?)\d+\D{0,2}")
_ROUNDING = 1.01e-3
"""Of columns that follow from others: each score may be rounded to the third decimal."""
MOST_DERIVED = 30
"""Columns of scores up to which it is checked whether they follow from others."""
LONGEST_EXAMPLE = 100
FEWEST_ROWS = 5
"""Rows from which on a column that equals a maximum or a difference of others is none by chance."""
GOOD_WORDS = words(
    "✓ ✔ ☑ + pass passed yes y right correct success successful ok resolved win won good solved"
)
"""Words that are likelier 1 than 0, which are named first; the user decides."""


class Cells:
    """The cells of a column, and what they are."""

    def __init__(self, name: str, cells: Sequence[str], true: str | None) -> None:
        self.name, self.word, self.cells = name, plain(name), cells
        counts = Counter(cells)
        self.n_missing = sum(counts[word] for word in MISSING)
        self.values = [cell for cell in counts if cell not in MISSING]
        self.n_distinct = len(self.values)
        numerals = {value for value in self.values if is_numeral(value)}
        is_boolean = bool(self.values) and {value.casefold() for value in self.values} <= {"true", "false"}
        is_word = true is not None and true in counts and self.n_distinct <= 2
        self.is_words = is_boolean or is_word
        self.n_numbers = len(cells) - self.n_missing
        if not self.is_words:
            self.n_numbers = sum(counts[numeral] for numeral in numerals)
        self.n_texts = len(cells) - self.n_missing - self.n_numbers

    @property
    def has_numbers(self) -> bool:
        """Whether scores are most of what the column has."""
        return self.n_numbers > 0 and self.n_texts <= self.n_numbers

    @property
    def is_unique(self) -> bool:
        """Whether each row has its own value."""
        return not self.n_missing and self.n_distinct == len(self.cells)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers."""
        return not self.n_missing and all(map(is_whole, self.values))

    @cached_property
    def are_ids(self) -> bool:
        """Whether the cells are short enough for ids, and no lists."""
        return not self.n_missing and all(
            len(value.encode()) <= LONGEST_ID and not value.startswith(("[", "{")) for value in self.values
        )

    @cached_property
    def are_names(self) -> bool:
        """Whether the cells are short names on one line."""
        return not self.n_missing and all(len(value) <= 80 and "\n" not in value for value in self.values)

    @cached_property
    def are_names_of_topics(self) -> bool:
        """Whether the cells are ids or words, and no scores."""
        return self.are_ids and (self.is_whole or self.n_texts > 0)

    @property
    def counts_rows(self) -> bool:
        """Whether the cells are numbers of rows."""
        return count_rows(self.cells)

    @property
    def have_one_stem(self) -> bool:
        """Whether all cells are named alike but for a number, as topics and cases are."""
        if all(map(TOPIC_ID.fullmatch, self.values)):
            return True
        stems = {match[1] if (match := _STEM.fullmatch(value)) else None for value in self.values}
        return None not in stems and len(stems) == 1


def count_rows(cells: Sequence[str]) -> bool:
    """Return whether cells count rows from 0, as the index of pandas does, or from 1, as names of rows in R."""
    return any(all(cell == str(row) for row, cell in enumerate(cells, start)) for start in (0, 1))


def names_long_table(header: Sequence[str]) -> bool:
    """Return whether a header names columns of topics and scores, and of runs or measures."""
    known = set(map(plain, header))
    parts = TOPIC_WORDS, SCORE_WORDS, RUN_WORDS | MEASURE_WORDS
    return all(not known.isdisjoint(part) for part in parts)


def is_measure(name: str) -> bool:
    """Return whether a name is that of a measure or of what evaluators call a score."""
    return measure_name(name) is not None or is_evaluator_score(name) or plain(name) in SCORE_WORDS


def derived_from(values: Sequence[float], others: Mapping[str, Sequence[float]]) -> str:
    """Return of which other columns a column is the difference, the maximum or the mean; "" of none."""
    rows = list(zip(*others.values(), strict=True))
    if len(set(values)) < 3 or {*values} <= {0.0, 1.0}:
        return ""  # scores of 0 and 1 equal a maximum by chance, and a column of zeros a difference

    def equals(found: Iterable[float]) -> bool:
        return all(abs(expected - value) <= _ROUNDING for expected, value in zip(found, values, strict=True))

    has_signs = min(values) < 0 < max(values)
    names = list(others)
    if has_signs:
        for first in names:
            for second in names:
                if first != second and equals(
                    a - b for a, b in zip(others[first], others[second], strict=True)
                ):
                    return f"the difference of {quoted(first)} and {quoted(second)}"
    varied = sum(len(set(row)) > 1 for row in rows)
    if 2 * varied < len(rows):
        return ""
    if equals(map(max, rows)) and not any(equals(of) for of in others.values()):
        return "the maximum of the other columns"
    if equals(sum(row) / len(row) for row in rows):
        return "the mean of the other columns"
    return ""


def tells_measure(name: str) -> bool:
    """Return whether a name, or a part of it such as cosine-MRR@10, is that of a measure."""
    return is_measure(name) or any(is_measure(part) or "@" in part for part in re.split(r"[-_ /]", name))


def beyond_doubt(names: Sequence[str]) -> bool:
    """Return whether some name is hardly that of a run, as ndcg_cut_10 and faithfulness are."""
    return any(is_evaluator_score(name) or _EXPLICIT.search(name) for name in names if is_measure(name))


_EXPLICIT = re.compile(r"@|cut|[A-Za-z]{2,}[_.-]?\d+$|[A-Za-z]{3,}$")
"""Spellings of measures that hardly are names of runs, as p10 may be."""


def are_all_measures(names: Sequence[str]) -> bool:
    """Return whether all names are measures, of different kinds: runs may be called p1, p2, p3, as P@1 is spelt."""
    kinds = {(measure_name(name) or "").partition("@")[0] for name in names}
    bare = len(names) == 1 and not any(character.isdigit() for character in names[0])
    return "" not in kinds and (len(kinds) > 1 or bare)


def common_ids(tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the names of columns with one id per row and mostly the same ids in all tables, likeliest first."""
    are_headed = all(len({len(row.cells) for row in table.rows}) == 1 for table in tables)
    if len(tables) < 2 or not are_headed:
        return ()
    candidates: list[tuple[bool, str]] = []
    for name in tables[0].header.cells:
        ids, counts = [], True
        for table in tables:
            if name not in table.header.cells:
                break
            at = table.header.cells.index(name)
            cells = Cells(name, [row.cells[at] for row in table.body], None)
            if not (cells.are_names_of_topics and cells.is_unique) or is_measure(name):
                break
            ids.append(set(cells.cells))
            counts = counts and cells.counts_rows
        else:
            if 2 * len(set.intersection(*ids)) >= min(map(len, ids)):
                candidates.append((counts, name))
    # Numbers of rows are in all files, too: ids of topics come before them.
    names = [name for counts, name in candidates if not counts]
    for name, other in pairwise(names):
        if _pair_rows_differently(tables, name, other):
            files = first_few([table.file for table in tables], 3)
            expected = (
                f"the columns {quoted(name)} and {quoted(other)} have the same ids in all files, and pair rows "
                "differently; state which has the topics (--topic-column)"
            )
            raise ParseError(files, None, expected)
    return (*names, *(name for counts, name in candidates if counts))


def _pair_rows_differently(tables: Sequence[Table], name: str, other: str) -> bool:
    """Return whether an id of one column is next to different ids of the other one in different tables."""
    known: dict[str, str] = {}
    for table in tables:
        places = [table.header.cells.index(column) for column in (name, other)]
        for row in table.body:
            first, second = (row.cells[at] for at in places)
            if known.setdefault(first, second) != second:
                return True
    return False
