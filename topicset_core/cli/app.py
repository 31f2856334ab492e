"""``app``: the web app, of the installation, or of the checkout that this library is in."""

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from topicset_core.errors import TopicsetError

_CORE = Path(__file__).parents[1]
_PACKAGES = ("streamlit", "pandas", "plotly", "jinja2", "Stemmer", "lunr")  # of the extra `app`


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the server, which reads them again; those of ``streamlit run`` have its names."""
    parser.description = "Start the web app and print its address."
    parser.epilog = "Further options go to `streamlit run`."
    add = parser.add_argument
    add("--port", type=_port, default=8501, metavar="PORT", help="default: 8501")
    add("--server.port", dest="port", type=_port, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add("--share", action="store_true", help="answer other computers, too; there is no login")
    add("--store", metavar="FOLDER", help="keep uploads there, so that they outlive a restart")
    for name, metavar in (("address", "ADDRESS"), ("baseUrlPath", "PATH"), ("sslCertFile", "FILE")):
        add(f"--server.{name}", dest=name, default="", metavar=metavar)


def run(options: argparse.Namespace) -> NoReturn:
    """Serve the app until it is ended."""
    if not all(map(find_spec, _PACKAGES)):
        raise TopicsetError('the app needs further packages: pip install "topicset[app]"')
    # The server is a program of its own, above this one. It alone finds the modules of the app, such as `pages`.
    folder = _CORE / "_app" if (_CORE / "_app").exists() else _CORE.parent
    places = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    words = options.words[options.words.index("app") + 1 :]
    command = [sys.executable, "-P", "-m", "server", *words]  # -P: a folder here may be called so, too
    if sys.platform == "win32":  # which would not wait for what takes the place of this process
        sys.exit(subprocess.call(command, env=environment))  # noqa: S603 - our own command line
    os.execve(command[0], command, environment)  # noqa: S606 - our own command line


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65_536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, which is a number from 1 to 65535")
    return int(text)
