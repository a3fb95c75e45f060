"""``python -m daybank.cli`` is the ``daybank`` command."""

import sys

from daybank.cli import main

sys.exit(main())
