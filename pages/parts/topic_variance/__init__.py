"""Pieces of the topic variance page: its form, the simulations beside it, what it shows."""
