"""What a design costs: topics times documents judged per topic, as Sakai 2016 counts it, or time and money."""

import math
from dataclasses import dataclass

from topicset_core.errors import InputError


def total_judgments(n_topics: int, judged_per_topic: float) -> int:
    """Return topics times documents, the documents rounded to whole ones first.

    So does Sakai 2016, section 6.3: (37,605 + 34,792) / (50 + 49) = 731 documents, 76 topics, 55,556 judgments.

    Parameters
    ----------
    n_topics : int
        Topics of the design.
    judged_per_topic : float
        Documents judged for a topic, on average.
    """
    return n_topics * math.floor(judged_per_topic + 0.5)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What judging takes.

    Parameters
    ----------
    minutes_per_judgment : float
        Of one document; 0 or more.
    minutes_per_topic : float
        To make one topic and to read oneself into it; 0 or more.
    price_per_hour : float
        Of an assessor's time, in any currency; 0 or more.

    Raises
    ------
    InputError
        If one of them is negative or no number.
    """

    minutes_per_judgment: float
    minutes_per_topic: float = 0.0
    price_per_hour: float = 0.0

    def __post_init__(self) -> None:
        for name in ("minutes_per_judgment", "minutes_per_topic", "price_per_hour"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(name, getattr(self, name), "must be 0 or more")

    def hours(self, n_topics: int, judged_per_topic: float) -> float:
        """Return the working hours that a design takes."""
        judging = total_judgments(n_topics, judged_per_topic) * self.minutes_per_judgment
        return (judging + n_topics * self.minutes_per_topic) / 60

    def price(self, n_topics: int, judged_per_topic: float) -> float:
        """Return what these hours cost."""
        return self.hours(n_topics, judged_per_topic) * self.price_per_hour
