"""Tables of the papers, computed again: a page of docs/reproductions/ per module of this folder.

A module has ``page()``, which returns the text of its page. Run ``python -m tests.reproductions`` to write all
pages; a test compares them with what is computed.
"""

import pkgutil
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = HERE.parents[1] / "docs" / "reproductions"
NAMES = [one.name for one in pkgutil.iter_modules([str(HERE)]) if not one.name.startswith(("test_", "_"))]


def computed(name: str) -> str:
    """The text of a page."""
    text: str = import_module(f"tests.reproductions.{name}").page()
    return text


if __name__ == "__main__":
    for each in NAMES:
        (PAGES / f"{each}.md").write_text(computed(each), encoding="utf-8")
