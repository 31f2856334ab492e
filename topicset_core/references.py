"""Works that the methods come from, each once: for texts, pages and files that cite them."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Reference:
    """A work to cite."""

    key: str
    # As BibTeX has them
    author: str
    title: str
    venue: str  # journal, or proceedings
    volume: int | None
    pages: str  # first and last, with a hyphen
    year: int
    doi: str  # without its resolver
    # What BibTeX takes it for, where that is neither an article nor in proceedings
    kind: Literal["", "unpublished"] = ""

    @property
    def plain(self) -> str:
        """The work as a line of plain text."""
        place = self.venue if self.volume is None else f"{self.venue} {self.volume}"
        pages = f", {self.pages}" if self.pages else ""
        resolved = f" https://doi.org/{self.doi}" if self.doi else ""
        return f"{self.author.removesuffix('.')}. {self.title}. {place}{pages} ({self.year}).{resolved}"

    @property
    def bibtex(self) -> str:
        """The work as a BibTeX entry."""
        kind, venue = ("inproceedings", "booktitle") if self.volume is None else ("article", "journal")
        if self.kind:
            kind, venue = self.kind, "note"
        fields = {"author": self.author, "title": f"{{{self.title}}}", venue: self.venue}
        fields |= {} if self.volume is None else {"volume": str(self.volume)}
        fields |= {"pages": self.pages.replace("-", "--"), "year": str(self.year), "doi": self.doi}
        known = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
        return f"@{kind}{{{self.key},\n" + ",\n".join(known) + "\n}"


WILSON_1927 = Reference(
    "wilson1927probable",
    "Wilson, Edwin B.",
    "Probable inference, the law of succession, and statistical inference",
    "Journal of the American Statistical Association",
    22,
    "209-212",
    1927,
    "10.1080/01621459.1927.10502953",
)
CLOPPER_PEARSON_1934 = Reference(
    "clopper1934use",
    "Clopper, C. J. and Pearson, E. S.",
    "The use of confidence or fiducial limits illustrated in the case of the binomial",
    "Biometrika",
    26,
    "404-413",
    1934,
    "10.1093/biomet/26.4.404",
)
KENDALL_1945 = Reference(
    "kendall1945treatment",
    "Kendall, Maurice G.",
    "The treatment of ties in ranking problems",
    "Biometrika",
    33,
    "239-251",
    1945,
    "10.1093/biomet/33.3.239",
)
MCNEMAR_1947 = Reference(
    "mcnemar1947note",
    "McNemar, Quinn",
    "Note on the sampling error of the difference between correlated proportions or percentages",
    "Psychometrika",
    12,
    "153-157",
    1947,
    "10.1007/BF02295996",
)
TUKEY_1953 = Reference(
    "tukey1953problem",
    "Tukey, John W.",
    "The problem of multiple comparisons",
    "Unpublished manuscript, Princeton University",
    None,
    "",
    1953,
    "",
    kind="unpublished",
)
BOX_1954 = Reference(
    "box1954theorems",
    "Box, George E. P.",
    "Some theorems on quadratic forms applied in the study of analysis of variance problems, II. Effects of "
    "inequality of variance and of correlation between errors in the two-way classification",
    "The Annals of Mathematical Statistics",
    25,
    "484-498",
    1954,
    "10.1214/aoms/1177728717",
)
DUNNETT_1955 = Reference(
    "dunnett1955multiple",
    "Dunnett, Charles W.",
    "A multiple comparison procedure for comparing several treatments with a control",
    "Journal of the American Statistical Association",
    50,
    "1096-1121",
    1955,
    "10.1080/01621459.1955.10501294",
)
GREENHOUSE_GEISSER_1959 = Reference(
    "greenhouse1959methods",
    "Greenhouse, Samuel W. and Geisser, Seymour",
    "On methods in the analysis of profile data",
    "Psychometrika",
    24,
    "95-112",
    1959,
    "10.1007/BF02289823",
)
OWEN_1965 = Reference(
    "owen1965special",
    "Owen, Donald B.",
    "A special case of a bivariate non-central t-distribution",
    "Biometrika",
    52,
    "437-446",
    1965,
    "10.1093/biomet/52.3-4.437",
)
HOLM_1979 = Reference(
    "holm1979simple",
    "Holm, Sture",
    "A simple sequentially rejective multiple test procedure",
    "Scandinavian Journal of Statistics",
    6,
    "65-70",
    1979,
    "",
)
SCHUIRMANN_1987 = Reference(
    "schuirmann1987comparison",
    "Schuirmann, Donald J.",
    "A comparison of the two one-sided tests procedure and the power approach for assessing the equivalence of "
    "average bioavailability",
    "Journal of Pharmacokinetics and Biopharmaceutics",
    15,
    "657-680",
    1987,
    "10.1007/BF01068419",
)
SUISSA_SHUSTER_1991 = Reference(
    "suissa1991matched",
    "Suissa, Samy and Shuster, Jonathan J.",
    "The 2 x 2 matched-pairs trial: exact unconditional design and analysis",
    "Biometrics",
    47,
    "361-372",
    1991,
    "10.2307/2532138",
)
TANGO_1998 = Reference(
    "tango1998equivalence",
    "Tango, Toshiro",
    "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
    "Statistics in Medicine",
    17,
    "891-908",
    1998,
    "10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
)
LIU_2002 = Reference(
    "liu2002tests",
    "Liu, Jen-Pei and Hsueh, Huey-Miin and Hsieh, Eric and Chen, James J.",
    "Tests for equivalence or non-inferiority for paired binary data",
    "Statistics in Medicine",
    21,
    "231-245",
    2002,
    "10.1002/sim.1012",
)
FAGERLAND_2013 = Reference(
    "fagerland2013mcnemar",
    "Fagerland, Morten W. and Lydersen, Stian and Laake, Petter",
    "The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact conditional",
    "BMC Medical Research Methodology",
    13,
    "91",
    2013,
    "10.1186/1471-2288-13-91",
)
VOORHEES_BUCKLEY_2002 = Reference(
    "voorhees2002effect",
    "Voorhees, Ellen M. and Buckley, Chris",
    "The effect of topic set size on retrieval experiment error",
    "Proceedings of SIGIR 2002",
    None,
    "316-323",
    2002,
    "10.1145/564376.564432",
)
BUCKLEY_2004 = Reference(
    "buckley2004incomplete",
    "Buckley, Chris and Voorhees, Ellen M.",
    "Retrieval evaluation with incomplete information",
    "Proceedings of SIGIR 2004",
    None,
    "25-32",
    2004,
    "10.1145/1008992.1009000",
)
LIN_HAUPTMANN_2005 = Reference(
    "lin2005revisiting",
    "Lin, Wei-Hao and Hauptmann, Alexander",
    "Revisiting the effect of topic set size on retrieval error",
    "Proceedings of SIGIR 2005",
    None,
    "",
    2005,
    "",
)
CORMACK_LYNAM_2006 = Reference(
    "cormack2006statistical",
    "Cormack, Gordon V. and Lynam, Thomas R.",
    "Statistical precision of information retrieval evaluation",
    "Proceedings of SIGIR 2006",
    None,
    "533-540",
    2006,
    "10.1145/1148170.1148262",
)
SAKAI_2006 = Reference(
    "sakai2006bootstrap",
    "Sakai, Tetsuya",
    "Evaluating evaluation metrics based on the bootstrap",
    "Proceedings of SIGIR 2006",
    None,
    "525-532",
    2006,
    "10.1145/1148170.1148261",
)
HE_2008 = Reference(
    "he2008retrieval",
    "He, Ben and Macdonald, Craig and Ounis, Iadh",
    "Retrieval sensitivity under training using different measures",
    "Proceedings of SIGIR 2008",
    None,
    "67-74",
    2008,
    "10.1145/1390334.1390348",
)
BILLIONNET_2009 = Reference(
    "billionnet2009improving",
    "Billionnet, Alain and Elloumi, Sourour and Plateau, Marie-Christine",
    "Improving the performance of standard solvers for quadratic 0-1 programs by a tight convex reformulation: The "
    "QCR method",
    "Discrete Applied Mathematics",
    157,
    "1185-1197",
    2009,
    "10.1016/j.dam.2007.12.007",
)
GUIVER_2009 = Reference(
    "guiver2009few",
    "Guiver, John and Mizzaro, Stefano and Robertson, Stephen",
    "A few good topics: Experiments in topic set reduction for retrieval evaluation",
    "ACM Transactions on Information Systems",
    27,
    "",
    2009,
    "10.1145/1629096.1629099",
)
ROBERTSON_KANOULAS_2012 = Reference(
    "robertson2012pertopic",
    "Robertson, Stephen E. and Kanoulas, Evangelos",
    "On per-topic variance in IR evaluation",
    "Proceedings of SIGIR 2012",
    None,
    "891-900",
    2012,
    "10.1145/2348283.2348402",
)
SAKAI_2016 = Reference(
    "sakai2016topicsetsize",
    "Sakai, Tetsuya",
    "Topic set size design",
    "Information Retrieval Journal",
    19,
    "256-283",
    2016,
    "10.1007/s10791-015-9273-z",
)
SAKAI_2016_REVIEW = Reference(
    "sakai2016statistical",
    "Sakai, Tetsuya",
    "Statistical significance, power, and sample sizes: a systematic review of SIGIR and TOIS, 2006-2015",
    "Proceedings of SIGIR 2016",
    None,
    "5-14",
    2016,
    "10.1145/2911451.2911492",
)
SAKAI_2018 = Reference(
    "sakai2018paired",
    "Sakai, Tetsuya",
    "Topic set size design for paired and unpaired data",
    "Proceedings of ICTIR 2018",
    None,
    "199-202",
    2018,
    "10.1145/3234944.3234971",
)
YANG_2018 = Reference(
    "yang2018pertopic",
    "Yang, Meng and Zhang, Peng and Song, Dawei",
    "A study of per-topic variance on system comparison",
    "Proceedings of SIGIR 2018",
    None,
    "1181-1184",
    2018,
    "10.1145/3209978.3210122",
)
TUSHER_2001 = Reference(
    "tusher2001significance",
    "Tusher, Virginia Goss and Tibshirani, Robert and Chu, Gilbert",
    "Significance analysis of microarrays applied to the ionizing radiation response",
    "Proceedings of the National Academy of Sciences",
    98,
    "5116-5121",
    2001,
    "10.1073/pnas.091062498",
)
ROMANO_WOLF_2005 = Reference(
    "romano2005exact",
    "Romano, Joseph P. and Wolf, Michael",
    "Exact and approximate stepdown methods for multiple hypothesis testing",
    "Journal of the American Statistical Association",
    100,
    "94-108",
    2005,
    "10.1198/016214504000000539",
)
BODOFF_LI_2007 = Reference(
    "bodoff2007test",
    "Bodoff, David and Li, Pu",
    "Test theory for assessing IR test collections",
    "Proceedings of SIGIR 2007",
    None,
    "367-374",
    2007,
    "",
)
URBANO_2013 = Reference(
    "urbano2013measurement",
    "Urbano, Julián and Marrero, Mónica and Martín, Diego",
    "On the measurement of test collection reliability",
    "Proceedings of SIGIR 2013",
    None,
    "393-402",
    2013,
    "",
)
MOGSTAD_2024 = Reference(
    "mogstad2024inference",
    "Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel",
    "Inference for ranks with applications to mobility across neighbourhoods and academic achievement across "
    "countries",
    "The Review of Economic Studies",
    91,
    "476-518",
    2024,
    "10.1093/restud/rdad006",
)
OBRIEN_FLEMING_1979 = Reference(
    "obrien1979multiple",
    "O'Brien, Peter C. and Fleming, Thomas R.",
    "A multiple testing procedure for clinical trials",
    "Biometrics",
    35,
    "549-556",
    1979,
    "10.2307/2530245",
)
POCOCK_1977 = Reference(
    "pocock1977group",
    "Pocock, Stuart J.",
    "Group sequential methods in the design and analysis of clinical trials",
    "Biometrika",
    64,
    "191-199",
    1977,
    "10.1093/biomet/64.2.191",
)
LAN_DEMETS_1983 = Reference(
    "lan1983discrete",
    "Lan, K. K. Gordon and DeMets, David L.",
    "Discrete sequential boundaries for clinical trials",
    "Biometrika",
    70,
    "659-663",
    1983,
    "10.1093/biomet/70.3.659",
)
STEIN_1945 = Reference(
    "stein1945two",
    "Stein, Charles",
    "A two-sample test for a linear hypothesis whose power is independent of the variance",
    "The Annals of Mathematical Statistics",
    16,
    "243-258",
    1945,
    "10.1214/aoms/1177731088",
)
WEBBER_2008 = Reference(
    "webber2008statistical",
    "Webber, William and Moffat, Alistair and Zobel, Justin",
    "Statistical power in retrieval experimentation",
    "Proceedings of CIKM 2008",
    None,
    "571-580",
    2008,
    "10.1145/1458082.1458158",
)
CARTERETTE_2012 = Reference(
    "carterette2012multiple",
    "Carterette, Ben",
    "Multiple testing in statistical analysis of systems-based information retrieval experiments",
    "ACM Transactions on Information Systems",
    30,
    "4",
    2012,
    "10.1145/2094072.2094076",
)
URBANO_2019 = Reference(
    "urbano2019statistical",
    "Urbano, Julián and Lima, Harlley and Hanjalic, Alan",
    "Statistical significance testing in information retrieval: An empirical analysis of type I, type II and "
    "type III errors",
    "Proceedings of SIGIR 2019",
    None,
    "505-514",
    2019,
    "10.1145/3331184.3331259",
)
BRENNAN_2001 = Reference(
    "brennan2001generalizability",
    "Brennan, Robert L.",
    "Generalizability Theory",
    "Springer, New York",
    None,
    "",
    2001,
    "10.1007/978-1-4757-3456-0",
)
SATTERTHWAITE_1946 = Reference(
    "satterthwaite1946approximate",
    "Satterthwaite, Franklin E.",
    "An approximate distribution of estimates of variance components",
    "Biometrics Bulletin",
    2,
    "110-114",
    1946,
    "10.2307/3002019",
)
COCHRAN_1977 = Reference(
    "cochran1977sampling",
    "Cochran, William G.",
    "Sampling Techniques",
    "Wiley, New York, 3rd edition",
    None,
    "",
    1977,
    "",
)
ELDRIDGE_2006 = Reference(
    "eldridge2006sample",
    "Eldridge, Sandra M. and Ashby, Deborah and Kerry, Sally",
    "Sample size for cluster randomized trials: effect of coefficient of variation of cluster size and analysis "
    "method",
    "International Journal of Epidemiology",
    35,
    "1292-1300",
    2006,
    "10.1093/ije/dyl129",
)
ANGELOPOULOS_2023 = Reference(
    "angelopoulos2023ppi",
    "Angelopoulos, Anastasios N. and Duchi, John C. and Zrnic, Tijana",
    "PPI++: efficient prediction-powered inference",
    "arXiv:2311.01453",
    None,
    "",
    2023,
    "10.48550/arXiv.2311.01453",
)
MORIKAWA_1995 = Reference(
    "morikawa1995useful",
    "Morikawa, Toshihiko and Yoshida, Masaki",
    "A useful testing strategy in phase III trials: combined test of superiority and test of equivalence",
    "Journal of Biopharmaceutical Statistics",
    5,
    "297-306",
    1995,
    "10.1080/10543409508835115",
)
