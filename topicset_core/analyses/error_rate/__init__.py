"""How often would a different set of topics reverse the order of two runs?

`experiment` counts as Voorhees and Buckley did and fits their exponential, `theory` puts Lin and
Hauptmann's formula over it in three forms, `prediction` reads it for users, carries it to more
topics than there are, and checks how well that works.
"""

from topicset_core.analyses.error_rate.answer import Answer, Request, error_rate

__all__ = ["Answer", "Request", "error_rate"]
