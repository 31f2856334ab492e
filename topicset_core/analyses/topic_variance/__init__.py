"""Would another document collection change the conclusions? Per-topic variance by simulation.

The method of Yang, Zhang and Song (2018): documents are a sample, so the scores that a run gave the
relevant and the other documents of a topic are samples too, and are drawn anew.
"""
