"""What existing results and data say: one module, or folder, an analysis."""
