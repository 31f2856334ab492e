"""Parts of the page "Looks and top-up"."""
