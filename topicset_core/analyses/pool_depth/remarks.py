"""What a reader of a study of pool depths has to know about the data."""

from collections.abc import Sequence

from topicset_core.analyses.pool_depth.designs import DepthDesign
from topicset_core.analyses.pool_depth.judged_depth import JudgedDepth
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.wording import counted


def remarks(collections: Sequence[JudgedRuns], depths: Sequence[int], judged: JudgedDepth) -> tuple[str, ...]:
    """Return sentences on how deep was judged, and on runs that are shallow or alone."""
    said = []
    if judged.depth is None:
        said.append(
            "The judgments were not made from a pool of just these runs: at every depth some of their documents "
            "are not judged, so the numbers of judged documents are too low for a new pool."
        )
    else:
        reached = judged.n_topics + judged.n_deeper
        said.append(
            f"The judgments reach depth {judged.depth}: so far down every document of these runs is judged for "
            f"{reached} of {counted(reached + judged.n_shallower, 'topic')}."
        )
        if judged.n_shallower:
            said.append(
                f"For {counted(judged.n_shallower, 'topic')} some documents above that depth are not judged, as "
                "where judgments come from a pool of other runs: a new pool would cost more than is shown."
            )
        if max(depths) > judged.depth:
            said.append(
                f"Depth {max(depths)} goes beyond the judgments, which end at {judged.depth}: deeper documents "
                "are judged only where another run had them higher."
            )
    for runs in collections:
        absent = int((~runs.n_retrieved.any(axis=1)).sum())
        if absent:
            said.append(
                f"{runs.qrels.name}: {counted(absent, 'topic')} of {runs.n_topics} with no document of any run; "
                "left out, as nothing of theirs can be pooled."
            )
        deepest = runs.n_retrieved.max(axis=0)
        shallow = int((deepest < max(depths)).sum())
        if shallow:
            said.append(
                f"{runs.qrels.name}: {shallow} of {counted(runs.n_systems, 'run')} return fewer documents than "
                f"depth {max(depths)} on every topic; they bring to the pool what they have."
            )
        if runs.n_systems == 1:
            said.append(
                f"{runs.qrels.name}: with one run there is no ranking to compare, and its variance is all."
            )
    return tuple(said)


def free_depths(designs: Sequence[DepthDesign]) -> tuple[str, ...]:
    """Return a sentence on depths that seem to cost nothing, as so little of their pools was judged."""
    free = sorted({design.pool_depth for design in designs if design.judged_per_topic < 0.5})
    if not free:
        return ()
    return (
        f"At depth {', '.join(map(str, free))} less than half a document a topic is judged: the cost rounds to 0, "
        "and tells nothing of what a new pool would cost.",
    )
