"""What the systems are told about the programs: name, version, icon, entry points."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

APP_ID = "org.daybank.Daybank"
_ICON_OF = {"win32": "daybank.ico", "darwin": "daybank.icns"}


def of_daybank(project: dict[str, Any], work: Path) -> list[tuple[str, str]]:
    """Daybank's own `.dist-info`, so that its entry points are found in the bundle.

    Written here, because an installation from a checkout notes the folder it was made from.
    """
    folder = work / f"{project['name']}-{project['version']}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (folder / "METADATA").write_text(metadata, encoding="utf-8")
    lines = []
    for group, entries in project.get("entry-points", {}).items():
        lines += [f"[{group}]", *(f"{name} = {what}" for name, what in entries.items()), ""]
    (folder / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return [(str(file), folder.name) for file in sorted(folder.iterdir())]


def icon(root: Path, work: Path) -> str | None:
    """The icon file of this system, drawn from the SVG; Linux takes it from the desktop entry."""
    name = _ICON_OF.get(sys.platform)
    if name is None:
        return None
    place = work / name
    _icons(root).write_icon_file(root / "resources/icons/daybank.svg", place)
    return str(place)


def _icons(root: Path) -> Any:
    """packaging/icons.py. The folder is no package: it would stand before PyPA's `packaging`."""
    spec = importlib.util.spec_from_file_location("daybank_icons", root / "packaging/icons.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def info_plist(root: Path, version: str) -> dict[str, Any]:
    """What macOS reads of the app."""
    import plistlib

    with (root / "packaging/macos/Info.plist").open("rb") as file:
        told: dict[str, Any] = plistlib.load(file)
    return {**told, "CFBundleShortVersionString": version, "CFBundleVersion": version}


def windows_version(project: dict[str, Any], name: str) -> Any:
    """The version resource that Windows shows in a program's properties."""
    from PyInstaller.utils.win32 import versioninfo as v

    numbers = (*(int(part) for part in project["version"].split(".")[:3]), 0)
    told = {
        "CompanyName": "Daybank",
        "FileDescription": "Daybank",
        "FileVersion": project["version"],
        "InternalName": name,
        "LegalCopyright": "MIT licence",
        "OriginalFilename": f"{name}.exe",
        "ProductName": "Daybank",
        "ProductVersion": project["version"],
    }
    return v.VSVersionInfo(
        ffi=v.FixedFileInfo(filevers=numbers, prodvers=numbers),
        kids=[
            v.StringFileInfo(
                [v.StringTable("040904B0", [v.StringStruct(k, w) for k, w in told.items()])]
            ),
            v.VarFileInfo([v.VarStruct("Translation", [1033, 1200])]),
        ],
    )
