"""Evaluation programs: one module per program, which recognises its logs and reads them."""
