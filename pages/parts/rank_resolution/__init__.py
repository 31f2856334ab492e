"""What only the leaderboard page needs: its form, its work, what it shows."""
