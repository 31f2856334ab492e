"""Parsers: files to matrices, runs and judgments. Each reports the format it recognised and why.

There is one module per format. Nothing is dropped, filled, averaged, reordered or renamed without a note on
it: invalid content raises a `ParseError` that names the file, the line and the cell, or waits for the user's
choice. Throughout, `file` is the file as the user named it and `content` its contents, as bytes or as pasted
text; lines count from 1.
"""

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.groups import read_groups
from topicset_core.parsing.scores.frames import read_frame
from topicset_core.parsing.scores.score_files import ReadScores, read_score_files, read_scores
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import ReadRuns, read_run, read_runs
from topicset_core.parsing.trec.track import Track, read_track

__all__ = [
    "Choices",
    "ReadRuns",
    "ReadScores",
    "Track",
    "read_frame",
    "read_groups",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_score_files",
    "read_scores",
    "read_text_collection",
    "read_track",
]
