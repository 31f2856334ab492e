"""``python -m topicset_core``, as ``topicset``: see `topicset_core.cli`."""

import os
import sys

from topicset_core.cli import main

try:
    status = main()
    sys.stdout.flush()
except BrokenPipeError:  # the reader, such as head, has had enough; Python must not flush into it again
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    status = 0
sys.exit(status)
