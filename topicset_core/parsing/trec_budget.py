"""What archives of runs and judgments may unpack to, counted while they do."""

from topicset_core.errors import ParseError
from topicset_core.parsing.trec_limits import (
    ALWAYS_ALLOWED,
    HIGHEST_RATIO,
    LARGEST_FILE,
    LARGEST_FILE_MB,
    LARGEST_TOTAL,
    LARGEST_TOTAL_MB,
    MOST_MEMBERS,
)


class WholeArchive(ParseError):  # noqa: N818 - named for what it says
    """A refusal that holds for the rest of an archive too, not for one file in it."""


class Budget:
    """Bytes that may still be unpacked, of all files together."""

    def __init__(self) -> None:
        self._left = LARGEST_TOTAL

    def spend(self, n_bytes: int, name: str) -> None:
        """Count bytes that were unpacked.

        Raises
        ------
        WholeArchive
            If that is more than all files together may have.
        """
        self._left -= n_bytes
        if self._left < 0:
            raise WholeArchive(
                name,
                None,
                f"expected at most {LARGEST_TOTAL_MB:,} MB of text in all files together, found more",
            )


def refuse_ratio(unpacked: int, packed: int, name: str) -> None:
    """Refuse what unpacks to far more than text of runs does.

    Raises
    ------
    WholeArchive
        If it is more than 100 times its size, and more than 20 MB.
    """
    if unpacked > max(HIGHEST_RATIO * packed, ALWAYS_ALLOWED):
        raise WholeArchive(
            name,
            None,
            f"expected an archive that unpacks to at most {HIGHEST_RATIO} times its size, found one that "
            "unpacks to more",
        )


def refuse_large(n_bytes: int, name: str) -> None:
    """Refuse a file that is too large.

    Raises
    ------
    ParseError
        If it has more bytes than one file may.
    """
    if n_bytes > LARGEST_FILE:
        raise ParseError(name, None, f"expected a file of at most {LARGEST_FILE_MB} MB, found a larger one")


def refuse_crowd(n_members: int, name: str) -> None:
    """Refuse an archive of too many files.

    Raises
    ------
    WholeArchive
        If it holds more than 5,000.
    """
    if n_members > MOST_MEMBERS:
        raise WholeArchive(name, None, f"expected at most {MOST_MEMBERS:,} files in the archive, found more")
