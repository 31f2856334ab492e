"""The program ``topicset``, also ``python -m topicset_core``: see `topicset_core.cli`."""

import os
import sys

from topicset_core.cli import main


def run() -> int:
    """Run a command; it also ends without a traceback where its reader or its user has had enough."""
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # as of head; Python must not flush into it again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130  # as a shell has it


if __name__ == "__main__":
    sys.exit(run())
