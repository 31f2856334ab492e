"""What can be set in a search: bounds and defaults for code, pages and the command line alike.

Defaults of k1, k3, b and c are those of the appendix of He, Macdonald and Ounis (2008), and so are the
lowest values of exp_doc and exp_term.
"""

import math

from topicset_core.parameter import Parameter

B = Parameter(
    name="b",
    symbol="b",
    label="b, length normalisation of BM25",
    help="How much the length of a document counts: 0 not at all, 1 fully.",
    lower=0,
    upper=1,
    lower_included=True,
    default=0.75,
    step=0.05,
)

K1 = Parameter(
    name="k1",
    symbol="k1",
    label="k1 of BM25",
    help="How soon further occurrences of a term in a document stop counting; 0 at once.",
    lower=0,
    upper=math.inf,
    lower_included=True,
    default=1.2,
    step=0.1,
)

K3 = Parameter(
    name="k3",
    symbol="k3",
    label="k3 of BM25",
    help="How soon further occurrences of a term in a topic stop counting; 0 at once.",
    lower=0,
    upper=math.inf,
    lower_included=True,
    default=1000,
    step=1,
)

C = Parameter(
    name="c",
    symbol="c",
    label="c, length normalisation of PL2",
    help="How little the length of a document counts: the larger, the less.",
    lower=1e-9,  # far beyond any use: further out, rounding would decide
    upper=1e9,
    lower_included=True,
    default=1,
    step=0.5,
)

EXPAND_DOCUMENTS = Parameter(
    name="expand_documents",
    symbol="exp_doc",
    label="exp_doc, documents that queries are expanded from",
    help="The documents ranked first, whose most informative terms join the query.",
    lower=2,
    upper=math.inf,
    lower_included=True,
    default=3,
    step=1,
    integer=True,
)

EXPAND_TERMS = Parameter(
    name="expand_terms",
    symbol="exp_term",
    label="exp_term, terms that join the query",
    help="The most informative terms of the documents ranked first; some may be in the query already.",
    lower=1,
    upper=math.inf,
    lower_included=True,
    default=10,
    step=5,
    integer=True,
)

N_DOCUMENTS = Parameter(
    name="n_documents",
    symbol="n_documents",
    label="Documents returned for a topic",
    help="At most so many: those that have a term of the topic, best first.",
    lower=1,
    upper=math.inf,
    lower_included=True,
    default=1000,  # as in TREC's ad hoc tracks
    step=100,
    integer=True,
)

SWEEP_OF_B = tuple(number / 20 for number in range(21))
"""0, .05, ... 1."""

SWEEP_OF_C = tuple(float(f"{0.1 * 500 ** (number / 29):.2g}") for number in range(30))
"""30 values from .1 to 50, each about 1.24 times the one before."""

SWEEP_OF_EXPAND_DOCUMENTS = tuple(range(3, 11))
"""3 to 10, the paper's sweep (section 4.2)."""

SWEEP_OF_EXPAND_TERMS = tuple(range(10, 101, 5))
"""10, 15, ... 100, the paper's sweep."""
