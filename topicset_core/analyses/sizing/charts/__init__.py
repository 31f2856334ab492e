"""The figures of designs, comparisons and reported results."""
