"""topicset_core/__init__.pyi: what ``import topicset_core`` gives, for editors and type checkers."""

import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import topicset_core

_OURS = re.compile(r"\btopicset_core((?:\.[a-z_0-9]+)+)\.([A-Z]\w+)")
_SHORTER = re.compile(r"topicset_core\.exports\.answer\.|typing\.|collections\.abc\.")

_REST = "\n\nParameters\n"


def page() -> str:
    """The whole file."""
    every = {name: getattr(topicset_core, name) for name in topicset_core.__all__}
    functions = [line for one in every.values() if inspect.isfunction(one) for line in _function(one)]
    classes = {name: one for name, one in every.items() if inspect.isclass(one)}
    lines = [
        "# `python -m docs.makers functions` writes this file from the options of the commands.",
        "from collections.abc import Iterable, Mapping, Sequence",
        "from os import PathLike",
        "from typing import Any, Literal, Protocol",
        "",
        *sorted(
            {f"from topicset_core{one[1]} import {one[2]} as {_alias(one)}" for one in _found(functions)}
        ),
        "from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores",
        *(f"from {one.__module__} import {name} as {name}" for name, one in classes.items()),
        "",
        "__version__: str",
        f"__all__ = {list(every)}",
        "",
        "class Frame(Protocol):",
        '    """A frame of pandas, polars or another library."""',
        "    @property",
        "    def columns(self) -> Any: ...",
        "",
        "Records = Mapping[Any, Any] | Iterable[Mapping[str, Any]] | Iterable[tuple[Any, ...]]",
        "Scores = str | PathLike[str] | ScoreMatrix | ReplicatedScores | PairedLabels | Frame | Records",
    ]
    return "\n".join([*lines, *(_OURS.sub(_alias, line) for line in functions)]) + "\n"


def _found(lines: list[str]) -> Iterator[re.Match[str]]:
    return (one for line in lines for one in _OURS.finditer(line))


def _alias(one: re.Match[str]) -> str:
    """A name that no other class has: rooms call their answers alike."""
    room = one[1].split(".")[-2].title().replace("_", "")
    return f"_{room}{one[2]}"


def _function(one: Any) -> Iterator[str]:
    signature = inspect.signature(one)
    yield f"\ndef {one.__name__}("
    is_named = False
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not is_named:
            is_named = True
            yield "    *,"
        default = "" if each.default is each.empty else f" = {each.default!r}"
        yield f"    {each.name}: {each.annotation}{default},"
    returned = inspect.formatannotation(signature.return_annotation)
    yield f") -> {_SHORTER.sub('', returned)}:"
    yield textwrap.indent(f'"""{one.__doc__.partition(_REST)[0]}"""', "    ")
