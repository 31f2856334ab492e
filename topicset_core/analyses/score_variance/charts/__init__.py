"""The figures of the variance of scores."""
