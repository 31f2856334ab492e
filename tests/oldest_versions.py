"""The oldest versions that pyproject.toml allows, as requirements: ``make oldest`` tests with them."""

import re
import sys
import tomllib
from pathlib import Path


def oldest(pyproject: str) -> list[str]:
    """Return each package that the library or an extra needs, at its lower bound.

    Their own extras are left out: the same file is the constraints of the tests' packages, which have none.
    """
    project = tomllib.loads(pyproject)["project"]
    needed = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    bounds = [re.sub(r"\[.*\]|,.*", "", one) for one in needed if not one.startswith(project["name"])]
    return [bound.replace(">=", "==") for bound in bounds]


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in oldest(Path("pyproject.toml").read_text("utf-8")))
