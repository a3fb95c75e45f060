"""How well Retain bullets are inferred from the labelled plain logs in ``tests/data/retain``.

    PYTHONPATH=core python tests/bench/retain_quality.py [--half tune] [--show]

Prints one row a language and half: precision (kept sentences labelled keep or either), recall (of
those labelled keep), kinds and names, words that the log does not have. ``--show`` lists mistakes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core" / "reflect"))

from retain_set import LANGUAGES, Tally, measure, read_logs

HEADER = "half  language  logs  kept  precision  wanted  recall  kind  names  false names  invented"


def row(half: str, language: str, logs: int, tally: Tally) -> str:
    kind = tally.kinds_right / tally.found if tally.found else 1.0
    names = tally.names_found / tally.names_wanted if tally.names_wanted else 1.0
    return (
        f"{half:<6}{language:<10}{logs:>4}  {tally.kept:>4}  {tally.precision:>9.3f}"
        f"  {tally.wanted:>6}  {tally.recall:>6.3f}  {kind:>4.2f}  {names:>5.2f}"
        f"  {tally.names_given - tally.names_right:>11}  {tally.invented:>8}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("tune", "held"), action="append")
    parser.add_argument("--show", action="store_true", help="list the mistakes (tune only)")
    options = parser.parse_args()
    print(HEADER)
    for half in options.half or ("tune", "held"):
        for language in (*LANGUAGES, None):
            logs = read_logs(half, language)
            tally = measure(logs)
            print(row(half, language or "all", len(logs), tally))
            if options.show and half == "tune" and language is not None:
                for line in (
                    *(f"  wrong   {w}" for w in tally.wrong),
                    *(f"  missed  {m}" for m in tally.missed),
                ):
                    print(line)


if __name__ == "__main__":
    main()
