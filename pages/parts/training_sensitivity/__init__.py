"""The parts of the training sensitivity page: its sweeps, form, work and results."""
