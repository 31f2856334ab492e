"""Gzip to the bytes in it, piece by piece: what is unpacked is counted by whoever asks for the pieces."""

import re
import zlib
from collections.abc import Iterator

from topicset_core.errors import ParseError

PIECE = 1 << 20
FED = 1 << 18
"""Bytes handed to zlib at a time: it copies what it has not yet used, which of a large file is much."""

ZEROS = re.compile(rb"\0*")


def inflate(content: bytes, file: str) -> Iterator[bytes]:
    """Decompress gzip piece by piece, all members of it.

    Parameters
    ----------
    content : bytes
        A gzip file.
    file : str
        The file as the user named it.

    Yields
    ------
    bytes
        At most 1 MiB; perhaps nothing.

    Raises
    ------
    ParseError
        If it is cut off or damaged.
    """
    view = memoryview(content)
    at = 0
    try:
        while at < len(view):
            inflater = zlib.decompressobj(wbits=31)
            while not inflater.eof:
                fed: bytes | memoryview = inflater.unconsumed_tail
                if not fed:
                    fed = view[at : at + FED]
                    at += len(fed)
                piece = inflater.decompress(fed, PIECE)
                if not piece and not fed and not inflater.eof:
                    raise ParseError(
                        file,
                        None,
                        "expected a whole gzip file, found one that is cut off; copy or download it again",
                    )
                yield piece
            at -= len(inflater.unused_data)
            # Zeros may follow the last member, as tape archives leave them.
            zeros = ZEROS.match(content, at)
            at = zeros.end() if zeros else at
    except zlib.error as error:
        raise ParseError(file, None, f"expected a whole gzip file, found a damaged one ({error})") from None
