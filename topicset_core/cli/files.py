"""Files that commands read: import options of score files, and folders of runs."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parsing import Choices, ReadScores, read_frame, read_score_files
from topicset_core.parsing.choices import Missing, Orientation, Repeats, Role, TopicsAsked
from topicset_core.parsing.groups import groups_and_notes, groups_by_pattern
from topicset_core.preparation import join_systems, join_topics
from topicset_core.variance import disagreement
from topicset_core.wording import GROUPS_OF_ONE, first_few, names_of


def add_options(parser: argparse.ArgumentParser, *, nargs: str = "+", option: str = "") -> None:
    """Add the files, or an option for them, and the decisions of the user where they leave it open."""
    text = "scores: table, trec_eval -q output, JSON, xlsx; gz, zip"
    if option:
        parser.add_argument(option, dest="files", nargs=nargs, default=[], metavar="FILE", help=text)
    else:
        parser.add_argument("files", nargs=nargs, metavar="FILE", help=text)
    parser.add_argument(
        "--measure",
        help="the measure to read if files contain several, or its name if files do not give it",
    )
    parser.add_argument("--collection", help="name of the matrices; default: the name of the file")
    parser.add_argument(
        "--missing",
        choices=get_args(Missing),
        default="refuse",
        help="treatment of missing scores of a topic and run",
    )
    parser.add_argument(
        "--repeats", choices=get_args(Repeats), default="refuse", help="treatment of repeated scores"
    )
    parser.add_argument(
        "--orientation", choices=get_args(Orientation), default="auto", help="orientation of wide tables"
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        metavar="NAME",
        help="columns with scores, in tables with one column per measure",
    )
    add_roles(parser)


def add_roles(parser: argparse.ArgumentParser, *, are_labels: bool = False) -> None:
    """Add the options that state what columns have."""
    for option, (_, what) in (LABEL_OPTIONS if are_labels else ROLE_OPTIONS).items():
        parser.add_argument(f"--{option.replace('_', '-')}", metavar="NAME", help=f"the column with {what}")
    parser.add_argument(
        "--leave-out",
        nargs="+",
        metavar="NAME",
        help="columns that are not to be read, of tables with a header",
    )
    parser.add_argument(
        "--true", metavar="WORD", help="the word that is 1, in tables of two words; the other is 0"
    )
    parser.add_argument(
        "--by-line",
        action="store_true",
        help="rows of files without topic ids are the same topics in the same order",
    )
    parser.add_argument(
        "--split", metavar="NAME", help="split of a benchmark, where results have several; default: test"
    )


def add_groups(parser: Any, before: str = "", *, join: bool = True) -> None:
    """Add the options that name the group of each topic, to a parser or a group of it."""
    parser.add_argument(
        "--groups",
        metavar="FILE",
        help=f"{before}topics that come in groups, as turns of a conversation: table with the columns topic and "
        "group; or a pattern such as '*_*' whose first * is the group",
    )
    if join:
        parser.add_argument(
            "--join",
            action="store_true",
            help=f"{before}join the topics of all files; each file is a group, as the datasets of a benchmark",
        )


ROLE_OPTIONS: dict[str, tuple[Role, str]] = {
    "topic_column": ("topic", "topic ids"),
    "system_column": ("run", "names of systems or runs"),
    "measure_column": ("measure", "names of measures"),
    "value_column": ("scores", "scores; other numbers are left out"),
    "repeat_column": ("repeat", "repeats, as seeds or samples"),
    "group_column": ("group", "the groups of topics"),
}
"""The options that name the columns of a table, each with the role and in words."""
LABEL_OPTIONS: dict[str, tuple[Role, str]] = {
    **{name: ROLE_OPTIONS[name] for name in ("topic_column", "system_column", "repeat_column")},
    "judge_column": ("judge", "scores by the judge"),
    "human_column": ("people", "labels by people"),
}
"""Those of a table of labels."""


def choices(options: argparse.Namespace) -> Choices:
    """Return the decisions of the user."""
    roles: dict[str, Role] = dict.fromkeys(options.leave_out or (), "left out")
    for name, (role, _) in (ROLE_OPTIONS | LABEL_OPTIONS).items():
        column = getattr(options, name, None)
        if column is not None and roles.setdefault(column, role) != role:
            raise InputError(name, column, f"is stated as {roles[column]}, too")
    stated = {
        field.name: getattr(options, field.name) for field in fields(Choices) if hasattr(options, field.name)
    }
    return Choices(**stated, roles=roles)


def read_files(options: argparse.Namespace) -> ReadScores:
    """Read the files with the options; in Python also matrices, as they are, and frames."""
    chosen, paths = choices(options), [file for file in options.files if isinstance(file, str)]
    join, collection = getattr(options, "join", False), chosen.collection
    if join:  # it names the joined matrix; those that are joined are called after their files
        chosen = replace(chosen, collection=None)
    parts = [_given(file, chosen) for file in options.files if not isinstance(file, str)]
    if paths:
        parts.insert(0, read_score_files([(file, Path(file).read_bytes()) for file in paths], chosen))
        if parts[0].errors:
            raise parts[0].errors[0]
    joined = {
        field.name: sum((getattr(part, field.name) for part in parts), ()) for field in fields(ReadScores)
    }
    if not joined["matrices"]:
        names = dict.fromkeys(file.measure for file in options.files)
        raise InputError("measure", chosen.measure, f"must be one of {', '.join(names)}")
    read = ReadScores(**joined)
    matrices = in_groups(options, read.matrices)
    recognised = (*read.recognised, *notes_on_groups(options, matrices))
    read = replace(read, matrices=matrices, recognised=recognised)
    return _joined(read, collection) if join else read


def _joined(read: ReadScores, collection: str | None) -> ReadScores:
    """Return one matrix of each measure, whose groups are the matrices that were read."""
    matrices, notes, files = [], [], []
    for measure in dict.fromkeys(matrix.measure for matrix in read.matrices):
        places = [place for place, matrix in enumerate(read.matrices) if matrix.measure == measure]
        try:
            matrix, sentences = join_topics([read.matrices[place] for place in places])
        except InputError as error:
            name = "FILE" if error.parameter == "matrices" else error.parameter
            raise InputError(name, error.value, f"{error.rule} (--join, {measure})") from None
        matrices.append(replace(matrix, name=collection or matrix.name))
        notes.append(sentences)
        files.append(tuple(file for place in places for file in read.files[place]))
    sentences_of_all = (
        sentence if len(notes) == 1 else f"{matrix.measure}: {sentence}"
        for matrix, of in zip(matrices, notes, strict=True)
        for sentence in of
    )
    return replace(
        read,
        matrices=tuple(matrices),
        notes=tuple(notes),
        files=tuple(files),
        recognised=(*read.recognised, *sentences_of_all),
        numbered=(False,) * len(matrices),
    )


def _given(scores: Any, chosen: Choices) -> ReadScores:
    """Return a matrix, about which nothing is open but whether it is of the measure; or read a frame."""
    if not isinstance(scores, ScoreMatrix):
        try:
            read = read_frame(scores, name=chosen.collection or "frame", choices=chosen)
        except InputError as error:
            name = "FILE" if error.parameter == "frame" else error.parameter
            raise InputError(name, error.value, error.rule) from None
        return replace(read, files=tuple((matrix.name,) for matrix in read.matrices))
    for name, value in vars(replace(chosen, measure=None)).items():
        if value != getattr(Choices(), name):
            raise InputError("columns" if name == "roles" else name, value, "has no meaning for a matrix")
    if chosen.measure not in (None, scores.measure):
        return ReadScores()
    return ReadScores(matrices=(scores,), notes=((),), files=((scores.name,),), numbered=(False,))


def in_groups(options: argparse.Namespace, matrices: Iterable[ScoreMatrix]) -> tuple[ScoreMatrix, ...]:
    """Return scores with the groups of their topics, where the options name them by a file or a pattern."""
    named = getattr(options, "groups", None)
    if named is None:
        return tuple(matrices)
    if getattr(options, "join", False):
        raise InputError("groups", named, "must be left out with --join, as each file is a group")
    groups, _ = _groups_of(named)
    return tuple(
        matrix.grouped(groups_by_pattern(named, matrix.topics) if groups is None else groups)
        for matrix in matrices
    )


def notes_on_groups(options: argparse.Namespace, matrices: Iterable[ScoreMatrix] = ()) -> tuple[str, ...]:
    """Return notes on the table of groups, and on matrices whose groups have one topic each."""
    named = getattr(options, "groups", None)
    if named is None:
        return ()
    of_one = any(matrix.groups is None and matrix.by_topic is None for matrix in matrices)
    return (*_groups_of(named)[1], *([GROUPS_OF_ONE] if of_one else []))


def _groups_of(named: str | Mapping[Any, Any]) -> tuple[dict[str, str] | None, tuple[str, ...]]:
    """Return the groups in a file or, in Python, in a mapping, with notes; None of a pattern."""
    if isinstance(named, Mapping):
        return {str(topic): str(group) for topic, group in named.items()}, ()
    if "*" in named and not Path(named).exists():
        return None, ()
    return groups_and_notes(named, Path(named).read_bytes())


def add_pool(parser: Any) -> None:
    """Add the option that pools matrices although they disagree, to a parser or a group of it."""
    parser.add_argument(
        "--pool", action="store_true", help="pool matrices whose scales or variances differ clearly, too"
    )


def check_pool(options: argparse.Namespace, matrices: Iterable[ScoreMatrix], *, named: str = "FILE") -> None:
    """Refuse matrices of one measure that do not go together, unless the user pools them anyway."""
    differing = None if options.pool else disagreement(matrices)
    if differing is not None:
        rule = f"must be rounds of one task. {differing.sentence}. Give one of them, or --pool to pool them anyway"
        raise InputError(named, first_few(differing.names, 3), rule)


def only_matrix(options: argparse.Namespace) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return the one matrix in the files, and notes on it."""
    read = read_files(options)
    if len(read.matrices) != 1:
        text = first_few([f"{matrix.measure} of {matrix.name}" for matrix in read.matrices], 3)
        rule = f"must contain one matrix of scores, not {len(read.matrices)} ({text}); --measure chooses one"
        raise InputError("FILE", names_of(options.files), rule)
    return read.matrices[0], tuple(read.recognised)


def one_of_each(options: argparse.Namespace) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return the one matrix in the files, or two of one system each as one."""
    read = read_files(options)
    if [matrix.n_systems for matrix in read.matrices] != [1, 1]:
        return only_matrix(options)
    if all(read.numbered) and not options.by_line:
        raise TopicsAsked(tuple(file for of in read.files for file in of))
    joined, notes = join_systems(read.matrices)
    return joined, (*read.recognised, *notes)


def only_paths(given: Sequence[Any]) -> list[str]:
    """Return names of files; refuse what Python may give in their place elsewhere."""
    if not all(isinstance(item, str) for item in given):
        raise InputError("FILE", names_of(given), "must be files")
    return list(given)


def track_files(paths: list[str]) -> list[tuple[str, bytes | Path]]:
    """Return the files themselves, and the files in the folders, in the order of their names."""
    results: list[tuple[str, bytes | Path]] = []
    for path in map(Path, only_paths(paths)):
        inside = sorted(entry for entry in path.iterdir() if entry.is_file()) if path.is_dir() else [path]
        results += [(str(path), path) for path in inside]
    return results
