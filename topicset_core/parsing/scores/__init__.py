"""Files of scores to score matrices: one module a format, and what all formats share."""
