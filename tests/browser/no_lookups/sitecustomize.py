"""Python imports this when a server of these tests starts: no other computer is asked for, and each is noted."""

import os
import socket
from typing import Any

_lookup = socket.getaddrinfo
_OWN = (None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::")


def _noted(host: Any, *rest: Any, **more: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name in _OWN:
        return _lookup(host, *rest, **more)
    with open(os.environ["TOPICSET_LOOKUPS"], "a") as file:
        file.write(f"{name}\n")
    raise socket.gaierror(f"no test looks up {name}")


socket.getaddrinfo = _noted
