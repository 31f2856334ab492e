"""How counts, names and cells are written in the sentences that a user reads."""

import re
from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, for example "1 topic" or "1,153 topics"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def in_units(text: str, unit: str) -> str:
    """Return a fixed text about topics as one about what is counted in their place, for example "group"."""
    if unit == "topic":
        return text
    text = text.replace("topic sets", f"sets of {unit}s").replace("topic set", f"set of {unit}s")
    return text.replace("topic", unit).replace("Topic", unit.capitalize())


TIES = "A tie counts as half an error."
"""What error rates say of two runs that a set of topics ties: the set says nothing, so a coin decides."""


FEW_TOPICS, VERY_FEW_TOPICS = 25, 10
"""Below these numbers of topics an answer has a caution.

The 90 % confidence interval of a variance has ends whose median ratio is 2 at 25 topics, 3 to 4 at 10 and 8 to 17
at 5, for variances of all runs on 16 public matrices; all that is computed from scores depends on how they vary.
"""


def few_topics(n_topics: int | None, topics_are: str = "topics") -> str:
    """Return the caution of an answer from so many topics; "" where there are enough, or none are scored."""
    if n_topics is None or n_topics >= FEW_TOPICS:
        return ""
    spans = "the 90 % interval of a variance spans a factor of"
    if n_topics >= VERY_FEW_TOPICS:
        return f"The data have only {n_topics} {topics_are}: below {FEW_TOPICS} {spans} 2 to 4."
    return (
        f"Caution: the data have only {n_topics} {topics_are}. Below {VERY_FEW_TOPICS} {spans} 4 or more; take "
        "every number as a first guess."
    )


FEW_GROUPS = 10
"""Below this number of groups of topics an answer has a caution."""


GROUPS_NOT_COUNTED = (
    "Topics come in groups, which this answer does not count: it takes topics as independent. Plans of "
    "means, as of the paired t test, count groups."
)


def few_groups(n_groups: int) -> str:
    """Return the caution of an answer from so many groups of topics; "" where there are enough."""
    if n_groups >= FEW_GROUPS:
        return ""
    return (
        f"Caution: only {n_groups} groups. Below {FEW_GROUPS} a test has few degrees of freedom and little power, "
        "and the correlation within groups is hardly known; more groups help, more topics in them do not."
    )


GROUPS_OF_ONE = "Each topic is a group of its own, so topics have no groups."
"""The note where groups are left out."""


def quoted(cell: str) -> str:
    """Quote a cell or a name for a message, at most 40 characters of it."""
    return repr(cell if len(cell) <= 40 else cell[:40] + "…")


_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Controls of terminals but tabs and line feeds, line separators, marks and overrides of the direction of text."""

_IN_TEXTS, _IN_NAMES = re.compile(f"[{_CONTROLS}]"), re.compile(f"[{_CONTROLS}\n\ufffc]")
"""A name is on one line, and has no place for a citation (see `topicset_core.exports.citing`)."""


def display_control(text: str, *, is_name: bool = True) -> str:
    """Name the first character that controls how text is displayed, as "U+202E"; "" without one."""
    # After it a name reads otherwise than it is written, and so may the rest of the line. A text that is no
    # name may have several lines.
    stray = (_IN_NAMES if is_name else _IN_TEXTS).search(text)
    return f"U+{ord(stray[0]):04X}" if stray else ""


def visible(text: str) -> str:
    r"""Return text whose characters that control how it is displayed are written as in JSON: ``\u001b``."""
    return _IN_TEXTS.sub(lambda stray: f"\\u{ord(stray[0]):04x}", text)


def first_few(names: Sequence[str], at_most: int, separator: str = ", ") -> str:
    """Name the first few and count the others: "a, b and 3 more"."""
    more = f" and {len(names) - at_most:,} more" if len(names) > at_most else ""
    return separator.join(names[:at_most]) + more


def listed(names: Sequence[str], at_most: int = 5) -> str:
    """Quote the first few names and count the others: "'a', 'b' and 3 more"."""
    return first_few([*map(quoted, names[:at_most]), *names[at_most:]], at_most)


def percent(share: float, form: str = ".3g") -> str:
    """Write a share from 0 to 1 in per cent, with the digits of this format."""
    return f"{100 * share:{form}} %"


def ranging(shares: tuple[float, float]) -> str:
    """Write a range of shares in per cent: "78 to 99 %"."""
    return f"{100 * shares[0]:.3g} to {percent(shares[1])}"


def in_full(value: object) -> str:
    """Write a number as a person types it, with all its digits and thousands: 10,000,000 and not 1e+07."""
    return f"{value:,.15g}"


def number_or(missing: str, number: int | None) -> str:
    """Write a number with its thousands, or what stands for one that there is not."""
    return missing if number is None else f"{number:,}"


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Join parts as a sentence does: "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def names_of(files: Sequence[object]) -> str:
    """Return the names of the first three files, and of scores in their place, with the number of the others."""
    names = [file if isinstance(file, str) else getattr(file, "name", None) for file in files]
    return first_few(
        [
            name if isinstance(name, str) else type(file).__name__
            for name, file in zip(names, files, strict=True)
        ],
        3,
    )


def first_sentence(text: str) -> str:
    """Return what comes before the second sentence."""
    first, end, _ = text.partition(". ")
    return f"{first}." if end else first
