"""Prints the Debian packages, with versions, that a bundle needs of the system.

    python packaging/linux/depends.py FOLDER

dpkg-shlibdeps knows which version of a package has the symbols that are used. It also names the
packages of libraries that the bundle brings along, so what is printed is only what a file of the
bundle asks for and the bundle has not.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


def elf_files(folder: Path) -> list[Path]:
    """Programs and libraries, links left out."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    found.append(path)
    return found


def missing_libraries(files: Sequence[Path], folder: Path) -> set[str]:
    """The libraries that are asked for by name and are not in the folder."""
    there = {path.name for path in folder.rglob("*.so*")}
    asked: set[str] = set()
    for file in files:
        told = _run("objdump", "-p", str(file))
        asked |= set(re.findall(r"^\s+NEEDED\s+(\S+)$", told, re.MULTILINE))
    return asked - there


def places() -> dict[str, Path]:
    """Where the system keeps its libraries, by their names."""
    return {
        line.split()[0]: Path(line.split("=> ")[1])
        for line in _run("/sbin/ldconfig", "-p").splitlines()
        if "=> " in line and "x32" not in line
    }


def packages_of(libraries: set[str]) -> set[str]:
    """The installed Debian packages that have them."""
    known = places()
    packages = set()
    for library in sorted(libraries):
        if library.startswith("ld-linux"):
            continue
        if library not in known:
            raise SystemExit(f"{library} is needed and not installed here.")
        place = known[library]
        owners = (_owner(way) for way in (place, place.resolve(), _merged(place.resolve())))
        packages.add(next(owner for owner in owners if owner))
    return packages


def _merged(place: Path) -> Path:
    """Where dpkg remembers a file of before /lib and /usr/lib were one."""
    return Path(str(place).replace("/usr/lib/", "/lib/", 1))


def _owner(place: Path) -> str:
    done = subprocess.run(["dpkg", "-S", str(place)], capture_output=True, text=True, check=False)
    return done.stdout.split(":")[0] if done.returncode == 0 else ""


def versions(files: Sequence[Path], folder: Path) -> list[str]:
    """What dpkg-shlibdeps says: ``libc6 (>= 2.35)`` and so on."""
    with tempfile.TemporaryDirectory() as temporary:
        control = Path(temporary) / "debian/control"
        control.parent.mkdir()
        control.write_text("Source: daybank\n\nPackage: daybank\nArchitecture: any\n")
        places = sorted({f"-l{path.parent}" for path in folder.rglob("*.so*")})
        told = _run(
            *("dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0"),
            *places,
            *map(str, files),
            cwd=temporary,
        )
    found = re.search(r"^shlibs:Depends=(.*)$", told, re.MULTILINE)
    assert found is not None, told
    return found[1].split(", ")


def _run(*command: str, cwd: str | None = None) -> str:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, cwd=cwd
    ).stdout


def main(folder: Path) -> str:
    """The line for ``Depends``."""
    files = elf_files(folder)
    wanted = packages_of(missing_libraries(files, folder))
    known = versions(files, folder)
    kept = [line for line in known if line.split()[0] in wanted]
    kept += sorted(wanted - {line.split()[0] for line in known})
    return ", ".join(kept)


if __name__ == "__main__":
    print(main(Path(sys.argv[1]).resolve()))
