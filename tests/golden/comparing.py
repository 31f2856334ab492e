"""When two records are the same.

Texts and names are compared exactly. Numbers, too, up to the digit where processors part: the same
sum differs in the last of its sixteen digits between machines with and without certain vector instructions.
"""

import math
import re
from pathlib import Path
from typing import Any

from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.location import PyTestLocation
from syrupy.types import SerializableData, SerializedData, SnapshotIndex

LONG = 13
"""Digits from which on a number was written in full; one of fewer was rounded for people."""

RELATIVE = 1e-11
"""Of a number written in full: a thousand sums in double precision may part by as much."""

_NUMBER = re.compile(r"(-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+)")


def same(received: str, kept: str) -> bool:
    """Return whether two records are the same, but for the last digits of numbers written in full."""
    if received == kept:
        return True
    ours, theirs = _NUMBER.split(received), _NUMBER.split(kept)
    return len(ours) == len(theirs) and all(
        one == other or (place % 2 == 1 and _close(one, other))
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True))
    )


def _close(one: str, other: str) -> bool:
    digits = min(len(re.sub(r"\D", "", text.partition("e")[0]).lstrip("0")) for text in (one, other))
    both_long = digits >= LONG or max(len(one), len(other)) >= LONG + 3
    return both_long and math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=1e-13)


class GoldenRecords(AmberSnapshotExtension):
    """Records next to the tests, in folders ``__snapshots__``."""

    def matches(self, *, serialized_data: SerializedData, snapshot_data: SerializedData) -> bool:
        """Return whether the result of a test equals its record."""
        return same(str(serialized_data), str(snapshot_data))


class PlainRecords(GoldenRecords):
    """Records whose lines have no marks around them."""

    def serialize(self, data: SerializableData, **options: Any) -> str:
        """Return lines as they are, without marks around them."""
        return data if isinstance(data, str) and "\n" in data else super().serialize(data, **options)


class RecordsBySubject(PlainRecords):
    """Records in a file per subject, so that changes of two pages, or of two commands, do not collide.

    The subject is the first word of a case: ``test_page_after[start, reset]`` is kept in ``test_pages/start``.
    """

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """Return the file's name without its ending, after the name of the folder."""
        module = super().get_file_basename(test_location=test_location, index=index)
        case = re.match(r"\w+\[([\w-]+)", test_location.snapshot_name)
        return f"{module}/{case[1].replace('-', '_') if case else module}"

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Return whether this is the file of the test's subject."""
        return Path(snapshot_location) == Path(cls.get_location(test_location=test_location, index=0))

    def owns_snapshot_collection(self, *, filepath: str, test_location: PyTestLocation) -> bool:
        """Return whether a file of records lies in the folder of a module.

        Syrupy shows every kind of records every folder. Records of other tests would be taken for records by
        subject, and those of a skipped test for records that nothing uses.
        """
        nested = Path(filepath).parent.name != self.snapshot_dirname
        return nested and super().owns_snapshot_collection(filepath=filepath, test_location=test_location)
