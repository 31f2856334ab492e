"""Text to terms: words in lower case, without stop words, stemmed.

Words are stretches of letters and digits. Of a single s, such as that of a possessive, the stemmer leaves
nothing. Stop words are the 119 of the `lunr` package, all of them words of grammar; longer lists, such as that
of the `stop-words` package, also drop "computer", "information" and "high", which topics of technical
collections ask for. Stemming is Porter's of 1980 by `PyStemmer`, the Snowball project's own code.

He, Macdonald and Ounis (2008, section 4.2) used Terrier: Porter's stemmer as here, but its own, longer
list of stop words and its own tokeniser.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache

WORD = re.compile(r"[^\W_]+")
MOST_KEPT = 200_000
"""Words whose stems are kept: more than small collections have."""


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in their order, repeated as often as they occur.

    Parameters
    ----------
    text : str
        A document, or a query.
    """
    term_of = _term_of()
    return [term for word in WORD.findall(text.lower()) if (term := term_of(word))]


@cache
def _term_of() -> Callable[[str], str]:
    """Return what turns a word into its term, or into nothing if it is a stop word."""
    from lunr.stop_word_filter import WORDS
    from Stemmer import Stemmer

    stem = Stemmer("porter").stemWord

    @lru_cache(maxsize=MOST_KEPT)
    def term_of(word: str) -> str:
        return "" if word in WORDS else str(stem(word))

    return term_of
