"""How stable are scores over topics: a generalizability study of one matrix."""

from topicset_core.analyses.stability.result import Request, Stability, stability

__all__ = ["Request", "Stability", "stability"]
