"""Topicset: how many topics a test collection needs, how deep to pool, how far to trust the result.

The core is plain Python on NumPy and SciPy and never imports Streamlit. Start with
`topicset_core.designs` (how many topics) and `topicset_core.variance` (variances from past scores).
"""

__version__ = "0.2.0"
