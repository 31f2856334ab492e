"""What users leave behind is given back to the machine: twice a minute, not after every run of a page.

Streamlit would look through all objects in memory after each run, which is over half of what a page
costs here (``runner.postScriptGC`` in .streamlit/config.toml). Python does so by itself only once there
is a quarter more to look at, which a few large objects never are: the runs of a user who left would stay.
"""

import gc
import threading
import time

import streamlit as st

_EVERY_SECONDS = 30


@st.cache_resource(show_spinner=False)
def tidy_up() -> threading.Thread:
    """Begin to tidy up, once a server."""
    thread = threading.Thread(target=_tidy_up, name="tidying", daemon=True)
    thread.start()
    return thread


def _tidy_up() -> None:
    while True:
        time.sleep(_EVERY_SECONDS)
        gc.collect()
