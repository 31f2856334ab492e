"""TREC03new and TREC04new: scores of the TREC robust tracks as Sakai (2016) planned with them."""

from collections.abc import Collection
from dataclasses import replace

from tests.reference_data import reference_matrix
from topicset_core.collection import ScoreMatrix

LEFT_OUT = """
JuruDes JuruDesAggr JuruDesLaMd JuruDesQE JuruDesSwQE JuruDesTrSl JuruTitDes NLPR04OKapi SABIR04BD SABIR04FD
apl04rsDw fub04De fub04Dg fub04Dge humR04d4 humR04d4e5 humR04d5 humR04d5i humR04d5m icl04pos2d mpi04r02 pircRB04d2
pircRB04d3 pircRB04d4 pircRB04d5 polyudp2 polyudp4 uogRobDBase uogRobDWR10 uogRobDWR5 vtumdesc wdoqdn1
"""
"""The 32 runs of 2004 that the paper leaves out: they use the description of a topic only."""


def trec03new() -> ScoreMatrix:
    """Topics 601-650 of robust 2003 (its rows t051-t100), all 78 runs."""
    return _part("robust2003_ap", 50, "TREC03new_ap")


def trec04new() -> ScoreMatrix:
    """Topics 651-700 without 672 of robust 2004, the 78 of 110 runs that the paper keeps."""
    return _part("robust2004_ap", 200, "TREC04new_ap", LEFT_OUT.split())


def _part(file: str, first: int, name: str, left_out: Collection[str] = ()) -> ScoreMatrix:
    whole = reference_matrix(file)
    keep = [place for place, system in enumerate(whole.systems) if system not in left_out]
    return replace(
        whole,
        scores=whole.scores[first:, keep],
        topics=whole.topics[first:],
        systems=tuple(whole.systems[place] for place in keep),
        name=name,
    )
