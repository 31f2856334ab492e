"""The parts of the leaderboard page: its form, its work, its results."""
