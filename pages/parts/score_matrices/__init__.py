"""The parts of the page of score matrices: import, corrections, preparation, charts."""
