"""The window of the bundle."""

import sys

from daybank_desktop.__main__ import main

sys.exit(main())
