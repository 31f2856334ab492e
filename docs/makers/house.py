"""docs/house.md: the rooms of the code, who imports whom, and the way of a request."""

from collections.abc import Iterator
from pathlib import Path

from docs.makers.imports import ROOT, imports_of

FLOORS = (  # from the roof down: a room imports only from rooms below it
    ("server", "app.py"),
    ("pages", "pages/parts"),
    ("topicset_core",),
    ("cli",),
    ("analyses",),
    ("charts", "exports"),
    ("designs", "retrieval"),
    ("variance", "preparation", "parsing", "measures", "samples"),
    ("collection", "execution"),
)
WAY = """flowchart LR
  P[Parameter] --> R["Request(Inputs)"] --> Q["QUESTION = Question(...)"]
  Q --> C[command: options, refusals, print] --> A
  Q --> F[page: form, link] --> J["Answers: whole, part or preview"] --> A["compute(data, request)"]
  A --> T["report: findings, columns, charts, record"]
  T --> X[screen, CSV, Excel, JSON, HTML, LaTeX, terminal]"""


def page() -> str:
    """Return the page."""
    edges = sorted({(here, there) for here in _rooms() for there in _imported(here)})
    boxes = [f'  {_id(room)}["{room}"]' for room in _rooms()]
    arrows = [
        f"  {_id(here)} --> {_id(there)}" for here, there in edges if not _is_reached(here, there, edges)
    ]
    return "\n".join(
        [
            "# The house",
            "",
            "`python -m docs.makers house` draws this page from the code. An arrow means “imports”; arrows that "
            "follow from others are left out. `topicset_core` is the door for Python, which imports a command when "
            "it is first used. `server` stands between the app and the network; the command `app` starts it as a "
            "program of its own. Modules next to the rooms (errors, wording, parameters, inputs, question, "
            "references, progress, version) are imported from everywhere above the ground floor.",
            "",
            "```mermaid",
            "flowchart TD",
            *boxes,
            *arrows,
            "```",
            "",
            "## The way of a request",
            "",
            "A question is declared once, at the end of the `report.py` of its room. Command and page are made "
            "from it and ask the same function.",
            "",
            "```mermaid",
            WAY,
            "```",
            "",
        ]
    )


def _rooms() -> list[str]:
    return [room for floor in FLOORS for room in floor]


def _id(room: str) -> str:
    return room.replace("/", "_").replace(".", "_")


def _files(room: str) -> list[Path]:
    if room == "app.py":
        return [ROOT / room]
    if room == "topicset_core":
        return [ROOT / room / f"{name}.py" for name in ("__init__", "__main__")]
    folder = ROOT / room if room.startswith(("pages", "server")) else ROOT / "topicset_core" / room
    return sorted(folder.glob("*.py") if room == "pages" else folder.rglob("*.py"))


def _imported(room: str) -> Iterator[str]:
    """Yield the rooms that a room imports."""
    for path in _files(room):
        for module in imports_of(path).modules:
            name = module.removeprefix("topicset_core.").replace(".", "/")
            other = "pages/parts" if name.startswith("pages/parts") else name.split("/")[0]
            if other in _rooms() and other != room:
                yield other


def _is_reached(here: str, there: str, edges: list[tuple[str, str]]) -> bool:
    """Return whether an arrow follows from others."""
    seen, waiting = set(), [other for start, other in edges if start == here and other != there]
    while waiting:
        room = waiting.pop()
        if room == there:
            return True
        if room not in seen:
            seen.add(room)
            waiting += [other for start, other in edges if start == room]
    return False
