"""Files of scores to score matrices: one module per format, and what all formats share."""
