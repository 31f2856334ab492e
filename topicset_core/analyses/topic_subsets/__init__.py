"""Which topics would have been enough? Best, average and worst subsets of topics.

Guiver, Mizzaro and Robertson (2009) judge a subset of topics by how well the run means over it agree with
those over all topics. `subset_curve` finds, for every cardinality, the best subset, the worst, and what an
average one does; the other modules read its result.
"""
