"""What the training sensitivity page is made of: its sweeps, form, work and results."""
