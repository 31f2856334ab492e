"""The version, below all that prints it."""

__version__ = "0.2.0"
