"""Figures of held-out subsets and of audits."""
