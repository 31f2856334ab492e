"""``python -m topicset_core``: see `topicset_core.cli`."""

import sys

from topicset_core.cli import main

sys.exit(main())
