"""An information need, in the words of its fields."""

from dataclasses import dataclass
from typing import Literal

from topicset_core.errors import InputError

TopicFields = Literal["title", "full"]
"""Which fields make the query: the title alone, or title, description and narrative."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """A topic as TREC writes it.

    Parameters
    ----------
    id : str
        Without white space, as runs and judgments name it.
    title : str
        A few words; the whole text where a collection has but one.
    description, narrative : str
        Empty where the collection has none.

    Raises
    ------
    InputError
        If the id is empty or has white space in it.
    """

    id: str
    title: str
    description: str = ""
    narrative: str = ""

    def __post_init__(self) -> None:
        if self.id.split() != [self.id]:
            raise InputError("id", self.id, "must be a name without white space")

    @property
    def has_fields(self) -> bool:
        """Whether there is more than a title."""
        return bool(self.description or self.narrative)

    def query(self, fields: TopicFields = "title") -> str:
        """Return the words to search with.

        Parameters
        ----------
        fields : {"title", "full"}
            The title, or all three fields (He, Macdonald and Ounis 2008, section 4.2).
        """
        if fields == "title":
            return self.title
        return "\n".join((self.title, self.description, self.narrative))
