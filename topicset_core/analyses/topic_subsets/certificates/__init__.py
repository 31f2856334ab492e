"""Certificates: that no subset of c topics has a higher (lower) correlation, by branch and bound.

Whether a set S with indicator w beats a correlation is a question about a quadratic form (`question`), as in
Dinkelbach's treatment of ratios. Its least value over sets of c topics is bounded from below by making it
convex: a diagonal is taken out of its matrix, which binary variables turn into a linear term
(`kernels.convexification`). Where the bound leaves a doubt, a topic is put into the set or ruled out, in an order
fixed beforehand, and the two smaller questions are bounded (`kernels.branch_and_bound`). `proof` puts the question
with the correlation of the best set known; if a better one turns up, it asks again with that.

Bounds are computed in floating point. So what rounding may have added comes off each of them, and the question is
put for a correlation that is PROOF_TOLERANCE beyond the set known, as no bound can tell sets that tie: what is
proved is that no subset is better by more than PROOF_TOLERANCE.

References
----------
W. Dinkelbach. On nonlinear fractional programming. Management Science 13(7), 492-498 (1967).
doi:10.1287/mnsc.13.7.492
A. Billionnet, S. Elloumi, M.-C. Plateau. Improving the performance of standard solvers for quadratic 0-1 programs
by a tight convex reformulation: The QCR method. Discrete Applied Mathematics 157(6), 1185-1197 (2009).
doi:10.1016/j.dam.2007.12.007
L. Vandenberghe, S. Boyd. Semidefinite programming. SIAM Review 38(1), 49-95 (1996). doi:10.1137/1038003
"""
