"""What only the error rate page needs: its form, its work, what it shows."""
