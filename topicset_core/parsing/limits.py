"""How large files may be: all limits of archives, scores, runs and judgments in one place.

A track of 78 runs, 100 topics and 1,000 documents per topic is 430 MB of text, 90 MB in gzip, and its
document ids take 125 MB of memory; a run of the 6,980 development queries of MS MARCO is 300 MB of
text. Each limit is well above these. What an import may hold is counted while it is read, so that a small
file made to fill memories is refused early; the pages bound the memory of each import in addition.
"""

from dataclasses import dataclass
from typing import NoReturn

from topicset_core.errors import ParseError

LARGEST_UPLOAD_MB = 500
"""Megabytes that one (packed) upload of runs may have: for the page, the core does not check it."""

LARGEST_SCORES_FILE_MB = 20
"""Megabytes that one file of scores may have as it was uploaded: for the pages, the core does not check it."""

LARGEST_SCORES_MB = 200
LARGEST_SCORES = LARGEST_SCORES_MB * 1_000_000
"""Bytes that one import of scores may unpack to, all its files together."""

MOST_LINES = 2_000_000
MOST_CELLS = 10_000_000
"""Lines and cells of one import of scores, all files and sheets together. Hundreds of runs on thousands of topics,
or on hundreds in every measure of trec_eval, are far below either. Empty cells count, also of objects in JSON that
lack a key of others. Cells of workbooks count five times, as they take longer to read."""

KEY_COUNTS_AS = 2
"""Cells that a key of JSON counts as, next to its value: until rows are made it is a text of its own."""

LONGEST_KEY = 1_000
"""Characters of a key of JSON, with the keys of the objects that it is in."""

MOST_COLUMNS = 200_000
"""Columns of a table of scores; topics may be columns, and MS MARCO has 101,093 development queries."""

LARGEST_FILE_MB = 500
LARGEST_FILE = LARGEST_FILE_MB * 1_000_000
"""Bytes of text that one run or one file of judgments may have."""

LARGEST_TOTAL_MB = 3_000
LARGEST_TOTAL = LARGEST_TOTAL_MB * 1_000_000
"""Bytes that all files of runs and judgments read together may unpack to."""

LARGEST_IDS_MB = 1_000
LARGEST_IDS = LARGEST_IDS_MB * 1_000_000
"""Bytes of memory for all document ids, each run's at the width of its longest."""

LARGEST_IDS_OF_FILE_MB = 500
LARGEST_IDS_OF_FILE = LARGEST_IDS_OF_FILE_MB * 1_000_000
"""The same for one file."""

MOST_LINES_OF_FILE = 20_000_000
MOST_TOPICS = 1_000_000
"""Lines and topics of a run or a file of judgments; MS MARCO has 808,731 training queries."""

MOST_INTENTS = 100_000
"""Names of intents in a file of judgments."""

MOST_LEVELS = 5_000_000
"""Lines of NTCIR's files of levels, all together, and of a file of probabilities of intents."""

LONGEST_ID = 500
"""Bytes in a topic id, a document id or a tag; the longest that are known are web addresses."""

MOST_MEMBERS = 5_000
"""Files in an archive."""

MOST_GZIP_MEMBERS = 50_000
"""Members of a gzip file: bgzip makes one of each 64 kB."""

HIGHEST_RATIO = 100
ALWAYS_ALLOWED = 20_000_000
"""An archive may unpack to 100 times its size, or to 20 MB if that is more: text of runs packs to a
tenth or a thirtieth, and what packs to a thousandth was made to fill memories."""

LARGEST_GRADE = 1_000
"""Grades are between -1,000 and 1,000; trec_eval documents -127 to 127, most collections stop at 4."""


class TooMuch(ParseError):  # noqa: N818 - named for its message
    """A refusal of a file as it was given, with all its parts."""


@dataclass
class Budget:
    """What one import of scores may still take; it is spent while files are read."""

    file: str = ""  # as it was given: archives are refused as a whole
    n_bytes: int = 0
    n_lines: int = 0
    n_cells: int = 0

    def take_bytes(self, count: int) -> None:
        """Count bytes that were unpacked."""
        self.n_bytes += count
        if self.n_bytes > LARGEST_SCORES:
            self._refuse(f"{LARGEST_SCORES_MB} MB once unpacked")

    def take_lines(self, count: int) -> None:
        """Count lines, before memory is spent on a list of them."""
        self.n_lines += count
        if self.n_lines > MOST_LINES:
            self._refuse(f"{MOST_LINES:,} lines")

    def take_cells(self, count: int) -> None:
        """Count cells, empty ones included."""
        self.n_cells += count
        if self.n_cells > MOST_CELLS:
            counts = f"each of JSON counts {1 + KEY_COUNTS_AS} times, each of a workbook 5 times"
            self._refuse(f"{MOST_CELLS:,} cells ({counts})")

    def _refuse(self, most: str) -> NoReturn:
        raise TooMuch(
            self.file, None, f"expected at most {most} in all files of an import together, found more"
        )
