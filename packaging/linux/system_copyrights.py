"""Copies the copyright files of the Debian packages whose libraries a bundle brings along.

python packaging/linux/system_copyrights.py BUNDLE FOLDER
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from depends import packages_of, places


def main(bundle: Path, folder: Path) -> None:
    """One file a package, named after it."""
    found = (bundle / "_internal").glob("lib*.so*")
    # Python has its own terms; the rest is the system's, or a wheel's that the system has not.
    top = {p.name for p in found if not p.is_symlink() and not p.name.startswith("libpython")}
    folder.mkdir(parents=True, exist_ok=True)
    for package in sorted(packages_of(top & set(places()))):
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / f"{package}.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
