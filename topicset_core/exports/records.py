"""Results as plain values for JSON."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return a value as JSON has it: an object as its `record()` or else its fields, NaN and infinities as None."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if hasattr(value, "record"):
        return plain(value.record())
    return plain(fields_of(value)) if is_dataclass(value) else [plain(item) for item in value]


def fields_of(value: Any, *left_out: str) -> dict[str, Any]:
    """Return the fields of a dataclass by name, except these, for a record that adds to them."""
    return {field.name: getattr(value, field.name) for field in fields(value) if field.name not in left_out}


def attributes(value: Any, names: str) -> dict[str, Any]:
    """Return the attributes of a value with these names, which spaces separate."""
    return {name: getattr(value, name) for name in names.split()}
