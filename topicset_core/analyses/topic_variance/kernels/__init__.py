"""Compiled loops of this analysis: `simulation` draws scores, `pairs` compares all pairs of runs.

No compiled function calls one of another file, as Numba's cache does not see a change there. Importing
these modules imports Numba, which takes half a second: import them where they are used.
"""
