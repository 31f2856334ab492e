"""The role of each column of a table with a header: topic, run, measure, scores, repeat, group, or left out.

A role follows from what the user states, else from the name of the column, the kind of its cells, and what makes
rows unique: a text column that makes each pair of topic and itself unique names runs; a column of ids that rows
repeat, next to none that tells them apart, has repeats. Rows are numbered only where no column can be an id.
Each role has its reason, so that it can be shown and corrected.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from topicset_core.errors import ParseError
from topicset_core.parsing.choices import Choices, Role, WordsAsked
from topicset_core.parsing.columns import (
    ALL_TEXTS,
    CASES,
    COST_WORDS,
    COUNT_WORDS,
    FEWEST_ROWS,
    GOOD_WORDS,
    IDS,
    INDEX_WORDS,
    JUDGE_WORDS,
    LONGEST_EXAMPLE,
    MEASURE_WORDS,
    MOST_DERIVED,
    NAMES_IDS,
    OTHER_IDS,
    PEOPLE_WORDS,
    QUESTIONS,
    RUN_NAMES,
    STATISTIC,
    TEXTS,
    TRAINING_WORDS,
    Cells,
    are_all_measures,
    beyond_doubt,
    derived_from,
    is_measure,
    tells_measure,
)
from topicset_core.parsing.groups import GROUP_WORDS, MAY_BE_OTHER, group_columns
from topicset_core.parsing.measure_names import measure_in_file_name
from topicset_core.parsing.numerals import MISSING, value_of
from topicset_core.parsing.table import (
    ID_WORDS,
    REPEAT_WORDS,
    RUN_WORDS,
    SCORE_WORDS,
    TEXT_WORDS,
    TOPIC_WORDS,
    Table,
    plain,
)
from topicset_core.wording import listed, quoted, visible

Of = Literal["runs", "measures", "rows"]
"""What a column of scores is of: a run, a measure, or what its row names."""

MEANS = "expected scores of single topics, found "
PER_TOPIC = (
    "; one score per topic is in the output of pt.Experiment with perquery=True, of trec_eval -q, of ir_measures "
    "--by_query, of lm-evaluation-harness with --log_samples, and in to_pandas() of ragas"
)


class Column(NamedTuple):
    """A column, its role and the reason for it."""

    name: str
    role: Role
    reason: str
    example: str


@dataclass(frozen=True)
class Roles:
    """The columns of a table, and what its columns of scores are of."""

    columns: tuple[Column, ...]
    of: Of

    def places(self, role: Role) -> tuple[int, ...]:
        """Return the places of the columns of a role."""
        return tuple(at for at, column in enumerate(self.columns) if column.role == role)

    def place(self, role: Role) -> int | None:
        """Return the place of the only column of a role."""
        return next(iter(self.places(role)), None)

    @property
    def left_out(self) -> dict[str, list[str]]:
        """The names of the columns that are not read, by the reason."""
        result: dict[str, list[str]] = {}
        for column in self.columns:
            if column.role == "left out":
                result.setdefault(column.reason, []).append(column.name or "without a name")
        return result

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the columns that are not read."""
        return tuple(
            f"Columns left out ({reason}): {listed(names, 20)}." for reason, names in self.left_out.items()
        )


class Assigned(NamedTuple):
    """The roles of the columns of a table, and why it has no scores of single topics, if it has none."""

    roles: Roles
    refusal: ParseError | None


def roles_of(
    table: Table, choices: Choices, ids: Collection[str] = (), *, are_labels: bool = False
) -> Assigned:
    """Return the role of each column of a table with a header and rows as long as it.

    Parameters
    ----------
    table : Table
        Its first row has the names of the columns.
    choices : Choices
        Roles and columns of scores that the user states.
    ids : collection of str, optional
        Names of columns that have the same ids in all files that are read together, likeliest first.
    are_labels : bool
        Whether the table has scores by a judge next to labels by people.

    Returns
    -------
    Assigned
        With a refusal if the table has means, a log of training or no scores, or if a column may have topics or
        systems.
    """
    return _Assigning(table, choices, ids, are_labels).assigned()


def roles_of_rows(table: Table, choices: Choices) -> Assigned:
    """Return the roles of columns of names, topics and scores, where names are of runs or measures as stated."""
    names, example = table.header.cells, table.body[0].cells
    stated = choices.roles.get(names[0])
    first: Role = stated if stated in ("run", "measure") else "left out"
    reasons = "as stated" if stated else "may be runs or measures", "named as topics are", "numbers"
    roles: tuple[Role, ...] = first, "topic", "scores"
    columns = tuple(
        Column(*parts) for parts in zip(names, roles, reasons, map(visible, example), strict=True)
    )
    refusal = None
    if first == "left out":
        expected = (
            f"the first column, with {quoted(example[0])}, may have measures or runs, as there is no header; state "
            f"which (--measure-column {quoted(names[0])} or --system-column {quoted(names[0])}), or write a header"
        )
        refusal = ParseError(table.file, table.body[0].line, expected, table.unit)
    return Assigned(Roles(columns, "rows"), refusal)


class _Assigning:
    """The roles of columns as far as they are known, by place."""

    def __init__(self, table: Table, choices: Choices, ids: Collection[str], are_labels: bool) -> None:
        self.table, self.choices, self.ids, self.are_labels = table, choices, ids, are_labels
        self.names = table.header.cells
        cells: Iterable[Sequence[str]] = zip(*(row.cells for row in table.body), strict=True)
        self.columns = [Cells(name, of, choices.true) for name, of in zip(self.names, cells, strict=True)]
        self.known: dict[int, tuple[Role, str]] = {}
        self.apart: dict[tuple[int, ...], bool] = {}  # whether columns are different in each row
        # Texts behind the first column, which a table of runs does not have
        self.n_of_texts = sum(column.n_texts > 0 for column in self.columns[1:])

    def assigned(self) -> Assigned:
        """Return the roles, from the surest to the least sure."""
        try:
            roles = self._roles()
            if not self.are_labels:
                self._refuse_means(roles.of)
        except ParseError as error:
            return Assigned(self._so_far("runs"), error)
        return Assigned(roles, None)

    def _roles(self) -> Roles:
        self._take_stated()
        for role, known in (("people", PEOPLE_WORDS), ("judge", JUDGE_WORDS)) if self.are_labels else ():
            self._take_name(role, known)  # type: ignore[arg-type]
        for role, known in (("run", RUN_WORDS), ("measure", MEASURE_WORDS)):
            self._take_name(role, known)  # type: ignore[arg-type]
        self._find_topic()
        self._find_runs()
        self._find_repeats()
        self._find_groups()
        self._leave_out()
        of = self._scores_are_of()
        if of == "measures" and 0 not in self.known and self._why_no_scores(0):
            self.known[0] = "left out", self._why_no_scores(0)  # no reader looks for ids in it
        if of == "runs":
            self._leave_out_derived()
        return self._so_far(of)

    def _so_far(self, of: Of) -> Roles:
        columns = []
        for at, column in enumerate(self.columns):
            role, reason = self.known.get(at, ("scores", "numbers"))
            example = next((cell for cell in column.cells if cell not in MISSING), "")
            example = visible(" ".join(example[:LONGEST_EXAMPLE].split()))
            columns.append(Column(column.name, role, reason, example))
        return Roles(tuple(columns), of)

    def _free(self) -> list[int]:
        """Return the columns without a role."""
        return [at for at in range(len(self.columns)) if at not in self.known]

    def _of(self, role: Role) -> int | None:
        """Return the column of a role."""
        return next((at for at, (known, _) in self.known.items() if known == role), None)

    def _is_open(self, role: Role) -> bool:
        return self._of(role) is None and role not in self.choices.roles.values()

    def _take_stated(self) -> None:
        chosen = self.choices.columns or ()
        unknown = [name for name in chosen if name not in self.names]
        ids = [name for name in chosen if plain(name) in TOPIC_WORDS]
        if ids:
            found = f"found {quoted(ids[0])}, which has the topic ids"
            self.table.refuse(self.table.header.line, f"expected a column of scores to be chosen, {found}")
        if unknown:
            columns = f"{'column' if len(unknown) == 1 else 'columns'} {listed(unknown)}"
            found = f"found the columns {listed(self.names, 20)}"
            self.table.refuse(self.table.header.line, f"expected the chosen {columns}, {found}")
        for role in ("topic", "run", "measure", "repeat", "group", "judge", "people"):
            same = [name for name in self.names if self.choices.roles.get(name) == role]
            if len(same) > 1:
                expected = f"expected one column of role {role!r}, found {listed(same)}"
                self.table.refuse(self.table.header.line, expected)
        for at, name in enumerate(self.names):
            if name in self.choices.roles:
                self.known[at] = self.choices.roles[name], "as stated"
            elif self.choices.columns is not None and name in self.choices.columns:
                self.known[at] = "scores", "as chosen"

    def _take_name(self, role: Role, known: Collection[str]) -> None:
        places = [at for at in self._free() if self.columns[at].word in known]
        if places and self._is_open(role):
            self.known[places[0]] = role, "its name"

    # Topics

    def _find_topic(self) -> None:
        if not self._is_open("topic"):
            return
        place_and_reason = self._named_topic()
        run = self._of("run")
        are_runs = run is not None and self.columns[run].is_unique
        if place_and_reason is None and not are_runs:
            place_and_reason = self._unnamed_topic()
        if place_and_reason is not None:
            self.known[place_and_reason[0]] = "topic", place_and_reason[1]
            if self._has_index and 0 not in self.known:
                self.known[0] = "left out", "numbers of rows"

    @property
    def _has_index(self) -> bool:
        """Whether the first column numbers the rows, as pandas writes its index."""
        return bool(self.columns) and self.columns[0].word in INDEX_WORDS and self.columns[0].counts_rows

    def _named_topic(self) -> tuple[int, str] | None:
        """Find the column of topics by the names of columns."""
        free = self._free()
        for word in IDS:
            for at in free:
                if self.columns[at].word == word:
                    return at, "its name"
        for name in self.ids:
            for at in free:
                if self.names[at] == name:
                    return at, "its ids are in all files"
        named = [at for at in free if self._names_ids(at)]
        named += [
            at for at in free if self.columns[at].word in QUESTIONS and self.columns[at].are_names_of_topics
        ]
        by_surety = sorted(named, key=lambda at: (not self.columns[at].is_unique, self._surety(at)))
        return (by_surety[0], "its name") if by_surety else None

    def _surety(self, at: int) -> int:
        """Return how sure the name of a column of ids is: a name in id, a word for cases, then questions."""
        word = self.columns[at].word
        if NAMES_IDS.fullmatch(self.names[at]):
            return 0
        return 1 + QUESTIONS.index(word) + 1 if word in QUESTIONS else 1

    def _names_ids(self, at: int) -> bool:
        """Return whether a column is called an id, or what evaluators call a topic, and has no scores."""
        column = self.columns[at]
        if column.word in RUN_WORDS | REPEAT_WORDS | INDEX_WORDS | (GROUP_WORDS - CASES):
            return False
        is_id = bool(NAMES_IDS.fullmatch(column.name)) or column.word in CASES
        return is_id and column.are_names_of_topics

    def _unnamed_topic(self) -> tuple[int, str] | None:
        """Find a column whose cells are different in each row, and no scores."""
        free = [at for at in self._free() if not (at == 0 and self._has_index)]
        if not free:
            return None
        may_be = [at for at in free if self._may_be_topic(at)]
        first = self.columns[free[0]]
        is_first_of_numbers = free[0] in may_be and first.is_whole and first.is_unique
        for at in may_be:
            column = self.columns[at]
            if (
                column.is_unique
                and not column.n_numbers
                and (self.table.is_records or not is_first_of_numbers)
            ):
                return at, "one per row"
        for at in free:
            # A first column without a name is none of a table of numbers.
            if self.columns[at].word in ID_WORDS and (at == 0 or self.columns[at].word) and at in may_be:
                return at, "its name"
        by_pair = self._topic_of_pairs(may_be)
        if by_pair is not None:
            return by_pair, "tells the rows of a run apart"
        # The first column of other tables than records may be ids or scores: their reader judges it by all cells.
        is_sure = self.table.is_records or self._has_index
        may_be_first = free[0] in may_be and first.is_whole
        numbers = [at for at in may_be if is_sure or (at != free[0] and not may_be_first)]
        for at in numbers:
            column = self.columns[at]
            if (
                column.is_whole
                and column.is_unique
                and len(free) > 1
                and max(map(value_of, column.values)) > 1
            ):
                return at, "whole numbers, one per row"
        return None

    def _may_be_topic(self, at: int) -> bool:
        """Return whether a column has ids or words and is not named as something else."""
        column = self.columns[at]
        others = TEXTS | TEXT_WORDS | COUNT_WORDS | COST_WORDS | GROUP_WORDS | REPEAT_WORDS | SCORE_WORDS
        is_other = (
            column.word in others or is_measure(column.name) or column.name.casefold().startswith("num_")
        )
        return not is_other and column.are_names_of_topics

    def _topic_of_pairs(self, may_be: Sequence[int]) -> int | None:
        """Find a column of ids that is different in each row of a run, where runs are named or found with it."""
        known = [at for at in (self._of("run"), self._of("measure")) if at is not None]
        runs = (
            [[]] if self._of("run") is not None else [[at] for at in may_be if not self.columns[at].n_numbers]
        )
        for run in runs:
            for at in may_be:
                others = [self.columns[place].n_distinct for place in run]
                if (
                    at in run
                    or self.columns[at].n_distinct < 2
                    or any(self.columns[at].n_distinct <= n for n in others)
                ):
                    continue
                if self._tells_apart(at, *run) and (run or known):
                    return at
        return None

    # What makes rows unique

    def _tells_apart(self, *more: int) -> bool:
        """Return whether the topics, runs and measures, and more columns, are different in each row."""
        known = (self._of(role) for role in ("topic", "run", "measure"))
        places = (*(at for at in known if at is not None), *more)
        if places not in self.apart:
            keys = set(zip(*(self.columns[at].cells for at in places), strict=True))
            self.apart[places] = len(keys) == len(self.table.body)
        return self.apart[places]

    def _find_runs(self) -> None:
        topic, run = self._of("topic"), self._of("run")
        if topic is None:
            return
        if run is not None:
            # Numbers of runs below the id of a case are its repeats; below a topic they are names.
            column = self.columns[run]
            is_case = self.columns[topic].word not in TOPIC_WORDS and self.known[run][1] != "as stated"
            if is_case and column.is_whole and column.word in ("runid", "run"):
                self.known[run] = "repeat", "numbers of runs"
        self._take_name("run", ("name",))
        if not self._is_open("run") or self._tells_apart():
            return
        n_topics, n_rows = self.columns[topic].n_distinct, len(self.table.body)
        no_names = TEXTS | TEXT_WORDS | REPEAT_WORDS | (GROUP_WORDS - MAY_BE_OTHER)
        candidates = [
            at
            for at in self._free()
            if self.columns[at].are_names
            and not self.columns[at].n_numbers
            and self.columns[at].n_distinct > 1
            and self.columns[at].word not in no_names
            and self._tells_apart(at)
            and 2 * n_rows >= n_topics * self.columns[at].n_distinct
        ]
        if candidates:
            at = min(candidates, key=lambda at: self.columns[at].n_distinct)
            self.known[at] = "run", "tells the rows of a topic apart"

    def _find_repeats(self) -> None:
        if self._of("topic") is None or not self._is_open("repeat") or self._tells_apart():
            return
        named = [at for at in self._free() if self.columns[at].word in REPEAT_WORDS | TRAINING_WORDS]
        places = [at for at in named if self._tells_apart(at)] or (named if len(named) == 1 else [])
        if places:
            self.known[places[0]] = "repeat", "tells the rows of a topic and run apart"

    def _find_groups(self) -> None:
        if "group" in self.choices.roles.values():
            return
        if self._of("measure") is None and self._of("run") is None:
            topic = self._of("topic")
            places: Sequence[int] = group_columns(self.table, topic, [at for at in self.known if at != topic])
        else:
            places = [at for at in self._free() if self.columns[at].word in GROUP_WORDS - MAY_BE_OTHER]
            places += [
                at
                for at in group_columns(self.table, self._of("topic"), list(self.known))
                if at not in places
            ]
        for at in places:
            self.known[at] = "group", "its name"

    # What has no scores

    def _leave_out(self) -> None:
        has_scores = self.choices.columns is not None or "scores" in self.choices.roles.values()
        first = 0 if self._of("topic") is None and not self.table.is_records else None
        free = [at for at in self._free() if at != first]
        score_words = [at for at in free if self.columns[at].word in SCORE_WORDS]
        for at in free:
            reason = "not chosen" if has_scores else self._why_no_scores(at)
            if not reason and self._of("measure") is not None and score_words and at not in score_words:
                reason = "numbers next to the column of scores"
            if reason:
                self.known[at] = "left out", reason

    def _why_no_scores(self, at: int) -> str:
        """Return why a column has no scores; "" where it may have some."""
        column = self.columns[at]
        has_topic = self._of("topic") is not None or self._of("run") is not None
        if not column.values:
            # A column without a name is a delimiter too many, and a run may have no scores: both are refused.
            has_texts = self.table.is_records or self.n_of_texts > 0
            return "empty" if column.name and column.word not in SCORE_WORDS and has_texts else ""
        is_id = column.word in OTHER_IDS and (column.word or at == 0) and column.are_names_of_topics
        if is_id and (has_topic or self.table.is_records):
            return "ids"
        if column.word in COUNT_WORDS or column.name.casefold().startswith("num_"):
            return "counts, not measures"
        if column.word in COST_WORDS:
            return "time, tokens or cost, not measures"
        if column.word in REPEAT_WORDS and (column.is_whole or not column.n_numbers) and has_topic:
            return "repeats"
        if STATISTIC.fullmatch(column.name) and has_topic:
            return "statistics, not measures"
        if column.word in ALL_TEXTS and (self.table.is_records or self.n_of_texts > (column.n_texts > 0)):
            return "text"
        if column.has_numbers:
            return ""
        return f"text, though {column.n_numbers:,} of its cells are numbers" if column.n_numbers else "text"

    def _scores(self) -> list[int]:
        """Return the columns of scores; the first column may be ids where no other one has topics."""
        no_topic = self._of("topic") is None and not self.table.is_records and 0 not in self.known
        places = [at for at in self._free() if not (no_topic and at == 0 and len(self.columns) > 1)]
        return sorted([*places, *(at for at, (role, _) in self.known.items() if role == "scores")])

    def _leave_out_derived(self) -> None:
        """Leave out columns that are the difference, the maximum or the mean of other columns of scores."""
        numbers = {
            at: [value_of(cell) for cell in self.columns[at].cells]
            for at in self._scores()
            if not (self.columns[at].n_texts or self.columns[at].n_missing or self.columns[at].is_words)
        }
        if not 3 <= len(numbers) <= MOST_DERIVED or len(self.table.body) < FEWEST_ROWS:
            return
        for at in reversed(numbers):
            others = [other for other in numbers if other != at and other not in self.known]
            if at not in self.known and len(others) > 1:
                reason = derived_from(numbers[at], {self.names[other]: numbers[other] for other in others})
                if reason:
                    self.known[at] = "left out", reason

    # What the scores are of

    def _scores_are_of(self) -> Of:
        scores, run, topic = self._scores(), self._of("run"), self._of("topic")
        if self._of("measure") is not None:
            return "rows"
        if self.choices.orientation != "auto":
            return "runs"
        names = [self.names[at] for at in scores if self.columns[at].has_numbers]
        known = [name for name in names if is_measure(name)]
        if run is not None and topic is None and not self.table.is_records:
            return "runs"  # as rows, with topics as columns
        if run is not None and len(names) == 1 and plain(names[0]) in SCORE_WORDS:
            return "rows"
        if self.choices.columns is not None or run is not None or self.table.is_records:
            return "measures"
        if len(names) == 1 and plain(names[0]) in SCORE_WORDS:
            return "runs" if topic is None else "measures"
        has_texts = any(reason.startswith("text") for _, reason in self.known.values())
        if topic is None:
            return "measures" if has_texts and names and len(known) == len(names) else "runs"
        in_name = measure_in_file_name(self.table.source.stem) is not None
        if 2 * len(known) <= len(names) or (in_name and len(known) < len(names)):
            return "runs"
        return "measures" if has_texts or beyond_doubt(known) or are_all_measures(names) else "runs"

    # What has no scores of single topics

    def _refuse_means(self, of: Of) -> None:
        scores = [self.columns[at] for at in self._scores()]
        numbers = [column.name for column in scores if column.has_numbers]
        is_stated = self.choices.columns is not None or "scores" in self.choices.roles.values()
        if not numbers and not (is_stated and scores) and all(column.values for column in scores):
            self._ask_for_true()
            expected = f"expected a column of scores, found {listed(self.names, 20)}, without numbers"
            self.table.refuse(self.table.header.line, expected)
        self._refuse_runs()
        topic = self._of("topic")
        if self.choices.orientation != "auto" or (
            topic is not None and self.known[topic][1] != "one per row"
        ):
            return
        line, refuse = self.table.header.line, self.table.refuse
        measures = [name for name in numbers if tells_measure(name) and plain(name) not in SCORE_WORDS]
        statistics = [name for name in self.names if STATISTIC.fullmatch(name) or name.endswith((" +", " -"))]
        training = [column.name for column in self.columns if column.word in TRAINING_WORDS]
        if training and measures and self._of("run") is None:
            refuse(
                line,
                f"{MEANS}one row per {quoted(training[0])} of a training and means over topics such as "
                f"{quoted(measures[0])}; upload the scores per topic of the checkpoints that you compare",
            )
        if statistics and measures:
            refuse(line, f"{MEANS}statistics over topics such as {quoted(statistics[0])}{PER_TOPIC}")
        if 2 * len(measures) <= len(numbers) or self._of("measure") is not None:
            return
        at = self._of("run") if topic is None else topic
        if at is None or not self.columns[at].is_unique or self.columns[at].have_one_stem:
            return
        name, values = quoted(self.names[at]), listed(self.columns[at].values, 2)
        if topic is None or self.columns[at].word in RUN_NAMES:
            refuse(
                line,
                f"{MEANS}one row per system, as {values} in the column {name}, and one column per measure: means "
                f"over topics{PER_TOPIC}{'' if topic is None else _STATE.format(name)}",
            )
        if of == "measures":
            refuse(
                line,
                f"the column {name}, with {values}, may have topics, or systems whose means over topics are in the "
                f"other columns{_STATE.format(name)}, or upload scores of single topics",
            )

    def _refuse_runs(self) -> None:
        """Refuse columns of runs, chosen for measures: all columns have numbers, and no name is a measure."""
        others = [
            column
            for at, column in enumerate(self.columns)
            if self.known.get(at) == ("left out", "not chosen")
        ]
        is_other = any(
            column.word in OTHER_IDS | COUNT_WORDS or column.n_texts or not column.values for column in others
        )
        if self.choices.columns is None or not others or is_other or self._of("run") is not None:
            return
        if not self.table.is_records and not any(map(is_measure, self.names)):
            self.table.refuse(
                self.table.header.line,
                f"expected names of measures for the chosen columns, found {listed(self.choices.columns)}, next to "
                "other columns of numbers: these are probably runs; import all columns, then select runs",
            )

    def _ask_for_true(self) -> None:
        """Ask for the word of 1 where all columns that may have scores have the same two words."""
        topic = self._of("topic")
        may_be = [
            column
            for at, column in enumerate(self.columns)
            if at != (topic or 0)
            and self.known.get(at, ("left out",))[0] == "left out"
            and not column.n_numbers
            and column.word not in ALL_TEXTS
        ]
        words = dict.fromkeys(value for column in may_be for value in column.values)
        if len(words) == 2 and self.choices.true is None:
            ordered = sorted(words, key=lambda word: (plain(word) or word) not in GOOD_WORDS)
            raise WordsAsked(self.table.file, self.table.header.line or None, tuple(ordered), self.table.unit)


_STATE = "; if {} has topics, state that it does (--topic-column)"
