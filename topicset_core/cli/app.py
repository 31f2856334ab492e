"""``app``: the web app, of the installation, or of the checkout that this library is in."""

import argparse
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from topicset_core.errors import TopicsetError

_CORE = Path(__file__).parents[1]
_PACKAGES = ("streamlit", "pandas", "plotly", "jinja2", "Stemmer", "lunr")  # of the extra `app`


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that `serve.py` reads; those of ``streamlit run`` have its names."""
    parser.description = "Start the web app and print its address."
    parser.epilog = "Further options go to `streamlit run`."
    add = parser.add_argument
    add("--port", type=_port, default=8501, metavar="PORT", help="default: 8501")
    add("--server.port", dest="port", type=_port, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add("--share", action="store_true", help="answer other computers, too; there is no login")
    add("--store", metavar="FOLDER", help="keep uploads there, so that they outlive a restart")
    add("--workers", type=int, choices=range(1, 17), default=1, metavar="N", help="processes for the users")
    for name, metavar in (("address", "ADDRESS"), ("baseUrlPath", "PATH"), ("sslCertFile", "FILE")):
        add(f"--server.{name}", dest=name, default="", metavar=metavar)


def run(options: argparse.Namespace) -> NoReturn:
    """Serve the app until it is ended."""
    if not all(map(find_spec, _PACKAGES)):
        raise TopicsetError('the app needs further packages: pip install "topicset[app]"')
    # Only this process and those of the server find the modules of the app, such as `pages`.
    folder = _CORE / "_app" if (_CORE / "_app").exists() else _CORE.parent
    sys.path.insert(0, str(folder))
    sys.exit(import_module("serve").serve(options, options.others))


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65_536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, which is a number from 1 to 65535")
    return int(text)
