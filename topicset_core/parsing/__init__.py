"""Text to nouns, one module a format; each reading says what it recognised and why.

Nothing is dropped, filled, reordered or renamed on the way: what cannot be read as it stands is a
`ParseError` that names the file, the line and the cell.
"""

from topicset_core.parsing.scores import ReadScores, read_scores

__all__ = ["ReadScores", "read_scores"]
