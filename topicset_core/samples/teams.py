"""Twenty runs of eight teams, and how their simulated scores differ: by topic, by team, by run."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TEAM_SIZES = (4, 3, 3, 2, 2, 2, 2, 2)
N_TEAMS, N_RUNS = len(TEAM_SIZES), sum(TEAM_SIZES)

_TEAM_OF_RUN = np.repeat(np.arange(N_TEAMS), TEAM_SIZES)


def run_tags() -> list[str]:
    """Return the names of the runs: a letter for the team, and a number."""
    letters = zip("ABCDEFGH", TEAM_SIZES, strict=True)
    return [f"sim{letter}-{number}" for letter, size in letters for number in range(1, size + 1)]


@dataclass(frozen=True, kw_only=True)
class Teams:
    """How well runs tell relevant documents apart, and how their scores err.

    Parameters
    ----------
    mean_separation : float
        How well a run tells them apart on average.
    topic_sd, team_sd, run_sd, interaction_sd : float
        Standard deviations of what the topic, the team, the run, and topic and run together add to it.
    shared_error_sd, team_error_sd, own_error_sd : float
        Standard deviations of the errors that all runs, the runs of a team, and no others share.
    """

    mean_separation: float
    topic_sd: float
    team_sd: float
    run_sd: float
    interaction_sd: float
    shared_error_sd: float
    team_error_sd: float
    own_error_sd: float

    def effects(self, rng: np.random.Generator) -> Floats:
        """Draw what team and run add to the separation, on all topics alike, shape (N_RUNS,)."""
        of_teams: Floats = rng.normal(0.0, self.team_sd, N_TEAMS)[_TEAM_OF_RUN]
        return of_teams + rng.normal(0.0, self.run_sd, N_RUNS)

    def separation(self, rng: np.random.Generator, effects: Floats) -> Floats:
        """Draw how well each run tells relevant documents apart on one topic, shape (N_RUNS,)."""
        on_topic = self.mean_separation + rng.normal(0.0, self.topic_sd) + effects
        return np.asarray(on_topic + rng.normal(0.0, self.interaction_sd, N_RUNS))

    def errors(self, rng: np.random.Generator, n_documents: int) -> Floats:
        """Draw the error in the score of each document in each run, shape (N_RUNS, n_documents)."""
        return np.asarray(
            rng.normal(0.0, self.shared_error_sd, n_documents)
            + rng.normal(0.0, self.team_error_sd, (N_TEAMS, n_documents))[_TEAM_OF_RUN]
            + rng.normal(0.0, self.own_error_sd, (N_RUNS, n_documents))
        )
