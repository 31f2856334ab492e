"""Roles of colour, which figures are built with, and the colours that they have in each theme and in print."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

Mode = Literal["light", "dark", "print"]


@dataclass(frozen=True)
class Palette:
    """The colours of one mode."""

    # Text, secondary lines and labels, grid lines, the page's colour, and the figure's own (transparent where the
    # page is to show through)
    text: str
    quiet: str
    grid: str
    page: str
    background: str
    accent: str  # "Yours", everywhere
    # Ten colours for categories, safe for colour-blind readers: after Okabe and Ito (2008), extended by
    # darker and lighter forms
    series: tuple[str, ...]
    ramp: tuple[str, ...]  # seven steps of one hue for ordered values, from weak to strong


TRANSPARENT = "rgba(0,0,0,0)"

_PRINT = Palette(
    text="#000000",
    quiet="#404040",
    grid="#DDDDDD",
    page="#FFFFFF",
    background="#FFFFFF",
    accent="#C2410C",
    series=(
        "#0072B2",
        "#B56A00",
        "#007A5A",
        "#A8447F",
        "#3A86C8",
        "#8A6D00",
        "#5B4BB5",
        "#6B6B6B",
        "#A33B3B",
        "#2F6F4F",
    ),
    ramp=("#9DB7CC", "#84A5C0", "#6B92B3", "#537FA5", "#3C6C95", "#275A84", "#134870"),
)

PALETTES: dict[Mode, Palette] = {
    "print": _PRINT,
    "light": replace(_PRINT, text="#1B2430", quiet="#5B6675", grid="#E4E7EB", background=TRANSPARENT),
    "dark": Palette(
        text="#E8EAED",
        quiet="#A9B2BE",
        grid="#2E3742",
        page="#14181F",
        background=TRANSPARENT,
        accent="#FF9A5C",
        series=(
            "#56B4E9",
            "#E69F00",
            "#2BC495",
            "#E08DC0",
            "#8CC5F2",
            "#E0C93A",
            "#A99BF5",
            "#B5BCC6",
            "#F28B82",
            "#8AD0A8",
        ),
        ramp=("#3F566B", "#4C6B86", "#5A80A1", "#6A96BA", "#7FADD0", "#9AC4E3", "#BADBF3"),
    ),
}

TEXT, QUIET, GRID, PAGE, BACKGROUND, ACCENT = "$text", "$quiet", "$grid", "$page", "$background", "$accent"
SERIES = tuple(f"$series-{place}" for place in range(len(_PRINT.series)))
RAMP = tuple(f"$ramp-{place}" for place in range(len(_PRINT.ramp)))
LINE_RAMP = RAMP[2:]
"""The steps that stand out from the page by 3 : 1, as WCAG asks of lines (1.4.11)."""

_LAST = len(LINE_RAMP) - 1


def series(place: int) -> str:
    """Return the role of the category at this place, from the first again after the last."""
    return SERIES[place % len(SERIES)]


def shade(share: float) -> str:
    """Return the role of an ordered value of a line, from weak at 0 to strong at 1, between steps of the ramp."""
    return f"$ramp-{len(RAMP) - 1 - _LAST + share * _LAST}"


def faint(role: str, alpha: float) -> str:
    """Return a role of which the page shows through."""
    return f"{role}/{alpha}"


def in_colour(text: str, role: str) -> str:
    """Return text, already safe for Plotly, in a colour."""
    return f'<span style="color:{role}">{text}</span>'


_ROLE = re.compile(r"^\$([a-z]+)(?:-([\d.]+))?(?:/([\d.]+))?$")
_WITHIN_TEXT = re.compile(r'(?<=<span style="color:)\$[a-z]+(?:-\d)?(?=">)')  # names of users hold no "<"


def resolved(values: Mapping[str, Any], mode: Mode) -> dict[str, Any]:
    """Return part of a figure with colours for roles: they are where Plotly has colours, and in marked-up text."""
    return {name: _resolved(name, value, mode) for name, value in values.items()}


def _resolved(name: str, value: Any, mode: Mode) -> Any:
    if isinstance(value, dict):
        return resolved(value, mode)
    if name.endswith("color") or name in ("colorway", "colorscale"):
        return _coloured(value, mode)
    if name in ("annotations", "shapes"):
        return [resolved(item, mode) for item in value]
    if name == "text" and isinstance(value, str):
        return _WITHIN_TEXT.sub(lambda role: colour_of(role[0], mode), value)
    return value


def _coloured(value: Any, mode: Mode) -> Any:
    if isinstance(value, str):
        return colour_of(value, mode) if value.startswith("$") else value
    return type(value)(_coloured(item, mode) for item in value) if isinstance(value, list | tuple) else value


def colour_of(role: str, mode: Mode) -> str:
    """Return the colour of a role."""
    parts = _ROLE.match(role)
    if parts is None:
        raise ValueError(f"no role of colour: {role}")
    name, place, alpha = parts.groups()
    found = getattr(PALETTES[mode], name)
    colour: str = found if place is None else _step(found, float(place))
    return colour if alpha is None else f"rgba({','.join(map(str, _channels(colour)))},{alpha})"


def _step(colours: tuple[str, ...], place: float) -> str:
    """Return the colour at a place, between two colours where it is not whole."""
    low = int(place)
    if low == place:
        return colours[low]
    return between(colours[low], colours[low + 1], place - low)


def between(weak: str, strong: str, share: float) -> str:
    """Return the colour at a share of the way from one to another."""
    parts = zip(_channels(weak), _channels(strong), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in parts)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def for_print(mode: Mode) -> dict[str, str]:
    """Return the print colour for each colour of a mode, by colour, in upper case."""
    old, new = PALETTES[mode], PALETTES["print"]
    single = {getattr(old, name): getattr(new, name) for name in ("text", "quiet", "grid", "page", "accent")}
    several = dict(zip(old.series + old.ramp, new.series + new.ramp, strict=True))
    return {colour.upper(): paper for colour, paper in (several | single).items()}
