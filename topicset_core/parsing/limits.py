"""How large files may be: all limits of archives, runs and judgments in one place.

A track of 78 runs, 100 topics and 1,000 documents per topic is 430 MB of text, 90 MB in gzip, and its
document ids take 125 MB of memory; a run of the 6,980 development queries of MS MARCO is 300 MB of
text. Each limit is well above these, and together they keep an import under about 3 GB of memory.
"""

LARGEST_UPLOAD_MB = 500
"""Megabytes that one (packed) upload of runs may have: for the page, the core does not check it."""

LARGEST_SCORES_MB = 200
LARGEST_SCORES = LARGEST_SCORES_MB * 1_000_000
"""Bytes that one upload of scores may unpack to, all its files together."""

LARGEST_FILE_MB = 500
LARGEST_FILE = LARGEST_FILE_MB * 1_000_000
"""Bytes of text that one run or one file of judgments may have."""

LARGEST_TOTAL_MB = 3_000
LARGEST_TOTAL = LARGEST_TOTAL_MB * 1_000_000
"""Bytes that all files of runs and judgments read together may unpack to."""

LARGEST_IDS_MB = 1_000
LARGEST_IDS = LARGEST_IDS_MB * 1_000_000
"""Bytes of memory for all document ids, each run's at the width of its longest."""

LONGEST_ID = 500
"""Bytes in a topic id, a document id or a tag; the longest that are known are web addresses."""

MOST_MEMBERS = 5_000
"""Files in an archive."""

HIGHEST_RATIO = 100
ALWAYS_ALLOWED = 20_000_000
"""An archive may unpack to 100 times its size, or to 20 MB if that is more: text of runs packs to a
tenth or a thirtieth, and what packs to a thousandth was made to fill memories."""

LARGEST_GRADE = 1_000
"""Grades are between -1,000 and 1,000; trec_eval documents -127 to 127, most collections stop at 4."""
