"""Requests whose fields are declared by parameters: they check, and options, form fields, links and records follow.

A request is a frozen dataclass that derives from `Inputs`; each of its fields is `given` by a parameter. So a
parameter of an analysis is written once, in its request.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, NamedTuple, Self

from topicset_core.parameters import AnyParameter, Parameter, Setting, record_of


def given(parameter: AnyParameter, *, unless: str = "", read_off: bool = False) -> Any:
    """Declare a field by its parameter, with its default."""
    # A parameter without a default must be given. A field with `unless` may stay open (None); these words
    # tell what it is then. A field that is `read_off` changes nothing that takes long: the answer is read off
    # what other values compute.
    default = None if unless else default_of(parameter)
    return field(
        default=MISSING if default is None and not unless else default,
        metadata={"parameter": parameter, "unless": unless, "read_off": read_off},
    )


def default_of(parameter: Any) -> Any:
    """Return the default of a parameter, a whole one as an integer."""
    default = parameter.default
    return int(default) if isinstance(parameter, Parameter) and parameter.integer else default


class Given(NamedTuple):
    """A field of a request with its declaration."""

    name: str  # of the field
    parameter: Any
    default: Any
    unless: str  # what it is where it stays open; "" if it must be given
    read_off: bool


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Base of requests: each value obeys the rule of its parameter."""

    def __post_init__(self) -> None:
        for entry in self.declared():
            value = getattr(self, entry.name)
            if value is None and entry.unless:
                continue
            if isinstance(entry.parameter, Parameter):
                checked = entry.parameter.check_given(value)
                checked = int(checked) if entry.parameter.integer else checked
            else:
                checked = entry.parameter.check(value)
            object.__setattr__(self, entry.name, checked)
        self.check_together()

    def check_together(self) -> None:
        """Check what fields must agree on; raise `InputError`."""

    @classmethod
    def declared(cls) -> Iterator[Given]:
        """Yield the fields that a parameter declares, in their order."""
        for entry in fields(cls):
            if "parameter" in entry.metadata:
                yield Given(name=entry.name, default=entry.default, **entry.metadata)

    @classmethod
    def of(cls, values: Mapping[str, Any], /, **more: Any) -> Self:
        """Return the request with values by the names of parameters, and more by those of fields."""
        declared = (entry for entry in cls.declared() if entry.parameter.name in values)
        return cls(**{entry.name: values[entry.parameter.name] for entry in declared} | more)

    def computed(self) -> Self:
        """Return what the long computation depends on: the request without what is read off its result."""
        return replace(self, **{entry.name: entry.default for entry in self.declared() if entry.read_off})

    def reading(self, other: Self) -> Self:
        """Return it with what another request reads off the result."""
        return replace(
            self, **{entry.name: getattr(other, entry.name) for entry in self.declared() if entry.read_off}
        )

    @property
    def settings(self) -> list[Setting]:
        """The values with their parameters, those of requests within it too."""
        result: list[Setting] = []
        for entry in fields(self):
            value = getattr(self, entry.name)
            if "parameter" in entry.metadata:
                result.append(Setting(entry.metadata["parameter"], value, entry.metadata["unless"]))
            elif isinstance(value, Inputs):
                result += value.settings
        return result

    def record(self) -> dict[str, Any]:
        """Return the values by the names of parameters, for JSON and links."""
        return record_of(self.settings)
