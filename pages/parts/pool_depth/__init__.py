"""What only the page on pool depth needs."""
