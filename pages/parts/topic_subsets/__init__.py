"""What only the topic subsets page needs: its forms, its work, what its three views show."""
