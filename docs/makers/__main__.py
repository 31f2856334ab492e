"""Pages of docs/ that are computed, and the types of the functions: one per module of this folder.

A module has ``page()``, which returns the text of its page. ``python -m docs.makers`` writes all pages,
``python -m docs.makers api`` one. A test compares them with what is computed.
"""

import sys
from importlib import import_module
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
FROM_CODE = ("api", "formats", "functions", "house", "notebook", "records")
REPRODUCTIONS = ("guiver_2009", "he_2008", "lin_2005", "yang_2018")
"""Tables of the papers, computed again from the reference data."""

_OTHER_FILES = {"functions": "topicset_core/__init__.pyi", "notebook": "docs/topicset.ipynb"}


def place_of(name: str) -> Path:
    """The file of a page."""
    if name in _OTHER_FILES:
        return DOCS.parent / _OTHER_FILES[name]
    return DOCS / ("reproductions" if name in REPRODUCTIONS else "") / f"{name}.md"


def computed(name: str) -> str:
    """The text of a page."""
    text: str = import_module(f"docs.makers.{name}").page()
    return text


if __name__ == "__main__":
    for each in sys.argv[1:] or (*FROM_CODE, *REPRODUCTIONS):
        place_of(each).write_text(computed(each), encoding="utf-8")
