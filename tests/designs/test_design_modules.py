"""The design modules as modules: light to import."""

import importlib
import pkgutil
import subprocess
import sys

import topicset_core.designs

MODULES = sorted(
    f"topicset_core.designs.{module.name}" for module in pkgutil.iter_modules(topicset_core.designs.__path__)
)

IMPORT = """
import sys, time
start = time.process_time()
import topicset_core.designs, topicset_core.analyses.sizing.reported_result, topicset_core.variance
import topicset_core.parsing, topicset_core.retrieval, topicset_core.samples
print(time.process_time() - start, *{name.partition(".")[0] for name in sys.modules})
from topicset_core.designs.one_way_anova import Requirements, required_topics
required_topics(Requirements(alpha=.05, beta=.2, min_d=.1, within_system_variance=.0471, n_systems=10))
print(*sys.modules)
"""


def test_importing_the_core_and_its_first_exact_answer_are_light() -> None:
    output = subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout
    before, after = output.splitlines()
    seconds, *modules = before.split()
    # SciPy is imported by the first question, not before.
    heavy = {"streamlit", "pandas", "plotly", "matplotlib", "numba", "scipy", "openpyxl", "Stemmer", "lunr"}
    assert heavy & set(modules) == set()
    assert {"scipy.stats", "scipy.optimize", "numba", "pandas", "plotly"} & set(after.split()) == set()
    # NumPy takes .15 s; the bound is against a catastrophe only, on a busy machine.
    assert float(seconds) < 10


def test_every_design_has_one_design_object() -> None:
    for names in ("name", "slug"):
        named = [getattr(design, names) for design in topicset_core.designs.ALL_DESIGNS]
        assert len(set(named)) == len(named)
    for design in topicset_core.designs.ALL_DESIGNS:
        assert topicset_core.designs.design_named(design.slug) is design
        assert hasattr(design, "power") == design.has_power
        module = importlib.import_module(design.requirements.__module__)
        assert callable(module.required_topics_grid)
