"""What is installed: the library, and in `topicset_core/_app` the app, so that no module is called `pages`."""

from setuptools import find_namespace_packages, setup

FOLDER = "topicset_core._app"


def packages_of(*names: str) -> list[str]:
    """Return packages and those in them; some have no `__init__.py`, or only data."""
    return find_namespace_packages(include=[f"{name}*" for name in names], exclude=["*__pycache__*"])


setup(
    script_name="setup.py",  # which is therefore not one of the modules here
    packages=[
        *packages_of("topicset_core"),
        FOLDER,  # app.py
        *(f"{FOLDER}.{one}" for one in packages_of("pages", "server", "assets")),
        f"{FOLDER}.docs",  # one file: what was simulated
    ],
    package_dir={FOLDER: "."},
)
