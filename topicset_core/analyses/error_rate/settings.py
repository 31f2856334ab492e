"""What the user may set in the experiment."""

from topicset_core.parameter import Parameter

N_TRIALS = Parameter(
    name="n_trials",
    symbol="trials",
    label="Trials for each size",
    help="Pairs of topic sets that are drawn and compared; 10,000 in the literature.",
    lower=1,
    upper=1_000_000,
    lower_included=True,
    default=10_000,
    step=1000,
    integer=True,
)
