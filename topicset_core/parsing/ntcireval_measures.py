"""What NTCIREVAL and pyNTCIREVAL call measures, and what these are called here.

In diversity evaluation (``Dnev``, ``DINnev``) lines of intents follow the others, which come from global
gains: by NTCIREVAL's README.diversity, D-Q and D-nDCG "are printed as" Q and MSnDCG. Papers call them by
their own names, and so are they called here.
"""

import re
from collections.abc import Iterator, Sequence

from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.table import Table

PADDED = re.compile(r"@0*(?=\d)")
# README of NTCIREVAL, 3.2: "nDCG (original nDCG)", "MSnDCG (Microsoft version of nDCG)".
ORIGINAL = "original nDCG"
PORT = {
    "OMeasure": "O-measure",
    "PMeasure": "P-measure",
    "PPlusMeasure": "P-plus",
    "NCUguP": "NCUgu,P",
    "NCUguBR": "NCUgu,BR",
    "NCUrbP": "NCUrb,P",
    "NCUrbBR": "NCUrb,BR",
}
"""What pyNTCIREVAL calls measures, by the names of its classes, and NTCIREVAL by those of the papers."""


def family_of(table: Table, spellings: Sequence[str]) -> str:
    """Return what goes before the measures of diversity evaluation; nothing where there are no intents."""
    if not any(cell.startswith(("#intent_num", "I-rec@")) for row in table.rows for cell in row.cells[:2]):
        return ""
    return "DIN" if any(one.startswith("DIN#") for one in spellings) else "D"


def called(spelling: str, family: str) -> str:
    """Return the project's name of a measure, with its family and its cutoff without zeros."""
    name = PADDED.sub("@", spelling)
    base, at, cutoff = name.partition("@")
    base = PORT.get(base, base)
    if family and not base.startswith(("I-rec", "IA-", f"{family}#", f"{family}-")):
        base = {"nDCG": ORIGINAL, "MSnDCG": "nDCG"}.get(base, base)
        base = f"{family}-{measure_name(base) or base}"
    elif base == "nDCG":
        base = ORIGINAL
    name = f"{base}{at}{cutoff}"
    return measure_name(name) or name


def on_measures(spellings: Sequence[str], family: str) -> Iterator[str]:
    """Say what measures of NTCIREVAL are, where others of the same name are not."""
    bases = [spelling.partition("@")[0] for spelling in spellings]
    if family:
        yield (
            "There are lines of intents, so measures are those of diversity evaluation, by global gains: MSnDCG "
            f"is called {family}-nDCG here, Q is called {family}-Q, and so on."
        )
    elif "nDCG" in bases:
        yield (
            f"'nDCG' is that of Järvelin and Kekäläinen (2002), called {ORIGINAL!r} here; 'MSnDCG' is what "
            "trec_eval and others call nDCG."
        )
    if any(one.startswith(("AP@", "Q@", "QMeasure@")) for one in spellings):
        yield "AP and Q with a cutoff k are divided by min(k, relevant documents), map_cut of trec_eval by all."
