"""How often would this collection mislead me: error rates counted, derived, and carried beyond.

`experiment` counts as Voorhees and Buckley did, `fits` fits their exponential, `theory` puts Lin
and Hauptmann's formula over it in three forms, `prediction` reads it for users and carries it to
more topics than there are, `extrapolation` checks how well that works.
"""
