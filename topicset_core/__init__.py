"""Topicset: how many topics a test collection needs, how deep to pool, how far to trust the result.

``import topicset_core as topicset`` gives one function per question, whose answer has text, record, tables and
charts: ``topicset.leaderboard(scores)``, ``topicset.size("anova", alpha=.05, beta=.20, min_d=.10, variance=.0471,
systems=10)``. The core is plain Python on NumPy and SciPy; nothing is imported before it is used.
"""

from topicset_core.version import __version__ as __version__

_FUNCTIONS = {
    "read": "read",
    "size": "size",
    "compare": "compare",
    "reported": "reported",
    "compare_two": "compare-two",
    "check": "check",
    "evaluate": "evaluate",
    "score_variance": "variance",  # `variance` is a package
    "pool_depth": "pool-depth",
    "error_rate": "error-rate",
    "leaderboard": "leaderboard",
    "discriminative_power": "discriminative-power",
    "stability": "stability",
    "repeats": "repeats",
    "judge": "judge",
    "subsets": "subsets",
    "topic_variance": "topic-variance",
    "training_sensitivity": "training-sensitivity",
}
"""The commands that answer a question, by their names in Python."""

_CLASSES = {"Answer": "exports.answer", "InputError": "errors", "ScoreMatrix": "collection"}

__all__ = [*_FUNCTIONS, *_CLASSES]


def __getattr__(name: str) -> object:
    """Return a function or class, imported when it is first used."""
    from importlib import import_module

    if name in _FUNCTIONS:
        value = import_module("topicset_core.cli.calls").function_of(_FUNCTIONS[name], name)
    elif name in _CLASSES:
        value = getattr(import_module(f"topicset_core.{_CLASSES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
