"""Where random numbers come from: the same input on every page and command that draws any."""

from topicset_core.parameter import Parameter

SEED = Parameter(
    name="seed",
    symbol="seed",
    label="Seed of the random numbers",
    help="The same seed gives the same numbers on any machine.",
    lower=0,
    upper=2**53,
    lower_included=True,
    default=0,
    step=1,
    integer=True,
)
