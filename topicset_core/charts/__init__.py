"""Results as Plotly figures: one module a figure, none of them computes anything."""
