"""Conclusions from designs, results and data: one room per question.

Importing this package imports none of the rooms.
"""
