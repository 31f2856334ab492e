"""Files that were given to the files in them, one after the other, each read or refused."""

from collections.abc import Callable, Sequence
from pathlib import Path

from topicset_core.errors import ParseError
from topicset_core.parsing.trec_archives import File, Unpacker
from topicset_core.parsing.watching import Watch
from topicset_core.progress import Report


def each_file(
    files: Sequence[tuple[str, bytes | Path]],
    read: Callable[[File, Watch], None],
    report: Report,
) -> tuple[tuple[str, ...], tuple[ParseError, ...]]:
    """Unpack and read files; return sentences on what was left out, and errors in the order of the files.

    Parameters
    ----------
    files : sequence of (str, bytes or Path)
        Name and content of each file, or where it is.
    read : callable
        Reads one file; what it refuses is an error beside what the others hold.
    report : callable
        Takes the fraction done, 0 to 1.
    """
    sizes = [content.stat().st_size if isinstance(content, Path) else len(content) for _, content in files]
    watch = Watch(sum(sizes), report)
    unpacker = Unpacker(watch)
    begin = 0
    for (name, content), size in zip(files, sizes, strict=True):
        held = content.read_bytes() if isinstance(content, Path) else content
        for file in unpacker.files(name, held, begin):
            try:
                read(file, watch)
            except ParseError as error:
                unpacker.errors.append(error)
        begin += size
        watch.reached(begin)
    return tuple(unpacker.said), tuple(unpacker.errors)
