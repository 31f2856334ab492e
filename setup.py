"""What is installed: the library, and in `topicset_core/_app` the app, so that no module is called `pages`."""

from setuptools import find_namespace_packages, setup

FOLDER = "topicset_core._app"


def packages_of(name: str) -> list[str]:
    """Return a package and those in it; some have no `__init__.py`."""
    return find_namespace_packages(include=[f"{name}*"], exclude=["*__pycache__*"])


setup(
    script_name="setup.py",  # which is therefore not one of the modules here
    packages=[*packages_of("topicset_core"), FOLDER, *(f"{FOLDER}.{one}" for one in packages_of("pages"))],
    package_dir={FOLDER: "."},  # app.py, serve.py and what they import
)
