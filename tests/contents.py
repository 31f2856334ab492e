"""The pages of the app as `app.py` lists them: file, heading and address, for all tests that open pages."""

import ast
from dataclasses import dataclass

from tests.reference_data import REPOSITORY


@dataclass(frozen=True)
class Listed:
    """One page of the app.

    Parameters
    ----------
    file : str
        Path of its file below the repository.
    title : str
        What the side bar calls it.
    address : str
        Path of its address: "/" for the start page, else "/" and its ``url_path``, "" if it names none.
    """

    file: str
    title: str
    address: str

    @property
    def heading(self) -> str:
        """What stands at its top: its title, and the app's name on the start page."""
        return "Topicset" if self.address == "/" else self.title


def listed_pages() -> tuple[Listed, ...]:
    """Return the pages in the order of `app.py`, read from its text, as importing it would run it."""
    calls = [
        node
        for node in ast.walk(ast.parse((REPOSITORY / "app.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Page"
    ]
    return tuple(_listed(call) for call in sorted(calls, key=lambda call: call.lineno))


def _listed(call: ast.Call) -> Listed:
    options = {option.arg: ast.literal_eval(option.value) for option in call.keywords if option.arg}
    path = options.get("url_path")
    address = "/" if options.get("default") else f"/{path}" if path else ""
    return Listed(ast.literal_eval(call.args[0]), options["title"], address)


CONTENTS = listed_pages()
HEADINGS = {page.file: page.heading for page in CONTENTS}
"""Every page file and its heading."""

ADDRESSES = {page.address: page.heading for page in CONTENTS}
"""Every address and its heading."""
