"""Compiled loops of this analysis: enumeration and search, for correlation and for pairs of runs.

No compiled function calls one of another file, as Numba's cache does not see a change there. Importing
these modules imports Numba, which takes half a second: import them where they are used.
"""
