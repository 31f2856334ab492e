"""Values of this project as a file that contains data only, and back: opening it runs nothing that is in it.

The file is a zip archive: ``choices.txt`` has a line per page, ``work.json`` the data; next to it are score
matrices as CSV, runs and judgments as files of TREC, other arrays as their bytes, and long texts. An object is
written as the name of its class with its fields, and made again by that class, which checks them. Only classes of
this project can be named, and only data classes:
dataclasses, named tuples and the project's own errors. Objects that several values share are written once, and
shared again afterwards.
"""

import base64
import binascii
import csv
import importlib
import io
import json
import math
import re
import types
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from topicset_core.collection import Qrels, Run, ScoreMatrix
from topicset_core.errors import ParseError, TopicsetError
from topicset_core.parsing import limits
from topicset_core.parsing.archives import File, Watch, each_file
from topicset_core.progress import silently
from topicset_core.version import __version__
from topicset_core.wording import visible

SCHEMA = 3
"""Version of the layout; goes up when earlier versions of Topicset cannot read it. Earlier layouts are read."""

_FORMAT = "topicset saved work"
_VALUES, _CHOICES = "work.json", "choices.txt"
_LARGEST_VALUES_MB, _MOST_VALUES = 20, 200_000
_LONGEST_TEXT = 10_000  # characters; a longer one is a file of its own
_DEEPEST = 100  # values within values
_BLOCK_BYTES = 1_000_000  # of a file of lines, at a time
_NOT_IN_NAMES, _LONGEST_NAME = re.compile(r"[^\w.-]+"), 60  # of files
_LIKELY_RATIO = 0.8 * limits.HIGHEST_RATIO  # an archive that packs better is refused as made to fill memories
_CLASS = re.compile(r"((?:topicset_core|pages\.parts)(?:\.(?!__)\w+)*):(\w+)")
_LINE = re.compile(r"/?([\w-]+)\?(.*)")
_QUOTED = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_DTYPE = re.compile(r"[<|](?:b1|[iu][1248]|f[48]|S\d{1,4})")
_RENAMED_CLASSES = {
    "pages.parts.data:Loaded": "pages.parts.data:Upload",
    "topicset_core.collection.intents:Intents": "topicset_core.collection.qrels:Intents",
    "topicset_core.collection.settings:Settings": "topicset_core.collection.run:Settings",
}
_RENAMED_FIELDS = {"said": "notes"}  # of files that an earlier version wrote
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}

# What classes raise on fields that are not theirs, and Python on nonsense.
_NONSENSE = (
    TopicsetError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RecursionError,
    ImportError,
    NameError,
)


class _Unfit(ValueError):  # noqa: N818 - it never leaves this file
    """A value that cannot be written, or is not of the expected type."""


class Saved(NamedTuple):
    """The contents of a file."""

    data: dict[str, Any]
    links: dict[str, str]  # choices as queries, by the name of their page, in earlier versions its address
    choices: dict[str, Any]  # values of widgets, of a file of an earlier version
    notes: dict[str, Any]  # plain notes of its writer
    # Of Topicset, and of the day on which it was written
    version: str
    date: str
    unread: tuple[str, ...]  # names of choices of an earlier version that cannot be read


def saved(
    data: Mapping[str, Any],
    links: Mapping[str, str],
    notes: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
) -> bytes:
    """Return a file of values by their names, of choices by the names of pages, and of texts by file names."""
    writer = _Writer()
    written = {name: writer.node(value) for name, value in data.items()}
    document = {
        "format": _FORMAT,
        "schema": SCHEMA,
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "notes": dict(notes or {}),
        "data": {"values": written, "objects": writer.objects},
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    lines = "".join(f"{name}?{query}\n" for name, query in links.items())
    readable = {_CHOICES: lines, **(texts or {}), _VALUES: text}
    members = {name: text.encode("utf-8", "surrogatepass") for name, text in readable.items()} | writer.files
    content = _zipped(members, zipfile.ZIP_DEFLATED)
    if sum(map(len, members.values())) > _LIKELY_RATIO * len(content):
        content = _zipped(members, zipfile.ZIP_STORED)
    return content


def opened(content: bytes, file: str, kind_of: Callable[[str], Any]) -> Saved:
    """Return the contents of a file of `saved`."""
    members: dict[str, bytes] = {}

    def take(member: File, _: Watch) -> None:
        members[member.name.removeprefix(f"{file}/")] = member.content

    _, errors = each_file([(file, content)], take, silently)
    if errors:
        raise errors[0]
    text, lines = members.pop(_VALUES, b""), members.pop(_CHOICES, b"")
    if len(text) + len(lines) > 1_000_000 * _LARGEST_VALUES_MB:
        raise ParseError(file, None, f"expected at most {_LARGEST_VALUES_MB} MB of values, found more")
    marks = _QUOTED.sub(b"", text)  # counted here, as Python takes 30 times as much memory for an empty list
    if sum(map(marks.count, (b"{", b"[", b","))) + lines.count(b"&") > _MOST_VALUES:
        raise ParseError(file, None, f"expected at most {_MOST_VALUES:,} values, found more")
    try:
        document = json.loads(text.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise ParseError(file, None, "expected a file that “Save my work” wrote, found another one")
    if document.get("schema") not in range(1, SCHEMA + 1):
        written = f"layout {document.get('schema')!r} of Topicset {document.get('version')!r}"
        raise ParseError(file, None, f"expected layout 1 to {SCHEMA} of saved work, found {written[:100]}")
    notes, version, date = (document.get(name) for name in ("notes", "version", "date"))
    if not (isinstance(notes, dict) and isinstance(version, str) and isinstance(date, str)):
        raise _damaged(file, "the program that wrote it is not named")
    links = _links(lines, file)
    choices, unread = {}, []
    try:
        reader = _Reader(document["data"]["objects"], members)
        data = {name: reader.value(node) for name, node in document["data"]["values"].items()}
        for name, value in data.items():
            if (kind := kind_of(name)) is None or not fits(value, kind):
                raise _Unfit(f"{name[:60]} has an unexpected value")
        earlier = document.get("choices", {"values": {}, "objects": []})
        reader = _Reader(earlier["objects"], {})
        for name, node in earlier["values"].items():
            try:
                choices[name] = reader.value(node)
            except _NONSENSE:
                unread.append(name)
    except _NONSENSE as error:
        raise _damaged(file, str(error)[:200]) from None
    return Saved(
        data=data,
        links=links,
        choices=choices,
        notes=notes,
        version=version[:40],
        date=date[:40],
        unread=tuple(unread),
    )


def _links(content: bytes, file: str) -> dict[str, str]:
    """Return the choices, as queries of links, one per line, by the names or addresses of pages."""
    links = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            rule = f"expected a page with choices, as error_rate?alpha=0.05, found {visible(line[:40])}"
            raise ParseError(f"{file}/{_CHOICES}", number, rule)
        links[match[1]] = match[2]
    return links


def _damaged(file: str, why: str) -> ParseError:
    return ParseError(file, None, f"expected saved work without changes, found it changed or damaged ({why})")


def _zipped(members: Mapping[str, bytes], method: int) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method, compresslevel=3) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return content.getvalue()


class _Readable(NamedTuple):
    """How objects of a class are written as a file that people and other programs read."""

    folder: str
    ending: str
    fields: tuple[str, ...]  # that the file has
    write: Callable[[Any], bytes]
    read: Callable[[bytes], dict[str, Any]]


def _matrix_fields(content: bytes) -> dict[str, Any]:
    text = io.StringIO(content.decode("utf-8", "surrogatepass"), newline="")
    header, *rows = csv.reader(text)
    of = int(header[0] == "group")  # the column of topics
    scores = np.array([row[of + 1 :] for row in rows], dtype=np.float64)
    ids = {"topics": tuple(row[of] for row in rows), "systems": tuple(header[of + 1 :])}
    return {"scores": scores, **ids} | ({"groups": tuple(row[0] for row in rows)} if of else {})


def _lines(of: Run | Qrels, *columns: Sequence[object]) -> bytes:
    """Return lines of topic, a constant, document, and further columns, as TREC separates them."""
    documents = of.documents.tolist()
    names = [topic.encode() for topic in of.topics] + documents
    if len(b" ".join(names).split()) != len(names):
        raise _Unfit("a name with white space, which separates columns")
    topics = np.repeat(np.array(of.topics, dtype=object), np.diff(of.starts)).tolist()
    rows = zip(topics, [document.decode() for document in documents], *columns, strict=True)
    constant = "Q0" if isinstance(of, Run) else "0"
    return "".join(
        f"{topic} {constant} {document} {' '.join(map(str, more))}\n" for topic, document, *more in rows
    ).encode()


def _fields_of(content: bytes, n: int, last: int, name: str, kind: type[np.number[Any]]) -> dict[str, Any]:
    """Return topics, starts and documents of a file with n columns, and the numbers in the column of this place."""
    text, blocks = io.BytesIO(content), []
    while lines := text.readlines(_BLOCK_BYTES):
        blocks.append(np.array(b"".join(lines).split()).reshape(-1, n)[:, (0, 2, last)])
    topic, document, column = np.concatenate(blocks).T
    starts = np.flatnonzero(np.r_[True, topic[1:] != topic[:-1], True])
    names = tuple(text.decode() for text in topic[starts[:-1]].tolist())
    documents = np.array(document.tolist())
    return {"topics": names, "starts": starts, "documents": documents, name: column.astype(kind)}


def _run_file(run: Run) -> bytes:
    depths = np.diff(run.starts)
    ranks = np.arange(run.documents.size) - np.repeat(run.starts[:-1], depths) + 1
    scores = np.repeat(depths, depths) + 1 - ranks if run.scores is None else run.scores
    tag = ["-".join(run.tag.split())] * run.documents.size
    return _lines(run, ranks.tolist(), scores.tolist(), tag)


_IN_ORDER = ("topics", "starts", "documents")
_READABLE = {
    ScoreMatrix: _Readable(
        "scores",
        "csv",
        ("scores", "topics", "systems", "groups"),
        lambda matrix: matrix.to_csv().encode("utf-8", "surrogatepass"),
        _matrix_fields,
    ),
    Run: _Readable(
        "runs",
        "txt",
        (*_IN_ORDER, "scores"),
        _run_file,
        lambda content: _fields_of(content, 6, 4, "scores", np.float64),
    ),
    Qrels: _Readable(
        "judgments",
        "txt",
        (*_IN_ORDER, "grades"),
        lambda item: _lines(item, item.grades.tolist()),
        lambda content: _fields_of(content, 4, 3, "grades", np.int16),
    ),
}


class _Writer:
    """Converts values to nodes of JSON; keeps objects and arrays, each once."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self.files: dict[str, bytes] = {}
        self._places: dict[int, int] = {}
        self._held: list[Any] = []  # so that no identity is used twice

    def node(self, value: Any) -> Any:
        """Return how a value is written."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, float) and not math.isfinite(value):
            return {"number": str(float(value))}
        if isinstance(value, str) and len(value) > _LONGEST_TEXT:
            name = f"texts/{len(self.files)}.txt"
            self.files[name] = value.encode("utf-8", "surrogatepass")
            return {"text": name}
        if type(value) in (bool, int, float, str) or value is None:
            return value
        if type(value) in _CONTAINERS.values():
            kind = next(name for name, container in _CONTAINERS.items() if type(value) is container)
            parts = value.items() if isinstance(value, dict) else value
            if kind == "list":
                return [self.node(part) for part in parts]
            nodes = [[self.node(part) for part in one] if kind == "dict" else self.node(one) for one in parts]
            return {kind: nodes}
        if isinstance(value, bytes):
            return {"bytes": base64.b64encode(value).decode()}
        return {"object": self._place(value)}

    def _place(self, value: Any) -> int:
        if id(value) not in self._places:
            place = len(self.objects)
            self.objects.append(None)
            self._places[id(value)] = place
            self._held.append(value)
            self.objects[place] = self._written(value, place)
        return self._places[id(value)]

    def _written(self, value: Any, place: int) -> dict[str, Any]:
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False)
            if not _DTYPE.fullmatch(array.dtype.str):
                raise _Unfit(f"an array of {array.dtype} cannot be saved")
            name = f"array-{place}"
            self.files[name] = array.tobytes()
            return {"array": name, "type": array.dtype.str, "shape": list(value.shape)}
        kind = type(value)
        if isinstance(value, TopicsetError):
            parts: dict[str, Any] = {"arguments": [self.node(argument) for argument in value.__reduce__()[1]]}
        else:
            parts = self._file(value, place) if kind in _READABLE else {}
            in_file = _READABLE[kind].fields if parts else ()
            names = [name for name in _hints(kind) if name not in in_file or getattr(value, name) is None]
            parts |= {"fields": {name: self.node(getattr(value, name)) for name in names}}
        return {"class": f"{kind.__module__}:{kind.__qualname__}"} | parts

    def _file(self, value: Any, place: int) -> dict[str, str]:
        """Write a file that people read and return its name; nothing where its format takes no such names."""
        form, name = _READABLE[type(value)], getattr(value, "tag", "") or value.name
        try:
            content = form.write(value)
        except _Unfit:
            return {}
        path = f"{form.folder}/{_NOT_IN_NAMES.sub('-', name)[:_LONGEST_NAME]}-{place}.{form.ending}"
        self.files[path] = content
        return {"file": path}


class _Reader:
    """Converts nodes of JSON to values; each object is made once."""

    def __init__(self, objects: Sequence[Any], files: Mapping[str, bytes]) -> None:
        self._objects, self._files = objects, files
        self._objects_built: dict[int, Any] = {}
        self._begun: set[int] = set()

    def value(self, node: Any, depth: int = 0) -> Any:
        """Return the value of a node."""
        if depth > _DEEPEST:
            raise _Unfit("values within values are too deep")
        if isinstance(node, str):  # a file may have been written by anyone
            return visible(node.replace("\r\n", "\n"))
        if not isinstance(node, dict | list):
            return node
        if isinstance(node, list):
            return [self.value(item, depth + 1) for item in node]
        if len(node) != 1:
            raise _Unfit("a value has no type")
        ((kind, content),) = node.items()
        if kind == "object":
            return self._object(content, depth + 1)
        if kind == "number":
            return _NOT_FINITE[content]
        if kind == "text":
            return self.value(self._files[content].decode("utf-8", "surrogatepass"))
        if kind == "bytes":
            try:
                return base64.b64decode(content, validate=True)
            except binascii.Error as error:
                raise _Unfit(str(error)) from None
        if kind == "dict":
            return {self.value(key, depth + 1): self.value(item, depth + 1) for key, item in content}
        return _CONTAINERS[kind](self.value(item, depth + 1) for item in content)

    def _object(self, place: Any, depth: int) -> Any:
        if place not in self._objects_built:
            if type(place) is not int or place < 0 or place in self._begun:
                raise _Unfit("an object contains itself")
            self._begun.add(place)
            self._objects_built[place] = self._read(self._objects[place], depth)
        return self._objects_built[place]

    def _read(self, written: Mapping[str, Any], depth: int) -> Any:
        if "array" in written:
            if not _DTYPE.fullmatch(written["type"]):
                raise _Unfit("an array is of an unknown type")
            array = np.frombuffer(self._files[written["array"]], np.dtype(written["type"]))
            return array.reshape([int(n) for n in written["shape"]]).copy()
        kind = _class(written["class"])
        if issubclass(kind, TopicsetError):
            arguments = [self.value(argument, depth) for argument in written["arguments"]]
            if not all(isinstance(argument, str | int | float | None) for argument in arguments):
                raise _Unfit("an error contains no text")
            return kind(*arguments)
        hints = _hints(kind)
        held = {
            name if name in hints else _RENAMED_FIELDS.get(name, name): self.value(item, depth)
            for name, item in written["fields"].items()
        }
        if "file" in written:
            held = _READABLE[kind].read(self._files[written["file"]]) | held
        for name, item in held.items():
            if not fits(item, hints[name]):
                raise _Unfit(f"{kind.__name__}.{name} has an unexpected value")
        return kind(**held)


_CONTAINERS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (list, tuple, set, frozenset, dict)
}


@cache
def _class(name: str) -> type[Any]:
    """Return the data class of the project with this name."""
    match = _CLASS.fullmatch(_RENAMED_CLASSES.get(name, name))
    kind = getattr(importlib.import_module(match[1]), match[2], None) if match else None
    if match is None or not isinstance(kind, type) or kind.__module__ != match[1]:
        raise _Unfit(f"{name[:60]} is not a class of Topicset")
    if not issubclass(kind, TopicsetError):
        _hints(kind)
    return kind


_KNOWN: dict[type[Any], dict[str, Any]] = {}


def _hints(kind: type[Any]) -> dict[str, Any]:
    """Return the fields of a data class, with their types."""
    if kind in _KNOWN:
        return _KNOWN[kind]
    if not _CLASS.fullmatch(f"{kind.__module__}:{kind.__qualname__}"):
        raise _Unfit(f"{kind.__name__} cannot be saved")
    if is_dataclass(kind):
        names: Collection[str] = [field.name for field in fields(kind) if field.init]
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        names = kind._fields
    else:
        raise _Unfit(f"{kind.__name__} cannot be saved")
    hints = get_type_hints(kind)
    _KNOWN[kind] = {name: hints[name] for name in names}
    return _KNOWN[kind]


def fits(value: Any, hint: Any) -> bool:
    """Return whether a value matches a type."""
    origin, inner = get_origin(hint), get_args(hint)
    alias = getattr(origin, "__value__", None)  # NDArray is an alias by `type` from NumPy 2.5 on
    if alias is not None:
        return fits(value, alias[inner])
    if hint in (Any, object) or isinstance(hint, TypeVar):
        return True
    if hint in (None, type(None)):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, option) for option in inner)
    if origin is Literal:
        return value in inner
    if origin is np.ndarray:
        kinds = get_args(inner[1])
        kind = kinds[0] if kinds and isinstance(kinds[0], type) else np.generic
        return isinstance(value, np.ndarray) and issubclass(value.dtype.type, kind)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if len(inner) == 2 and inner[1] is Ellipsis:
            return all(fits(item, inner[0]) for item in value)
        return len(value) == len(inner) and all(map(fits, value, inner))
    if isinstance(origin, type):
        if not isinstance(value, origin):
            return False
        if isinstance(value, Mapping):
            return all(fits(key, inner[0]) and fits(item, inner[1]) for key, item in value.items())
        if isinstance(value, str):  # a sequence of texts, and none of them
            return False
        return not isinstance(value, Collection) or all(fits(item, inner[0]) for item in value)
    if hint in (int, float):  # a whole number is a number, too
        return isinstance(value, (int, hint)) and not isinstance(value, bool)
    return isinstance(hint, type) and isinstance(value, hint)
