"""The `daybank` command of the bundle."""

import sys

from daybank.cli import main

sys.exit(main())
