"""The table of contents: every page of the app, one entry each, in the order of the side bar.

The navigation, the links of the start page and the tests that open every page are made from it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Listed:
    """One page of the app.

    Parameters
    ----------
    file : str
        Path of its file below the repository.
    title : str
        What the side bar calls it.
    url_path : str
        Its address; "" for the start page. It differs from the name of the file: a cold visitor to
        ``/one_way_anova`` would otherwise get the bare file without the app's frame, as Streamlit first
        looks for pages by their file names.
    section : str
        Heading in the side bar.
    link : str
        What the start page says that leads here; "" where it does not.
    """

    file: str
    title: str
    url_path: str
    section: str
    link: str = ""

    @property
    def address(self) -> str:
        """Path of its address."""
        return f"/{self.url_path}"

    @property
    def heading(self) -> str:
        """What stands at its top: its title, and the app's name on the start page."""
        return self.title if self.url_path else "Topicset"


def _page(name: str, title: str, url_path: str, section: str, link: str = "") -> Listed:
    return Listed(f"pages/{name}.py", title, url_path, section, link)


_DATA, _TOPICS, _DEPTH, _TRUST = "Your data", "How many topics?", "How deep?", "How far to trust it?"

CONTENTS = (
    _page("start", "Start", "", ""),
    _page(
        "score_matrices",
        "Score matrices",
        "score-matrices",
        _DATA,
        "I have scores: bring a table of topics and runs",
    ),
    _page(
        "runs_and_qrels",
        "Runs and judgments",
        "runs-and-qrels",
        _DATA,
        "I have runs and judgments: score them first",
    ),
    _page("one_way_anova", "One-way ANOVA", "one-way-anova", _TOPICS, "Several systems: one-way ANOVA"),
    _page("paired_t", "Paired t test", "paired-t-test", _TOPICS, "Two systems, same topics: paired t test"),
    _page("two_sample_t", "Two-sample t test", "two-sample-t-test", _TOPICS),
    _page("confidence_interval", "Confidence interval", "confidence-interval", _TOPICS),
    _page("compare_designs", "Compare designs", "compare-designs", _TOPICS),
    _page("reported_result", "Reported result", "reported-result", _TOPICS),
    _page("pool_depth", "Pool depth", "pool-depth", _DEPTH, "How deep should I judge, for the money I have?"),
    _page("error_rate", "Error rate", "error-rate", _TRUST, "How often would other topics reverse a result?"),
    _page(
        "topic_subsets",
        "Topic subsets",
        "topic-subsets",
        _TRUST,
        "Which topics would have been enough?",
    ),
    _page(
        "topic_variance",
        "Topic variance",
        "topic-variance",
        _TRUST,
        "Would another document collection change the conclusions?",
    ),
    _page("training_sensitivity", "Training sensitivity", "training-sensitivity", _TRUST),
)
