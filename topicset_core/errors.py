"""All errors, as a tree of exceptions that a page and the command line can show unchanged.

::

    TopicsetError
    ├── InputError     a parameter is outside its rule
    ├── ParseError     a file or pasted text cannot be read as expected
    └── NoSolution     the requirements are valid, but no topic set size within the limits meets them
"""

from typing import Any

from topicset_core.wording import visible


class TopicsetError(Exception):
    """Base of all errors that are the user's to mend; their text is meant to be read by the user."""


class InputError(TopicsetError, ValueError):
    """A parameter whose value breaks its rule.

    Parameters
    ----------
    parameter : str
        Name of the parameter as in Python and in links, for example ``min_d``.
    value : object
        The value that was given.
    rule : str
        The rule for the value, as the end of the sentence "alpha = 7: ...".
    """

    def __init__(self, parameter: str, value: object, rule: str) -> None:
        self.parameter = parameter
        self.value = value
        self.rule = rule
        super().__init__(visible(f"{parameter} = {value!r}: {rule}"))

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, object, str]]:
        """Let the error come back from another process."""
        return type(self), (self.parameter, self.value, self.rule)


class ParseError(TopicsetError, ValueError):
    """Text that is not as expected.

    Parameters
    ----------
    file : str
        The file as the user named it, or "pasted text".
    line : int or None
        Line number counted from 1; None where the whole file is meant.
    expected : str
        The expected and the actual content.
    unit : str, optional
        What is counted in place of lines: the rows of a frame, the samples of a log.
    """

    def __init__(self, file: str, line: int | None, expected: str, unit: str = "line") -> None:
        self.file = file
        self.line = line
        self.expected = expected
        self.unit = unit
        place = file if line is None else f"{file}, {unit} {line}"
        super().__init__(visible(f"{place}: {expected}").replace("\n", "\\n"))

    def __reduce__(self) -> tuple[type["ParseError"], tuple[Any, ...]]:
        """Let the error come back from another process."""
        return type(self), (self.file, self.line, self.expected, self.unit)


class NoSolution(TopicsetError):
    """Valid requirements that no topic set size within the limits meets."""
