"""Simulated runs and judgments, made once a server: an ad hoc task, and a diversity task with intents."""

from typing import Literal

import streamlit as st

from topicset_core.collection.judged_runs import join
from topicset_core.parsing.trec.qrels import ReadQrels
from topicset_core.parsing.trec.runs import ReadRun
from topicset_core.parsing.trec.track import Track
from topicset_core.samples import simulated_diversity, simulated_runs

Task = Literal["ad hoc", "diversity"]
"""Of a diversity task documents are judged for each intent of a topic."""

SEEDS: dict[Task, int] = {
    "ad hoc": simulated_runs.DEFAULT_SEED,
    "diversity": simulated_diversity.DEFAULT_SEED,
}


@st.cache_resource(show_spinner=False)
def sample_track(task: Task) -> Track:
    """Return the simulated runs and judgments of a task."""
    if task == "diversity":
        runs, qrels = simulated_diversity.simulated_diversity_track()
    else:
        runs, qrels = simulated_runs.simulated_track()
    said = (f"Simulated, with seed {SEEDS[task]}.", *([qrels.intents.said] if qrels.intents else []))
    return Track(
        runs=tuple(ReadRun(run=run, file="simulated", said=said[:1]) for run in runs),
        qrels=(ReadQrels(qrels=qrels, file="simulated", said=said),),
        judged=(join(runs, qrels),),
    )
