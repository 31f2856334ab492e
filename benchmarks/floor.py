"""Pages as small as Streamlit allows, on a server of their own: what no page of this app can be faster than."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.reference_data import REPOSITORY
from topicset_core.analyses.planning.charts import design_figures
from topicset_core.analyses.planning.curves import curves_around
from topicset_core.designs import one_way_anova

_SCRIPT = """
import plotly.graph_objects as go
import streamlit as st
from figure import FIGURE


def built():
    return go.Figure(FIGURE)


st.title("Floor")
if "elements" in st.query_params:
    for number in range(int(st.query_params["elements"])):
        st.markdown(f"Element {number}")
else:
    for name in ("alpha", "beta", "difference", "systems"):
        st.number_input(name, 0.0, 100.0, 0.05)
    st.plotly_chart(st.cache_resource(built)() if "kept" in st.query_params else built())
"""
_MOST_SECONDS = 60


@contextmanager
def floor() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server of the script with the configuration of the app; yield its process and address."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(REPOSITORY / ".streamlit", folder / ".streamlit")
        (folder / "floor.py").write_text(_SCRIPT)
        (folder / "figure.py").write_text(f"FIGURE = {_figure()!r}\n")
        with _server(folder) as running:
            yield running


def _figure() -> object:
    """Return the curve of the page of a one-way ANOVA, as Plotly's schema has it."""
    requirements = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=0.05, n_systems=10
    )
    exact = one_way_anova.required_topics(requirements)
    curves = curves_around(requirements.plan(), exact.required_topics)
    return json.loads(next(iter(design_figures(exact, curves, "AP"))).drawn.to_json())


@contextmanager
def _server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://localhost:{port}"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            "floor.py",
            f"--server.port={port}",
            "--logger.level=warning",
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        text=True,
        env=os.environ,
    )
    try:
        deadline = time.monotonic() + _MOST_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                break
            time.sleep(0.1)
        yield process, address
    finally:
        process.terminate()
        process.wait(timeout=_MOST_SECONDS)
