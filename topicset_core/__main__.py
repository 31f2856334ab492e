"""``python -m topicset_core``, as ``topicset``: see `topicset_core.cli`."""

import os
import sys

from topicset_core.cli import main

status = 0
try:
    status = main()
    sys.stdout.flush()
except BrokenPipeError:  # the reader, such as head, has had enough; Python must not flush into it again
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
sys.exit(status)
