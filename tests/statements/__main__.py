"""Test statements in full and write docs/statements.md.

python -m tests.statements                 all, some hours on two processors
python -m tests.statements KEY [KEY ...]   these only; the other results stay
python -m tests.statements --page          the page only, from the results there are
"""

import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

from tests.statements import report
from tests.statements.every import STATEMENTS
from tests.statements.statement import Achieved, achieved
from topicset_core.execution import n_processors

_BY_KEY = {one.key: one for one in STATEMENTS}


def _cell(key: str, place: int) -> Achieved:
    return achieved(_BY_KEY[key], place, _BY_KEY[key].trials)


def main(arguments: list[str]) -> None:
    """Run the named statements, or all, and write their results and the page."""
    keys = [] if arguments == ["--page"] else arguments or list(_BY_KEY)
    if unknown := [key for key in keys if key not in _BY_KEY]:
        sys.exit(f"No statement is called {unknown[0]}. There are: {', '.join(_BY_KEY)}")
    with ProcessPoolExecutor(n_processors()) as pool:
        work = {
            pool.submit(_cell, key, place): (key, place)
            for key in keys
            for place in range(len(_BY_KEY[key].cells))
        }
        found: dict[tuple[str, int], Achieved] = {}
        for done in as_completed(work):
            key, place = work[done]
            found[key, place] = result = done.result()
            print(f"{key}: {result.data}: {result.value:.3f} ({result.standard_error:.3f})", flush=True)
            rows = [found.get((key, at)) for at in range(len(_BY_KEY[key].cells))]
            if all(row is not None for row in rows):
                report.write_results(_BY_KEY[key], [row for row in rows if row is not None])
    report.write_page(STATEMENTS)


if __name__ == "__main__":
    main(sys.argv[1:])
