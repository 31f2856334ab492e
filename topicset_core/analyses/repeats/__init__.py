"""Do the results of systems hold over their seeds or repeats, and are topics or repeats the better buy?"""

from topicset_core.analyses.repeats.answer import Answer, Request, answer

__all__ = ["Answer", "Request", "answer"]
