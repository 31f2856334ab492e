"""What designs, results and data say: one folder an analysis."""
