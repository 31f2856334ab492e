"""What the user may set about subsets of topics."""

from topicset_core.analyses.topic_subsets.request import (
    DEFAULT_NODES,
    DEFAULT_TRIALS,
    MOST_NODES,
    MOST_TRIALS,
)
from topicset_core.parameter import Parameter
from topicset_core.parameters import MOST_TOPICS

TARGET = Parameter(
    name="target",
    symbol="target",
    label="Goodness that is enough",
    help="The curves are read across here; .95 of correlation in the paper.",
    lower=-1.0,
    upper=1.0,
    lower_included=True,
    default=0.95,
    step=0.01,
)

CARDINALITY = Parameter(
    name="cardinality",
    symbol="c",
    label="c, topics in the sets below",
    help="The ten best and ten worst sets of so many topics; 12 in the paper.",
    lower=1,
    upper=MOST_TOPICS,
    lower_included=True,
    default=12,
    step=1,
    integer=True,
)

N_TRIALS = Parameter(
    name="n_trials",
    symbol="trials",
    label="Random subsets of each size",
    help="Behind the bands, and behind means that are not exact.",
    lower=2,
    upper=MOST_TRIALS,
    lower_included=True,
    default=DEFAULT_TRIALS,
    step=1000,
    integer=True,
)

NODES = Parameter(
    name="nodes",
    symbol="nodes",
    label="Parts of the search tree for each proof",
    help="At most; what is not proved by then has a bound. Sets of 50 topics have taken up to 19 million.",
    lower=1,
    upper=MOST_NODES,
    lower_included=True,
    default=DEFAULT_NODES,
    step=10_000_000,
    integer=True,
)
