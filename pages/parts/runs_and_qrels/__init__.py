"""What only the page on runs and judgments needs."""
