"""``daybank --self-check``: whether this installation can do what Daybank needs.

Not a command of an area: it needs no memory folder, and is asked when little may work.
"""

from __future__ import annotations

from collections.abc import Sequence

from daybank.cli.arguments import Parser
from daybank.cli.output import FOUND, NOTHING, Output

FLAG = "--self-check"
_SIGNS = {"ok": "ok", "warning": "note", "error": "FAILED"}


def run(argv: Sequence[str], output: Output) -> int:
    """What is typed after the flag is in ``argv``. Exit code 0: all is well, 1: something fails."""
    parser = Parser(
        prog=f"daybank {FLAG}",
        description="Check this installation: search, model, time zones, folders, window."
        " No note is read.",
        epilog="Exit codes: 0 all is well, 1 something fails.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args(argv)

    from daybank import self_check

    checks = self_check.run()
    failed = [check for check in checks if check.level == "error"]
    if arguments.json:
        output.json({"ok": not failed, "checks": [check.as_dict() for check in checks]})
        return NOTHING if failed else FOUND
    width = max(len(check.name) for check in checks)
    for check in checks:
        sign = (f"{_SIGNS[check.level]:6}", check.level)
        output.line(sign, f"  {check.name:{width}}  ", check.found)
    output.line(f"{len(failed)} of {len(checks)} fail." if failed else "All is well.")
    return NOTHING if failed else FOUND
