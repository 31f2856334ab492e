"""The limits of a server stand in one module; files that cannot import it have the same numbers."""

import inspect
import re
import tomllib

from streamlit.runtime.memory_session_storage import MemorySessionStorage

from server.limits import CLOSED_SECONDS, MESSAGES, TABLE
from tests.reference_data import REPOSITORY
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB


def test_the_guide_to_deployment_lists_every_limit() -> None:
    text = (REPOSITORY / "docs" / "deploy.md").read_text()
    rows = text.partition("| limit | value |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    assert rows == [f"| {limit} | {value} |" for limit, value in TABLE]


def test_the_proxy_lets_pass_what_the_server_takes() -> None:
    config = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxUploadSize"] == LARGEST_UPLOAD_MB
    assert config["server"]["maxMessageSize"] * 1_000_000 == MESSAGES.of_one
    (megabytes,) = re.findall(r"max_size (\d+)MB", (REPOSITORY / "deploy" / "Caddyfile").read_text())
    # Streamlit counts in units of 2**20 bytes, Caddy in 10**6; the form around a file takes some more.
    assert 2**20 * LARGEST_UPLOAD_MB < 10**6 * int(megabytes) < 1.1 * 2**20 * LARGEST_UPLOAD_MB


def test_streamlit_keeps_a_closed_session_as_long_as_pages_say() -> None:
    usual = inspect.signature(MemorySessionStorage).parameters
    assert usual["ttl_seconds"].default == CLOSED_SECONDS == 120  # "two minutes" on pages
