"""``python -m daybank_desktop`` and the ``daybank-desktop`` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Start the window; the exit code is the process's."""
    from daybank_desktop import launch

    return launch.run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
