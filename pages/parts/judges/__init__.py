"""Parts of the page "Judges and repeats"."""
