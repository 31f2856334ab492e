"""How the answers of the topic subsets page are computed, and what they do not tell: a text for each view."""

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
**Goodness.** Run means $X$ over a subset are set against $Y$ over all topics: Pearson's correlation; Kendall's
tau-b, which counts ties on either side; or the weighted average error rate of Guiver et al.,
$\sum_{i>j} \delta_{ij}\,|Y_i - Y_j| \,/\, \sum_{i>j} |Y_i - Y_j|$ with $\delta_{ij} = 1$ where $X$ has the pair the
other way round. A tie on $X$ is no error there, so a topic on which all runs score the same has an error rate of 0;
it has no correlation, and such subsets are left out of averages and counted.

**All subsets.** For correlation a subset and the rest of the topics are judged in one step, since
$r(S) = b(S)/\sqrt{Q(S)\,T}$ with sums $b$, $Q$ of covariances, $b(\bar S) = T - b(S)$ and
$Q(\bar S) = Q(S) + T - 2b(S)$. For pairs of runs sums of whole scores are compared, so that ties are exact.

**Swaps** exchange one topic for another while that gains: from sets that grow and shrink through all sizes, and
from random ones. **The paper's heuristic** takes, for each size, the best set with at most three topics that
are not in the best set one smaller. Sets found by either may be exceeded, and are called *heuristic*.

**Averages** are of all subsets where these were all added up (standard error 0), else of random ones; bands are
from the 5th to the 95th and from the 25th to the 75th percentile. The worst line is read where it stays good
enough.

**Proofs** go on from what swaps found. That a set of $c$ topics beats a correlation is a statement about a
quadratic form of its topics; made convex by taking out a diagonal, it has a bound, and where the bound leaves a
doubt a topic is put in or ruled out, and both smaller questions are bounded. *Proved* means that no set of this
size is better by more than $10^{-9}$; where the search tree is too large, a bar reaches up (down) to what no
set exceeds (falls below).

**With hindsight, and on other runs.** The best set was chosen with the answer in hand, on these runs; τ and the
reversed pairs say how it ranks them. The value on other runs is that of sets of the same size which were chosen on
one random half of the runs and judged on the other: mean and 5th to 95th percentile over 20 splits. The next tab
has all sizes, more splits, teams kept together, and other topics.

**Reliably good topics.** Sets are chosen by these scores, so some topics are in most good sets of any scores. So
all searches are done again on matrices of exchangeable topics: run means, topic means and the residual variance are
those of the data, and residuals are shuffled over topics, for each team as a whole where names tell teams, else for
each run. A topic is reliably good where random sets with it are better than those without it on both halves of the
runs, by more than any topic of 95 % of these matrices (mean over 20 splits); reliably bad likewise. Where no topic
is better than another, some topic is called reliably good in about 5 % of collections.

**What this does not tell you.** Good sets are no recipe for choosing topics before there are runs. Where teams are
not known, variants of one system stand on both halves and agree for that reason.
"""
    + _GUIVER
    + _KENDALL
    + _BILLIONNET
)

HELD_OUT = (
    r"""
**Runs held out** (section 5.6.1 of Guiver et al.). The runs are split in random halves. Subsets of all topics
are chosen by one half; the other half is ranked by them and by all topics, and the two rankings are compared.
Beside them stand the best, the average and the worst for that other half itself. *Teams together* puts all runs
of a team into one half, so that no variant of a system is on either side; teams are guessed from the names of
the runs.

**Topics held out** (5.6.2). The topics are split. Subsets of one half are chosen by that half, and all runs are
ranked by them and by the whole other half. Even a whole half does not agree with the other, so that the curve
ends short of agreement. The second average is of random sets of the very topics that are the truth.

**Error rates** (5.6.3, after Voorhees and Buckley). With topics held out, sets of $c$ topics of one half are
compared with random sets of $c$ topics of the other, the truth. Pairs of runs are sorted by their difference on
the truth into bins of .01, and are errors where the set reverses them.

**Choosing by one, judging by another** (5.6.4). *Choose by* takes another measure of goodness. *Judge by the
scores* takes another metric of the same runs and topics: chosen by P@10, say, and judged by AP.

**Search.** Best and worst are looked for by swaps from a set number of random starts, from nothing and from
everything, so they may be exceeded. Bands and "nine in ten" are the 5th to the 95th percentile over splits.

**What this does not tell you.** All splits share these runs and topics, so bands do not say what other runs or
topics would give, and a mean over more splits is no surer about that. Runs that helped to make the pool share
its judgments on either side.
"""
    + _GUIVER
    + _VOORHEES_BUCKLEY
)

AUDIT = (
    r"""
**Place.** Run means over your topics are set against those over all topics. Beside them stand random sets of
the same size: your set is better than the share said, those as good counting by half; a random set has any
percentile equally often. Where there are few sets of that size, all are evaluated. Best and worst are those
that swaps found, or that were found by looking at all.

**Halves of the runs.** The runs are split at random many times. On each half your set is judged, beside random
sets and beside the set of its size that a search finds best on the other half: what choosing by past runs is
worth on new ones.

**Ranks.** Runs that tie share the mean of their ranks. A pair of runs is turned where your topics have it the
other way round; a tie on your topics is no turn.

**What this does not tell you.** A set that was chosen by looking at these very runs has an advantage here that
it will not have on others: name those runs under *Chosen by looking at*, and they are left out. All topics
together are the truth here, though they are a sample themselves.
"""
    + _GUIVER
    + _KENDALL
)
