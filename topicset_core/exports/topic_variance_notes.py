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
