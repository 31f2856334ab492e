"""Pieces of the topic variance page: its form, simulations in the background, results."""
