"""``python -m topicset_core``, as ``topicset``: see `topicset_core.cli`."""

import sys

from topicset_core.cli import main

sys.exit(main())
