"""The figures of the topic subsets analysis."""
