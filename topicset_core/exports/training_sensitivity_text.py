"""A paragraph for a paper on what a system was trained by, and its record."""

from dataclasses import dataclass
from typing import Any

from topicset_core import __version__
from topicset_core.analyses.training_sensitivity import TrainingSensitivity, recommendation
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.training_sensitivity_tables import plain_experiment
from topicset_core.references import BUCKLEY_2004, HE_2008
from topicset_core.wording import counted


def training_sensitivity_text(found: TrainingSensitivity) -> tuple[str, str]:
    """Return how the measure to train by was chosen, in plain text and in LaTeX.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    """
    swept = ", ".join(found.settings.parameters)
    settings = f"{counted(len(found.settings.systems), 'setting')}{f' of {swept}' if swept else ''}"
    levels = ", ".join(f"{level:g}" for level in found.levels)
    topics = sum(len(task.training) for task in found.tasks) / len(found.tasks)
    kept = ", one relevant document of each topic being kept" if found.request.keep_one else ""
    how = {"sweep": "chosen that scores best", "annealing": "sought by simulated annealing that scores best"}
    paragraph = (
        f"Sensitivity to the training measure was studied as by He et al. {CITATION} on {settings} "
        f"({found.collection}). In {counted(len(found.tasks), 'task')} of {topics:g} training topics on average "
        f"the setting was {how[found.request.optimiser]} by {', '.join(found.measures)}, after all but {levels} % "
        "of the judgments, relevant and not relevant alike, had been removed at random from the training topics"
        f"{kept} ({found.request.n_samples} samples at each level, drawn over the topics of all tasks together, "
        f"seed {found.request.seed}); removed documents stayed in the pool as not judged, "
        "and settings that tied were drawn from. Test topics kept all judgments. "
        f"{recommendation(found).sentence} Effectiveness was compared by Wilcoxon's signed-ranks test over "
        f"samples, with Holm's adjustment for the number of measures (Topicset {__version__})."
    )
    works = (HE_2008, BUCKLEY_2004)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


@dataclass(frozen=True)
class RecordedExperiment:
    """An experiment that can write itself down.

    Parameters
    ----------
    found : TrainingSensitivity
        The experiment.
    n_documents : int or None
        Documents of the collection, where known.
    """

    found: TrainingSensitivity
    n_documents: int | None = None

    def record(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return plain_experiment(self.found, self.n_documents)
