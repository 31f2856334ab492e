"""How the results of the topic subsets page are computed, and their limits: a text for each view."""

_GUIVER = """
J. Guiver, S. Mizzaro, S. Robertson. A few good topics: Experiments in topic set reduction for retrieval
evaluation. *ACM TOIS* 27(4), 21 (2009). [doi:10.1145/1629096.1629099](https://doi.org/10.1145/1629096.1629099)
"""

_KENDALL = """
M. G. Kendall. The treatment of ties in ranking problems. *Biometrika* 33(3), 239–251 (1945).
[doi:10.1093/biomet/33.3.239](https://doi.org/10.1093/biomet/33.3.239)
"""

_BILLIONNET = """
A. Billionnet, S. Elloumi, M.-C. Plateau. Improving the performance of standard solvers for quadratic 0-1
programs by a tight convex reformulation: The QCR method. *Discrete Applied Mathematics* 157(6), 1185–1197
(2009).
[doi:10.1016/j.dam.2007.12.007](https://doi.org/10.1016/j.dam.2007.12.007)
"""

_VOORHEES_BUCKLEY = """
E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error. *SIGIR 2002*, 316–323.
[doi:10.1145/564376.564432](https://doi.org/10.1145/564376.564432)
"""

CHOSEN = (
    r"""
**Agreement.** Run means $X$ over a subset are compared with run means $Y$ over all topics, by one of three
measures: Pearson's correlation; Kendall's tau-b, which accounts for ties; or the weighted average error rate of
Guiver et al., $\sum_{i>j} \delta_{ij}\,|Y_i - Y_j| \,/\, \sum_{i>j} |Y_i - Y_j|$, where $\delta_{ij} = 1$ if $X$
reverses the pair. A tie on $X$ is no error there, so a topic on which all runs have equal scores has an error rate
of 0. It has no correlation; these subsets are counted and left out of averages.

**Enumeration.** For correlation, a subset and its complement are evaluated in one step, since
$r(S) = b(S)/\sqrt{Q(S)\,T}$ with sums $b$, $Q$ of covariances, $b(\bar S) = T - b(S)$ and
$Q(\bar S) = Q(S) + T - 2b(S)$. For pairs of runs, sums of scores are compared as integers, so ties are exact.

**Local search** exchanges one topic for another until no exchange improves the subset. It starts from subsets
that grow and shrink through all sizes, and from random ones. **The heuristic of Guiver et al.** takes, for
each size, the best subset with at most three topics that are not in the best subset one smaller. Better
subsets than those found by either may exist; their status is *heuristic*.

**Averages** are over all subsets if these were enumerated (standard error 0), else over random ones. Bands range
from the 5th to the 95th and from the 25th to the 75th percentile. On the worst line, the marked size is the first
from which all larger sizes reach the target.

**Proofs** start from the result of the local search. Whether a subset of $c$ topics has a higher correlation is a
condition on a quadratic form of its topics. The form is made convex by subtracting a diagonal, which yields a
bound. Where the bound does not decide, a topic is fixed in or out, and both smaller problems are bounded (branch
and bound). *Proved* means that no subset of this size is better by more than $10^{-9}$. If the search tree is too
large, a bar shows the remaining gap to the bound.

**In-sample, and on other runs.** The best subset was chosen on the runs that it is compared on. τ and the
reversed pairs describe how it ranks these runs. The value on other runs is from subsets of the same size that were
chosen on one random half of the runs and evaluated on the other: mean and 5th to 95th percentile over splits. They
are reliably better than random subsets if they are better in at least 95 % of the splits. The second tab has all
sizes.

**Units.** Variants of one system in both halves would confirm each other, so similar runs are kept together.
The runs of a team (if names contain teams) and runs that differ by a constant form groups; average linkage joins
groups whose residuals correlate by more than .4. A residual is a score less its topic and run means.

**Reliably good topics.** Subsets are chosen on these scores, so selection alone puts some topics into most good
subsets. Therefore all searches are repeated on matrices of exchangeable topics. These have the run means, the topic
means and the residual variance of the data; residuals are shuffled over topics, jointly for all runs of a unit.
A topic is reliably good if random subsets with it are better than those without it on both halves of the runs,
by more than any topic in 95 % of these matrices (mean over 20 splits); reliably bad likewise. If no topic is better
than another, some topic is called reliably good in 0 to 13 % of simulated collections (nominal 5 %): most where
anonymous runs of a team correlate weakly, as units do not find these.

**What this does not tell you.** Good subsets do not show how to choose topics before there are runs.
"""
    + _GUIVER
    + _KENDALL
    + _BILLIONNET
)

HELD_OUT = (
    r"""
**Runs held out** (section 5.6.1 of Guiver et al.). The runs are split in random halves. Subsets of topics are
chosen on one half. On the other half, run means over the chosen subset are compared with those over all topics. For
comparison, the chart shows the best, average and worst subsets of that other half. Similar runs are in the
same half (see *Units* in the first tab).

**Topics held out** (5.6.2). The topics are split in random halves. Subsets of one half are chosen by the ranking of
that half; then all runs are ranked by the subset and by the whole other half. Even a whole half does not agree
perfectly with the other, so the curve ends below perfect agreement. The second average is over random subsets of
the reference half.

**Error rates** (5.6.3, after Voorhees and Buckley). With topics held out, subsets of $c$ topics of one half are
compared with random subsets of $c$ topics of the other, the reference. Pairs of runs are sorted into bins of .01 by
their difference on the reference. A pair is an error if the subset reverses it.

**Choosing and evaluating by different measures** (5.6.4). *Choose by* selects another measure of agreement.
*Evaluate with the scores* selects another metric of the same runs and topics: chosen by P@10, for example, and
evaluated by AP.

**Search.** Best and worst subsets are found by local search from several random starts, from the empty and from the
full set, so better or worse ones may exist. Bands are the 5th to the 95th percentile over splits.

**What this does not tell you.** All splits share these runs and topics, so bands do not show what other runs or
topics would give, and more splits do not change that. Runs that contributed to the pool share its judgments in both
halves.
"""
    + _GUIVER
    + _VOORHEES_BUCKLEY
)

AUDIT = (
    r"""
**Percentile.** Run means over your topics are compared with run means over all topics. The same is done for
random subsets of the same size. The percentile is the share of these subsets that agree less; equal ones
count by half. For a random subset every percentile is equally likely. If there are few subsets of that size,
all are evaluated. Best and worst were found by enumeration or by local search, as marked.

**Halves of the runs.** The runs are split at random many times. On each half your subset is compared with
random subsets, and with the subset of its size that a search finds best on the other half. This shows the
gain for new runs from choosing topics by past runs.

**Ranks.** Tied runs share the mean of their ranks. A pair of runs is reversed if your topics order it differently
from all topics; a tie on your topics is no reversal.

**What this does not tell you.** A subset that was chosen by the scores of these runs has an advantage here
that it does not have on other runs. Name the runs under *Runs by which the topics were chosen*; they are
then left out. All topics together define the reference ranking, although they are a sample, too.
"""
    + _GUIVER
    + _KENDALL
)
