"""The form of every page: its questions are a list of fields, and its mode of answering is one word.

A form reads the link once, keeps the last valid value of each number, reports errors, draws each field where
the page wants it, and writes its part of the link.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

import streamlit as st

from pages.parts import data, frame, kept_work, link
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.inputs import Given, Inputs
from topicset_core.parameters import (
    ALPHA,
    BETA,
    AnyParameter,
    ChoiceParameter,
    ListParameter,
    Parameter,
    SwitchParameter,
    check_error_probabilities,
)
from topicset_core.preparation import Steps, prepare, whole_groups
from topicset_core.wording import in_full, in_units

YES, NO = "yes", "no"
"""How links write a switch."""

WORST = "without_worst_quarter"
"""Name of the switch that drops poor runs."""

WORST_QUARTER = 0.25

_HEIGHT = 120  # of a box for several lines, in pixels

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
S = TypeVar("S", bound=str)
Request = TypeVar("Request", bound=Inputs)


class Field(Protocol[T_co]):
    """A question: its name in links, its value from the link, and its widget."""

    @property
    def name(self) -> str:
        """In links, and in the key of the widget."""

    def read(self) -> tuple[Any, Sequence[link.Complaint]]:
        """Return the value in the link, None where that waits, and the complaint about it."""

    def draw(self, key: str, **options: Any) -> T_co:
        """Draw the widget and return its value."""


@dataclass(frozen=True)
class Number:
    """A number."""

    parameter: Parameter  # its bounds and texts
    usual: Callable[[], float] | None = None  # its start value, if that is not its default
    within: str = ""  # prefix of its name in its key
    format: str = ""  # how it is written
    empty: str = ""  # meaning of an empty field, if it may be empty: the start value
    unit: str = ""  # the quantity, if that depends on a choice
    is_short: bool = False  # whether its help is behind a question mark, where a form is to fit on a screen

    @property
    def name(self) -> str:
        """In links."""
        return self.parameter.name

    @property
    def key(self) -> str:
        """Within the page."""
        return f"{self.within}{self.name}"

    def start(self, linked: Mapping[str, float]) -> float | None:
        """Return the link's value, or the default."""
        usual = self.parameter.default if self.usual is None else self.usual()
        return self.typed(linked.get(self.name, None if self.empty else usual))

    def typed(self, value: float | None) -> float | None:
        """Return a value in the type that the field wants: value and step must agree."""
        return None if value is None else int(value) if self.parameter.integer else float(value)

    def read(self) -> tuple[float | None, Sequence[link.Complaint]]:
        """Leave it to `link.read`, which reads all numbers together."""
        return None, ()

    def label(self, unit: str) -> str:
        """Return its label with its unit."""
        return f"{self.parameter.label} ({unit})" if unit else self.parameter.label

    def checked(self, typed: float | None) -> float | None:
        """Return a valid value in the type that the field wants, or raise `InputError`."""
        return None if typed is None and self.empty else self.typed(self.parameter.check_given(typed))

    def draw(self, key: str, **options: Any) -> float:
        """Draw it with its one line of help; the core checks its bounds."""
        options |= {"value": None, "placeholder": self.empty} if self.empty else {}
        options |= {"help": self.parameter.help} if self.is_short else {}
        with st.container(gap="xxsmall") if not self.is_short else nullcontext():
            label, step = self.label(frame.plain(self.unit)), self.typed(self.parameter.step)
            form = self.format or (None if self.parameter.integer else "%.6g")
            typed: float = st.number_input(label, key=key, step=step, format=form, **options)
            if not self.is_short:
                st.markdown(f":small[:gray[{self.parameter.help}]]")
        return typed


@dataclass(frozen=True)
class Choice(Generic[S]):
    """One of several options."""

    name: str  # in links
    label: str
    options: Mapping[S, str] | Sequence[S] | Callable[[], Sequence[S]] = ()
    shown: Callable[[S], str] = str  # from an option to how the page writes it
    look: Literal["list", "radio", "row", "segments"] = "list"  # how it is drawn
    help: str | None = None
    usual: str = ""  # used where nothing was chosen, or what was no longer exists; otherwise the first
    then: Callable[[], None] | None = None  # called after the user chose
    key: str = ""  # of the widget within the page

    def offered(self) -> list[S]:
        """Return the options of now."""
        return list(self.options() if callable(self.options) else self.options)

    def read(self) -> tuple[str | None, Sequence[link.Complaint]]:
        """Return the link's option, or the first and the complaint."""
        offered = self.offered()
        if not offered:
            return None, ()
        chosen, complaint = link.one_of(self.name, offered)
        return chosen, [complaint] if complaint else []

    def draw(self, key: str, **options: Any) -> S:
        """Draw it; an option that no longer exists becomes the usual or the first one."""
        offered, state = self.offered(), st.session_state
        if state.get(key) not in offered:
            state[key] = self.usual if self.usual in offered else offered[0]
        shown = self.options.__getitem__ if isinstance(self.options, Mapping) else self.shown
        shown = frame.labelled(key, offered, shown)
        more: dict[str, Any] = {"format_func": shown, "key": key, "help": self.help} | options
        more |= {"on_change": self.then} if self.then is not None else {}
        chosen: S
        if self.look == "list":
            chosen = st.selectbox(self.label, offered, **more)
        elif self.look == "segments":
            chosen = st.segmented_control(self.label, offered, required=True, **more)
        else:
            chosen = st.radio(self.label, offered, horizontal=self.look == "row", **more)
        return chosen


@dataclass(frozen=True)
class Several:
    """Any of several options."""

    name: str  # in links
    label: str
    options: Sequence[str]
    usual: Sequence[str]  # where a link has none of the options
    unknown: str  # rule for an option: "this measure is not available"

    def read(self) -> tuple[list[str], Sequence[link.Complaint]]:
        """Return the options in the link that are offered; complain about the first that is not."""
        given = link.texts(self.name)
        known = [option for option in given if option in self.options]
        unknown = [option for option in given if option not in self.options]
        return known or list(self.usual), [link.not_used(self.name, one, self.unknown) for one in unknown[:1]]

    def draw(self, key: str, **options: Any) -> list[str]:
        """Draw it."""
        return st.multiselect(self.label, self.options, key=key, wrap=True, **options)


@dataclass(frozen=True)
class Switch:
    """Something that is on or off: its name in links, its label, and its help."""

    name: str
    label: str
    help: str

    def read(self) -> tuple[bool, Sequence[link.Complaint]]:
        """Return whether the link has it on, and the complaint."""
        text, complaint = link.one_of(self.name, (NO, YES))
        return text == YES, [complaint] if complaint else []

    def draw(self, key: str, **options: Any) -> bool:
        """Draw it."""
        return st.toggle(self.label, key=kept_work.switch(key), help=self.help, **options)


@dataclass(frozen=True)
class Text:
    """Free text: its start value, whether it has lines, which a link has one by one, and its placeholder."""

    name: str
    label: str
    usual: str = ""
    lines: bool = False
    placeholder: str | None = None
    check: Callable[[str], object] | None = None  # refuses a text, of which the last valid one then stays
    help: str | None = None

    def read(self) -> tuple[str, Sequence[link.Complaint]]:
        """Return the text in the link, and the complaint."""
        if self.lines:
            return "\n".join(link.texts(self.name)) or self.usual, ()
        text = link.text(self.name, self.usual)
        try:
            if self.check is not None:
                self.check(text)
        except InputError as error:
            return self.usual, [link.refused(error)]
        return text, ()

    def draw(self, key: str, **options: Any) -> str:
        """Draw it."""
        if self.lines:
            return st.text_area(self.label, key=key, height=_HEIGHT, **options) or ""
        more: dict[str, Any] = {"placeholder": self.placeholder, "help": self.help} | options
        return st.text_input(self.label, key=key, **more) or ""


@dataclass(frozen=True)
class Scores:
    """Which of the matrices in use; a link names it by its digest, in older links by its measure."""

    name: str = "matrix"

    def read(self) -> tuple[int, Sequence[link.Complaint]]:
        """Return the place of the scores that the link names."""
        place = link.place_of_data([matrix.digest for matrix in data.matrices()])
        if place is not None:
            return place, ()
        measure = link.text(link.MEASURE)
        measures = [matrix.measure for matrix in data.matrices()]
        if not measure or measure in measures:
            return measures.index(measure) if measure else 0, ()
        text = f"{link.MEASURE}={measure} in this link was ignored: no scores of this measure are in use."
        return 0, [link.Complaint(text, link.MEASURE)]

    def draw(self, key: str, **options: Any) -> ScoreMatrix:
        """Draw the choice."""
        matrices = data.matrices()
        if st.session_state.get(key, 0) >= len(matrices):  # it was removed since
            st.session_state[key] = 0
        places = range(len(matrices))
        place: int = st.selectbox(
            "Scores",
            places,
            format_func=frame.labelled(
                key, places, lambda at: f"{matrices[at].measure}, {matrices[at].name}"
            ),
            key=key,
            **options,
        )
        return matrices[place]


SCORES = Scores()


@dataclass(frozen=True)
class Together:
    """A rule about several numbers of a form."""

    names: Sequence[str]
    check: Callable[[dict[str, float]], object]
    end: str = "."  # end of the sentence about it


ERROR_PROBABILITIES = Together(
    (ALPHA.name, BETA.name),
    lambda values: check_error_probabilities(values[ALPHA.name], values[BETA.name]),
)


@dataclass(frozen=True)
class Form:
    """The form of one page."""

    page: str  # prefix of the page's keys
    fields: Sequence[Field[Any]]
    together: Together | None = None  # what numbers must agree on
    texts: Sequence[str] = ()  # names of what else a link may carry
    unit: str = "topic"  # what its texts count, "group" where the page counts whole groups of topics

    @property
    def _valid(self) -> str:
        return f"{self.page}/valid"

    @property
    def _complaints(self) -> str:
        return f"{self.page}/complaints"

    @property
    def numbers(self) -> list[Number]:
        """The fields that are numbers."""
        return [_in_units(field, self.unit) for field in self.fields if isinstance(field, Number)]

    def start(self) -> link.Link | None:
        """Take the values in the link, and defaults for the rest; return the link, None if it was read before."""
        state = st.session_state
        if self.page != data.PLANNING and link.is_awaited():
            for name in [str(name) for name in state if str(name).startswith(f"{self.page}/")]:
                if not name.endswith("/results"):
                    del state[name]
        if self._valid in state:
            return None
        if self.page != data.PLANNING and link.follow_saved():
            self._read()
            st.query_params.clear()  # what follows from a link that was opened does not follow from saved work
            return None
        return self._read()

    def _read(self) -> link.Link:
        state, numbers, query = st.session_state, self.numbers, st.query_params
        state[self._complaints] = ()
        known = {link.MEASURE if isinstance(field, Scores) else field.name for field in self.fields}
        texts = known - {number.name for number in numbers} | set(self.texts)
        result = link.read([number.parameter for number in numbers], texts)
        complaints: list[link.Complaint] = []
        linked: dict[str, float] = {}
        for field in self.fields:
            value, wrong = field.read()
            complaints += result.complaints if numbers and field is numbers[0] else wrong
            if isinstance(field, Choice) and value is None:  # it has no options yet
                if field.name in query:
                    state[f"{self.page}/{_key_of(field)}{link.WAITS}"] = query[field.name]
                continue
            saved, unfit = self._waiting(field)
            complaints += unfit
            if isinstance(field, Number) and saved is not None:
                linked[field.name] = saved
                state.pop(f"{self.page}/{field.key}", None)  # it may have been empty before a file was opened
            elif value is not None:
                state[f"{self.page}/{field.name}"] = value if saved is None or field.name in query else saved
        linked |= result.values
        if self.together is not None:
            try:
                values: dict[str, Any] = {number.name: number.start(linked) for number in numbers}
                self.together.check(values)
            except InputError as error:
                text = f"The values in this link were not used: {error}{self.together.end}"
                complaints.append(link.Complaint(text, error.parameter))
                linked = {name: value for name, value in linked.items() if name not in self.together.names}
        state[self._valid] = {number.key: number.start(linked) for number in numbers}
        self.complain(*complaints)
        return result

    def _waiting(self, field: Field[Any]) -> tuple[Any, list[link.Complaint]]:
        """Return the value that a link or saved work has for a field, once, and the complaint about it."""
        key = f"{self.page}/{_key_of(field)}"
        text: str = st.session_state.pop(f"{key}{link.WAITS}", "")
        if text and isinstance(field, Choice):
            chosen, complaint = link.option(field.name, text, field.offered())
            return (None, [complaint]) if complaint else (chosen, [])
        if text and isinstance(field, Number):
            try:
                return link.number(field.parameter, text), []
            except InputError as error:
                why = f"{key}={link.shortened(text)} in saved work was not used: it {error.rule}."
                return None, [link.Complaint(why, field.name)]
        return None, []

    def draw(self, field: Field[T]) -> T:
        """Draw a field here, which may be another one of the same name, and return its value."""
        options: dict[str, Any] = {"persist_state": "session"}
        shown = _in_units(field, self.unit)
        if isinstance(field, Number):
            options["on_change"] = self.clear_complaints
        state, key = st.session_state, f"{self.page}/{_key_of(field)}"
        if key not in state and isinstance(field, Number):
            state[key] = field.typed(self.last(field))
        elif isinstance(field, Choice):
            chosen, unfit = self._waiting(field)
            link.complain(unfit, key=None)
            if chosen is not None:
                state[key] = chosen
        return shown.draw(key, **options)

    def ask(self, *parameters: AnyParameter) -> None:
        """Draw the fields of parameters here."""
        for parameter in parameters:
            self.draw(next(field for field in self.fields if field.name == parameter.name))

    def ask_rest(self, request: type[Inputs], *placed: AnyParameter) -> None:
        """Draw the fields of a request that have no other place on the page, among them those of new parameters."""
        names = {field.name for field in self.fields} - {one.name for one in placed}
        self.ask(*(declared.parameter for declared in request.declared() if declared.parameter.name in names))

    def request(self, request: type[Request], values: Mapping[str, Any], **more: Any) -> Request:
        """Return the request with the values of this form, and others by the names of its fields."""
        given = {}
        for one in request.declared():
            name = one.parameter.name
            if one.name not in more and any(field.name == name for field in self.fields):
                value = values.get(name, self._now(name))
                given[one.name] = None if value in (USUAL, "") else value
        return request(**given | more)

    def url(self, values: Mapping[str, Any], **more: link.Value | None) -> str:
        """Return the full link: all fields of this form that are not left open, and more."""
        others = self.written(*(field for field in self.fields if field.name not in {*values, *more}))
        written: dict[str, Any] = {**values, **others, **more}
        return link.write({name: one for name, one in written.items() if one not in (None, USUAL, "")})

    def _now(self, name: str) -> Any:
        """Return the value of a field: the last valid one where it has a rule."""
        kept: dict[str, Any] = st.session_state[self._valid]
        return kept.get(name, st.session_state.get(f"{self.page}/{name}"))

    def values(self, *complaints: link.Complaint) -> dict[str, float]:
        """Return the numbers by name, and report errors in them, in the link, and further ones.

        Where a number breaks its rule, or numbers do not go together, the last ones that did not stay.
        """
        state, numbers = st.session_state, self.numbers
        kept: dict[str, Any] = dict(state[self._valid])
        reported = [*state[self._complaints], *complaints]
        last: dict[str, Any] = {number.key: self.last(number) for number in numbers}
        result: dict[str, Any] = dict(last)
        for one in numbers:
            typed = state.get(f"{self.page}/{one.key}", last[one.key])
            try:
                result[one.key] = one.checked(typed)
            except InputError as error:
                reported.append(self._stays(one, error, typed, last[one.key]))
        if self.together is not None and result != last:
            try:
                self.together.check({number.name: result[number.key] for number in numbers})
            except InputError as error:
                # Else the last ones do not go together either, which is not for fields to mend.
                with suppress(InputError):
                    self.together.check({number.name: last[number.key] for number in numbers})
                    wrong = next((number for number in numbers if number.name == error.parameter), None)
                    stays = last[wrong.key] if wrong is not None else None
                    reported.append(self._stays(wrong, error, error.value, stays))
                    result = last
        for box in self.fields:
            if isinstance(box, Text) and box.check is not None:
                written = state.get(f"{self.page}/{box.name}", box.usual)
                kept.setdefault(box.name, box.usual)
                try:
                    box.check(written)
                    kept[box.name] = written
                except InputError as error:
                    reported.append(self._stays(_in_units(box, self.unit), error, written))
        state[self._valid] = kept | result
        link.complain(reported)
        return {number.name: result[number.key] for number in numbers}

    def _stays(
        self, field: Number | Text | None, error: InputError, typed: Any, stays: float | None = None
    ) -> link.Complaint:
        """Return the complaint about a field, and mark the answer as computed for the value that stays."""
        st.session_state[frame.IS_PREVIOUS] = True
        kept = "the previous values" if stays is None else in_full(stays)
        text = str(error)
        if isinstance(field, Text):
            text = f"{field.label}: {link.shortened(typed)} {error.rule}"
        elif field is not None:
            value = "the field is empty; it" if typed is None else in_full(typed)
            text = f"{field.label(field.unit)}: {value} {error.rule}"
        return link.Complaint(f"{text}. The answer shown is for {kept}.", error.parameter)

    def written(self, *fields: Field[Any] | AnyParameter) -> dict[str, link.Value]:
        """Return these fields as links have them, in this order."""
        values: dict[str, link.Value] = {}
        for field in fields:
            value = self._now(field.name)
            if isinstance(field, Scores):
                values |= data.named_in_links(data.matrices()[value])
            else:
                values[field.name] = switched(value) if isinstance(value, bool) else value
        return values

    def last(self, number: Number) -> float | None:
        """Return the value of the last answer, or the start value of the field."""
        valid: dict[str, Any] = st.session_state[self._valid]
        kept: float | None = valid.get(number.key)
        if kept is None:
            saved, unfit = self._waiting(number)
            self.complain(*unfit)
            kept = number.typed(saved)
            self.keep({} if kept is None else {number.key: kept})
        return number.start({}) if kept is None and not number.empty else kept

    def kept(self, key: str) -> Any:
        """Return the value that is answered for."""
        return st.session_state[self._valid][key]

    def keep(self, values: Mapping[str, Any], *, shown: bool = False) -> None:
        """Answer for these values from now on; show them in their fields, or leave typed values there."""
        st.session_state[self._valid] = st.session_state[self._valid] | dict(values)
        if shown:
            st.session_state.update({f"{self.page}/{key}": value for key, value in values.items()})

    def complaints(self) -> tuple[link.Complaint, ...]:
        """Return the complaints about the link."""
        result: tuple[link.Complaint, ...] = st.session_state[self._complaints]
        return result

    def complain(self, *complaints: link.Complaint) -> None:
        """Add a complaint about the link beyond the fields."""
        st.session_state[self._complaints] += complaints

    def clear_complaints(self) -> None:
        """Forget the complaints about the link once the user has moved on."""
        st.session_state[self._complaints] = ()


def _in_units(field: T, unit: str) -> T:
    """Return a field, or its parameter, whose texts are about what the form counts."""
    shown: Any = field
    if unit == "topic" or not isinstance(field, Number | Choice | Text | Parameter):
        return field
    texts = [(name, getattr(shown, name, None)) for name in ("label", "help", "empty")]
    changed: dict[str, Any] = {name: in_units(text, unit) for name, text in texts if isinstance(text, str)}
    if isinstance(field, Number):
        changed["parameter"] = _in_units(field.parameter, unit)
    if isinstance(field, Choice) and isinstance(field.options, Mapping):
        changed["options"] = {name: in_units(text, unit) for name, text in field.options.items()}
    result: T = replace(shown, **changed)
    return result


USUAL = "usual"
"""The option of a choice that is left open."""


def field_of(one: Given, *, is_short: bool = False) -> Field[Any]:
    """Return the field of a value of a request, as its parameter declares it."""
    parameter = one.parameter
    if isinstance(parameter, ChoiceParameter):
        options = ({USUAL: one.unless} if one.unless else {}) | dict(parameter.options)
        return Choice(parameter.name, parameter.label, options, help=parameter.help, usual=one.default or "")
    if isinstance(parameter, SwitchParameter):
        return Switch(parameter.name, parameter.label, parameter.help)
    if isinstance(parameter, ListParameter):
        more: dict[str, Any] = {"placeholder": one.unless or None, "help": parameter.help}
        more["check"] = lambda text: (text or not one.unless) and parameter.check(text)
        return Text(parameter.name, parameter.label, ",".join(f"{n:g}" for n in one.default or ()), **more)
    return Number(parameter, empty=one.unless, is_short=is_short)


def fields_of(request: type[Inputs], *instead: Field[Any], is_short: bool = False) -> list[Field[Any]]:
    """Return the fields of a request, some replaced by others of their names, as all lists of names must be."""
    own = {one.name: one for one in instead}
    return [
        own.get(declared.parameter.name) or field_of(declared, is_short=is_short)
        for declared in request.declared()
        if declared.parameter.name in own or getattr(declared.parameter, "item", True)
    ]


def _key_of(field: Field[Any]) -> str:
    """Return the key of a field within its page."""
    return (field.key if isinstance(field, Number | Choice) else "") or field.name


def switched(on: bool) -> str:
    """Return a switch as links write it."""
    return YES if on else NO


def prepared(matrix: ScoreMatrix, steps: Steps) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return the prepared scores and notes; the original scores, with a complaint, if preparation fails."""
    try:
        done = prepare(matrix, steps)
    except InputError as error:
        text = f"The scores are as loaded: {error.parameter} {error.rule}."
        link.complain([link.Complaint(text, error.parameter)], key=None)
        return matrix, ()
    return done.matrix, tuple(done.notes)


def by_group(matrix: ScoreMatrix, notes: Sequence[str] = ()) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """Return whole groups in the place of topics, and notes; the topics, with a complaint, of a single group."""
    try:
        rows, more = whole_groups(matrix)
    except InputError as error:
        text = f"Topics count as independent here: {error.parameter} {error.rule}."
        link.complain([link.Complaint(text, error.parameter)], key=None)
        return matrix, tuple(notes)
    if more:  # next to the choice of scores, as all that is counted are groups
        st.markdown(frame.plain(more[0]))
    return rows, (*notes, *more)


def show_preparation(text: Sequence[str]) -> None:
    """Write the preparation of the scores."""
    if text:
        with st.container(key="preparation"):
            st.markdown(f":small[{frame.plain(' '.join(text))}]")


def offer_link(url: str, commands: Sequence[str] = ()) -> None:
    """Show a button that opens the link; unlike the links of the designs it needs the scores."""
    carries = "every value in full precision, but not the scores; on the same scores it shows the same answer"
    link.offer(url, carries, commands=commands)
