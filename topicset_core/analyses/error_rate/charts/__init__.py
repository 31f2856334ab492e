"""The figures of the error rate analysis."""
