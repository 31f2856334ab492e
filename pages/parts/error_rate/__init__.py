"""The parts of the error rate page: its form, its work, its results."""
