"""The settings of a parameter sweep: the parameter values of each run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Settings:
    """Values of parameters, one row per run."""

    parameters: tuple[str, ...]
    systems: tuple[str, ...]  # runs, unique
    values: NDArray[np.float64]  # (n_systems, n_parameters): all finite, no row twice

    def __post_init__(self) -> None:
        for parameter, ids in (("parameters", self.parameters), ("systems", self.systems)):
            if len(set(ids)) < len(ids) or not all(one.strip() for one in ids):
                raise InputError(parameter, ids, "must be names that are not blank and not repeated")
        expected = (len(self.systems), len(self.parameters))
        if self.values.shape != expected or not np.isfinite(self.values).all():
            raise InputError("values", self.values.shape, f"must be finite numbers, {expected}")
        seen: dict[tuple[float, ...], str] = {}
        for system, row in zip(self.systems, map(tuple, self.values.tolist()), strict=True):
            if self.parameters and row in seen:
                rule = f"must be a setting with unique values; {seen[row]!r} has the same values"
                raise InputError("run", system, rule)
            seen[row] = system

    def of(self, systems: Sequence[str]) -> "Settings":
        """Return the settings of these runs, in their order."""
        rows = {system: row for row, system in enumerate(self.systems)}
        for system in systems:
            if system not in rows:
                raise InputError("run", system, "must have values of the parameters")
        return Settings(
            parameters=self.parameters,
            systems=tuple(systems),
            values=self.values[[rows[system] for system in systems]],
        )

    def text(self, system: int) -> str:
        """Write one setting: "b = 0.75, k1 = 1.2", or the name of the run without parameters."""
        pairs = zip(self.parameters, self.values[system].tolist(), strict=True)
        return ", ".join(f"{name} = {value:g}" for name, value in pairs) or self.systems[system]


def without_parameters(systems: Sequence[str]) -> Settings:
    """Return runs as alternatives that have no numbers."""
    return Settings(parameters=(), systems=tuple(systems), values=np.zeros((len(systems), 0)))
