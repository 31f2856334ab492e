"""What the paper's algorithms count and what its text takes that for, in two sentences each."""

ORDER = (
    "Error rate and KRCC compare the ranking of runs in each simulated collection with the one by the scores "
    "as they are. A bin of the error rate holds pairs by their simulated difference, so the first one has most "
    "of the pairs that turn."
)
SIGNIFICANCE = (
    "Algorithm 3 counts how often a pair is significant in a simulated collection, which is often for runs "
    "that differ; the paper reads that share as a p-value and takes pairs with less than .05 as significant. "
    "Those are the pairs that are almost never significant; a significance level counts how often differences "
    "shifted to mean 0 reach the t that was observed, as in Sakai (2006), where the algorithm is from."
)
DIFFERENCE = (
    "Algorithm 4 looks for the difference at which a pair just becomes significant, and needs differences "
    "shifted to mean 0 for that, as in Sakai (2006); as printed they are not shifted. Then the largest "
    "difference over all pairs is about that between the best run and the worst, whatever the collection does."
)
INDEPENDENCE = (
    "Runs are drawn independently of each other, though two runs on another collection would meet the same "
    "documents. So for runs that rank alike, the pairs that turn and the noise of a difference are upper bounds."
)
DENSITIES = (
    "Densities spread scores beyond those that were there, so that a run whose scores are far from normal, as "
    "those of neural rankers often are, or that gives ranks for scores, scores lower in all simulated "
    "collections. That is the model's doing and not the collection's: compare the means of runs, and trust "
    "resampled scores where both models disagree."
)
PAPER = (
    "On 17 runs of TREC 2003 Robust and 37 of TREC 2019 Deep Learning the paper's first finding holds, "
    "rankings change little: KRCC is .94 and .91 by resampled scores, .85 and .76 by densities. Its second, that "
    "significance is susceptible, does not: 80 % and 72 % of the pairs are significant as they are, 73 % and 63 % "
    "in a simulated collection on average; the paper's 10 % are the pairs that almost never are."
)
