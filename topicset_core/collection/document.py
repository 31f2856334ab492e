"""A document of a small collection, as it is indexed."""

from dataclasses import dataclass

from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A document: its id, and what is said in it.

    Parameters
    ----------
    id : str
        Without white space, as runs and judgments name it.
    title : str
        May be empty.
    text : str
        May be empty.

    Raises
    ------
    InputError
        If the id is empty or has white space in it: no line of a run could hold it.
    """

    id: str
    title: str
    text: str

    def __post_init__(self) -> None:
        if self.id.split() != [self.id]:
            raise InputError("id", self.id, "must be a name without white space")

    @property
    def repeats_title(self) -> bool:
        """Whether the text begins with the title, so that indexing both would count it twice."""
        return bool(self.title) and self.text.startswith(self.title)

    @property
    def indexed(self) -> str:
        """Title and text; the text alone where it begins with the title."""
        return self.text if self.repeats_title else f"{self.title}\n{self.text}"
