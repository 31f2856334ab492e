"""Is a new system better than a baseline, not worse by a margin, worse, or is that not decided?"""

from topicset_core.analyses.two_systems.comparison import Answer, Request, compare_two

__all__ = ["Answer", "Request", "compare_two"]
