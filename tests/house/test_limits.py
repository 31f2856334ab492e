"""The limits of a server stand in one module; files that cannot import it have the same numbers."""

import tomllib

from pages.parts.limits import TABLE
from tests.reference_data import REPOSITORY
from topicset_core.parsing.limits import LARGEST_UPLOAD_MB


def test_the_guide_to_deployment_lists_every_limit() -> None:
    text = (REPOSITORY / "docs" / "deploy.md").read_text()
    rows = text.partition("| limit | value |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    assert rows == [f"| {limit} | {value} |" for limit, value in TABLE]


def test_server_and_proxy_allow_the_same_uploads() -> None:
    config = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxUploadSize"] == LARGEST_UPLOAD_MB
    assert f"max_size {LARGEST_UPLOAD_MB}MB" in (REPOSITORY / "deploy" / "Caddyfile").read_text()
